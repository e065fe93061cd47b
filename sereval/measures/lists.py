"""Counts of lists of entities whose texts may differ: pairs, and the distances of their texts.

A pair counts as correct, and the distance of its two texts is an error on top. Distances are
fractions, summed exactly. As with :class:`~sereval.measures.figures.Figure`, counts are stored and
summed, and rates are derived.

Source: Bastianelli et al., EMNLP 2020 (SLU-F1); Villanova-Aparisi et al., DAS 2022, and the
program ie-eval (ECER, EWER).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .figures import Figure, total

NONE = Fraction(0)


@dataclass(frozen=True, slots=True)
class ListFigure(Figure):
    """The counts of a figure that adds the distance of a pair to either side's errors.

    Args:
        cor: pairs. mis, spu: entities without a partner, in the reference and in the hypothesis.
        distance: the sum of the distances of the pairs.

    >>> near = ListFigure(cor=2, mis=1, distance=Fraction(1, 2))
    >>> near.false_positives, near.false_negatives, near.f()
    (Fraction(1, 2), Fraction(3, 2), 0.6666666666666666)
    """

    distance: Fraction = NONE

    def __add__(self, other: Figure) -> Figure:
        return total([self, other])

    @property
    def false_positives(self) -> Fraction:
        """Spurious entities, and the distance of the pairs."""
        return self.spu + self.distance

    @property
    def false_negatives(self) -> Fraction:
        """Missing entities, and the distance of the pairs."""
        return self.mis + self.distance

    @property
    def errors(self) -> Fraction:
        """False positives and false negatives."""
        return self.false_positives + self.false_negatives

    @property
    def size(self) -> Fraction:
        """The denominator of F: twice the pairs, and the errors."""
        return 2 * self.cor + self.errors

    @property
    def precision(self) -> float | None:
        """Pairs over pairs and false positives; ``None`` if both are 0."""
        return _rate(Fraction(self.cor), self.cor + self.false_positives)

    @property
    def recall(self) -> float | None:
        """Pairs over pairs and false negatives; ``None`` if both are 0."""
        return _rate(Fraction(self.cor), self.cor + self.false_negatives)

    def f(self, beta: float = 1.0) -> float | None:
        """F-measure of precision and recall; ``None`` if there is no entity on either side.

        Args:
            beta: the weight of recall; above 1, recall counts more than precision.
        """
        weight = Fraction(beta) ** 2
        credit = (1 + weight) * self.cor
        return _rate(credit, credit + weight * self.false_negatives + self.false_positives)


@dataclass(frozen=True, slots=True)
class ErrorFigure(ListFigure):
    """The counts of an error rate over the entities of the reference.

    Args:
        inc: entities without a partner, one of each side, which count one error together.
        mis, spu: those that are left then. distance: that of the pairs.

    >>> ErrorFigure(cor=1, mis=1, distance=Fraction(1, 17)).errors
    Fraction(18, 17)
    """

    @property
    def errors(self) -> Fraction:
        """The sum of the errors."""
        return self.inc + self.mis + self.spu + self.distance

    @property
    def size(self) -> Fraction:
        """The denominator of the rate: the entities of the reference."""
        return Fraction(self.possible)

    @property
    def error_rate(self) -> float | None:
        """Errors over entities of the reference; ``None`` if it has none. It can exceed 1."""
        return _rate(self.errors, Fraction(self.possible))

    @property
    def value(self) -> float | None:
        """The value of a measure of this figure: the error rate."""
        return self.error_rate


def _rate(above: Fraction, below: Fraction) -> float | None:
    return float(above / below) if below else None
