"""The distances of texts, and the pairs of texts that are nearest to each other.

The matching of many pairs is that of ``mapping.assignment``, in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from ..mapping import assignment

if TYPE_CHECKING:
    from numpy.typing import NDArray


def of_reference(reference: int, hypothesis: int) -> int:
    """The length of the reference; a distance over it can exceed 1."""
    return reference


class Distance(NamedTuple):
    """A distance of texts: their edit distance over a length.

    Args:
        items: the parts of a text that are edited: its characters (``str``) or its words
            (``str.split``).
        length: the length, from the numbers of parts of the reference and of the hypothesis.
    """

    items: Callable[[str], Sequence[str]]
    length: Callable[[int, int], int]


BY_CHARACTERS, BY_WORDS = Distance(str, of_reference), Distance(str.split, of_reference)
"""The edits of characters, and of words, over the length of the reference."""


class Distances(NamedTuple):
    """The distances of texts.

    Args:
        rows: for each text of the hypothesis, its distance from each text of the reference.
        unit: the whole number that stands for a distance of 1.
    """

    rows: Sequence[Sequence[int]]
    unit: int

    def at(self, h: int, r: int) -> Fraction:
        """The distance of a text of the hypothesis from a text of the reference."""
        return Fraction(self.rows[h][r], self.unit)

    def best(self, worth: Callable[[int], int]) -> dict[int, int]:
        """The one-to-one pairs with the largest sum of worth: the column of each row in a pair."""
        worths = {one: max(0, worth(one)) for one in {*chain.from_iterable(self.rows)}}
        common = gcd(*worths.values()) or 1  # small numbers are faster
        parts = {one: own // common for one, own in worths.items()}
        return best_pairs([[parts[one] for one in row] for row in self.rows])


def distances(ours: Sequence[str], theirs: Sequence[str], distance: Distance) -> Distances:
    """The distances of each text of the hypothesis, ``theirs``, from each of the reference."""
    if ours == theirs and len(ours) == 1:  # as in most short documents
        return Distances([[0]], 1)
    items = [[distance.items(text) for text in side] for side in (ours, theirs)]
    lengths = [[len(one) for one in side] for side in items]
    over = [[max(1, distance.length(our, their)) for our in lengths[0]] for their in lengths[1]]
    unit = lcm(*{*chain.from_iterable(over)})
    part = {length: unit // length for length in {*chain.from_iterable(over)}}
    rows = [
        [number * part[length] for number, length in zip(*both, strict=True)]
        for both in zip(edits(*items), over, strict=True)
    ]
    return Distances(rows, unit)


MANY = 200
"""The number of pairs of texts above which their edits are counted all together."""


def edits(ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]]) -> list[list[int]]:
    """The least numbers of edits: a row for each of ``theirs``."""
    from rapidfuzz.distance import Levenshtein  # slow to import

    if len(ours) * len(theirs) <= MANY:
        return [[Levenshtein.distance(our, their) for our in ours] for their in theirs]
    from numpy import int64
    from rapidfuzz.process import cdist

    number: dict[str, int] = {}  # rapidfuzz compares items by their hashes; those of numbers differ
    coded = [
        [[number.setdefault(item, len(number)) for item in text] for text in side]
        for side in (theirs, ours)
    ]
    found: list[list[int]] = cdist(*coded, scorer=Levenshtein.distance, dtype=int64).tolist()
    return found


CELLS = assignment.CROWD**2
"""The number of pairs above which arrays are faster."""

LARGEST = 2**59
"""The largest worth in arrays of 64 bits: sums of prices are less than sixteen times as large."""


def best_pairs(worth: Sequence[Sequence[int]]) -> dict[int, int]:
    """The pairs of ``assignment.best_pairs``, from a table of the worth of each pair."""
    if sum(map(len, worth)) <= CELLS:
        return assignment.best_pairs(
            {(r, c): one for r, row in enumerate(worth) for c, one in enumerate(row) if one}
        )
    import numpy

    far = 2 * max(map(max, worth))
    costs = -numpy.array(worth, numpy.int64 if far <= 2 * LARGEST else object)
    costs[costs == 0] = far
    return dict(sorted(_Matching(costs, far).column_of.items()))


class _Matching:
    """The matching of ``assignment`` by arrays, where a row or a column alone costs 0.

    Args:
        costs: the cost of each pair: 0 less its worth, or ``far`` if it is not allowed.
        far: twice the largest worth.
    """

    def __init__(self, costs: NDArray[Any], far: int) -> None:
        import numpy

        self.costs, self.far = costs, far
        self.of_rows, self.of_columns = (numpy.zeros(n, dtype=costs.dtype) for n in costs.shape)
        self.is_free = numpy.ones(costs.shape[1], dtype=bool)
        self.row_of: dict[int, int] = {}
        self.column_of: dict[int, int] = {}
        allowed = (costs < 0).sum(axis=1).tolist()
        for row in sorted(range(len(costs)), key=lambda row: max(assignment.CROWD, allowed[row])):
            if allowed[row]:
                self._add(row)

    def _add(self, row: int) -> None:
        """Add a row to the matching."""
        costs = self.costs[row] - self.of_columns
        least = min(0, costs.min())
        nearest = (costs == least).nonzero()[0]
        free = nearest[self.is_free[nearest]]
        self.of_rows[row] = least
        if len(free):
            self._pair(row, int(free[-1]))
        elif least < 0:
            self._make_room(row)

    def _pair(self, row: int, column: int) -> None:
        self.row_of[column], self.column_of[row] = row, column
        self.is_free[column] = False

    def _make_room(self, row: int) -> None:
        """Change the matching along the path on which costs exceed prices least."""
        import numpy

        rows = [row]  # in the order in which paths reach them
        excess_of = [0]  # that of the path to each row
        passed: list[int] = []  # the column through which each other row is reached
        prices = self.of_columns.copy()
        excesses = numpy.full_like(prices, self.far)
        came_from = numpy.full(len(prices), len(self.costs))  # the row before each column
        end, nearest = row, -self.of_rows[row]
        while True:
            at, excess = rows[-1], excess_of[-1]
            around = self.costs[at] - prices + (excess - self.of_rows[at])
            is_near = (around < excesses) | ((around == excesses) & (at < came_from))
            excesses[is_near] = around[is_near]
            came_from[is_near] = at
            chosen = int(excesses.argmin())
            excess = excesses[chosen]
            if excess >= nearest:
                column, excess = self.column_of.pop(end, None), nearest
                break
            if chosen not in self.row_of:
                column = chosen
                break
            at = self.row_of[chosen]
            rows.append(at)
            excess_of.append(excess)
            passed.append(chosen)
            excesses[chosen], prices[chosen] = self.far, -2 * self.far  # not again
            if excess - self.of_rows[at] < nearest:
                end, nearest = at, excess - self.of_rows[at]
        for r, own in zip(rows, excess_of, strict=True):
            self.of_rows[r] += excess - own  # prices as high as the path now lets them be
        for own, c in zip(excess_of[1:], passed, strict=True):
            self.of_columns[c] -= excess - own
        while column is not None:
            taker = int(came_from[column])
            left = self.column_of.get(taker)
            self._pair(taker, column)
            column = left
