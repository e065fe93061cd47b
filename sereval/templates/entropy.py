"""The entropy of the values of each slot. A slot of low entropy hardly identifies a template.

Source: Kehler et al. 2001, table 1 and section 4.1: templates should not be aligned only because
they share a value that most templates have. Figure 1 has the sets from which some slots are filled;
a value of such a set is listed even if no template has it, as table 1 lists ``OTHER: 0``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2

from .model import TemplateDocument

NO_VALUE = "(none)"

MUC_6: Mapping[str, tuple[str, ...]] = {
    "VACANCY_REASON": ("DEPART_WORKFORCE", "REASSIGNMENT", "NEW_POST_CREATED", "OTH_UNK"),
    "ORG_TYPE": ("COMPANY", "GOVERNMENT", "OTHER"),
    "NEW_STATUS": ("IN", "IN_ACTING", "OUT", "OUT_ACTING"),
    "ON_THE_JOB": ("YES", "NO", "UNCLEAR"),
    "REL_OTHER_ORG": ("SAME_ORG", "RELATED_ORG", "OUTSIDE_ORG"),
}
"""The sets of MUC-6 (figure 1), by the name of the slot."""


@dataclass(frozen=True, slots=True)
class SlotValues:
    """The values of one slot of one type of template, as in table 1 of the paper.

    Args:
        type, slot: the names of the type and the slot.
        templates: the number of templates of the type.
        values: the frequency of each value, the highest first; that of a value of its set can be 0.
            Each alternative and each optional fill counts, so the sum can exceed the number of
            templates (the paper's footnote 6).
        none: the number of templates without the slot.
    """

    type: str
    slot: str
    templates: int
    values: dict[str, int]
    none: int = 0

    @property
    def entropy(self) -> float:
        """The entropy of the values in bits: 0 for one, log2 n for n equally frequent values."""
        total = sum(self.values.values())
        shares = (count / total for count in self.values.values() if count)
        return abs(sum(share * log2(share) for share in shares))


def slot_values(
    documents: Iterable[TemplateDocument],
) -> list[SlotValues]:
    """The values of all slots but those with pointers only, lowest entropy first."""
    templates: Counter[str] = Counter()
    filled: Counter[tuple[str, str]] = Counter()
    values: dict[tuple[str, str], Counter[str]] = {}
    for template in (template for document in documents for template in document.templates):
        templates[template.type] += 1
        for slot in template.slots:
            at = template.type, slot.name
            filled[at] += 1
            found = (value for fill in slot.fills for value in fill.values if not value.pointer)
            values.setdefault(at, Counter()).update(value.canonical for value in found)
    rows = []
    for (type, name), counts in values.items():
        if counts:
            counts.update(dict.fromkeys(MUC_6.get(name, ()), 0))
            ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
            none = templates[type] - filled[type, name]
            rows.append(SlotValues(type, name, templates[type], ordered, none))
    return sorted(rows, key=lambda row: (row.entropy, row.type, row.slot))
