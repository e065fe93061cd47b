"""The standard streams: what a terminal shows, lines on standard error, and closed streams."""

from __future__ import annotations

import io
from collections.abc import Iterable

import click

from ..errors import one_line


class ClosedStream(io.StringIO):
    """Replaces a standard stream that was closed when the process began.

    Some packages write to the stream without looking whether there is one.
    """


def visible(text: str) -> str:
    """A text with its control characters escaped, which a terminal would take for commands."""
    return "".join(c if c in "\n\t" else one_line(c) for c in text)


def warn(message: str) -> None:
    """Print one line about a run on standard error, after the name of the program."""
    click.echo(f"sereval: {one_line(message)}", err=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print the notes of a report on standard error, for formats that have no place for them."""
    for note in notes:
        click.echo(one_line(note), err=True)
