"""Collated errors as a page and as CSV: what each system did with each element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from ..analysis.audit import HYPOTHESIS
from ..analysis.collate import AGREEMENTS, Answer, Collation, Item
from ..documents.model import seconds
from ..errors import one_line
from ..measures.slots import Slot
from .csv import tidy
from .numbers import counted

COLUMNS = (
    *("condition", "side", "agreement", "document", "element"),
    *("first_word", "last_word", "start", "end", "labels"),
    *("before", "words", "after", "signature"),
)

FITTING = 4
"""Systems that a screen has room for, so that the heads of a table can stay in sight."""

CLASSES = {
    Slot.CORRECT: "correct",
    Slot.SPAN: "other span",
    Slot.TYPE: "other label",
    Slot.SPAN_AND_TYPE: "other label and span",
    Slot.DELETION: "missed",
    Slot.INSERTION: "inserted",
    None: "no place for it",
}
"""The classes in words; ``None``: the system's words had no place for it."""


def render_csv(collations: Sequence[Collation]) -> str:
    """One element a row, correct ones too, with one column for each system.

    A system's field is the class of the slot, then what it found: ``S_T org "la Russie"``. Times
    are in seconds; ``element`` is the index of a reference element in its document, from 0; words
    are counted from 1 (see ``Item`` for which they are).
    """
    systems = sorted({system for collation in collations for system in collation.systems})
    rows = (
        (*_fields(item, collation), *(_field(item, system) for system in systems))
        for collation in collations
        for item in collation.items
    )
    return tidy((*COLUMNS, *systems), rows)


def _fields(item: Item, collation: Collation) -> tuple[object, ...]:
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


def _field(item: Item, system: str) -> str:
    answer = item.answers.get(system)
    if answer is None:
        return ""
    letter = "unplaceable" if answer.slot is None else answer.slot.value
    if answer.label is None:
        return letter
    return f'{letter} {answer.label} "{" ".join(answer.words)}"'


def render_html(collations: Sequence[Collation]) -> str:
    """A page on its own: no script, no network; every word is escaped.

    Elements that all systems have right are counted, not listed.
    """
    from .page import environment  # only for those who ask for a page

    template = environment().get_template("collated.html")
    page = template.render(
        FITTING=FITTING,
        collations=collations,
        legend=list(map(Answer, CLASSES)),
        groups=_groups,
        place=_place,
        classes=CLASSES,
        one_line=one_line,
        counted=counted,
    )
    return f"{page}\n"


def _groups(collation: Collation) -> Iterator[tuple[str, bool, list[Item]]]:
    """Items that systems agree on in the same way: a title, whether all systems agree, the items.

    Those that every system has right are left out.
    """
    for (agreement, unanimous), items in groupby(
        collation.items, lambda item: (item.agreement, item.is_unanimous)
    ):
        title = f"Insertions {agreement} systems"
        if agreement in AGREEMENTS:
            title = f"Reference elements: {AGREEMENTS[agreement]}"
        if agreement != "correct":
            yield title, unanimous, list(items)


def _place(item: Item) -> str:
    """When it was spoken; without times, which words it is, counted from 1."""
    if item.time is not None:
        return f"{seconds(item.time[0])}–{seconds(item.time[1])} s"
    if item.span is None:
        return ""
    first, last = item.span[0] + 1, item.span[1]
    return f"word {first}" if first == last else f"words {first}–{last}"


COLLATIONS: dict[str, Callable[[Sequence[Collation]], str]] = {
    "html": render_html,
    "csv": render_csv,
}
"""What can be written, by suffix."""
