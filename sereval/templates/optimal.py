"""The alignment with most common values, exactly.

Chosen is a set of pairs, at most one for each template, such that every pair meets the criterion
and the sum of common values over the pairs is the greatest, where a pointer is common if the pair
it needs is chosen too. That sum is the number of correct fills: this is "the alignment that
optimizes the resulting score" that the greedy one of MUC-6 looks for (Kehler et al. 2001, 2.2).

Among several of the greatest sum, the first in document order: the one that gives the first
template of the key that they treat differently the earliest template of the response, or one at
all. So there is exactly one answer.

**How.** If every pair that could be chosen is taken to be, the common values of each pair are as
many as can be, and the best assignment of each type on its own is an upper bound. Where its pairs
count on pairs that it lacks, the first of these is fixed: in one branch it is chosen, in the other
it is excluded, and both bounds are computed anew. Branches are taken up by decreasing bound; the
first whose pairs lack nothing is the answer.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count

from ..errors import SerevalError
from .common import Overlap, Pair

MOST_STEPS = 20_000_000
"""After which it is given up: some ten seconds."""


def optimal(found: Mapping[Pair, Overlap], groups: Collection[Collection[int]]) -> set[Pair]:
    """The alignment of most common values, the first in document order among equals.

    The same as trying all alignments.

    Args:
        found: what pairs have in common, of all pairs that could meet the criterion.
        groups: without effect here; the greedy alignment needs them.

    Raises:
        SerevalError: it would take too long.
    """
    search = _Search(found)
    number = count()  # so that branches of equal bound are taken in the order they were made
    waiting = []
    first = search.node(frozenset(found), frozenset())
    if first is not None:
        waiting.append((-first.bound, next(number), first))
    while waiting:
        _, _, node = heapq.heappop(waiting)
        lacking = search.lacking(node)
        if lacking is None:
            return set(node.chosen)
        for branch in search.branches(node, lacking):
            heapq.heappush(waiting, (-branch.bound, next(number), branch))
    return set()


class _Node:
    """What is left when some pairs are fixed, and the best that it could be."""

    def __init__(
        self, allowed: frozenset[Pair], fixed: frozenset[Pair], chosen: list[Pair], bound: int
    ) -> None:
        self.allowed, self.fixed, self.chosen, self.bound = allowed, fixed, chosen, bound


class _Search:
    """The search in one document."""

    def __init__(self, found: Mapping[Pair, Overlap]) -> None:
        self.found = found
        self.dependent: dict[Pair, list[Pair]] = {}
        for pair, overlap in found.items():
            for other in dict.fromkeys(overlap.needs()):
                self.dependent.setdefault(other, []).append(pair)
        keys = sorted({key for key, _ in found})
        most = max((response for _, response in found), default=-1) + 1
        # a number whose digits are the responses of the keys: the greater, the earlier they are
        base = most + 1
        self.one: int = base ** len(keys)  # of a common value: more than all digits together
        self.digit: dict[int, int] = {
            key: base ** (len(keys) - 1 - k) for k, key in enumerate(keys)
        }
        self.most = most
        self.blocks = _blocks(found)
        self.steps = 0

    def node(self, allowed: frozenset[Pair], fixed: frozenset[Pair]) -> _Node | None:
        """The bound where only some pairs can be chosen and others must be; None if impossible."""
        possible = self._supported(allowed)
        if not fixed <= possible:
            return None
        chosen: list[Pair] = []
        bound = 0
        for block in self.blocks:
            worth = {pair: self._worth(pair, possible) for pair in block if pair in possible}
            chosen += self._assigned(worth)
            self._spend(len(worth))
        bound = sum(self._worth(pair, possible) for pair in chosen)
        return _Node(possible, fixed, sorted(chosen), bound)

    def lacking(self, node: _Node) -> Pair | None:
        """The first pair that a chosen pair counts on and that is not chosen itself."""
        chosen = set(node.chosen)
        for pair in node.chosen:
            overlap = self.found[pair]
            if overlap.count(chosen) < overlap.count(node.allowed):
                return next(
                    each for each in overlap.needs() if each in node.allowed and each not in chosen
                )
        return None

    def branches(self, node: _Node, pair: Pair) -> Iterator[_Node]:
        """With the pair, without others of its templates; and without the pair."""
        rivals = {
            each
            for each in node.allowed
            if each != pair and (each[0] == pair[0] or each[1] == pair[1])
        }
        for allowed, fixed in (
            (node.allowed - rivals, node.fixed | {pair}),
            (node.allowed - {pair}, node.fixed),
        ):
            if branch := self.node(allowed, fixed):
                yield branch

    def _worth(self, pair: Pair, aligned: Collection[Pair]) -> int:
        key, response = pair
        values = self.found[pair].count(aligned)
        return values * self.one + (self.most - response) * self.digit[key]

    def _supported(self, allowed: frozenset[Pair]) -> frozenset[Pair]:
        """The pairs that can meet the criterion, once those that cannot are gone."""
        left = set(allowed)
        waiting = list(allowed)
        while waiting:
            self._spend(1)
            pair = waiting.pop()
            if pair in left and not self.found[pair].may_align(left):
                left.discard(pair)
                waiting += self.dependent.get(pair, ())
        return frozenset(left)

    def _assigned(self, worth: Mapping[Pair, int]) -> list[Pair]:
        """The pairs of greatest worth together, at most one for each template."""
        keys = sorted({key for key, _ in worth})
        responses = sorted({response for _, response in worth})
        self._spend(len(keys) ** 2 * max(len(keys), len(responses)))
        rows = [[worth.get((key, response), 0) for response in responses] for key in keys]
        return [
            (keys[i], responses[j])
            for i, j in assignment(rows).items()
            if (keys[i], responses[j]) in worth
        ]

    def _spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise SerevalError(
                "the optimal alignment takes too long, expected fewer templates that are alike; "
                "the greedy alignment has no such limit"
            )


def _blocks(found: Mapping[Pair, Overlap]) -> list[list[Pair]]:
    """Pairs that compete with one another, directly or through others, in document order."""
    block_of: dict[tuple[str, int], list[Pair]] = {}
    for pair in sorted(found):
        mine: list[Pair] = [pair]
        ends = (("key", pair[0]), ("response", pair[1]))
        for other in {id(block_of[end]): block_of[end] for end in ends if end in block_of}.values():
            mine += other
        for each in mine:
            block_of["key", each[0]] = block_of["response", each[1]] = mine
    blocks = {id(block): block for block in block_of.values()}
    return sorted(sorted(block) for block in blocks.values())


def assignment(rows: Sequence[Sequence[int]]) -> dict[int, int]:
    """A column for each row, no column twice, such that the sum is the greatest.

    Shortest augmenting paths (Kuhn, Munkres; Jonker and Volgenant), in whole numbers of any size.
    Rows that are more than the columns get columns of zeros, which are not returned.

    >>> assignment([[3, 2], [2, 0]])
    {0: 1, 1: 0}
    """
    if not rows:
        return {}
    columns = max(len(rows), len(rows[0]))
    cost = [[-value for value in row] + [0] * (columns - len(row)) for row in rows]
    infinite = 1 + sum(max(map(abs, row)) for row in cost) * 2
    u, v = [0] * len(rows), [0] * columns
    row_of: list[int | None] = [None] * columns
    for start in range(len(rows)):
        _shortest(start, cost, u, v, row_of, infinite)
    return {
        row: column
        for column, row in sorted(
            ((c, r) for c, r in enumerate(row_of) if r is not None), key=lambda pair: pair[1]
        )
        if column < len(rows[0])
    }


def _shortest(
    start: int,
    cost: Sequence[Sequence[int]],
    u: list[int],
    v: list[int],
    row_of: list[int | None],
    infinite: int,
) -> None:
    """Give a column to one more row along the shortest path; potentials and columns in place."""
    columns = range(len(v))
    distance, before = [infinite] * len(v), [-1] * len(v)
    done: set[int] = set()
    row: int | None = start
    at = -1  # the column that the path has reached
    used: list[int] = []
    while row is not None:
        low, nearest = infinite, -1
        for column in columns:
            if column in done:
                continue
            reduced = cost[row][column] - u[row] - v[column]
            if reduced < distance[column]:
                distance[column], before[column] = reduced, at
            if distance[column] < low:
                low, nearest = distance[column], column
        u[start] += low
        for column in used:
            other = row_of[column]
            assert other is not None
            u[other] += low
            v[column] -= low
        for column in columns:
            if column not in done:
                distance[column] -= low
        at = nearest
        done.add(at)
        used.append(at)
        row = row_of[at]
    while at >= 0:
        previous = before[at]
        row_of[at] = start if previous < 0 else row_of[previous]
        at = previous
