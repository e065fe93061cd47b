"""The rate by which systems are compared: errors over a size, both summed over slots.

The rate of every scheme is a ratio of two sums over slots. So is the rate of a document, of a label
and of an utterance:

==========  ====================  =============  ======================  =======================
rate        is                    better         errors                  size
==========  ====================  =============  ======================  =======================
SER         errors / size         lower          the slots' costs        ``Ref``
F           1 - errors / size     higher         see below               ``POS + ACT``
F1, P, R    1 - errors / size     higher         slots without an exact  ``Ref + Hyp``, ``Hyp``,
                                                 partner                 ``Ref``
WER         errors / size         lower          ``S + D + I``           words of the reference
survival    1 - errors / size     higher         elements with an error  elements of the
                                                                         reference
error rate  errors / size         lower          slots without partner,  entities of the
                                                 distances of texts      reference
==========  ====================  =============  ======================  =======================

An F-measure has errors of recall and errors of precision: a missing element is one error, a
spurious element is one, an incorrect pair is two, a partially correct pair is one. So ``F = 2
credit / (POS + ACT)``, as in :meth:`~sereval.measures.figures.Figure.f`. A figure that sums other
figures, such as ``all`` of ``mitre``, has the errors of all of them. Where the distance of two
texts is an error of either side, F is ``2 TP / (2 TP + FP + FN)``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from ..errors import SerevalError
from .slots import Costs, Counts, Slot

RateSums = tuple[Fraction, int | Fraction]
"""The numerator and the denominator of a rate, which add up over slots."""

SUBSTITUTIONS = (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
"""The classes of pairs that are not correct."""


ENTITY_WER = "entity-wer"
"""The name of the word error rate of elements."""
SURVIVAL = "survival"
"""The name of the share of elements that a recogniser leaves whole."""


class Errors(NamedTuple):
    """The errors of some slots, as exact numbers.

    Args:
        D: errors of missing elements.
        I: errors of spurious elements.
        S: errors of pairs.
        size: the denominator of the rate.
        ref: the number of reference elements.
    """

    D: Fraction = Fraction(0)
    I: Fraction = Fraction(0)  # noqa: E741 - the definition's letter
    S: Fraction = Fraction(0)
    size: int | Fraction = 0
    ref: int = 0

    @property
    def total(self) -> Fraction:
        """The sum of the errors of all kinds."""
        return self.D + self.I + self.S


class Rate(NamedTuple):
    """A rate by which scores are compared, and the words in which reports speak of it.

    Args:
        title: the heading of a table of this rate.
        short: the name that stands before a value.
        key: its key in JSON.
        size_is: what is counted in its denominator.
        is_better: ``lower`` or ``higher``: which values are better. A rate that is better higher is
            1 less the errors over the size.
        kinds: the kinds of errors.
        nothing: what is missing where the denominator is 0.
        classes: the names of the errors of missing and spurious elements and of pairs.
        ref_is: the name of the number of reference elements.
        figure: the figure of the scheme or of the definition.
        errors_are: ``errors``, or ``cost``.
        costs: the cost of each class of error of a slot error rate.
    """

    title: str
    short: str
    key: str
    size_is: str
    is_better: str = "lower"
    kinds: str = "deletions, insertions, substitutions"
    nothing: str = "no element"
    classes: tuple[str, str, str] = ("D", "I", "S")
    ref_is: str = "Ref"
    figure: str = ""
    errors_are: str = "errors"
    costs: Costs | None = None

    def sums(self, errors: Errors) -> RateSums:
        """The numerator and the denominator of some errors."""
        above = errors.total if self.is_better == "lower" else errors.size - errors.total
        return above, errors.size

    def of(self, errors: Errors) -> Fraction | None:
        """The exact rate of some errors; ``None`` where the denominator is 0."""
        above, below = self.sums(errors)
        return above / below if below else None


# --- slots of the definition ----------------------------------------------------------------------

F_MEASURE = re.compile(r"f([0-9]{1,3}(?:\.[0-9]{1,3})?)", re.IGNORECASE)
"""The name of an F-measure of the definition: F and its beta, the weight of recall."""

_SER = Rate(
    title="Slot error rate",
    short="SER",
    key="ser",
    size_is="reference elements",
    nothing="no reference element",
    figure="SER",
    errors_are="cost",
)

OF_PAIRS = ("MIS", "SPU", "INC")


def slot_error_rate(costs: Costs) -> Rate:
    """The total cost over the number of reference slots."""
    return _SER._replace(costs=costs)


def match_rate(figure: str) -> Rate:
    """Precision ``P``, recall ``R`` or an F-measure, such as ``F1``, of exact matches."""
    short = {"P": "Precision", "R": "Recall"}.get(figure, figure)
    return Rate(
        title=f"{short} of exact matches",
        short=short,
        key=short.casefold(),
        size_is="slots",
        is_better="higher",
        kinds="missing, spurious",
        classes=OF_PAIRS,
        figure=figure,
    )


def slot_errors(counts: Counts, figure: str, costs: Costs) -> Errors:
    """The errors in some counts for ``SER``, ``P``, ``R`` or an F-measure."""
    if figure == "SER":
        deleted, inserted = (
            counts.cost_of(slot, costs) for slot in (Slot.DELETION, Slot.INSERTION)
        )
        wrong = sum((counts.cost_of(slot, costs) for slot in SUBSTITUTIONS), Fraction(0))
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
