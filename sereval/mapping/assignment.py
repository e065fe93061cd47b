"""The assignment problem: the cheapest pairs, one to one, and the prices that prove them so.

Each element of two sides is paired with one of the other side or left alone, and has to pay for
it. *Prices* for the elements of both sides are fair if no pair costs less than the prices of its
two elements together, and nothing left alone less than its price. Whatever is done with any of the
elements then costs their prices or more: a pair pays for its two, the others for themselves.

The dearest fair prices are found while the cheapest matching is built up row by row along shortest
paths, as Kuhn and Munkres do: then the two sums are equal (duality of linear programmes), and no
bound that looks at pairs one by one is better. The search needs the prices of one side only, for
from those the best prices of the other side follow. Where there is no placement to choose, the
matching itself is the answer (``best_pairs``).

Source: Kuhn, Naval Research Logistics Quarterly 2, 1955; paths after Edmonds and Karp, 1972.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

Pair = tuple[int, int]
"""The number of a row and that of a column."""

CROWD = 100
"""Rows with more columns come last, those with most at the end: what passes through one on its way
looks at all of its columns. The order of rows changes no sum, but which of the dearest prices and
cheapest matchings is found; so of rows with fewer it stays as it is."""


def prices(
    pairs: Sequence[Mapping[int, int]], rows_alone: Sequence[int], columns_alone: Sequence[int]
) -> list[int]:
    """The prices of the columns among the dearest fair prices of all.

    Args:
        pairs: for each row, what it costs with each column that it may be paired with.
        rows_alone: what each row costs that is left alone.
        columns_alone: what each column costs that is left alone; no price is higher.

    Returns:
        A price for each column. With ``min(alone, pair - price of its column, …)`` for each row
        they add up to the cost of the cheapest matching.

    Two rows that want the same column: one of them will be left alone, and the column knows it.

    >>> prices([{0: 0}, {0: 0}], [2, 2], [2])
    [-2]
    """
    return Matching(pairs, rows_alone, columns_alone).of_columns


class Matching:
    """The cheapest matching, and the dearest fair prices: what is paired costs just its two.

    Args:
        pairs, rows_alone, columns_alone: as for ``prices``.

    Attributes:
        column_of, row_of: partners, of those that have one.
        of_rows, of_columns: prices.

    >>> Matching([{0: 0}, {0: 0, 1: 1}], [2, 2], [2, 2]).column_of
    {0: 0, 1: 1}
    """

    def __init__(
        self,
        pairs: Sequence[Mapping[int, int]],
        rows_alone: Sequence[int],
        columns_alone: Sequence[int],
    ) -> None:
        self.pairs = pairs
        self.alone = rows_alone
        self.of_rows = list(rows_alone)
        self.of_columns = list(columns_alone)
        self.row_of: dict[int, int] = {}
        self.column_of: dict[int, int] = {}
        for row in sorted(range(len(pairs)), key=lambda row: max(CROWD, len(pairs[row]))):
            self._add(row)

    def _add(self, row: int) -> None:
        """Give one more row its place."""
        least = self.alone[row]
        column = None
        for c, cost in self.pairs[row].items():
            cost -= self.of_columns[c]
            if cost < least or (cost == least and c not in self.row_of):
                least, column = cost, c
        self.of_rows[row] = least
        if column is not None and column in self.row_of:
            self._make_room(row)
        elif column is not None:
            self._pair(row, column)

    def _pair(self, row: int, column: int) -> None:
        self.row_of[column], self.column_of[row] = row, column

    def _make_room(self, row: int) -> None:
        """Pair the row along the path on which costs exceed prices least.

        A path goes from a row to a column, and from there to the row that has that column. It ends
        at a column that nobody has, or at a row that might as well be left alone.
        """
        far = {row: 0}  # excess of the path to each row
        passed: dict[int, int] = {}  # excess of the path to each column, the same as to its row
        came_from: dict[int, int] = {}
        queue: list[tuple[int, int, int]] = []
        end, nearest = row, self.alone[row] - self.of_rows[row]
        at, excess = row, 0
        while True:
            self._look_around(at, excess, queue)
            while queue and queue[0][1] in passed:
                heappop(queue)
            if not queue or queue[0][0] >= nearest:
                column, excess = self.column_of.pop(end, None), nearest
                break
            excess, column, before = heappop(queue)
            came_from[column] = before
            if column not in self.row_of:
                break
            at = self.row_of[column]
            passed[column] = far[at] = excess
            if excess + self.alone[at] - self.of_rows[at] < nearest:
                end, nearest = at, excess + self.alone[at] - self.of_rows[at]
        for r in far:  # prices as high as the path now lets them be
            self.of_rows[r] += excess - far[r]
        for c in passed:
            self.of_columns[c] -= excess - passed[c]
        while column is not None:
            taker = came_from[column]
            left = self.column_of.get(taker)
            self._pair(taker, column)
            column = left

    def _look_around(self, row: int, excess: int, queue: list[tuple[int, int, int]]) -> None:
        """Put the columns that a row could have on the queue, each with the excess of its path."""
        excess -= self.of_rows[row]
        for c, cost in self.pairs[row].items():
            heappush(queue, (excess + cost - self.of_columns[c], c, row))


def best_pairs(worth: Mapping[Pair, int]) -> dict[int, int]:
    """The pairs that are worth most together; no row and no column is in two of them.

    Args:
        worth: of each pair that may be chosen, 0 or more; 0: it never is.

    Returns:
        The column of each row that has one, by row. Among pairs of the same sum the choice depends
        on nothing but the numbers.

    >>> best_pairs({(0, 0): 3, (0, 1): 2, (1, 0): 2})
    {0: 1, 1: 0}
    """
    pairs = sorted(pair for pair, number in worth.items() if number)
    chosen = dict(pairs)
    places = {column: k for k, column in enumerate(sorted({column for _, column in pairs}))}
    if len(chosen) == len(pairs) == len(places):  # nothing competes
        return chosen
    rows: dict[int, dict[int, int]] = {row: {} for row in chosen}
    for row, column in pairs:
        rows[row][places[column]] = -worth[row, column]
    matching = Matching([*rows.values()], [0] * len(rows), [0] * len(places))
    numbers, columns = list(rows), list(places)
    return {numbers[r]: columns[c] for r, c in sorted(matching.column_of.items())}


def components(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs that compete with one another, directly or through others, in increasing order.

    >>> components([(0, 0), (0, 1), (1, 1), (2, 2)])
    [[(0, 0), (0, 1), (1, 1)], [(2, 2)]]
    """
    of_row: dict[int, list[int]] = {}
    of_column: dict[int, list[int]] = {}
    for row, column in sorted(pairs):
        of_row.setdefault(row, []).append(column)
        of_column.setdefault(column, []).append(row)
    found: list[list[Pair]] = []
    seen: set[int] = set()
    reached: set[int] = set()  # columns
    for first in of_row:
        if first in seen:
            continue
        seen.add(first)
        rows = [first]
        for row in rows:
            for column in set(of_row[row]) - reached:
                reached.add(column)
                rows += (new := set(of_column[column]) - seen)
                seen |= new
        found.append([(row, column) for row in sorted(rows) for column in of_row[row]])
    return found
