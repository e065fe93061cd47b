"""The parts of a comparison of systems, for its report as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ..analysis.compare import (
    Comparison,
    Condition,
    Difference,
    Interval,
    LabelDifference,
    System,
)
from ..analysis.rates import ComparableScore, Rate, RateScore, exact_rate, figure_of, in_all
from ..analysis.resampling import FEW, Resampling
from ..analysis.significance import least_p
from ..errors import one_line
from ..evaluation.report import level_notes, neutral_notes, reading_notes, unplaceable_notes
from ..evaluation.words import WordScore
from ..measures.figures import Figure
from ..render.numbers import chance, counted, number, percent, points, real, signed
from ..render.table import lines, side_by_side
from ..schemes.result import SchemeScore
from .columns import words_cells, words_lines, words_member, words_rates
from .json import attributes, notes
from .scheme import as_row

LABELS = 5  # labels that the text shows for each pair; JSON and CSV have all labels
COLUMNS = ("condition", "system", "against", "label", "measure", "value", "signature")


def body(comparison: Comparison, beside: Iterable[str] = ()) -> list[str]:
    """A table of systems by conditions, then the differences in each condition.

    Rates are in percent, differences in percentage points, errors in units of the costs. ``n/a``
    stands for an undefined rate, or for a system that the condition does not have.

    Args:
        comparison: the comparison.
        beside: lines between the table and the differences.
    """
    resampling, measure = comparison.resampling, comparison.measure
    is_higher = measure.is_better == "higher" and comparison.has_one_measure
    better = ", higher is better" if is_higher else ""
    title = f"{measure.title} in percent" if comparison.has_one_measure else "In percent"
    parts = [
        f"{title}{better}, with {resampling.confidence * 100:g} % intervals "
        f"(bootstrap, {counted(resampling.resamples, 'resample')}).",
        "",
        *_systems(comparison),
        *([] if comparison.has_one_measure else _better(comparison)),
        *beside,
    ]
    for condition in comparison.conditions:
        parts += ["", *_condition(condition, resampling)]
    return parts


def _better(comparison: Comparison) -> Iterator[str]:
    """Under which measures a higher value is better, and under which a lower one."""
    yield ""
    for better in ("lower", "higher"):
        names = [one.name for one in comparison.conditions if one.measure.is_better == better]
        if names:
            yield f"{better.capitalize()} is better: {'; '.join(map(one_line, names))}."


def signatures(comparison: Comparison) -> list[str]:
    """The signature of each condition, after its name.

    Args:
        comparison: the comparison.
    """
    return [
        f"{one_line(condition.name)}: {comparison.signature(condition)}"
        for condition in comparison.conditions
    ]


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
    for k, rows in enumerate(tables):
        yield from [""] if k else []
        yield from lines(rows)


def _columns(comparison: Comparison, condition: Condition) -> Iterator[list[str]]:
    """The columns of a condition: its rate, its loss, and word error rates if a word is wrong."""
    name, names = one_line(condition.name), comparison.systems
    yield [name, *_column(condition, names)]
    if _has_loss(comparison, condition):
        losses = (comparison.loss(condition, system) for system in names)
        yield [f"{name}: loss", *map(points, losses)]
    words = {system.name: system.evaluation.word_errors for system in condition.systems}
    if any(words.values()):
        cells = (words_cells(words.get(system))("", "all") or [""] for system in names)
        yield [f"{name}: WER", *(cell for [cell] in cells)]


def _column(condition: Condition, names: Iterable[str]) -> Iterator[str]:
    """The cells of a condition, one for each system."""
    of = {system.name: system for system in condition.systems}
    rates = {name: _rate(of[name]) for name in of}
    wide = [max(map(len, parts)) for parts in zip(*rates.values(), strict=True)]
    for name in names:
        parts = rates.get(name, ("n/a", "", ""))
        ser, low, high = map(str.rjust, parts, wide)
        yield f"{ser} [{low}, {high}]" if parts[1] else f"{ser}{' ' * (sum(wide[1:]) + 5)}"


def _rate(system: System) -> tuple[str, str, str]:
    """The rate of a system and the ends of its interval, which are empty if it has none."""
    low, high = system.interval.low, system.interval.high
    rate = percent(exact_rate(system.evaluation))
    return (rate, "", "") if low is None else (rate, percent(low), percent(high))


def _condition(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The resampled units, the difference of each pair, and the labels that differ most."""
    measure = condition.measure
    yield from _units(condition, resampling, measure)
    for names in map(list, condition.identical):
        every = f"{', '.join(map(one_line, names[:-1]))} and {one_line(names[-1])}"
        yield f"{every} are identical: they have the same output in every document."
    if condition.differences:
        yield ""
        yield from _tests(condition, resampling)
    if any(pair.labels for pair in condition.differences):
        yield ""
        yield from _by_label(condition, measure)


