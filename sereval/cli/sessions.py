"""Sessions: files, command lines, and all that comes of them, in a file of text.

A file of sessions says first what it is about. Then ``# NAME`` begins a session. ``== PATH`` is a
file with the lines that follow; of a line that begins like one of these signs, the backslash before
it is left out. ``-- TEXT`` explains, ``= FIGURES`` was computed by hand. ``$ LINE`` is a command
line; below it stand standard output, standard error with ``! `` before each line, and the status in
brackets unless it is 0. A line ``…`` stands for any lines, ``VERSION`` for the version.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import NamedTuple

from ..version import __version__
from . import main

HEAD = re.compile(r"(#|==|=|--|\$) (.*)")
ESCAPE = "\\"
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
    def content(self) -> bytes:
        """The content of the file that the step is."""
        text = "".join(f"{line.removeprefix(ESCAPE)}\n" for line in self.shown)
        return text.encode() if any(self.lines) else b""

    def put(self, folder: Path) -> None:
        """Write the file that the step is."""
        path = folder / self.text
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.content)


def steps_of(text: str) -> list[Step]:
    """All steps of a file, the lines ahead of them as the first."""
    steps = [Step("", "", [])]
    for line in text.split("\n"):
        if head := HEAD.fullmatch(line):
            steps.append(Step(head[1], head[2], []))
        else:
            steps[-1].lines.append(line)
    return steps


def sessions(steps: list[Step]) -> dict[str, list[Step]]:
    """The steps of each session by its name; what stands before the first is named ``""``."""
    found: dict[str, list[Step]] = {"": []}
    for step in steps[1:]:
        if step.sign == "#":
            found[step.text] = []
        else:
            found[[*found][-1]].append(step)
    return found


def outcome(arguments: list[str]) -> tuple[int, str, str]:
    """The status of a command, its standard output and its standard error."""
    output, messages = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        status = main(arguments)
    out, err = (stream.buffer.getvalue().decode("utf-8") for stream in (output, messages))
    return int(status), out, err


def shown(status: int, out: str, err: str) -> list[str]:
    """What came of a command, as a session shows it: of wrong usage the reason alone."""
    err = USAGE.sub("", err) if status == 2 else err
    lines = [*out.splitlines(), *(f"! {line}".rstrip() for line in err.splitlines())]
    text = "\n".join([*lines, *([f"[{status}]"] if status else [])]).rstrip("\n")
    for name in ("version:", '"sereval": "'):
        text = text.replace(f"{name}{__version__}", f"{name}VERSION")
    return text.split("\n")


def agrees(expected: list[str], printed: list[str]) -> bool:
    """Whether lines are those shown, where ``…`` on a line stands for any lines.

    >>> agrees(["a", "…", "d"], ["a", "b", "c", "d"]), agrees(["a"], ["a", "b"])
    (True, False)
    """
    if expected == printed:
        return True
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "…" else re.escape(f"{line.rstrip()}\n")
        for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None
