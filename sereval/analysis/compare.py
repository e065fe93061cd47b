"""Comparison of systems: bootstrap intervals, paired permutation tests, differences by label.

**Sums.** The *units* are documents, or utterances where documents are few. Each system has two
integers for each unit, a numerator and a denominator (see ``rates``). For a slot error rate they
are the scaled cost of the slots and the number of reference slots; for an F-measure they are twice
the credit and ``POS + ACT``. A rate is the sum of the numerators over the sum of the denominators,
on the corpus and on each resample. No rate is a mean of rates.

A *campaign* has several versions of the words, and the blame of each system on the words of each
recogniser. A group has the same figures over its own documents. Nothing
is scored again for a group: documents are scored one by one, so the figures of a group are those of
a run with these documents alone.

Source: see ``resampling``; Galibert et al., IJCNLP 2011, section 4, for the loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import SerevalError, one_line
from ..evaluation.evaluate import Evaluation, ScoreInterval
from ..evaluation.report import (
    WORDS,
    word_rows,
    words_lines,
)
from ..evaluation.settings import Signature, joint
from ..measures import Errors, Rate
from ..render.report import (
    Paged,
    Report,
    Reported,
    chance,
    columns,
    counted,
    filled,
    lines,
    percent,
    points,
    prefixed,
    row,
    rows,
    side_by_side,
    signed,
    stacked,
    told_once,
)
from ..schemes.result import SchemeScore
from .audit import REFERENCE, UNCOUNTED, AuditRow, audit, place_of
from .blame import BLAMES, SystemBlame, cost_lines, cost_signatures, stacked_blames
from .rates import Score, exact_rate, tally, with_outcomes
from .resampling import (
    FEW,
    Interval,
    Power,
    Resampling,
    Significance,
    Whole,
    bootstrap,
    holm,
    interval,
    least_p,
    permutation,
    power,
    whole,
)

if TYPE_CHECKING:
    from .resampling import Rates


class LabelDifference(NamedTuple):
    """The errors of the first system in one label less those of the second."""

    label: str  # under which slots are counted (see Counts)
    refs: tuple[int, int]  # the number of reference elements with this label, for either system
    errors: Errors  # the differences in the errors of each class


class System(NamedTuple):
    """A system in one condition."""

    name: str
    evaluation: Score
    interval: Interval  # of its rate


class Difference(NamedTuple):
    """The difference of two systems in one condition: the first less the second."""

    first: str
    second: str
    rate: Fraction | None  # exact; None where a rate is undefined
    interval: Interval  # of the difference, over the same resamples of both systems
    test: Significance | None  # None where the rate is None
    holm: Fraction | None  # the p-value adjusted for all pairs of the condition
    labels: tuple[LabelDifference, ...]  # the largest difference first
    power: Power | None = None  # None where the units of the systems do not vary


class Condition(NamedTuple):
    """A column of the table: systems scored on one version of the words."""

    name: str
    unit: str  # "document" or "utterance"
    units: int
    documents: int
    systems: tuple[System, ...]  # in the order of names, as are the differences
    differences: tuple[Difference, ...]
    # the names of systems that have the same output, by group
    identical: tuple[tuple[str, ...], ...] = ()

    @property
    def measure(self) -> Rate:
        """The rate by which the systems are compared."""
        return self.systems[0].evaluation.rate

    @property
    def is_projected(self) -> bool:
        """Whether the words of the two sides may differ; true also for measures of words alone."""
        return any(system.evaluation.has_other_words for system in self.systems)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Paged, Reported):
    """The comparison of systems in one or more conditions, by one measure or by several.

    Args:
        conditions: the conditions, in the order of the argument of :func:`compare`; with several
            measures, the conditions of each measure, under names that begin with the measure.
        resampling: the settings of resampling.
        blames: of a campaign, the blame of each system on the words of each recogniser; none: there
            is no version of reference words, or no recogniser.
        groups: the comparison of each group of documents, by name.

    >>> from sereval import compare
    >>> found = compare([["B-PER"]], {"crf": [["B-LOC"]], "rules": [["O"]]})
    >>> found.systems, float(found.conditions[0].differences[0].rate)
    (['crf', 'rules'], -0.5)
    """

    conditions: tuple[Condition, ...]
    resampling: Resampling
    blames: tuple[SystemBlame, ...] = ()
    groups: Mapping[str, Comparison] = field(default_factory=dict)

    @property
    def measure(self) -> Rate:
        """The rate by which the systems are compared; with several measures that of the first."""
        return self.conditions[0].measure

    @property
    def has_one_measure(self) -> bool:
        """Whether all conditions have the same rate."""
        return len({condition.measure for condition in self.conditions}) == 1

    @property
    def intervals(self) -> dict[str, dict[str, str]]:
        """The interval of each system in each condition, in percent; empty: it has none."""
        return {
            one.name: {
                system.name: "" if system.interval.low is None else system.interval.text()
                for system in one.systems
            }
            for one in self.conditions
        }

    @property
    def systems(self) -> list[str]:
        """The names of all systems, in order."""
        return sorted({s.name for condition in self.conditions for s in condition.systems})

    @property
    def documents(self) -> list[str]:
        """The ids of the documents, in alphabetical order."""
        every = (one.evaluation.ids for condition in self.conditions for one in condition.systems)
        return sorted({id for ids in every for id in ids})

    def manual_for(self, condition: Condition) -> Condition | None:
        """The condition on reference words with the measure of another condition, or ``None``.

        It is the only condition of its measure whose references are not projected.

        Args:
            condition: a condition of this comparison.
        """
        alike = [one for one in self.conditions if one.measure == condition.measure]
        plain = [one for one in alike if not one.is_projected]
        return plain[0] if len(plain) == 1 < len(alike) else None

    def loss(self, condition: Condition, system: str) -> Fraction | None:
        """How much worse a system is on the words of a condition than on reference words.

        Args:
            condition: a condition of this comparison.
            system: the name of a system.

        Returns:
            The exact difference of its rates, above 0 if it is worse; ``None`` for the manual
            words, without them, or where a rate is undefined.

        Source: Galibert et al., IJCNLP 2011, section 4.
        """
        manual = self.manual_for(condition)
        if manual is None or condition is manual:
            return None
        scores = [
            one.evaluation
            for each in (condition, manual)
            for one in each.systems
            if one.name == system
        ]
        loss = difference(*scores) if len(scores) == 2 else None
        return loss if loss is None or condition.measure.is_better == "lower" else -loss

    def signature(self, condition: Condition) -> Signature:
        """All settings that can change the result of a condition; they print as one line.

        Args:
            condition: a condition of this comparison.
        """
        of_all = joint(system.evaluation.signature for system in condition.systems)
        return Signature([*of_all, *self.resampling.signature(condition.unit)])

    @property
    def signatures(self) -> list[str]:
        """The signature of each condition and of the blames, each after its names."""
        of_each = (f"{one_line(one.name)}: {self.signature(one)}" for one in self.conditions)
        return [*of_each, *cost_signatures(self.blames)]

    def report(self) -> Report:
        """The rates and their differences, what the recognisers cost, and the same by group."""
        tables = filled(
            FORMS,
            **stacked(
                ((name,), _tables(one)) for name, one in ((None, self), *self.groups.items())
            ),
            groups=((name, one.documents) for name, one in self.groups.items()),
            elements=(row for one in self.conditions for row in _elements(one, self.systems)),
            resampling=[self.resampling.numbers],
        )
        of_systems = columns(*(f"{name} text" for name in self.systems))
        elements = tables["elements"]
        tables["elements"] = elements._replace(columns=(*elements.columns, *of_systems))
        notes = (
            f"{one_line(one.name)}: {note}"
            for condition in self.conditions
            for one in condition.systems
            for note in _notes(one.evaluation)
        )
        return Report(
            "compare",
            tables,
            lambda _: _text(self),
            "; ".join(self.signatures),
            [*dict.fromkeys(notes)],
            _sentences(self),
        )


def compare(
    conditions: Mapping[str, Mapping[str, Score]],
    resampling: Resampling | None = None,
    identical: Mapping[str, Sequence[tuple[str, ...]]] = {},
    *,
    blames: Sequence[SystemBlame] = (),
    groups: Mapping[str, Collection[str]] = {},
    units: Mapping[str, str] = {},
) -> Comparison:
    """Compare systems in one or more conditions, over all documents and over groups of them."""
    # ``identical`` and ``units`` are by condition: groups of systems with the same output, and what
    # is resampled if it is not the unit of ``resampling``
    if not conditions or not all(conditions.values()):
        raise SerevalError("nothing to compare, expected at least one system for each condition")
    resampling = resampling or Resampling()
    every = []
    for name, scores in conditions.items():
        drawn = replace(resampling, unit=units.get(name, resampling.unit))
        one = _condition(name, scores, drawn)
        every.append(one._replace(identical=tuple(identical.get(name, ()))))
    found = Comparison(tuple(every), resampling, tuple(blames))
    documents, of_groups = found.documents, {}
    same = {one.name: one.unit for one in every}
    same_unit = replace(resampling, unit=every[0].unit)
    for name, ids in groups.items():
        if own := sorted({*ids} & {*documents}):
            parts = {
                condition: {system: score.only(own) for system, score in of.items()}
                for condition, of in conditions.items()
            }
            costs = [
                each._replace(blame=replace(each.blame.only(own), resampling=same_unit))
                for each in blames
            ]
            of_groups[name] = compare(parts, resampling, blames=costs, units=same)
    return replace(found, groups=of_groups)


def with_interval(
    score: Evaluation | SchemeScore, resampling: Resampling
) -> Evaluation | SchemeScore:
    """A score with the interval of its rate, that of a comparison of this system alone."""
    one = _condition("", {"": score}, resampling)
    how = resampling.confidence, resampling.resamples, resampling.seed
    ends = one.systems[0].interval
    own = ScoreInterval(one.measure.short, *ends, one.unit, one.units, *how)
    return replace(score, interval=own)


def _condition(name: str, scores: Mapping[str, Score], resampling: Resampling) -> Condition:
    scores = dict(sorted(scores.items()))
    first, first_score = next(iter(scores.items()))
    documents = len(first_score.ids)
    unit = resampling.unit_of(documents)
    tallies = {}
    for system, score in scores.items():
        is_alike = (score.rate, score.settings) == (first_score.rate, first_score.settings)
        tallies[system] = tally(score, unit) if is_alike else {}
        if not is_alike or [*tallies[system]] != [*tallies[first]]:
            raise SerevalError(
                f"{name}: {system} is not scored on the same documents and with the same "
                f"settings as {first}"
            )
    sums = whole([[*tallied.values()] for tallied in tallies.values()])
    rates = bootstrap(sums, resampling)
    systems = [
        System(*each, interval(drawn, [own], resampling))
        for each, own, drawn in zip(scores.items(), sums, rates, strict=True)
    ]
    differences = _differences(zip(systems, sums, rates, strict=True), resampling)
    return Condition(
        name,
        unit,
        len(sums[0]),
        documents,
        tuple(systems),
        differences,
    )


def _differences(
    every: Iterable[tuple[System, Sequence[Whole], Rates]], resampling: Resampling
) -> tuple[Difference, ...]:
    """The differences of all pairs of systems, in the order of names."""
    found = []
    for (a, own, drawn), (b, other, redrawn) in combinations(every, 2):
        sums, of_both = (own, other), (a.evaluation, b.evaluation)
        rate, ends = difference(*of_both), interval(drawn - redrawn, sums, resampling)
        test = None if rate is None else permutation(*sums, resampling)
        strength = test and power(*sums, resampling.confidence)
        labels = by_label(*of_both)
        found.append(Difference(a.name, b.name, rate, ends, test, None, labels, strength))
    adjusted = iter(holm([one.test.p for one in found if one.test]))
    return tuple(one._replace(holm=next(adjusted)) if one.test else one for one in found)


def difference(a: Score, b: Score) -> Fraction | None:
    """The exact rate of one score less that of another; ``None`` where one is undefined."""
    of_a, of_b = exact_rate(a), exact_rate(b)
    return None if of_a is None or of_b is None else of_a - of_b


def by_label(a: Score, b: Score) -> tuple[LabelDifference, ...]:
    """The errors of one score less those of another by label, the largest difference first."""
    of_a, of_b = a.by_label, b.by_label
    found = []
    for label in of_a.keys() | of_b.keys():
        x, y = of_a.get(label, Errors()), of_b.get(label, Errors())
        errors = Errors(x.D - y.D, x.I - y.I, x.S - y.S)
        found.append(LabelDifference(label, (x.ref, y.ref), errors))
    return tuple(
        sorted(found, key=lambda d: (-abs(d.errors.total), -sum(map(abs, d.errors[:3])), d.label))
    )


# The report

COMPARED = {
    "systems": rows(
        *("condition text", "system text", "value", "low", "high", "undefined integer"),
        *("errors", "size", "loss number?", "unplaceable integer?"),
    ),
    "differences": rows(
        *("condition text", "first text", "second text", "value", "low", "high"),
        *("undefined integer", "p", "holm", "exact boolean", "arrangements integer"),
        *("finds", "needs integer?"),
    ),
    "labels": rows(
        *("condition text", "first text", "second text", "label text", "size_first", "size_second"),
        *("errors", "D", "I", "S"),
    ),
    "documents": rows("condition text", "system text", "document text", "value")._replace(
        kind="detail"
    ),
    "conditions": rows(
        *("condition text", "measure text", "better text", "documents integer", "unit text"),
        *("units integer", "signature text"),
    ),
    "identical": rows("condition text", "systems texts"),
    **prefixed(WORDS, "condition text", "system text"),
}
"""The tables of a comparison; differences by label are of errors."""


OF_BLAME = ("corners", "intervals", "labels", "outcomes", "words", "word_elements", "resampling")
"""The tables of a blame that a comparison has, under names that begin with ``blame_``."""

FORMS = {
    **prefixed({**COMPARED, **{f"blame_{name}": BLAMES[name] for name in OF_BLAME}}, "group text?"),
    "groups": rows("group text", "documents texts"),
    "elements": rows(
        *("condition text", "agreement text", "document text", "side text", "index integer"),
        *("labels texts", "words texts", "start integer", "end integer"),
        *("start_time number s", "end_time number s"),
    )._replace(kind="detail"),
    "resampling": row("resamples integer", "seed integer", "confidence"),
}
"""The tables of a campaign; rows without a group are of all documents. Elements also have a column
for the outcome under each system."""

AGREEMENTS = ("all alike", "all wrong", "some wrong", "right")
"""What the systems make of an element, the most suspicious first."""


def _tables(comparison: Comparison) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of a comparison or of a group."""
    conditions = comparison.conditions
    every = [(one, system) for one in conditions for system in one.systems]
    pairs = [
        ((one.name, two.first, two.second), two) for one in conditions for two in one.differences
    ]
    blames = stacked_blames(comparison.blames)
    words = (
        ((one.name, system.name), word_rows(system.evaluation.word_score)) for one, system in every
    )
    return {
        "systems": (
            (
                *(one.name, system.name, exact_rate(score), *system.interval),
                *(errors.total, errors.size, comparison.loss(one, system.name)),
                counts and counts.unplaceable,
            )
            for one, system in every
            for score in [system.evaluation]
            for errors, counts in [(score.errors, getattr(score, "counts", None))]
        ),
        "differences": (
            (
                *(*names, pair.rate, *pair.interval, p, pair.holm, *tried),
                *(pair.power or (None, None)),
            )
            for names, pair in pairs
            for p, *tried in [pair.test or (None,) * 3]
        ),
        "labels": (
            (*names, label.label, *label.refs, label.errors.total, *label.errors[:3])
            for names, pair in pairs
            for label in pair.labels
        ),
        "documents": (
            (one.name, system.name, id, one.measure.of(errors))
            for one, system in every
            for id, errors in system.evaluation.each_document()
        ),
        "conditions": (
            (
                *(one.name, one.measure.title, one.measure.is_better, one.documents),
                *(one.unit, one.units, str(comparison.signature(one))),
            )
            for one in conditions
        ),
        "identical": ((one.name, names) for one in conditions for names in one.identical),
        **stacked(words),
        **{f"blame_{name}": blames[name] for name in OF_BLAME if name in blames},
    }


