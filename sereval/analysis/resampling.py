"""Bootstrap intervals and paired permutation tests over units that are resampled exactly.

The generator is PCG64 with one seed. Each resample and each swap is drawn for the units in an order
that their sums alone decide, and is the same for all systems. So no result depends on the names or
the order of systems or documents, and the interval of a difference is one of paired values.

Source: Hesterberg 2015, section 5.3 (expanded percentile interval); Efron and Tibshirani 1993,
chapter 15 (permutation test); Holm 1979 for several p-values; Cohen 1988 for power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, erfc, lcm, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import SerevalError
from ..evaluation.settings import Signature
from ..measures import RateSums, student_quantile
from ..render.report import percent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[Any]  # 64 bits, or Python's integers where those are too few
    Rates = NDArray[np.float64]


UNITS = ("auto", "document", "utterance")
FEW = 10
"""With fewer documents than this, ``auto`` chooses utterances."""

MOST_RESAMPLES = 1_000_000
"""The most resamples. More would use much memory and change no visible digit."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """The settings of resampling, which make every result repeatable.

    Args:
        resamples: the number of resamples of the bootstrap; also the most arrangements that a
            permutation test tries.
        seed: the seed of PCG64, 0 or more.
        confidence: the confidence of the intervals, between 0 and 1.
        unit: the unit that is drawn: ``document``, ``utterance``, or ``auto``, which means
            utterances where there are fewer than ``FEW`` documents.

    Raises:
        SerevalError: a value is out of its range.

    >>> print(Resampling().signature("document"))
    interval:expanded|resamples:10000|seed:2011|confidence:0.95|unit:document
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
        """The unit for a number of documents.

        Args:
            documents: the number.

        >>> Resampling().unit_of(FEW), Resampling().unit_of(FEW - 1)
        ('document', 'utterance')
        """
        few = "utterance" if documents < FEW else "document"
        return few if self.unit == "auto" else self.unit

    @property
    def numbers(self) -> tuple[int, int, float]:
        """The resamples, the seed and the confidence."""
        return self.resamples, self.seed, self.confidence

    def signature(self, unit: str) -> Signature:
        """The signature of the settings.

        Args:
            unit: the chosen unit: ``document`` or ``utterance``.

        >>> str(Resampling(resamples=100).signature("document"))
        'interval:expanded|resamples:100|seed:2011|confidence:0.95|unit:document'
        """
        return Signature(
            [
                ("interval", "expanded"),
                ("resamples", str(self.resamples)),
                ("seed", str(self.seed)),
                ("confidence", f"{self.confidence:g}"),
                ("unit", unit),
            ]
        )


# Whole numbers

Whole = tuple[int, int]
"""The sums of a unit as whole numbers."""


def whole(systems: Sequence[Sequence[RateSums]]) -> list[list[Whole]]:
    """The sums of all units of all systems, multiplied by one number that makes them whole."""
    scale = lcm(*{number.denominator for sums in systems for pair in sums for number in pair})
    return [[(int(above * scale), int(below * scale)) for above, below in sums] for sums in systems]


def _total(sums: Iterable[Whole]) -> Whole:
    costs, refs = zip(*sums, strict=True)
    return sum(costs), sum(refs)


def by_content(systems: Sequence[Sequence[Whole]]) -> list[int]:
    """The units in an order that their names and the order of the systems do not change."""
    ranked = sorted(systems, key=sorted)
    return sorted(range(len(systems[0])), key=lambda unit: [system[unit] for system in ranked])


def _numbers(rows: Sequence[Sequence[int]]) -> Numbers:
    """An array of whole numbers, which are Python's where they could exceed 64 bits."""
    import numpy as np

    greatest = max((abs(number) for row in rows for number in row), default=0)
    return np.array(rows, dtype=np.int64 if greatest < 1 << 62 else object)


def _product(times: Numbers, table: Numbers) -> Numbers:
    """The product of two matrices of whole numbers, exactly: floats hold that of a digit."""
    import numpy as np

    often = times.astype(np.float64)
    if np.abs(table).max(initial=0) < 1 << DIGIT:
        return (often @ table.astype(np.float64)).astype(np.int64)
    low = (often @ (table % (1 << DIGIT)).astype(np.float64)).astype(np.int64)
    return (_product(times, table >> DIGIT).astype(object) << DIGIT) + low


DIGIT = 30
"""The bits of a digit; 53 are left for its product with the numbers of 2**23 units."""

_AT_ONCE = 1 << 16  # numbers drawn at a time: memory does not grow with the number of resamples


