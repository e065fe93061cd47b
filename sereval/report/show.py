"""The trees of a document in the terminal: brackets over its words, and where else they may be."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..documents.model import Document, Reference
from .brackets import Range, dotted, lanes, packed, placed
from .cells import Line, clip, size, styled, wrapped
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
    """Each document's words, a line for each utterance, under the brackets of its elements.

    Args:
        documents: exact or fuzzy.
        labels: the elements that are shown, with the words around them; none: all.
        width: of a line, in cells of the terminal, 40 at least.
        colour: colour system as `rich` names it; ``None``: plain text. Labels are always written.

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
    shown = drawings(documents, PALETTE, labels)
    found: list[Line] = []
    for drawing in shown:
        found += [*_document(drawing, max(width, NARROWEST)), Line()]
    if any(drawing.ranges for drawing in shown):
        found += [*(styled(text, "dim") for text in wrapped(LEGEND, max(width, NARROWEST))), Line()]
    return "".join(f"{line.render(colour)}\n" for line in found[:-1])


def _document(drawing: Drawing, width: int) -> Iterator[Line]:
    title = Line()
    title.put(0, clip(drawing.id, width // 2), "bold")
    title.put(len(title) + 2, drawing.about, "dim")
    yield title
    gutter = len(str(max(drawing.words, default=0))) + 1
    sizes, found = drawing.laid_out(width - gutter)
    is_over = False  # whether the line above has brackets or ranges of its own
    for piece in found:
        lines = list(_piece(drawing, piece, sizes, gutter, width))
        if len(lines) > 1 or is_over:
            yield Line()
        yield from lines
        is_over = len(lines) > 1
    for lost in drawing.lost:
        yield from (styled(text, "dim") for text in wrapped(f"no place for {lost}", width, "  "))


def _piece(
    drawing: Drawing, piece: Piece, sizes: Mapping[int, int], gutter: int, width: int
) -> Iterator[Line]:
    """Words that fit a line, the brackets over them, and the ranges under them."""
    place = placed(piece.words, gutter, sizes)
    above = lanes(piece.brackets, place, sizes)
    yield from (above[height] for height in sorted(above, reverse=True))
    words = Line()
    number = str(next(at for at in piece.words if at >= 0)) if max(piece.words) >= 0 else ""
    words.put(gutter - 1 - size(number), number, "dim")
    for at, cell in place.items():
        words.put(cell, drawing.words[at])
    yield words
    found = [mark for each in piece.ranges for mark in _marked(each, place, sizes, width)]
    rows = packed([(mark.first, mark.after) for mark in found])
    below = [Line() for _ in range(max(rows, default=-1) + 1)]
    for row, mark in zip(rows, found, strict=True):
        mark.put(below[row])
    yield from below


class _Marked(NamedTuple):
    """The candidates of an element in a piece, by cell, and the cell where its name stands."""

    marks: dict[int, str]
    name: str
    at: int
    style: str

    @property
    def first(self) -> int:
        """Its first cell."""
        return min(*self.marks, self.at)

    @property
    def after(self) -> int:
        """The cell after its last."""
        return max(*(cell + 1 for cell in self.marks), self.at + size(self.name))

    def put(self, line: Line) -> None:
        """Write it on a line."""
        dotted(line, self.marks, self.style)
        line.put(self.at, self.name, self.style)


def _marked(
    each: Range, place: Mapping[int, int], sizes: Mapping[int, int], width: int
) -> Iterator[_Marked]:
    """A range, if any of its candidates are beside the words of a piece."""
    marks: dict[int, str] = {}
    for at, is_behind, sign in each.marks():
        if at in place:
            cell = place[at] + (sizes[at] if is_behind else -1)
            marks[cell] = "|" if cell in marks else sign
    if not marks:
        return
    behind = max(marks) + 2
    if behind + size(each.name) <= width:
        yield _Marked(marks, each.name, behind, each.style)
    else:  # in front, where the right is full
        name = clip(each.name, max(min(marks) - 1, 1))
        yield _Marked(marks, name, max(min(marks) - 1 - size(name), 0), each.style)
