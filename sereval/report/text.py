"""An evaluation as text for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..errors import one_line
from ..evaluation.totals import Evaluation
from ..labels.relabel import unused_notes
from ..measures.slots import CLASSES, Slot, decimal
from ..projection.project import fates_text
from ..render.numbers import counted, percent
from ..render.table import TextRow, group_rows, lines
from .columns import ENTITY_WER, IN_TEXT, heads, interval_line, texts, words_cells, words_lines
from .views import ALL, TextView, with_bars

if TYPE_CHECKING:
    from ..evaluation.words import WordScore
    from ..schemes.result import SchemeScore


def render(evaluation: Evaluation, view: TextView = ALL) -> str:
    """An evaluation as text: the figure, classes, kinds, labels, documents, notes, the signature.

    SER, P, R and F1 are percentages; ``n/a`` stands for a rate whose denominator is 0.

    Args:
        evaluation: the score.
        view: the labels and documents to show; by default all.
    """
    words = evaluation.word_errors
    head = [_headline(evaluation), *ends_line(evaluation), *interval_line(evaluation.interval)]
    head += words_lines(words)
    parts = [
        "\n".join(head),
        _classes(evaluation, view),
        _table(evaluation, view, words),
    ]
    legend = [ENTITY_WER] if words else []
    end = [*legend, *_notes(evaluation), "", str(evaluation.signature), ""]
    return "\n\n".join([*parts, "\n".join(end)])


def _headline(evaluation: Evaluation) -> str:
    """The slot error rate with its cost."""
    costs, total = evaluation.settings.costs, evaluation.counts
    rate = total.ser(costs)
    return (
        f"SER {percent(rate)}{'' if rate is None else ' %'}   "
        f"(cost {decimal(total.cost(costs))} for {counted(total.ref, 'reference element')})"
    )


def ends_line(evaluation: Evaluation) -> list[str]:
    """The range of the slot error rate over all placements of mentions, if the settings ask for it.

    Args:
        evaluation: the score.
    """
    found, costs = evaluation.placements, evaluation.settings.costs
    if found is None:
        return []
    rates = " to ".join(percent(end.ser(costs)) for end in (found.best, found.worst))
    unit = " %" if found.best.ref else ""
    ends = " to ".join(decimal(end.cost(costs)) for end in (found.best, found.worst))
    verb = "has" if found.open == 1 else "have"
    open = f"{counted(found.open, 'mention')} {verb} more than one place"
    return [f"SER of all placements of mentions: {rates}{unit}   (cost {ends}; {open})"]


LEGEND = f"{', '.join(f'{slot.value} {name}' for slot, name in CLASSES.items())}."


def _classes(evaluation: Evaluation, view: TextView) -> str:
    """The number of slots of each class, their cost, and their part of the slot error rate."""
    setting, total = evaluation.settings.costs, evaluation.counts
    costs = {slot: total.cost_of(slot, setting) for slot in CLASSES}
    rows: list[TextRow] = [("class", "", "number", "cost", "of SER")]
    for slot, name in CLASSES.items():
        part = costs[slot] / total.ref if total.ref else None
        rows.append((slot.value, name, str(total[slot]), decimal(costs[slot]), percent(part)))
    table = [*lines(rows, left=(0, 1))]
    return "\n".join(with_bars(table, rows, [None, *costs.values()], view))


def _table(evaluation: Evaluation, view: TextView, words: WordScore | None) -> str:
    """The counts and rates of all, of the kinds, and of the labels and documents to show."""
    costs = evaluation.settings.costs
    documents = {document.id: document.counts for document in evaluation.documents}
    shown = view.groups(evaluation.labels, documents, lambda counts: counts.cost(costs))
    groups = {"": {"all": evaluation.counts, **evaluation.kinds}, **shown}
    cell_of = words_cells(words)
    cells = {
        heading: {
            name: (*texts(IN_TEXT, counts, costs), *cell_of(heading, name))
            for name, counts in group.items()
        }
        for heading, group in groups.items()
    }
    rows = group_rows(("", *heads(IN_TEXT), *(["WER"] if words else [])), cells, tuple)
    return "\n".join(lines(rows, width=view.width))


EXACT = "SER, P, R and F1 in percent; P, R and F1 are of exact matches."
OWN = "SER, P, R and F1 in percent; P, R and F1 are of the mapping's own correct pairs."


def _notes(evaluation: Evaluation) -> list[str]:
    """The legend, and the notes without which the figures could be misread."""
    total = evaluation.counts
    notes = [EXACT if evaluation.definition_counts is None else OWN]
    if evaluation.definition_counts is not None:
        notes += lne_notes(evaluation)
    elif total.exact != total.C:
        notes.append(
            f"P, R and F1 count {total.exact} exact match{'' if total.exact == 1 else 'es'}; "
            f"the cheapest mapping keeps {total.C} of them as C."
        )
    notes += [
        *neutral_notes(evaluation),
        *level_notes(evaluation),
        *(f"{note}." for note in unplaceable_notes(evaluation)),
    ]
    slack = sum(document.slack for document in evaluation.documents)
    if slack:
        notes.append(f"Word alignments cost at most {slack} more than the cheapest would.")
    return [*notes, *reading_notes(evaluation)]


def lne_notes(evaluation: Evaluation) -> list[str]:
    """Notes on the mapping of LNE's program: the minimum, and what ties can do to its figure.

    Nothing for the definition's scheme.
    """
    least, extremes = evaluation.definition_counts, evaluation.extreme_counts
    if least is None or extremes is None:
        return []
    costs = evaluation.settings.costs
    notes = [
        "The mapping is that of LNE's program; "
        f"the definition's minimum is {percent(least.ser(costs))} %."
    ]
    low, high = (decimal(one.cost(costs)) for one in extremes)
    if low == high:
        return [*notes, f"All mappings of least charge cost {low}."]
    rates = " to ".join(percent(one.ser(costs)) for one in extremes)
    return [*notes, f"Mappings of least charge cost {low} to {high}: SER {rates} %."]


def neutral_notes(evaluation: Evaluation) -> list[str]:
    """Notes on neutral labels: the number of free errors, and the labels that no element has."""
    if not evaluation.settings.neutral:
        return []
    number = sum(evaluation.counts.free(slot) for slot in Slot)
    return [
        f"{counted(number, 'error')} with a neutral label, at no cost.",
        *(f"{note}." for note in unused_notes(evaluation.settings.neutral, evaluation.labels)),
    ]


def level_notes(evaluation: Evaluation) -> list[str]:
    """A note on the right levels of wrong labels, if a right level reduces the cost."""
    number, depth = evaluation.counts.right_levels, evaluation.settings.costs.depth
    less = f"each takes 1/{depth} off S_T"
    return [f"{counted(number, 'level')} right in wrong labels; {less}."] if number else []


def unplaceable_notes(evaluation: Evaluation) -> list[str]:
    """A note on the number of unplaceable reference elements and their fates, if there are any."""
    fates = sum((Counter(one.fates) for one in evaluation.documents), Counter[str]())
    return [fates_text(fates)] if fates else []


def reading_notes(evaluation: Evaluation | SchemeScore) -> list[str]:
    """The notes of the readers of both sides; for another scheme, all its notes."""
    if not isinstance(evaluation, Evaluation):
        return list(map(one_line, evaluation.notes))
    return [
        one_line(f"{side.capitalize()}: {note}.")
        for side, notes in evaluation.notes.items()
        for note in notes
    ]
