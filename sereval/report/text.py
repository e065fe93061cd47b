"""An evaluation as text for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..errors import one_line
from ..evaluation.totals import Score, counts_of
from ..labels.relabel import unused_notes
from ..measures.slots import Slot, decimal
from ..projection.project import fates_text
from .columns import IN_TEXT, heads, texts
from .numbers import counted, percent
from .table import group_rows, lines
from .words import ENTITY_WER, words_cells, words_lines

if TYPE_CHECKING:
    from ..schemes.result import SchemeScore


def render(evaluation: Score) -> str:
    """An evaluation as a table: totals, kinds, labels, documents; then notes and the signature.

    SER, P, R and F1 are percentages; ``n/a`` stands for a rate whose denominator is 0.
    """
    costs = evaluation.settings.costs
    total = evaluation.counts
    groups = {
        "": {"all": total, **evaluation.kinds},
        "by label": evaluation.labels,
        "by document": {document.id: counts_of(document) for document in evaluation.documents},
    }
    words = evaluation.word_errors
    cells = {
        heading: {
            name: (*texts(IN_TEXT, counts, costs), *words_cells(words, heading, name))
            for name, counts in group.items()
        }
        for heading, group in groups.items()
    }
    rows = group_rows(("", *heads(IN_TEXT), *(["WER"] if words else [])), cells, tuple)
    table = "\n".join(lines(rows, width=TERMINAL))
    rate = total.ser(costs)
    headline = (
        f"SER {percent(rate)}{'' if rate is None else ' %'}   "
        f"(cost {decimal(total.cost(costs))} for {counted(total.ref, 'reference element')})"
    )
    headline = "\n".join([headline, *words_lines(words)])
    legend = [ENTITY_WER] if words else []
    notes = "\n".join([*legend, *_notes(evaluation), "", headline, str(evaluation.signature), ""])
    return f"{headline}\n\n{table}\n\n{notes}"


TERMINAL = 80
"""The columns of a small terminal."""

LEGEND = "C correct, S_S span wrong, S_T type wrong, S_ST both, D deleted, I inserted."
EXACT = "SER, P, R and F1 in percent; P, R and F1 are of exact matches."
OWN = "SER, P, R and F1 in percent; P, R and F1 are of the mapping's own correct pairs."


def _notes(evaluation: Score) -> list[str]:
    """The legend, and the notes without which the figures could be misread."""
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
    notes += [
        *neutral_notes(evaluation),
        *level_notes(evaluation),
        f"{unplaceable_note(evaluation)}.",
    ]
    slack = sum(document.slack for document in evaluation.documents)
    if slack:
        notes.append(f"Word alignments cost at most {slack} more than the cheapest would.")
    return [*notes, *reading_notes(evaluation)]


def neutral_notes(evaluation: Score) -> list[str]:
    """Notes on neutral labels: the number of free errors, and the labels that no element has."""
    if not evaluation.settings.neutral:
        return []
    number = sum(evaluation.counts.free(slot) for slot in Slot)
    return [
        f"{counted(number, 'error')} with a neutral label, at no cost.",
        *(f"{note}." for note in unused_notes(evaluation.settings.neutral, evaluation.labels)),
    ]


def level_notes(evaluation: Score) -> list[str]:
    """A note on the right levels of wrong labels, if a right level reduces the cost."""
    number, depth = evaluation.counts.right_levels, evaluation.settings.costs.depth
    less = f"each takes 1/{depth} off S_T"
    return [f"{counted(number, 'level')} right in wrong labels; {less}."] if number else []


def unplaceable_note(evaluation: Score) -> str:
    """The number of unplaceable reference elements, and their fates."""
    return fates_text(sum((Counter(one.fates) for one in evaluation.documents), Counter()))


def reading_notes(evaluation: Score | SchemeScore) -> list[str]:
    """The notes of the readers of both sides; for another scheme, all its notes."""
    if not isinstance(evaluation, Score):
        return list(map(one_line, evaluation.notes))
    return [
        one_line(f"{side.capitalize()}: {note}.")
        for side, notes in evaluation.notes.items()
        for note in notes
    ]
