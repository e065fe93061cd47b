"""The score at many tolerances, which shows how much the score depends on exact times.

The counts at each tolerance equal those of ``evaluate``; the module ``points`` shares the work
between the tolerances. A sweep of measures has their values in place of counts; its points may also
be tolerances in words, or extent tolerances. The numerator and the denominator of each value are
summed over documents, as for a comparison of systems (module ``rates``). Slot errors at many
tolerances in time share their work, too; any other value is the one that ``measured`` computes at
its point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby
from operator import add, itemgetter
from typing import Any, NamedTuple, TypeVar

from ..corpus.corpus import Corpus, Pair, Scorer, together
from ..errors import SerevalError, one_line
from ..evaluation.evaluate import with_mappings
from ..evaluation.report import COUNTS, WORDS, word_rows, words_lines
from ..evaluation.settings import Settings, Signature, joint
from ..evaluation.totals import (
    DocumentScore,
    Evaluation,
    Notes,
    notes_by_system,
    notes_of,
    read_choices,
    signature_of,
)
from ..evaluation.words import DocumentErrors, WordScore, errors_beside, score_beside
from ..labels.relabel import labels_of, unused_notes
from ..measures.slots import Counts, Rate, RateSums, Slot
from ..render import chart
from ..render.report import (
    Look,
    Paged,
    Report,
    Reported,
    Table,
    columns,
    filled,
    grouped,
    prefixed,
    rows,
    stacked,
    values,
)
from ..render.text import TextRow, lines, percent, side_by_side
from ..schemes.measure import Measure
from .grids import TIME, Axis
from .measured import measuring
from .points import document_counts, ser
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

        Raises:
            SerevalError: the sweep has no counts.
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
        for name, counted in self.systems.items():
            group = {"": dict(zip(points, counted, strict=True))}
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
