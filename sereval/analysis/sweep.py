"""The score at many tolerances or at every threshold of confidence.

**Tolerances** show how much the score depends on exact times. The counts at each tolerance equal
those of ``evaluate``; the module ``points`` shares the work between the tolerances. A sweep of
measures has their values in place of counts; its points may also be tolerances in words, or extent
tolerances. The numerator and the denominator of each value are summed over documents, as for a
comparison of systems (module ``rates``). Slot errors at many tolerances in time share their work,
too; any other value is the one that ``measured`` computes at its point.

**Thresholds**: a system that keeps only what it is sure of. ``H_t`` has the elements of the
hypothesis whose confidence is at least ``t``; the children of an element that goes stay, if they
stay themselves. The counts at each ``t`` equal those of a score of ``H_t``. The projection does not
depend on the elements of the hypothesis, and a hypothesis with fewer of them falls into no larger
clusters (``mapping.clusters``). So a cluster of all elements is solved again only at the
confidences of its own elements, and a document gives the *changes* of its counts at its own
thresholds. Their sums, from the highest threshold down, are the counts at all of them.

**Calibration.** The elements fall into ten bins by their confidence ``c``, of equal width. The
expected calibration error is ``Σ n_b / n · |C_b / n_b − mean c|``, where ``C_b`` of the ``n_b``
elements of a bin are in exact pairs of the whole hypothesis.

Source: Guo, Pleiss, Sun and Weinberger, ICML 2017, for the calibration error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby
from math import inf
from operator import add, itemgetter, sub
from typing import Any, NamedTuple, TypeVar

from ..corpus.corpus import Corpus, Pair, Scorer, together
from ..documents.model import Document, Reference
from ..errors import InputError, SerevalError, one_line
from ..evaluation.evaluate import (
    DocumentScore,
    Evaluation,
    Notes,
    notes_by_system,
    notes_of,
    projection,
    read_choices,
    score_document,
    signature_of,
    with_mappings,
)
from ..evaluation.report import COUNTS, WORDS, word_rows, words_lines
from ..evaluation.report import IN_TEXT as OF_SCORE
from ..evaluation.settings import Settings, Signature, joint
from ..evaluation.words import DocumentErrors, WordScore, errors_beside, score_beside
from ..labels import labels_of, unused_notes
from ..mapping.best import Budget, state_budget
from ..mapping.clusters import Cluster, Origin, clusters, inside
from ..measures import Additive, Costs, Counts, Rate, RateSums, Slot
from ..render import chart
from ..render.report import (
    Look,
    Paged,
    Report,
    Reported,
    Table,
    TextRow,
    columns,
    counted,
    filled,
    grouped,
    lines,
    percent,
    prefixed,
    rows,
    side_by_side,
    stacked,
    values,
)
from ..schemes.measure import Measure
from .measured import measuring
from .points import (
    TIME,
    Axis,
    Confidences,
    Tally,
    document_counts,
    loose,
    lost_counts,
    ser,
    solver,
    tallied,
)
from .rates import Score


class Curve(NamedTuple):
    """The values of one measure at each point of a sweep."""

    systems: Mapping[str, tuple[Fraction | None, ...]]  # None where the denominator is 0
    signatures: tuple[Signature, ...]  # of the score at each point
    is_better: str = "lower"  # "lower" or "higher"


PointSums = tuple[Rate, RateSums, Signature]
"""The rate of a measure at a point, its numerator and denominator, the signature of its score."""

_Sums = Mapping[Measure, PointSums]

Along = Mapping[Measure, Sequence[Measure]]
"""Measures, and each at each point of an axis."""


def document_sums(
    pair: Pair, along: Along, axis: Axis, points: Sequence[int], run: Settings
) -> _Sums:
    """The sums of one document for each measure at each point."""
    scores: dict[Measure, Score] = {}
    known: dict[Settings, list[Counts]] = {}
    for one, at in along.items():
        if axis is TIME and one.family.counts == "slots":  # they share their work
            first = at[0].settings(run)
            if first not in known:
                known[first] = document_counts(*pair, first, points)
            for each, counts in zip(at, known[first], strict=True):
                document = DocumentScore(pair[0].id, {"": counts}, notes_of(pair), {})
                scores[each] = Evaluation((document,), each.settings(run))
    others = dict.fromkeys(each for at in along.values() for each in at if each not in scores)
    if others:
        scores |= measuring(tuple(others), run).of([pair]).scores
    return {
        each: (own.rate, own.rate.sums(own.errors), score.signature)
        for each, score in scores.items()
        for own in [score.by(each.figure, str(each))]
    }


def _plus(one: PointSums, other: PointSums) -> PointSums:
    """The sums of two documents together."""
    (rate, (above, below), signature), (_, (more, size), its) = one, other
    if signature != its:  # their files were read in other ways
        signature = joint([signature, its])
    return rate, (above + more, below + size), signature


# A sweep

T = TypeVar("T")

TAIL = Fraction(1, 5)
"""The share of the range of tolerances, at its end, over which a flat curve hardly changes."""

STEEP = Fraction(1, 1000)
"""The greatest change of a flat curve over this part: 0.1 points of SER."""


POINT = (
    *("system text", "tolerance number? s", "tolerance_words integer?", "extent integer? words"),
    "signature text",
)

FORMS = {"points": Table((*columns(*POINT), *COUNTS)), **prefixed(WORDS, "system text")}
"""The tables of a sweep of counts."""

MEASURE_FORMS = {
    "points": rows(*POINT, "measure text", "value"),
    "measures": rows("measure text", "signature text"),
}
"""The tables of a sweep of measures."""

NO_PAGE = "a page is for slot error rates at tolerances such as 0:1:0.05"

_BY_NAME = {column.name: column for column in COUNTS}
SHOWN = tuple(
    _BY_NAME[name] for name in ("ser", "Ref", "Hyp", *(s.value for s in Slot), "f1", "unplaceable")
)
"""The columns of the text."""


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Paged, Reported):
    """The scores of one or more systems at each of several points, most often tolerances in time.

    Args:
        tolerances: the points, increasing: tolerances in ms, which hold for starts and for ends, or
            the numbers of words of ``axis``.
        curves: the curve of each measure, by its name, in the order requested.
        settings: all other settings; their own tolerance is ignored.
        read: the notes of the readers, a sentence each.
        systems: the counts of each system over all documents at each tolerance, by its name; empty
            in a sweep of measures.
        word_scores: the errors of the words of each system, by its name, which no tolerance
            changes; only systems whose words were compared.
        axis: what changes from point to point.
        corpus: the systems, which the page scores anew; without counts there is no page.

    >>> curve = Curve({"crf": (Fraction(1), Fraction(0))}, (Signature(), Signature()))
    >>> Sweep((0, 50), {"SER": curve}, Settings()).rates("crf")
    [Fraction(1, 1), Fraction(0, 1)]
    """

    tolerances: tuple[int, ...]
    curves: Mapping[str, Curve]
    settings: Settings
    read: tuple[str, ...] = ()
    systems: Mapping[str, tuple[Counts, ...]] = field(default_factory=dict)
    word_scores: Mapping[str, WordScore] = field(default_factory=dict)
    axis: Axis = TIME
    corpus: Corpus | None = field(default=None, compare=False)

    def scores(self) -> dict[str, list[Evaluation]]:
        """The scores of each system at each tolerance, with the outcome of each element.

        Returns:
            The scores by system, in the order of the tolerances.

        Raises:
            SerevalError: the sweep has no counts.

        >>> from sereval import Document, sweep
        >>> said = Document("d", ("Dol",), times=((0, 200),))
        >>> [one.ser for one in sweep(said, {"crf": said}, tolerance="0:0.2:0.1").scores()["crf"]]
        [None, None, None]
        """
        if self.corpus is None:
            raise SerevalError(NO_PAGE)
        settings = (replace(self.settings, tolerance=(at, at)) for at in self.tolerances)
        return together(map(with_mappings, settings)).scores(self.corpus)

    def rates(self, system: str, measure: str | Measure | None = None) -> list[Fraction | None]:
        """The exact values of a measure for a system at each point; ``None`` where it is undefined.

        Args:
            system: the name of the system.
            measure: a measure of the sweep, or its name; ``None``: the first.

        >>> from sereval import Document, from_spans, sweep
        >>> words, times = ("in", "Dol"), ((0, 200), (200, 600))
        >>> gold = Document("d", words, from_spans(words, [("loc", 1, 2)]).elements, times)
        >>> sweep([gold], {"crf": [gold]}, tolerance="0:0.2:0.1").rates("crf")
        [Fraction(0, 1), Fraction(0, 1), Fraction(0, 1)]
        """
        name = next(iter(self.curves)) if measure is None else str(measure)
        return [*self.curves[name].systems[system]]

    @property
    def signature(self) -> Signature:
        """All settings that can change the first measure; it prints as one line."""
        return next(iter(self.signatures.values()))

    @property
    def signatures(self) -> dict[str, Signature]:
        """The signature of each measure, by its name, with all points."""
        axis, points = self.axis.name, self.axis.grid_text(self.tolerances)
        return {
            name: Signature((n, points if n == axis else own) for n, own in one.signatures[0])
            for name, one in self.curves.items()
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the readers, then the curves that are not yet flat, then rank changes."""
        curves = self.curves.items()
        steep = (
            note
            for name, one in curves
            for system in one.systems
            for note in _not_flat(self, name, system)
        )
        changes = (
            note
            for name, one in curves
            for pair in combinations(one.systems, 2)
            for note in _changes(self, name, pair)
        )
        ranking = sorted(changes, key=itemgetter(0))
        return (*self.read, *steep, *(text for _, text in ranking))

    def report(self) -> Report:
        """All points of all systems, each with the signature of its score."""
        words = (((name,), word_rows(one)) for name, one in self.word_scores.items())
        unit = self.axis.unit
        tables = filled(
            FORMS if self.systems else MEASURE_FORMS,
            points=(
                (
                    system,
                    # seconds, or words in one of two columns
                    Fraction(point, 1000) if unit == "s" else None,
                    point if unit == "w" else None,
                    None if unit else point,
                    str(one.signatures[at]),
                    *(
                        values(COUNTS, self.systems[system][at], self.settings.costs)
                        if self.systems
                        else (name, own[at])
                    ),
                )
                for name, one in self.curves.items()
                for system, own in one.systems.items()
                for at, point in enumerate(self.tolerances)
            ),
            measures=((name, str(one)) for name, one in self.signatures.items()),
            **stacked(words),
        )
        signature = "; ".join(dict.fromkeys(map(str, self.signatures.values())))
        return Report("sweep", tables, self._text, signature, self.notes)

    def plot(self) -> Any:
        """The curves as a figure of ``matplotlib``.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        unit = 1000 if self.axis.unit == "s" else 1
        panels = [
            chart.Panel("", f"{'slot error rate' if name == 'SER' else name} (%)", one.systems)
            for name, one in self.curves.items()
        ]
        for name, points in self.systems.items():
            areas = {  # the errors of each kind
                kind: [Fraction(sum(one[slot] for slot in slots), one.ref or 1) for one in points]
                for kind, slots in chart.ERRORS.items()
            }
            panels.append(chart.Panel(one_line(name), "% of Ref", areas, is_stacked=True))
        return chart.curves(
            f"{self.axis.name} ({self.axis.unit or 'words'})",
            [point / unit for point in self.tolerances],
            panels,
            dict.fromkeys(map(str, self.signatures.values())),
        )

    def _text(self, _: Look) -> Iterator[str]:
        """The values of all systems side by side, then a table for each; notes and signatures."""
        points = [self.axis.text(point) for point in self.tolerances]
        first = [self.axis.name, *points]
        names = list(next(iter(self.curves.values())).systems)
        for name, one in self.curves.items() if len(names) > 1 else ():
            rates = ([one_line(own), *map(percent, r)] for own, r in one.systems.items())
            for found in side_by_side([first], rates):
                yield from _table(f"{name} (%)", found)
        for name, scored in self.systems.items():
            group = {"": dict(zip(points, scored, strict=True))}
            table = grouped(SHOWN, group, self.settings.costs, self.axis.name)
            *table_lines, end = _table(one_line(name), table)
            words = self.word_scores.get(name)
            yield from (*table_lines, *words_lines(words and words.if_wrong), end)
        is_by_system = not self.systems and (len(names) == 1 or len(self.curves) > 1)
        for system in names if is_by_system else ():
            own = ([name, *map(percent, one.systems[system])] for name, one in self.curves.items())
            for found in side_by_side([first], own):
                yield from _table(one_line(system), found)
        if self.notes:
            yield from (*map(one_line, self.notes), "")
        for name, signature in self.signatures.items():
            yield str(signature) if self.systems else f"{name}: {signature}"


def _table(title: str, table: Iterable[TextRow]) -> list[str]:
    return [title, *lines(table, left=()), ""]


def sweep_of(systems: Corpus, tolerances: Sequence[int], settings: Settings) -> Sweep:
    """Score systems at several tolerances; their documents are in memory or read one by one."""

    def plus(total: _Counted, one: _Counted) -> _Counted:
        total[1].extend(one[1])
        return [*map(add, total[0], one[0])], total[1]

    work = partial(_count, settings=settings, tolerances=tolerances)
    found, read, choices = summed(systems, work, plus, settings)
    counts = {system: tuple(own) for system, (own, _) in found.items()}
    words = {system: score_beside(errors, settings) for system, (_, errors) in found.items()}
    words_of = {system: score for system, score in words.items() if score is not None}
    rates = {
        system: tuple(ser(one, settings.costs) for one in own) for system, own in counts.items()
    }
    ways = (replace(settings, tolerance=(ms, ms)) for ms in tolerances)
    curve = Curve(rates, tuple(signature_of(way, choices) for way in ways))
    named = {"SER": curve}
    return Sweep(tuple(tolerances), named, settings, read, counts, words_of, corpus=systems)


def sweep_along(
    systems: Corpus, along: Along, axis: Axis, points: Sequence[int], run: Settings
) -> Sweep:
    """The values of measures at several points; documents are in memory or read one by one."""

    def plus(total: _Sums, one: _Sums) -> _Sums:
        return {each: _plus(total[each], sums) for each, sums in one.items()}

    work = partial(document_sums, along=along, axis=axis, points=points, run=run)
    found, read, _ = summed(systems, work, plus, run)
    curves = {}
    for one, at in along.items():
        sums = {name: [own[each] for each in at] for name, own in found.items()}
        values = {
            name: tuple(above / below if below else None for _, (above, below), _ in own)
            for name, own in sums.items()
        }
        rates, _, signatures = zip(*next(iter(sums.values())), strict=True)
        curves[str(one)] = Curve(values, signatures, rates[0].is_better)
    return Sweep(tuple(points), curves, run, read, axis=axis)


_Counted = tuple[list[Counts], list[DocumentErrors | None]]
"""The counts of documents at each point; the word errors of each."""


def summed(
    systems: Corpus,
    work: Callable[[Pair], T],
    plus: Callable[[T, T], T],
    settings: Settings,
) -> tuple[dict[str, T], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The sum over the documents of each system; the notes of the readers, with neutral labels that
    no element has; the choices of the readers."""
    found: dict[str, T] = {}
    notes: list[tuple[str, Notes]] = []
    labels: frozenset[str] = frozenset()
    works = [Scorer(each, list) for each in (work, notes_of, labels_of)]
    for system, (one, both, known) in systems.each(together(works).work):
        notes.append((system, both))
        labels |= known
        found[system] = plus(found[system], one) if system in found else one
    read = (*notes_by_system(notes), *unused_notes(settings.neutral, labels))
    return found, read, tuple(read_choices(both for _, both in notes))


