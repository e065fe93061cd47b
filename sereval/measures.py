"""The six classes of a slot, their costs, counts that add up, and rates.

Each pair is one *slot*, and so is each reference element or hypothesis element in no pair. A slot
falls into one of six classes (definition, section 3). Counts are stored; rates are derived from
summed counts and are never averaged. Costs are exact: decimals are scaled to integers, so the order
of summation changes no result.

Quantiles of the beta and of Student's distribution are for bounds and intervals.

Source: Galibert et al., IJCNLP 2011, section 3.1, after Makhoul et al. 1999. Quantiles: the
continued fraction of the incomplete beta function (Abramowitz and Stegun 1964, 26.5.8), evaluated
as Lentz 1976 does.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from functools import cache, lru_cache
from math import exp, lgamma, log, log1p, sqrt
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from .errors import SerevalError

_H = TypeVar("_H")


class Slot(enum.Enum):
    """The class of a slot; its value is the symbol used in papers, JSON and CSV.

    >>> Slot.SPAN.value, Slot("D")
    ('S_S', <Slot.DELETION: 'D'>)
    """

    CORRECT = "C"
    SPAN = "S_S"
    TYPE = "S_T"
    SPAN_AND_TYPE = "S_ST"
    DELETION = "D"
    INSERTION = "I"

    __hash__ = object.__hash__  # each member exists once; the hash of an enumeration is slow


CLASSES = {
    Slot.CORRECT: "correct",
    Slot.SPAN: "span wrong",
    Slot.TYPE: "type wrong",
    Slot.SPAN_AND_TYPE: "both wrong",
    Slot.DELETION: "deleted",
    Slot.INSERTION: "inserted",
}
"""The names of the classes in every report."""

WRONG = (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE, Slot.DELETION, Slot.INSERTION)
"""The classes of errors."""

PAIR = {
    (True, True): Slot.CORRECT,
    (True, False): Slot.SPAN,
    (False, True): Slot.TYPE,
    (False, False): Slot.SPAN_AND_TYPE,
}
"""The class of a pair, by (label accepted, same start and same end)."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of each class of error; a correct slot costs nothing.

    Costs are integers, in multiples of ``1/scale``.

    Args:
        S_S: span wrong. S_T: type wrong. S_ST: both wrong. D: deleted. I: inserted.
        scale: the integer that stands for a cost of 1.
    Raises:
        SerevalError: a cost is not an integer of 0 or more.

    >>> Costs.parse("S_S=0.3") == Costs(S_S=3, S_T=5, S_ST=10, D=10, I=10, scale=10)
    True
    """

    S_S: int = 1
    S_T: int = 1
    S_ST: int = 2
    D: int = 2
    I: int = 2  # noqa: E741 - the definition's letter
    scale: int = 2

    def __post_init__(self) -> None:
        numbers = (self.S_S, self.S_T, self.S_ST, self.D, self.I)
        if any(type(number) is not int or number < 0 for number in numbers):
            raise SerevalError(
                f"costs {numbers}, expected integers of 0 or more, multiples of 1/scale; "
                'decimals are read by Costs.parse("S_S=0.5")'
            )
        if type(self.scale) is not int or self.scale < 1:
            raise SerevalError(f"scale {self.scale!r}, expected an integer of 1 or more")

    @classmethod
    def of(cls, costs: Mapping[str, str]) -> Costs:
        """Costs from decimals by class; a class that is left out has its default cost.

        Args:
            costs: decimals as text, by the symbol of their class.

        Raises:
            SerevalError: an unknown class; a text that is no plain decimal of 0 or more.

        >>> str(Costs.of({"I": "0.25", "S_S": "2"}))
        'S_S=2,S_T=0.5,S_ST=1,D=1,I=0.25'
        """
        exact = {"S_S": Fraction(1, 2), "S_T": Fraction(1, 2)}
        exact |= {"S_ST": Fraction(1), "D": Fraction(1), "I": Fraction(1)}
        for letter, text in costs.items():
            if letter not in exact:
                raise SerevalError(f"unknown cost {letter!r}, expected one of {', '.join(exact)}")
            if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,18})?", text):
                raise SerevalError(
                    f"cost {letter}={text}, expected a decimal from 0 to 999999999, such as 0.5"
                )
            exact[letter] = Fraction(text)
        scale = 1
        while any(scale % value.denominator for value in exact.values()):
            scale *= 10
        numbers = {letter: int(value * scale) for letter, value in exact.items()}
        return cls(**numbers, scale=scale)

    @classmethod
    def parse(cls, text: str) -> Costs:
        """Costs from text such as ``"S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1"``.

        Args:
            text: classes and decimals; a class that is left out has its default cost.

        Raises:
            SerevalError: a part without ``=``, a class given twice, an unknown class, a bad number.

        >>> str(Costs.parse("D=2,I=0.5"))
        'S_S=0.5,S_T=0.5,S_ST=1,D=2,I=0.5'
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

    def __getitem__(self, slot: Slot) -> int:
        """The scaled cost of one slot of a class."""
        return int(getattr(self, slot.value, 0))

    def __str__(self) -> str:
        return ",".join(
            f"{slot.value}={decimal(Fraction(self[slot], self.scale))}" for slot in WRONG
        )


