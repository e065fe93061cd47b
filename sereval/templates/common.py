"""What two templates have in common, given which templates are aligned.

"Pointer fills share a common value if they point to objects that are aligned" (Kehler et al. 2001,
section 2.2): what a pair has in common depends on other pairs, so it is a function of them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..mapping.assignment import best_pairs
from .model import Fill, SlotNames, Template, TemplateDocument

Pair = tuple[int, int]
"""Places of a template of the key and of one of the response in their documents."""


class Edge(NamedTuple):
    """A fill of the key and one of the response that are common, or would be.

    Args:
        key, response: their places in the slot.
        needs: pairs of templates of which one must be aligned; none for texts that are equal.
    """

    key: int
    response: int
    needs: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a pair of templates has in common.

    Args:
        texts: common fills of the slots that hold nothing but texts.
        evidence: whether one of these is in a slot that may align.
        pointing: edges of the other slots, each with whether the slot may align.
    """

    texts: int
    evidence: bool
    pointing: tuple[tuple[bool, tuple[Edge, ...]], ...] = ()

    def count(self, aligned: Container[Pair]) -> int:
        """The number of common values, if these pairs are aligned."""
        return self.texts + sum(
            len(matched(edge for edge in edges if _holds(edge, aligned)))
            for _, edges in self.pointing
        )

    def may_align(self, aligned: Container[Pair]) -> bool:
        """Whether the criterion is met, if these pairs are aligned."""
        return self.evidence or any(
            evidence and any(_holds(edge, aligned) for edge in edges)
            for evidence, edges in self.pointing
        )

    def needs(self) -> Iterator[Pair]:
        """The pairs that it depends on, in order of the slots; some may come twice."""
        return (pair for _, edges in self.pointing for edge in edges for pair in edge.needs)


def _holds(edge: Edge, aligned: Container[Pair]) -> bool:
    return not edge.needs or any(pair in aligned for pair in edge.needs)


def matched(edges: Iterable[Edge]) -> dict[int, int]:
    """As many fills of the key as can be had at once, each with a fill of the response of its own.

    Several fills of a slot are a set. Alternatives make this a matching: which of its values a
    fill is taken for must leave the most for the others.

    >>> matched([Edge(0, 0), Edge(0, 1), Edge(1, 0)])
    {0: 1, 1: 0}
    """
    return best_pairs({(edge.key, edge.response): 1 for edge in edges})


def overlaps(
    key: TemplateDocument,
    response: TemplateDocument,
    *,
    low_entropy: SlotNames,
    ignored: SlotNames,
) -> dict[Pair, Overlap]:
    """What every two templates of one type have, or could have, in common; by document order.

    Args:
        key, response: one document.
        low_entropy: slots in which a common value does not suffice to align.
        ignored: slots that are not looked at.

    Returns:
        The pairs that could meet the criterion.
    """
    places: list[dict[str, tuple[int, str]]] = [
        {template.id: (k, template.type) for k, template in enumerate(side.templates)}
        for side in (key, response)
    ]
    found = {}
    for i, one in enumerate(key.templates):
        for j, other in enumerate(response.templates):
            if one.type == other.type:
                overlap = _overlap(one, other, places, low_entropy, ignored)
                if overlap.evidence or any(evidence for evidence, _ in overlap.pointing):
                    found[i, j] = overlap
    return found


def _overlap(
    one: Template,
    other: Template,
    places: Sequence[Mapping[str, tuple[int, str]]],
    low_entropy: SlotNames,
    ignored: SlotNames,
) -> Overlap:
    texts, some, pointing = 0, False, []
    for slot in one.slots:
        there = other.slot(slot.name)
        if there is None or ignored.has(one.type, slot.name):
            continue
        edges = _edges(slot.fills, there.fills, places)
        evidence = not low_entropy.has(one.type, slot.name)
        if any(edge.needs for edge in edges):
            pointing.append((evidence, edges))
        elif edges:
            texts += len(matched(edges))
            some = some or evidence
    return Overlap(texts, some, tuple(pointing))


def _edges(
    fills: Sequence[Fill], others: Sequence[Fill], places: Sequence[Mapping[str, tuple[int, str]]]
) -> tuple[Edge, ...]:
    keys, responses = places
    found = []
    for i, fill in enumerate(fills):
        for j, other in enumerate(others):
            [value] = other.values
            if not value.pointer:
                if value in fill.values:
                    found.append(Edge(i, j))
                continue
            target, type = responses[value.text]
            needs = tuple(
                (keys[each.text][0], target)
                for each in fill.values
                if each.pointer and keys[each.text][1] == type
            )
            if needs:
                found.append(Edge(i, j, needs))
    return tuple(found)
