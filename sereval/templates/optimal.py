"""The alignment with most common values, exactly.

Chosen is a set of pairs, at most one for each template, such that every pair meets the criterion
and the sum of common values over the pairs is the greatest, where a pointer is common if the pair
it needs is chosen too. That sum is the number of correct fills: this is "the alignment that
optimizes the resulting score" that the greedy one of MUC-6 looks for (Kehler et al. 2001, 2.2).

If the greedy alignment has the greatest sum, it is the answer, so that the two differ only where
something is gained. Among others of the same sum, the first that the search meets is taken; it
depends on nothing but the documents and their order.

**How.** Branch and bound. A *link* is what a pointer adds to a pair if the pair it needs is chosen.
Were it known how a link's value is shared between the two, each type would be an assignment on its
own; whatever the shares, the sum of the best assignments is an upper bound (the Lagrangian
relaxation of "a link needs its pair"). The shares are moved, for some rounds, towards those pairs
that disagree: the bound falls. Where it stays above the best alignment found so far, a pair on
which they disagree is chosen in one branch and excluded in the other.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from ..errors import SerevalError
from ..mapping.assignment import best_pairs, components
from .common import Edge, Overlap, Pair

MOST_STEPS = 20_000_000
"""Steps of the search after which a document is refused: less than ten seconds."""

WHOLE = 64
"""How many units a common value has; it is shared out in whole units."""

FIRST_ROUNDS, ROUNDS = 60, 12
"""How often the shares are moved: before anything is fixed, and in each branch."""


class Link(NamedTuple):
    """What a fill of a pair adds if another pair is chosen.

    Args:
        number: its place among all links.
        needs: the other pair.
    """

    number: int
    needs: Pair


@dataclass(frozen=True, slots=True)
class _Node:
    """What is left when some pairs are fixed.

    Args:
        allowed: pairs that can be chosen.
        fixed: pairs that must be.
        shares: of each link, the part that goes to the pair it needs.
    """

    allowed: frozenset[Pair]
    fixed: frozenset[Pair]
    shares: list[int] = field(compare=False)


def optimal(
    found: Mapping[Pair, Overlap], known: Iterable[Pair] = (), most_steps: int = MOST_STEPS
) -> set[Pair]:
    """The alignment of most common values.

    As many as the best of all alignments has, tried one by one.

    Args:
        found: what pairs have in common, of all pairs that could meet the criterion.
        known: an alignment that is the answer if none is better.
        most_steps: how many steps the search may take.

    Raises:
        SerevalError: it takes more.
    """
    search = _Search(found, known, most_steps)
    number = count()  # so that branches of equal bound are taken in the order they were made
    half = [WHOLE // 2] * search.links
    waiting: list[tuple[int, int, _Node, Pair | None]] = []

    def bounded(allowed: frozenset[Pair], fixed: frozenset[Pair], shares: list[int]) -> None:
        node = _Node(search.supported(allowed), fixed, list(shares))
        if fixed <= node.allowed:
            bound, pair = search.bound(node, FIRST_ROUNDS if not waiting and not fixed else ROUNDS)
            if bound > search.most:
                heapq.heappush(waiting, (-bound, next(number), node, pair))

    bounded(frozenset(found), frozenset(), half)
    while waiting and -waiting[0][0] > search.most:
        _, _, node, pair = heapq.heappop(waiting)
        if pair is not None:
            rivals = {each for each in node.allowed if (each[0] == pair[0]) != (each[1] == pair[1])}
            bounded(node.allowed - rivals, node.fixed | {pair}, node.shares)
            bounded(node.allowed - {pair}, node.fixed, node.shares)
    return search.best


class _Search:
    """The search in one document, and the best alignment that it has met.

    Args:
        found: what pairs have in common.
        known: an alignment to begin with.
        most_steps: how many steps it may take.
    """

    def __init__(
        self, found: Mapping[Pair, Overlap], known: Iterable[Pair], most_steps: int
    ) -> None:
        self.found = found
        self.most_steps = most_steps
        self.blocks = components(found)
        self.steps = 0
        self.sure: dict[Pair, int] = {}  # common values that hang on nothing
        self.fills: dict[Pair, list[list[Link]]] = {}  # links of a pair, those of one fill together
        self.claims: dict[Pair, list[tuple[Pair, int]]] = {}  # by the pair needed
        self.links = 0
        for pair in sorted(found):
            self._link(pair)
        self.best: set[Pair] = set()
        self.most = 0
        self._meet(set(known))

    def _link(self, pair: Pair) -> None:
        """Each fill of the key adds one value at the most, whatever it is matched with."""
        overlap = self.found[pair]
        self.sure[pair] = overlap.texts
        self.fills[pair] = []
        for _, edges in overlap.pointing:
            texts = {edge.key for edge in edges if not edge.needs}
            self.sure[pair] += len(texts)
            for needs in _needed(edge for edge in edges if edge.key not in texts):
                links = [Link(self.links + k, each) for k, each in enumerate(needs)]
                self.links += len(links)
                self.fills[pair].append(links)
                for link in links:
                    self.claims.setdefault(link.needs, []).append((pair, link.number))

    def supported(self, allowed: Iterable[Pair]) -> frozenset[Pair]:
        """The pairs that can meet the criterion, once those that cannot are gone."""
        left = set(allowed)
        waiting = sorted(left)
        while waiting:
            self._spend(1)
            pair = waiting.pop()
            if pair in left and not self.found[pair].may_align(left):
                left.discard(pair)
                waiting += dict.fromkeys(other for other, _ in self.claims.get(pair, ()))
        return frozenset(left)

    def bound(self, node: _Node, rounds: int) -> tuple[int, Pair | None]:
        """No alignment within the node has more common values; and a pair to branch on.

        The shares of the node are moved. No pair: all are fixed.
        """
        least: int | None = None
        step = WHOLE // 4
        pair: Pair | None = None
        for _ in range(rounds):
            worth, chosen = self._relaxed(node)
            total = sum(worth[each] for each in chosen)
            if least is None or total < least:
                least = total
            else:
                step = max(1, step * 3 // 4)
            self._meet(self._improved(chosen, node))
            disagreeing = self._move(node, chosen, step)
            pair = self._pair(node, chosen, disagreeing)
            if least // WHOLE <= self.most or not disagreeing:
                break
        return (least or 0) // WHOLE, pair

    def _relaxed(self, node: _Node) -> tuple[dict[Pair, int], set[Pair]]:
        """What each pair is worth under the shares, and the best assignments."""
        worth = {}
        for pair in sorted(node.allowed):
            value = self.sure[pair] * WHOLE
            for links in self.fills[pair]:
                value += max(
                    (WHOLE - node.shares[n] for n, needs in links if needs in node.allowed),
                    default=0,
                )
            for other, number in self.claims.get(pair, ()):
                if other in node.allowed:
                    value += node.shares[number]
            worth[pair] = value
        self._spend(len(worth) + self.links)
        return worth, self._assigned(worth)

    def _move(self, node: _Node, chosen: Collection[Pair], step: int) -> list[Pair]:
        """Move the shares towards agreement; the pairs that others count on, and are not chosen.

        Who counts on a pair gives it more; who is chosen without being counted on is given less.
        """
        counted: set[int] = set()
        disagreeing = []
        for pair in sorted(chosen):
            for links in self.fills[pair]:
                open_links = [link for link in links if link.needs in node.allowed]
                if not open_links:
                    continue
                taken = max(
                    open_links,
                    key=lambda link: (-node.shares[link.number], link.needs in chosen),
                )
                counted.add(taken.number)
                if taken.needs not in chosen and node.shares[taken.number] < WHOLE:
                    disagreeing.append(taken.needs)
                    node.shares[taken.number] = min(WHOLE, node.shares[taken.number] + step)
        for pair in sorted(chosen):
            for other, number in self.claims.get(pair, ()):
                if number not in counted and node.shares[number] and other in node.allowed:
                    disagreeing.append(other)
                    node.shares[number] = max(0, node.shares[number] - step)
        return disagreeing

    def _pair(
        self, node: _Node, chosen: Collection[Pair], disagreeing: Sequence[Pair]
    ) -> Pair | None:
        """The pair that is disagreed on most; if there is none, any that is not fixed."""
        votes: dict[Pair, int] = {}
        for pair in disagreeing:
            votes[pair] = votes.get(pair, 0) + 1
        for pairs in (votes, chosen, node.allowed):
            left = [pair for pair in pairs if pair not in node.fixed]
            if left:
                return min(left, key=lambda pair: (-votes.get(pair, 0), pair))
        return None

    # --- alignments -------------------------------------------------------------------------------

    def _meet(self, pairs: Collection[Pair]) -> None:
        """Remember an alignment if it is better than all before."""
        aligned = self.supported(pairs)
        values = sum(self.found[pair].count(aligned) for pair in aligned)
        if values > self.most or (values == self.most and not self.best):
            self.best, self.most = set(aligned), values

    def _improved(self, chosen: Collection[Pair], node: _Node) -> set[Pair]:
        """The same, with each type aligned anew, given the others."""
        aligned = set(chosen)
        for block in self.blocks:
            worth = {}
            for pair in block:
                if pair in node.allowed:
                    asked = {other for other, _ in self.claims.get(pair, ()) if other in aligned}
                    worth[pair] = self.found[pair].count(aligned) + len(asked)
            self._spend(len(worth))
            aligned = aligned.difference(block) | self._assigned(worth)
        return aligned

    def _assigned(self, worth: Mapping[Pair, int]) -> set[Pair]:
        """The pairs of greatest worth together, at most one for each template."""
        for block in self.blocks:
            pairs = [pair for pair in block if worth.get(pair)]
            keys, responses = (len({pair[side] for pair in pairs}) for side in (0, 1))
            self._spend(keys**2 * max(keys, responses))
        return set(best_pairs(worth).items())

    def _spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.most_steps:
            raise SerevalError(
                f"the optimal alignment takes too long, more than {self.most_steps} steps, "
                "expected fewer templates that are alike; the greedy alignment has no such limit"
            )


def _needed(edges: Iterable[Edge]) -> list[list[Pair]]:
    """What each fill of the key needs one of.

    A pointer that stands in a slot twice counts no more often than the response has its partner,
    so that further ones are left out: they would keep the bound from closing.

    >>> _needed([Edge(0, 0, ((4, 7),)), Edge(1, 0, ((4, 7),)), Edge(2, 0, ((5, 7),))])
    [[(4, 7)], [(5, 7)]]
    """
    of_fill: dict[int, list[Edge]] = {}
    for edge in edges:
        of_fill.setdefault(edge.key, []).append(edge)
    found = []
    copies: Counter[tuple[Pair, ...]] = Counter()
    for own in of_fill.values():
        needs = tuple(dict.fromkeys(pair for edge in own for pair in edge.needs))
        if all(len(edge.needs) == 1 for edge in own):  # no alternatives
            copies[needs] += 1
            if copies[needs] > max(Counter(edge.needs for edge in own).values()):
                continue
        found.append(list(needs))
    return found
