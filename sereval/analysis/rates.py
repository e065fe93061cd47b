"""What a score is compared by, and what each slot adds to it: errors over a size.

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
"""What can be compared: counts will do."""

AnyScore: TypeAlias = Evaluation | SchemeScore
"""What can be audited too: it is known of each element what became of it."""

Sums = tuple[int, int]
"""What is above and what is below the line of a rate, in whole numbers; both add up over slots."""

SUBSTITUTIONS = (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
"""The classes of a pair that is not correct."""


@dataclass(frozen=True, slots=True)
class Errors:
    """What is wrong with some slots, exactly.

    Args:
        D: errors of missing elements. I: of spurious ones. S: of pairs.
        size: what errors are divided by.
        ref: what the reference has.
    """

    D: Fraction = Fraction(0)
    I: Fraction = Fraction(0)  # noqa: E741 - the definition's letter
    S: Fraction = Fraction(0)
    size: int = 0
    ref: int = 0

    @property
    def total(self) -> Fraction:
        """Of all kinds."""
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
        """What the sum above the line is a multiple of 1 over."""
        return self.costs.scale

    def errors(self, counts: Counts) -> Errors:
        """Of counts."""
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
        """What stands above a table."""
        return f"F of {self.figure}"

    @property
    def short(self) -> str:
        """What stands before a rate."""
        return self.title

    def errors(self, row: Row) -> Errors:
        """Of the figures of a row."""
        figure = row.get(self.figure, Figure())
        wrong = Fraction(2 * figure.inc + figure.par)
        size = figure.possible + figure.actual
        return Errors(Fraction(figure.mis), Fraction(figure.spu), wrong, size, figure.possible)

    def sums(self, errors: Fraction, size: int) -> Sums:
        """What is not an error, over all."""
        return int(size - errors), size


Rate: TypeAlias = SlotErrorRate | FMeasure
"""What a score is compared by."""


def measure_of(score: Rated) -> Rate:
    """What a score is compared by."""
    if isinstance(score, Score):
        return SlotErrorRate(score.settings.costs)
    return figure_of(score)


def figure_of(score: SchemeScore) -> FMeasure:
    """The figure of a scheme that is looked at; its first one where none was chosen."""
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
    """Errors of everything."""
    every = by_document(score).values()
    deleted, inserted, wrong = (
        sum((getattr(errors, kind) for errors in every), Fraction(0)) for kind in "DIS"
    )
    size, ref = (sum(getattr(errors, name) for errors in every) for name in ("size", "ref"))
    return Errors(deleted, inserted, wrong, size, ref)


def classes(score: AnyScore) -> dict[str, dict[str, Counter[Slot]]]:
    """Slots by class, by document and label; of a scheme those in the mapping that is looked at."""
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
    """How many reference elements have no place, by document."""
    documents = score.documents if isinstance(score, Evaluation) else score.accounts
    return {one.reference.id: len(one.reference.unplaceable) for one in documents}


def rate_of(measure: Rate, errors: Errors) -> Fraction | None:
    """The rate that errors make; ``None`` where nothing is to divide by."""
    above, below = measure.sums(errors.total, errors.size)
    return Fraction(above, below * measure.scale) if below else None


def exact_rate(score: Rated) -> Fraction | None:
    """The rate a score is compared by, exactly; ``None`` where nothing is to divide by.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("d", ("Dol",), tree([("loc", 0, 1)]))
    >>> exact_rate(evaluate([document], [Document("d", ("Dol",))]))
    Fraction(1, 1)
    """
    return rate_of(measure_of(score), in_all(score))
