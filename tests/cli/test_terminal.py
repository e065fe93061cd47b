"""What is not poured onto a terminal: pages and pictures."""

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")

COMMANDS = {"html": "audit ref hyp --format html"}


def started(command, stdout):
    """A process of its own, as nothing else has a terminal."""
    words = [sys.executable, "-m", "sereval", *command.split()]
    return subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, check=False)


@pytest.mark.parametrize("format", COMMANDS)
def test_no_page_on_a_terminal(files, format):
    """It is refused in one line that says what to do, and nothing is written."""
    terminal, end = pty.openpty()
    done = started(COMMANDS[format], end)
    os.write(end, b"|")  # so that there is something to read
    shown = os.read(terminal, 100)
    for each in (terminal, end):
        os.close(each)

    last = done.stderr.decode().splitlines()[-1]
    said = f"Error: --format {format} is not for a terminal, expected -o FILE, or a pipe"
    assert (2, said, b"|") == (done.returncode, last, shown)


@pytest.mark.check
@pytest.mark.parametrize("format", COMMANDS)
def test_pages_go_into_pipes_and_files(files, format):
    """The same bytes, and a terminal is no hindrance to a file."""
    done = started(COMMANDS[format], subprocess.PIPE)
    terminal, end = pty.openpty()
    written = started(f"{COMMANDS[format]} -o made.{format}", end)
    for each in (terminal, end):
        os.close(each)

    assert (0, 0) == (done.returncode, written.returncode)
    assert done.stdout == (files / f"made.{format}").read_bytes()
    assert b"</" in done.stdout
