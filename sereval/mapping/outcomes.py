"""What became of every slot, once a mapping is chosen (definition, section 3)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ..documents.model import Document, Reference
from ..measures.slots import PAIR, Costs, Nearness, Slot
from .best import Mapping


class Outcome(NamedTuple):
    """What became of one slot.

    Args:
        slot: its class.
        label: the label it is counted under: the reference element's own, or an insertion's.
        reference: index of the reference element, ``None`` for an insertion.
        hypothesis: index of the hypothesis element, ``None`` for a deletion; mentions that have no
            place are numbered on from the elements.
        is_neutral: whether it costs nothing because the label of either element is neutral.
        right_levels: of a type substitution that costs something, how many levels of the label are
            right, if that was asked for.
    """

    slot: Slot
    label: str
    reference: int | None
    hypothesis: int | None
    is_neutral: bool = False
    right_levels: int = 0

    def cost(self, costs: Costs) -> Fraction:
        """What it costs, in units of the costs as given."""
        if self.is_neutral:
            return Fraction(0)
        return Fraction(costs[self.slot] - costs.share * self.right_levels, costs.scale)


def outcomes(
    reference: Reference,
    hypothesis: Document,
    mapping: Mapping,
    neutral: frozenset[str] = frozenset(),
    nearness: Nearness | None = None,
) -> list[Outcome]:
    """The class of every slot: reference elements in document order, then insertions.

    Mentions that were not found are insertions, and elements that were missed because they have no
    place are deletions; they come last.
    """
    partner = dict(mapping.pairs)
    slots = []
    for r, element in enumerate(reference.elements):
        h = partner.get(r)
        if h is None:
            free = element.label in neutral
            slots.append(Outcome(Slot.DELETION, element.label, r, None, free))
            continue
        other = hypothesis.elements[h]
        labels, label = element.labels, other.label
        slot = PAIR[label in labels, mapping.placement[r] == (other.start, other.end)]
        free = bool(neutral) and not neutral.isdisjoint((labels[0], label))
        is_shared = slot is Slot.TYPE and not free
        levels = nearness(labels, label) if nearness and is_shared else 0
        slots.append(Outcome(slot, element.label, r, h, free, levels))
    paired_already = set(partner.values())
    for h, other in enumerate(hypothesis.elements):
        if h not in paired_already:
            slots.append(Outcome(Slot.INSERTION, other.label, None, h, other.label in neutral))
    for h, mention in enumerate(hypothesis.mentions or (), len(hypothesis.elements)):
        slots.append(Outcome(Slot.INSERTION, mention.label, None, h, mention.label in neutral))
    for lost in reference.unplaceable:
        if lost.fate == "missed":
            label = lost.element.label
            slots.append(Outcome(Slot.DELETION, label, None, None, label in neutral))
    return slots
