"""Lower bounds for the weight of the elements of a cluster: prices and dues.

Each hypothesis element ``h`` has a *price*, and each reference element ``r`` a *due*, such that ::

    price(h) <= insertion(h)
    due(r)   <= deletion(r) + shift(r)
    due(r)   <= pair(r, h) + shift(r) - price(h)     for every h that r may be paired with

where ``shift(r)`` is the shift of the two tags of ``r``. So in every solution a pair weighs at
least a due and a price, and an element in no pair weighs at least its due or its price. The
elements that a search has not yet settled add at least the sum of their dues and prices.

This holds for any prices, with the dues as minima. ``prices`` finds the prices with the highest
sum over all elements. A due rises when the start of an element is known: there is a due before the
element starts, one for a start together with a hypothesis element, and one for other starts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from .assignment import prices
from .clusters import Cluster, places_of_tags


class SearchWeights(NamedTuple):
    """The weights that the search minimises: integers that add up; a unit of shift weighs 1.

    Args:
        deletion, insertion: the weight of an element in no pair, and of a neutral element in no
            pair.
        pair: the weight of a pair, by (``Hypothesis.right``, same span, one of the two is neutral);
            ``None``: the pair is not allowed, neutral or not.
        late_hypothesis, late_reference: the weight, 0 or more, that a pair adds if this element
            starts after its partner.
        starts_matter: whether the weight of a pair, or whether it is allowed, depends on the start
            of the reference element.
        half: whether a pair must share half the words of its longer span.
        nesting: whether rule 3 holds.
    """

    deletion: tuple[int, int]
    insertion: tuple[int, int]
    pair: dict[tuple[int, bool, bool], int | None]
    late_hypothesis: int = 0
    late_reference: int = 0
    starts_matter: bool = False
    half: bool = False
    nesting: bool = True


class _Row(NamedTuple):
    """The possible weights of a reference element.

    Args:
        beginning, ending: the least shift of its start and of its end.
        alone: its weight in no pair, with ``ending``.
        apart: the weights of pairs with different spans, by hypothesis element, with ``ending``.
        together: the weights of pairs with the same span, with the shift of its end there.
        at: the shift of its start in the pairs of ``together``.
    """

    beginning: int
    ending: int
    alone: int
    apart: dict[int, int]
    together: dict[int, int]
    at: dict[int, int]

    def pairs(self) -> dict[int, int]:
        """The least weight of each pair."""
        found = {h: self.beginning + weight for h, weight in self.apart.items()}
        for h, weight in self.together.items():
            weight += self.at[h]
            found[h] = min(found.get(h, weight), weight)
        return found


class Dues:
    """The prices and dues of a cluster.

    Args:
        cluster: a cluster whose candidates are each used by some placement.
        weights: the weights of its slots.

    Attributes:
        price: the price of each hypothesis element.
        unopened: the due of each reference element before it starts.
        together: the due of an open element, by element and start, if a hypothesis element whose
            span it can have starts there too.
        apart: the due of an open element with any other start.
        ending: the due of a paired element: the least shift of its end.
    """

    def __init__(self, cluster: Cluster, weights: SearchWeights) -> None:
        rows = list(_rows(cluster, weights))
        self.price = prices(
            [row.pairs() for row in rows],
            [row.beginning + row.alone for row in rows],
            [weights.insertion[h.is_neutral] for h in cluster.hypotheses],
        )
        self.ending = [row.ending for row in rows]
        self.apart: list[int] = []
        self.unopened: list[int] = []
        self.together: dict[tuple[int, int], int] = {}
        for r, row in enumerate(rows):
            apart = min([row.alone, *(w - self.price[h] for h, w in row.apart.items())])
            unopened = row.beginning + apart
            for h, weight in row.together.items():
                start = r, cluster.hypotheses[h].start
                due = min(self.together.get(start, apart), weight - self.price[h])
                self.together[start] = due
                unopened = min(unopened, row.at[h] + due)
            self.apart.append(apart)
            self.unopened.append(unopened)


def _rows(cluster: Cluster, weights: SearchWeights) -> Iterator[_Row]:
    hyp_starts = [h.start for h in cluster.hypotheses]
    neutral = frozenset(cluster.neutral)
    for r, (opening, closing) in enumerate(places_of_tags(cluster.parents)):
        starts, ends = cluster.candidates[opening], cluster.candidates[closing]
        strict_start, strict_end = cluster.strict[opening], cluster.strict[closing]
        beginning, ending = _least_shift(starts, strict_start), _least_shift(ends, strict_end)
        may_start, may_end = frozenset(starts), frozenset(ends)
        row = _Row(beginning, ending, ending + weights.deletion[r in neutral], {}, {}, {})
        for h in _near(cluster, hyp_starts, starts[0], ends[-1]):
            hypothesis = cluster.hypotheses[h]
            right = hypothesis.right(r)
            free = hypothesis.is_neutral or r in neutral
            apart, same = weights.pair[right, False, free], weights.pair[right, True, free]
            if apart is not None:
                row.apart[h] = apart + ending
            if same is not None and hypothesis.start in may_start and hypothesis.end in may_end:
                row.at[h] = _shift(hypothesis.start, strict_start)
                row.together[h] = same + _shift(hypothesis.end, strict_end)
        yield row


def _near(cluster: Cluster, starts: list[int], first: int, last: int) -> Iterator[int]:
    """The hypothesis elements with a word between two frontiers; ``starts``: of all of them."""
    after = bisect_right(starts, first)
    yield from range(after, bisect_left(starts, last))
    h = after - 1 if after else None
    while h is not None:  # the last element that starts before, and its ancestors
        if cluster.hypotheses[h].end > first:
            yield h
        h = cluster.hypotheses[h].parent


def _shift(k: int, strict: int | None) -> int:
    return 0 if strict is None else abs(k - strict)


def _least_shift(candidates: tuple[int, ...], strict: int | None) -> int:
    """The shift of the candidate that is nearest to the strict frontier."""
    if strict is None:
        return 0
    after = bisect_left(candidates, strict)
    return min([abs(k - strict) for k in candidates[max(after - 1, 0) : after + 1]])