def _drawn(resampling: Resampling, units: int, below: int) -> Iterator[Numbers]:
    """A random number below another for each unit, in a row for each resample, in blocks."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(resampling.seed))
    most = max(1, _AT_ONCE // max(1, units))
    for done in range(0, resampling.resamples, most):
        size = min(most, resampling.resamples - done)
        yield generator.integers(below, size=(size, units))


# Intervals


class Interval(NamedTuple):
    """An expanded percentile interval."""

    # both ends are rates, not in percent; None: one unit, or a rate undefined on every resample
    low: float | None
    high: float | None
    undefined: int = 0  # resamples left out because their denominator is 0

    def text(self, shown: Callable[[float], str] = percent) -> str:
        """Both ends in percent; ``n/a`` if there is no interval."""
        if self.low is None or self.high is None:
            return "n/a"
        return f"[{shown(self.low)}, {shown(self.high)}]"


def bootstrap(systems: Sequence[Sequence[Whole]], resampling: Resampling) -> Rates:
    """The rates of systems on resamples of their units."""
    import numpy as np

    n = len(systems[0])
    order = by_content(systems)
    columns = [[system[unit][k] for unit in order] for k in (0, 1) for system in systems]
    table = _numbers(columns).T
    blocks = []
    for drawn in _drawn(resampling, n, n):
        size = len(drawn)
        draws = drawn + n * np.arange(size)[:, None]
        times = np.bincount(draws.ravel(), minlength=size * n).reshape(size, n)
        blocks.append(_product(times, table))
    sums = np.concatenate(blocks)
    costs, refs = np.hsplit(sums if sums.dtype == object else sums.astype(np.float64), 2)
    empty = refs == 0
    rates: Rates = (costs / np.where(empty, 1, refs)).astype(np.float64)
    rates[empty.astype(bool)] = np.nan
    return rates.T


def interval(rates: Rates, systems: Sequence[Sequence[Whole]], resampling: Resampling) -> Interval:
    """The interval of resampled rates of a system, or of differences of those of two."""
    # The quantiles are those at which an interval of normal values would be Student's: with few
    # units the plain ones are too narrow. A few large units are as few as a few units are.
    import numpy as np

    defined = rates[~np.isnan(rates)]
    undefined, units = len(rates) - len(defined), len(systems[0])
    if units < 2 or not len(defined):
        return Interval(None, None, undefined)
    freedom = max(1, min(map(_effective, systems)) - 1)
    student = student_quantile((1 - resampling.confidence) / 2, freedom)
    tail = erfc(-student * sqrt(units / (units - 1) / 2)) / 2  # of normal values
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), undefined)


def _effective(system: Sequence[Whole]) -> float:
    """The number of equally large units that vary as much as units of these sizes (Kish 1965)."""
    total, squares = sum(ref for _, ref in system), sum(ref * ref for _, ref in system)
    return total * total / squares if squares else 0


# Tests


class Significance(NamedTuple):
    """A paired permutation test between two systems."""

    # the share of arrangements whose difference is at least as great as the observed one
    p: Fraction
    exact: bool  # all arrangements were tried
    arrangements: int  # those tried, with the observed one


def permutation(a: Sequence[Whole], b: Sequence[Whole], resampling: Resampling) -> Significance:
    """Test whether two systems differ more than if their units were exchanged at random."""
    import numpy as np

    pairs = ((a[unit], b[unit]) for unit in by_content([a, b]))
    gain = [(y[0] - x[0], y[1] - x[1]) for x, y in pairs if x != y]
    n = len(gain)  # units in which the systems are equal are left out: a swap changes nothing
    (cost_a, ref_a), (cost_b, ref_b) = _total(a), _total(b)
    observed = abs(cost_a * ref_b - cost_b * ref_a)
    exact = 1 << n <= resampling.resamples
    moves = _numbers(gain) if gain else np.zeros((0, 2), dtype=np.int64)
    great = 0  # arrangements whose difference is at least as great as the observed one
    # each row says which units are swapped
    every = (
        [(np.arange(1 << n)[:, None] >> np.arange(n)) & 1] if exact else _drawn(resampling, n, 2)
    )
    for swaps in every:
        costs, refs = _product(swaps, moves).astype(object).T
        size_a, size_b = ref_a + refs, ref_b - refs
        found = abs((cost_a + costs) * size_b - (cost_b - costs) * size_a)
        great += int((found * (ref_a * ref_b) >= observed * (size_a * size_b)).sum())
    count = 1 << n if exact else 1 + resampling.resamples
    return Significance(Fraction(great + (not exact), count), exact, count)


def least_p(units: int, resampling: Resampling) -> Fraction:
    """The least ``p`` that a test over a number of units can have."""
    if 1 << units <= resampling.resamples:
        return Fraction(2, 1 << units)
    return Fraction(1, 1 + resampling.resamples)


def holm(ps: Sequence[Fraction]) -> list[Fraction]:
    """P-values adjusted for the number of tests, in the order of the argument (Holm 1979)."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    every = (min(Fraction(1), ps[k] * (len(ps) - rank)) for rank, k in enumerate(order))
    adjusted = dict(zip(order, accumulate(every, max), strict=True))
    return [adjusted[k] for k in range(len(ps))]


class Power(NamedTuple):
    """What a paired test finds with 80 % power, if units differ as the observed ones do."""

    finds: float  # the smallest difference of rates that it finds with as many units
    needs: int  # the units that a difference of one percentage point needs


POWER, POINT = 0.8, 0.01


def power(a: Sequence[Whole], b: Sequence[Whole], confidence: float) -> Power | None:
    """The power of a test of two systems; ``None`` where their units do not vary."""
    # each unit has a share in the difference: its cost less that of its size at the system's rate
    from statistics import NormalDist  # every command loads this module

    n, (above, below), (other_above, other_below) = len(a), _total(a), _total(b)
    shares = (
        (x * below - above * m) * other_below**2 - (y * other_below - other_above * k) * below**2
        for (x, m), (y, k) in zip(a, b, strict=True)
    )
    squares = sum(share * share for share in shares)
    if not squares or n < 2:
        return None
    # of the difference of rates with n units
    variance = Fraction(n * squares, (n - 1) * (below * other_below) ** 4)
    levels = (1 + confidence) / 2, POWER
    student = sum(student_quantile(level, n - 1) for level in levels)
    normal = sum(map(NormalDist().inv_cdf, levels))
    return Power(student * sqrt(variance), ceil(normal**2 * n * float(variance) / POINT**2))
