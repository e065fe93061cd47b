"""Numbers, places and tables as text, and text in the cells of a terminal.

A wide character takes two cells, a combining accent none.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

from ..documents.model import Time, seconds
from ..errors import one_line
from ..measures.slots import decimal

if TYPE_CHECKING:
    from rich.style import Style

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


def number(value: Fraction) -> int | float:
    """An exact value as a JSON number: an integer if it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def real(value: Fraction | None) -> float | None:
    """An exact rate as a JSON number; ``None`` if it is undefined."""
    return None if value is None else float(value)


# Cells

LONGEST = 24
"""The most cells that a word or a label takes."""


NARROW = frozenset("─…·→“”").union(map(chr, range(128)))
"""Characters that take one cell: those of ASCII, and those that the reports draw with."""


class Line:
    """A line of cells. Text can be written at any cell; it replaces what stands there."""

    __slots__ = ("_cells", "_length", "_parts")

    def __init__(self) -> None:
        self._parts: list[tuple[int, str, str]] = []  # texts of narrow characters, as written
        self._length = 0
        self._cells: list[tuple[str, str]] | None = None  # instead, once another text is written

    def put(self, at: int, text: str, style: str = "") -> None:
        """Write a text that begins at the cell ``at``."""
        if self._cells is None and (text.isascii() or _is_narrow(text)):
            self._parts.append((at, text, style))
            after = at + len(text)
            if after > self._length:
                self._length = after
            return
        cells = self._cells = self._as_cells()
        cells += [(" ", "")] * (at - len(cells))
        for character in text:
            width = size(character)
            if width == 0 and at:
                cells[at - 1] = cells[at - 1][0] + character, style
                continue
            # a wide character is followed by an empty cell
            cells[at : at + width] = [(character, style), *[("", style)] * (width - 1)]
            at += width
        self._length = len(cells)

    def _as_cells(self) -> list[tuple[str, str]]:
        """The character and the style of each cell."""
        if self._cells is not None:
            return self._cells
        cells: list[tuple[str, str]] = []
        for at, text, style in self._parts:
            cells += [(" ", "")] * (at - len(cells))
            cells[at : at + len(text)] = [(character, style) for character in text]
        return cells

    def __len__(self) -> int:
        return self._length

    @property
    def text(self) -> str:
        """The text of the line without styles."""
        if self._cells is not None:
            return "".join(character for character, _ in self._cells).rstrip()
        found = ""
        for at, text, _ in self._parts:
            if at >= len(found):
                found = found.ljust(at) + text
            else:
                found = found[:at] + text + found[at + len(text) :]
        return found.rstrip()

    def render(self, colour: str | None) -> str:
        """The text of the line with the escape codes of a colour system; ``None``: plain text."""
        if colour is None:
            return self.text
        runs: list[tuple[str, str]] = []
        for character, style in self._as_cells():
            if runs and runs[-1][1] == style:
                runs[-1] = runs[-1][0] + character, style
            else:
                runs.append((character, style))
        return "".join(_colour(text, style, colour) for text, style in runs).rstrip()


def _is_narrow(text: str) -> bool:
    """Whether each character takes one cell, in a text with other characters than ASCII's."""
    return NARROW.issuperset(text) or all(size(c) == 1 for c in text)


def styled(text: str, style: str = "") -> Line:
    """A line that holds one text."""
    line = Line()
    line.put(0, text, style)
    return line


def _colour(text: str, style: str, colour: str) -> str:
    if not style or text.isspace():
        return text
    from rich.console import COLOR_SYSTEMS  # slow to import

    return _style(style).render(text, color_system=COLOR_SYSTEMS[colour])


@cache
def _style(style: str) -> Style:
    from rich.style import Style

    return Style.parse(style)


def size(text: str) -> int:
    """The number of terminal cells that a text takes."""
    return len(text) if text.isascii() or max(text) < "\u0300" else _wide(text)


@lru_cache(maxsize=1 << 12)  # words recur
def _wide(text: str) -> int:
    """The same for a text with other letters than those of ASCII."""
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
    rows: Iterable[TextRow],
    left: Container[int] = (0,),
    *,
    gap: int = GAP,
    width: int | None = None,
) -> Iterator[str]:
    """The lines of a table."""
    rows = list(rows)
    full = [row for row in rows if len(row) > 1]
    wide = [max(map(size, column)) for column in zip(*full, strict=True)]
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
