"""The counts of the other scorers: correct, incorrect, partial, missing, spurious.

MUC counted slot fills in these five classes, and later scorers use the same classes. As with
:class:`~sereval.measures.slots.Counts`, counts are stored and summed, and rates are derived.

Source: Chinchor, MUC-6 scoring definitions; Kehler et al. 2001, section 2.3. Distances: Bastianelli
et al., EMNLP 2020 (SLU-F1); Villanova-Aparisi et al., DAS 2022, and the program ie-eval.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .slots import OF_PAIRS, Additive, Errors, Rate


@dataclass(frozen=True, slots=True)
class Figure(Additive):
    """The counts of one figure, such as *type* or *extent*; adds up with ``+`` and :func:`sum`."""

    cor: int = 0  # correct
    inc: int = 0  # incorrect
    par: int = 0  # partially correct, with half the credit
    mis: int = 0  # missing: in the reference only
    spu: int = 0  # spurious: in the hypothesis only
    distance: int | Fraction = 0  # of the texts of correct pairs: an error of either side on top

    @property
    def only(self) -> str | None:
        """The name of the only count that is 1 if all others are 0; else ``None``."""
        names = ("cor", "inc", "par", "mis", "spu")
        counted = [name for name in names for _ in range(getattr(self, name))]
        return counted[0] if len(counted) == 1 else None

    @property
    def possible(self) -> int:
        """``POS``: the number of items in the reference."""
        return self.cor + self.inc + self.par + self.mis

    @property
    def actual(self) -> int:
        """``ACT``: the number of items in the hypothesis."""
        return self.cor + self.inc + self.par + self.spu

    @property
    def precision(self) -> float | None:
        """Credit over ``ACT`` and distances; ``None`` if both are 0."""
        return _rate(2 * self.cor + self.par, 2 * (self.actual + self.distance))

    @property
    def recall(self) -> float | None:
        """Credit over ``POS`` and distances; ``None`` if both are 0."""
        return _rate(2 * self.cor + self.par, 2 * (self.possible + self.distance))

    @property
    def errors(self) -> int | Fraction:
        """Errors of recall and of precision; an incorrect pair and a distance are one of each."""
        return self.mis + self.spu + 2 * self.inc + self.par + 2 * self.distance

    @property
    def size(self) -> int | Fraction:
        """The denominator of F; :attr:`errors` is its part without credit."""
        return self.possible + self.actual + 2 * self.distance

    def f(self, beta: float = 1.0) -> float | None:
        """F-measure of precision and recall; ``None`` if there is no item on either side."""
        weight = Fraction(beta) ** 2
        of_recall, of_precision = self.possible + self.distance, self.actual + self.distance
        credit = (1 + weight) * (2 * self.cor + self.par)
        return _rate(credit, 2 * (weight * of_recall + of_precision))

    # In an error rate ``inc`` are entities without a partner, one of each side, which count one
    # error together; ``mis`` and ``spu`` are those that are left then.
    @property
    def edits(self) -> int | Fraction:
        """The errors of an error rate."""
        return self.inc + self.mis + self.spu + self.distance

    @property
    def error_rate(self) -> float | None:
        """Edits over ``POS``; ``None`` if it is 0. It can exceed 1."""
        return _rate(self.edits, self.possible)


ERROR_RATES = ("ecer", "ewer")
"""The figures that are error rates over the entities of the reference; all others are F."""


def _rate(above: int | Fraction, below: int | Fraction) -> float | None:
    return float(above / below) if below else None


def figure_rate(name: str) -> Rate:
    """The rate of a figure of a scheme: its F, or its error rate."""
    if name in ERROR_RATES:
        return Rate(
            title=f"Error rate {name}",
            short=name,
            size_is="reference entities",
            kinds="missing, spurious, incorrect and distances",
            nothing="no reference entity",
            classes=OF_PAIRS,
            figure=name,
        )
    return Rate(
        title=f"F of {name}",
        short=f"F of {name}",
        size_is="in POS + ACT",
        is_better="higher",
        kinds="missing, spurious, incorrect (twice each)",
        classes=OF_PAIRS,
        ref_is="POS",
        figure=name,
    )


def figure_errors(row: Mapping[str, Figure], name: str) -> Errors:
    """The errors in the counts of a figure: missing, spurious, and all others."""
    figure = row.get(name, Figure())
    errors, size = figure.errors, figure.size
    if name in ERROR_RATES:
        errors, size = figure.edits, figure.possible
    wrong = Fraction(errors) - figure.mis - figure.spu
    return Errors(Fraction(figure.mis), Fraction(figure.spu), wrong, size, figure.possible)