def _units(condition: Condition, resampling: Resampling, measure: Rate) -> Iterator[str]:
    """The resampled units, and what limits the intervals and the tests."""
    yield f"{one_line(condition.name)}: {_resampling(condition)}"
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
            f"Fewer than {FEW} {condition.unit}s: percentile intervals are too narrow"
            f"{least if is_tested else ''}."
        )
    known = {one_line(system.name): _notes(system.evaluation) for system in condition.systems}
    for note in dict.fromkeys(note for of_system in known.values() for note in of_system):
        systems = [name for name, of_system in known.items() if note in of_system]
        has_all = len(systems) == len(known)
        yield from [note] if has_all else (f"{name}: {note}" for name in systems)
    left_out = {s.name: s.interval.undefined for s in condition.systems if s.interval.undefined}
    for name, undefined in left_out.items():
        yield (
            f"{counted(undefined, 'resample')} of {one_line(name)} left out: "
            f"{measure.nothing} in them"
        )


def _notes(score: ComparableScore) -> tuple[str, ...]:
    """The notes of a score."""
    words = words_lines(score.word_errors)
    if isinstance(score, RateScore):
        if isinstance(score.score, WordScore):
            return tuple(map(one_line, score.score.notes))
        score = score.score
    if isinstance(score, SchemeScore):
        return (*reading_notes(score), *words)
    own = (*unplaceable_notes(score), *neutral_notes(score), *level_notes(score))
    return (*own, *reading_notes(score), *words)