def _elements(condition: Condition, names: Iterable[str]) -> list[Sequence[Any]]:
    """Each element of either side with its outcome under each system that has it; those that may
    be faults of the reference come first."""
    audits = {one.name: audit(with_outcomes(one.evaluation)) for one in condition.systems}
    every = []
    for documents in zip(*audits.values(), strict=True):
        found: dict[object, tuple[AuditRow, dict[str, str]]] = {}
        for name, document in zip(audits, documents, strict=True):
            seen = Counter[object]()
            for case in document.cases:
                own, theirs = case.row, case.hypothesis
                place: object = own.index
                if case.reference is None:  # the same insertion has the same label and place
                    time = own.time if document.words.is_projected else None
                    place = own.label, time or own.span or own.words
                seen[own.side, place] += 1
                text = [] if theirs is None else [theirs.label, f'"{" ".join(theirs.words)}"']
                number = seen[own.side, place]
                _, answers = found.setdefault((own.side, place, number), (own, {}))
                answers[name] = " ".join([case.letter, *text])
        for one, answers in found.values():
            wrong = [text for text in answers.values() if text.split()[0] not in ("C", UNCOUNTED)]
            agreement = "some wrong" if wrong else "right"
            if len(wrong) == len(condition.systems):
                agreement = "all wrong" if len({*wrong}) > 1 else "all alike"
            index = one.index if one.side == REFERENCE else None
            its = agreement, one.document, one.side, index, one.labels, one.words
            where = place_of(one.span, one.time)
            every.append((condition.name, *its, *where, *map(answers.get, names)))
    return sorted(every, key=lambda fields: AGREEMENTS.index(fields[1]))


