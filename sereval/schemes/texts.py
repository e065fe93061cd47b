"""The distances of texts, and the pairs of texts that are nearest to each other.

The matching of many pairs is that of ``mapping.assignment``, in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
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
"""The largest cost in arrays of 64 bits: sums of prices are less than sixteen times as large."""


def best_pairs(worth: Sequence[Sequence[int]]) -> dict[int, int]:
    """The pairs of ``assignment.best_pairs``, from a table of the worth of each pair."""
    if sum(map(len, worth)) <= CELLS:
        return assignment.best_pairs(
            {(r, c): one for r, row in enumerate(worth) for c, one in enumerate(row) if one}
        )
    return dict(sorted(_Table(worth).column_of.items()))


class _Table(assignment.Matching):
    """The matching by arrays, where a row or a column alone costs 0.

    All costs are multiples of the number of rows, so that one number is the excess of a path and
    the row before its last column.
    """

    def __init__(self, worth: Sequence[Sequence[int]]) -> None:
        import numpy

        number = len(worth)
        self.far = 2 * number * max(1, *map(max, worth))  # the cost of a pair that is not allowed
        kind: Any = numpy.int64 if self.far <= 2 * LARGEST else object
        self.costs = -number * numpy.array(worth, kind)
        self.costs[self.costs == 0] = self.far
        self.is_free = numpy.ones(len(worth[0]), dtype=bool)
        allowed: Any = [row[row < 0] for row in self.costs]
        alone: Any = numpy.zeros(len(worth[0]), kind)
        super().__init__(allowed, [0] * number, alone)

    def _add(self, row: int) -> None:
        costs = self.costs[row] - self.of_columns
        least = self.of_rows[row] = min(0, costs.min())
        free = (self.is_free & (costs == least)).nonzero()[0]
        if len(free):
            self._pair(row, int(free[-1]))
        elif least < 0:
            self._make_room(row)

    def _pair(self, row: int, column: int) -> None:
        super()._pair(row, column)
        self.is_free[column] = False

    def _paths(self) -> NDArray[Any]:
        import numpy

        return numpy.full_like(self.of_columns, self.far)

    def _next(
        self, row: int, excess: int, paths: NDArray[Any], passed: Collection[int]
    ) -> tuple[int, int, int]:
        import numpy

        around = self.costs[row] - self.of_columns + (excess - self.of_rows[row] + row)
        numpy.minimum(paths, around, out=paths)
        paths[[*passed]] = self.far  # not again
        excesses = paths // len(self.costs)
        column = int(excesses.argmin())
        excess = int(excesses[column]) * len(self.costs)
        return excess, column, int(paths[column]) - excess