class Additive:
    """Counts: a data class whose values add up, field by field, with ``+`` and :func:`sum`."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    @classmethod
    def sum(cls, every: Iterable[Self]) -> Self:
        """The sum, as ``sum(every, cls())`` but faster."""
        rows = map(attrgetter(*cls.__match_args__), every)
        return cls(*(sum(column[1:], column[0]) for column in zip(*rows, strict=True)))

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self.__match_args__)

    def __add__(self, other: Self) -> Self:
        return self.sum([self, other])

    def __radd__(self, zero: int) -> Self:
        """Let :func:`sum` begin with 0."""
        return self if zero == 0 else NotImplemented


@dataclass(frozen=True, slots=True)
class Counts(Additive):
    """The number of slots in each class; adds up with ``+`` and :func:`sum`.

    The counts of one label hold the slots of reference elements with that label, and insertions
    with that label. So a pair of two labels is a slot of the reference's label and is in the
    ``hyp`` of the hypothesis's label. An exact pair has two labels too if a merged element accepts
    both.

    Args:
        C, S_S, S_T, S_ST, D, I: slots by class.
        hyp: ``Hyp``, the elements of the hypothesis; over all labels ``C + S_S + S_T + S_ST + I``.
        exact: ``exact_C``, the most exact pairs that any placement allows, by the reference's
            label.
        exact_hyp: the same pairs, by the hypothesis's label.
        unplaceable: elements that the walk could not place, including merged ones.
        free_S_S, free_S_T, free_S_ST, free_D, free_I: slots of a class that cost nothing because a
            label is neutral.

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

    def __getitem__(self, slot: Slot) -> int:
        return int(getattr(self, slot.value))

    @property
    def ref(self) -> int:
        """``Ref``: the slots of the reference, after the policy for unplaceable elements."""
        return self.C + self.S_S + self.S_T + self.S_ST + self.D

    def free(self, slot: Slot) -> int:
        """The number of slots of a class that cost nothing because a label is neutral.

        Args:
            slot: the class.
        """
        return int(getattr(self, f"free_{slot.value}", 0))

    def cost(self, costs: Costs, *classes: Slot) -> Fraction:
        """The exact cost of the slots of some classes.

        Args:
            costs: the cost of each class of error.
            classes: the classes; none: all, for the total cost.

        Returns:
            The cost in the units of ``Costs.parse``: by default a deletion costs 1.

        >>> counts = Counts(C=1, S_T=1, D=3, free_D=1)
        >>> counts.cost(Costs()), counts.cost(Costs(), Slot.DELETION)
        (Fraction(5, 2), Fraction(2, 1))
        """
        scaled = (costs[slot] * (self[slot] - self.free(slot)) for slot in classes or WRONG)
        return Fraction(sum(scaled), costs.scale)

    def ser(self, costs: Costs) -> float | None:
        """Slot error rate: total cost over ``Ref``; ``None`` if the reference has no slot.

        Args:
            costs: the cost of each class of error.

        >>> Counts(C=1, S_T=1, D=1, hyp=2).ser(Costs())
        0.5
        """
        return float(self.cost(costs) / self.ref) if self.ref else None

    @property
    def precision(self) -> float | None:
        """``exact_C / Hyp``; ``None`` if the hypothesis is empty."""
        return self.exact_hyp / self.hyp if self.hyp else None

    @property
    def recall(self) -> float | None:
        """``exact_C / Ref``; ``None`` if the reference is empty."""
        return self.exact / self.ref if self.ref else None

    @property
    def f1(self) -> float | None:
        """``2 exact_C / (Ref + Hyp)``; ``None`` if both sides are empty."""
        return self.f(Fraction(1))

    def f(self, beta: Fraction) -> float | None:
        """F-measure, ``(1 + β²) exact_C / (β² Ref + Hyp)``; ``None`` if both sides are empty.

        Args:
            beta: the weight of recall; above 1, recall counts more than precision.

        >>> Counts(C=1, D=3, hyp=1, exact=1, exact_hyp=1).f(Fraction(2))
        0.29411764705882354

        Source: Galibert et al., IJCNLP 2011, section 3.1; van Rijsbergen 1979.
        """
        recall, precision = beta.numerator**2, beta.denominator**2
        below = recall * self.ref + precision * self.hyp
        return (recall * self.exact + precision * self.exact_hyp) / below if below else None


