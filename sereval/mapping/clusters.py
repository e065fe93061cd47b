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
from typing import Final, NamedTuple

from ..documents.model import Document, Element, Reference, ReferenceElement, depths, tags
from ..errors import SerevalError
from ..measures.slots import Nearness

Tag = tuple[int, bool]
"""A tag of the reference: the index of its element, and whether it is the closing tag."""


ALL: Final = -1
"""The result of ``Hypothesis.right`` if the reference element accepts the label."""


FEW: Final = 20
"""The greatest length of a tuple that is searched one by one; longer ones need bisection."""


CROWDED = 1000
"""The number of candidates from which equal numbers share one object, which saves memory."""


class Hypothesis(NamedTuple):
    """A hypothesis element of a cluster, and the reference elements that accept its label.

    Args:
        start, end: its span, in frontiers of the cluster.
        parent: index of its parent; ``None`` for a root.
        accepted_by: the reference elements that accept its label, in document order.
        is_neutral: whether its label is neutral.
        near: other reference elements, in document order, each with the number of right levels of
            the label; only those with a right level, and only if costs depend on levels.
    """

    start: int
    end: int
    parent: int | None
    accepted_by: tuple[int, ...]
    is_neutral: bool = False
    near: tuple[tuple[int, int], ...] = ()

    def right(self, r: int) -> int:
        """``ALL`` if reference element ``r`` accepts the label, else the number of right levels."""
        accepted = self.accepted_by
        if len(accepted) > FEW:
            place = bisect_left(accepted, r)
            accepted = accepted[place : place + 1]
        if r in accepted:
            return ALL
        if not self.near:
            return 0
        place = bisect_left(self.near, (r,))
        return self.near[place][1] if place < len(self.near) and self.near[place][0] == r else 0

    def latest_half(self, start: int, until: int) -> int:
        """The last frontier where a reference element may end to share half of the longer span.

        Args:
            start: the start of the reference element.
            until: the frontier where the shared words end.

        Returns:
            A frontier; -1 if the shared words are less than half of this element.
        """
        shared = until - max(start, self.start)
        return start + 2 * shared if 2 * shared >= self.end - self.start else -1


class Solution(NamedTuple):
    """The best solution of a cluster.

    Args:
        pairs: indices ``(reference element, hypothesis element)``.
        placement: ``(start, end)`` frontiers of each reference element.
        states: how many states the search visited, as they count for its limit.
    """

    pairs: tuple[tuple[int, int], ...]
    placement: tuple[tuple[int, int], ...]
    states: int = 0