def _count(pair: Pair, settings: Settings, tolerances: Sequence[int]) -> _Counted:
    """The counts of a document at each tolerance, and its word errors."""
    return document_counts(*pair, settings, tolerances), [errors_beside(pair, settings)]


def _not_flat(sweep: Sweep, name: str, system: str) -> Iterator[str]:
    """A note if the curve is not yet flat at its end."""
    points = sweep.tolerances
    before_end = points[-1] - TAIL * (points[-1] - points[0])
    start = max(k for k, point in enumerate(points) if point <= before_end)
    rates = sweep.rates(system, name)
    at_start, at_end = rates[start], rates[-1]
    if at_start is None or at_end is None or abs(at_end - at_start) <= STEEP:
        return
    verb = "falls" if at_end < at_start else "rises"
    yield (
        f"{system} is not yet flat: {sweep.axis.span(points[start], points[-1])} "
        f"its {name} still {verb} by {float(100 * abs(at_end - at_start)):.2f} points"
    )


def _changes(sweep: Sweep, name: str, systems: tuple[str, str]) -> Iterator[tuple[int, str]]:
    """Notes on where one system overtakes another or has the same value, with their points."""
    one, other = systems
    curve = sweep.curves[name]
    by = f" by {name}" if len(sweep.curves) > 1 else ""
    better = 1 if curve.is_better == "lower" else -1
    leads = [
        (better * ((b > a) - (b < a)), point)
        for point, a, b in zip(
            sweep.tolerances, curve.systems[one], curve.systems[other], strict=True
        )
        if a is not None and b is not None
    ]
    decided: tuple[int, int] | None = None  # the last sign but a tie, and its last point
    for sign, run in groupby(leads, key=itemgetter(0)):
        points = [point for _, point in run]
        first, last = points[0], points[-1]
        if not sign:
            yield first, f"{one} and {other} have the same {name} {sweep.axis.span(first, last)}"
            continue
        if decided and decided[0] != sign:
            winner, loser = (one, other) if sign > 0 else (other, one)
            between = sweep.axis.span(decided[1], first, "between", "and")
            yield decided[1], f"{winner} overtakes {loser}{by} {between}"
        decided = sign, last


BINS = 10

MOST = 20
"""The most thresholds of the text, besides the best ones."""

IN_TEXT = tuple(column for column in OF_SCORE if column.name not in ("Ref", "cost"))

THRESHOLD_FORMS = {
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
            THRESHOLD_FORMS,
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
            shown = {*every[:: -(-len(own) // MOST)], every[-1], *best.values()}
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
