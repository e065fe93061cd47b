"""A projected reference: as native JSON for programs, as readable text for people."""

from __future__ import annotations

import io
from collections.abc import Sequence

from ..model import Document, Reference, ReferenceElement
from ..readers import native as native_format

Projected = Sequence[tuple[Document, Reference]]


def native(projected: Projected) -> str:
    """The fuzzy references as native JSON lines."""
    return native_format.write(reference for _, reference in projected)


def render(projected: Projected) -> str:
    """Each element with its words and the words that it may start before and end after.

    The strict frontier is in brackets. ``^`` stands for the start of the document and ``$`` for
    its end, where there is no word to name.
    """
    return "\n".join(_document(document, reference) for document, reference in projected)


def _document(document: Document, reference: Reference) -> str:
    from rich.console import Console  # slow to import
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="")
    for heading in ("element", "reference words", "may start before", "may end after"):
        table.add_column(heading, no_wrap=True)
    for row in _rows(document, reference):
        table.add_row(*map(Text, row))
    console = Console(file=io.StringIO(), width=10_000, color_system=None)
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    placed, lost = len(reference.elements), len(reference.unplaceable)
    return "\n".join([f"{reference.id}: {placed} elements placed, {lost} unplaceable", *lines, ""])


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
            "  " * depth[element.source or 0] + "|".join(element.labels) + fate,
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
    return " ".join(document.words[annotated.start : annotated.end])


def _starts(reference: Reference, element: ReferenceElement) -> str:
    strict = None if element.strict is None else element.strict[0]
    names = [*reference.words, "$"]
    return _listed([(names[k], k == strict) for k in element.starts])


def _ends(reference: Reference, element: ReferenceElement) -> str:
    strict = None if element.strict is None else element.strict[1]
    names = ["^", *reference.words]
    return _listed([(names[k], k == strict) for k in element.ends])


def _listed(words: Sequence[tuple[str, bool]]) -> str:
    return ", ".join(f"[{word}]" if is_strict else word for word, is_strict in words) or "nowhere"
