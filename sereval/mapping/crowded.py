"""The assignment problem where most pairs are allowed: the matching of ``assignment``, by arrays.

A path through thousands of rows looks at all columns of each row. Here one operation on arrays
looks at all columns of a row at once. Rows are added in the same order, and of several nearest
columns the same one is taken, so :func:`best_pairs` returns what ``assignment.best_pairs`` returns.

Arrays hold integers of 64 bits. Sums of worths that are larger are found in two steps
(:func:`best_sum`). Floating-point numbers give a matching and prices first. By duality the sum of
all prices is an upper bound of the worth of a matching. A pair is in no best matching if its price
exceeds its worth by more than the found matching falls short of the bound. The other pairs are
those that are near. From them follow prices that are exact integers. If these prove that the
matching is best, its worth is returned. Otherwise the best matching of the near pairs is searched
with exact integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import assignment
from .assignment import CROWD, IndexPair

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELLS = CROWD * CROWD
"""The number of pairs above which arrays are faster."""

LARGEST = 2**60
"""The largest worth of a pair in an array: prices are at most as far from 0, and so four of them
can be added."""

ROUNDING = 2.0**-45
"""More than the relative error of a price and of a sum of three of them, in floating point."""

Ranks = Sequence[Sequence[int]]
"""The index of the worth of each pair: a row of pairs for each row."""


def best_pairs(worth: Sequence[int], ranks: Ranks) -> dict[int, int]:
    """The one-to-one pairs with the largest sum of worth, as ``assignment.best_pairs`` finds them.

    Args:
        worth: the worths that pairs have, 0 or more; a pair of worth 0 is never taken.
        ranks: the index of the worth of each pair.

    Returns:
        The column of each row in a pair, by row.

    >>> best_pairs([0, 2, 3], [[2, 1], [1, 0]])
    {0: 1, 1: 0}
    """
    import numpy

    size = len(ranks) * len(ranks[0]) if ranks else 0
    if size <= CELLS or max(worth) > LARGEST:
        return assignment.best_pairs(_allowed(worth, ranks))
    costs = numpy.array([-one if one else 2 * LARGEST for one in worth], dtype=numpy.int64)
    return dict(sorted(_Matching(costs[numpy.array(ranks)]).column_of.items()))


def best_sum(worth: Sequence[int], ranks: Ranks) -> int:
    """The largest sum of worth of one-to-one pairs.

    Args:
        worth, ranks: as for :func:`best_pairs`.

    >>> best_sum([0, 2, 3], [[2, 1], [1, 0]])
    4
    """
    import numpy

    size = len(ranks) * len(ranks[0]) if ranks else 0
    if size <= CELLS or max(worth) <= LARGEST:
        return sum(worth[ranks[row][column]] for row, column in best_pairs(worth, ranks).items())
    most = max(worth)
    costs = numpy.array([-(one / most) if one else numpy.inf for one in worth])
    table = costs[numpy.array(ranks)]
    matching = _Matching(table)
    found = sum(table[pair] for pair in matching.column_of.items())
    table -= matching.of_rows[:, None]
    table -= matching.of_columns
    short = abs(found - matching.of_rows.sum() - matching.of_columns.sum())
    unfair = max(0.0, -float(table.min()))
    limit = short + sum(table.shape) * (unfair + ROUNDING)
    pairs = numpy.argwhere(table <= limit).tolist()
    near = {(r, c): worth[ranks[r][c]] for r, c in pairs}
    best = matching.column_of
    if not _is_proved_best(matching, near, most, limit):
        best = assignment.best_pairs(near)
    return sum(near[pair] for pair in best.items())


def _is_proved_best(
    matching: _Matching, near: Mapping[IndexPair, int], most: int, limit: float
) -> bool:
    """Whether exact prices prove that no matching is worth more.

    Such prices are 0 or more, and 0 for a row or a column without a partner. The two prices of a
    pair add up to its worth if it is in the matching, and to no less than its worth otherwise. For
    pairs that are not near this follows from the approximate prices, from which the exact ones
    differ by a quarter of the limit at most.

    Args:
        matching: the matching, with its approximate prices.
        near: the worth of the pairs whose approximate prices exceed it by no more than the limit.
        most: the worth that costs 1 in the matching.
        limit: the limit, as a part of ``most``.
    """
    floats = matching.of_rows.tolist(), matching.of_columns.tolist()
    paired = matching.column_of, matching.row_of
    prices = _exact_prices(near, paired, floats, most, limit)
    for own, partners, numbers in zip(prices, paired, floats, strict=True):
        for k, number in enumerate(numbers):
            price = own.get(k, 0)
            is_possible = price >= 0 if k in partners else price == 0
            if not is_possible or abs(price / most + number) > limit / 4:
                return False
    rows, columns = prices
    adds_up = all(rows[r] + columns[c] == near[r, c] for r, c in matching.column_of.items())
    return adds_up and all(rows[r] + columns[c] >= one for (r, c), one in near.items())


def _exact_prices(
    near: Mapping[IndexPair, int],
    paired: tuple[Mapping[int, int], Mapping[int, int]],
    floats: tuple[Sequence[float], Sequence[float]],
    most: int,
    limit: float,
) -> tuple[dict[int, int], dict[int, int]]:
    """The exact prices of rows and columns where the two prices of a near pair add up to its worth.

    Prices spread along near pairs, from rows and columns whose price is 0. Among rows and columns
    that near pairs connect to none of these, one gets its approximate price, rounded.

    Args:
        near, most, limit: as for :func:`_is_proved_best`.
        paired: the partners of rows and of columns.
        floats: their approximate prices, negated.
    """
    around: tuple[dict[int, list[IndexPair]], dict[int, list[IndexPair]]] = {}, {}
    for (r, c), one in near.items():
        around[0].setdefault(r, []).append((c, one))
        around[1].setdefault(c, []).append((r, one))
    nodes = [
        (0.0 if k not in paired[side] or -floats[side][k] <= limit else -floats[side][k], side, k)
        for side in (0, 1)
        for k in around[side]
    ]
    found: tuple[dict[int, int], dict[int, int]] = {}, {}
    for price, first, node in sorted(nodes):
        if node in found[first]:
            continue
        found[first][node] = round(Fraction(price) * most)
        queue = [(first, node)]
        for side, k in queue:
            for other, one in around[side][k]:
                if other not in found[1 - side]:
                    found[1 - side][other] = one - found[side][k]
                    queue.append((1 - side, other))
    return found


def _allowed(worth: Sequence[int], ranks: Ranks) -> dict[IndexPair, int]:
    """The worth of each pair that may be taken."""
    return {
        (r, c): worth[rank]
        for r, row in enumerate(ranks)
        for c, rank in enumerate(row)
        if worth[rank]
    }


class _Matching:
    """The cheapest matching, where a row or a column alone costs 0, and the highest fair prices.

    Args:
        costs: the cost of each pair, below 0 if it is allowed.

    Attributes:
        column_of, row_of, of_rows, of_columns: as in ``assignment.Matching``.
    """

    def __init__(self, costs: NDArray[Any]) -> None:
        import numpy

        self.costs = costs
        self.of_rows, self.of_columns = (numpy.zeros(n, dtype=costs.dtype) for n in costs.shape)
        self.is_free = numpy.ones(costs.shape[1], dtype=bool)
        self.row_of: dict[int, int] = {}
        self.column_of: dict[int, int] = {}
        allowed = (costs < 0).sum(axis=1).tolist()
        for row in sorted(range(len(costs)), key=lambda row: max(CROWD, allowed[row])):
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
        """Change the matching along the path on which costs exceed prices least.

        Of columns that are as near the first one is next.
        """
        import numpy

        rows = [row]  # in the order in which paths reach them
        excess_of = [self.of_rows.dtype.type(0)]  # that of the path to each row
        passed: dict[int, int] = {}  # columns of pairs, each with the number of rows before its own
        prices = self.of_columns.copy()
        excesses = numpy.full_like(prices, 2 * LARGEST)
        around = numpy.empty_like(prices)
        end, nearest = row, -self.of_rows[row]
        while True:
            at, excess = rows[-1], excess_of[-1]
            numpy.subtract(self.costs[at], prices, out=around)
            around += excess - self.of_rows[at]
            numpy.minimum(excesses, around, out=excesses)
            chosen = int(excesses.argmin())
            excess = excesses[chosen]
            if excess >= nearest:
                column, excess = self.column_of.pop(end, None), nearest
                break
            if chosen not in self.row_of:
                column, passed[chosen] = chosen, len(rows)
                break
            at = self.row_of[chosen]
            passed[chosen] = len(rows)
            rows.append(at)
            excess_of.append(excess)
            excesses[chosen], prices[chosen] = 2 * LARGEST, -2 * LARGEST  # not again
            if excess - self.of_rows[at] < nearest:
                end, nearest = at, excess - self.of_rows[at]
        path = self._path(column, numpy.array(rows), numpy.array(excess_of), passed)
        for r, own in zip(rows, excess_of, strict=True):
            self.of_rows[r] += excess - own  # prices as high as the path now lets them be
        for own, c in zip(excess_of[1:], passed, strict=False):
            self.of_columns[c] -= excess - own
        for pair in path:
            self._pair(*pair)

    def _path(
        self,
        column: int | None,
        rows: NDArray[Any],
        excess_of: NDArray[Any],
        passed: dict[int, int],
    ) -> list[tuple[int, int]]:
        """The pairs that the path to a column makes, from its end.

        A column was reached from the first of the rows whose paths are the shortest to it.

        Args:
            column: the column, or ``None`` for no pairs.
            rows: the rows that paths reached, in this order.
            excess_of: the excess of the path to each.
            passed: the columns that paths reached, with the number of rows before each.
        """
        found = []
        while column is not None:
            before = rows[: passed[column]]
            costs = self.costs[before, column] + excess_of[: len(before)] - self.of_rows[before]
            taker = int(before[costs == costs.min()].min())
            found.append((taker, column))
            column = self.column_of.get(taker)
        return found
