"""Ties: all results that an alignment can have when ties between templates are broken in any way.

The greedy alignment takes a pair with most common values. If several pairs have equally many, MUC-6
took one "arbitrarily" (Kehler et al. 2001, section 2.2). This module tries every such pair at each
step, so that the range of the score is known. For the optimal alignment it tries every alignment
with the greatest sum of common values.

**Search.** Groups of types are aligned bottom-up (see ``align``). The *rank* of a pair is its
number of common values. Two pairs *compete* if they share a template. In a group whose pairs do not
depend on each other, ranks are fixed. Sets of competing pairs are then searched separately. At a
tie the search tries one pair and each pair of equal rank that competes with it. A group of types
that point to one another in a ring is searched step by step. From the groups below, the search
remembers only the pairs on which groups above depend, and the possible numbers of common values. So
it continues only once from equal results.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ..mapping.assignment import components
from .common import Overlaps, PositionPair, by_key, dependents

MOST_STEPS = 500_000
"""The most pairs of a document that the search for all ways tries, in less than two seconds."""

FEW_STEPS = 20_000
"""The same limit where no rate depends on the ways."""

Aligned = frozenset[PositionPair]
Ends = dict[Aligned, set[int]]
"""The remembered pairs of each alignment, with its possible numbers of common values so far."""


class Ways(NamedTuple):
    """The results of all ways to break the ties of a document.

    Args:
        ends: the pairs of each alignment that were requested, with its numbers of common values.
        tied: whether there is more than one way.
    """

    ends: Ends
    tied: bool


class _TooMany(Exception):
    """There are too many ways to try."""


class _Steps:
    """The steps of a search, and whether it met a tie."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.spent = 0
        self.tied = False

    def spend(self, steps: int) -> None:
        # the steps before the first tie occur once and have no limit
        self.spent += steps * self.tied
        if self.spent > self.most:
            raise _TooMany


def greedy_ways(
    found: Overlaps,
    groups: Collection[Collection[int]],
    *,
    whole: bool,
    most_steps: int = MOST_STEPS,
) -> Ways | None:
    """All ways to break the ties of the greedy alignment.

    Args:
        found: the overlaps of the pairs.
        groups: the positions of the templates of the key that are aligned together, bottom-up.
        whole: whether whole alignments are requested, not only numbers of common values.
        most_steps: the most pairs that the search may try.

    Returns:
        ``None``: there are too many ways to try.
    """
    steps = _Steps(most_steps)
    of_key = by_key(found)
    parts = [sorted(p for place in group for p in of_key.get(place, ())) for group in groups]
    ends: Ends = {frozenset(): {0}}
    try:
        for k, part in enumerate(parts):
            above = (found[pair].needs() for other in parts[k + 1 :] for pair in other)
            kept = found.keys() if whole else {pair for needs in above for pair in needs}
            ends = _through(found, part, ends, kept, steps)
    except _TooMany:
        return None
    return Ways(ends, steps.tied)


Choice = tuple[Aligned, int]
"""The chosen pairs, and their number of common values."""


def _through(
    found: Overlaps,
    part: Sequence[PositionPair],
    before: Ends,
    kept: Collection[PositionPair],
    steps: _Steps,
) -> Ends:
    """The ends of one group, computed from the ends of the groups below it."""
    needs = {pair: frozenset(found[pair].needs()) for pair in part}
    flat = _Flat(found, needs, kept, steps)
    is_ring = not needs.keys().isdisjoint(chain.from_iterable(needs.values()))
    ends: Ends = {}
    for aligned, values in before.items():
        ways = _ring(found, part, aligned, steps) if is_ring else flat.choices(aligned)
        for chosen, more in ways:
            end = frozenset(pair for pair in aligned | chosen if pair in kept)
            ends.setdefault(end, set()).update(value + more for value in values)
            steps.spend(len(values))
    return ends