@lru_cache(maxsize=1 << 15, typed=True)
def once(value: _H) -> _H:
    """The value, or the equal one that was seen before: most counts of a corpus are equal."""
    return value


EXACTLY = Context(prec=200, traps=[Inexact])
"""Divides, unless the quotient has more digits than any sum of costs or of distances."""


def decimal(value: Fraction) -> str:
    """A fraction as plain decimal text, rounded only if it is no finite decimal."""
    try:
        exact = EXACTLY.divide(Decimal(value.numerator), Decimal(value.denominator))
    except Inexact:
        return decimal(round(value, 6))
    return format(exact, "f")


# --- rates ----------------------------------------------------------------------------------------

# The rate by which systems are compared: errors over a size, both summed over slots.
#
# The rate of every scheme is a ratio of two sums over slots. So is the rate of a document, of a
# label and of an utterance:
#
# ==========  ====================  =============  ======================  =======================
# rate        is                    better         errors                  size
# ==========  ====================  =============  ======================  =======================
# SER         errors / size         lower          the slots' costs        ``Ref``
# F           1 - errors / size     higher         see below               ``POS + ACT``
# F1, P, R    1 - errors / size     higher         slots without an exact  ``Ref + Hyp``, ``Hyp``,
#                                                  partner                 ``Ref``
# WER         errors / size         lower          ``S + D + I``           words of the reference
# survival    1 - errors / size     higher         elements with an error  elements of the
#                                                                          reference
# error rate  errors / size         lower          slots without partner,  entities of the
#                                                  distances of texts      reference
# ==========  ====================  =============  ======================  =======================
#
# An F-measure has errors of recall and errors of precision: a missing element is one error, a
# spurious element is one, an incorrect pair is two, a partially correct pair is one. So ``F = 2
# credit / (POS + ACT)``, as in :meth:`~sereval.schemes.result.Figure.f`. A figure that sums other
# figures, such as ``all`` of ``mitre``, has the errors of all of them. Where the distance of two
# texts is an error of either side, F is ``2 TP / (2 TP + FP + FN)``.


RateSums = tuple[Fraction, int | Fraction]
"""The numerator and the denominator of a rate, which add up over slots."""

ENTITY_WER = "entity-wer"
"""The name of the word error rate of elements."""
SURVIVAL = "survival"
"""The name of the share of elements that a recogniser leaves whole."""


class Errors(NamedTuple):
    """The errors of some slots, as exact numbers."""

    D: Fraction = Fraction(0)  # errors of missing elements
    # errors of spurious elements
    I: Fraction = Fraction(0)  # noqa: E741 - the definition's letter
    S: Fraction = Fraction(0)  # errors of pairs
    size: int | Fraction = 0  # the denominator of the rate
    ref: int = 0  # the number of reference elements

    @property
    def total(self) -> Fraction:
        """The sum of the errors of all kinds."""
        return self.D + self.I + self.S


