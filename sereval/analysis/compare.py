"""Comparison of systems: bootstrap intervals, paired permutation tests, differences by label.

**Sums.** The *units* are documents, or utterances where documents are few. Each system has two
integers for each unit, a numerator and a denominator (see ``rates``). For a slot error rate they
are the scaled cost of the slots and the number of reference slots; for an F-measure they are twice
the credit and ``POS + ACT``. A rate is the sum of the numerators over the sum of the denominators,
on the corpus and on each resample. No rate is a mean of rates.

**Chance.** The generator is PCG64 with one seed. Each resample and each swap is drawn for the units
in an order that their sums alone decide, and is the same for all systems. So no result depends on
the names or the order of systems or documents, and the interval of a difference is an interval of
paired values.

Source: Hesterberg 2015, section 5.3 (expanded percentile interval); Efron and Tibshirani 1993,
chapter 15 (permutation test); Holm 1979 for the adjustment of several p-values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import erfc, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import SerevalError
from ..evaluation.settings import Signature, joint
from ..evaluation.totals import Evaluation, ScoreInterval
from ..measures.quantiles import student_quantile
from ..measures.rates import Errors, Rate, RateSums
from ..measures.slots import Costs, Counts
from ..render.chart import marks
from ..render.report import Paged, Report, Reported
from .rates import Score, exact_rate
from .resampling import Resampling
from .significance import Power, Significance, by_content, cut, holm, permutation, power
from .units import Unit, tally
from .whole import Whole, numbers, product, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..schemes.result import SchemeScore

    Numbers = NDArray[Any]  # float64, or Python's integers where those would not be exact
    Rates = NDArray[np.float64]


IdenticalSystems: TypeAlias = Mapping[str, Sequence[tuple[str, ...]]]
"""For each condition, groups of systems with the same output."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An expanded percentile interval.

    Args:
        low, high: the ends as rates, not in percent; ``None`` if there is a single unit, or if the
            rate is undefined on every resample.
        undefined: the number of resamples left out because their denominator is 0.
    """

    low: float | None
    high: float | None
    undefined: int = 0


@dataclass(frozen=True, slots=True)
class LabelDifference:
    """The errors of the first system in one label less those of the second.

    Args:
        label: the label under which the slots are counted (see ``Counts``).
        refs: the number of reference elements with this label, for either system.
        D, I, S: the differences in the errors of missing elements, of spurious elements and of
            pairs, in units of the costs.
    """

    label: str
    refs: tuple[int, int]
    D: Fraction
    I: Fraction  # noqa: E741 - the definition's letter
    S: Fraction

    @property
    def total(self) -> Fraction:
        """The difference over all classes of error."""
        return self.D + self.I + self.S


@dataclass(frozen=True, slots=True)
class System:
    """A system in one condition.

    Args:
        name: the name of the system.
        evaluation: its score in the condition.
        interval: the interval of its rate.
    """

    name: str
    evaluation: Score
    interval: Interval


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two systems in one condition: the first less the second.

    Args:
        first, second: the names of the systems.
        rate: the exact difference of their rates; ``None`` where a rate is undefined.
        interval: the interval of the difference, over the same resamples of both systems.
        test: the permutation test; ``None`` where ``rate`` is ``None``.
        holm: the p-value adjusted for all pairs of the condition.
        labels: the differences by label, the largest first.
        power: what the test finds; ``None`` where the units of the systems do not vary.
    """

    first: str
    second: str
    rate: Fraction | None
    interval: Interval
    test: Significance | None
    holm: Fraction | None
    labels: tuple[LabelDifference, ...]
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A column of the table: systems scored on one version of the words.

    Args:
        name: the name of the condition.
        unit: ``document`` or ``utterance``.
        units: the number of units.
        documents: the number of documents.
        systems, differences: in the order of names.
        identical: the names of systems that have the same output, by group.
    """

    name: str
    unit: str
    units: int
    documents: int
    systems: tuple[System, ...]
    differences: tuple[Difference, ...]
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

    >>> from sereval import compare
    >>> found = compare([["B-PER"]], {"crf": [["B-LOC"]], "rules": [["O"]]})
    >>> found.systems, float(found.conditions[0].differences[0].rate)
    (['crf', 'rules'], -0.5)
    """

    conditions: tuple[Condition, ...]
    resampling: Resampling

    @property
    def measure(self) -> Rate:
        """The rate by which the systems are compared; with several measures that of the first."""
        return self.conditions[0].measure

    @property
    def has_one_measure(self) -> bool:
        """Whether all conditions have the same rate."""
        return len({condition.measure for condition in self.conditions}) == 1

    @property
    def systems(self) -> list[str]:
        """The names of all systems, in order."""
        return sorted({s.name for condition in self.conditions for s in condition.systems})

    @property
    def manual(self) -> Condition | None:
        """The condition on reference words; ``None`` unless exactly one of several is on them.

        It is the only condition of its measure whose references are not projected.
        """
        return self.manual_for(self.conditions[0])

    def manual_for(self, condition: Condition) -> Condition | None:
        """The condition on reference words with the measure of another condition, or ``None``.

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
        both = [
            exact_rate(one.evaluation)
            for each in (condition, manual)
            for one in each.systems
            if one.name == system
        ]
        if len(both) < 2 or both[0] is None or both[1] is None:
            return None
        loss = both[0] - both[1]
        return loss if condition.measure.is_better == "lower" else -loss

    def signature(self, condition: Condition) -> Signature:
        """All settings that can change the result of a condition; they print as one line.

        Args:
            condition: a condition of this comparison.
        """
        of_all = joint(system.evaluation.signature for system in condition.systems)
        return Signature([*of_all, *self.resampling.signature(condition.unit)])

    def report(self) -> Report:
        """The rates with their intervals, and the differences with their tests."""
        from .compare_report import report_of  # which needs this class

        return report_of(self, (), {})

    def plot(self) -> Any:
        """The rates with their intervals as a figure of ``matplotlib``.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        series: dict[str, dict[str, tuple[float, float, float]]] = {}
        for condition in self.conditions:
            own = series.setdefault(condition.name, {})
            for system in condition.systems:
                rate = exact_rate(system.evaluation)
                low, high = system.interval.low, system.interval.high
                if rate is not None:
                    low, high = (float(rate) if end is None else end for end in (low, high))
                    own[system.name] = (100 * float(rate), 100 * low, 100 * high)
        title = self.measure.title if self.has_one_measure else "measures"
        confidence = f"{self.resampling.confidence:.0%}"
        return marks(f"{title} (%), with {confidence} intervals", self.systems, series)


