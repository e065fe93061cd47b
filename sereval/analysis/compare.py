"""Systems side by side: intervals by bootstrap, paired permutation tests, differences by label.

**Sums.** Documents (or utterances, where documents are few) are the *units*. Of each unit a system
has two integers, which make its rate: for a slot error rate what its slots cost, in scaled costs,
and how many reference slots it has; for an F-measure twice the credit, and ``POS + ACT`` (see
``measure``). A rate is ``Σ above / Σ below`` over units, on the corpus as in a resample; no rate is
averaged.

**Chance.** One seed, PCG64. Every resample and every swap is drawn for units in the order of their
names, and is the same for all systems: so nothing depends on the order of systems or documents,
and the interval of a difference is that of paired values.

Source: Efron and Tibshirani 1993, chapters 13 (percentile interval) and 15 (permutation test);
Holm 1979 for p-values that are read together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..errors import SerevalError
from ..evaluation.signature import Signature, joint
from ..measures.slots import Costs, Counts
from . import rates as measure
from .rates import Errors, Rate, ComparableScore, Sums, exact_rate, measure_of
from .units import Unit, tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[Any]  # float64, or Python's integers where those would not be exact
    Rates = NDArray[np.float64]

UNITS = ("auto", "document", "utterance")
FEW = 10
"""With fewer documents than this, ``auto`` takes utterances."""
_AT_ONCE = 1 << 22  # numbers drawn at a time: memory does not grow with the number of resamples


MOST_RESAMPLES = 1_000_000
"""More take memory without end, and change nothing that anybody can see."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """The settings of resampling; with them every result can be repeated.

    Args:
        resamples: of the bootstrap; also the most arrangements that a permutation test looks at.
        seed: of PCG64, 0 or more.
        confidence: of the intervals, between 0 and 1.
        unit: what is drawn: ``document``, ``utterance``, or ``auto``: utterances where there are
            fewer than ``FEW`` documents.

    >>> print(Resampling().signature("document"))
    resamples:10000|seed:2011|confidence:0.95|unit:document
    """

    resamples: int = 10_000
    seed: int = 2011
    confidence: float = 0.95
    unit: str = "auto"

    def __post_init__(self) -> None:
        if not 1 <= self.resamples <= MOST_RESAMPLES:
            raise SerevalError(f"found {self.resamples} resamples, expected 1 to {MOST_RESAMPLES}")
        if self.seed < 0:
            raise SerevalError(f"found the seed {self.seed}, expected 0 or more")
        if not 0 < self.confidence < 1:
            raise SerevalError(
                f"found the confidence {self.confidence}, expected a number between 0 and 1"
            )
        if self.unit not in UNITS:
            raise SerevalError(f"found {self.unit!r}, expected one of {', '.join(UNITS)}")

    def unit_of(self, documents: int) -> str:
        """The unit for so many documents.

        >>> Resampling().unit_of(FEW), Resampling().unit_of(FEW - 1)
        ('document', 'utterance')
        """
        few = "utterance" if documents < FEW else "document"
        return few if self.unit == "auto" else self.unit

    def signature(self, unit: str) -> Signature:
        """All of it, with the unit that was taken."""
        return Signature(
            [
                ("resamples", str(self.resamples)),
                ("seed", str(self.seed)),
                ("confidence", f"{self.confidence:g}"),
                ("unit", unit),
            ]
        )


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval; ``None`` where there is nothing to resample.

    Args:
        low, high: rates, not percent.
        undefined: resamples that were left out because there is nothing to divide by.
    """

    low: float | None
    high: float | None
    undefined: int = 0


@dataclass(frozen=True, slots=True)
class Significance:
    """A paired permutation test between two systems.

    Args:
        p: share of arrangements with a difference as great as the one seen, or greater.
        arrangements: how many were looked at, the one seen among them.
        exact: whether these are all arrangements.
    """

    p: Fraction
    arrangements: int
    exact: bool


