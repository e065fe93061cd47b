"""The outcome of each element for each system, as CSV and for the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..analysis.audit import HYPOTHESIS
from ..analysis.collate import AGREEMENTS, CollatedItem, Collation
from ..documents.model import seconds
from ..render.numbers import located
from .cases import UNCOUNTED
from .csv import lines

COLUMNS = (
    *("condition", "side", "agreement", "document", "element"),
    *("first_word", "last_word", "start", "end", "labels"),
    *("before", "words", "after", "signature"),
)


def render_csv(collations: Sequence[Collation]) -> Iterator[str]:
    """CSV, row by row, with a row for each element, correct ones too, and a column for each system.

    The field of a system has the class of the slot, then the label and the words of the hypothesis
    element: ``S_T org "la Russie"``. Times are in seconds. ``element`` is the index of a reference
    element in its document, from 0. Words are counted from 1;
    ``CollatedItem.span`` explains on which side.
    """
    systems = sorted({system for collation in collations for system in collation.systems})
    rows = (
        row_of(item, collation, systems) for collation in collations for item in collation.items
    )
    return lines((*COLUMNS, *systems), rows)


def row_of(item: CollatedItem, collation: Collation, systems: Sequence[str]) -> tuple[object, ...]:
    """The cells of an item under ``COLUMNS``, then under the names of the systems."""
    return (*_fields(item, collation), *(_field(item, system) for system in systems))


def _fields(item: CollatedItem, collation: Collation) -> tuple[object, ...]:
    """The fields of an item under ``COLUMNS``."""
    return (
        collation.name,
        item.side,
        item.agreement,
        item.document,
        None if item.side == HYPOTHESIS else item.place[0],
        *((None, None) if item.span is None else (item.span[0] + 1, item.span[1])),
        *((None, None) if item.time is None else map(seconds, item.time)),
        "|".join(item.labels),
        *map(" ".join, (item.before, item.words, item.after)),
        str(collation.signature),
    )


def _field(item: CollatedItem, system: str) -> str:
    answer = item.answers.get(system)
    if answer is None:
        return ""
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
