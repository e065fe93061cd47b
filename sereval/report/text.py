"""An evaluation for people at a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..errors import one_line
from ..evaluation.totals import Score, counts_of
from ..labels.relabel import unused
from ..measures.slots import Costs, Counts, Slot, decimal
from ..projection.project import became

Row = tuple[str, Counts]


def render(evaluation: Score) -> str:
    """Totals, then the same columns by kind, by label and by document; the signature last.

    SER and P, R, F1 are percentages; ``n/a`` where the denominator is 0.
    """
    costs = evaluation.settings.costs
    total = evaluation.counts
    groups: list[tuple[str, list[Row]]] = [
        ("", [("all", total), *evaluation.kinds.items()]),
        ("by label", list(evaluation.labels.items())),
        ("by document", [(document.id, counts_of(document)) for document in evaluation.documents]),
    ]
    rate = total.ser(costs)
    headline = (
        f"SER {percent(rate)}{'' if rate is None else ' %'}   "
        f"(cost {decimal(total.cost(costs))} for {counted(total.ref, 'reference element')})"
    )
    notes = "\n".join([*_notes(evaluation), "", headline, str(evaluation.signature), ""])
    return f"{headline}\n\n{_table(groups, costs)}\n\n{notes}"


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "element"), counted(2, "element")
    ('1 element', '2 elements')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def percent(rate: float | None, digits: int = 1) -> str:
    """A rate in percent, never 0.0 or 100.0 unless it is exactly that.

    >>> percent(0.12345), percent(0.0001), percent(0.99999), percent(1.00001), percent(None)
    ('12.3', '0.1', '99.9', '100.1', 'n/a')
    """
    return rounded(rate, digits, (0.0, 1.0), 100)


def rounded(value: float | None, digits: int, ends: Sequence[float], scale: int = 1) -> str:
    """A value so many times as large, never shown as one of ``ends`` unless it is exactly that.

    >>> rounded(0.99996, 3, (-1.0, 0.0, 1.0)), rounded(-0.0001, 3, (-1.0, 0.0, 1.0))
    ('0.999', '-0.001')
    """
    if value is None:
        return "n/a"
    shown = round(scale * value, digits)
    least = 10.0**-digits
    for end in ends:
        if shown == scale * end and value != end:
            shown += least if value > end else -least
    return f"{shown:.{digits}f}"


TERMINAL = 80
"""Columns of a small one."""

LEGEND = "C correct, S_S span wrong, S_T type wrong, S_ST both, D deleted, I inserted."
EXACT = "SER, P, R and F1 in percent; P, R and F1 are of exact matches."
OWN = "SER, P, R and F1 in percent; P, R and F1 are of the mapping's own correct pairs."


def _notes(evaluation: Score) -> list[str]:
    """What the letters mean, and what the figures alone would hide."""
    total = evaluation.counts
    notes = [LEGEND, EXACT if evaluation.definition_counts is None else OWN]
    definition = evaluation.definition_counts
    if definition is not None:
        costs = evaluation.settings.costs
        least = definition.ser(costs)
        notes.append(
            f"The mapping is that of LNE's program; the definition's minimum is {percent(least)} %."
        )
    elif total.exact != total.C:
        notes.append(
            f"These are {counted(total.exact, 'exact pair')}; "
            f"the mapping of least cost has {total.C} correct."
        )
    notes += [*free(evaluation), *near(evaluation), f"{lost(evaluation)}."]
    slack = sum(document.slack for document in evaluation.documents)
    if slack:
        notes.append(f"Word alignments cost at most {slack} more than the cheapest would.")
    return [*notes, *read(evaluation)]


def free(evaluation: Score) -> list[str]:
    """How many errors cost nothing because a label is neutral; a label of none may be a slip."""
    if not evaluation.settings.neutral:
        return []
    number = sum(evaluation.counts.free(slot) for slot in Slot)
    return [
        f"{counted(number, 'error')} with a neutral label, at no cost.",
        *(f"{said}." for said in unused(evaluation.settings.neutral, evaluation.labels)),
    ]


def near(evaluation: Score) -> list[str]:
    """How many levels of wrong labels are right, where that makes them cost less."""
    number, depth = evaluation.counts.right_levels, evaluation.settings.costs.depth
    less = f"each takes 1/{depth} off S_T"
    return [f"{counted(number, 'level')} right in wrong labels; {less}."] if number else []


def lost(evaluation: Score) -> str:
    """How many reference elements have no place, and what became of them."""
    return became(sum((Counter(one.fates) for one in evaluation.documents), Counter()))


def read(evaluation: Score) -> list[str]:
    """What the readers of either side skipped, merged or made up."""
    return [
        one_line(f"{side.capitalize()}: {note}.")
        for side, notes in evaluation.notes.items()
        for note in notes
    ]


def _table(groups: Iterable[tuple[str, list[Row]]], costs: Costs) -> str:
    """Rows under one set of columns, each group under its heading."""
    columns = ("Ref", "Hyp", *(slot.value for slot in Slot), "SER", "P", "R", "F1")
    cells: list[tuple[str, ...]] = [("", *columns)]
    for heading, rows in groups:
        if heading:
            cells += [("",), (heading,)]
        for name, counts in rows:
            numbers = (counts.ref, counts.hyp, *(counts[slot] for slot in Slot))
            rates = (counts.ser(costs), counts.precision, counts.recall, counts.f1)
            cells.append((one_line(name), *map(str, numbers), *map(percent, rates)))
    wide = [max(map(len, column)) for column in zip(*(c for c in cells if len(c) > 1), strict=True)]
    gap = "  " if sum(wide) + 2 * len(columns) < TERMINAL else " "
    return "\n".join(
        gap.join(
            [cell.ljust(wide[0]), *map(str.rjust, numbers, wide[1:])] if numbers else [cell]
        ).rstrip()
        for cell, *numbers in cells
    )