class Cluster(NamedTuple):
    """An independent part of the problem; its elements and frontiers are numbered from 0.

    Args:
        parents: the parent of each reference element, in document order.
        candidates: the candidates of each tag, in order, without those that no placement uses.
        strict: the strict frontier of each tag; ``None`` if it has none.
        hypotheses: its hypothesis elements, in document order.
        neutral: its reference elements whose label is neutral.
    """

    parents: tuple[int | None, ...]
    candidates: tuple[tuple[int, ...], ...]
    strict: tuple[int | None, ...]
    hypotheses: tuple[Hypothesis, ...]
    neutral: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of its elements, on both sides."""
        return len(self.parents) + len(self.hypotheses)

    @property
    def depth(self) -> tuple[int, int]:
        """How many elements are nested in one another at most, on either side."""
        ours, theirs = depths(self.parents), depths([other.parent for other in self.hypotheses])
        return max(ours, default=0), max(theirs, default=0)

    @property
    def has_neutral(self) -> bool:
        """Whether any of its elements is neutral."""
        return bool(self.neutral) or any(h.is_neutral for h in self.hypotheses)

    @property
    def is_placed(self) -> bool:
        """Whether each tag has one candidate, as on the same words."""
        return all(len(those) == 1 for those in self.candidates)

    def agreement(self) -> Solution | None:
        """The solution in which all slots are correct; ``None`` if there is none."""
        if self.parents != tuple(hypothesis.parent for hypothesis in self.hypotheses):
            return None
        if not all(other.right(r) == ALL for r, other in enumerate(self.hypotheses)):
            return None
        frontiers = tuple(
            self.hypotheses[r].end if is_closing else self.hypotheses[r].start
            for r, is_closing in tags_of(self.parents)
        )
        if not all(k in those for k, those in zip(frontiers, self.candidates, strict=True)):
            return None
        spans = tuple((other.start, other.end) for other in self.hypotheses)
        return Solution(tuple((r, r) for r in range(len(spans))), spans)

    def strict_placement(self) -> Solution | None:
        """The strict placement, if one side is empty and the strict frontiers are a placement."""
        if self.hypotheses and self.parents:
            return None
        start: dict[int, int] = {}
        end: dict[int, int] = {}
        floor = 0
        for (r, is_closing), those, strict in zip(
            tags_of(self.parents), self.candidates, self.strict, strict=True
        ):
            frontier = those[0] if strict is None else strict
            least = max(floor, start[r] + 1) if is_closing else floor
            if frontier < least or frontier not in those:
                return None
            frontier_of = end if is_closing else start
            frontier_of[r] = floor = frontier
        return Solution((), tuple((start[r], end[r]) for r in range(len(self.parents))))


@lru_cache(maxsize=1 << 12)  # many forests are equal
def tags_of(parents: tuple[int | None, ...]) -> tuple[Tag, ...]:
    """The tags of a forest, as ``tags``, from a cache."""
    return tuple(tags(parents))


@lru_cache(maxsize=1 << 12)
def places_of_tags(parents: tuple[int | None, ...]) -> tuple[tuple[int, int], ...]:
    """The places of the opening tag and of the closing tag of each element among all tags.

    >>> places_of_tags((None, 0))
    ((0, 3), (1, 2))
    """
    places: list[list[int]] = [[] for _ in parents]
    for place, (r, _) in enumerate(tags_of(parents)):
        places[r].append(place)
    return tuple((opening, closing) for opening, closing in places)


class Origin(NamedTuple):
    """The place of a cluster in the problem that it was cut from.

    Args:
        reference, hypothesis: the indices of its first elements.
        frontier: its first frontier.
    """

    reference: int
    hypothesis: int
    frontier: int


_Tree = tuple[int, bool, int, int, int]
"""A tree of elements: its start, whether it is the hypothesis's, its first element, the element
after its last, and its end."""


def clusters(
    reference: Reference,
    hypothesis: Document,
    neutral: frozenset[str] = frozenset(),
    nearness: Nearness | None = None,
) -> Iterator[tuple[Origin, Cluster]]:
    """Cut a reference and a hypothesis on the same words into independent parts, in order.

    Args:
        reference: with a placement.
        hypothesis: a document on the same words.
        neutral: labels that cost nothing.
        nearness: counts the right levels of a label; ``None``: no cost depends on them.

    Raises:
        SerevalError: the reference has no placement.
    """
    candidates = feasible_candidates(reference)
    trees = [
        *_reference_trees(reference.elements, candidates),
        *_hypothesis_trees(hypothesis.elements),
    ]
    is_plain = nearness is None and not neutral and {*map(len, candidates)} <= {1}
    ours, theirs = reference.elements, hypothesis.elements
    for start, first_r, after_r, first_h, after_h in _groups(trees):
        origin = Origin(first_r, first_h, start)
        those = candidates[2 * first_r : 2 * after_r]
        if is_plain and after_r - first_r < 2 and after_h - first_h < 2:
            r = ours[first_r] if after_r else None
            h = theirs[first_h] if after_h else None
            yield origin, _simple(start, r, those, h)
        else:
            elements, hypotheses = ours[first_r:after_r], theirs[first_h:after_h]
            yield origin, _cluster(origin, elements, those, hypotheses, neutral, nearness)


def _simple(
    base: int,
    r: ReferenceElement | None,
    candidates: Sequence[tuple[int, ...]],
    h: Element | None,
) -> Cluster:
    """A cluster of at most one element on each side, with one candidate for each tag.

    The result equals that of `_cluster`.

    Args:
        base: the first frontier of the cluster.
        r: the reference element; ``None``: there is none.
        candidates: the candidates of its two tags.
        h: the hypothesis element; ``None``: there is none.
    """
    own = strict = None
    if r is not None:
        own = candidates[0][0] - base, candidates[1][0] - base
        strict = r.strict and (r.strict[0] - base, r.strict[1] - base)
    if h is None:
        return _of_spans(own, strict)
    accepted_by = (0,) if r is not None and h.label in r.labels else ()
    return _of_spans(own, strict, (h.start - base, h.end - base), accepted_by)


@lru_cache(maxsize=1 << 12)  # a corpus without trees has few different clusters
def _of_spans(
    own: tuple[int, int] | None,
    strict: tuple[int, int] | None,
    other: tuple[int, int] | None = None,
    accepted_by: tuple[int, ...] = (),
) -> Cluster:
    return Cluster(
        (None,) if own is not None else (),
        tuple((k,) for k in own or ()),
        (strict or (None, None)) if own else (),
        (Hypothesis(*other, None, accepted_by),) if other else (),
    )


def _cluster(
    origin: Origin,
    elements: Sequence[ReferenceElement],
    candidates: Sequence[tuple[int, ...]],
    hypotheses: Sequence[Element],
    neutral: frozenset[str],
    nearness: Nearness | None,
) -> Cluster:
    """A cluster with elements and frontiers counted from its origin."""
    base, first = origin.frontier, origin.reference
    parents = tuple([None if e.parent is None else e.parent - first for e in elements])
    found: dict[str, list[int]] = {}
    for r, element in enumerate(elements):
        for label in element.labels:
            found.setdefault(label, []).append(r)
    accepting = {label: tuple(those) for label, those in found.items()}
    of_element = [element.strict for element in elements]
    strict = [
        None if (both := of_element[r]) is None else both[is_closing] - base
        for r, is_closing in tags_of(parents)
    ]
    return Cluster(
        parents,
        _shift(candidates, base),
        tuple(strict),
        tuple(
            [
                Hypothesis(
                    h.start - base,
                    h.end - base,
                    None if h.parent is None else h.parent - origin.hypothesis,
                    accepting.get(h.label, ()),
                    h.label in neutral,
                    () if nearness is None else _near(elements, h.label, nearness),
                )
                for h in hypotheses
            ]
        ),
        tuple([r for r, element in enumerate(elements) if element.label in neutral])
        if neutral
        else (),
    )


def _shift(candidates: Sequence[tuple[int, ...]], base: int) -> tuple[tuple[int, ...], ...]:
    """Candidates counted from a frontier; if there are many, equal numbers are one object."""
    if not base:
        return tuple(candidates)
    if sum(map(len, candidates)) < CROWDED:
        return tuple([tuple([k - base for k in those]) for those in candidates])
    numbers = list(range(1 + max(those[-1] for those in candidates) - base))
    return tuple([tuple([numbers[k - base] for k in those]) for those in candidates])


def _near(
    elements: Sequence[ReferenceElement], label: str, nearness: Nearness
) -> tuple[tuple[int, int], ...]:
    found = (
        (r, nearness(e.labels, label)) for r, e in enumerate(elements) if label not in e.labels
    )
    return tuple((r, levels) for r, levels in found if levels)


def inside(cluster: Cluster, level: int) -> Iterator[tuple[Origin, Cluster]]:
    """Cut the elements inside the covers of a cluster into independent parts, in order.

    Args:
        cluster: the cluster.
        level: the number of covers, nested in one another, on each side. All candidates of the
            other elements lie within the covers, for every placement of the covers.

    Returns:
        The parts, each with its origin counted from that of the cluster.
    """
    places = places_of_tags(cluster.parents)
    trees: list[_Tree] = []
    for first, after in _tops(cluster.parents, level):
        opening, closing = (cluster.candidates[place] for place in places[first])
        trees.append((opening[0], False, first, after, closing[-1]))
    for first, after in _tops([other.parent for other in cluster.hypotheses], level):
        other = cluster.hypotheses[first]
        trees.append((other.start, True, first, after, other.end))
    for start, first_r, after_r, first_h, after_h in _groups(trees):
        origin = Origin(first_r, first_h, start)
        yield origin, _cut(cluster, origin, after_r, after_h, places)


def _tops(parents: Sequence[int | None], level: int) -> Iterator[tuple[int, int]]:
    """The first element of each tree at a level, and the element after its last."""
    outer = level - 1 if level else None
    tops = [k for k in range(level, len(parents)) if parents[k] == outer]
    yield from pairwise([*tops, len(parents)])


def _cut(
    cluster: Cluster, origin: Origin, after_r: int, after_h: int, places: Sequence[Sequence[int]]
) -> Cluster:
    """A part of a cluster, counted from its own origin, without the elements around it."""
    first_r, first_h, base = origin

    def within(parent: int | None, first: int) -> int | None:
        return None if parent is None or parent < first else parent - first

    def kept(numbers: Sequence[int]) -> tuple[int, ...]:
        own = numbers[bisect_left(numbers, first_r) : bisect_left(numbers, after_r)]
        return tuple(r - first_r for r in own)

    those = range(first_r, after_r)
    tags_of = slice(places[first_r][0], places[first_r][0] + 2 * len(those)) if those else slice(0)
    return Cluster(
        tuple(within(cluster.parents[r], first_r) for r in those),
        tuple(tuple(k - base for k in at) for at in cluster.candidates[tags_of]),
        tuple(None if k is None else k - base for k in cluster.strict[tags_of]),
        tuple(
            other._replace(
                start=other.start - base,
                end=other.end - base,
                parent=within(other.parent, first_h),
                accepted_by=kept(other.accepted_by),
                near=tuple((r - first_r, n) for r, n in other.near if first_r <= r < after_r),
            )
            for other in cluster.hypotheses[first_h:after_h]
        ),
        kept(cluster.neutral),
    )


def feasible_candidates(reference: Reference) -> list[tuple[int, ...]]:
    """For each tag, in order, the candidates that some placement uses; never empty.

    Placing every tag as early as possible gives the smallest ones. Placing every tag as late as
    possible gives the largest ones. A candidate between the two is used by the placement with the
    earliest frontiers before it and the latest frontiers after it.

    Args:
        reference: the projected reference.

    Raises:
        SerevalError: the reference has no placement.

    >>> wide = ReferenceElement(("a",), (0, 2), (1, 2)), ReferenceElement(("b",), (0, 1), (3,))
    >>> feasible_candidates(Reference("d", ("x", "y", "z"), wide))
    [(0,), (1,), (1,), (3,)]
    """
    elements = reference.elements
    order = tags([element.parent for element in elements])
    all_of_tag = [elements[r].ends if c else elements[r].starts for r, c in order]
    if _is_placement(elements, all_of_tag):
        return all_of_tag
    earliest = _earliest(reference, order, all_of_tag)
    latest = _latest(order, all_of_tag)
    return [
        those[bisect_left(those, low) : bisect_right(those, high)]
        for those, low, high in zip(all_of_tag, earliest, reversed(latest), strict=True)
    ]


def _is_placement(
    elements: Sequence[ReferenceElement], all_of_tag: Sequence[tuple[int, ...]]
) -> bool:
    """Whether each tag has one candidate, and the candidates are a placement."""
    if not {*map(len, all_of_tag)} <= {1}:
        return False
    frontiers = [k for (k,) in all_of_tag]
    is_in_order = all(map(le, frontiers, frontiers[1:]))
    return is_in_order and all(e.starts[0] < e.ends[0] for e in elements)


def _earliest(
    reference: Reference, order: Sequence[Tag], all_of_tag: Sequence[tuple[int, ...]]
) -> list[int]:
    """The smallest frontier of each tag in any placement."""
    frontiers: list[int] = []
    start: dict[int, int] = {}
    floor = 0
    for (r, is_closing), those in zip(order, all_of_tag, strict=True):
        least = max(floor, start[r] + 1) if is_closing else floor
        place = bisect_left(those, least)
        if place == len(those):
            raise SerevalError(
                f"{reference.id}: reference element {r} ({reference.elements[r].label}) "
                "has no place, expected a reference that has been through the walk"
            )
        floor = those[place]
        if not is_closing:
            start[r] = floor
        frontiers.append(floor)
    return frontiers


def _latest(order: Sequence[Tag], all_of_tag: Sequence[tuple[int, ...]]) -> list[int]:
    """The largest frontier of each tag in any placement, last tag first."""
    frontiers: list[int] = []
    end: dict[int, int] = {}
    ceiling = all_of_tag[-1][-1]
    for (r, is_closing), those in zip(reversed(order), reversed(all_of_tag), strict=True):
        most = ceiling if is_closing else min(ceiling, end[r] - 1)
        ceiling = those[bisect_right(those, most) - 1]
        if is_closing:
            end[r] = ceiling
        frontiers.append(ceiling)
    return frontiers


def _reference_trees(
    elements: Sequence[ReferenceElement], candidates: Sequence[tuple[int, ...]]
) -> Iterator[_Tree]:
    tops = [r for r, element in enumerate(elements) if element.parent is None]
    for first, after in pairwise([*tops, len(elements)]):
        start, end = candidates[2 * first][0], candidates[2 * after - 1][-1]
        yield start, False, first, after, end


def _hypothesis_trees(elements: Sequence[Element]) -> Iterator[_Tree]:
    tops = [h for h, element in enumerate(elements) if element.parent is None]
    for first, after in pairwise([*tops, len(elements)]):
        yield elements[first].start, True, first, after, elements[first].end


def _groups(trees: Iterable[_Tree]) -> list[list[int]]:
    """Group the trees that overlap, from left to right.

    Returns:
        For each group: its start, its first reference element and the element after its last, its
        first hypothesis element and the element after its last.
    """
    groups: list[list[int]] = []
    reach = 0
    for start, of_hypothesis, first, after, end in sorted(trees):
        if start >= reach:
            groups.append([start, 0, 0, 0, 0])
        group, side = groups[-1], 3 if of_hypothesis else 1
        if not group[side + 1]:
            group[side] = first
        group[side + 1] = after
        reach = max(reach, end)
    return groups
