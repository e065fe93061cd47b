"""Sessions of the tests, in the form of those that come with the package.

See ``sereval.cli.sessions``. Besides, ``== PATH < FILE`` copies a file of ``tests/formats/files``,
whose bytes text cannot show, and ``< PATH`` at the end of a command line makes a file standard
input. ``DATA``, ``CASES`` and ``EXAMPLES`` are folders. If no file stands before the first session,
a session of the command line has the small campaign of ``cli_files``.
"""

import contextlib
import os
import shlex
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from cli_files import CAMPAIGN, put
from paths import CASES, DATA, TESTS

from sereval.cli import prove as packaged
from sereval.cli.prove import CASES as PACKAGED
from sereval.cli.prove import Step, agrees, outcome, steps_of

SESSIONS = TESTS / "cli" / "sessions"
FORMATS = TESTS / "formats" / "sessions"
FILES = TESTS / "formats" / "files"
FOLDERS = (PACKAGED, SESSIONS, FORMATS)
PLACES = {
    "DATA": str(DATA),
    "CASES": str(CASES),
    "EXAMPLES": str(TESTS.parent / "docs" / "examples"),
}
SMALL = [Step("==", path, text.splitlines()) for path, text in CAMPAIGN.items()]


def sessions(path: Path, steps: list[Step] | None = None) -> dict[str, list[Step]]:
    """The sessions of a file by their names, each with the files that all of them have."""
    found = packaged.sessions(steps or steps_of(path.read_text("utf-8")))
    first = found.pop("") or (SMALL if path.parent == SESSIONS else [])
    return {name: first + steps for name, steps in found.items()}


def file_of(step: Step) -> tuple[str, bytes]:
    """The path and the content of the file that a step is."""
    path, _, source = step.text.partition(" < ")
    return path, (FILES / source).read_bytes() if source else step.content


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
    """What came of a command, as a session shows it."""
    text = "\n".join(packaged.shown(status, out, err))
    for name, path in PLACES.items():
        text = text.replace(path, name)
    return text.split("\n")


def record(step: Step) -> None:
    """Write down what comes of a command, where it is not what is shown."""
    with standard_input(step.text):
        found = shown(*outcome(arguments(step.text)))
    if not agrees(step.shown, found):
        step.lines[:] = [*found, ""]


def write(path: Path) -> None:
    """Record anew what comes of the commands of a file."""
    steps = steps_of(path.read_text("utf-8"))
    for session in sessions(path, steps).values():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for step in session:
                if step.sign == "==":
                    put(*file_of(step))
                elif step.sign == "$":
                    record(step)
    lines = [line for step in steps for line in (f"{step.sign} {step.text}", *step.lines)]
    path.write_text("\n".join(lines[1:]).rstrip("\n") + "\n", "utf-8")


class ByHand(NamedTuple):
    """A command of a session, and the figures that were computed by hand for it."""

    session: str
    line: str
    figures: dict[str, str]


def by_hand(folder: Path) -> list[ByHand]:
    """The commands of all sessions of a folder that have such figures."""
    found = []
    for path in sorted(folder.glob("*.txt")):
        for name, steps in sessions(path).items():
            for one, command in pairwise(steps):
                if one.sign == "=":
                    figures = (figure.rpartition("=") for figure in one.text.split())
                    named = {figure: value for figure, _, value in figures}
                    found.append(ByHand(name, command.text, named))
    return found
