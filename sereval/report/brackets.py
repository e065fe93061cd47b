"""Brackets over words, ``[pers.ind────]``: how a tree is drawn in the cells of a terminal.

Words stand in columns; a bracket goes over some of them, in a lane of its own height. Drawings are
cut into pieces that fit a line, and a bracket that is cut shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from .cells import Line, clip, size


class Bracket(NamedTuple):
    """A bracket over columns ``first … after-1``; ``height`` counts from the words outwards."""

    first: int
    after: int
    name: str
    style: str
    height: int


class Range(NamedTuple):
    """The frontiers that an element of a fuzzy reference may have, and those it is drawn at."""

    name: str
    style: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    start: int
    end: int

    def marks(self) -> Iterator[tuple[int, bool, str]]:
        """Its candidates: the word beside each, whether it is behind that word, and its sign."""
        for k in self.starts:
            yield k, False, "[" if k == self.start else "<"
        for k in self.ends:
            yield k - 1, True, "]" if k == self.end else ">"


def bracketed(name: str) -> int:
    """The cells of a name and its two brackets."""
    return size(name) + 2


def widened(
    brackets: Iterable[Bracket], sizes: Mapping[int, int], needed: Callable[[str], int] = bracketed
) -> dict[int, int]:
    """The cells of each column, such that every bracket has room for its name.

    Args:
        sizes: cells that the columns need, in order; there is one cell between two of them.
        needed: cells that a name needs, and what is drawn on either side of it.

    >>> widened([Bracket(0, 2, "pers", "", 0)], {0: 2, 1: 1})
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
    """A line for each height that has brackets over the columns of a piece.

    Args:
        place: first cell of each column of the piece, in order. sizes: cells of each column.

    >>> lanes([Bracket(0, 2, "pers", "", 0)], {0: 4, 1: 8}, {0: 3, 1: 2})[0].text
    '    [pers]'
    """
    found: dict[int, Line] = {}
    for bracket in brackets:
        over = [at for at in range(bracket.first, bracket.after) if at in place]
        if not over:
            continue
        begins = any(at == bracket.first for at in over)
        ends = any(at == bracket.after - 1 for at in over)
        width = place[over[-1]] + sizes[over[-1]] - place[over[0]]
        name = clip(bracket.name if begins else f"…{bracket.name}", width - 2)
        inside = f"{name}{'─' * (width - 2 - size(name))}"
        drawn = f"{'[' if begins else '─'}{inside}{']' if ends else '─'}"
        found.setdefault(bracket.height, Line()).put(place[over[0]], drawn, bracket.style)
    return found


def packed(spans: Sequence[tuple[int, int]]) -> list[int]:
    """A row for each span of cells, the first in which it touches none before it.

    >>> packed([(0, 3), (2, 5), (4, 6)])
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
    """Columns in as many pieces as the room of a line asks for.

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


def placed(columns: Iterable[int], first: int, sizes: Mapping[int, int]) -> dict[int, int]:
    """The cell where each column begins.

    >>> placed([0, 1], 4, {0: 3, 1: 3})
    {0: 4, 1: 8}
    """
    found: dict[int, int] = {}
    for at in columns:
        found[at] = first
        first += sizes[at] + 1
    return found


def shortened(
    columns: Iterable[int], is_far: Callable[[int], bool], most: int = 0
) -> Iterator[int]:
    """Columns, with a negative number for each long run of those that are not wanted.

    Args:
        is_far: whether a column is not wanted.
        most: columns of a run that is left as it is.

    >>> list(shortened(range(5), lambda at: at in (1, 2)))
    [0, -2, 3, 4]
    """
    for is_left_out, run in groupby(columns, is_far):
        every = list(run)
        yield from [-1 - every[0]] if is_left_out and len(every) > most else every


def dotted(line: Line, marks: Mapping[int, str], style: str) -> None:
    """Write the signs of a range on a line, by cell, with dots between them."""
    first, last = min(marks), max(marks)
    line.put(first, "·" * (last - first), style)
    for cell, sign in marks.items():
        line.put(cell, sign, style)
