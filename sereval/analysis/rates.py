"""The rate that systems are compared by, as errors over a size, and what each slot adds to it.

The rate of every scheme is a ratio of two sums over slots, and so is that of any part of a score:

======  ====================  =============  ==================  =======================
rate    is                    better         errors              size
======  ====================  =============  ==================  =======================
SER     errors / size         lower          the slots' costs    ``Ref``
F       1 - errors / size     higher         see below           ``POS + ACT``
======  ====================  =============  ==================  =======================

The errors of an F-measure are those of recall and those of precision: a missing element is one, a
spurious one is one, a pair that is incorrect is two, and one that is half right is one. So ``F = 2
credit / (POS + ACT)``, as :meth:`~sereval.measures.figures.Figure.f` has it. A figure that is
several taken together, such as ``all`` of ``mitre``, has the errors of all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..evaluation.evaluate import Evaluation
from ..evaluation.totals import Score, counts_of
from ..measures.figures import Figure
from ..measures.slots import Costs, Counts, Slot
from ..schemes.result import Row, SchemeScore

Rated: TypeAlias = Score | SchemeScore
"""Scores that can be compared; counts are enough."""

AnyScore: TypeAlias = Evaluation | SchemeScore
"""Scores that can be audited too: they keep the outcome of each element."""

Sums = tuple[int, int]
"""Numerator and denominator of a rate, in whole numbers; both add up over slots."""

SUBSTITUTIONS = (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
"""The classes of a pair that is not correct."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of some slots, exact.

    Args:
        D: errors of missing elements. I: of spurious elements. S: of pairs.
        size: the denominator of the rate.
        ref: elements of the reference.
    """

    D: Fraction = Fraction(0)
    I: Fraction = Fraction(0)  # noqa: E741 - the definition's letter
    S: Fraction = Fraction(0)
    size: int = 0
    ref: int = 0

    @property
    def total(self) -> Fraction:
        """The errors of all kinds."""
        return self.D + self.I + self.S


@dataclass(frozen=True, slots=True)
class SlotErrorRate:
    """The definition's rate: total cost over reference slots.

    Args:
        costs: of the classes of error.
    """

    costs: Costs
    title = "Slot error rate"
    short = "SER"
    size_is = "reference elements"
    key = "ser"
    is_better = "lower"
    errors_are = "cost"
    kinds = "deletions, insertions, substitutions"
    nothing = "no reference element"
    classes = ("D", "I", "S")
    ref_is = "Ref"

    @property
    def scale(self) -> int:
        """The numerator is in units of 1 over this."""
        return self.costs.scale

    def errors(self, counts: Counts) -> Errors:
        """The errors of counts."""
        deleted, inserted = (
            counts.cost_of(slot, self.costs) for slot in (Slot.DELETION, Slot.INSERTION)
        )
        wrong = sum((counts.cost_of(slot, self.costs) for slot in SUBSTITUTIONS), Fraction(0))
        return Errors(deleted, inserted, wrong, counts.ref, counts.ref)

    def sums(self, errors: Fraction, size: int) -> Sums:
        """Scaled cost over reference slots."""
        return int(errors * self.scale), size


@dataclass(frozen=True, slots=True)
class FMeasure:
    """The F-measure of one figure of a scheme.

    Args:
        figure: one of ``schemes.FIGURES``.
    """

    figure: str
    size_is = "in POS + ACT"
    key = "f1"
    is_better = "higher"
    errors_are = "errors"
    kinds = "missing, spurious, incorrect (twice each)"
    nothing = "no element"
    classes = ("MIS", "SPU", "INC")
    ref_is = "POS"
    scale = 1

    @property
    def title(self) -> str:
        """The title of a table."""
        return f"F of {self.figure}"

    @property
    def short(self) -> str:
        """The name before a rate."""
        return self.title

    def errors(self, row: Row) -> Errors:
        """The errors in the figures of a row."""
        figure = row.get(self.figure, Figure())
        wrong = Fraction(2 * figure.inc + figure.par)
        size = figure.possible + figure.actual
        return Errors(Fraction(figure.mis), Fraction(figure.spu), wrong, size, figure.possible)

    def sums(self, errors: Fraction, size: int) -> Sums:
        """What is no error, over the size."""
        return int(size - errors), size


Rate: TypeAlias = SlotErrorRate | FMeasure
"""What a score is compared by."""


def measure_of(score: Rated) -> Rate:
    """The rate that a score is compared by."""
    if isinstance(score, Score):
        return SlotErrorRate(score.settings.costs)
    return figure_of(score)


def figure_of(score: SchemeScore) -> FMeasure:
    """The figure that a scheme is compared by: the one chosen, else its first."""
    return FMeasure(score.figure or next(iter(score.total), ""))


def by_document(score: Rated) -> dict[str, Errors]:
    """Errors by document, documents in their order."""
    if isinstance(score, Score):
        rate = SlotErrorRate(score.settings.costs)
        return {document.id: rate.errors(counts_of(document)) for document in score.documents}
    return _of_rows(score, score.totals)


def by_label(score: Rated) -> dict[str, Errors]:
    """Errors by label, labels in alphabetical order; they add up to those of the score."""
    if isinstance(score, Score):
        rate = SlotErrorRate(score.settings.costs)
        return {label: rate.errors(counts) for label, counts in score.labels.items()}
    return _of_rows(score, score.labels)


def _of_rows(score: SchemeScore, rows: Mapping[str, Row]) -> dict[str, Errors]:
    measure = figure_of(score)
    return {name: measure.errors(row) for name, row in rows.items()}


def in_all(score: Rated) -> Errors:
    """Errors over all documents."""
    every = by_document(score).values()
    deleted, inserted, wrong = (
        sum((getattr(errors, kind) for errors in every), Fraction(0)) for kind in "DIS"
    )
    size, ref = (sum(getattr(errors, name) for errors in every) for name in ("size", "ref"))
    return Errors(deleted, inserted, wrong, size, ref)


def classes(score: AnyScore) -> dict[str, dict[str, Counter[Slot]]]:
    """Slots by document, label and class; of a scheme those in the mapping of its figure."""
    if isinstance(score, Evaluation):
        return {
            document.id: {
                label: Counter({slot: counts[slot] for slot in Slot})
                for label, counts in document.labels.items()
            }
            for document in score.documents
        }
    figure = figure_of(score).figure
    found: dict[str, dict[str, Counter[Slot]]] = {}
    for account in score.accounts:
        labels = found.setdefault(account.reference.id, {})
        for verdict in account.verdicts:
            if figure in verdict.figures:
                labels.setdefault(verdict.label, Counter())[verdict.slot] += 1
    return found


def unplaceable(score: AnyScore) -> dict[str, int]:
    """Number of unplaceable reference elements, by document."""
    documents = score.documents if isinstance(score, Evaluation) else score.accounts
    return {one.reference.id: len(one.reference.unplaceable) for one in documents}


def rate_of(measure: Rate, errors: Errors) -> Fraction | None:
    """The rate of errors; ``None`` where the denominator is 0."""
    above, below = measure.sums(errors.total, errors.size)
    return Fraction(above, below * measure.scale) if below else None


def exact_rate(score: Rated) -> Fraction | None:
    """The rate a score is compared by, exact; ``None`` where the denominator is 0.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("d", ("Dol",), tree([("loc", 0, 1)]))
    >>> exact_rate(evaluate([document], [Document("d", ("Dol",))]))
    Fraction(1, 1)
    """
    return rate_of(measure_of(score), in_all(score))
