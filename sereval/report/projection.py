"""A projected reference: as native JSON or aref for programs, as readable text for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..documents.model import Document, Reference, ReferenceElement
from ..errors import SerevalError, one_line
from ..formats import aref as aref_format
from ..formats import native as native_format
from .text import counted

Projected = Sequence[tuple[Document, Reference]]


def native(projected: Projected) -> str:
    """The fuzzy references as native JSON lines."""
    return native_format.write(reference for _, reference in projected)


def aref(projected: Projected) -> str:
    """The one fuzzy reference in the format of LNE's program.

    Raises:
        SerevalError: several documents, or what the format cannot hold.
    """
    if len(projected) != 1:
        raise SerevalError(f"found {len(projected)} documents, expected one: aref holds no more")
    [(_, reference)] = projected
    return aref_format.write(reference)


HEAD = ("element", "reference words", "may start before [strict]", "may end after [strict]")


def render(projected: Projected) -> str:
    """Each element with its words, and the words that it may start before and end after.

    Words have their number in the document, from 0. Where the strict projection puts a tag stands
    in brackets; ``^`` is the start of the document and ``$`` its end, where there is no word.
    """
    return "\n".join(_document(document, reference) for document, reference in projected)


def _document(document: Document, reference: Reference) -> str:
    placed, lost = len(reference.elements), len(reference.unplaceable)
    title = f"{reference.id}: {counted(placed, 'element')} placed, {lost} unplaceable"
    rows = [HEAD, *_rows(document, reference)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ("   ".join(map(str.ljust, row, wide)).rstrip() for row in rows)
    return "\n".join([one_line(title), *table, ""])


def _rows(document: Document, reference: Reference) -> list[tuple[str, str, str, str]]:
    """The elements in the order of the annotation, unplaceable ones among them."""
    depth = _depths(document)
    everyone = [(element, "") for element in reference.elements]
    for lost in reference.unplaceable:
        into = "" if lost.into is None else f" into {reference.elements[lost.into].label}"
        everyone.append((lost.element, f"  ({lost.fate}{into})"))
    everyone.sort(key=lambda row: row[0].source or 0)
    return [
        (
            "  " * depth[element.source or 0] + one_line("|".join(element.labels)) + fate,
            _spoken(document, element),
            _starts(reference, element),
            _ends(reference, element),
        )
        for element, fate in everyone
    ]


def _depths(document: Document) -> list[int]:
    depths: list[int] = []
    for element in document.elements:
        depths.append(0 if element.parent is None else depths[element.parent] + 1)
    return depths


def _spoken(document: Document, element: ReferenceElement) -> str:
    annotated = document.elements[element.source or 0]
    return one_line(" ".join(document.words[annotated.start : annotated.end]))


def _starts(reference: Reference, element: ReferenceElement) -> str:
    strict = None if element.strict is None else element.strict[0]
    names = [*_numbered(reference.words), "$"]
    return _listed([(names[k], k == strict) for k in element.starts])


def _ends(reference: Reference, element: ReferenceElement) -> str:
    strict = None if element.strict is None else element.strict[1]
    names = ["^", *_numbered(reference.words)]
    return _listed([(names[k], k == strict) for k in element.ends])


def _numbered(words: Sequence[str]) -> list[str]:
    return [f"{k} {one_line(word)}" for k, word in enumerate(words)]


def _listed(words: Sequence[tuple[str, bool]]) -> str:
    return ", ".join(f"[{word}]" if is_strict else word for word, is_strict in words) or "nowhere"


PROJECTIONS: dict[str, Callable[[Projected], str]] = {"json": native, "text": render, "aref": aref}
"""What a projected reference can be written as."""
