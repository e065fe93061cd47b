"""The report of a score: its columns, its tables, its text; and the word errors beside scores.

A new figure of a score is one more entry of ``COUNTS``. It then stands in the text, in JSON, CSV
and data frames, on the page, and in the tables of sweeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeVar

from ..alignment.blocks import UNIT
from ..labels import unused_notes
from ..measures import CLASSES, WRONG, Costs, Counts, Slot, decimal
from ..projection import fates_text
from ..render.report import (
    Column,
    Look,
    Report,
    Table,
    TextRow,
    columns,
    counted,
    filled,
    group_rows,
    heads,
    lines,
    of,
    percent,
    row,
    rows,
    texts,
    values,
)

if TYPE_CHECKING:
    from .evaluate import Evaluation, ScoreInterval
    from .words import ElementErrors, WordErrors, WordScore

T = TypeVar("T")


def _free(slot: Slot) -> Callable[[Counts, Costs], int | None]:
    return lambda counts, _: counts.free(slot) or None


MATCHES = (
    Column[Any, Any]("precision", value=of("precision"), title="P", text=percent),
    Column[Any, Any]("recall", value=of("recall"), title="R", text=percent),
)
"""The columns of precision and recall, of this score and of others."""

COUNTS: tuple[Column[Counts, Costs], ...] = (
    *columns("Ref integer", "Hyp integer"),
    *(Column(slot.value, "integer", value=of(slot.value)) for slot in Slot),
    *columns("unplaceable integer"),
    Column("cost", value=lambda counts, costs: counts.cost(costs), text=decimal),
    *columns("exact integer"),
    Column("ser", value=lambda counts, costs: counts.ser(costs), title="SER", text=percent),
    *MATCHES,
    Column("f1", value=of("f1"), title="F1", text=percent),
    *(Column(f"neutral_{s.value}", "integer?", value=_free(s)) for s in WRONG),
)
"""The counts and rates of the definition, in the order of the text report."""

IN_TEXT = tuple(
    one for one in COUNTS if one.type != "integer?" and one.name not in ("unplaceable", "exact")
)
"""The columns of the text and of the page."""

ERRORS = ("reference integer", "correct integer", "S integer", "D integer", "I integer", "wer")
ELEMENT_ERRORS = (
    *ERRORS,
    "border_insertions integer",
    "elements integer",
    "lost integer",
    "survival",
)

WORDS = {
    "words": row(*ERRORS, "weights text"),
    "word_elements": rows("label text", *ELEMENT_ERRORS),
    "word_documents": Table(
        columns("document text", "label text", "of text", *ELEMENT_ERRORS),
        kind="detail",
    ),
}
"""The tables of word errors; no label: those of all elements."""


INTERVAL = row(
    *("measure text", "low", "high", "undefined integer", "unit text", "units integer"),
    *("confidence", "resamples integer", "seed integer"),
)

FORMS = {
    "classes": Table(
        columns("document text", "label text", "class text", "count integer", "cost"),
        kind="detail",
    ),
    "counts": Table((*COUNTS, Column("alignment_slack", "integer?")), kind="row"),
    "labels": Table((*columns("label text"), *COUNTS)),
    "documents": Table((*columns("document text"), *COUNTS)),
    "kinds": Table((*columns("kind text"), *COUNTS)),
    "definition": Table(COUNTS, kind="row"),
    "extremes": Table((*columns("end text"), *COUNTS)),
    **WORDS,
    "interval": INTERVAL,
}
"""The tables of a score."""


def report_of(score: Evaluation) -> Report:
    """The report of a score: totals, labels, documents, kinds if there is a grammar."""
    costs = score.settings.costs

    def cells(name: str, counts: Counts) -> list[Any]:
        return [name, *values(COUNTS, counts, costs)]

    others = score.others
    slack = None if score.settings.through is None else sum(one.slack for one in score.documents)
    tables = filled(
        FORMS,
        classes=(
            (one.id, label, slot.value, counts[slot], counts.cost(costs, slot))
            for one in score.documents
            for label, counts in one.labels.items()
            for slot in Slot
        ),
        counts=[(*values(COUNTS, score.counts, costs), slack)],
        labels=starmap(cells, score.labels.items()),
        documents=(cells(one.id, one.counts) for one in score.documents),
        kinds=starmap(cells, score.kinds.items()),
        definition=(values(COUNTS, least, costs) for least in others[:1]),
        extremes=map(cells, ("lowest", "highest"), others[1:]),
        interval=[] if score.interval is None else [score.interval],
        **word_rows(score.word_score),
    )
    words = score.word_errors
    notes = [*_notes(score), *(words.notes if words else ())]
    return Report("score", tables, lambda look: _text(score, look), score.signature, notes)


# The text

VIEWS = {"summary": (10, 3), "labels": (None, 3), "documents": (10, None), "all": (None, None)}
"""The most labels and documents of each view: those that cost most; ``None``: all."""

WIDEST = 140
"""The most columns that a report takes."""

NARROWEST_BAR, WIDEST_BAR = 8, 40
"""The least and the most columns of the longest bar."""

EXACT = "SER, P, R and F1 in percent; P, R and F1 are of exact matches."
OWN = "SER, P, R and F1 in percent; P, R and F1 are of the mapping's own correct pairs."
ENTITY_WER = "WER of a label: of the words inside its elements."
"""The legend of a column with the rates of labels."""


def _text(score: Evaluation, look: Look) -> Iterator[str]:
    """The figure, classes, kinds, labels, documents, notes, the signature."""
    words, costs, total = score.word_errors, score.settings.costs, score.counts
    rate = total.ser(costs)
    yield (
        f"SER {percent(rate)}{'' if rate is None else ' %'}   "
        f"(cost {decimal(total.cost(costs))} for {counted(total.ref, 'reference element')})"
    )
    yield from (*interval_line(score.interval), *words_lines(words), "")
    each = {slot: total.cost(costs, slot) for slot in CLASSES}
    table: list[TextRow] = [("class", "", "number", "cost", "of SER")]
    for slot, cost in each.items():
        part = cost / total.ref if total.ref else None
        table.append((slot.value, CLASSES[slot], str(total[slot]), decimal(cost), percent(part)))
    yield from with_bars([*lines(table, left=(0, 1))], [None, *each.values()], look)
    yield ""
    yield from _table(score, look, words)
    yield ""
    yield from [ENTITY_WER] if words else []
    yield OWN if score.others else EXACT
    yield from (*_notes(score), "", str(score.signature))


def interval_line(interval: ScoreInterval | None) -> list[str]:
    """The interval of a score as a line, in percent, with how it was made; no line without one."""
    if interval is None:
        return []
    ends = f"{percent(interval.low)} to {percent(interval.high)}"
    units = counted(interval.units, interval.unit)
    undefined = f", {interval.undefined} undefined" if interval.undefined else ""
    return [
        f"{interval.confidence * 100:g} % interval of {interval.measure}: {ends} "
        f"(expanded bootstrap over {units}, {interval.resamples} resamples{undefined}, "
        f"seed {interval.seed})"
    ]


def with_bars(table: Sequence[str], costs: Sequence[Fraction | None], look: Look) -> list[str]:
    """The lines of a table with a bar for the cost of each; the greatest cost is the longest."""
    wide = max(map(len, table))
    room = min(look.width - wide - 2, WIDEST_BAR)
    most = max((cost for cost in costs if cost is not None), default=Fraction(0))
    if not look.has_bars or room < NARROWEST_BAR or not most:
        return [*table]
    bars = ["█" * -(-cost * room // most) if cost else "" for cost in costs]
    return [f"{line:{wide}}  {bar}".rstrip() for line, bar in zip(table, bars, strict=True)]


def most_costly(
    look: Look,
    labels: Mapping[str, T],
    documents: Mapping[str, T],
    cost: Callable[[T], Fraction],
) -> dict[str, Mapping[str, T]]:
    """The labels and documents to show under their headings; if some are left out, by cost."""
    found: dict[str, Mapping[str, T]] = {}
    of_labels, of_documents = VIEWS[look.show]
    for heading, every, most in (
        ("by label", labels, of_labels),
        ("by document", documents, of_documents),
    ):
        if most is None or len(every) <= most:
            found[heading] = every
        else:
            names = sorted(every, key=lambda name: (-cost(every[name]), name))[:most]
            chosen = {name: every[name] for name in names}
            found[f"{heading}: {most} of {len(every)}, the most costly"] = chosen
    return found


def _table(score: Evaluation, look: Look, words: WordScore | None) -> Iterator[str]:
    """The counts and rates of all, of the kinds, and of the labels and documents to show."""
    costs = score.settings.costs
    of_labels = words.parts.labels if words else {}
    of_documents = {one.id: one.parts.words.rate for one in words.documents} if words else {}
    total = {"all": (score.counts, percent(words.total.rate if words else None))}
    total |= {kind: (counts, "") for kind, counts in score.kinds.items()}
    labels = {
        label: (counts, percent(of_labels[label].errors.rate if label in of_labels else None))
        for label, counts in score.labels.items()
    }
    documents = {one.id: (one.counts, percent(of_documents.get(one.id))) for one in score.documents}
    shown = most_costly(look, labels, documents, lambda row: row[0].cost(costs))
    head = ("", *heads(IN_TEXT), *(["WER"] if words else []))
    cells = {
        heading: {
            name: [*texts(IN_TEXT, counts, costs), rate][: len(head) - 1]
            for name, (counts, rate) in group.items()
        }
        for heading, group in {"": total, **shown}.items()
    }
    return lines(group_rows(head, cells, tuple), width=look.width)


# Notes


def _notes(score: Evaluation) -> list[str]:
    """The notes without which the figures could be misread."""
    total, notes = score.counts, lne_notes(score)
    if not score.others and total.exact != total.C:
        notes.append(
            f"P, R and F1 count {total.exact} exact match{'' if total.exact == 1 else 'es'}; "
            f"the cheapest mapping keeps {total.C} of them as C."
        )
    notes += (*neutral_notes(score), *unplaceable_notes(score))
    if slack := sum(one.slack for one in score.documents):
        notes.append(f"Word alignments cost at most {slack} more than the cheapest would.")
    return [*notes, *score.notes]


def lne_notes(score: Evaluation) -> list[str]:
    """Notes on the mapping of LNE's program: the minimum, and what ties can do to its figure."""
    if not score.others:
        return []
    costs, (least, *extremes) = score.settings.costs, score.others
    notes = [
        "The mapping is that of LNE's program; "
        f"the definition's minimum is {percent(least.ser(costs))} %."
    ]
    low, high = (decimal(one.cost(costs)) for one in extremes)
    if low == high:
        return [*notes, f"All mappings of least charge cost {low}."]
    rates = " to ".join(percent(one.ser(costs)) for one in extremes)
    return [*notes, f"Mappings of least charge cost {low} to {high}: SER {rates} %."]