@dataclass(frozen=True, slots=True)
class LabelDifference:
    """How many errors more the first system has in one label than the second.

    Args:
        label: the label that answers for the slots (see ``Counts``).
        refs: elements of the reference with this label, for either system.
        D, I, S: difference in missing elements, spurious elements and pairs; in units of the costs.
    """

    label: str
    refs: tuple[int, int]
    D: Fraction
    I: Fraction  # noqa: E741 - the definition's letter
    S: Fraction

    @property
    def total(self) -> Fraction:
        """Over all classes of error."""
        return self.D + self.I + self.S


@dataclass(frozen=True, slots=True)
class System:
    """A system in one condition.

    Args:
        name: of the system.
        evaluation: its score there.
        interval: of its rate.
    """

    name: str
    evaluation: ComparableScore
    interval: Interval


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems in one condition, the first less the second.

    Args:
        first, second: their names.
        rate: difference of their rates, exact; ``None`` where one is undefined.
        interval: of the difference, over the same resamples of both.
        test: ``None`` where ``rate`` is.
        holm: p-value adjusted for all pairs of the condition.
        labels: the largest difference first.
    """

    first: str
    second: str
    rate: Fraction | None
    interval: Interval
    test: Significance | None
    holm: Fraction | None
    labels: tuple[LabelDifference, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A column of the table: systems that were scored on one version of the words.

    Args:
        name: of the condition.
        unit: ``document`` or ``utterance``. units: how many there are.
        documents: how many there are.
        systems, differences: in the order of names.
    """

    name: str
    unit: str
    units: int
    documents: int
    systems: tuple[System, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems side by side.

    Args:
        conditions: in the order given.
        resampling: what was left to chance.
    """

    conditions: tuple[Condition, ...]
    resampling: Resampling

    @property
    def measure(self) -> Rate:
        """The rate that systems are compared by."""
        return measure_of(self.conditions[0].systems[0].evaluation)

    @property
    def systems(self) -> list[str]:
        """Names of all systems, in order."""
        return sorted({s.name for condition in self.conditions for s in condition.systems})

    def signature(self, condition: Condition) -> Signature:
        """All that can change a digit of a condition; printed, it is one line."""
        of_all = joint(system.evaluation.signature for system in condition.systems)
        return Signature([*of_all, *self.resampling.signature(condition.unit)])


def compare(
    conditions: Mapping[str, Mapping[str, ComparableScore]], resampling: Resampling | None = None
) -> Comparison:
    """Put evaluations side by side.

    Args:
        conditions: by condition, scores by system. Those of one condition are of the same
            documents under the same settings, and all of the same measure; a condition may lack a
            system.
        resampling: ``None``: the default.

    Raises:
        SerevalError: no system, or systems of one condition that cannot be compared.

    >>> from sereval import Document, evaluate, tree
    >>> reference = [Document("d", ("la", "Russie"), tree([("loc", 1, 2)]))]
    >>> good, bad = evaluate(reference, reference), evaluate(reference, [Document("d", ("la",
    ...     "Russie"), tree([("org", 1, 2)]))])
    >>> str(compare({"manual": {"good": good, "bad": bad}}).conditions[0].differences[0].rate)
    '1/2'
    """
    if not conditions or not all(conditions.values()):
        raise SerevalError("nothing to compare, expected at least one system for each condition")
    measures = {measure_of(score) for rows in conditions.values() for score in rows.values()}
    if len(measures) > 1:
        raise SerevalError("scores of different schemes or costs, expected the same for all")
    resampling = resampling or Resampling()
    return Comparison(
        tuple(_condition(name, rows, resampling) for name, rows in conditions.items()), resampling
    )


def _condition(name: str, given: Mapping[str, ComparableScore], resampling: Resampling) -> Condition:
    evaluations = dict(sorted(given.items()))
    documents = len(next(iter(evaluations.values())).documents)
    unit = resampling.unit_of(documents)
    tallies = {system: tally(evaluation, unit) for system, evaluation in evaluations.items()}
    _check_alike(name, evaluations, tallies)
    sums = {system: list(tallied.values()) for system, tallied in tallies.items()}
    units = len(next(iter(sums.values())))
    scale = measure_of(next(iter(evaluations.values()))).scale
    rates = dict(zip(sums, bootstrap(list(sums.values()), scale, resampling), strict=True))
    return Condition(
        name,
        unit,
        units,
        documents,
        tuple(
            System(system, evaluation, interval(rates[system], units, resampling))
            for system, evaluation in evaluations.items()
        ),
        tuple(_differences(evaluations, sums, rates, resampling)),
    )


def _differences(
    evaluations: Mapping[str, ComparableScore],
    sums: Mapping[str, Sequence[Sums]],
    rates: Mapping[str, Rates],
    resampling: Resampling,
) -> Iterator[Difference]:
    """All pairs, in the order of names."""
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
            interval(rates[a] - rates[b], len(sums[a]), resampling),
            tests.get((a, b)),
            adjusted.get((a, b)),
            by_label(evaluations[a], evaluations[b]),
        )


def _check_alike(
    name: str, evaluations: Mapping[str, ComparableScore], tallies: Mapping[str, Mapping[Unit, Sums]]
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
    """Slot error rate, exactly; ``None`` where there is no reference slot."""
    return counts.cost(costs) / counts.ref if counts.ref else None


def difference(a: ComparableScore, b: ComparableScore) -> Fraction | None:
    """The rate of one score less that of another, exactly."""
    of_a, of_b = exact_rate(a), exact_rate(b)
    return None if of_a is None or of_b is None else of_a - of_b


# Intervals


def bootstrap(systems: Sequence[Sequence[Sums]], scale: int, resampling: Resampling) -> Rates:
    """Rates of systems on resamples of their units.

    Args:
        systems: of each system, the sums of all units; the units are the same for all.
        scale: of the measure.

    Returns:
        Shape ``(systems, resamples)``; ``nan`` where the denominator of a resample is 0. Resample
        ``b`` is made of the units ``draws[b]``, where ``draws = Generator(PCG64(seed)).integers(n,
        size=(resamples, n))``.

    >>> bootstrap([[(1, 2), (1, 2)]], 2, Resampling(resamples=3)).tolist()
    [[0.25, 0.25, 0.25]]
    """
    import numpy as np

    n = len(systems[0])
    columns = [[unit[k] for unit in system] for k in (0, 1) for system in systems]
    table = _numbers(columns, n).T
    generator = np.random.Generator(np.random.PCG64(resampling.seed))
    blocks = []
    for size in _blocks(resampling.resamples, n):
        draws = generator.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(draws.ravel(), minlength=size * n).reshape(size, n)
        blocks.append(times.astype(table.dtype) @ table)
    costs, refs = np.hsplit(np.concatenate(blocks), 2)
    empty = refs == 0
    rates: Rates = (costs / (np.where(empty, 1, refs) * scale)).astype(np.float64)
    rates[empty.astype(bool)] = np.nan
    return rates.T


def interval(rates: Rates, units: int, resampling: Resampling) -> Interval:
    """The percentile interval of resampled rates, or of differences of such.

    Args:
        units: their number; a single unit has no interval.
    """
    import numpy as np

    defined = rates[~np.isnan(rates)]
    undefined = len(rates) - len(defined)
    if units < 2 or not len(defined):
        return Interval(None, None, undefined)
    tail = (1 - resampling.confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), undefined)


def _numbers(rows: Sequence[Sequence[int]], most: int) -> Numbers:
    """An array that is multiplied and added up without rounding.

    Args:
        most: a sum has at most this many of these numbers. float64 is what matrix products are
            fast in, and it is exact below 2**53; beyond, numbers are Python's.
    """
    import numpy as np

    greatest = max((abs(number) for row in rows for number in row), default=0)
    return np.array(rows, dtype=np.float64 if most * greatest < 1 << 53 else object)


def _blocks(rows: int, width: int) -> Iterator[int]:
    """The numbers of rows of the blocks in which a table is made."""
    size = max(1, _AT_ONCE // max(1, width))
    for done in range(0, rows, size):
        yield min(size, rows - done)


# Tests


def permutation(a: Sequence[Sums], b: Sequence[Sums], resampling: Resampling) -> Significance:
    """Whether two systems differ more than if their names were exchanged at random, by unit.

    The statistic is the absolute difference of the rates. It is compared in whole numbers,
    so that ties are ties. Where there are no more arrangements than resamples all are looked at,
    and ``p`` is exact: the share of those at least as great as the one seen. Else ``p`` is
    ``(1 + those at least as great) / (1 + resamples)``. An arrangement in which a side is left
    with the denominator 0 counts as great: that makes ``p`` larger, never smaller.

    Args:
        a, b: sums of the same units; neither total has the denominator 0.

    >>> permutation([(0, 2), (0, 2)], [(2, 2), (2, 2)], Resampling())
    Significance(p=Fraction(1, 2), arrangements=4, exact=True)
    """
    import numpy as np

    gain = [(y[0] - x[0], y[1] - x[1]) for x, y in zip(a, b, strict=True) if x != y]
    n = len(gain)  # exchanging equal units changes nothing
    total_a, total_b = _total(a), _total(b)
    exact = 1 << n <= resampling.resamples
    moves = _numbers(gain, n) if gain else np.zeros((0, 2))
    great = 0
    for swaps in _arrangements(n) if exact else _swaps(n, resampling):
        moved = swaps.astype(moves.dtype) @ moves
        whole = moved if moved.dtype == object else moved.astype(np.int64)
        great += _as_great(total_a, total_b, whole.astype(object).T)
    count = 1 << n if exact else 1 + resampling.resamples
    return Significance(Fraction(great + (not exact), count), count, exact)


def least_p(units: int, resampling: Resampling) -> Fraction:
    """No ``p`` of a test over so many units is below this.

    The arrangement seen and its mirror image are as great as what is seen.

    >>> str(least_p(9, Resampling())), str(least_p(9, Resampling(resamples=100)))
    ('1/256', '1/101')
    """
    if 1 << units <= resampling.resamples:
        return Fraction(2, 1 << units)
    return Fraction(1, 1 + resampling.resamples)


def _arrangements(n: int) -> Iterator[Numbers]:
    """All ways to swap units, one a row."""
    import numpy as np

    yield (np.arange(1 << n)[:, None] >> np.arange(n)) & 1


def _swaps(n: int, resampling: Resampling) -> Iterator[Numbers]:
    """Random ways to swap units, one a row, in blocks."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(resampling.seed))
    for size in _blocks(resampling.resamples, n):
        yield generator.integers(2, size=(size, n))


def _as_great(total_a: Sums, total_b: Sums, moved: Numbers) -> int:
    """How many arrangements differ at least as much as the one seen.

    ``|c/r - c'/r'| ≥ |C/R - C'/R'|``, multiplied out.

    Args:
        moved: what swaps add to numerator and denominator of the first side, shape ``(2, many)``;
            the second side loses as much.
    """
    (cost_a, ref_a), (cost_b, ref_b) = total_a, total_b
    seen = abs(cost_a * ref_b - cost_b * ref_a)
    costs, refs = moved
    a, b = ref_a + refs, ref_b - refs
    found = abs((cost_a + costs) * b - (cost_b - costs) * a)
    return int((found * (ref_a * ref_b) >= seen * (a * b)).sum())


def _total(sums: Iterable[Sums]) -> Sums:
    costs, refs = zip(*sums, strict=True)
    return sum(costs), sum(refs)


def holm(ps: Sequence[Fraction]) -> list[Fraction]:
    """P-values adjusted for being read together, in the order given (Holm 1979).

    >>> [str(p) for p in holm([Fraction(1, 100), Fraction(4, 100), Fraction(3, 100)])]
    ['3/100', '3/50', '3/50']
    """
    adjusted = list(ps)
    greatest = Fraction(0)
    for rank, k in enumerate(sorted(range(len(ps)), key=lambda k: ps[k])):
        greatest = max(greatest, min(Fraction(1), ps[k] * (len(ps) - rank)))
        adjusted[k] = greatest
    return adjusted


# Labels


def by_label(a: ComparableScore, b: ComparableScore) -> tuple[LabelDifference, ...]:
    """How many errors more each label has in the one than in the other, the largest first.

    They add up to the difference of all errors, for each class and over all. Where two labels
    differ as much, the one with more of it in single classes comes first, then the alphabet
    decides.
    """
    ours, theirs = measure.by_label(a), measure.by_label(b)
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
