"""What the elements of a cluster weigh at least, whatever becomes of them: prices and dues.

Each hypothesis element ``h`` has a *price*, and each reference element ``r`` a *due*, such that ::

    price(h) <= insertion(h)
    due(r)   <= deletion(r) + shift(r)
    due(r)   <= pair(r, h) + shift(r) - price(h)     whatever it may be paired with

where ``shift(r)`` is that of its two tags. In a solution each pair then weighs a due and a price or
more, and what is left alone a due or a price or more. So what a search has yet to settle adds at
least the dues and prices of the elements in it: a bound that takes no more than a sum.

Any prices will do, for the dues follow from them as minima. ``prices`` finds those for which the
sum over all elements is the highest. A due rises as less is left open: it is that of an element
that may begin anywhere, of one that began together with a hypothesis element, or apart from all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from .assignment import prices
from .clusters import Cluster, places_of_tags


class Weights(NamedTuple):
    """What the search minimises: whole numbers that add up, and a unit of shift weighs 1.

    Args:
        deletion, insertion: of an element that is left alone, and of one that is neutral.
        pair: by (what is right of the label, same span, one of the two is neutral); ``None``: it
            may not be, and no more if one is neutral.
        late_hypothesis, late_reference: what a pair weighs besides if that element starts later;
            0 or more.
        starts_matter: whether what a pair weighs, or whether it may be, hangs on where the
            reference element began.
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
    """What a reference element may come to weigh.

    Args:
        beginning, ending: the least shift of its tags.
        alone: its weight if it is left alone, with the least shift of its end.
        apart: of pairs whose spans differ, by hypothesis element, likewise.
        together: of pairs on the same span, likewise with the shift of its end there.
        at: the shift of its start in these.
    """

    beginning: int
    ending: int
    alone: int
    apart: dict[int, int]
    together: dict[int, int]
    at: dict[int, int]

    def pairs(self) -> dict[int, int]:
        """The least that each pair weighs."""
        found = {h: self.beginning + weight for h, weight in self.apart.items()}
        for h, weight in self.together.items():
            weight += self.at[h]
            found[h] = min(found.get(h, weight), weight)
        return found


class Dues:
    """The prices and dues of a cluster.

    Args:
        cluster: with candidates that some placement uses, for every tag.
        weights: of its slots.

    Attributes:
        price: of each hypothesis element.
        unopened: of each reference element before it is placed.
        together: of an open one, by element and the frontier where it began, if that is where
            a hypothesis element begins that it can have the span of.
        apart: of an open one that began elsewhere.
        ending: the least shift of its end, which is all that is due of a paired one.
    """

    def __init__(self, cluster: Cluster, weights: Weights) -> None:
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


def _rows(cluster: Cluster, weights: Weights) -> Iterator[_Row]:
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
    """The hypothesis elements with a word between two frontiers; ``starts`` are theirs."""
    after = bisect_right(starts, first)
    yield from range(after, bisect_left(starts, last))
    h = after - 1 if after else None
    while h is not None:  # the last one that starts before, and what it is in
        if cluster.hypotheses[h].end > first:
            yield h
        h = cluster.hypotheses[h].parent


def _shift(k: int, strict: int | None) -> int:
    return 0 if strict is None else abs(k - strict)


def _least_shift(candidates: tuple[int, ...], strict: int | None) -> int:
    return min(_shift(k, strict) for k in candidates)
