"""The trees of documents as an SVG picture: bars over the words, candidates under them.

Words stand on a grid of cells, as in a terminal. Each text has a fixed length, so the picture looks
the same with every font.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any
from xml.etree import ElementTree

from ..documents.model import Document, Reference
from .brackets import Bracket, CandidateRange, pack_rows, place_columns
from .cells import clip, size
from .drawing import Drawing, Piece, drawings

PALETTE = (  # dark enough for text on white; most pairs are distinct to the colour-blind
    "#0b62c4",
    "#1a7f37",
    "#b35900",
    "#a0278f",
    "#007c89",
    "#c0262d",
    "#7a6200",
    "#6640c4",
    "#3f6b00",
    "#b02a6b",
)
CELL = 8  # width of a cell in pixels; all lengths below are in pixels
FONT = 13.3  # size of the words; in most monospaced fonts a character is then one cell wide
SMALL = 10.5  # font size of labels
LANE, WORDS, RANGE, GAP, MARGIN = 17, 20, 13, 12, 14
LEGEND = "● ─ where it is drawn, ○ where else it may start (left of a word) or end (right of one)"


def render(
    documents: Sequence[Document | Reference], labels: Collection[str] = (), *, width: int = 120
) -> str:
    """The words of each document, a line for each utterance, under the bars of its elements.

    Args:
        documents: exact or fuzzy documents.
        labels: the labels of the elements to show, with the words around them; empty: all.
        width: the width of a line in cells of 8 pixels.

    >>> from sereval.documents.model import Element
    >>> svg = render([Document("d", ("à", "Dol"), (Element("loc", 1, 2),))])
    >>> svg.startswith("<svg "), "loc [1, 2): Dol" in svg
    (True, True)
    """
    page = _Page(width)
    every = drawings(documents, PALETTE, labels)
    for drawing in every:
        page.document(drawing)
    if any(drawing.ranges for drawing in every):
        page.text(0, page.y, clip(LEGEND, len(LEGEND)), "#555", small=True)
        page.y += WORDS
    return page.render()


class _Page:
    """A picture that grows downwards. Horizontal places are in cells, vertical ones in pixels."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.used = 0  # cells
        self.y = float(MARGIN)
        self.body = ElementTree.Element("g")

    def render(self) -> str:
        across, down = self.used * CELL + 2 * MARGIN, round(self.y + MARGIN)
        svg = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": str(across),
                "height": str(down),
                "viewBox": f"0 0 {across} {down}",
                "font-family": "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace",
                "font-size": str(FONT),
            },
        )
        ElementTree.SubElement(svg, "rect", width="100%", height="100%", fill="#fff")
        svg.append(self.body)
        ElementTree.indent(svg, " ")
        return ElementTree.tostring(svg, encoding="unicode") + "\n"

    def shape(self, tag: str, **attributes: Any) -> ElementTree.Element:
        """Add an SVG element with some attributes, whose ``_`` becomes ``-``."""
        written = {
            name.replace("_", "-"): value if isinstance(value, str) else f"{value:g}"
            for name, value in attributes.items()
        }
        return ElementTree.SubElement(self.body, tag, written)

    def text(
        self, cell: float, y: float, text: str, fill: str = "#111", *, small: bool = False
    ) -> ElementTree.Element:
        """Add a text that begins at a cell and has its baseline at ``y``."""
        length = size(text) * CELL * (SMALL / FONT if small else 1)
        self.used = max(self.used, int(cell + length / CELL) + 1)
        found = self.shape(
            "text",
            x=MARGIN + cell * CELL,
            y=y,
            fill=fill,
            textLength=f"{length:.1f}",
            lengthAdjust="spacingAndGlyphs",
        )
        if small:
            found.set("font-size", str(SMALL))
        found.text = text
        return found

    def document(self, drawing: Drawing) -> None:
        """Add a document: its title, its pieces, and its unplaceable elements."""
        self.y += WORDS
        title = clip(drawing.id, self.width // 2)
        self.text(0, self.y, title).set("font-weight", "bold")
        self.text(size(title) + 2, self.y, drawing.about, "#555", small=True)
        self.y += GAP
        gutter = len(str(max(drawing.words, default=0))) + 1
        sizes, pieces = drawing.laid_out(self.width - gutter, _cells_of)
        for piece in pieces:
            self.piece(drawing, piece, sizes, gutter)
        for one in drawing.unplaceable:
            self.y += WORDS
            self.text(gutter, self.y, f"no place for {one}", "#555", small=True)
        self.y += 2 * GAP

    def piece(self, drawing: Drawing, piece: Piece, sizes: Mapping[int, int], gutter: int) -> None:
        """Add a piece: bars, words, ranges."""
        place = place_columns(piece.words, gutter, sizes)
        self.used = max(self.used, place[piece.words[-1]] + sizes[piece.words[-1]])
        lanes = 1 + max((one.height for one in piece.brackets), default=-1)
        bottom = self.y + lanes * LANE
        for bracket in piece.brackets:
            self.bar(drawing, bracket, place, sizes, bottom - bracket.height * LANE)
        self.y = bottom + WORDS
        number = next((at for at in piece.words if at >= 0), None)
        if number is not None:
            back = size(str(number)) * SMALL / FONT
            self.text(gutter - 1 - back, self.y - 4, str(number), "#888", small=True)
        for at, cell in place.items():
            self.text(cell, self.y - 4, drawing.words[at])
        self.ranges(piece.ranges, place, sizes)
        self.y += GAP

    def bar(
        self,
        drawing: Drawing,
        bracket: Bracket,
        place: Mapping[int, int],
        sizes: Mapping[int, int],
        bottom: float,
    ) -> None:
        """Add the bar of an element; it is dashed if the element continues in another piece."""
        over = [at for at in range(bracket.first, bracket.after) if at in place]
        is_whole = over[0] == bracket.first and over[-1] == bracket.after - 1
        cells = place[over[-1]] + sizes[over[-1]] - place[over[0]]
        bar = self.shape(
            "rect",
            x=MARGIN + place[over[0]] * CELL - 2,
            y=bottom - LANE + 2,
            width=cells * CELL + 4,
            height=LANE - 3,
            rx=3,
            fill=bracket.style,
            fill_opacity=0.14,
            stroke=bracket.style,
        )
        if not is_whole:
            bar.set("stroke-dasharray", "4 3")
        words = [drawing.words[at] for at in range(bracket.first, bracket.after)]
        span = f"{bracket.name} [{bracket.first}, {bracket.after})"
        ElementTree.SubElement(bar, "title").text = f"{span}: {' '.join(words)}"
        name = bracket.name if over[0] == bracket.first else f"…{bracket.name}"
        room = int(cells * FONT / SMALL)
        label = clip(name, max(room, 1))
        self.text(place[over[0]] + 0.4, bottom - LANE + 13, label, bracket.style, small=True)

    def ranges(
        self, ranges: Sequence[CandidateRange], place: Mapping[int, int], sizes: Mapping[int, int]
    ) -> None:
        """Add the candidates of elements under the words of a piece."""
        found = []
        for each in ranges:
            marks = [
                (place[at] * CELL + (sizes[at] * CELL + 3 if is_behind else -3), sign in "[]")
                for at, is_behind, sign in each.marks()
                if at in place
            ]
            if marks:
                found.append((each, marks))
        ends = [max(marks)[0] + CELL + _cells_of(each.name) * CELL for each, marks in found]
        rows = pack_rows([(min(m)[0], end) for (_, m), end in zip(found, ends, strict=True)])
        for row, (each, marks) in zip(rows, found, strict=True):
            self.range(each, marks, self.y + row * RANGE + RANGE / 2)
        self.y += (max(rows, default=-1) + 1) * RANGE

    def range(self, each: CandidateRange, marks: Sequence[tuple[int, bool]], y: float) -> None:
        """Add a range: a line with a dot at each candidate.

        Args:
            marks: the horizontal place of each candidate in pixels, and whether the element is
                drawn at it; its dot is then filled.
        """
        first, last = MARGIN + min(marks)[0], MARGIN + max(marks)[0]
        common = {"stroke": each.style, "stroke_width": 1.2}
        self.shape("line", x1=first, x2=last, y1=y, y2=y, **common, stroke_opacity=0.5)
        for x, is_drawn in sorted(marks, key=lambda mark: mark[1]):
            fill = each.style if is_drawn else "#fff"
            self.shape("circle", cx=MARGIN + x, cy=y, r=3, **common, fill=fill)
        self.text((last - MARGIN) / CELL + 1, y + 3.5, each.name, each.style, small=True)


def _cells_of(name: str) -> int:
    """The cells that a label in small letters takes, with the room around it."""
    return ceil(size(name) * SMALL / FONT) + 1