class _Flat:
    """A group whose pairs do not depend on each other, so the groups below determine all ranks.

    Args:
        found: the overlaps of the pairs.
        needs: the pairs of the group, each with the pairs on which it depends.
        kept: the pairs on which groups above depend.
        steps: the steps of the search.
    """

    def __init__(
        self,
        found: Overlaps,
        needs: Mapping[PositionPair, Aligned],
        kept: Collection[PositionPair],
        steps: _Steps,
    ) -> None:
        self.found, self.needs, self.kept, self.steps = found, needs, kept, steps
        self.ranks: dict[tuple[PositionPair, Aligned], int] = {}  # 0: the criterion is not met
        self.blocks: dict[tuple[tuple[PositionPair, int], ...], set[Choice]] = {}

    def choices(self, aligned: Aligned) -> set[Choice]:
        """All choices of pairs; competing pairs are searched together."""
        self.steps.spend(len(self.needs))
        ranks = {pair: rank for pair in self.needs if (rank := self._rank(pair, aligned))}
        found: set[Choice] = {(frozenset(), 0)}
        for block in components(ranks):
            ways = self._block(tuple((pair, ranks[pair]) for pair in block))
            self.steps.spend(len(found) * len(ways))
            found = {(one | other, n + m) for one, n in found for other, m in ways}
        return found

    def _rank(self, pair: PositionPair, aligned: Aligned) -> int:
        at = pair, aligned & self.needs[pair]
        if at not in self.ranks:
            overlap = self.found[pair]
            self.ranks[at] = overlap.count(aligned) if overlap.may_align(aligned) else 0
        return self.ranks[at]

    def _block(self, block: tuple[tuple[PositionPair, int], ...]) -> set[Choice]:
        if block not in self.blocks:
            ranks = dict(block)
            order = sorted(ranks, key=lambda pair: (-ranks[pair], pair))
            tried = _Block(order, ranks, self.kept, self.steps)
            self.blocks[block] = tried.from_here(0, frozenset(), frozenset())
        return self.blocks[block]


Kind = frozenset[tuple[int, int]]
"""The partners of a template in its block, with ranks. Templates of one kind are equivalent."""


class _Block:
    """Competing pairs, the highest rank first."""

    def __init__(
        self,
        order: Sequence[PositionPair],
        ranks: Mapping[PositionPair, int],
        kept: Collection[PositionPair],
        steps: _Steps,
    ) -> None:
        self.order, self.ranks, self.kept, self.steps = order, ranks, kept, steps
        self.rivals: tuple[dict[int, list[PositionPair]], ...] = ({}, {})
        for pair in order:
            for place, rivals in zip(pair, self.rivals, strict=True):
                rivals.setdefault(place, []).append(pair)
        self.alike = [
            {place: self._kind(place, rivals[place], side) for place in rivals}
            for side, rivals in enumerate(self.rivals)
        ]
        self.known: dict[tuple[frozenset[tuple[Kind, int]], ...], set[Choice]] = {}

    def _kind(self, place: int, pairs: Iterable[PositionPair], side: int) -> Kind:
        """The kind of a template; a template of a kept pair is the only one of its kind."""
        if any(pair in self.kept for pair in pairs):
            return frozenset({(place, -1)})
        return frozenset((pair[1 - side], self.ranks[pair]) for pair in pairs)

    def from_here(self, at: int, keys: frozenset[int], responses: frozenset[int]) -> set[Choice]:
        """All choices among the pairs from ``at`` on when these templates are taken."""
        taken = tuple(
            frozenset(Counter(kinds[place] for place in places).items())
            for kinds, places in zip(self.alike, (keys, responses), strict=True)
        )
        self.steps.spend(len(keys))
        if taken not in self.known:
            self.known[taken] = self._try_all(at, {*keys}, {*responses})
        return self.known[taken]

    def _try_all(self, at: int, keys: set[int], responses: set[int]) -> set[Choice]:
        """All choices: one way up to the first tie, then a way for each of the tied pairs."""
        sure: list[PositionPair] = []
        ways: set[Choice] = {(frozenset(), 0)}
        for k in range(at, len(self.order)):
            pair = self.order[k]
            self.steps.spend(1)
            if pair[0] in keys or pair[1] in responses:
                continue
            if len(tied := self._ties_of(pair, keys, responses)) > 1:
                self.steps.tied = True
                ways = {way for each in tied for way in self._with(each, k, keys, responses)}
                break
            sure.append(pair)
            keys.add(pair[0])
            responses.add(pair[1])
        self.steps.spend(len(ways) * (1 + len(sure)))
        return {self._more(sure, way) for way in ways}

    def _ties_of(
        self, pair: PositionPair, keys: set[int], responses: set[int]
    ) -> list[PositionPair]:
        """A pair and the pairs of equal rank that compete with it, one of which is chosen."""
        rivals = [self.rivals[side][pair[side]] for side in (0, 1)]
        self.steps.spend(sum(map(len, rivals)))
        return [
            other
            for other in dict.fromkeys(chain.from_iterable(rivals))
            if self.ranks[other] == self.ranks[pair]
            and other[0] not in keys
            and other[1] not in responses
        ]

    def _with(
        self, pair: PositionPair, at: int, keys: set[int], responses: set[int]
    ) -> Iterator[Choice]:
        ways = self.from_here(at, frozenset((*keys, pair[0])), frozenset((*responses, pair[1])))
        self.steps.spend(len(ways))
        return (self._more([pair], way) for way in ways)

    def _more(self, pairs: Iterable[PositionPair], way: Choice) -> Choice:
        chosen, values = way
        kept = frozenset(pair for pair in pairs if pair in self.kept)
        return chosen | kept, values + sum(self.ranks[pair] for pair in pairs)


