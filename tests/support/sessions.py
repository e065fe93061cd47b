"""Sessions: what is typed at a prompt and all that comes of it, in files of text.

A file of ``tests/cli/sessions`` or ``tests/formats/sessions`` says first what it is about. Then
``# NAME`` begins a session. ``== PATH`` puts a file with the lines that follow into the folder at
hand; of a line that begins like one of these signs, the backslash before it is left out.
``== PATH < FILE`` copies a file of ``tests/formats/files``, whose bytes text cannot show.
``$ LINE`` is a command line of sereval; below it stand standard output, standard error with ``! ``
before each line, and the status in brackets unless it is 0. ``< PATH`` at its end makes a file
standard input. A line ``…`` stands for any lines. ``DATA``, ``CASES``, ``TEMPLATES`` and
``EXAMPLES`` are folders of the project, ``VERSION`` is the version, ``SIZE`` the size of a file
that was written. Files that stand before the first session are there in each of them; if there are
none, a session of the command line has the small campaign of
``cli_files``.
"""

import contextlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from cli_files import CAMPAIGN, put
from paths import CASES, DATA, TESTS

from sereval import __version__
from sereval.cli import main

SESSIONS = TESTS / "cli" / "sessions"
FORMATS = TESTS / "formats" / "sessions"
FILES = TESTS / "formats" / "files"
PLACES = {
    "DATA": str(DATA),
    "CASES": str(CASES),
    "TEMPLATES": str(TESTS / "templates"),
    "EXAMPLES": str(TESTS.parent / "docs" / "examples"),
}
HEAD = re.compile(r"(#|==|\$) (.*)")
ESCAPE = "\\"
SMALL = {path: text.splitlines() for path, text in CAMPAIGN.items()}
SIZE = re.compile(r"(?<=\()\d[\d.]* (?:bytes?|kB|MB)(?=\))")
USAGE = re.compile(r"\AUsage: sereval (?:.*\n)+?(?=Error: )")


class Step(NamedTuple):
    """A line that says what is done, its sign apart, and the lines below it."""

    sign: str
    text: str
    lines: list[str]

    @property
    def shown(self) -> list[str]:
        """The lines without the empty ones that end them."""
        return "\n".join(self.lines).rstrip("\n").split("\n")

    @property
    def file(self) -> tuple[str, bytes]:
        """The path and the content of the file."""
        path, _, source = self.text.partition(" < ")
        if source:
            return path, (FILES / source).read_bytes()
        text = "".join(f"{line.removeprefix(ESCAPE)}\n" for line in self.shown)
        return path, text.encode() if any(self.lines) else b""

    def put(self) -> None:
        """Put the file there."""
        put(*self.file)


def steps_of(path: Path) -> list[Step]:
    """All steps of a file, the lines ahead of them as the first."""
    steps = [Step("", "", [])]
    for line in path.read_text("utf-8").split("\n"):
        if head := HEAD.fullmatch(line):
            steps.append(Step(head[1], head[2], []))
        else:
            steps[-1].lines.append(line)
    return steps


def sessions(path: Path, steps: list[Step]) -> dict[str, list[Step]]:
    """The sessions of a file by their names, each with the files that all of them have."""
    found: dict[str, list[Step]] = {"": []}
    for step in steps[1:]:
        if step.sign == "#":
            assert step.text not in found, step.text
            found[step.text] = []
        else:
            found[[*found][-1]].append(step)
    first = found.pop("") or [
        Step("==", *file) for file in SMALL.items() if path.parent == SESSIONS
    ]
    return {name: first + steps for name, steps in found.items()}


def arguments(line: str) -> list[str]:
    """The arguments of a command line, with the folders that it names."""
    line = line.partition(" < ")[0]
    for name, path in PLACES.items():
        line = line.replace(name, path)
    return shlex.split(line)


@contextlib.contextmanager
def standard_input(line: str) -> Iterator[None]:
    """What the command line makes standard input."""
    path = line.partition(" < ")[2]
    with mock.patch("sys.stdin", open(path or os.devnull, encoding="utf-8")) as file, file:
        yield


def shown(status: int, out: str, err: str) -> list[str]:
    """What came of a command, as a session shows it: of wrong usage the reason alone."""
    err = USAGE.sub("", err) if status == 2 else err
    said = (SIZE.sub("SIZE", line) for line in err.splitlines())
    lines = [*out.splitlines(), *(f"! {line}".rstrip() for line in said)]
    text = "\n".join([*lines, *([f"[{int(status)}]"] if status else [])]).rstrip("\n")
    for name, path in PLACES.items():
        text = text.replace(path, name)
    for name in ("version:", '"sereval": "'):
        text = text.replace(f"{name}{__version__}", f"{name}VERSION")
    return text.split("\n")


def agrees(expected: list[str], printed: list[str]) -> bool:
    """Whether lines are those shown, where ``…`` on a line stands for any lines.

    >>> agrees(["a", "…", "d"], ["a", "b", "c", "d"]), agrees(["a"], ["a", "b"])
    (True, False)
    """
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "…" else re.escape(f"{line.rstrip()}\n")
        for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def record(step: Step) -> None:
    """Write down what comes of a command, where it is not what is shown."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with redirected[0], redirected[1], standard_input(step.text):
        status = main(arguments(step.text))
    found = shown(status, *(stream.buffer.getvalue().decode("utf-8") for stream in (out, err)))
    if not agrees(step.shown, found):
        step.lines[:] = [*found, ""]


def write(path: Path) -> None:
    """Record anew what comes of the commands of a file."""
    steps = steps_of(path)
    for session in sessions(path, steps).values():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for step in session:
                step.put() if step.sign == "==" else record(step)
    lines = [line for step in steps for line in (f"{step.sign} {step.text}", *step.lines)]
    path.write_text("\n".join(lines[1:]).rstrip("\n") + "\n", "utf-8")
