"""The figures of a page: the counts and rates of a score, of its documents and of its labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ...analysis.audit import AnyScore
from ...analysis.blame import (
    CAUSES,
    FOUND,
    LOST,
    MANUAL,
    RECOGNISED,
    SHOWN,
    WRONG,
    Blame,
    beside,
    cost_rows,
    headline,
)
from ...analysis.compare import with_interval
from ...analysis.resampling import Resampling
from ...analysis.strata import Strata
from ...evaluation.evaluate import Evaluation, by_kind
from ...evaluation.report import (
    EXACT,
    IN_TEXT,
    OWN,
    interval_line,
    lne_notes,
    words_sentences,
)
from ...measures import Slot, decimal
from ...render.report import heads, percent, texts
from ...schemes.result import Figure, FigureRow, SchemeScore, figure_errors

Runs = Mapping[str, Mapping[str, Sequence[AnyScore]]]
"""For each condition and system, the score at each tolerance."""

LabelPair = tuple[str | None, str | None]
"""The reference label and the hypothesis label; ``None``: no element on that side."""

Cells = dict[LabelPair, tuple[Counter[str], int]]
"""For each pair of labels the number of cases of each class, and the first page that has an error
of them, or else any."""

Confusion = dict[tuple[int, int, int], Cells]
"""The cells by condition, tolerance and system."""

OF_SCHEMES = ("POS", "ACT", *(slot.value for slot in Slot), "errors", "F", "P", "R")
"""The columns of the other schemes."""


def figures(runs: Runs, confusion: Confusion, resampling: Resampling) -> dict[str, object]:
    """The figures of each condition at each tolerance, and what the heads of the tables need."""
    found = [
        [
            _setting(at, [confusion.get((condition, setting, k), {}) for k in range(len(at))])
            for setting, at in enumerate(zip(*systems.values(), strict=True))
        ]
        for condition, systems in enumerate(runs.values())
    ]
    scores = next(iter(runs.values())).values()
    score = next(iter(scores))[0]
    first, names = tables(score), ("columns", "rate", "headline", "sizes", "summed")
    is_alone = [len(scores), *map(len, found)] == [1, 1]
    interval = with_interval(score, resampling).interval if is_alone else None
    return {
        "isRising": score.rate.is_better == "higher",
        "interval": " ".join(interval_line(interval)) if interval and interval.units > 1 else "",
        **{name: getattr(first, name) for name in names},
        "figures": found,
        # several tolerances are those of a sweep, whose scores are evaluations
        "chart": [list(map(_point, own)) for own in scores] if len(found[0]) > 1 else None,
        "ms": [max(_tolerance(score)) for score in next(iter(scores))],
    }


def _setting(scores: Sequence[AnyScore], confusion: Sequence[Cells]) -> dict[str, object]:
    """The figures of all systems in a condition at a tolerance; of several the rates only."""
    found = list(map(tables, scores))
    rate = found[0].columns.index(found[0].headline[0])

    def rows(parts: Sequence[Mapping[str, list[str]]]) -> list[list[object]]:
        if len(parts) == 1:
            return list(map(list, parts[0].items()))
        names = dict.fromkeys(chain.from_iterable(parts))
        return [[name, [one[name][rate] if name in one else "" for one in parts]] for name in names]

    return {
        "signature": str(scores[0].signature),
        "notes": " ".join(found[0].notes),
        "totals": [one.total for one in found],
        "documents": rows([one.documents for one in found]),
        "labels": rows([one.labels for one in found]),
        "confusion": [[[*pair, *its] for pair, its in one.items()] for one in confusion],
    }


def kinds(score: AnyScore) -> dict[str, list[str]]:
    """The labels of each kind, by the grammar of a score."""
    grammar = score.settings.grammar if isinstance(score, Evaluation) else None
    return {kind: own for kind, own in by_kind(score.labels, grammar).items() if own}


def of_strata(strata: Strata) -> list[list[Any]]:
    """The cells of each stratum, by property."""
    costs = strata.score.settings.costs
    return [
        [name, [[one, texts(IN_TEXT, its, costs)] for one, its in of.items()]]
        for name, of in strata.counts.items()
    ]


def tolerances(scores: Sequence[AnyScore]) -> list[str]:
    """The tolerances of the slider as text; empty: there is one only."""
    each = [dict.fromkeys(f"{ms / 1000:g}" for ms in _tolerance(one)) for one in scores]
    return [f"{' and '.join(own)} s" for own in each] if len(scores) > 1 else []


def _tolerance(score: AnyScore) -> tuple[int, int]:
    tolerance = score.settings.tolerance if isinstance(score, Evaluation) else None
    return tolerance or (0, 0)


def _point(score: Any) -> list[float]:
    """The rate of an evaluation and the ends of its interval, in percent; 0 without a rate."""
    if score.ser is None:
        return [0.0, 0.0, 0.0]
    its = score.interval
    ends = (score.ser, its and its.low, its and its.high)
    return [round(100 * float(score.ser if end is None else end), 2) for end in ends]


class Tables(NamedTuple):
    """All figures of a score of any scheme, as text."""

    columns: Sequence[str]
    rate: str  # in words, as are the sizes
    headline: Sequence[str]  # the columns of the rate, of its errors, of the sizes of both sides
    sizes: Sequence[str]
    total: list[str]
    documents: Mapping[str, list[str]]
    labels: Mapping[str, list[str]]
    notes: Sequence[str]
    summed: int = 0  # the number of kinds among the labels


def tables(score: AnyScore) -> Tables:
    """All figures of a score, the worst documents and the most costly labels first."""
    rate, errors = score.rate, score.by_label
    sign = 1 if rate.is_better == "higher" else -1
    rates = {id: rate.of(own) for id, own in score.each_document()}
    ids = sorted(rates, key=lambda id: (rates[id] is None, sign * (rates[id] or 0), id))
    labels = sorted(errors, key=lambda name: (-errors[name].total, name))
    if isinstance(score, SchemeScore):
        return _of_scheme(score, ids, labels)
    costs = score.settings.costs
    counts = {document.id: document.counts for document in score.documents}
    of_labels = {**score.kinds, **{name: score.labels[name] for name in labels}}
    return Tables(
        heads(IN_TEXT),
        "slot error rate",
        ("SER", "cost", "Ref", "Hyp"),
        ("reference elements", "in the hypothesis"),
        texts(IN_TEXT, score.counts, costs),
        {id: texts(IN_TEXT, counts[id], costs) for id in ids},
        {name: texts(IN_TEXT, its, costs) for name, its in of_labels.items()},
        [
            *score.remarks,
            OWN if score.others else EXACT,
            *lne_notes(score),
            *words_sentences(score.word_errors),
            *score.notes,
        ],
        len(score.kinds),
    )


def _of_scheme(score: SchemeScore, ids: Iterable[str], labels: Iterable[str]) -> Tables:
    measure = score.rate
    of_document: dict[str, Counter[Slot]] = {}
    of_label: dict[str, Counter[Slot]] = {}
    for id, its in score.classes():
        of_document[id] = sum(its.values(), Counter())
        for label, own in its.items():
            of_label[label] = of_label.get(label, Counter()) + own

    def cells(row: FigureRow, slots: Counter[Slot]) -> list[str]:
        figure = row.get(measure.figure, Figure())
        errors = decimal(figure_errors(row, measure.figure).total)
        numbers = (figure.possible, figure.actual, *(slots[slot] for slot in Slot), errors)
        rates = figure.f(), figure.precision, figure.recall
        if measure.is_better == "lower":
            rates = figure.error_rate, None, None
        return [*map(str, numbers), *map(percent, rates)]

    return Tables(
        OF_SCHEMES,
        measure.title,
        ("F", "errors", "POS", "ACT"),
        ("in the reference (POS)", "in the hypothesis (ACT)"),
        cells(score.total, sum(of_document.values(), Counter())),
        {id: cells(score.totals[id], of_document[id]) for id in ids},
        {name: cells(score.labels[name], of_label[name]) for name in labels if name in of_label},
        [
            *score.notes,
            *words_sentences(score.word_errors),
            "F, P and R in percent; each element has the nearest class of the definition.",
        ],
    )


# --- whose errors they are -----------------------------------------------------------------------


BADGES = {
    "kept": ("kept", "kept: right on both words"),
    LOST: ("lost", "lost: right on reference words, wrong on the recogniser's"),
    FOUND: ("found", "found: wrong on reference words, right on the recogniser's"),
    WRONG: ("wrong on both", "wrong on both words"),
}
"""The name and the meaning of the badge of each group."""


def section(blame: Blame) -> dict[str, object]:
    """The costs and shares, the number of elements of each group and cause, the misheard words."""
    balance = blame.balance
    return {
        "signature": str(blame.signature),
        "sentence": " ".join(headline(blame.corners)),
        "costs": [row for row in cost_rows(blame) if row],
        "causes": CAUSES,
        "groups": [
            [group, count, [own for (of, _), own in balance.causes.items() if of == group]]
            for group, count in balance.outcomes.items()
        ],
        "insertions": [balance.insertions[side] for side in (MANUAL, RECOGNISED)],
        "mishearings": [
            [" ".join(one.words), " ".join(one.heard), one.number]
            for one in blame.mishearings[:SHOWN]
        ],
        "notes": beside(blame),
    }
