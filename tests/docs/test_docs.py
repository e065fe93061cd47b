"""What the documents show is so: their code blocks run, their output is what is printed.

In README.md and docs/ every Python block is executed, in order, in one namespace per file; comments
that end a block show what it prints. Every console block that begins with ``$ sereval`` is run from
the top of the project; a line ``…`` stands for any lines.
"""

import contextlib
import io
import os
import re
import shlex
from typing import NamedTuple

import pytest
from paths import CASES, ROOT

from sereval.cli import main
from sereval.cli.prove import WORSE, agrees

pytestmark = pytest.mark.check

FILES = [*ROOT.glob("README.md"), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "


class Block(NamedTuple):
    """A code block, and the line of the file where its first line stands, from 1."""

    language: str
    text: str
    line: int


def blocks(path, *languages):
    """Code blocks of a file in some languages, in order."""
    text = path.read_text("utf-8")
    found = (
        Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
        for match in FENCE.finditer(text)
    )
    return [block for block in found if block.language in languages]


def commands(block):
    """Command lines of a console block, each with the lines shown under it."""
    found = []
    for line in block.text.replace("\\\n", " ").splitlines():
        if line.startswith(PROMPT):
            found.append((line.removeprefix(PROMPT), []))
        else:
            found[-1][1].append(line)
    return found


def consoles(path):
    """Every command of the blocks of a page that begin with ``$ sereval``, with what is shown."""
    return [
        (f"{path.name}:{block.line}", command, shown)
        for block in blocks(path, "console", "sh")
        if block.text.startswith("$ sereval ")
        for command, shown in commands(block)
    ]


def shown_by(text):
    """What the comments that end a Python block say it prints."""
    lines = text.splitlines()
    first = len(lines)
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return [line.removeprefix("#").removeprefix(" ") for line in lines[first:]]


def run(block, path, namespace):
    """Execute a Python block, and return what it prints; line numbers are those of the file."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * (block.line - 1) + block.text, path, "exec"), namespace)
    return out.getvalue().splitlines()


def test_there_are_blocks():
    """Blocks of both kinds are found, and the algorithm is one that runs."""
    assert len(blocks(ROOT / "docs" / "why" / "algorithm.md", "python")) >= 10
    assert any(blocks(path, "python") for path in FILES if path.name != "algorithm.md")
    assert any(map(consoles, FILES))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_fence_is_found(path):
    """Each code block has its two fences, so that none is overlooked."""
    fences = re.findall(r"^ *```", path.read_text("utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(FENCE.findall(path.read_text("utf-8")))


@pytest.mark.parametrize("path", [p for p in FILES if blocks(p, "python")], ids=lambda p: p.name)
def test_python(path, monkeypatch):
    """Python blocks run in order, and print what they show."""
    monkeypatch.chdir(ROOT)
    namespace = {"__name__": path.stem}
    for block in blocks(path, "python"):
        printed = run(block, path, namespace)
        shown = shown_by(block.text)
        if printed and shown:
            assert shown == printed or agrees(shown, printed), f"{path.name}:{block.line}"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder that looks as the project does, with a ``build`` of its own."""
    for name in os.listdir(ROOT):
        if name != "build":
            (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").mkdir()  # where what is shown writes to
    (tmp_path / "cases").symlink_to(CASES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("path", [p for p in FILES if consoles(p)], ids=lambda path: path.name)
def test_console(path, copy, capsys):
    """The commands of a page do in their order what is shown, and fail only where that is shown."""
    for place, command, shown in consoles(path):
        program, *arguments = shlex.split(command)
        assert program == "sereval"
        assert not {"|", ">", "<", ";", "&&"} & {*arguments}, "no shell runs this"

        status = main(arguments)
        printed = "".join(capsys.readouterr()).splitlines()

        refused = any(line.startswith("sereval: ") for line in shown)
        expected = WORSE if shown and shown[0].startswith("worse: ") else int(refused)
        assert (place, status) == (place, expected)
        if shown:
            assert agrees(shown, printed), "\n".join([place, *printed])
