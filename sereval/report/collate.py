"""Collated errors as a page and as CSV: what each system did with each element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

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
        collation.signature,
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

    page = (
        environment()
        .get_template("collated.html")
        .render(
            FITTING=FITTING,
            conditions=[_condition(number, one) for number, one in enumerate(collations)],
            legend=[_cell(Answer(slot)) for slot in CLASSES],
        )
    )
    return f"{page}\n"


def _condition(number: int, collation: Collation) -> dict[str, Any]:
    groups = _groups(collation)
    return {
        "anchor": f"c{number}",
        "name": one_line(collation.name),
        "signature": collation.signature,
        "systems": list(map(one_line, collation.systems)),
        "groups": [{**group, "anchor": f"c{number}g{k}"} for k, group in enumerate(groups)],
        "elements": counted(len(collation.references), "reference element"),
        "correct": sum(item.agreement == "correct" for item in collation.references),
    }


def _groups(collation: Collation) -> Iterator[dict[str, Any]]:
    """Items that systems agree on in the same way, under a title."""
    for (agreement, unanimous), items in groupby(
        collation.items, lambda item: (item.agreement, item.is_unanimous)
    ):
        if agreement in AGREEMENTS:
            title = f"Reference elements: {AGREEMENTS[agreement]}"
        else:
            title = f"Insertions {agreement} systems"
        if agreement != "correct":
            rows = [_row(item, collation.systems) for item in items]
            yield {"title": title, "suspicious": unanimous, "rows": rows}


def _row(item: Item, systems: Sequence[str]) -> dict[str, Any]:
    return {
        "document": one_line(item.document),
        "place": _place(item),
        "labels": " or ".join(map(one_line, item.labels)),
        "before": " ".join(item.before),
        "words": " ".join(item.words),
        "after": " ".join(item.after),
        "answers": [_cell(item.answers.get(system)) for system in systems],
    }


def _place(item: Item) -> str:
    """When it was spoken; without times, which words it is, counted from 1."""
    if item.time is not None:
        return f"{seconds(item.time[0])}–{seconds(item.time[1])} s"
    if item.span is None:
        return ""
    first, last = item.span[0] + 1, item.span[1]
    return f"word {first}" if first == last else f"words {first}–{last}"


def _cell(answer: Answer | None) -> dict[str, str]:
    """How a system's answer looks: its class as a colour and in letters, what it found."""
    if answer is None:
        return {"style": "none", "letter": "–", "meaning": "not found", "label": "", "words": ""}
    return {
        "style": "lost" if answer.slot is None else answer.slot.value,
        "letter": "∅" if answer.slot is None else answer.slot.value,
        "meaning": CLASSES[answer.slot],
        "label": one_line(answer.label or ""),
        "words": " ".join(answer.words),
    }


COLLATIONS: dict[str, Callable[[Sequence[Collation]], str]] = {
    "html": render_html,
    "csv": render_csv,
}
"""What can be written, by suffix."""
