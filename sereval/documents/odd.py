"""Notes on what is odd in a document whatever its format: labels, ids, repeated elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

from ..errors import SerevalError, one_line
from .model import Document, Note, Place, Reference, canonical

_UNSEEN = "a blank at an end, a character that cannot be seen, or accents not composed (NFC)"
LABELS = f"elements whose label has {_UNSEEN}"
IDS = f"documents whose id has {_UNSEEN}"
TWICE = "elements inside one of the same label on the same words"
"""Texts of the notes; ``sereval doctor`` names the place of each thing that they count."""

_kind = attrgetter("label", "start", "end")


def with_oddities(
    document: Document | Reference, line: int | None, place: Callable[[str, int | None], Place]
) -> Document | Reference:
    """The document with notes on odd labels, an odd id and repeated elements."""
    if not isinstance(document, Document):
        return document  # a fuzzy reference, which was made from a document
    elements = document.elements
    found: list[Note] = []
    if is_odd(document.id):
        found.append(Note(IDS, 1, places=(place(ascii(document.id), line),)))
    odd = [e for e in elements if is_odd(e.label)]
    if odd:
        first = {e.label: e for e in reversed(odd)}.values()
        places = (place(ascii(e.label), e.line or line) for e in first)
        found.append(Note(LABELS, len(odd), places=tuple(places)))
    again = [e for e in elements if e.parent is not None and _kind(e) == _kind(elements[e.parent])]
    if again:
        shown = (place(one_line(str(e)), e.line or line) for e in again)
        found.append(Note(TWICE, len(again), places=tuple(shown)))
    return replace(document, notes=(*document.notes, *found)) if found else document


@lru_cache(maxsize=4096)
def is_odd(name: str) -> bool:
    """Whether a name has outer blanks, invisible characters or accents that are not composed."""
    try:
        return name != name.strip() or not name.isprintable() or canonical(name) != name
    except SerevalError:  # too many accents on one letter
        return True