# The text

LABELS = 5  # labels that the text shows for each pair; JSON and CSV have all labels


def _text(comparison: Comparison) -> Iterator[str]:
    """All documents, then each group; the signatures last."""
    groups, left = comparison.groups, {*comparison.documents}
    yield from _head("All documents", left) if groups else []
    yield from _body(comparison)
    signed = comparison.signatures
    for name, one in groups.items():
        yield from ("", *_head(f"Group {one_line(name)}", one.documents), *_body(one))
        signed += (f"{one_line(name)}, {line}" for line in one.signatures)
        left -= {*one.documents}
    if left and groups:
        yield from ["", f"{counted(len(left), 'document')} in no group."]
    yield from ("", *signed)


def _head(title: str, documents: Collection[str]) -> list[str]:
    return [f"{title}: {counted(len(documents), 'document')}", ""]


def _body(comparison: Comparison) -> Iterator[str]:
    """A table of systems by conditions, the blames, then the differences in each condition."""
    resampling, measure = comparison.resampling, comparison.measure
    is_higher = measure.is_better == "higher" and comparison.has_one_measure
    better = ", higher is better" if is_higher else ""
    title = f"{measure.title} in percent" if comparison.has_one_measure else "In percent"
    yield (
        f"{title}{better}, with {resampling.confidence * 100:g} % intervals "
        f"(expanded bootstrap, {counted(resampling.resamples, 'resample')})."
    )
    yield ""
    yield from _systems(comparison)
    yield from [] if comparison.has_one_measure else [""]
    for better in () if comparison.has_one_measure else ("lower", "higher"):
        names = [one.name for one in comparison.conditions if one.measure.is_better == better]
        if names:
            yield f"{better.capitalize()} is better: {'; '.join(map(one_line, names))}."
    if comparison.blames:
        yield ""
        yield "What the recognisers cost; elements without a place count as deletions:"
        yield ""
        yield from cost_lines(comparison.blames)
    for condition in comparison.conditions:
        yield ""
        yield from _of_condition(condition, resampling)


