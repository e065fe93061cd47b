"""The trees of documents in the terminal, as brackets over the words, with all candidates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ..documents.model import Document, Reference
from ..render.cells import Line, clip, size, styled, wrapped
from .brackets import CandidateRange, beside, draw_range, lanes, pack_rows, place_columns
from .drawing import LEGEND, Drawing, Piece, drawings

PALETTE = (
    "dodger_blue1",
    "green3",
    "dark_orange",
    "magenta",
    "cyan",
    "red",
    "gold3",
    "medium_purple1",
    "spring_green3",
    "hot_pink",
)
NARROWEST = 40


def render(
    documents: Sequence[Document | Reference],
    labels: Collection[str] = (),
    *,
    width: int = 100,
    colour: str | None = None,
) -> str:
    """The words of each document, a line for each utterance, under the brackets of its elements.

    Args:
        documents: exact or fuzzy documents.
        labels: the labels of the elements to show, with the words around them; empty: all.
        width: the width of a line in cells of the terminal, at least 40.
        colour: a colour system by its name in `rich`; ``None``: plain text. Labels are always
            written out.

    >>> from sereval.documents.model import tree
    >>> words = ("Jacques", "Chirac", "parle")
    >>> chirac = Document("d", words, tree([("pers", 0, 2), ("first", 0, 1)]))
    >>> print(render([chirac]), end="")
    d  3 words, 2 elements
    <BLANKLINE>
      [pers────────]
      [first]
    0 Jacques Chirac parle
    """
    every = drawings(documents, PALETTE, labels)
    found: list[Line] = []
    for drawing in every:
        found += [*_document(drawing, max(width, NARROWEST)), Line()]
    if any(drawing.ranges for drawing in every):
        found += [*(styled(text, "dim") for text in wrapped(LEGEND, max(width, NARROWEST))), Line()]
    return "".join(f"{line.render(colour)}\n" for line in found[:-1])


def _document(drawing: Drawing, width: int) -> Iterator[Line]:
    title = Line()
    title.put(0, clip(drawing.id, width // 2), "bold")
    title.put(len(title) + 2, drawing.about, "dim")
    yield title
    gutter = len(str(max(drawing.words, default=0))) + 1
    sizes, found = drawing.laid_out(width - gutter)
    is_over = False  # whether the piece above has brackets or ranges
    for piece in found:
        lines = list(_piece(drawing, piece, sizes, gutter, width))
        if len(lines) > 1 or is_over:
            yield Line()
        yield from lines
        is_over = len(lines) > 1
    for one in drawing.unplaceable:
        yield from (styled(text, "dim") for text in wrapped(f"no place for {one}", width, "  "))


def _piece(
    drawing: Drawing, piece: Piece, sizes: Mapping[int, int], gutter: int, width: int
) -> Iterator[Line]:
    """The lines of a piece: brackets, words, ranges."""
    place = place_columns(piece.words, gutter, sizes)
    above = lanes(piece.brackets, place, sizes)
    yield from (above[height] for height in sorted(above, reverse=True))
    words = Line()
    number = str(next(at for at in piece.words if at >= 0)) if max(piece.words) >= 0 else ""
    words.put(gutter - 1 - size(number), number, "dim")
    for at, cell in place.items():
        words.put(cell, drawing.words[at])
    yield words
    yield from _ranges(piece.ranges, place, sizes, width)


def _ranges(
    ranges: Iterable[CandidateRange], place: Mapping[int, int], sizes: Mapping[int, int], width: int
) -> list[Line]:
    """The candidates of elements under the words of a piece, on as few lines as they need."""
    found, spans = [], []
    for each in ranges:
        marks = _marks(each, place, sizes)
        cell, name = beside(each.name, marks, width)
        found.append((marks, cell, name, each.style))
        spans.append((min(*marks, cell), max(max(marks) + 1, cell + size(name))))
    rows = pack_rows(spans)
    below = [Line() for _ in range(max(rows, default=-1) + 1)]
    for row, (marks, cell, name, style) in zip(rows, found, strict=True):
        draw_range(below[row], marks, style)
        below[row].put(cell, name, style)
    return below


def _marks(
    each: CandidateRange, place: Mapping[int, int], sizes: Mapping[int, int]
) -> dict[int, str]:
    """The signs of the candidates next to the words of a piece, by cell."""
    marks: dict[int, str] = {}
    for at, is_behind, sign in each.marks():
        if at in place:
            cell = place[at] + (sizes[at] if is_behind else -1)
            marks[cell] = "|" if cell in marks else sign
    return marks
