"""Notes: what a reader or a stage did with some things of a file, and how many there were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .model import Document, Reference

PLACES = 3
"""How many places a note shows; ``sereval check`` lists all of them."""


class Place(NamedTuple):
    """The place of one of the things that a note counts.

    Args:
        what: the thing, as a message shows it.
        where: its place, as a message shows it, such as a file and a line; empty: its name says it.
        line: its line in the file, from 1; ``None``: unknown.

    >>> str(Place("T1", "show.ann:7", 7))
    'T1 at show.ann:7'
    """

    what: str
    where: str = ""
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.what} at {self.where}" if self.where else self.what


@dataclass(frozen=True, slots=True)
class Note:
    """A message for the user: what a reader or a stage did with some things, and their number.

    Reports add up the notes of each side, JSON has them under ``notes``, and the command line
    prints them on standard error.

    Args:
        what: the name of the things in the plural, and what was done with them; a reason may stand
            before it, with a semicolon.
        count: the number of things.
        choice: the policy that was applied, for the signature; empty if there is only one policy.
        places: the places of the things; a message shows the first ``PLACES``.

    >>> print(Note("words without times, put between their neighbours", 2))
    words without times, put between their neighbours: 2
    >>> print(Note("no tagging scheme named; tags read as IOB2", 3))
    no tagging scheme named; 3 tags read as IOB2
    """

    what: str
    count: int
    choice: str = ""
    places: tuple[Place, ...] = ()

    def __str__(self) -> str:
        first = ", ".join(map(str, self.places[:PLACES]))
        reason, semicolon, things = self.what.partition("; ")
        if semicolon:
            return f"{reason}; {self.count} {things}{first and f', {first}'}"
        return f"{self.what}: {self.count}{first and f', the first {first}'}"


def notes_of(documents: Iterable[Document | Reference]) -> tuple[Note, ...]:
    """The notes of documents, added up as by :func:`sum_notes`."""
    return sum_notes(document.notes for document in documents)


def sum_notes(notes: Iterable[Iterable[Note]]) -> tuple[Note, ...]:
    """Notes added up, in alphabetical order, with the places that a message shows.

    Args:
        notes: the notes of each document.

    Returns:
        One note for each pair of ``what`` and ``choice``.

    >>> sum_notes([[Note("relations, skipped", 2)], [Note("relations, skipped", 1)]])
    (Note(what='relations, skipped', count=3, choice='', places=()),)
    """
    total: dict[tuple[str, str], Note] = {}
    for note in chain.from_iterable(notes):
        kind = note.what, note.choice
        before = total.setdefault(kind, Note(note.what, 0, note.choice))
        places = (*before.places, *note.places[:PLACES])[:PLACES]
        total[kind] = replace(before, count=before.count + note.count, places=places)
    return tuple(note for _, note in sorted(total.items()))