def _ring(
    found: Overlaps, part: Sequence[PositionPair], aligned: Aligned, steps: _Steps
) -> set[Choice]:
    """All choices among pairs whose ranks rise as other pairs are chosen."""
    dependent = dependents(found, part)
    choices: set[Choice] = set()
    seen = {aligned}
    waiting = [aligned]
    while waiting:
        now, tied = _to_tie(found, part, {*waiting.pop()}, dependent, steps)
        if tied:
            steps.tied = True
            new = {frozenset((*now, pair)) for pair in tied} - seen
            seen |= new
            waiting += new
        else:
            chosen = now.difference(aligned)
            values = sum(found[pair].count(now) for pair in chosen)
            choices.add((frozenset(chosen), values))
    return choices


def _to_tie(
    found: Overlaps,
    part: Sequence[PositionPair],
    aligned: set[PositionPair],
    dependent: Mapping[PositionPair, Sequence[PositionPair]],
    steps: _Steps,
) -> tuple[set[PositionPair], list[PositionPair]]:
    """The alignment up to the first tie, and the tied pairs; none if there is no further tie."""
    steps.spend(len(part))
    keys, responses = ({pair[side] for pair in aligned} for side in (0, 1))
    queue = [(-found[p].count(aligned), p) for p in part if found[p].may_align(aligned)]
    heapq.heapify(queue)
    while queue:
        rank = queue[0][0]
        top: set[PositionPair] = set()
        while queue and queue[0][0] == rank:
            _, pair = heapq.heappop(queue)
            if pair[0] not in keys and pair[1] not in responses:
                top.add(pair)
        if len(top) > 1 and _compete(p for p in part if p[0] not in keys and p[1] not in responses):
            return aligned, sorted(top)
        for pair in sorted(top):
            aligned.add(pair)
            keys.add(pair[0])
            responses.add(pair[1])
            for other in dependent.get(pair, ()):
                steps.spend(1)
                if found[other].may_align(aligned):
                    heapq.heappush(queue, (-found[other].count(aligned), other))
    return aligned, []


def _compete(pairs: Iterable[PositionPair]) -> bool:
    """Whether some of the pairs share a template; otherwise all of them can be chosen."""
    left = [*pairs]
    return any(len({pair[side] for pair in left}) < len(left) for side in (0, 1))


def optimal_ways(found: Overlaps, most: int, *, whole: bool) -> Ways | None:
    """All alignments with the greatest sum of common values.

    Args:
        found: the overlaps of the pairs.
        most: the greatest sum.
        whole: whether all alignments are requested, not only whether there are several.

    Returns:
        ``None``: there are too many alignments to try.
    """
    steps = _Steps(MOST_STEPS if whole else FEW_STEPS)
    steps.tied = True  # there may be ties everywhere
    ends: Ends = {}
    try:
        for aligned in _alignments(found, list(by_key(sorted(found)).values()), most, steps):
            ends[aligned] = {most}
            if len(ends) > 1 and not whole:
                break
    except _TooMany:
        return None
    return Ways(ends, len(ends) > 1)


def _alignments(
    found: Overlaps, rows: Sequence[Sequence[PositionPair]], most: int, steps: _Steps
) -> Iterator[Aligned]:
    """The alignments with a number of common values, each once."""
    worth = {pair: overlap.count(found) for pair, overlap in found.items()}  # at most
    ahead = [0]
    for row in reversed(rows):
        ahead.append(ahead[-1] + max(worth[pair] for pair in row))
    waiting: list[tuple[int, int, Aligned]] = [(0, 0, frozenset())]
    while waiting:
        at, values, aligned = waiting.pop()
        steps.spend(1 + len(aligned))
        if values + ahead[len(rows) - at] < most:
            continue
        if at == len(rows):
            if _is_whole(found, aligned, most):
                yield aligned
            continue
        waiting.append((at + 1, values, aligned))
        taken = {response for _, response in aligned}
        waiting += [
            (at + 1, values + worth[pair], aligned | {pair})
            for pair in reversed(rows[at])
            if pair[1] not in taken
        ]


def _is_whole(found: Overlaps, aligned: Aligned, most: int) -> bool:
    """Whether each pair meets the criterion, and all pairs have ``most`` common values together."""
    return most == sum(found[pair].count(aligned) for pair in aligned) and all(
        found[pair].may_align(aligned) for pair in aligned
    )