def compare(
    conditions: Mapping[str, Mapping[str, Score]],
    resampling: Resampling | None = None,
    identical: IdenticalSystems | None = None,
) -> Comparison:
    """Compare systems in one or more conditions."""
    if not conditions or not all(conditions.values()):
        raise SerevalError("nothing to compare, expected at least one system for each condition")
    measures = {score.rate for rows in conditions.values() for score in rows.values()}
    if len(measures) > 1:
        raise SerevalError("scores of different schemes or costs, expected the same for all")
    resampling = resampling or Resampling()
    return Comparison(
        tuple(
            replace(
                _condition(name, rows, resampling), identical=tuple((identical or {}).get(name, ()))
            )
            for name, rows in conditions.items()
        ),
        resampling,
    )


def with_interval(
    score: Evaluation | SchemeScore, resampling: Resampling | None = None
) -> Evaluation | SchemeScore:
    """A score with the interval of its rate, that of a comparison of this system alone."""
    found = compare({"": {"": score}}, resampling)
    [condition], used = found.conditions, found.resampling
    own = condition.systems[0].interval
    return replace(
        score,
        interval=ScoreInterval(
            found.measure.short,
            own.low,
            own.high,
            own.undefined,
            condition.unit,
            condition.units,
            used.confidence,
            used.resamples,
            used.seed,
        ),
    )


def by_measure(comparisons: Mapping[str, Comparison]) -> Comparison:
    """Comparisons by several measures as one."""
    if not comparisons:
        raise SerevalError("found no measure, expected one or more")
    if len(comparisons) == 1:
        [only] = comparisons.values()
        return only
    conditions = tuple(
        replace(one, name=measure if len(of.conditions) == 1 else f"{measure}, {one.name}")
        for measure, of in comparisons.items()
        for one in of.conditions
    )
    return Comparison(conditions, next(iter(comparisons.values())).resampling)


def _condition(name: str, scores: Mapping[str, Score], resampling: Resampling) -> Condition:
    evaluations = dict(sorted(scores.items()))
    documents = len(next(iter(evaluations.values())).documents)
    unit = resampling.unit_of(documents)
    tallies = {system: tally(evaluation, unit) for system, evaluation in evaluations.items()}
    _check_alike(name, evaluations, tallies)
    sums = whole({system: list(tallied.values()) for system, tallied in tallies.items()})
    units = len(next(iter(sums.values())))
    scale = next(iter(evaluations.values())).rate.scale
    rates = dict(zip(sums, bootstrap(list(sums.values()), scale, resampling), strict=True))
    return Condition(
        name,
        unit,
        units,
        documents,
        tuple(
            System(system, evaluation, interval(rates[system], [sums[system]], resampling))
            for system, evaluation in evaluations.items()
        ),
        tuple(_differences(evaluations, sums, rates, resampling)),
    )


