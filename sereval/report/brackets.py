"""Trees drawn in the cells of a terminal, as brackets over words: ``[pers.ind────]``.

Words stand in columns. A bracket spans some columns; brackets of the same height are on one line. A
drawing is cut into pieces that fit a line; a bracket that is cut has ``─`` at the cut.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ..render.cells import Line, clip, size


class Bracket(NamedTuple):
    """A bracket over the columns from ``first`` to ``after - 1``; height 0 is next to the words."""

    first: int
    after: int
    name: str
    style: str
    height: int


class CandidateRange(NamedTuple):
    """The candidates of a fuzzy element, and the start and end at which it is drawn."""

    name: str
    style: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    start: int
    end: int

    def marks(self) -> Iterator[tuple[int, bool, str]]:
        """For each candidate: the word next to it, whether it is behind that word, and its sign."""
        for k in self.starts:
            yield k, False, "[" if k == self.start else "<"
        for k in self.ends:
            yield k - 1, True, "]" if k == self.end else ">"


def bracket_size(name: str) -> int:
    """The cells that a name takes with its two brackets.

    >>> bracket_size("loc")
    5
    """
    return size(name) + 2


def widen(
    brackets: Iterable[Bracket],
    sizes: Mapping[int, int],
    needed: Callable[[str], int] = bracket_size,
) -> dict[int, int]:
    """The cells of each column, widened so that every bracket has room for its name.

    Args:
        brackets: the brackets over the columns.
        sizes: the cells that the words of each column need, in order. Columns are one cell apart.
        needed: computes the cells that a bracket with some name needs.

    >>> widen([Bracket(0, 2, "pers", "", 0)], {0: 2, 1: 1})
    {0: 3, 1: 2}
    """
    found = dict(sizes)
    for bracket in sorted(brackets, key=lambda one: one.after - one.first):
        over = [at for at in range(bracket.first, bracket.after) if at in found]
        missing = needed(bracket.name) - sum(found[at] + 1 for at in over) + 1
        for number, at in enumerate(over):
            if missing > 0:
                share = -(-missing // (len(over) - number))
                found[at] += share
                missing -= share
    return found


def lanes(
    brackets: Iterable[Bracket], place: Mapping[int, int], sizes: Mapping[int, int]
) -> dict[int, Line]:
    """The brackets over the columns of a piece, as a line for each height that occurs.

    Args:
        brackets: the brackets of the whole drawing.
        place: the first cell of each column of the piece, in order.
        sizes: the cells of each column.

    >>> lanes([Bracket(0, 2, "pers", "", 0)], {0: 4, 1: 8}, {0: 3, 1: 2})[0].text
    '    [pers]'
    """
    found: dict[int, Line] = {}
    columns = [at for at in place if at >= 0]
    for bracket in brackets:
        over = columns[bisect_left(columns, bracket.first) : bisect_left(columns, bracket.after)]
        if not over:
            continue
        begins, ends = over[0] == bracket.first, over[-1] == bracket.after - 1
        width = place[over[-1]] + sizes[over[-1]] - place[over[0]]
        name = clip(bracket.name if begins else f"…{bracket.name}", width - 2)
        inside = f"{name}{'─' * (width - 2 - size(name))}"
        drawn = f"{'[' if begins else '─'}{inside}{']' if ends else '─'}"
        found.setdefault(bracket.height, Line()).put(place[over[0]], drawn, bracket.style)
    return found


def pack_rows(spans: Sequence[tuple[int, int]]) -> list[int]:
    """The row of each span of cells: the first row in which it touches no earlier span.

    >>> pack_rows([(0, 3), (2, 5), (4, 6)])
    [0, 1, 0]
    """
    found: list[int] = []
    rows: list[list[tuple[int, int]]] = []
    for first, after in spans:
        free = (k for k, row in enumerate(rows) if all(b < first or after < a for a, b in row))
        row = next(free, len(rows))
        rows += [[]] if row == len(rows) else []
        rows[row].append((first, after))
        found.append(row)
    return found


def pieces(columns: Iterable[int], sizes: Mapping[int, int], room: int) -> list[list[int]]:
    """Cut columns into pieces that fit a line.

    Args:
        columns: the columns, in order.
        sizes: the cells of each column.
        room: the cells of a line.

    >>> pieces([0, 1, 2], {0: 3, 1: 3, 2: 3}, room=8)
    [[0, 1], [2]]
    """
    found: list[list[int]] = []
    used = 0
    for at in columns:
        if not found or used + sizes[at] > room:
            found.append([])
            used = 0
        found[-1].append(at)
        used += sizes[at] + 1
    return found


def place_columns(columns: Iterable[int], first: int, sizes: Mapping[int, int]) -> dict[int, int]:
    """The first cell of each column, if the first column begins at the cell ``first``.

    >>> place_columns([0, 1], 4, {0: 3, 1: 3})
    {0: 4, 1: 8}
    """
    found: dict[int, int] = {}
    for at in columns:
        found[at] = first
        first += sizes[at] + 1
    return found


def shorten(columns: Iterable[int], is_far: Callable[[int], bool], most: int = 0) -> Iterator[int]:
    """Columns, with a negative number in place of each long run of columns to leave out.

    Args:
        columns: the columns, in order.
        is_far: whether a column may be left out.
        most: the length up to which a run of such columns is kept.

    >>> list(shorten(range(5), lambda at: at in (1, 2)))
    [0, -2, 3, 4]
    """
    for is_left_out, run in groupby(columns, is_far):
        every = list(run)
        yield from [-1 - every[0]] if is_left_out and len(every) > most else every


def draw_range(line: Line, marks: Mapping[int, str], style: str) -> None:
    """Write the signs of a range on a line, with dots between them.

    Args:
        line: the line to write on.
        marks: the sign at each cell.
        style: the style of signs and dots.

    >>> line = Line()
    >>> draw_range(line, {2: "[", 5: ">"}, "")
    >>> line.text
    '  [··>'
    """
    first, last = min(marks), max(marks)
    line.put(first, "·" * (last - first), style)
    for cell, sign in marks.items():
        line.put(cell, sign, style)


def beside(name: str, marks: Collection[int], width: int, left: int = 0) -> tuple[int, str]:
    """The first cell and the text of a range's name, after the marks or, without room, before.

    Args:
        name: the name.
        marks: the cells of the marks.
        width: the number of cells of the line.
        left: the first cell that a name before the marks may take.

    >>> beside("loc", [4, 6], 20), beside("loc", [4, 6], 8)
    ((8, 'loc'), (0, 'loc'))
    """
    behind = max(marks) + 2
    if behind + size(name) <= width:
        return behind, name
    name = clip(name, max(min(marks) - 1 - left, 1))
    return max(min(marks) - 1 - size(name), 0), name


def heights(parents: Mapping[int, int | None]) -> dict[int, int]:
    """The height of each element above the words: 0 without children, else 1 above the highest.

    Args:
        parents: the parent of each element, by index; a child has a greater index than its parent.

    >>> heights({0: None, 1: 0, 2: 0, 3: 2})
    {0: 2, 1: 0, 2: 1, 3: 0}
    """
    found = dict.fromkeys(parents, 0)
    for index, parent in sorted(parents.items(), reverse=True):
        if parent in found:
            found[parent] = max(found[parent], found[index] + 1)
    return found
