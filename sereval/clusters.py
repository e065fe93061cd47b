"""Cutting the mapping problem into independent clusters, and settling the trivial ones.

A frontier that no element of either side and no candidate reaches across cuts the problem in two:
no pair shares a word across it, and no choice of a frontier on one side limits one on the other.
Nearly all of a corpus falls apart into small clusters, and most of those need no search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from .errors import SerevalError
from .model import Document, Element, Reference, ReferenceElement, tags

Tag = tuple[int, bool]
"""A tag of the reference: its element, and whether it closes it."""


class Solution(NamedTuple):
    """Pairs of a cluster, and the frontier of each of its tags."""

    pairs: Sequence[tuple[int, int]]
    frontiers: Sequence[int]


@dataclass(frozen=True, slots=True)
class Cluster:
    """An independent part of the problem; indices are those of the whole documents.

    Args:
        elements: all elements of the reference.
        hypotheses: all elements of the hypothesis.
        tags: the tags of the cluster's reference elements in document order.
        candidates: for each tag its candidates, less those that no placement uses.
        hyps: indices of the cluster's hypothesis elements.
    """

    elements: Sequence[ReferenceElement]
    hypotheses: Sequence[Element]
    tags: Sequence[Tag]
    candidates: Sequence[tuple[int, ...]]
    hyps: range

    def agreement(self) -> Solution | None:
        """All correct, where both sides have the same tree: nothing can come before it."""
        if len(self.tags) != 2 * len(self.hyps):
            return None
        partner: dict[int, int] = {}
        frontiers = []
        unopened = iter(self.hyps)
        for (r, is_closing), candidates in zip(self.tags, self.candidates, strict=True):
            if not is_closing:
                partner[r] = next(unopened)
                if not self._alike(r, partner):
                    return None
            h = self.hypotheses[partner[r]]
            frontiers.append(h.end if is_closing else h.start)
            if frontiers[-1] not in candidates:
                return None
        return Solution(list(partner.items()), frontiers)

    def _alike(self, r: int, partner: dict[int, int]) -> bool:
        """Whether an element and its partner agree in label and have partners as parents."""
        element, h = self.elements[r], self.hypotheses[partner[r]]
        parent = None if element.parent is None else partner[element.parent]
        return h.parent == parent and h.label in element.labels

    def strict_placement(self) -> Solution | None:
        """No pair to be had, and the strict frontiers are a placement: the shift is 0."""
        if self.hyps and self.tags:
            return None
        frontiers = []
        floor = 0
        for (r, is_closing), candidates in zip(self.tags, self.candidates, strict=True):
            strict = self.elements[r].strict
            frontier = candidates[0] if strict is None else strict[is_closing]
            if frontier < floor or frontier not in candidates:
                return None
            if strict is not None and strict[0] >= strict[1]:
                return None
            frontiers.append(frontier)
            floor = frontier
        return Solution([], frontiers)


class _Tree(NamedTuple):
    """A top-level tree of either side: what it reaches over, and its part of tags or elements."""

    start: int
    end: int
    of_hypothesis: bool
    first: int
    after: int


def clusters(reference: Reference, hypothesis: Document) -> Iterator[Cluster]:
    """Cut a reference and a hypothesis on the same words into independent parts, in order.

    Raises:
        SerevalError: the reference has no placement.
    """
    order = tags([element.parent for element in reference.elements])
    candidates = feasible_candidates(reference, order)
    for group in _groups([*_reference_trees(order, candidates), *_trees(hypothesis.elements)]):
        first, after = _part(group, of_hypothesis=False)
        yield Cluster(
            reference.elements,
            hypothesis.elements,
            order[first:after],
            candidates[first:after],
            range(*_part(group, of_hypothesis=True)),
        )


def feasible_candidates(reference: Reference, order: Sequence[Tag]) -> list[tuple[int, ...]]:
    """For each tag, in order, the candidates that some placement uses; never empty.

    The smallest are found by placing every tag as early as it can be, the largest by placing
    every tag as late as it can be. A candidate between the two is used by the placement that has
    the earliest frontiers before it and the latest ones after it.

    Raises:
        SerevalError: the reference has no placement.

    >>> wide = ReferenceElement(("a",), (0, 2), (1, 2)), ReferenceElement(("b",), (0, 1), (3,))
    >>> feasible_candidates(Reference("d", ("x", "y", "z"), wide), tags([None, None]))
    [(0,), (1,), (1,), (3,)]
    """
    all_of_tag = [
        reference.elements[r].ends if c else reference.elements[r].starts for r, c in order
    ]
    bounds = zip(
        all_of_tag,
        _earliest(reference, order, all_of_tag),
        reversed(_latest(order, all_of_tag, len(reference.words))),
        strict=True,
    )
    return [
        tags_candidates
        if len(tags_candidates) == 1
        else tuple(k for k in tags_candidates if low <= k <= high)
        for tags_candidates, low, high in bounds
    ]


def _earliest(
    reference: Reference, order: Sequence[Tag], all_of_tag: Sequence[tuple[int, ...]]
) -> list[int]:
    """The smallest frontier of each tag in any placement."""
    frontiers: list[int] = []
    start: dict[int, int] = {}
    floor = 0
    for (r, is_closing), candidates in zip(order, all_of_tag, strict=True):
        least = max(floor, start[r] + 1) if is_closing else floor
        floor = next((k for k in candidates if k >= least), -1)
        if floor < 0:
            raise SerevalError(
                f"{reference.id}: reference element {r} ({reference.elements[r].label}) "
                "has no place, expected a reference that has been through the walk"
            )
        if not is_closing:
            start[r] = floor
        frontiers.append(floor)
    return frontiers


def _latest(order: Sequence[Tag], all_of_tag: Sequence[tuple[int, ...]], n: int) -> list[int]:
    """The largest frontier of each tag in any placement, last tag first; there is a placement."""
    frontiers: list[int] = []
    end: dict[int, int] = {}
    ceiling = n
    for (r, is_closing), candidates in zip(reversed(order), reversed(all_of_tag), strict=True):
        most = ceiling if is_closing else min(ceiling, end[r] - 1)
        ceiling = next(k for k in reversed(candidates) if k <= most)
        if is_closing:
            end[r] = ceiling
        frontiers.append(ceiling)
    return frontiers


def _reference_trees(
    order: Sequence[Tag], candidates: Sequence[tuple[int, ...]]
) -> Iterator[_Tree]:
    first = depth = 0
    for place, (_, is_closing) in enumerate(order):
        depth += -1 if is_closing else 1
        if depth == 0:
            reach = candidates[first][0], candidates[place][-1]
            yield _Tree(*reach, of_hypothesis=False, first=first, after=place + 1)
            first = place + 1


def _trees(elements: Sequence[Element]) -> Iterator[_Tree]:
    tops = [i for i, element in enumerate(elements) if element.parent is None]
    for first, after in pairwise([*tops, len(elements)]):
        reach = elements[first].start, elements[first].end
        yield _Tree(*reach, of_hypothesis=True, first=first, after=after)


def _groups(trees: list[_Tree]) -> Iterator[list[_Tree]]:
    """Trees that reach into one another, from left to right."""
    group: list[_Tree] = []
    reach = 0
    for tree in sorted(trees, key=lambda tree: (tree.start, tree.of_hypothesis, tree.first)):
        if group and tree.start >= reach:
            yield group
            group = []
        group.append(tree)
        reach = max(reach, tree.end)
    if group:
        yield group


def _part(group: list[_Tree], *, of_hypothesis: bool) -> tuple[int, int]:
    """First index of one side in a group and the one after its last; its trees are neighbours."""
    side = [tree for tree in group if tree.of_hypothesis is of_hypothesis]
    return (side[0].first, side[-1].after) if side else (0, 0)
