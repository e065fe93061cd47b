"""The optimal alignment: an exact search for the alignment with most common values.

An alignment is a set of pairs, at most one for each template, in which every pair meets the
criterion. A pointer is common if the pair that it needs is in the alignment. The optimal alignment
has the greatest sum of common values over its pairs. This sum is the number of correct fills, so
the optimal alignment is "the alignment that optimizes the resulting score", which the greedy
algorithm of MUC-6 approximates (Kehler et al. 2001, section 2.2).

If the greedy alignment has the greatest sum, it is the result. So the two alignments differ only
where the optimal one gains something. Of several other alignments with the greatest sum the search
returns the first that it meets, which depends only on the documents and their order.

**Search.** The search is branch and bound. A *link* is the value that a pointer adds to a pair if
the pair that it needs is chosen. If the value of each link were divided between the two pairs in
fixed shares, each type would be a separate assignment problem. For any shares, the sum of the best
assignments is an upper bound (the Lagrangian relaxation of "a link needs its pair"). The search
moves the shares for some rounds towards pairs on which the assignments disagree, so that the bound
falls. If the bound stays above the best alignment so far, the search branches on such a pair: one
branch chooses it, the other excludes it.
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
from .common import CommonFill, Overlaps, PositionPair

MOST_STEPS = 20_000_000
"""The most steps of the search in a document, which take less than ten seconds."""

WHOLE = 64
"""The number of units of a common value of weight 1; shares are whole units."""

FIRST_ROUNDS, ROUNDS = 60, 12
"""The number of rounds in which shares move: at the root, and in each branch."""


class Link(NamedTuple):
    """The value that a fill adds to a pair if another pair is chosen.

    Args:
        number: its number among all links.
        needs: the other pair.
    """

    number: int
    needs: PositionPair


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the search: the remaining problem when some pairs are fixed.

    Args:
        allowed: the pairs that can be chosen.
        fixed: the pairs that must be chosen.
        shares: for each link, the share of the pair that it needs.
    """

    allowed: frozenset[PositionPair]
    fixed: frozenset[PositionPair]
    shares: list[int] = field(compare=False)


