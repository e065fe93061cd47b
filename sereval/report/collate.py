"""The outcome of each element for each system, as an HTML page and as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..analysis.audit import HYPOTHESIS
from ..analysis.collate import (
    AGREEMENTS,
    CollatedAnswer,
    CollatedItem,
    Collation,
)
from ..documents.model import seconds
from ..errors import one_line
from ..measures.slots import Slot
from ..render.numbers import counted, located
from .cases import NAMES, UNCOUNTED
from .csv import lines

COLUMNS = (
    *("condition", "side", "agreement", "document", "element"),
    *("first_word", "last_word", "start", "end", "labels"),
    *("before", "words", "after", "signature"),
)

FITTING = 4
"""The most systems that fit the screen; up to these, the table heads stay in view."""

CLASSES = {slot: NAMES[UNCOUNTED if slot is None else slot.value] for slot in (*Slot, None)}
"""The classes in words; ``None``: the element has no place on the system's words."""


def render_csv(collations: Sequence[Collation], page: str = "") -> Iterator[str]:
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


def render_html(collations: Sequence[Collation], page: str = "") -> Iterator[str]:
    """An HTML page in one file, in pieces, without scripts; all text is escaped.

    Elements that are correct in all systems are counted, not listed.

    Args:
        collations: the collations of each condition.
        page: the link to the page of these systems, which shows each element; empty: there is none.
    """
    from .page import anchors, environment, written  # slow to import

    names = anchors(item.document for collation in collations for item in collation.items)

    def link(number: int, item: CollatedItem) -> str:
        """The place of an item on the page: its element, or the document of an insertion."""
        document = names(number, item.document)
        anchor = document if item.side == HYPOTHESIS else f"{document}-r{item.place[0]}"
        return f"{page}?words={number}#{anchor}"

    yield from written(
        environment(),
        "collated.html",
        FITTING=FITTING,
        link=link if page else None,
        collations=collations,
        legend=list(map(CollatedAnswer, CLASSES)),
        groups=_groups,
        place=lambda item: located(item.time, item.span),
        classes=CLASSES,
        one_line=one_line,
        counted=counted,
        right=lambda collation: sum(map(_is_right, collation.items)),
    )
    yield "\n"


def _groups(collation: Collation) -> Iterator[tuple[str, list[CollatedItem]]]:
    """The items by agreement with their titles; those correct in every system are left out."""
    found: dict[str, list[CollatedItem]] = {}
    for item in collation.items:
        if not _is_right(item):
            found.setdefault(item.agreement, []).append(item)
    for agreement, items in found.items():
        title = f"Insertions {agreement} systems"
        if agreement in AGREEMENTS:
            title = f"Reference elements: {AGREEMENTS[agreement]}"
        yield title, items


def _is_right(item: CollatedItem) -> bool:
    return item.agreement == "correct"


COLLATIONS: dict[str, Callable[..., Iterator[str]]] = {
    "html": render_html,
    "csv": render_csv,
}
"""The formats of collated errors, by the suffix of the file: functions of the collations and the
link to the page of the systems, which return the text in pieces."""
