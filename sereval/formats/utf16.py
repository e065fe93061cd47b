"""Detect the unit in which annotations count characters: code points or UTF-16.

JavaScript counts a character beyond U+FFFF, such as an emoji, as two; Python counts it as one. A
file counts in one unit. The reader finds the unit from the texts that the annotations quote.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ..documents.characters import Characters
from ..documents.model import Document
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .file import File as Source

CODE_POINTS, UTF16 = UNITS = ("code points", "UTF-16")
"""Units of character offsets; the first is the default."""

UNPROVED = "annotations behind characters beyond U+FFFF, read in code points; UTF-16 is possible"

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Utf16Text:
    """A text, with the places of its characters beyond U+FFFF.

    Byte order marks at its start are characters of no word: blanks stand for them.

    Args:
        text: the text.

    >>> text = Utf16Text("😀 Dol")
    >>> text.at(3, UTF16), text.at(3, CODE_POINTS), text.at(1, UTF16)
    (2, 3, None)
    """

    def __init__(self, text: str) -> None:
        rest = text.lstrip("\ufeff")
        self.text = " " * (len(text) - len(rest)) + rest
        wide = [] if text.isascii() else [one.start() for one in _WIDE.finditer(text)]
        self.halves = [
            at + k for k, at in enumerate(wide, 1)
        ]  # places in UTF-16 inside a character

    @property
    def longest(self) -> int:
        """The length of the text in UTF-16, the unit with the greater numbers."""
        return len(self.text) + len(self.halves)

    def at(self, place: int, unit: str) -> int | None:
        """A place in code points; ``None``: the place is inside a character."""
        if unit == CODE_POINTS:
            return place
        before = bisect_left(self.halves, place)
        return None if self.halves[before : before + 1] == [place] else place - before

    def between(self, place: Characters, unit: str) -> Characters:
        """A start and an end in code points.

        Args:
            place: a start and an end.
            unit: their unit.

        Raises:
            SerevalError: a start or an end is inside a character.
        """
        start, end = (self.at(at, unit) for at in place)
        if start is None or end is None:
            inside = place[start is not None]
            raise SerevalError(f"place {inside} in UTF-16 is inside a character, expected its edge")
        return start, end

    def quoted(self, pieces: Sequence[Characters], unit: str) -> str | None:
        """The text of some pieces, without white space; ``None``: a piece cuts a character."""
        found = [(self.at(start, unit), self.at(end, unit)) for start, end in pieces]
        parts = [
            self.text[max(start, 0) : max(end, 0)]
            for start, end in found
            if start is not None and end is not None
        ]
        return _bare("".join(parts)) if len(parts) == len(pieces) else None


class Mark(NamedTuple):
    """An annotation of the characters of a text.

    Args:
        text: the text whose characters it counts.
        pieces: start and end of each of its pieces, in the unit of the file.
        quote: the text that it quotes; ``None``: it quotes none.
        place: its place in the file, for messages.
    """

    text: Utf16Text
    pieces: tuple[Characters, ...]
    quote: str | None
    place: Place

    def fits(self, unit: str) -> bool:
        """Whether its quote is the text of its pieces; white space, which may vary, is ignored."""
        return self.quote is None or self.text.quoted(self.pieces, unit) == _bare(self.quote)

    @property
    def differs(self) -> bool:
        """Whether its places differ between the two units."""
        halves = self.text.halves
        return bool(halves) and any(end >= halves[0] for _, end in self.pieces)


def unit_of(marks: Iterable[Mark]) -> str | None:
    """The unit in which the quotes of all annotations of a file are right.

    Args:
        marks: the annotations; each fits at least one unit.

    Returns:
        The unit; ``None``: no annotation has a quote, or all fit both units.

    Raises:
        SerevalError: some fit code points alone, others UTF-16 alone.

    >>> emoji = Utf16Text("😀😀😀 no no Bo")
    >>> x = Mark(emoji, ((7, 9),), "no", Place("X", "a:1"))
    >>> unit_of([x]), unit_of([x, Mark(emoji, ((13, 15),), "Bo", Place("Y", "a:1"))])
    (None, 'UTF-16')
    """
    proof: dict[str, Mark] = {}
    for mark in marks:
        if mark.differs and mark.fits(CODE_POINTS) != mark.fits(UTF16):
            proof.setdefault(CODE_POINTS if mark.fits(CODE_POINTS) else UTF16, mark)
    if len(proof) > 1:
        found = " and ".join(f"{mark.place} counts in {unit}" for unit, mark in proof.items())
        raise SerevalError(f"by what they quote, {found}, expected one unit in a file")
    return next(iter(proof), None)


def undecided(marks: Iterable[Mark], unit: str | None) -> tuple[Note, ...]:
    """A note on the annotations of a document whose places depend on an unknown unit.

    Args:
        marks: the annotations of the document.
        unit: the unit of the file, from :func:`unit_of`.
    """
    places = tuple(mark.place for mark in marks if mark.differs) if unit is None else ()
    return (Note(UNPROVED, len(places), places=places),) if places else ()


def with_or_without_mark(source: Source, parse: Callable[[Source], Document]) -> Document:
    """The document of a file beside a text, whose byte order mark is a character.

    If the file cannot be read like this, its program may have counted from behind the mark.
    """
    try:
        return parse(source)
    except SerevalError:
        if source.beside.startswith("\ufeff"):
            with suppress(SerevalError):
                return parse(replace(source, beside=source.beside[1:]))
        raise


def _bare(text: str) -> str:
    return "".join(text.split()).replace("\ufeff", "")
