"""Alignment: the choice of a template of the response for each template of the key.

The alignment comes before the scoring and does not depend on it (Kehler et al. 2001, sections 2.2
and 4). A *criterion* decides which pairs may be aligned; an *algorithm* chooses among them.

* ``standard``: the two templates have a value in common.
* ``restrictive``: they have a value in common outside the slots of low entropy (section 4.1).
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from .common import Overlaps, PositionPair, by_key, dependents, overlaps
from .model import SlotNames, SlotWeights, TemplateDocument
from .optimal import optimal

TABLE_1 = SlotNames(
    ("VACANCY_REASON", "NEW_STATUS", "ON_THE_JOB", "REL_OTHER_ORG", "ORG_TYPE", "PER_TITLE")
)
"""The slots of low entropy of MUC-6 (Kehler et al. 2001, table 1)."""

NONE = SlotNames(())

CRITERIA = ("standard", "restrictive")

ALGORITHMS = ("greedy", "optimal")
"""The choices of ``--alignment``."""


class Candidates(NamedTuple):
    """The pairs of a document that could be aligned.

    Args:
        found: their overlaps.
        groups: the positions of the templates of the key that are aligned together, bottom-up.
    """

    found: Overlaps
    groups: Sequence[frozenset[int]]

    @classmethod
    def of(
        cls,
        key: TemplateDocument,
        response: TemplateDocument,
        criterion: str,
        low_entropy: SlotNames,
        ignored: SlotNames,
        weights: SlotWeights | None = None,
    ) -> Candidates:
        """The pairs that could meet a criterion.

        Args:
            key, response: one document.
            criterion: ``standard`` or ``restrictive``.
            low_entropy: slots in which a common value is not enough under ``restrictive``.
            ignored: slots that are left out.
            weights: how often a common value of each slot counts; ``None``: once.
        """
        weak = low_entropy if criterion == "restrictive" else NONE
        found = overlaps(
            key, response, low_entropy=weak, ignored=ignored, weights=weights or SlotWeights()
        )
        return cls(found, _groups(key, response))

    def aligned(self, algorithm: str, most_steps: int) -> set[PositionPair]:
        """The alignment that an algorithm chooses.

        The optimal alignment is the greedy one unless another has more common values.

        Args:
            algorithm: one of ``ALGORITHMS``.
            most_steps: the most steps that the search for the optimal alignment may take.

        Raises:
            SerevalError: the search takes more steps.
        """
        pairs = greedy(*self)
        return optimal(self.found, pairs, most_steps) if algorithm == "optimal" else pairs


FORWARD = (1, 1)
ORDERS = (FORWARD, (1, -1), (-1, 1), (-1, -1))
"""The orders of the templates of key and response that break ties: 1 as they stand, -1 reversed."""


def greedy(
    found: Overlaps,
    groups: Collection[Collection[int]],
    order: tuple[int, int] = FORWARD,
) -> set[PositionPair]:
    """The alignment of MUC-6: the pair with most common values first, ties in document order.

    Types are aligned bottom-up, so that the common values of pointers are known. Types that point
    to one another are aligned together: as pointers are aligned, the number of common values of a
    pair rises. An aligned pair stays aligned.

    Args:
        found: the overlaps of the pairs.
        groups: the positions of the templates of the key that are aligned together, bottom-up.
        order: one of ``ORDERS``, by which ties are broken.
    """
    x, y = order
    dependent, of_key = dependents(found, found), by_key(found)
    aligned: set[PositionPair] = set()
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
            _, i, j = heapq.heappop(queue)  # a pair that has risen is in the queue twice
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
    """The positions of the templates of the key, grouped by type; targets of pointers come first.

    Types that reach one another through pointers, on either side, are one group.
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
    reached = {type: _reach(type, points) for type in points}
    groups: dict[frozenset[str], set[int]] = {}
    for place, template in enumerate(key.templates):
        together = frozenset(
            type for type in reached[template.type] if template.type in reached[type]
        )
        groups.setdefault(together, set()).add(place)
    # a group reaches fewer types than any group that points to it
    height = {together: len(reached[min(together)]) for together in groups}
    return [frozenset(groups[together]) for together in sorted(groups, key=height.__getitem__)]


def _reach(type: str, points: Mapping[str, Collection[str]]) -> set[str]:
    """The types that a type reaches through pointers, and the type itself."""
    reached = {type}
    waiting = [type]
    while waiting:
        new = set(points[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached
