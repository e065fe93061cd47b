"""What a score can be if ties between templates are broken otherwise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..measures.figures import Figure

Rate = tuple[float | None, float | None]
"""The least and the greatest value of a rate."""


class Total(NamedTuple):
    """What the rates of a document are made of: fills that are correct, and of either side."""

    cor: int
    possible: int
    actual: int


class Ties(NamedTuple):
    """All that a document can come to, however ties between templates are broken.

    Args:
        totals: what it comes to in the ways that were tried.
        tied: whether there are several ways.
        is_known: whether ``totals`` are all there are; else there are more ways than can be tried.
    """

    totals: frozenset[Total]
    tied: bool = False
    is_known: bool = True


class Range(NamedTuple):
    """Least and greatest rates.

    Args:
        precision, recall, f: of each the least and the greatest; ``None`` where it is undefined.
        is_known: whether there is nothing beyond.

    >>> ties = Ties(frozenset({Total(8, 15, 25), Total(9, 15, 25)}), tied=True)
    >>> Range.of([ties], beta=1).f
    (0.4, 0.45)
    """

    precision: Rate
    recall: Rate
    f: Rate
    is_known: bool

    @classmethod
    def of(cls, documents: Sequence[Ties], beta: float) -> Range:
        """Of documents together, each of which may come to any of its totals."""
        weight = Fraction(beta) ** 2
        options = [each.totals for each in documents]

        def rate(
            divisor: Callable[[Total], Fraction], read: Callable[[Figure], float | None]
        ) -> Rate:
            return read(_extreme(options, divisor, -1)), read(_extreme(options, divisor, 1))

        return cls(
            rate(lambda total: Fraction(total.actual), lambda figure: figure.precision),
            rate(lambda total: Fraction(total.possible), lambda figure: figure.recall),
            rate(
                lambda total: weight * total.possible + total.actual,
                lambda figure: figure.f(beta),
            ),
            all(each.is_known for each in documents),
        )

    @property
    def decides(self) -> bool:
        """Whether some rate hangs on how ties are broken, or may."""
        return not self.is_known or any(least != most for least, most in self[:3])


def _extreme(
    options: Sequence[Collection[Total]], divisor: Callable[[Total], Fraction], sign: int
) -> Figure:
    """One total of each document such that the rate of them all is the greatest, or the least.

    The greatest quotient of two sums is the one at which no choice has more than nothing left
    when as many divisors are taken off (Dinkelbach 1967). ``sign`` is 1, or -1 for the least.
    """
    chosen = [max(totals, key=lambda total: (divisor(total), total)) for totals in options]
    while (whole := sum(map(divisor, chosen), Fraction())) > 0:
        rate = sum(total.cor for total in chosen) / whole

        def left(total: Total, rate: Fraction = rate) -> Fraction:
            return sign * (total.cor - rate * divisor(total))

        better = [max(totals, key=lambda total: (left(total), total)) for totals in options]
        if sum(map(left, better)) <= 0:
            break
        chosen = better
    cor, possible, actual = (sum(total[k] for total in chosen) for k in range(3))
    return Figure(cor=cor, mis=possible - cor, spu=actual - cor)
