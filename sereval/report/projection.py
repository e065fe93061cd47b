"""Projected references as native JSON, aref and text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..documents.model import Document, Reference, depths
from ..errors import SerevalError, one_line
from ..formats import aref as aref_format
from ..formats import native as native_format
from ..render.text import counted, lines

Projected = Iterable[tuple[Document, Reference]]
"""References as they were read, and their projections; the formats read one after another."""


def native(projected: Projected) -> Iterator[str]:
    """The projected references as native JSON lines, one by one."""
    return (native_format.write([reference]) for _, reference in projected)


def aref(projected: Projected) -> Iterator[str]:
    """The projected reference of one document in the format of LNE's program."""
    references = [reference for _, reference in projected]
    if len(references) != 1:
        raise SerevalError(f"found {len(references)} documents, expected one: aref holds no more")
    yield aref_format.write(*references)


HEAD = ("element", "reference words", "may start before [strict]", "may end after [strict]")


def render(projected: Projected) -> Iterator[str]:
    """Tables of elements: their words, and the words they may start before and end after."""
    for number, (document, reference) in enumerate(projected):
        yield ("\n" if number else "") + _document(document, reference)


def _document(document: Document, reference: Reference) -> str:
    placed, lost = len(reference.elements), len(reference.unplaceable)
    title = f"{reference.id}: {counted(placed, 'element')} placed, {lost} unplaceable"
    table = lines([HEAD, *_rows(document, reference)], left=range(len(HEAD)), gap=3)
    return "\n".join([one_line(title), *table, ""])


def _rows(document: Document, reference: Reference) -> Iterator[tuple[str, str, str, str]]:
    """The elements in the order of the annotation, including unplaceable ones."""
    depth = depths([element.parent for element in document.elements])
    words = [f"{k} {one_line(word)}" for k, word in enumerate(reference.words)]
    everyone = [(element, "") for element in reference.elements]
    for lost in reference.unplaceable:
        into = "" if lost.into is None else f" into {reference.elements[lost.into].label}"
        everyone.append((lost.element, f"  ({lost.fate}{into})"))
    everyone.sort(key=lambda row: row[0].source or 0)
    for element, fate in everyone:
        index = element.source or 0
        annotated = document.elements[index]
        start, end = element.strict or (None, None)
        yield (
            "  " * (depth[index] - 1) + one_line("|".join(element.labels)) + fate,
            one_line(" ".join(document.words[annotated.start : annotated.end])),
            _candidates([*words, "$"], element.starts, start),
            _candidates(["^", *words], element.ends, end),
        )


def _candidates(words: Sequence[str], frontiers: Iterable[int], strict: int | None) -> str:
    """The words next to some frontiers; brackets mark the strict one."""
    return ", ".join(f"[{words[k]}]" if k == strict else words[k] for k in frontiers) or "nowhere"


PROJECTIONS: dict[str, Callable[[Projected], Iterator[str]]] = {
    "json": native,
    "text": render,
    "aref": aref,
}
"""The formats of projected references, by name."""