def _differences(
    evaluations: Mapping[str, Score],
    sums: Mapping[str, Sequence[Whole]],
    rates: Mapping[str, Rates],
    resampling: Resampling,
) -> Iterator[Difference]:
    """The differences of all pairs of systems, in the order of names."""
    pairs = {(a, b): difference(evaluations[a], evaluations[b]) for a, b in combinations(sums, 2)}
    tests = {
        (a, b): permutation(sums[a], sums[b], resampling)
        for (a, b), rate in pairs.items()
        if rate is not None
    }
    adjusted = dict(zip(tests, holm([test.p for test in tests.values()]), strict=True))
    for (a, b), rate in pairs.items():
        yield Difference(
            a,
            b,
            rate,
            interval(rates[a] - rates[b], [sums[a], sums[b]], resampling),
            tests.get((a, b)),
            adjusted.get((a, b)),
            by_label(evaluations[a], evaluations[b]),
            power(sums[a], sums[b], evaluations[a].rate.scale, resampling.confidence)
            if rate is not None
            else None,
        )


def _check_alike(
    name: str,
    evaluations: Mapping[str, Score],
    tallies: Mapping[str, Mapping[Unit, RateSums]],
) -> None:
    """Check that the systems of one condition have the same units and settings."""
    first, *others = evaluations
    for system in others:
        if (
            list(tallies[system]) != list(tallies[first])
            or evaluations[system].settings != evaluations[first].settings
        ):
            raise SerevalError(
                f"{name}: {system} is not scored on the same documents and with the same "
                f"settings as {first}"
            )


def rate(counts: Counts, costs: Costs) -> Fraction | None:
    """The exact slot error rate of some counts; ``None`` where there is no reference slot."""
    return counts.cost(costs) / counts.ref if counts.ref else None


def difference(a: Score, b: Score) -> Fraction | None:
    """The exact rate of one score less that of another; ``None`` where one is undefined."""
    of_a, of_b = exact_rate(a), exact_rate(b)
    return None if of_a is None or of_b is None else of_a - of_b


# Intervals


def bootstrap(systems: Sequence[Sequence[Whole]], scale: int, resampling: Resampling) -> Rates:
    """The rates of systems on resamples of their units."""
    import numpy as np

    n = len(systems[0])
    order = by_content(systems)
    columns = [[system[unit][k] for unit in order] for k in (0, 1) for system in systems]
    table = numbers(columns).T
    generator = np.random.Generator(np.random.PCG64(resampling.seed))
    blocks = []
    for size in cut(resampling.resamples, n):
        draws = generator.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(draws.ravel(), minlength=size * n).reshape(size, n)
        blocks.append(product(times, table))
    sums = np.concatenate(blocks)
    costs, refs = np.hsplit(sums if sums.dtype == object else sums.astype(np.float64), 2)
    empty = refs == 0
    rates: Rates = (costs / (np.where(empty, 1, refs) * scale)).astype(np.float64)
    rates[empty.astype(bool)] = np.nan
    return rates.T


def interval(rates: Rates, systems: Sequence[Sequence[Whole]], resampling: Resampling) -> Interval:
    """The interval of resampled rates of a system, or of differences of those of two.

    The quantiles are those at which an interval of normal values would be Student's: with few units
    the plain ones are too narrow. A few large units are as few as a few units are.
    """
    import numpy as np

    defined = rates[~np.isnan(rates)]
    undefined, units = len(rates) - len(defined), len(systems[0])
    if units < 2 or not len(defined):
        return Interval(None, None, undefined)
    freedom = max(1, min(map(effective, systems)) - 1)
    student = student_quantile((1 - resampling.confidence) / 2, freedom)
    tail = erfc(-student * sqrt(units / (units - 1) / 2)) / 2  # of normal values
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), undefined)


def effective(system: Sequence[Whole]) -> float:
    """The number of equally large units that vary as much as units of these sizes (Kish 1965)."""
    total, squares = sum(ref for _, ref in system), sum(ref * ref for _, ref in system)
    return total * total / squares if squares else 0


# Labels


def by_label(a: Score, b: Score) -> tuple[LabelDifference, ...]:
    """The errors of one score less those of another by label, the largest difference first."""
    ours, theirs = a.by_label, b.by_label
    found = []
    for label in ours.keys() | theirs.keys():
        x, y = ours.get(label, Errors()), theirs.get(label, Errors())
        found.append(LabelDifference(label, (x.ref, y.ref), x.D - y.D, x.I - y.I, x.S - y.S))
    return tuple(
        sorted(
            found,
            key=lambda d: (-abs(d.total), -(abs(d.D) + abs(d.I) + abs(d.S)), d.label),
        )
    )
