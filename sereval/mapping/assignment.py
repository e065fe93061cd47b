"""The assignment problem: the cheapest one-to-one pairs, and the prices that prove them cheapest.

Each row is paired with a column or left alone, and so is each column; both cost something. *Prices*
of rows and columns are fair if no pair costs less than the prices of its row and its column
together, and nothing left alone costs less than its price. Every matching then costs at least the
sum of the prices.

The algorithm of Kuhn and Munkres adds row after row to the cheapest matching, along shortest paths,
and finds the highest fair prices at the same time. Their sum equals the cost of the matching
(duality of linear programmes), so no better bound follows from single pairs. The search needs the
prices of one side only; the best prices of the other side follow from them. For a cluster with one
placement, the matching itself is the answer (``best_pairs``).

Source: Kuhn, Naval Research Logistics Quarterly 2, 1955; paths after Edmonds and Karp, 1972.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

IndexPair = tuple[int, int]
"""The indices of a row and a column."""

CROWD = 100
"""The most columns of a row that keeps its place in the order. Rows with more columns are added
last, in order of their number of columns, because each path through a row examines all its columns.
The order of rows changes no sum. It only decides which of several cheapest matchings is found."""


class Matching:
    """The cheapest matching, and the highest fair prices."""

    def __init__(
        self,
        pairs: Sequence[Mapping[int, int]],  # the cost of each pair of a row, by its column
        rows_alone: list[int],  # the cost of each row left alone
        columns_alone: list[int],  # the cost of each column left alone
    ) -> None:
        self.pairs = pairs
        self.alone = rows_alone
        self.of_rows, self.of_columns = rows_alone.copy(), columns_alone.copy()
        self.row_of: dict[int, int] = {}
        self.column_of: dict[int, int] = {}
        for row in sorted(range(len(pairs)), key=lambda row: max(CROWD, len(pairs[row]))):
            self._add(row)

    def _add(self, row: int) -> None:
        """Add a row to the matching."""
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
        """Change the matching along the path from a row on which costs exceed prices least."""
        # A path goes from a row to a column, then to the row that is paired with this column, and
        # so on. It ends at a column in no pair, or at a row that is left alone.
        far = {row: 0}  # excess of the path to each row
        passed: dict[int, int] = {}  # excess of the path to each column, the same as to its row
        came_from: dict[int, int] = {}
        paths: list[Any] = []  # not followed yet: by their excess, then by their last column
        end, nearest = row, self.alone[row] - self.of_rows[row]
        at, excess = row, 0
        while True:
            found = self._next(at, excess, paths, passed)
            if found is None or found[0] >= nearest:
                column, excess = self.column_of.pop(end, None), nearest
                break
            excess, column, came_from[found[1]] = found
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

    def _next(
        self, row: int, excess: int, paths: list[Any], passed: Collection[int]
    ) -> tuple[int, int, int] | None:
        """Lengthen the path to a row, and take the next path: its excess, last column and row."""
        excess -= self.of_rows[row]
        for c, cost in self.pairs[row].items():
            heappush(paths, (excess + cost - self.of_columns[c], c, row))
        while paths and paths[0][1] in passed:
            heappop(paths)
        return heappop(paths) if paths else None


def best_pairs(worth: Mapping[IndexPair, int]) -> dict[int, int]:
    """The one-to-one pairs with the largest sum of worth."""
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


def components(pairs: Iterable[IndexPair]) -> list[list[IndexPair]]:
    """Group the pairs that share a row or a column, directly or through other pairs."""
    of_row: dict[int, list[int]] = {}
    of_column: dict[int, list[int]] = {}
    for row, column in sorted(pairs):
        of_row.setdefault(row, []).append(column)
        of_column.setdefault(column, []).append(row)
    found: list[list[IndexPair]] = []
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