def neutral_notes(score: Evaluation) -> list[str]:
    """Notes on neutral labels: the number of free errors, and the labels that no element has."""
    neutral = score.settings.neutral
    if not neutral:
        return []
    number = sum(score.counts.free(slot) for slot in Slot)
    unused = unused_notes(neutral, score.labels)
    return [
        f"{counted(number, 'error')} with a neutral label, at no cost.",
        *(f"{note}." for note in unused),
    ]


def unplaceable_notes(score: Evaluation) -> list[str]:
    """A note on the number of unplaceable reference elements and their fates, if there are any."""
    fates = sum((Counter(one.fates) for one in score.documents), Counter[str]())
    return [f"{fates_text(fates)}."] if fates else []


# Word errors


def words_lines(score: WordScore | None) -> list[str]:
    """The word error rates of all words and of those in elements, a line each, and the notes."""
    return [] if score is None else [*_rates(score), *score.notes]


def words_sentences(score: WordScore | None) -> list[str]:
    """The same as :func:`words_lines`, in sentences."""
    return [] if score is None else [f"{', '.join(_rates(score))}.", *score.notes]


def _rates(score: WordScore) -> list[str]:
    inside = score.parts.entities
    rates = [f"WER {errors_line(score.total, dict(score.settings)['weights'])}"]
    if inside.errors.ref:
        whole = f"survival {percent(inside.survival)} % of {counted(inside.elements, 'element')}"
        rates.append(f"entity WER {percent(inside.errors.rate)} %, {whole}")
    return rates


