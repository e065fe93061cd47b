"""How evenly the values of each slot are spread: which slots say little about what is meant.

Source: Kehler et al. 2001, table 1 and section 4.1: templates should not be aligned only because
they share a value that most templates have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import log2

from .model import TemplateDocument

NO_VALUE = "(none)"


@dataclass(frozen=True, slots=True)
class SlotValues:
    """The values of one slot of one type of template: a part of table 1.

    Args:
        type, slot: their names.
        templates: how many of the type there are.
        values: how often each stands, the most frequent first. Each alternative and each optional
            fill counts, so that the sum can be more than the templates (the paper's footnote 6).
        none: templates without the slot.

    >>> org_type = SlotValues("ORGANIZATION", "ORG_TYPE", 117, {"COMPANY": 115, "GOVERNMENT": 3})
    >>> f"{org_type.entropy:.3f}"
    '0.171'
    """

    type: str
    slot: str
    templates: int
    values: dict[str, int]
    none: int = 0

    @property
    def entropy(self) -> float:
        """Of the values, in bits: 0 where there is one value, log2 n where n are as frequent.

        ``(none)`` has no part in it: what is not there cannot be shared.
        """
        total = sum(self.values.values())
        shares = (count / total for count in self.values.values())
        return abs(sum(share * log2(share) for share in shares))


def slot_values(documents: Iterable[TemplateDocument]) -> list[SlotValues]:
    """All slots but those that only hold pointers, from the lowest entropy to the highest.

    Args:
        documents: a key.

    Returns:
        Slots of the same entropy in alphabetical order, values of the same frequency too.
    """
    templates: Counter[str] = Counter()
    with_slot: Counter[tuple[str, str]] = Counter()
    values: dict[tuple[str, str], Counter[str]] = {}
    for document in documents:
        for template in document.templates:
            templates[template.type] += 1
            for slot in template.slots:
                texts = [
                    value.canonical
                    for fill in slot.fills
                    for value in fill.values
                    if not value.pointer
                ]
                with_slot[template.type, slot.name] += 1
                values.setdefault((template.type, slot.name), Counter()).update(texts)
    found = [
        SlotValues(
            type,
            slot,
            templates[type],
            dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
            templates[type] - with_slot[type, slot],
        )
        for (type, slot), counts in values.items()
        if counts
    ]
    return sorted(found, key=lambda row: (row.entropy, row.type, row.slot))
