"""Numbers, places and tables as text, and text in the cells of a terminal.

A wide character takes two cells, a combining accent none.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import TypeVar

from ..documents.model import Time, seconds
from ..errors import one_line
from ..measures.slots import decimal

T = TypeVar("T")

# Numbers


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the singular or the plural."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def percent(rate: Fraction | float | None, digits: int = 1) -> str:
    """A rate in percent; ``n/a`` for ``None``. Only exact ones are shown as 0.0 or 100.0."""
    return rounded(rate, digits, (-1.0, 0.0, 1.0), 100)


def rounded(
    value: Fraction | float | None, digits: int, ends: Sequence[float], scale: int = 1
) -> str:
    """A value times ``scale``, rounded; ``n/a`` for ``None``."""
    if value is None:
        return "n/a"
    value = float(value)
    shown = round(scale * value, digits)
    least = 10.0**-digits
    for end in ends:
        if shown == scale * end and value != end:
            shown += least if value > end else -least
    return f"{shown:.{digits}f}"


def points(rate: Fraction | float | None, digits: int = 1) -> str:
    """A difference of rates in percentage points, with its sign; only an exact 0 is 0.0."""
    return f"{'+' if rate is not None and rate > 0 else ''}{percent(rate, digits)}"


def signed(cost: Fraction) -> str:
    """An exact cost with its sign."""
    return f"{'+' if cost > 0 else ''}{decimal(cost)}"


def chance(p: Fraction | None) -> str:
    """A p-value to four places, or ``<0.0001``; ``n/a`` for ``None``."""
    if p is None:
        return "n/a"
    return "<0.0001" if p < Fraction(1, 10_000) else f"{float(p):.4f}"


def located(time: Time | None, span: tuple[int, int] | None) -> str:
    """The time of something in the recording or, without times, the numbers of its words."""
    if time is not None:
        return f"{seconds(time[0])}–{seconds(time[1])} s"
    if span is None:
        return ""
    start, end = span
    return f"word {end}" if end == start + 1 else f"words {start + 1}–{end}"


# Cells

LONGEST = 24
"""The most cells that a word or a label takes."""


NARROW = frozenset("─…·→“”").union(map(chr, range(0x300)))
"""Characters that take one cell: those of Latin scripts, and those that the reports draw with."""


class Line:
    """A line of cells, on which texts stand side by side."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: list[tuple[int, int, str, str]] = []  # from a cell to another

    def put(self, at: int, text: str, style: str = "") -> None:
        """Write a text that begins at the cell ``at``, where nothing stands."""
        self._texts.append((at, at + size(text), text, style))

    def __len__(self) -> int:
        return max((after for _, after, _, _ in self._texts), default=0)

    def render(self, colour: str | None = None) -> str:
        """The text of the line with the escape codes of a colour system; ``None``: plain text."""
        found, end = [], 0
        for at, after, text, style in sorted(self._texts):
            found += [" " * (at - end), _colour(text, style, colour) if colour else text]
            end = after
        return "".join(found).rstrip()


def styled(text: str, style: str = "", at: int = 0) -> Line:
    """A line that holds one text."""
    line = Line()
    line.put(at, text, style)
    return line


def _colour(text: str, style: str, colour: str) -> str:
    if not style or text.isspace():
        return text
    from rich.console import COLOR_SYSTEMS  # slow to import
    from rich.style import Style

    return Style.parse(style).render(text, color_system=COLOR_SYSTEMS[colour])


@lru_cache(maxsize=1 << 12)  # words recur
def size(text: str) -> int:
    """The number of terminal cells that a text takes."""
    if text.isascii() or NARROW.issuperset(text):
        return len(text)
    from rich.cells import cell_len  # slow to import

    return cell_len(text)


@lru_cache(maxsize=1 << 14)
def clip(text: str, cells: int = LONGEST) -> str:
    """A text on one line, cut to a number of cells; ``…`` marks the cut."""
    text = one_line(text)
    if size(text) <= cells:
        return text
    text = text[: 10 * cells]  # the rest is never shown: no letter has that many marks
    while size(text) >= cells and text:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, cells: int, indent: str = "") -> list[str]:
    """A text broken into lines of at most ``cells`` cells; all but the first are indented."""
    text = one_line(text)
    if size(text) <= cells:
        return [text]
    lines: list[str] = []
    for word in text.split(" "):
        room = f"{lines[-1]} {word}" if lines else word
        if lines and size(room) <= cells:
            lines[-1] = room
        else:
            lines.append(clip(indent + word if lines else word, cells))
    return lines


def paragraph(text: str, cells: int, style: str = "") -> list[Line]:
    """A text in lines of at most ``cells`` cells; all but the first are indented."""
    return [styled(line, style) for line in wrapped(text, cells, "  ")]


# Tables

TextRow = Sequence[str]
"""The cells of a row. A row of one cell is a heading; a row without cells is an empty line."""

GAP = 2
"""Spaces between two columns."""

TERMINAL = 80
"""The columns of a small terminal."""

WIDTH = 100
"""The most terminal columns of a table that can be cut into several."""


def lines(
    rows: Iterable[TextRow], left: Container[int] = (0,), *, width: int | None = None
) -> Iterator[str]:
    """The lines of a table."""
    rows = list(rows)
    full = [row for row in rows if len(row) > 1]
    wide = [max(map(size, column)) for column in zip(*full, strict=True)]
    gap = GAP
    if width is not None and sum(wide) + gap * (len(wide) - 1) >= width:
        gap = 1
        if 0 in left and 1 not in left:
            shared = max(size(row[0]) + size(row[1]) for row in full) - wide[1]
            has_room = shared + sum(wide[1:]) + len(wide) - 1 < width
            wide[0] = shared if has_room else wide[0]
    for row in rows:
        cells = []
        over = 0  # by how much the name of a row is wider than its column
        for k, cell in enumerate(row if len(row) > 1 else ()):
            room = " " * (wide[k] - size(cell) - over)
            over = max(0, size(cell) - wide[k])
            cells.append(cell + room if k in left else room + cell)
        yield (" " * gap).join(cells or row).rstrip()


def group_rows(
    head: TextRow, groups: Mapping[str, Mapping[str, T]], cells: Callable[[T], Iterable[str]]
) -> list[TextRow]:
    """The rows of a table, group by group."""
    rows = [head]
    for heading, group in groups.items():
        if heading:
            rows += [(), (heading,)]
        rows += [(one_line(name), *cells(each)) for name, each in group.items()]
    return rows


def told_once(notes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The notes of several by name, each once; one that not all have stands behind each name."""
    for note in dict.fromkeys(chain.from_iterable(notes.values())):
        names = [name for name, own in notes.items() if note in own]
        yield from [note] if len(names) == len(notes) else (f"{name}: {note}" for name in names)


def side_by_side(
    first: Sequence[TextRow], others: Iterable[TextRow], width: int = WIDTH
) -> Iterator[list[TextRow]]:
    """Distribute columns over as few tables as fit the width, and yield the rows of each."""
    room = width - sum(max(map(len, column)) for column in first) - GAP * (len(first) - 1)
    columns, left = list(first), room
    for column in others:
        wide = GAP + max(map(len, column))
        if wide > left and len(columns) > len(first):
            yield list(zip(*columns, strict=True))
            columns, left = list(first), room
        columns.append(column)
        left -= wide
    yield list(zip(*columns, strict=True))
