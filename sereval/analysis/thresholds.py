"""The score at every threshold of confidence: a system that keeps only what it is sure of.

``H_t`` has the elements of the hypothesis whose confidence is at least ``t``; the children of an
element that goes stay, if they stay themselves. The counts at each ``t`` equal those of a score of
``H_t``.

The projection does not depend on the elements of the hypothesis, and a hypothesis with fewer of
them falls into no larger clusters (``mapping.clusters``). So a cluster of all elements is solved
again only at the confidences of its own elements, and a document gives the *changes* of its counts
at its own thresholds. Their sums, from the highest threshold down, are the counts at all of them.

**Calibration.** The elements fall into ten bins by their confidence ``c``, of equal width. The
expected calibration error is ``Σ n_b / n · |C_b / n_b − mean c|``, where ``C_b`` of the ``n_b``
elements of a bin are in exact pairs of the whole hypothesis.

Source: Guo, Pleiss, Sun and Weinberger, ICML 2017, for the calibration error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf
from operator import add, sub
from typing import Any, NamedTuple

from ..corpus.corpus import Corpus, Pair
from ..documents.model import Document, Reference
from ..errors import InputError, SerevalError, one_line
from ..evaluation.evaluate import projection, score_document
from ..evaluation.report import COUNTS
from ..evaluation.report import IN_TEXT as OF_SCORE
from ..evaluation.settings import Settings, Signature
from ..evaluation.totals import signature_of
from ..mapping.best import Budget, state_budget
from ..mapping.clusters import Cluster, Origin, clusters, inside
from ..measures.slots import Additive, Costs, Counts
from ..render import chart
from ..render.report import Look, Report, Reported, Table, columns, filled, grouped, rows, values
from ..render.text import counted, lines, percent
from .grids import Confidences
from .points import Tally, loose, lost_counts, solver, tallied
from .sweep import summed

BINS = 10

SHOWN = 20
"""The most thresholds of the text, besides the best ones."""

IN_TEXT = tuple(column for column in OF_SCORE if column.name not in ("Ref", "cost"))

FORMS = {
    "points": Table((*columns("system text", "confidence"), *COUNTS)),
    "best": rows("system text", "goal text", "confidence", "ser", "precision", "recall", "f1"),
    "calibration": rows(
        *("system text", "low", "high", "elements integer", "correct integer", "mean"),
    ),
    "calibration_errors": rows("system text", "elements integer", "error"),
}
"""The tables of a sweep of thresholds."""


@dataclass(frozen=True, slots=True)
class Bin(Additive):
    """The elements of a range of confidence: how many, how many correct, the sum of confidence."""

    elements: int = 0
    correct: int = 0
    total: Fraction = Fraction(0)

    @property
    def mean(self) -> Fraction | None:
        """The mean confidence; ``None`` without elements."""
        return self.total / self.elements if self.elements else None


Links = Sequence[tuple[int, int | None]]
"""Elements that are kept, by index, each with the place of its parent among them."""


class Changes(NamedTuple):
    """What a document, or several, add to the counts of a system."""

    # at infinity its counts without an element of the hypothesis; their change at each confidence
    # of its elements, from the highest down
    at: defaultdict[float, Counts]
    bins: Sequence[Bin]


@dataclass(frozen=True, slots=True, repr=False)
class Thresholds(Reported):
    """The scores of systems at thresholds of the confidence of their elements.

    Args:
        thresholds: increasing.
        systems: the counts of each system at each threshold, by its name.
        bins: the elements of each system by confidence.
        costs: the cost of each class of error.
        signature: all settings that can change the result.
        precision: the precision that the best recall must have.
        read: the notes of the readers, a sentence each.
    """

    thresholds: tuple[float, ...]
    systems: Mapping[str, tuple[Counts, ...]]
    bins: Mapping[str, Sequence[Bin]]
    costs: Costs
    signature: Signature
    precision: Fraction | None = None
    read: tuple[str, ...] = ()

    def best(self, system: str) -> dict[str, int]:
        """The index of the best threshold for each goal that one reaches; of equal ones the lowest.

        Args:
            system: its name.
        """
        own, costs, least = self.systems[system], self.costs, self.precision
        every = range(len(own))
        found = {}
        if own[0].ref:
            found["least SER"] = min(every, key=lambda k: own[k].cost(costs))
            found["best F1"] = max(
                every, key=lambda k: (Fraction(own[k].exact, own[k].ref + own[k].hyp), -k)
            )
        if least is not None:
            enough = [k for k in every if own[k].hyp and own[k].exact >= least * own[k].hyp]
            if enough:
                found[self._goal] = max(enough, key=lambda k: (own[k].exact, -k))
        return found

    @property
    def _goal(self) -> str:
        return f"most R with P ≥ {percent(self.precision)} %"

    def calibration_error(self, system: str) -> Fraction | None:
        """The expected calibration error; ``None`` without elements.

        Args:
            system: its name.
        """
        bins = self.bins[system]
        elements = sum(one.elements for one in bins)
        off = sum((abs(one.correct - one.total) for one in bins), Fraction(0))
        return off / elements if elements else None

    def report(self) -> Report:
        """All thresholds of all systems, the best ones, and the calibration."""
        costs = self.costs
        tables = filled(
            FORMS,
            points=(
                (name, at, *values(COUNTS, counts, costs))
                for name, own in self.systems.items()
                for at, counts in zip(self.thresholds, own, strict=True)
            ),
            best=(
                (name, goal, self.thresholds[k], own.ser(costs), own.precision, own.recall, own.f1)
                for name in self.systems
                for goal, k in self.best(name).items()
                for own in [self.systems[name][k]]
            ),
            calibration=(
                (name, k / BINS, (k + 1) / BINS, one.elements, one.correct, one.mean)
                for name, bins in self.bins.items()
                for k, one in enumerate(bins)
            ),
            calibration_errors=(
                (name, sum(one.elements for one in bins), self.calibration_error(name))
                for name, bins in self.bins.items()
            ),
        )
        return Report("sweep", tables, self._text, self.signature, self.read)

    def plot(self) -> Any:
        """Precision against recall, and the SER against the threshold, as a figure of matplotlib.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """

        def rates(rate: Any) -> dict[str, list[Any]]:
            return {name: [*map(rate, own)] for name, own in self.systems.items()}

        recall, precision = rates(lambda one: one.recall), rates(lambda one: one.precision)
        panels = [
            chart.Panel("", "P (%)", precision, across=("R (%)", recall)),
            chart.Panel("", "slot error rate (%)", rates(lambda one: one.ser(self.costs))),
        ]
        return chart.curves("confidence", self.thresholds, panels, [self.signature])

    def _text(self, _: Look) -> Iterator[str]:
        for name, own in self.systems.items():
            best = self.best(name)
            every = range(len(own))
            shown = {*every[:: -(-len(own) // SHOWN)], every[-1], *best.values()}
            group = {"": {f"{self.thresholds[k]:g}": own[k] for k in sorted(shown)}}
            yield one_line(name)
            yield from lines(grouped(IN_TEXT, group, self.costs, "confidence"))
            if left := len(own) - len(shown):
                yield f"… {left} more thresholds, all with --format csv"
            yield ""
            yield from self._sentences(name, best)
            yield ""
            found = [
                [
                    *(f"{k / BINS:.1f} to {(k + 1) / BINS:.1f}", str(one.elements)),
                    *map(percent, (one.mean, Fraction(one.correct, one.elements))),
                ]
                for k, one in enumerate(self.bins[name])
                if one.elements
            ]
            yield from lines([["confidence", "elements", "mean %", "correct %"], *found])
            yield ""
        if self.read:
            yield from (*map(one_line, self.read), "")
        yield str(self.signature)

    def _sentences(self, name: str, best: Mapping[str, int]) -> Iterator[str]:
        for goal, k in best.items():
            own = self.systems[name][k]
            f1, p, r = map(percent, (own.f1, own.precision, own.recall))
            ser = percent(own.ser(self.costs))
            rates = f"SER {ser}, P {p}, R {r}, F1 {f1}"
            yield f"{goal[0].upper()}{goal[1:]} at {self.thresholds[k]:g}: {rates}."
        if self.precision is not None and self._goal not in best:
            yield f"No threshold has P ≥ {percent(self.precision)} %."
        error = percent(self.calibration_error(name))
        number = counted(sum(one.elements for one in self.bins[name]), "element")
        yield f"Calibration: expected error {error} points over {number} in {BINS} bins."


def thresholds_of(
    systems: Corpus,
    asked: Confidences,
    settings: Settings,
    *,
    default: float | None = None,
    precision: Fraction | None = None,
) -> Thresholds:
    """The scores of systems at thresholds; their documents are in memory or read one by one."""
    named = [("confidence", asked.text)]
    if default is not None:
        named.append(("confidence-default", f"{default:g}"))

    def plus(total: Changes, one: Changes) -> Changes:
        for threshold, change in one.at.items():
            total.at[threshold] += change
        return Changes(total.at, [*map(add, total.bins, one.bins)])

    work = partial(changes_of, settings=settings, default=default)
    found, read, choices = summed(systems, work, plus, settings)
    every = {one for own in found.values() for one in own.at} - {inf}
    thresholds = asked.points or tuple(sorted(every))
    if not thresholds:
        raise SerevalError("found no element of a hypothesis, expected some with a confidence")
    return Thresholds(
        thresholds,
        {name: _along(thresholds, own.at) for name, own in found.items()},
        {name: own.bins for name, own in found.items()},
        settings.costs,
        signature_of(settings, (*choices, *named)),
        precision,
        read,
    )


def _along(thresholds: Sequence[float], at: Mapping[float, Counts]) -> tuple[Counts, ...]:
    """The counts at increasing thresholds."""
    left = sorted(at)
    found, now = [], Counts()
    for threshold in reversed(thresholds):
        while left and left[-1] >= threshold:
            now += at[left.pop()]
        found.append(now)
    return tuple(reversed(found))


def changes_of(pair: Pair, settings: Settings, default: float | None) -> Changes:
    """What one document adds to the counts of a system at all thresholds."""
    annotated, hypothesis = pair
    projected, hypothesis = projection(annotated, hypothesis, settings)
    pair, sure = (annotated, hypothesis), _confidences(hypothesis, default)
    whole = score_document(annotated, hypothesis, settings, projected)
    assert whole.mapped is not None  # it was mapped here
    # elements whose counts depend on each other, and their counts if only some are kept
    parts: list[tuple[Sequence[float], Sequence[Any], Callable[[Links], Counts]]]
    if settings.neutral:  # neutral elements take part in no tally
        parts = [(sure, hypothesis.elements, partial(_scored, pair, projected, settings))]
    else:
        limit = state_budget(len(sure) + len(projected.elements), settings.max_states)
        budget = Budget(limit * (1 + len({*sure})))
        solve = partial(solver(settings, budget, {}), projected)
        parts = [
            (sure[first : first + len(own)], own, partial(_solved, solve, origin, loose(cluster)))
            for origin, cluster in clusters(projected, hypothesis)
            for first, own in [(origin.hypothesis, cluster.hypotheses)]
        ]
    change = defaultdict(Counts, {inf: Counts() if settings.neutral else lost_counts(projected)})
    for own, elements, counts_of in parts:
        before = Counts()
        parents = [one.parent for one in elements]
        for least in sorted({inf, *own}, reverse=True):
            after = counts_of(_linked(parents, own, least))
            change[least] += Counts(*map(sub, after, before))
            before = after
    exact = {h for _, h in whole.mapped.exact}
    return Changes(change, _binned(sure, exact))


def _confidences(hypothesis: Document, default: float | None) -> list[float]:
    """The confidence of each element."""
    found = []
    for element in hypothesis.elements:
        sure = default if element.confidence is None else element.confidence
        if sure is None or not 0 <= sure <= 1:
            has = "no confidence, expected one or --confidence-default"
            if sure is not None:
                has = f"the confidence {sure:g}, expected 0 to 1"
            message = f"{hypothesis.id}: {element} has {has}"
            raise InputError(message, path=hypothesis.source, line=element.line)
        found.append(sure)
    if hypothesis.mentions:
        raise SerevalError(f"{hypothesis.id}: mentions without places, expected elements")
    return found


def _binned(sure: Sequence[float], exact: Collection[int]) -> Sequence[Bin]:
    """The elements of a document by confidence."""
    found = [Bin()] * BINS
    for h, one in enumerate(sure):
        value = Fraction(str(one))
        k = min(int(BINS * value), BINS - 1)
        found[k] += Bin(1, int(h in exact), value)
    return found


def _linked(parents: Sequence[int | None], sure: Sequence[float], least: float) -> Links:
    """The elements that are kept, each with its place among them and that of its parent."""
    place: list[int | None] = []  # of the element, or of the nearest one around it that is kept
    kept: list[tuple[int, int | None]] = []
    for k, parent in enumerate(parents):
        around = None if parent is None else place[parent]
        if sure[k] < least:
            place.append(around)
        else:
            place.append(len(kept))
            kept.append((k, around))
    return kept


def _scored(pair: Pair, projected: Reference, settings: Settings, links: Links) -> Counts:
    """The counts of a document with some of its elements."""
    reference, hypothesis = pair
    every = hypothesis.elements
    elements = tuple(replace(every[k], parent=parent) for k, parent in links)
    kept = replace(hypothesis, elements=elements)
    return score_document(reference, kept, settings, projected).counts


def _solved(
    solve: Callable[[Origin, Cluster], Tally], origin: Origin, cluster: Cluster, links: Links
) -> Counts:
    """The counts of a cluster with some of its elements of the hypothesis."""
    kept = tuple(cluster.hypotheses[k]._replace(parent=parent) for k, parent in links)
    parts = inside(cluster._replace(hypotheses=kept), 0)
    found = (tallied(solve(Origin(*map(add, origin, place)), part)) for place, part in parts)
    return Counts.sum([Counts(hyp=len(kept)), *found])
