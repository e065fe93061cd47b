"""The outcome of every slot under a mapping (definition, section 3)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ..documents.model import Document, Reference
from ..measures.slots import PAIR, Costs, Nearness, Slot
from .best import Mapping


class Outcome(NamedTuple):
    """The outcome of one slot.

    Args:
        slot: its class.
        label: the label under which it is counted: the label of the reference element or, for an
            insertion, of the hypothesis element.
        reference: index of the reference element; ``None`` for an insertion, and for a missed
            element without a place.
        hypothesis: index of the hypothesis element; ``None`` for a deletion. Mentions without a
            place are numbered after the elements.
        is_neutral: whether the slot costs nothing because one of its labels is neutral.
        right_levels: the right levels of the label, for a type substitution with a cost that
            depends on them; else 0.
    """

    slot: Slot
    label: str
    reference: int | None
    hypothesis: int | None
    is_neutral: bool = False
    right_levels: int = 0

    def cost(self, costs: Costs) -> Fraction:
        """The exact cost of the slot, in the units that ``Costs.parse`` reads.

        Args:
            costs: the cost of each class of error.
        """
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
    """The outcome of every slot: reference elements in document order, then insertions.

    Mentions without a place are insertions. Missed elements without a place are deletions; they
    come last.

    Args:
        reference: the projected reference.
        hypothesis: a document on the same words.
        mapping: the mapping between the two.
        neutral: labels that cost nothing.
        nearness: counts the right levels of a label; ``None``: no cost depends on them.
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
    paired = set(partner.values())
    found = [element.label for element in hypothesis.elements]
    found += [mention.label for mention in hypothesis.mentions or ()]
    for h, label in enumerate(found):
        if h not in paired:
            slots.append(Outcome(Slot.INSERTION, label, None, h, label in neutral))
    for lost in reference.unplaceable:
        if lost.fate == "missed":
            label = lost.element.label
            slots.append(Outcome(Slot.DELETION, label, None, None, label in neutral))
    return slots
