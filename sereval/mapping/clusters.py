"""Cutting the mapping problem into independent clusters, and solving the trivial ones.

A frontier cuts the problem in two if no element of either side spans it and no candidates of an
element lie on both sides of it. No pair shares a word across such a frontier, and no choice on one
side limits a choice on the other. Nearly every corpus falls into small clusters. Most clusters need
no search, and many of the others are equal: a cluster holds no words, labels or position, so equal
clusters have the same solution.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import le
from typing import NamedTuple

from ..documents.model import Document, Reference, tags
from ..errors import SerevalError

Tag = tuple[int, bool]
"""A tag of the reference: the index of its element, and whether it is the closing tag."""


class Hypothesis(NamedTuple):
    """A hypothesis element of a cluster, and the reference elements that accept its label."""

    start: int  # a frontier of the cluster, like ``end``
    end: int
    parent: int | None  # index; None: a root
    accepted_by: tuple[int, ...]  # in document order
    is_neutral: bool = False  # whether its label is neutral

    def fits(self, r: int) -> bool:
        """Whether a reference element accepts the label."""
        place = bisect_left(self.accepted_by, r)
        return self.accepted_by[place : place + 1] == (r,)

    def latest_half(self, start: int, until: int) -> int:
        """The last frontier where a reference element may end to share half of the longer span."""
        shared = until - max(start, self.start)
        return start + 2 * shared if 2 * shared >= self.end - self.start else -1


class Solution(NamedTuple):
    """The best solution of a cluster."""

    pairs: tuple[tuple[int, int], ...]  # indices (reference element, hypothesis element)
    placement: tuple[tuple[int, int], ...]  # frontiers (start, end) of each reference element
    states: int = 0  # visited, as they count for the limit


class Cluster(NamedTuple):
    """An independent part of the problem; its elements and frontiers are numbered from 0."""

    parents: tuple[int | None, ...]  # of each reference element, in document order
    # of each tag, in order, without those that no placement uses
    candidates: tuple[tuple[int, ...], ...]
    strict: tuple[int | None, ...]  # the strict frontier of each tag
    hypotheses: tuple[Hypothesis, ...]  # in document order
    neutral: tuple[int, ...] = ()  # reference elements whose label is neutral

    @property
    def size(self) -> int:
        """The number of its elements, on both sides."""
        return len(self.parents) + len(self.hypotheses)

    @property
    def has_neutral(self) -> bool:
        """Whether any of its elements is neutral."""
        return bool(self.neutral) or any(h.is_neutral for h in self.hypotheses)

    @property
    def is_placed(self) -> bool:
        """Whether each tag has one candidate, as on the same words."""
        return {*map(len, self.candidates)} <= {1}

    def at_sight(self, *, may_agree: bool) -> Solution | None:
        """The strict placement, if a side is empty; else, if it may be, all correct pairs."""
        pairs: tuple[tuple[int, int], ...] = ()
        if self.hypotheses and self.parents:
            if not may_agree or self.parents != tuple([other.parent for other in self.hypotheses]):
                return None
            if not all(other.fits(r) for r, other in enumerate(self.hypotheses)):
                return None
            pairs = tuple((r, r) for r in range(len(self.parents)))
            of_each = [(other.start, other.end) for other in self.hypotheses]
            frontiers = [of_each[r][is_closing] for r, is_closing in tags_of(self.parents)]
        else:
            both = zip(self.candidates, self.strict, strict=True)
            frontiers = [those[0] if strict is None else strict for those, strict in both]
        spans = tuple((frontiers[a], frontiers[b]) for a, b in places_of_tags(self.parents))
        is_placement = (
            all(k in those for k, those in zip(frontiers, self.candidates, strict=True))
            and all(map(le, frontiers, frontiers[1:]))
            and all(start < end for start, end in spans)
        )
        return Solution(pairs, spans) if is_placement else None


@lru_cache(maxsize=1 << 12)  # many forests are equal
def tags_of(parents: tuple[int | None, ...]) -> tuple[Tag, ...]:
    """The tags of a forest, as ``tags``, from a cache."""
    return tuple(tags(parents))


@lru_cache(maxsize=1 << 12)
def places_of_tags(parents: tuple[int | None, ...]) -> tuple[tuple[int, int], ...]:
    """The places of the opening tag and of the closing tag of each element among all tags."""
    places: list[list[int]] = [[] for _ in parents]
    for place, (r, _) in enumerate(tags_of(parents)):
        places[r].append(place)
    return tuple((opening, closing) for opening, closing in places)


class Origin(NamedTuple):
    """The place of a cluster in the problem that it was cut from."""

    reference: int  # index of its first element, like ``hypothesis``
    hypothesis: int
    frontier: int  # its first


_Tree = tuple[int, bool, int, int, int]
"""A tree of elements: its start, whether it is the hypothesis's, its first element, the element
after its last, and its end."""


def clusters(
    reference: Reference,
    hypothesis: Document,
    neutral: frozenset[str] = frozenset(),
) -> list[tuple[Origin, Cluster]]:
    """Cut a reference and a hypothesis on the same words into independent parts, in order."""
    if reference.words != hypothesis.words:
        raise SerevalError(f"{reference.id}: reference and hypothesis have different words")
    hypotheses = hypothesis.elements
    elements = reference.elements
    parents = tuple([element.parent for element in elements])
    order = tags(parents)
    accepting: dict[str, list[int]] = {}
    for r, element in enumerate(elements):
        for label in element.labels:
            accepting.setdefault(label, []).append(r)
    found = {  # hypotheses of one label share what the reference says of it
        label: (tuple(accepting.get(label, ())), label in neutral)
        for label in {h.label for h in hypotheses}
    }
    whole = Cluster(
        parents,
        tuple(feasible_candidates(reference, order)),
        tuple([(elements[r].strict or (None, None))[is_closing] for r, is_closing in order]),
        tuple([Hypothesis._make((h.start, h.end, h.parent, *found[h.label])) for h in hypotheses]),
        tuple([r for r, element in enumerate(elements) if element.label in neutral]),
    )
    return [*inside(whole, 0)]


def inside(cluster: Cluster, level: int) -> Iterator[tuple[Origin, Cluster]]:
    """Cut the elements inside the covers of a cluster into independent parts, in order."""
    # There are ``level`` covers, nested in one another, on each side. All candidates of the other
    # elements lie within the covers, for every placement of the covers. Origins are counted from
    # that of the cluster.
    candidates, hypotheses = cluster.candidates, cluster.hypotheses
    trees: list[_Tree] = []
    outer = level - 1 if level else None
    for of_hypothesis in (False, True):
        parents = [other.parent for other in hypotheses] if of_hypothesis else cluster.parents
        tops = [k for k in range(level, len(parents)) if parents[k] == outer]
        for first, after in pairwise([*tops, len(parents)]):
            start, end = (
                hypotheses[first][:2]
                if of_hypothesis
                else (
                    candidates[2 * first - level][0],
                    candidates[2 * after - level - 1][-1],
                )
            )
            trees.append((start, of_hypothesis, first, after, end))
    is_plain = cluster.is_placed and not cluster.has_neutral
    for start, first_r, after_r, first_h, after_h in _groups(trees):
        origin = Origin(first_r, first_h, start)
        if is_plain and after_r - first_r < 2 and after_h - first_h < 2:
            yield origin, _simple(cluster, origin, after_r, after_h, level)
        else:
            yield origin, _cut(cluster, origin, after_r, after_h, level)


def _simple(cluster: Cluster, origin: Origin, after_r: int, after_h: int, level: int) -> Cluster:
    """The same as ``_cut``, faster, of an element on each side at most, which has one place."""
    r, h, base = origin
    own = strict = other = None
    accepted_by: tuple[int, ...] = ()
    if after_r:
        tag = 2 * r - level
        own = cluster.candidates[tag][0] - base, cluster.candidates[tag + 1][0] - base
        start, end = cluster.strict[tag : tag + 2]
        strict = None if start is None else start - base, None if end is None else end - base
    if after_h:
        hypothesis = cluster.hypotheses[h]
        other = hypothesis.start - base, hypothesis.end - base
        if own and hypothesis.fits(r):
            accepted_by = (0,)
    return _of_spans(own, strict, other, accepted_by)


def _cut(cluster: Cluster, origin: Origin, after_r: int, after_h: int, level: int) -> Cluster:
    """A part of a cluster, counted from its own origin, without the elements around it."""
    first_r, first_h, base = origin
    tags = slice(2 * first_r - level, 2 * after_r - level) if after_r else slice(0)
    shared: dict[int, tuple[int, ...]] = {}  # hypotheses of one label share one tuple
    hypotheses = []
    for start, end, parent, accepted, is_neutral in cluster.hypotheses[first_h:after_h]:
        own = shared.get(id(accepted))
        if own is None:
            own = shared[id(accepted)] = _within(accepted, first_r, after_r)
        inner = None if parent is None or parent < first_h else parent - first_h
        hypotheses.append(Hypothesis(start - base, end - base, inner, own, is_neutral))
    parents = cluster.parents[first_r:after_r]
    return Cluster(
        tuple([None if r is None or r < first_r else r - first_r for r in parents]),
        tuple([tuple([k - base for k in those]) for those in cluster.candidates[tags]]),
        tuple([None if k is None else k - base for k in cluster.strict[tags]]),
        tuple(hypotheses),
        _within(cluster.neutral, first_r, after_r),
    )


@lru_cache(maxsize=1 << 12)  # a corpus without trees has few different clusters
def _of_spans(
    own: tuple[int, int] | None,
    strict: tuple[int | None, int | None] | None,
    other: tuple[int, int] | None,
    accepted_by: tuple[int, ...],
) -> Cluster:
    return Cluster(
        (None,) if own else (),
        tuple((k,) for k in own or ()),
        strict or (),
        (Hypothesis(*other, None, accepted_by),) if other else (),
    )


def _within(numbers: Sequence[int], first: int, after: int) -> tuple[int, ...]:
    """Those of increasing numbers that are in a range, counted from its first."""
    found = numbers[bisect_left(numbers, first) : bisect_left(numbers, after)] if numbers else ()
    return tuple([r - first for r in found])


def feasible_candidates(reference: Reference, order: Sequence[Tag]) -> list[tuple[int, ...]]:
    """For each tag of an order, the candidates that some placement uses; never empty."""
    # Placing every tag as early as possible gives the smallest ones. Placing every tag as late as
    # possible gives the largest ones. A candidate between the two is used by the placement with the
    # earliest frontiers before it and the latest frontiers after it.
    elements = reference.elements
    found = [elements[r].ends if c else elements[r].starts for r, c in order]
    first = [0] * len(elements)  # frontiers of the tags that come first
    floor, ceiling = 0, len(reference.words)
    for place, (r, is_closing) in enumerate(order):
        those = found[place]
        if is_closing and floor <= first[r]:
            floor = first[r] + 1
        if not those or those[0] < floor:  # else none is cut off
            those = found[place] = those[bisect_left(those, floor) :]
            if not those:
                raise SerevalError(
                    f"{reference.id}: reference element {r} ({elements[r].label}) "
                    "has no place, expected a reference that has been through the walk"
                )
        floor = those[0]
        if not is_closing:
            first[r] = floor
    for place in reversed(range(len(order))):
        r, is_closing = order[place]
        those = found[place]
        if not is_closing and ceiling >= first[r]:
            ceiling = first[r] - 1
        if those[-1] > ceiling:
            those = found[place] = those[: bisect_right(those, ceiling)]
        ceiling = those[-1]
        if is_closing:
            first[r] = ceiling
    return found


def _groups(trees: Iterable[_Tree]) -> list[list[int]]:
    """Group the trees that overlap, from left to right."""
    # For each group: its start, its first reference element and the element after its last, its
    # first hypothesis element and the element after its last.
    groups: list[list[int]] = []
    reach = 0
    for start, of_hypothesis, first, after, end in sorted(trees):
        if start >= reach:
            group = [start, 0, 0, 0, 0]
            groups.append(group)
        side = 3 if of_hypothesis else 1
        if not group[side + 1]:
            group[side] = first
        group[side + 1] = after
        if end > reach:
            reach = end
    return groups