def errors_line(errors: WordErrors, weights: str | None = None, unit: str = "word") -> str:
    """The rate of word errors, the counts behind it, and the weights unless they are 1."""
    named = f"; {weights}" if weights not in (None, UNIT.name) else ""
    counts = f"{errors.S} substituted, {errors.D} deleted, {errors.I} inserted{named}"
    rate = "n/a" if errors.rate is None else f"{percent(errors.rate)} %"
    return f"{rate} of {counted(errors.ref, unit)} ({counts})"


def word_rows(score: WordScore | None) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of the tables of word errors; none without word errors."""
    if score is None:
        return {}
    parts = score.parts
    elements = [(None, parts.entities), *parts.labels.items()]
    return {
        "words": [(*errors_cells(score.total), dict(score.settings)["weights"])],
        "word_elements": ((label, *_element_cells(one)) for label, one in elements),
        "word_documents": (
            row
            for id, own, *_ in score.documents
            for row in (
                (id, None, "words", *errors_cells(own.words), None, None, None, None),
                *(
                    (id, label, "elements", *_element_cells(one))
                    for label, one in [(None, own.entities), *own.labels.items()]
                ),
            )
        ),
    }


def _element_cells(one: ElementErrors) -> tuple[Any, ...]:
    """The word errors of elements under the columns ``ELEMENT_ERRORS``."""
    return (*errors_cells(one.errors), one.border, one.elements, one.lost, one.survival)


def errors_cells(errors: WordErrors) -> tuple[Any, ...]:
    """Word errors under the columns ``ERRORS``."""
    return (errors.ref, *errors, errors.rate)
