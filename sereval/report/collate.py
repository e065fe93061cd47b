"""The outcome of each element for each system, as CSV and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..analysis.audit import HYPOTHESIS
from ..analysis.collate import AGREEMENTS, CollatedItem, Collation
from ..render.numbers import located
from ..render.report import Column, Report, Table, rows
from .cases import UNCOUNTED

FORMS = {
    "elements": rows(
        *("condition text", "side text", "agreement text", "document text", "element integer"),
        *("first_word integer", "last_word integer", "start number s", "end number s"),
        *("labels texts", "before texts", "words texts", "after texts", "signature text"),
    )
}
"""The table of collated elements, which has a further column for each system."""


def report_of(collations: Sequence[Collation]) -> Report:
    """A row for each element, correct ones too, with a column for each system.

    The cell of a system has the class of the slot, then the label and the words of the hypothesis
    element: ``S_T org "la Russie"``. Words are counted from 1; ``CollatedItem.span`` explains on
    which side.
    """
    systems = sorted({system for one in collations for system in one.systems})
    table = FORMS["elements"]
    every = (
        (*_fields(item, one), *(_field(item, s) for s in systems))
        for one in collations
        for item in one.items
    )
    own = Table((*table.columns, *(Column(system, "text") for system in systems)), every)
    signed = "; ".join(str(one.signature) for one in collations)
    return Report("compare", {"elements": own}, lambda _: (), signed)


def _fields(item: CollatedItem, collation: Collation) -> tuple[Any, ...]:
    """The fields of an item under the columns of ``elements``."""
    first, last = (None, None) if item.span is None else (item.span[0] + 1, item.span[1])
    return (
        *(collation.name, item.side, item.agreement, item.document),
        None if item.side == HYPOTHESIS else item.place[0],
        *(first, last),
        *(None if ms is None else Fraction(ms, 1000) for ms in item.time or (None, None)),
        *(item.labels, item.before, item.words, item.after, str(collation.signature)),
    )


def _field(item: CollatedItem, system: str) -> str | None:
    answer = item.answers.get(system)
    if answer is None:
        return None
    letter = "unplaceable" if answer.slot is None else answer.slot.value
    if answer.label is None:
        return letter
    return f'{letter} {answer.label} "{" ".join(answer.words)}"'


# The page


def title(agreement: str) -> str:
    """The heading of the items of an agreement."""
    if agreement in AGREEMENTS:
        return f"Reference elements: {AGREEMENTS[agreement]}"
    return f"Insertions {agreement} systems"


def cells(item: CollatedItem, systems: Sequence[str]) -> list[Any]:
    """An item for the page: its place, its labels, its words between others, and all answers."""
    answers = [item.answers.get(system) for system in systems]
    return [
        item.document,
        None if item.side == HYPOTHESIS else item.place[0],
        located(item.time, item.span),
        " or ".join(item.labels),
        *map(" ".join, (item.before, item.words, item.after)),
        [
            one
            and [one.slot.value if one.slot else UNCOUNTED, one.label or "", " ".join(one.words)]
            for one in answers
        ],
    ]