def _tests(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The difference of each pair, with its interval and its p-values."""
    rows = [("", "points", "interval", "p", "Holm", "")]
    for pair in condition.differences:
        rows.append(
            (
                _pair(pair),
                points(pair.rate),
                _bracket(pair.interval),
                chance(pair.test.p if pair.test else None),
                chance(pair.holm),
                f"exact ({pair.test.arrangements})" if pair.test and pair.test.exact else "",
            )
        )
    yield from lines(rows)
    tests = [pair.test for pair in condition.differences if pair.test]
    every, some = (any(test.exact is is_exact for test in tests) for is_exact in (True, False))
    random = counted(resampling.resamples, "random exchange")
    ways = [*(["all exchanges (exact)"] if every else []), *([random] if some else [])]
    if ways:
        yield (
            f"p from {' or '.join(ways)} of {condition.unit}s: paired permutation test, two-sided."
        )
    if len(tests) > 1:
        yield f"Holm: p adjusted for the {len(tests)} pairs of this condition."


def _by_label(condition: Condition, measure: Rate) -> Iterator[str]:
    """The labels with the largest differences of errors."""
    yield f"Largest differences of {measure.errors_are} by label: in all, by {measure.kinds}."
    rows: list[tuple[str, ...]] = [("", measure.errors_are, *measure.classes, measure.ref_is)]
    for pair in condition.differences:
        rows += [("",) * 6, (_pair(pair), *([""] * 5)), *_labels(pair)]
    yield from lines(rows)


def _resampling(condition: Condition) -> str:
    documents = counted(condition.documents, "document")
    if condition.unit == "document":
        return f"resampled over {documents}"
    few = " (few)" if condition.documents < FEW else ""
    return f"resampled over {counted(condition.units, 'utterance')} of {documents}{few}"


def _pair(pair: Difference) -> str:
    return f"{one_line(pair.first)} − {one_line(pair.second)}"


def _bracket(interval: Interval) -> str:
    """The interval of a difference, in percentage points."""
    if interval.low is None:
        return "n/a"
    return f"[{points(interval.low)}, {points(interval.high)}]"


def _labels(pair: Difference) -> Iterator[tuple[str, ...]]:
    """The labels that differ most, then the number of other labels that differ."""
    differing = [label for label in pair.labels if label.total or label.D or label.I or label.S]
    for label in differing[:LABELS]:
        costs = (label.total, *_kinds(label))
        yield ("  " + one_line(label.label), *map(signed, costs), _refs(label))
    if len(differing) > LABELS:
        yield (f"  … {counted(len(differing) - LABELS, 'more label')}", *([""] * 5))


def _refs(label: LabelDifference) -> str:
    return "/".join(map(str, dict.fromkeys(label.refs)))


def members(comparison: Comparison) -> dict[str, Any]:
    """The members of a comparison in JSON.

    Rates are fractions, costs in units of the costs of the settings. An undefined value is
    ``null``. With several measures each condition has its ``measure``.

    Args:
        comparison: the comparison.
    """
    resampling, is_one = comparison.resampling, comparison.has_one_measure
    return {
        **(_measure(comparison.measure) if is_one else {}),
        **attributes(resampling, "resamples", "seed", "confidence"),
        "conditions": [
            {
                **attributes(condition, "name", "documents", "unit", "units"),
                **({} if is_one else _measure(condition.measure)),
                "signature": str(comparison.signature(condition)),
                **({"identical": condition.identical} if condition.identical else {}),
                "systems": [
                    {
                        "name": system.name,
                        **_figures(system),
                        **_loss(comparison, condition, system),
                        **_interval(system.interval),
                        **_json_notes(system.evaluation),
                        **words_member(system.evaluation.word_errors),
                    }
                    for system in condition.systems
                ],
                "differences": [
                    _difference(pair, condition.measure) for pair in condition.differences
                ],
            }
            for condition in comparison.conditions
        ],
    }


def _measure(measure: Rate) -> dict[str, str]:
    """What a rate is, and which values are better."""
    return {"measure": measure.title, "better": measure.is_better}


def _json_notes(score: ComparableScore) -> dict[str, Any]:
    """The member ``notes`` of a system."""
    if isinstance(score, RateScore):
        if isinstance(score.score, WordScore):
            return {"notes": score.score.notes}
        score = score.score
    return notes(score)


def _figures(system: System) -> dict[str, Any]:
    """The rate of a system, then its counts."""
    score = system.evaluation
    if isinstance(score, SchemeScore):
        measure = figure_of(score)
        row = as_row(score.total.get(measure.figure, Figure()))
        own = {name: value for name, value in row.items() if not isinstance(value, tuple | list)}
        return {measure.key: own.pop(measure.key), "errors": number(in_all(score).total), **own}
    if isinstance(score, RateScore):
        errors = in_all(score)
        value = real(exact_rate(score))
        size = number(Fraction(errors.size))
        return {score.rate.key: value, "errors": number(errors.total), "size": size}
    counts = score.counts
    return {
        "ser": score.ser,
        "cost": number(counts.cost(score.settings.costs)),
        "Ref": counts.ref,
        "unplaceable": counts.unplaceable,
    }


def _has_loss(comparison: Comparison, condition: Condition) -> bool:
    manual = comparison.manual_for(condition)
    return manual is not None and condition is not manual


def _loss(comparison: Comparison, condition: Condition, system: System) -> dict[str, Any]:
    """The loss of a system against reference words, if there are any."""
    if not _has_loss(comparison, condition):
        return {}
    return {"loss": real(comparison.loss(condition, system.name))}


def _interval(interval: Interval) -> dict[str, Any]:
    return {"interval": [interval.low, interval.high], "undefined": interval.undefined}


def _difference(pair: Difference, measure: Rate) -> dict[str, Any]:
    test = pair.test
    return {
        "first": pair.first,
        "second": pair.second,
        measure.key: real(pair.rate),
        **_interval(pair.interval),
        "p": None if test is None else float(test.p),
        "holm": real(pair.holm),
        "exact": None if test is None else test.exact,
        "arrangements": None if test is None else test.arrangements,
        "labels": [
            {
                "label": label.label,
                measure.ref_is: list(label.refs),
                measure.errors_are: number(label.total),
                **dict(zip(measure.classes, map(number, _kinds(label)), strict=True)),
            }
            for label in pair.labels
        ],
    }


def _kinds(label: LabelDifference) -> tuple[Fraction, Fraction, Fraction]:
    return label.D, label.I, label.S


def tidy_rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    """The rows of a comparison in CSV, under ``COLUMNS``: a row for each value.

    A row with ``against`` is a difference of two systems; with ``label`` too, it is a difference of
    errors. If words were compared, a system has a row ``WER``, a row ``entity-wer``, and a row
    ``entity-wer`` for each label. Rates are fractions; an undefined value is an empty field. Each
    row has the signature of its condition, which includes the seed.

    Args:
        comparison: the comparison.
    """
    for condition in comparison.conditions:
        signature = str(comparison.signature(condition))
        for system in condition.systems:
            figures = {
                **_figures(system),
                **_loss(comparison, condition, system),
                **attributes(system.interval, "low", "high"),
            }
            for name, value in figures.items():
                yield condition.name, system.name, "", "", name, value, signature
            for label, measure, rate in words_rates(system.evaluation.word_score):
                yield condition.name, system.name, "", label, measure, rate, signature
        for pair in condition.differences:
            for row in _tidy(pair, condition.measure):
                yield condition.name, pair.first, pair.second, *row, signature


def _tidy(pair: Difference, measure: Rate) -> Iterator[tuple[object, ...]]:
    report = _difference(pair, measure)
    yield from (("", name, report[name]) for name in (measure.key, "p", "holm"))
    yield from (("", name, getattr(pair.interval, name)) for name in ("low", "high"))
    for label in report["labels"]:
        for name in (measure.errors_are, *measure.classes):
            yield label["label"], name, label[name]
