"""Notes on what is odd in a document whatever its format: labels, ids, repeated elements."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from ..errors import SerevalError, one_line
from .model import Document, Element, Note, Place, Reference, ReferenceElement, canonical

_UNSEEN = "a blank at an end, a character that cannot be seen, or accents not composed (NFC)"
LABELS = f"elements whose label has {_UNSEEN}"
IDS = f"documents whose id has {_UNSEEN}"
TWICE = "elements inside one of the same label on the same words"
"""Texts of the notes; ``sereval doctor`` names the place of each thing that they count."""

_Any = TypeVar("_Any", Document, Document | Reference)


def with_oddities(document: _Any, line: int | None = None) -> _Any:
    """The document with notes on odd labels, an odd id and repeated elements."""
    found: tuple[Note, ...] = tuple(_notes(document, line))
    return replace(document, notes=(*document.notes, *found)) if found else document


def _notes(document: Document | Reference, line: int | None) -> Iterator[Note]:
    if is_odd(document.id):
        yield Note(IDS, 1, places=(_place(document, ascii(document.id), line),))
    elements = document.elements
    odd = {label for element in elements for label in element.labels if is_odd(label)}
    if odd:
        found = [(label, e) for e in elements for label in e.labels if label in odd]
        first = dict(reversed(found))
        places = (_place(document, ascii(label), _line(e, line)) for label, e in first.items())
        yield Note(LABELS, len(found), places=tuple(places))
    again = [e for e in elements if e.parent is not None and _kind(e) == _kind(elements[e.parent])]
    if again:
        shown = (_place(document, _show(element), _line(element, line)) for element in again)
        yield Note(TWICE, len(again), places=tuple(shown))


def _show(element: Element | ReferenceElement) -> str:
    return one_line(str(element) if isinstance(element, Element) else "/".join(element.labels))


@lru_cache(maxsize=4096)
def is_odd(name: str) -> bool:
    """Whether a name has outer blanks, invisible characters or accents that are not composed."""
    try:
        return name != name.strip() or not name.isprintable() or canonical(name) != name
    except SerevalError:  # too many accents on one letter
        return True


def _kind(element: Element | ReferenceElement) -> Hashable:
    if isinstance(element, Element):
        return element.label, element.start, element.end
    return element.labels, element.starts, element.ends


def _line(element: Element | ReferenceElement, line: int | None) -> int | None:
    return (element.line if isinstance(element, Element) else None) or line


def _place(document: Document | Reference, what: str, line: int | None) -> Place:
    file = os.path.basename(document.source or document.id)
    return Place(what, one_line(file if line is None else f"{file}:{line}"), line)
