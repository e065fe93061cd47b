"""The common values of two templates, as a function of the alignment.

"Pointer fills share a common value if they point to objects that are aligned" (Kehler et al. 2001,
section 2.2). So the number of common values of a pair depends on which other pairs are aligned.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..mapping.assignment import best_pairs
from .model import Fill, SlotNames, SlotWeights, Template, TemplateDocument

PositionPair = tuple[int, int]
"""A template of the key and a template of the response, by their positions in their documents."""


class CommonFill(NamedTuple):
    """A fill of the key and a fill of the response with a common value, or possibly with one.

    Args:
        key, response: the positions of the fills in the slot.
        needs: pairs of templates, one of which must be aligned; empty for equal texts.
    """

    key: int
    response: int
    needs: tuple[PositionPair, ...] = ()


class Pointing(NamedTuple):
    """A slot of a pair of templates with pointers that may be common.

    Args:
        evidence: whether a common value in it meets the criterion.
        edges: its fills with a common value, or possibly with one.
        weight: how often each of its common values counts.
    """

    evidence: bool
    edges: tuple[CommonFill, ...]
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Overlap:
    """The common values of a pair of templates.

    Args:
        texts: the number of common fills in slots without common pointers, each as often as the
            weight of its slot.
        evidence: whether one of these fills is in a slot that meets the criterion.
        pointing: the other slots.
    """

    texts: int
    evidence: bool
    pointing: tuple[Pointing, ...] = ()

    def count(self, aligned: Container[PositionPair]) -> int:
        """The number of common values under an alignment, each as often as its weight."""
        return self.texts + sum(
            slot.weight * len(match(edge for edge in slot.edges if _holds(edge, aligned)))
            for slot in self.pointing
        )

    def may_align(self, aligned: Container[PositionPair]) -> bool:
        """Whether the pair meets the criterion under an alignment."""
        return self.evidence or any(
            slot.evidence and any(_holds(edge, aligned) for edge in slot.edges)
            for slot in self.pointing
        )

    def needs(self) -> Iterator[PositionPair]:
        """The pairs on which the overlap depends, in the order of slots; a pair can be repeated."""
        return (pair for slot in self.pointing for edge in slot.edges for pair in edge.needs)


Overlaps = Mapping[PositionPair, Overlap]
"""The overlap of each pair that could meet the criterion."""


def by_key(pairs: Iterable[PositionPair]) -> dict[int, list[PositionPair]]:
    """Group pairs by their template of the key, each group in the order of the pairs.

    >>> by_key([(0, 1), (2, 0), (0, 3)])
    {0: [(0, 1), (0, 3)], 2: [(2, 0)]}
    """
    found: dict[int, list[PositionPair]] = {}
    for pair in pairs:
        found.setdefault(pair[0], []).append(pair)
    return found


def dependents(
    found: Overlaps, pairs: Iterable[PositionPair]
) -> dict[PositionPair, list[PositionPair]]:
    """For each pair that some of these pairs need, the pairs that need it."""
    dependent: dict[PositionPair, list[PositionPair]] = {}
    for pair in pairs:
        for need in dict.fromkeys(found[pair].needs()):
            dependent.setdefault(need, []).append(pair)
    return dependent


def _holds(edge: CommonFill, aligned: Container[PositionPair]) -> bool:
    return not edge.needs or any(pair in aligned for pair in edge.needs)


def match(edges: Iterable[CommonFill]) -> dict[int, int]:
    """A largest matching of fills of the key with fills of the response.

    The fills of a slot are a set. With alternatives, the value chosen for one fill must leave the
    most values for the other fills, so this is a matching problem.

    Returns:
        The position of the matched fill of the response, by the position of the fill of the key.

    >>> match([CommonFill(0, 0), CommonFill(0, 1), CommonFill(1, 0)])
    {0: 1, 1: 0}
    """
    return best_pairs({(edge.key, edge.response): 1 for edge in edges})


def overlaps(
    key: TemplateDocument,
    response: TemplateDocument,
    *,
    low_entropy: SlotNames,
    ignored: SlotNames,
    weights: SlotWeights,
) -> dict[PositionPair, Overlap]:
    """The overlaps of all pairs of templates of the same type.

    Args:
        key, response: one document.
        low_entropy: slots in which a common value is not enough to meet the criterion.
        ignored: slots that are left out.
        weights: how often a common value of each slot counts.

    Returns:
        The pairs that could meet the criterion, in document order.
    """
    targets: list[dict[str, tuple[int, str]]] = [
        {template.id: (k, template.type) for k, template in enumerate(side.templates)}
        for side in (key, response)
    ]
    found = {}
    for i, one in enumerate(key.templates):
        for j, other in enumerate(response.templates):
            if one.type == other.type:
                overlap = _overlap(one, other, targets, low_entropy, ignored, weights)
                if overlap.evidence or any(slot.evidence for slot in overlap.pointing):
                    found[i, j] = overlap
    return found


def _overlap(
    one: Template,
    other: Template,
    targets: Sequence[Mapping[str, tuple[int, str]]],
    low_entropy: SlotNames,
    ignored: SlotNames,
    weights: SlotWeights,
) -> Overlap:
    texts, some = 0, False
    pointing: list[Pointing] = []
    for slot in one.slots:
        there = other.slot(slot.name)
        if there is None or ignored.has(one.type, slot.name):
            continue
        edges = _edges(slot.fills, there.fills, targets)
        evidence = not low_entropy.has(one.type, slot.name)
        weight = weights.of(one.type, slot.name)
        if any(edge.needs for edge in edges):
            pointing.append(Pointing(evidence, edges, weight))
        elif edges:
            texts += weight * len(match(edges))
            some = some or evidence
    return Overlap(texts, some, tuple(pointing))


def _edges(
    fills: Sequence[Fill], others: Sequence[Fill], targets: Sequence[Mapping[str, tuple[int, str]]]
) -> tuple[CommonFill, ...]:
    keys, responses = targets
    found = []
    for i, fill in enumerate(fills):
        for j, other in enumerate(others):
            [value] = other.values
            if not value.pointer:
                if value in fill.values:
                    found.append(CommonFill(i, j))
                continue
            target, type = responses[value.text]
            needs = tuple(
                (keys[each.text][0], target)
                for each in fill.values
                if each.pointer and keys[each.text][1] == type
            )
            if needs:
                found.append(CommonFill(i, j, needs))
    return tuple(found)
