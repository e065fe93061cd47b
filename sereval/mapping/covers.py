"""Covers: elements around all others of a cluster, which are paired before the elements inside.

An element around a whole document makes the document one cluster, even if the other elements are
far apart. Let ``r`` and ``h`` be the outermost elements of the two sides. If they can have the same
span, and no pair of either with another element can weigh less, they are paired on that span. The
elements inside them then fall into clusters of their own.

**Why it is exact.** Take a solution in which ``r`` and ``h`` are not paired with one another. Leave
their partners alone, if they have any, place ``r`` on the span of ``h``, and pair the two. The
elements inside need not move, because all their candidates lie within that span. The pair inverts
no nesting, because it is outside all others. In the old solution ``r`` and its partner weighed at
least ``gain(r)`` more than that partner alone, and ``h`` and its partner likewise; the tags of
``r`` had at least their least shift. So the new solution weighs no more, if ::

    pair(r, h) + shift there <= gain(r) + gain(h) + least shift
    gain(r) = min(deletion(r), pair(r, x) - insertion(x) …)   over all hypothesis elements but h
    gain(h) = min(insertion(h), pair(y, h) - deletion(y) …)   over all reference elements but r
"""

from __future__ import annotations

from collections.abc import Sequence

from .clusters import Cluster, places_of_tags
from .search import SearchWeights


def covers(cluster: Cluster, weights: SearchWeights) -> int:
    """How many covers of each side, outermost first, are paired with those of the other side."""
    places = places_of_tags(cluster.parents)
    level = 0
    while _has_one_top(cluster, level) and _is_settled(cluster, weights, places, level):
        level += 1
    return level


def _has_one_top(cluster: Cluster, level: int) -> bool:
    """Whether the elements inside ``level`` covers are one tree on each side."""
    outer = level - 1 if level else None
    others = [other.parent for other in cluster.hypotheses]
    return all(
        len(side) > level and side[level] == outer and outer not in side[level + 1 :]
        for side in (list(cluster.parents), others)
    )


def _is_settled(
    cluster: Cluster, weights: SearchWeights, places: Sequence[Sequence[int]], r: int
) -> bool:
    """Whether the outermost elements inside ``r`` covers can be paired with one another."""
    hypothesis = cluster.hypotheses[r]
    opening, closing = places[r]
    shift = 0
    for place, k in ((opening, hypothesis.start), (closing, hypothesis.end)):
        those, strict = cluster.candidates[place], cluster.strict[place]
        if k not in those:
            return False
        if strict is not None:
            shift += abs(k - strict) - min(abs(other - strict) for other in those)
    inside = cluster.candidates[opening + 1 : closing]
    if any(those[0] < hypothesis.start or those[-1] > hypothesis.end for those in inside):
        return False
    neutral = frozenset(cluster.neutral)
    is_free = r in neutral or hypothesis.is_neutral
    together = weights.pair[hypothesis.fits(r), True, is_free]
    if together is None:
        return False
    of_r, of_h = [weights.deletion[r in neutral]], [weights.insertion[hypothesis.is_neutral]]
    for h in range(r + 1, len(cluster.hypotheses)):
        weight = _lightest(cluster, weights, places, r, h)
        if weight is not None:
            of_r.append(weight - weights.insertion[cluster.hypotheses[h].is_neutral])
    for y in range(r + 1, len(cluster.parents)):
        weight = _lightest(cluster, weights, places, y, r)
        if weight is not None:
            of_h.append(weight - weights.deletion[y in neutral])
    return together + shift <= min(of_r) + min(of_h)


def _lightest(
    cluster: Cluster, weights: SearchWeights, places: Sequence[Sequence[int]], r: int, h: int
) -> int | None:
    """The least weight of a pair; ``None``: it is not allowed."""
    other = cluster.hypotheses[h]
    fits, free = other.fits(r), other.is_neutral or r in cluster.neutral
    starts, ends = (cluster.candidates[place] for place in places[r])
    may_agree = other.start in starts and other.end in ends
    found = [weights.pair[fits, same, free] for same in ((False, True) if may_agree else (False,))]
    return min((weight for weight in found if weight is not None), default=None)