def _systems(comparison: Comparison) -> Iterator[str]:
    """Tables with a row for each system and a column for each condition."""
    columns: list[list[str]] = []
    words: set[tuple[str, ...]] = set()
    for condition in comparison.conditions:
        rates, *beside = _columns(comparison, condition)
        columns.append(rates)
        for column in beside:  # measures share the words
            if comparison.has_one_measure or tuple(column[1:]) not in words:
                columns.append(column)
            words.add(tuple(column[1:]))
    tables = side_by_side([["", *map(one_line, comparison.systems)]], columns)
    for k, table in enumerate(tables):
        yield from [""] if k else []
        yield from lines(table)


def _columns(comparison: Comparison, condition: Condition) -> Iterator[list[str]]:
    """The columns of a condition: its rate, its loss, and word error rates if a word is wrong."""
    name, names = one_line(condition.name), comparison.systems
    intervals = comparison.intervals[condition.name]
    rates = {
        one.name: f"{percent(exact_rate(one.evaluation))} {intervals[one.name]}".strip()
        for one in condition.systems
    }
    yield [name, *(rates.get(one, "n/a") for one in names)]
    if comparison.manual_for(condition) not in (None, condition):
        losses = (comparison.loss(condition, system) for system in names)
        yield [f"{name}: loss", *map(points, losses)]
    words = {system.name: system.evaluation.word_errors for system in condition.systems}
    if any(words.values()):
        cells = ("" if one is None else percent(one.total.rate) for one in map(words.get, names))
        yield [f"{name}: WER", *cells]


