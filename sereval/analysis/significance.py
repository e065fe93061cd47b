"""Paired permutation tests: whether two systems differ more than by chance.

Source: Efron and Tibshirani 1993, chapter 15; Holm 1979 for the adjustment of several p-values;
Cohen 1988 for power.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from ..measures.quantiles import student_quantile
from .resampling import Resampling
from .whole import Whole, numbers, product

if TYPE_CHECKING:
    from .whole import Numbers

_AT_ONCE = 1 << 16  # numbers drawn at a time: memory does not grow with the number of resamples


@dataclass(frozen=True, slots=True)
class Significance:
    """A paired permutation test between two systems.

    Args:
        p: the share of arrangements whose difference is at least as great as the observed one.
        arrangements: the number of arrangements tried, with the observed one.
        exact: whether all arrangements were tried.
    """

    p: Fraction
    arrangements: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Power:
    """What a paired test finds with 80 % power, if units differ as the observed ones do.

    Args:
        finds: the smallest difference of rates that it finds with as many units.
        needs: the number of units that a difference of one percentage point needs.
    """

    finds: float
    needs: int


def power(a: Sequence[Whole], b: Sequence[Whole], scale: int, confidence: float) -> Power | None:
    """The power of a test of two systems; ``None`` where their units do not vary.

    Each unit has a share in the difference: its cost less that of its size at the system's rate.
    """
    n, (above, below), (other_above, other_below) = len(a), _total(a), _total(b)
    shares = (
        (x * below - above * m) * other_below**2 - (y * other_below - other_above * k) * below**2
        for (x, m), (y, k) in zip(a, b, strict=True)
    )
    squares = sum(share * share for share in shares)
    if not squares or n < 2:
        return None
    # of the difference of rates with n units
    variance = Fraction(n * squares, (n - 1) * (below * other_below) ** 4 * scale**2)
    levels = (1 + confidence) / 2, POWER
    student = sum(student_quantile(level, n - 1) for level in levels)
    normal = sum(map(NormalDist().inv_cdf, levels))
    return Power(student * sqrt(variance), ceil(normal**2 * n * float(variance) / POINT**2))


POWER, POINT = 0.8, 0.01


def cut(rows: int, width: int) -> Iterator[int]:
    """The number of rows of each block of a table that is computed block by block."""
    size = max(1, _AT_ONCE // max(1, width))
    for done in range(0, rows, size):
        yield min(size, rows - done)


def by_content(systems: Sequence[Sequence[Whole]]) -> list[int]:
    """The units in an order that their names and the order of the systems do not change."""
    ranked = sorted(systems, key=sorted)
    return sorted(range(len(systems[0])), key=lambda unit: [system[unit] for system in ranked])


def permutation(a: Sequence[Whole], b: Sequence[Whole], resampling: Resampling) -> Significance:
    """Test whether two systems differ more than if their units were exchanged at random."""
    import numpy as np

    pairs = ((a[unit], b[unit]) for unit in by_content([a, b]))
    gain = [(y[0] - x[0], y[1] - x[1]) for x, y in pairs if x != y]
    n = len(gain)  # units in which the systems are equal are left out: a swap changes nothing
    total_a, total_b = _total(a), _total(b)
    exact = 1 << n <= resampling.resamples
    moves = numbers(gain) if gain else np.zeros((0, 2), dtype=np.int64)
    great = 0
    for swaps in _arrangements(n) if exact else _swaps(n, resampling):
        great += _as_great(total_a, total_b, product(swaps, moves).astype(object).T)
    count = 1 << n if exact else 1 + resampling.resamples
    return Significance(Fraction(great + (not exact), count), count, exact)


def least_p(units: int, resampling: Resampling) -> Fraction:
    """The least ``p`` that a test over a number of units can have."""
    if 1 << units <= resampling.resamples:
        return Fraction(2, 1 << units)
    return Fraction(1, 1 + resampling.resamples)


def _arrangements(n: int) -> Iterator[Numbers]:
    """All ways to swap units, one in each row."""
    import numpy as np

    yield (np.arange(1 << n)[:, None] >> np.arange(n)) & 1


def _swaps(n: int, resampling: Resampling) -> Iterator[Numbers]:
    """Random ways to swap units, one in each row, in blocks."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(resampling.seed))
    for size in cut(resampling.resamples, n):
        yield generator.integers(2, size=(size, n))


def _as_great(total_a: Whole, total_b: Whole, moved: Numbers) -> int:
    """The number of arrangements whose difference is at least as great as the observed one."""
    (cost_a, ref_a), (cost_b, ref_b) = total_a, total_b
    observed = abs(cost_a * ref_b - cost_b * ref_a)
    costs, refs = moved
    a, b = ref_a + refs, ref_b - refs
    found = abs((cost_a + costs) * b - (cost_b - costs) * a)
    return int((found * (ref_a * ref_b) >= observed * (a * b)).sum())


def _total(sums: Iterable[Whole]) -> Whole:
    costs, refs = zip(*sums, strict=True)
    return sum(costs), sum(refs)


def holm(ps: Sequence[Fraction]) -> list[Fraction]:
    """P-values adjusted for the number of tests, in the order of the argument (Holm 1979)."""
    adjusted = list(ps)
    greatest = Fraction(0)
    for rank, k in enumerate(sorted(range(len(ps)), key=lambda k: ps[k])):
        greatest = max(greatest, min(Fraction(1), ps[k] * (len(ps) - rank)))
        adjusted[k] = greatest
    return adjusted
