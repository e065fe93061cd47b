"""Alignment: which template of the response is taken for which one of the key.

It comes first, and knows nothing of the scores (Kehler et al. 2001, sections 2.2 and 4). A
*criterion* says which pairs may be aligned, an *algorithm* chooses among them.

* ``standard``: a pair that has any value in common.
* ``restrictive``: a pair that has a value in common outside the slots of low entropy (4.1).
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from .common import Overlap, Pair, overlaps
from .model import SlotNames, TemplateDocument
from .optimal import MOST_STEPS, optimal

TABLE_1 = SlotNames(
    ("VACANCY_REASON", "NEW_STATUS", "ON_THE_JOB", "REL_OTHER_ORG", "ORG_TYPE", "PER_TITLE")
)
"""The slots of low entropy of MUC-6 (Kehler et al. 2001, table 1)."""

NONE = SlotNames(())

CRITERIA = ("standard", "restrictive")

ALGORITHMS = ("greedy", "optimal")
"""The choices of ``--alignment``."""


def align(
    key: TemplateDocument,
    response: TemplateDocument,
    *,
    criterion: str = "standard",
    algorithm: str = "greedy",
    low_entropy: SlotNames = TABLE_1,
    ignored: SlotNames = NONE,
    most_steps: int = MOST_STEPS,
) -> dict[int, int]:
    """Places of the templates of the key in their document, each with its one of the response.

    Args:
        key, response: one document.
        criterion: ``standard`` or ``restrictive``.
        algorithm: one of ``ALGORITHMS``.
        low_entropy: slots that do not suffice under ``restrictive``.
        ignored: slots that are not looked at.
        most_steps: how many steps the search for the optimal alignment may take.

    Raises:
        SerevalError: the optimal alignment takes more steps.
    """
    candidates = Candidates.of(key, response, criterion, low_entropy, ignored)
    return dict(sorted(candidates.aligned(algorithm, most_steps)))


class Candidates(NamedTuple):
    """The pairs of two documents that could be aligned.

    Args:
        found: what they have in common.
        groups: places of the templates of the key that are aligned together, bottom-up.
    """

    found: Mapping[Pair, Overlap]
    groups: Sequence[frozenset[int]]

    @classmethod
    def of(
        cls,
        key: TemplateDocument,
        response: TemplateDocument,
        criterion: str,
        low_entropy: SlotNames,
        ignored: SlotNames,
    ) -> Candidates:
        """Those that could meet a criterion; the arguments are those of :func:`align`."""
        weak = low_entropy if criterion == "restrictive" else NONE
        found = overlaps(key, response, low_entropy=weak, ignored=ignored)
        return cls(found, _groups(key, response))

    def aligned(self, algorithm: str, most_steps: int) -> set[Pair]:
        """The alignment by an algorithm; the greedy one, if none has more common values."""
        pairs = greedy(*self)
        return optimal(self.found, pairs, most_steps) if algorithm == "optimal" else pairs


FORWARD = (1, 1)
ORDERS = (FORWARD, (1, -1), (-1, 1), (-1, -1))
"""Of the templates of key and response: as they stand, or the last one first."""


def greedy(
    found: Mapping[Pair, Overlap],
    groups: Collection[Collection[int]],
    order: tuple[int, int] = FORWARD,
) -> set[Pair]:
    """The alignment of MUC-6: the pair with most common values first, ties in document order.

    Types are aligned bottom-up, so that it is known what pointers at them have in common. Where
    types point at one another, all of them are aligned together, and a pair's number of common
    values rises as its pointers are aligned; what is aligned stays so.

    Args:
        found: what pairs have in common.
        groups: places of the templates of the key that are aligned together, bottom-up.
        order: one of ``ORDERS``, in which ties are broken.
    """
    x, y = order
    dependent: dict[Pair, list[Pair]] = {}
    for pair, overlap in found.items():
        for other in dict.fromkeys(overlap.needs()):
            dependent.setdefault(other, []).append(pair)
    of_key: dict[int, list[Pair]] = {}
    for pair in found:
        of_key.setdefault(pair[0], []).append(pair)
    aligned: set[Pair] = set()
    keys: set[int] = set()
    responses: set[int] = set()
    for group in groups:
        queue = [
            (-found[pair].count(aligned), x * pair[0], y * pair[1])
            for place in group
            for pair in of_key.get(place, ())
            if found[pair].may_align(aligned)
        ]
        heapq.heapify(queue)
        while queue:
            _, i, j = heapq.heappop(queue)  # a pair that has risen comes first where it is now
            pair = x * i, y * j
            if pair[0] in keys or pair[1] in responses:
                continue
            aligned.add(pair)
            keys.add(pair[0])
            responses.add(pair[1])
            for other in dependent.get(pair, ()):
                if other[0] in group and found[other].may_align(aligned):
                    rank = -found[other].count(aligned)
                    heapq.heappush(queue, (rank, x * other[0], y * other[1]))
    return aligned


def _groups(key: TemplateDocument, response: TemplateDocument) -> list[frozenset[int]]:
    """Places of the templates of the key by type, those pointed at before those that point.

    Types that can be reached from one another through pointers, on either side, are one group.
    """
    points: dict[str, set[str]] = {}
    for side in (key, response):
        types = {template.id: template.type for template in side.templates}
        for template in side.templates:
            points.setdefault(template.type, set()).update(
                types[value.text]
                for slot in template.slots
                for fill in slot.fills
                for value in fill.values
                if value.pointer
            )
    reached = {type: _reached(type, points) for type in points}
    groups: dict[frozenset[str], set[int]] = {}
    for place, template in enumerate(key.templates):
        together = frozenset(
            type for type in reached[template.type] if template.type in reached[type]
        )
        groups.setdefault(together, set()).add(place)
    # what points at a group reaches more than the group does
    height = {together: len(reached[min(together)]) for together in groups}
    return [frozenset(groups[together]) for together in sorted(groups, key=height.__getitem__)]


def _reached(type: str, points: Mapping[str, Collection[str]]) -> set[str]:
    """Types that can be reached from one through pointers; itself too."""
    reached = {type}
    waiting = [type]
    while waiting:
        new = set(points[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached
