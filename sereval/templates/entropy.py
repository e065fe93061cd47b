"""The entropy of the values of each slot. A slot of low entropy hardly identifies a template.

Source: Kehler et al. 2001, table 1 and section 4.1: templates should not be aligned only because
they share a value that most templates have. Figure 1 has the sets from which some slots are filled;
a value of such a set is listed even if no template has it, as table 1 lists ``OTHER: 0``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import log2
from typing import NamedTuple

from ..errors import one_line
from ..render.report import Report, filled, lines, rows
from .align import TemplateDocument

NO_VALUE = "(none)"

MUC_6: Mapping[str, tuple[str, ...]] = {
    "VACANCY_REASON": ("DEPART_WORKFORCE", "REASSIGNMENT", "NEW_POST_CREATED", "OTH_UNK"),
    "ORG_TYPE": ("COMPANY", "GOVERNMENT", "OTHER"),
    "NEW_STATUS": ("IN", "IN_ACTING", "OUT", "OUT_ACTING"),
    "ON_THE_JOB": ("YES", "NO", "UNCLEAR"),
    "REL_OTHER_ORG": ("SAME_ORG", "RELATED_ORG", "OUTSIDE_ORG"),
}
"""The sets of MUC-6 (figure 1), by the name of the slot."""


class SlotValues(NamedTuple):
    """The values of one slot of one type of template, as in table 1 of the paper."""

    type: str
    slot: str
    templates: int  # of the type
    # Frequencies, the highest first; that of a value of its set can be 0. Each alternative and each
    # optional fill counts, so the sum can exceed ``templates`` (the paper's footnote 6).
    values: dict[str, int]
    none: int = 0  # the templates without the slot

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
    having: Counter[tuple[str, str]] = Counter()
    values: dict[tuple[str, str], Counter[str]] = {}
    for template in chain.from_iterable(document.templates for document in documents):
        templates[template.type] += 1
        for name, slot in template.slots.items():
            at = template.type, name
            having[at] += 1
            found = (value for fill in slot.fills for value in fill if not value.pointer)
            values.setdefault(at, Counter()).update(value.text for value in found)
    listed = []
    for (type, name), counts in values.items():
        if counts:
            counts.update(dict.fromkeys(MUC_6.get(name, ()), 0))
            ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
            number = templates[type]
            listed.append(SlotValues(type, name, number, ordered, number - having[type, name]))
    return sorted(listed, key=lambda row: (row.entropy, row.type, row.slot))


# --- the report -----------------------------------------------------------------------------------

FORMS = {
    "values": rows("type text", "slot text", "value text", "count integer"),
    "slots": rows("type text", "slot text", "templates integer", "entropy", "none integer"),
}
"""The tables of the values of slots."""


SHOWN = 6
"""The most values of a slot that the text shows; the other formats have all values."""


def report_of(found: Sequence[SlotValues]) -> Report:
    """The entropy of each slot with all its values."""
    tables = filled(
        FORMS,
        values=(
            (row.type, row.slot, *each)
            for row in found
            for each in (*row.values.items(), *([(None, row.none)] if row.none else []))
        ),
        slots=((row.type, row.slot, row.templates, row.entropy, row.none) for row in found),
    )
    return Report("templates", tables, lambda _: _entropies(found))


def _entropies(found: Sequence[SlotValues]) -> Iterator[str]:
    """A table of slots in order of entropy, each with its most frequent values (table 1)."""
    table: list[tuple[str, ...]] = [
        ("type", "slot", "templates", "values", "entropy", "distribution")
    ]
    for row in found:
        some = sum(count > 0 for count in row.values.values())
        head = (row.type, row.slot, str(row.templates), str(some), f"{row.entropy:.2f}")
        shown = [f"{one_line(value)}: {count}" for value, count in row.values.items()]
        if len(shown) > SHOWN + 1:
            rest = [*row.values.values()][SHOWN:]
            shown[SHOWN:] = [f"… {len(rest)} more: {sum(rest)}"]
        if row.none:
            shown.append(f"{NO_VALUE}: {row.none}")
        for k, value in enumerate(shown):
            table.append((*(head if k == 0 else ("",) * 5), value))
    yield from lines(table, left=(0, 1, 5))
    yield from ("", "Entropy of the values in bits, without (none).")
