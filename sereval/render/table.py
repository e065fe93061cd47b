"""Tables of the reports in text: rows under one set of columns, and columns over several tables."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ..errors import one_line

T = TypeVar("T")

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
    size: Callable[[str], int] = len,
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
