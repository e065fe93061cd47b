"""What a command shares with its terminal: the standard streams, and the signals that end it."""

from __future__ import annotations

import io
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..errors import one_line


class ClosedStream(io.StringIO):
    """Replaces a standard stream that was closed when the process began.

    Some packages write to the stream without looking whether there is one.
    """


def visible(text: str) -> str:
    """A text with its control characters escaped, which a terminal would take for commands."""
    return "".join(c if c in "\n\t" else one_line(c) for c in text)


def fitted(text: str, width: int) -> str:
    """A text whose sentences go on in a further line where they are wider than the terminal.

    Lines with several spaces in a row are rows of tables. They stay whole, as do signatures, which
    have no spaces, and drawings in colour.

    Args:
        text: the text.
        width: the columns of the terminal.

    >>> print(fitted("1 document, 2 elements.\\na  1  2  3  4  5", 14))
    1 document, 2
      elements.
    a  1  2  3  4  5
    """
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


def on_screen(text: str) -> str:
    """What a terminal shows of a report as text: no control characters, no sentence too wide."""
    from shutil import get_terminal_size  # slow to import

    return fitted(visible(text), get_terminal_size().columns)


def warn(message: str) -> None:
    """Print one line about a run on standard error, after the name of the program."""
    click.echo(f"sereval: {one_line(message)}", err=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print the notes of a report on standard error, for formats that have no place for them."""
    for note in notes:
        click.echo(one_line(note), err=True)


# Signals

_LIKE_CTRL_C = ("SIGTERM", "SIGHUP")


class TerminationSignal(KeyboardInterrupt):
    """A signal that ends the command as Ctrl-C does, so that temporary files are removed.

    Args:
        number: the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def handle_termination() -> Iterator[None]:
    """Within the context SIGTERM and SIGHUP raise ``TerminationSignal``.

    A signal that the process ignores or handles already is left alone.
    """

    def end(number: int, _frame: object) -> None:
        raise TerminationSignal(number)

    with _handle({name: end for name in _LIKE_CTRL_C if _handler(name) is signal.SIG_DFL}):
        yield


@contextmanager
def defer_signals() -> Iterator[None]:
    """Signals that arrive within the context take effect at its end.

    Threads other than the main one receive no signals, so nothing changes for them.
    """
    held: list[int] = []

    def hold(number: int, _frame: object) -> None:
        held.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [name for name in ("SIGINT", *_LIKE_CTRL_C) if callable(_handler(name))]
    with _handle(dict.fromkeys(names, hold)):
        yield
    for number in held:
        signal.raise_signal(number)


def _handler(name: str) -> Any:
    """The handler of a signal; ``None`` where the system does not have the signal."""
    return signal.getsignal(getattr(signal, name)) if hasattr(signal, name) else None


@contextmanager
def _handle(handlers: dict[str, Any]) -> Iterator[None]:
    before = {name: signal.signal(getattr(signal, name), handlers[name]) for name in handlers}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