def _of_condition(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The resampled units, the difference of each pair, and the labels that differ most."""
    yield from _units(condition, resampling)
    for names in map(list, condition.identical):
        every = f"{', '.join(map(one_line, names[:-1]))} and {one_line(names[-1])}"
        yield f"{every} are identical: they have the same output in every document."
    if condition.differences:
        yield ""
        yield from _tests(condition, resampling)
    if any(pair.labels for pair in condition.differences):
        yield ""
        yield from _by_label(condition)


def _units(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The resampled units, and what limits the intervals and the tests."""
    where = counted(condition.documents, "document")
    if condition.unit == "utterance":
        few = " (few)" if condition.documents < FEW else ""
        where = f"{counted(condition.units, 'utterance')} of {where}{few}"
    yield f"{one_line(condition.name)}: resampled over {where}"
    is_tested = bool(condition.differences)
    if condition.units < 2:
        yield f"A single {condition.unit} gives no interval and no significant difference."
    elif condition.unit == "utterance" and condition.units == condition.documents:
        yield "The reference has no utterance boundaries: each document is one utterance."
    elif condition.unit == "utterance":
        small = " and p too small" if is_tested else ""
        yield f"Utterances of one document are alike: intervals may be too narrow{small}."
    if 2 <= condition.units < FEW:
        least = f", and p cannot be below {chance(least_p(condition.units, resampling))}"
        yield (
            f"Fewer than {FEW} {condition.unit}s: intervals are too narrow"
            f"{least if is_tested else ''}."
        )
    yield from told_once({one_line(one.name): _notes(one.evaluation) for one in condition.systems})
    left_out = {s.name: s.interval.undefined for s in condition.systems if s.interval.undefined}
    for name, undefined in left_out.items():
        yield (
            f"{counted(undefined, 'resample')} of {one_line(name)} left out: "
            f"{condition.measure.nothing} in them"
        )


def _notes(score: Score) -> tuple[str, ...]:
    """The notes of a score."""
    return (*score.remarks, *map(one_line, score.notes), *words_lines(score.word_errors))


def _sentences(comparison: Comparison) -> list[str]:
    """The difference of each pair of systems in words, with its interval and its p."""
    found = []
    for condition in comparison.conditions:
        where = f"{one_line(condition.name)}: " if len(comparison.conditions) > 1 else ""
        for pair in condition.differences:
            if pair.rate is None or pair.test is None:
                continue
            sign = -1 if pair.rate < 0 else 1  # the better system comes first
            more, less = map(one_line, (pair.first, pair.second)[::sign])
            ends = [one and sign * one for one in pair.interval[:2][::sign]]
            number, bounds = percent(abs(pair.rate)), " to ".join(map(percent, ends))
            p = chance(pair.test.p)
            sure = f"{100 * comparison.resampling.confidence:g} % interval {bounds}"
            found.append(
                f"{where}{less} has {number} points less {condition.measure.short} than {more} "
                f"({sure}, p {p if p.startswith('<') else f'= {p}'})."
            )
    return found


def _tests(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The difference of each pair, with its interval and its p-values."""
    rows = [("", "points", "interval", "p", "Holm", "finds", "needs", "")]
    for pair in condition.differences:
        test, found = pair.test, pair.power
        rows.append(
            (
                *(_pair(pair), points(pair.rate), pair.interval.text(points)),
                *(chance(test and test.p), chance(pair.holm)),
                *((percent(found.finds), str(found.needs)) if found else ("", "")),
                f"exact ({test.arrangements})" if test and test.exact else "",
            )
        )
    yield from lines(rows)
    tests = [pair.test for pair in condition.differences if pair.test]
    random = counted(resampling.resamples, "random exchange")
    kinds = sorted({test.exact for test in tests}, reverse=True)
    ways = ["all exchanges (exact)" if is_exact else random for is_exact in kinds]
    if ways:
        yield (
            f"p from {' or '.join(ways)} of {condition.unit}s: paired permutation test, two-sided."
        )
    if len(tests) > 1:
        yield f"Holm: p adjusted for the {len(tests)} pairs of this condition."
    if any(pair.power for pair in condition.differences):
        yield (
            f"finds: the points that {condition.units} {condition.unit}s show with 80 % power; "
            f"needs: the {condition.unit}s for 1 point."
        )


def _by_label(condition: Condition) -> Iterator[str]:
    """The labels with the largest differences of errors."""
    measure = condition.measure
    yield f"Largest differences of {measure.errors_are} by label: in all, by {measure.kinds}."
    rows: list[tuple[str, ...]] = [("", measure.errors_are, *measure.classes, measure.ref_is)]
    for pair in condition.differences:
        rows += [("",) * 6, (_pair(pair), *([""] * 5))]
        differing = [label for label in pair.labels if any(label.errors)]
        for label in differing[:LABELS]:
            refs, errors = "/".join(map(str, dict.fromkeys(label.refs))), label.errors
            shown = map(signed, (errors.total, *errors[:3]))
            rows.append(("  " + one_line(label.label), *shown, refs))
        if len(differing) > LABELS:
            more = counted(len(differing) - LABELS, "more label")
            rows.append((f"  … {more}", *([""] * 5)))
    yield from lines(rows)


def _pair(pair: Difference) -> str:
    return f"{one_line(pair.first)} − {one_line(pair.second)}"