def optimal(
    found: Overlaps, known: Iterable[PositionPair] = (), most_steps: int = MOST_STEPS
) -> set[PositionPair]:
    """The alignment with most common values.

    The naive equivalent tries all alignments and keeps the best.

    Args:
        found: the overlaps of all pairs that could meet the criterion.
        known: an alignment that is the result if no other is better.
        most_steps: the most steps that the search may take.

    Returns:
        The pairs of the alignment.

    Raises:
        SerevalError: the search takes more steps.

    >>> from .common import Overlap
    >>> three, two = Overlap(3, evidence=True), Overlap(2, evidence=True)
    >>> sorted(optimal({(0, 0): three, (0, 1): two, (1, 0): two}))
    [(0, 1), (1, 0)]
    """
    search = _Search(found, known, most_steps)
    number = count()  # of branches with equal bounds the oldest comes first
    half = [whole // 2 for whole in search.whole]
    waiting: list[tuple[int, int, _Node, PositionPair | None]] = []

    def bounded(
        allowed: frozenset[PositionPair], fixed: frozenset[PositionPair], shares: list[int]
    ) -> None:
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
    """The search in one document, and the best alignment so far.

    Args:
        found: the overlaps of the pairs.
        known: an alignment to begin with.
        most_steps: the most steps that the search may take.
    """

    def __init__(self, found: Overlaps, known: Iterable[PositionPair], most_steps: int) -> None:
        self.found = found
        self.most_steps = most_steps
        self.blocks = components(found)
        self.steps = 0
        self.sure: dict[PositionPair, int] = {}  # common values that need no other pair
        self.fills: dict[PositionPair, list[list[Link]]] = {}  # links of a pair, by fill
        self.claims: dict[PositionPair, list[tuple[PositionPair, int]]] = {}  # by the pair needed
        self.whole: list[int] = []  # the value of each link
        for pair in sorted(found):
            self._link(pair)
        self.best: set[PositionPair] = set()
        self.most = 0
        self._meet(set(known))

    def _link(self, pair: PositionPair) -> None:
        """Add the links of a pair. A fill of the key adds at most one value, for any partner."""
        overlap = self.found[pair]
        self.sure[pair] = overlap.texts
        self.fills[pair] = []
        for _, edges, weight in overlap.pointing:
            texts = {edge.key for edge in edges if not edge.needs}
            self.sure[pair] += weight * len(texts)
            for needs in _alternatives(edge for edge in edges if edge.key not in texts):
                links = [Link(len(self.whole) + k, each) for k, each in enumerate(needs)]
                self.whole += [WHOLE * weight] * len(links)
                self.fills[pair].append(links)
                for link in links:
                    self.claims.setdefault(link.needs, []).append((pair, link.number))

    def supported(self, allowed: Iterable[PositionPair]) -> frozenset[PositionPair]:
        """The pairs that still meet the criterion when pairs that cannot meet it are removed."""
        left = set(allowed)
        waiting = sorted(left)
        while waiting:
            self._spend(1)
            pair = waiting.pop()
            if pair in left and not self.found[pair].may_align(left):
                left.discard(pair)
                waiting += dict.fromkeys(other for other, _ in self.claims.get(pair, ()))
        return frozenset(left)

    def bound(self, node: _Node, rounds: int) -> tuple[int, PositionPair | None]:
        """An upper bound on the common values of alignments in a node, and a pair to branch on.

        The shares of the node move. The pair is ``None`` if all pairs are fixed.
        """
        least: int | None = None
        step = max(self.whole, default=WHOLE) // 4
        pair: PositionPair | None = None
        for _ in range(rounds):
            worth, chosen = self._relax(node)
            total = sum(worth[each] for each in chosen)
            if least is None or total < least:
                least = total
            else:
                step = max(1, step * 3 // 4)
            self._meet(self._improve(chosen, node))
            disagreeing = self._move(node, chosen, step)
            pair = self._pair(node, chosen, disagreeing)
            if least // WHOLE <= self.most or not disagreeing:
                break
        return (least or 0) // WHOLE, pair

    def _relax(self, node: _Node) -> tuple[dict[PositionPair, int], set[PositionPair]]:
        """The worth of each pair under the shares, and the best assignments."""
        worth = {}
        for pair in sorted(node.allowed):
            value = self.sure[pair] * WHOLE
            for links in self.fills[pair]:
                value += max(
                    (self.whole[n] - node.shares[n] for n, needs in links if needs in node.allowed),
                    default=0,
                )
            for other, number in self.claims.get(pair, ()):
                if other in node.allowed:
                    value += node.shares[number]
            worth[pair] = value
        self._spend(len(worth) + len(self.whole))
        return worth, self._assign(worth)

    def _move(self, node: _Node, chosen: Collection[PositionPair], step: int) -> list[PositionPair]:
        """Move the shares towards agreement, and return the pairs on which links disagree.

        A pair gets a larger share of a link that counts on it although it is not chosen. It gets a
        smaller share of a link that does not count on it although it is chosen.
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
                whole = self.whole[taken.number]
                if taken.needs not in chosen and node.shares[taken.number] < whole:
                    disagreeing.append(taken.needs)
                    node.shares[taken.number] = min(whole, node.shares[taken.number] + step)
        for pair in sorted(chosen):
            for other, number in self.claims.get(pair, ()):
                if number not in counted and node.shares[number] and other in node.allowed:
                    disagreeing.append(other)
                    node.shares[number] = max(0, node.shares[number] - step)
        return disagreeing

    def _pair(
        self, node: _Node, chosen: Collection[PositionPair], disagreeing: Sequence[PositionPair]
    ) -> PositionPair | None:
        """The pair with most disagreements; without disagreement, a pair that is not fixed."""
        votes: dict[PositionPair, int] = {}
        for pair in disagreeing:
            votes[pair] = votes.get(pair, 0) + 1
        for pairs in (votes, chosen, node.allowed):
            left = [pair for pair in pairs if pair not in node.fixed]
            if left:
                return min(left, key=lambda pair: (-votes.get(pair, 0), pair))
        return None

    # --- alignments -------------------------------------------------------------------------------

    def _meet(self, pairs: Collection[PositionPair]) -> None:
        """Keep an alignment if it is better than the best so far."""
        aligned = self.supported(pairs)
        values = sum(self.found[pair].count(aligned) for pair in aligned)
        if values > self.most or (values == self.most and not self.best):
            self.best, self.most = set(aligned), values

    def _improve(self, chosen: Collection[PositionPair], node: _Node) -> set[PositionPair]:
        """The alignment after each type is aligned again, with the other types fixed."""
        aligned = set(chosen)
        for block in self.blocks:
            worth = {}
            for pair in block:
                if pair in node.allowed:
                    claims = {
                        other: self.whole[number] // WHOLE
                        for other, number in self.claims.get(pair, ())
                        if other in aligned
                    }
                    worth[pair] = self.found[pair].count(aligned) + sum(claims.values())
            self._spend(len(worth))
            aligned = aligned.difference(block) | self._assign(worth)
        return aligned

    def _assign(self, worth: Mapping[PositionPair, int]) -> set[PositionPair]:
        """The assignment of greatest total worth, at most one pair for each template."""
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


def _alternatives(edges: Iterable[CommonFill]) -> list[list[PositionPair]]:
    """For each fill of the key, its alternative pairs: the fill needs one of them.

    A repeated pointer counts at most as often as its partner occurs in the response. Further
    repetitions are left out, because they would keep the bound too high.

    >>> fills = [CommonFill(i, 0, ((own, 7),)) for i, own in enumerate((4, 4, 5))]
    >>> _alternatives(fills)
    [[(4, 7)], [(5, 7)]]
    """
    of_fill: dict[int, list[CommonFill]] = {}
    for edge in edges:
        of_fill.setdefault(edge.key, []).append(edge)
    found = []
    copies: Counter[tuple[PositionPair, ...]] = Counter()
    for own in of_fill.values():
        needs = tuple(dict.fromkeys(pair for edge in own for pair in edge.needs))
        if all(len(edge.needs) == 1 for edge in own):  # no alternatives
            copies[needs] += 1
            if copies[needs] > max(Counter(edge.needs for edge in own).values()):
                continue
        found.append(list(needs))
    return found
