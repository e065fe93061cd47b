"""What is counted: the six classes of a slot, their costs, and counts that add up.

Each reference element and each hypothesis element that is in no pair is one *slot*; so is each
pair. A slot falls into one of six classes (definition, section 3). Counts are stored, rates are
derived from summed counts, and nobody averages rates. Costs are exact: decimals scaled to
integers, so that no order of summation changes a digit.

Source: Galibert et al., IJCNLP 2011, section 3.1, after Makhoul et al. 1999.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from operator import add, attrgetter

from ..errors import SerevalError


class Slot(enum.Enum):
    """The class of a slot; its value is the letter used in papers, JSON and CSV."""

    CORRECT = "C"
    SPAN = "S_S"
    TYPE = "S_T"
    SPAN_AND_TYPE = "S_ST"
    DELETION = "D"
    INSERTION = "I"

    __hash__ = object.__hash__  # of what is there once: that of an enumeration is slow


PAIR = {
    (True, True): Slot.CORRECT,
    (True, False): Slot.SPAN,
    (False, True): Slot.TYPE,
    (False, False): Slot.SPAN_AND_TYPE,
}
"""Class of a pair, by (label accepted, same start and same end)."""


Nearness = Callable[[Sequence[str], str], int]
"""How many levels of a label are right, from above: by the labels that are accepted, and it."""

DEEPEST = 99
"""No cost is shared out over more levels."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What each class of error costs; a correct slot costs nothing.

    Integers: a cost is a multiple of ``1/scale``.

    Args:
        S_S: span substitution. S_T: type substitution. S_ST: both. D: deletion. I: insertion.
        scale: how many of these integers make 1.
        depth: over how many levels of labels ``S_T`` is shared out: each level that is right, from
            above, takes one share off; one share is always left. 1: it costs what it costs.

    Raises:
        SerevalError: a number that is no integer or less than 0, an ``S_T`` that cannot be shared.

    >>> Costs.parse("S_S=0.3") == Costs(S_S=3, S_T=5, S_ST=10, D=10, I=10, scale=10)
    True
    >>> Costs.parse("S_T.depth=3").share, Costs.parse("S_T.depth=3").scale  # a third of 0.5
    (5, 30)
    """

    S_S: int = 1
    S_T: int = 1
    S_ST: int = 2
    D: int = 2
    I: int = 2  # noqa: E741 - the definition's letter
    scale: int = 2
    depth: int = 1

    def __post_init__(self) -> None:
        numbers = (self.S_S, self.S_T, self.S_ST, self.D, self.I)
        if any(type(number) is not int or number < 0 for number in numbers):
            raise SerevalError(
                f"costs {numbers}, expected integers of 0 or more, multiples of 1/scale; "
                'decimals are read by Costs.parse("S_S=0.5")'
            )
        if type(self.scale) is not int or self.scale < 1:
            raise SerevalError(f"scale {self.scale!r}, expected an integer of 1 or more")
        if type(self.depth) is not int or not 1 <= self.depth <= DEEPEST:
            raise SerevalError(f"depth {self.depth!r}, expected an integer from 1 to {DEEPEST}")
        if self.S_T % self.depth:
            raise SerevalError(f"S_T {self.S_T} in {self.depth} shares, expected whole ones")

    @classmethod
    def of(cls, costs: Mapping[str, str]) -> Costs:
        """Costs from decimals as written, by class letter; what is not given keeps its default.

        Raises:
            SerevalError: unknown class, or not a plain non-negative decimal.

        >>> str(Costs.of({"I": "0.25", "S_S": "2"}))
        'S_S=2,S_T=0.5,S_ST=1,D=1,I=0.25'
        """
        costs = dict(costs)
        depth = _depth(costs.pop(DEPTH, "1"))
        exact = {"S_S": Fraction(1, 2), "S_T": Fraction(1, 2)}
        exact |= {"S_ST": Fraction(1), "D": Fraction(1), "I": Fraction(1)}
        for letter, text in costs.items():
            if letter not in exact:
                raise SerevalError(
                    f"unknown cost {letter!r}, expected one of {', '.join((*exact, DEPTH))}"
                )
            if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,18})?", text):
                raise SerevalError(
                    f"cost {letter}={text}, expected a decimal from 0 to 999999999, such as 0.5"
                )
            exact[letter] = Fraction(text)
        scale = 1
        while any(scale % value.denominator for value in exact.values()):
            scale *= 10
        scale *= 1 if exact["S_T"] * scale % depth == 0 else depth
        numbers = {letter: int(value * scale) for letter, value in exact.items()}
        return cls(**numbers, scale=scale, depth=depth)

    @classmethod
    def parse(cls, text: str) -> Costs:
        """Costs from ``"S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1"``; any of them may be left out.

        Raises:
            SerevalError: a part without ``=``, a class given twice, an unknown class, a bad number.
        """
        given: dict[str, str] = {}
        for part in text.split(","):
            letter, equals, value = map(str.strip, part.partition("="))
            if not equals:
                raise SerevalError(f"cost {part!r}, expected CLASS=NUMBER such as S_S=0.5")
            if letter in given:
                raise SerevalError(f"cost {letter} is given twice")
            given[letter] = value
        return cls.of(given)

    @property
    def share(self) -> int:
        """What a type substitution costs less for each level that is right, scaled."""
        return self.S_T // self.depth if self.depth > 1 else 0

    def __getitem__(self, slot: Slot) -> int:
        """Scaled cost of one slot of this class, none of whose levels is right."""
        return 0 if slot is Slot.CORRECT else int(getattr(self, slot.value))

    def __str__(self) -> str:
        parts = {
            slot.value: decimal(Fraction(self[slot], self.scale))
            for slot in Slot
            if slot is not Slot.CORRECT
        }
        parts |= {} if self.depth == 1 else {DEPTH: str(self.depth)}
        return ",".join(f"{name}={value}" for name, value in parts.items())


DEPTH = "S_T.depth"


def _depth(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", text):
        raise SerevalError(f"cost {DEPTH}={text}, expected a number of levels from 1 to {DEEPEST}")
    return int(text)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many slots fell into each class; adds up with ``+`` and :func:`sum`.

    Counts of one label have the slots under the label that answers for them: the reference's, or
    an insertion's own. So a pair of two labels is among the slots of the first and in the ``hyp``
    of the second. An exact pair can have two labels as well, where a merged element accepts both.

    Args:
        C, S_S, S_T, S_ST, D, I: slots by class.
        hyp: ``Hyp``, the elements of the hypothesis; over all labels ``C + S_S + S_T + S_ST + I``.
        exact: ``exact_C``, the most exact pairs that any placement allows; by the reference's
            label.
        exact_hyp: the same pairs, by the hypothesis's label.
        unplaceable: elements that the walk could not place, merged ones too.
        free_S_S, free_S_T, free_S_ST, free_D, free_I: of the slots of a class, those that cost
            nothing because a label is neutral.
        right_levels: over all type substitutions that cost something, how many levels of the label
            were right, where the costs are shared out by depth.

    >>> total = Counts(S_S=1, D=2, hyp=1) + Counts(C=1, hyp=1, exact=1, exact_hyp=1)
    >>> total.ref, total.hyp, total.ser(Costs()), total.recall
    (4, 2, 0.625, 0.25)
    """

    C: int = 0
    S_S: int = 0
    S_T: int = 0
    S_ST: int = 0
    D: int = 0
    I: int = 0  # noqa: E741 - the definition's letter
    hyp: int = 0
    exact: int = 0
    exact_hyp: int = 0
    unplaceable: int = 0
    free_S_S: int = 0
    free_S_T: int = 0
    free_S_ST: int = 0
    free_D: int = 0
    free_I: int = 0
    right_levels: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*map(add, _numbers(self), _numbers(other)))

    def __radd__(self, zero: int) -> Counts:
        """Let :func:`sum` begin with 0."""
        return self + Counts() if zero == 0 else NotImplemented

    def __getitem__(self, slot: Slot) -> int:
        return int(getattr(self, slot.value))

    @property
    def ref(self) -> int:
        """``Ref``: the slots of the reference, after the policy for unplaceable ones."""
        return self.C + self.S_S + self.S_T + self.S_ST + self.D

    def free(self, slot: Slot) -> int:
        """How many slots of a class cost nothing because a label is neutral."""
        return 0 if slot is Slot.CORRECT else int(getattr(self, f"free_{slot.value}"))

    def cost_of(self, slot: Slot, costs: Costs) -> Fraction:
        """Cost of the slots of one class, in units of the costs as given.

        >>> Counts(D=3, free_D=1).cost_of(Slot.DELETION, Costs())
        Fraction(2, 1)
        """
        return Fraction(self._scaled(slot, costs), costs.scale)

    def _scaled(self, slot: Slot, costs: Costs) -> int:
        cost = costs[slot] * (self[slot] - self.free(slot))
        return cost - costs.share * self.right_levels if slot is Slot.TYPE else cost

    def cost(self, costs: Costs) -> Fraction:
        """Total cost, in units of the costs as given."""
        return Fraction(sum(self._scaled(slot, costs) for slot in Slot), costs.scale)

    def ser(self, costs: Costs) -> float | None:
        """Slot error rate: total cost over ``Ref``; ``None`` where there is no reference slot."""
        return float(self.cost(costs) / self.ref) if self.ref else None

    @property
    def precision(self) -> float | None:
        """``exact_C / Hyp``; ``None`` where the hypothesis is empty."""
        return self.exact_hyp / self.hyp if self.hyp else None

    @property
    def recall(self) -> float | None:
        """``exact_C / Ref``; ``None`` where the reference is empty."""
        return self.exact / self.ref if self.ref else None

    @property
    def f1(self) -> float | None:
        """``2 exact_C / (Ref + Hyp)``; ``None`` where both sides are empty."""
        both = self.ref + self.hyp
        return (self.exact + self.exact_hyp) / both if both else None


_numbers: Callable[[Counts], tuple[int, ...]] = attrgetter(*(f.name for f in fields(Counts)))
"""All of the numbers of some counts, in their order."""


def total(counts: Iterable[Counts]) -> Counts:
    """Counts added up at once: ``sum(counts, Counts())``.

    >>> total([Counts(C=1), Counts(C=2, hyp=1)]) == Counts(C=3, hyp=1)
    True
    """
    rows = list(map(_numbers, counts))
    return Counts(*map(sum, zip(*rows, strict=True))) if rows else Counts()


def decimal(value: Fraction, places: int = 6) -> str:
    """An exact decimal fraction as plain text; what is none, such as a third, rounded.

    Args:
        places: after the point, of what is rounded.

    >>> decimal(Fraction(1, 4)), decimal(Fraction(3)), decimal(Fraction(1, 6))
    ('0.25', '3', '0.166667')
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    value = value if rest == 1 else round(value, places)
    scale, digits = 1, 0
    while (value * scale).denominator > 1:
        scale, digits = scale * 10, digits + 1
    number = value * scale
    whole, rest = divmod(int(number), scale)
    return f"{whole}.{rest:0{digits}d}" if digits else str(whole)
