"""What a command shares with its terminal: the standard streams, and the signals that end it."""

from __future__ import annotations

import io
import re
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..errors import one_line


class ClosedStream(io.StringIO):
    """Replaces a standard stream that was closed when the process began."""


def visible(text: str) -> str:
    """A text with its control characters escaped, which a terminal would take for commands."""
    return "".join(c if c in "\n\t" else one_line(c) for c in text)


def fitted(text: str, width: int) -> str:
    """A text whose sentences go on in a further line where they are wider than the terminal."""
    return "\n".join(
        _wrapped(line, width) if len(line) > width else line for line in text.split("\n")
    )


def _wrapped(line: str, width: int) -> str:
    """A line that is wider than the terminal, in several lines if it is a sentence."""
    from textwrap import wrap  # only terminals wait for it

    is_sentence = "  " not in line.strip() and max(map(len, line.split()), default=0) <= width
    if not is_sentence or not line.isprintable():
        return line
    return "\n".join(wrap(line, width, subsequent_indent="  ", **WHOLE_WORDS))


WHOLE_WORDS: Any = {"break_long_words": False, "break_on_hyphens": False}
"""Paths and numbers are not cut."""


COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")
"""The marks of colours in a text for a terminal."""


def on_screen(text: str) -> str:
    """What a terminal shows of a report: no control characters but colours, no wide sentence."""
    from shutil import get_terminal_size  # slow to import

    parts = (one if k % 2 else visible(one) for k, one in enumerate(COLOURS.split(text)))
    return fitted("".join(parts), get_terminal_size().columns)


def warn(message: str) -> None:
    """Print one line about a run on standard error, after the name of the program."""
    click.echo(f"sereval: {one_line(message)}", err=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print the notes of a report on standard error, for formats that have no place for them."""
    for note in notes:
        click.echo(one_line(note), err=True)


# Signals


class TerminationSignal(KeyboardInterrupt):
    """A signal that ends the command as Ctrl-C does, so that temporary files are removed."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def handle_termination() -> Iterator[None]:
    """SIGTERM and SIGHUP raise ``TerminationSignal``, unless something else handles them."""

    def end(number: int, _frame: object) -> None:
        raise TerminationSignal(number)

    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    own = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in own:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in own:
            signal.signal(number, signal.SIG_DFL)
