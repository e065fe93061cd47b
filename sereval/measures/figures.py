"""Counts of the other scorers of the literature: correct, incorrect, partial, missing, spurious.

MUC counted slot fills in these five ways, and the scorers that came after it need no others. As
with :class:`~sereval.measures.slots.Counts`, counts are stored and summed, rates are derived.

Source: Chinchor, MUC-6 scoring definitions; Kehler et al. 2001, section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that is counted, such as *type* or *extent*.

    Args:
        cor: correct. inc: incorrect. par: partially correct, counted half. mis: missing, on the
            reference's side only. spu: spurious, on the hypothesis's side only.

    >>> figure3 = Figure(cor=8, inc=3, mis=4, spu=2)  # Kehler et al. 2001
    >>> figure3.possible, figure3.actual, f"{figure3.f():.3f}"
    (15, 13, '0.571')
    """

    cor: int = 0
    inc: int = 0
    par: int = 0
    mis: int = 0
    spu: int = 0

    def __add__(self, other: Figure) -> Figure:
        return Figure(
            self.cor + other.cor,
            self.inc + other.inc,
            self.par + other.par,
            self.mis + other.mis,
            self.spu + other.spu,
        )

    @property
    def only(self) -> str | None:
        """The name of its count, where it counts one thing; else ``None``.

        >>> Figure(inc=1).only, Figure(cor=2).only
        ('inc', None)
        """
        names = ("cor", "inc", "par", "mis", "spu")
        counted = [name for name in names for _ in range(getattr(self, name))]
        return counted[0] if len(counted) == 1 else None

    def __radd__(self, zero: int) -> Figure:
        """Let :func:`sum` begin with 0."""
        return self + Figure() if zero == 0 else NotImplemented

    @property
    def possible(self) -> int:
        """``POS``: what the reference has."""
        return self.cor + self.inc + self.par + self.mis

    @property
    def actual(self) -> int:
        """``ACT``: what the hypothesis has."""
        return self.cor + self.inc + self.par + self.spu

    @property
    def precision(self) -> float | None:
        """Credit over ``ACT``; ``None`` where the hypothesis has nothing."""
        return (2 * self.cor + self.par) / (2 * self.actual) if self.actual else None

    @property
    def recall(self) -> float | None:
        """Credit over ``POS``; ``None`` where the reference has nothing."""
        return (2 * self.cor + self.par) / (2 * self.possible) if self.possible else None

    def f(self, beta: float = 1.0) -> float | None:
        """F-measure: ``(1 + β²) credit / (β² POS + ACT)``; ``None`` where both sides are empty.

        Args:
            beta: above 1, recall counts more.
        """
        below = beta * beta * self.possible + self.actual
        credit = (2 * self.cor + self.par) / 2
        return (1 + beta * beta) * credit / below if below else None


_numbers: Callable[[Figure], tuple[int, ...]] = attrgetter(*(f.name for f in fields(Figure)))


def total(figures: Iterable[Figure]) -> Figure:
    """Figures added up at once: ``sum(figures, Figure())``.

    >>> total([Figure(cor=1), Figure(cor=2, mis=1)])
    Figure(cor=3, inc=0, par=0, mis=1, spu=0)
    """
    rows = list(map(_numbers, figures))
    return Figure(*map(sum, zip(*rows, strict=True))) if rows else Figure()
