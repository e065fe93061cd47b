"""Words in columns, with trees drawn over and under them as brackets: ``[pers.ind────]``.

A picture is cut into pieces that fit a line; a bracket that is cut has ``─`` at the cut.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

from .report import Line, clip, size, styled

NARROWEST = 40
"""The least width of a picture."""

LEGEND = "[ ] where it was put, < where else it may start, > where else it may end"
"""The signs of ranges."""


class Column(NamedTuple):
    """A column of words."""

    at: int  # its number among all columns; a gap has a negative one
    texts: Sequence[str]  # its text in each row of words
    style: str = ""  # of these texts
    begins: bool = False  # a new piece begins here


class Bracket(NamedTuple):
    """A bracket over the columns from ``first`` to ``after - 1``; height 0 is next to the words."""

    first: int
    after: int
    name: str
    style: str
    height: int


class Range(NamedTuple):
    """The candidates of an element: for each its column, whether it is its end, and its sign."""

    name: str
    style: str
    marks: Sequence[tuple[int, bool, str]]


class Piece(NamedTuple):
    """The lines of a piece, from the top."""

    columns: Sequence[Column]
    above: list[Line]
    words: list[Line]
    below: list[Line]
    ranges: list[Line]


def range_of(
    name: str,
    style: str,
    candidates: Sequence[Sequence[int]],
    put: tuple[int, int],
    column: Sequence[int],
) -> Range:
    """The range of an element from its candidate frontiers, those where it is put, and the column
    of each word."""
    starts, ends = candidates
    marks = [(column[k], False, "[" if k == put[0] else "<") for k in starts]
    marks += [(column[k - 1], True, "]" if k == put[1] else ">") for k in ends]
    return Range(name, style, marks)


def heights(parents: Mapping[int, int | None]) -> dict[int, int]:
    """The height of each element above the words: 0 without children, else 1 above the highest."""
    found = dict.fromkeys(parents, 0)
    for index, parent in sorted(parents.items(), reverse=True):
        if parent in found:
            found[parent] = max(found[parent], found[index] + 1)
    return found


def shorten(columns: Iterable[int], is_far: Callable[[int], bool], most: int = 0) -> Iterator[int]:
    """Columns, with a negative number in place of each run of far columns longer than ``most``."""
    for is_left_out, run in groupby(columns, is_far):
        every = list(run)
        yield from [-1 - every[0]] if is_left_out and len(every) > most else every


def pieces(
    columns: Sequence[Column],
    gutter: int,
    width: int,
    above: Sequence[Bracket] = (),
    below: Sequence[Bracket] = (),
    ranges: Sequence[Range] = (),
    narrowest: int = 2,
) -> Iterator[Piece]:
    """The pieces of a picture: columns whose words begin at the cell ``gutter``, trees over and
    under them, and ranges below all."""
    sizes = _sizes(columns, (*above, *below), narrowest)
    found: list[list[Column]] = []
    used = 0
    for column in columns:
        if not found or column.begins or used + sizes[column.at] > width - gutter:
            found.append([])
            used = 0
        found[-1].append(column)
        used += sizes[column.at] + 1
    home = {column.at: k for k, piece in enumerate(found) for column in piece}
    over, under = (
        _by_piece(brackets, [range(one.first, one.after) for one in brackets], home)
        for brackets in (above, below)
    )
    marked = _by_piece(ranges, [[at for at, *_ in one.marks] for one in ranges], home)
    for k, piece in enumerate(found):
        place: dict[int, int] = {}
        cell = gutter
        for column in piece:
            place[column.at] = cell
            cell += sizes[column.at] + 1
        words = [Line() for _ in piece[0].texts]
        for column in piece:
            for line, text in zip(words, column.texts, strict=True):
                line.put(place[column.at], text, column.style)
        yield Piece(
            piece,
            _lanes(over.get(k, ()), place, sizes)[::-1],  # the greatest height comes first
            words,
            _lanes(under.get(k, ()), place, sizes),
            [_range(one, place, sizes, gutter, width) for one in marked.get(k, ())],
        )


T = TypeVar("T")


def _by_piece(
    parts: Iterable[T], columns: Iterable[Iterable[int]], home: Mapping[int, int]
) -> dict[int, list[T]]:
    """The parts in each piece, from the columns of each part."""
    found: dict[int, list[T]] = {}
    for part, its in zip(parts, columns, strict=True):
        for k in dict.fromkeys(home[at] for at in its if at in home):
            found.setdefault(k, []).append(part)
    return found


def _sizes(
    columns: Iterable[Column], brackets: Iterable[Bracket], narrowest: int
) -> dict[int, int]:
    """The cells of each column, widened so that every bracket has room for its name."""
    found = {column.at: max(narrowest, *map(size, column.texts)) for column in columns}
    for bracket in sorted(brackets, key=lambda one: one.after - one.first):
        over = [at for at in range(bracket.first, bracket.after) if at in found]
        missing = size(bracket.name) + 2 - sum(found[at] + 1 for at in over) + 1
        for number, at in enumerate(over):
            if missing > 0:
                share = -(-missing // (len(over) - number))
                found[at] += share
                missing -= share
    return found


def _lanes(
    brackets: Iterable[Bracket], place: Mapping[int, int], sizes: Mapping[int, int]
) -> list[Line]:
    """A line of brackets for each height that occurs, from the words on."""
    found: dict[int, Line] = {}
    columns = [at for at in place if at >= 0]
    for bracket in brackets:
        over = columns[bisect_left(columns, bracket.first) : bisect_left(columns, bracket.after)]
        begins, ends = over[0] == bracket.first, over[-1] == bracket.after - 1
        width = place[over[-1]] + sizes[over[-1]] - place[over[0]]
        name = clip(bracket.name if begins else f"…{bracket.name}", width - 2)
        inside = f"{name}{'─' * (width - 2 - size(name))}"
        drawn = f"{'[' if begins else '─'}{inside}{']' if ends else '─'}"
        found.setdefault(bracket.height, Line()).put(place[over[0]], drawn, bracket.style)
    return [found[height] for height in sorted(found)]


def _range(
    one: Range, place: Mapping[int, int], sizes: Mapping[int, int], gutter: int, width: int
) -> Line:
    """The signs of a range with dots between them; its name behind or, without room, before."""
    marks = {
        place[at] + (sizes[at] - 1 if is_end else 0): sign
        for at, is_end, sign in one.marks
        if at in place
    }
    first, last = min(marks), max(marks)
    line = styled(
        "".join(marks.get(cell, "·") for cell in range(first, last + 1)), one.style, first
    )
    if last + 2 + size(one.name) <= width:
        line.put(last + 2, one.name, one.style)
    else:
        name = clip(one.name, max(first - 1 - gutter, 1))
        line.put(max(first - 1 - size(name), 0), name, one.style)
    return line