class Rate(NamedTuple):
    """A rate by which scores are compared, and the words in which reports speak of it."""

    title: str  # the heading of a table
    short: str  # the name before a value
    size_is: str  # what its denominator counts
    is_better: str = "lower"  # lower or higher; higher is 1 less the errors over the size
    kinds: str = "deletions, insertions, substitutions"  # of errors
    nothing: str = "no element"  # what is missing where the denominator is 0
    # the errors of missing and spurious elements and of pairs
    classes: tuple[str, str, str] = ("D", "I", "S")
    ref_is: str = "Ref"  # the number of reference elements
    figure: str = ""  # of the scheme or of the definition
    errors_are: str = "errors"  # errors or cost

    def sums(self, errors: Errors) -> RateSums:
        """The numerator and the denominator of some errors."""
        above = errors.total if self.is_better == "lower" else errors.size - errors.total
        return above, errors.size

    def of(self, errors: Errors) -> Fraction | None:
        """The exact rate of some errors; ``None`` where the denominator is 0."""
        above, below = self.sums(errors)
        return above / below if below else None


F_MEASURE = re.compile(r"f([0-9]{1,3}(?:\.[0-9]{1,3})?)", re.IGNORECASE)
"""The name of an F-measure of the definition: F and its beta, the weight of recall."""

OF_PAIRS = ("MIS", "SPU", "INC")

SLOT_ERROR_RATE = Rate(
    title="Slot error rate",
    short="SER",
    size_is="reference elements",
    nothing="no reference element",
    figure="SER",
    errors_are="cost",
)
"""The total cost over the number of reference slots."""


def match_rate(figure: str) -> Rate:
    """Precision ``P``, recall ``R`` or an F-measure, such as ``F1``, of exact matches."""
    short = {"P": "Precision", "R": "Recall"}.get(figure, figure)
    return Rate(
        title=f"{short} of exact matches",
        short=short,
        size_is="slots",
        is_better="higher",
        kinds="missing, spurious",
        classes=OF_PAIRS,
        figure=figure,
    )


def slot_errors(counts: Counts, figure: str, costs: Costs) -> Errors:
    """The errors in some counts for ``SER``, ``P``, ``R`` or an F-measure."""
    if figure == "SER":
        deleted, inserted = (counts.cost(costs, slot) for slot in (Slot.DELETION, Slot.INSERTION))
        wrong = counts.cost(costs, Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
        return Errors(deleted, inserted, wrong, counts.ref, counts.ref)
    beta = beta_of(figure)
    recall, precision = (0, 1) if figure == "P" else (1, 0)
    if beta is not None:
        recall, precision = beta.numerator**2, beta.denominator**2
    missing = recall * (counts.ref - counts.exact)
    spurious = precision * (counts.hyp - counts.exact_hyp)
    size = recall * counts.ref + precision * counts.hyp
    return Errors(Fraction(missing), Fraction(spurious), size=size, ref=counts.ref)


def beta_of(figure: str) -> Fraction | None:
    """The beta of an F-measure of exact matches, above 0; ``None`` for another figure."""
    found = F_MEASURE.fullmatch(figure)
    if found is not None and not Fraction(found[1]):
        raise SerevalError(f"found {figure!r}, expected a beta above 0, such as F0.5")
    return found and Fraction(found[1])


TINY = 1e-300
"""Stands for 0 in a denominator."""


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function: the share of the distribution below ``x``."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or TINY)
    value, m = d, 1
    while True:
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for step in (even, odd):
            d = 1 / ((1 + step * d) or TINY)
            c = (1 + step / c) or TINY
            value *= c * d
        if value == before or m > 10_000:
            return front * value
        m += 1


def beta_quantile(share: float, a: float, b: float) -> float:
    """The place below which a share of the beta distribution lies, to the last digit."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if beta_share(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return middle


@cache
def student_quantile(share: float, freedom: float) -> float:
    """The place below which a share of Student's distribution lies."""
    if share > 0.5:
        return -student_quantile(1 - share, freedom)
    x = beta_quantile(2 * share, freedom / 2, 0.5)
    return -sqrt(freedom * (1 - x) / x)
