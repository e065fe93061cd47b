"""Tables of the reports in text: rows under one set of columns, and columns over several tables."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ..errors import one_line

T = TypeVar("T")

Row = Sequence[str]
"""The cells of a row. A row of one cell is a heading over the rows below it; of none, a gap."""

GAP = 2
"""Spaces between two columns."""

WIDTH = 100
"""Columns of the terminal that a table may take, where it can be cut into several."""


def lines(
    rows: Iterable[Row],
    left: Container[int] = (0,),
    *,
    gap: int = GAP,
    width: int | None = None,
    size: Callable[[str], int] = len,
) -> Iterator[str]:
    """The lines of a table.

    Args:
        rows: of equal length, besides headings and gaps.
        left: indices of the columns that are flush left; the others are flush right.
        gap: spaces between two columns.
        width: of the terminal; a wider table has one space between its columns. ``None``: any.
        size: how wide a cell is.

    >>> list(lines([("", "SER"), ("crf", "9.5")]))
    ['     SER', 'crf  9.5']
    """
    rows = list(rows)
    full = [row for row in rows if len(row) > 1]
    wide = [max(map(size, column)) for column in zip(*full, strict=True)]
    if width is not None and sum(wide) + gap * (len(wide) - 1) >= width:
        gap = 1
    for row in rows:
        cells = []
        for k, cell in enumerate(row if len(row) > 1 else ()):
            room = " " * (wide[k] - size(cell))
            cells.append(cell + room if k in left else room + cell)
        yield (" " * gap).join(cells or row).rstrip()


def grouped(
    head: Row, groups: Mapping[str, Mapping[str, T]], cells: Callable[[T], Iterable[str]]
) -> list[Row]:
    """Rows by group, each group under its heading; that of the first is empty.

    Args:
        head: the first row: the names of the columns.
        groups: what the rows are of, by name, by heading.
        cells: those of a row behind its name.

    >>> grouped(("", "count"), {"": {"all": 3}, "by label": {"loc": 3}}, lambda n: [str(n)])
    [('', 'count'), ('all', '3'), (), ('by label',), ('loc', '3')]
    """
    rows = [head]
    for heading, group in groups.items():
        if heading:
            rows += [(), (heading,)]
        rows += [(one_line(name), *cells(each)) for name, each in group.items()]
    return rows


def side_by_side(
    first: Sequence[Row], others: Iterable[Row], width: int = WIDTH
) -> Iterator[list[Row]]:
    """The rows of as few tables as some columns fit into.

    Args:
        first: the columns that each table begins with.
        others: the columns that are shared out, one at least to a table.
        width: that a table may take.

    >>> list(side_by_side([["", "a"]], [["x", "1"], ["y", "2"]], width=5))
    [[('', 'x'), ('a', '1')], [('', 'y'), ('a', '2')]]
    """
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
