"""The range of a score over all ways to break ties between templates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..measures.figures import Figure

RateBounds = tuple[float | None, float | None]
"""The least and the greatest value of a rate."""


class Total(NamedTuple):
    """The numbers of fills that determine the rates of a document.

    Args:
        cor: correct fills; a partially correct one is half.
        possible: fills of the key.
        actual: fills of the response.
    """

    cor: int | Fraction
    possible: int
    actual: int


class TieTotals(NamedTuple):
    """The totals of a document over the ways to break ties between templates.

    Args:
        totals: the totals of the ways that were tried.
        tied: whether there are several ways.
        is_known: whether ``totals`` is complete; otherwise there are too many ways to try.
    """

    totals: frozenset[Total]
    tied: bool = False
    is_known: bool = True


class RateRange(NamedTuple):
    """The least and the greatest value of each rate.

    Args:
        precision, recall, f: the least and the greatest value; ``None`` where it is undefined.
        is_known: whether no value lies outside.

    >>> ties = TieTotals(frozenset({Total(8, 15, 25), Total(9, 15, 25)}), tied=True)
    >>> RateRange.of([ties], beta=1).f
    (0.4, 0.45)
    """

    precision: RateBounds
    recall: RateBounds
    f: RateBounds
    is_known: bool

    @classmethod
    def of(cls, documents: Sequence[TieTotals], beta: float) -> RateRange:
        """The range of several documents together, each of which can have any of its totals.

        Args:
            documents: the totals of each document.
            beta: the weight of recall in the F-measure.
        """
        weight = Fraction(beta) ** 2
        options = [each.totals for each in documents]

        def rate(
            divisor: Callable[[Total], Fraction], read: Callable[[Figure], float | None]
        ) -> RateBounds:
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
        """Whether some rate depends on how ties are broken, or may depend on it."""
        return not self.is_known or any(least != most for least, most in self[:3])


def _extreme(
    options: Sequence[Collection[Total]], divisor: Callable[[Total], Fraction], sign: int
) -> Figure:
    """Choose one total of each document such that their common rate is greatest, or least.

    The method of Dinkelbach (1967) improves a rate until it is the greatest. Each round chooses for
    each document the total with the greatest value of ``cor - rate * divisor``. If these values add
    up to more than 0, the chosen totals have a greater rate. Otherwise no choice has one.

    Args:
        options: the totals of each document.
        divisor: the denominator that a total adds to the rate.
        sign: 1 for the greatest rate, -1 for the least.

    Returns:
        The figure of the chosen totals together.
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
    credit = 2 * sum((total.cor for total in chosen), Fraction())
    cor, par = divmod(int(credit), 2)
    possible, actual = sum(t.possible for t in chosen), sum(t.actual for t in chosen)
    return Figure(cor=cor, par=par, mis=possible - cor - par, spu=actual - cor - par)
