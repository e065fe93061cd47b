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

from collections import Counter
from collections.abc import Iterator, Sized
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TypeAlias

from ..evaluation.settings import Signature
from ..evaluation.totals import Evaluation
from ..evaluation.words import WordScore
from ..measures.figures import Figure
from ..measures.lists import ErrorFigure
from ..measures.slots import Costs, Counts, Slot
from ..measures.words import ElementErrors, WordErrors, WordParts
from ..schemes.measure import Measure, beta_of
from ..schemes.result import FigureRow, SchemeScore
from ..schemes.word_rates import BIASED_WORDS, ENTITY_WORDS, UNBIASED_WORDS

AnyScore: TypeAlias = Evaluation | SchemeScore
"""A score that can be audited. It keeps the outcome of each element."""

RateSums = tuple[int | Fraction, int | Fraction]
"""The numerator and the denominator of a rate, which add up over slots: whole numbers, or fractions
where distances of texts are errors."""

SUBSTITUTIONS = (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
"""The classes of pairs that are not correct."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of some slots, as exact numbers.

    Args:
        D: errors of missing elements.
        I: errors of spurious elements.
        S: errors of pairs.
        size: the denominator of the rate.
        ref: the number of reference elements.

    >>> Errors(D=Fraction(1), S=Fraction(1, 2), size=3, ref=3).total
    Fraction(3, 2)
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


@dataclass(frozen=True, slots=True)
class SlotErrorRate:
    """The slot error rate: the total cost over the number of reference slots.

    Args:
        costs: the cost of each class of error.

    >>> SlotErrorRate(Costs()).errors(Counts(C=1, S_T=1)).total
    Fraction(1, 2)
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
        """The factor that makes all costs whole numbers; numerators are multiplied by it."""
        return self.costs.scale

    def errors(self, counts: Counts) -> Errors:
        """The errors in some counts.

        Args:
            counts: the counts, such as those of a document or a label.
        """
        deleted, inserted = (
            counts.cost_of(slot, self.costs) for slot in (Slot.DELETION, Slot.INSERTION)
        )
        wrong = sum((counts.cost_of(slot, self.costs) for slot in SUBSTITUTIONS), Fraction(0))
        return Errors(deleted, inserted, wrong, counts.ref, counts.ref)

    def sums(self, errors: Fraction, size: int | Fraction) -> RateSums:
        """The scaled cost and the number of reference slots.

        Args:
            errors: the cost.
            size: the number of reference slots.
        """
        return int(errors * self.scale), size


@dataclass(frozen=True, slots=True)
class FMeasure:
    """The F-measure of one figure of a scheme.

    Args:
        figure: the name of a figure of the scheme, such as ``extent``.

    >>> FMeasure("type").title
    'F of type'
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
        """The heading of a table of this rate."""
        return f"F of {self.figure}"

    @property
    def short(self) -> str:
        """The name that stands before a value of this rate."""
        return self.title

    def errors(self, row: FigureRow) -> Errors:
        """The errors in the counts of this figure.

        Args:
            row: the counts by figure, such as those of a document or a label.
        """
        return _errors(row.get(self.figure, Figure()))

    def sums(self, errors: Fraction, size: int | Fraction) -> RateSums:
        """Twice the credit, and ``POS + ACT``.

        Args:
            errors: the errors of recall and precision.
            size: ``POS + ACT``.
        """
        return size - errors, size


@dataclass(frozen=True, slots=True)
class ListErrorRate:
    """An error rate of lists of entities, such as ``ecer`` of ``oi``.

    Args:
        figure: the name of a figure of the scheme.

    >>> from sereval.measures.lists import ErrorFigure
    >>> ListErrorRate("ecer").errors({"ecer": ErrorFigure(cor=1, mis=1)}).total
    Fraction(1, 1)
    """

    figure: str
    size_is = "reference entities"
    key = "error_rate"
    is_better = "lower"
    errors_are = "errors"
    kinds = "missing, spurious, incorrect and distances"
    nothing = "no reference entity"
    classes = ("MIS", "SPU", "INC")
    ref_is = "Ref"
    scale = 1

    @property
    def title(self) -> str:
        """The heading of a table of this rate."""
        return f"Error rate {self.figure}"

    @property
    def short(self) -> str:
        """The name that stands before a value of this rate."""
        return self.figure

    def errors(self, row: FigureRow) -> Errors:
        """The errors in the counts of this figure.

        Args:
            row: the counts by figure, such as those of a document or a label.
        """
        return _errors(row.get(self.figure, ErrorFigure()))

    def sums(self, errors: Fraction, size: int | Fraction) -> RateSums:
        """The errors, and the entities of the reference.

        Args:
            errors: the errors.
            size: the number of entities.
        """
        return errors, size


def _errors(figure: Figure) -> Errors:
    """The errors in the counts of one figure: missing, spurious, and all others."""
    wrong = Fraction(figure.errors) - figure.mis - figure.spu
    return Errors(Fraction(figure.mis), Fraction(figure.spu), wrong, figure.size, figure.possible)


@dataclass(frozen=True, slots=True)
class ExactRate:
    """Precision, recall or an F-measure of exact matches, of the definition.

    Errors of an F-measure are weighed: a missing element counts the square of beta, a spurious one
    counts 1, both times the square of beta's denominator.

    Args:
        figure: ``P``, ``R``, ``F1`` or an F-measure with another beta, such as ``F0.5``.

    >>> rate = ExactRate("F1")
    >>> rate.sums(rate.errors(Counts(D=1, hyp=1)).total, 2)
    (0, 2)
    """

    figure: str
    size_is = "slots"
    is_better = "higher"
    errors_are = "errors"
    kinds = "missing, spurious"
    nothing = "no element"
    classes = ("MIS", "SPU", "INC")
    ref_is = "Ref"
    scale = 1

    @property
    def title(self) -> str:
        """The heading of a table of this rate."""
        return f"{self.short} of exact matches"

    @property
    def short(self) -> str:
        """The name that stands before a value of this rate."""
        return {"P": "Precision", "R": "Recall"}.get(self.figure, self.figure)

    @property
    def key(self) -> str:
        """Its key in JSON."""
        return self.short.casefold()

    def errors(self, counts: Counts) -> Errors:
        """The slots without an exact partner.

        Args:
            counts: the counts, such as those of a document or a label.
        """
        recall, precision = self._weights
        missing = recall * (counts.ref - counts.exact)
        spurious = precision * (counts.hyp - counts.exact_hyp)
        size = recall * counts.ref + precision * counts.hyp
        return Errors(Fraction(missing), Fraction(spurious), size=size, ref=counts.ref)

    @property
    def _weights(self) -> tuple[int, int]:
        """The weight of an element of the reference, and of one of the hypothesis."""
        beta = beta_of(self.figure)
        if beta is not None:
            return beta.numerator**2, beta.denominator**2
        return (0, 1) if self.figure == "P" else (1, 0)

    def sums(self, errors: Fraction, size: int | Fraction) -> RateSums:
        """The slots with an exact partner, and all slots that the rate is over.

        Args:
            errors: the slots without an exact partner.
            size: all slots.
        """
        return int(size - errors), size


@dataclass(frozen=True, slots=True)
class WordErrorRate:
    """A rate of word errors.

    Args:
        name: the name of the measure, such as ``WER`` or ``entity-wer.loc``.

    >>> WordErrorRate("WER").errors(WordErrors(correct=3, S=1)).total
    Fraction(1, 1)
    """

    name: str
    size_is = "words"
    key = "wer"
    is_better = "lower"
    errors_are = "errors"
    kinds = "deletions, insertions, substitutions"
    nothing = "no word of the reference"
    classes = ("D", "I", "S")
    ref_is = "words"
    scale = 1

    @property
    def title(self) -> str:
        """The heading of a table of this rate."""
        return self.name

    @property
    def short(self) -> str:
        """The name that stands before a value of this rate."""
        return self.name

    def errors(self, errors: WordErrors) -> Errors:
        """The word errors by kind.

        Args:
            errors: the word errors of a document or a label.
        """
        deleted, inserted, wrong = map(Fraction, (errors.D, errors.I, errors.S))
        return Errors(deleted, inserted, wrong, errors.ref, errors.ref)

    def sums(self, errors: Fraction, size: int | Fraction) -> RateSums:
        """The number of errors and of words.

        Args:
            errors: the number of errors.
            size: the number of words of the reference.
        """
        return int(errors), size


Rate: TypeAlias = SlotErrorRate | FMeasure | ListErrorRate | ExactRate | WordErrorRate
"""A rate by which scores are compared."""


@dataclass(frozen=True, slots=True)
class RateScore:
    """A score with the rate by which it is compared, from the counts of its documents.

    Args:
        score: the score of slots, or of words.
        measure: the measure: ``P``, ``R`` or ``F1`` of slots, or one of words.

    >>> words = WordScore({"d": WordErrors(correct=3, S=1)})
    >>> exact_rate(RateScore(words, Measure("WER")))
    Fraction(1, 4)
    """

    score: Evaluation | WordScore
    measure: Measure

    @property
    def rate(self) -> ExactRate | WordErrorRate:
        """The rate of its measure."""
        if isinstance(self.score, WordScore):
            return WordErrorRate(str(self.measure))
        return ExactRate(self.measure.figure)

    @property
    def documents(self) -> Sized:
        """Its documents."""
        return self.score.documents

    @property
    def settings(self) -> object:
        """The settings that scores must share to be compared."""
        return self.score.settings

    @property
    def signature(self) -> Signature:
        """The signature of the score."""
        return self.score.signature

    @property
    def word_errors(self) -> WordScore | None:
        """The word errors beside a score of slots, if a word is wrong."""
        return self.word_score and self.word_score.if_wrong

    @property
    def word_score(self) -> WordScore | None:
        """The word errors beside a score of slots."""
        return None if isinstance(self.score, WordScore) else self.score.word_score

    @property
    def by_document(self) -> dict[str, Errors]:
        """The errors of each document."""
        if isinstance(self.score, WordScore):
            parts = parts_by_document(self.score)
            rate = WordErrorRate(str(self.measure))
            return {id: rate.errors(errors_of_measure(self.measure, *p)) for id, p in parts.items()}
        exact = ExactRate(self.measure.figure)
        return {one.id: exact.errors(one.counts) for one in self.score.documents}

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label; none for measures of words that are not by label."""
        if isinstance(self.score, WordScore):
            is_of_labels = self.measure.family is ENTITY_WORDS and not self.measure.figure
            labels = self.score.labels if is_of_labels else {}
            rate = WordErrorRate(str(self.measure))
            return {label: rate.errors(own.errors) for label, own in labels.items()}
        exact = ExactRate(self.measure.figure)
        return {label: exact.errors(counts) for label, counts in self.score.labels.items()}


ComparableScore: TypeAlias = Evaluation | SchemeScore | RateScore
"""A score that can be compared. It has the counts of each document."""


def comparable(measure: Measure, score: Evaluation | SchemeScore | WordScore) -> ComparableScore:
    """A score as the score of one measure.

    Args:
        measure: the measure.
        score: the score that holds its value.

    >>> words = WordScore({"d": WordErrors(correct=3, S=1)})
    >>> measure_of(comparable(Measure("WER"), words)).short
    'WER'
    """
    if isinstance(score, SchemeScore):
        return score.by(measure.figure)
    is_cost = isinstance(score, Evaluation) and measure.figure == "SER"
    return score if is_cost and isinstance(score, Evaluation) else RateScore(score, measure)


def rate_of_counts(measure: Measure, costs: Costs) -> SlotErrorRate | ExactRate:
    """The rate of a measure of slots.

    Args:
        measure: ``SER``, ``P``, ``R`` or ``F1``.
        costs: the cost of each class of error.
    """
    return SlotErrorRate(costs) if measure.figure == "SER" else ExactRate(measure.figure)


def parts_by_document(score: WordScore) -> dict[str, tuple[WordErrors, WordParts]]:
    """The word errors of each document, and their parts."""
    none = WordParts()
    return {id: (errors, score.parts.get(id, none)) for id, errors in score.documents.items()}


def errors_of_measure(measure: Measure, errors: WordErrors, parts: WordParts) -> WordErrors:
    """The word errors that a measure of words counts.

    Args:
        measure: the measure.
        errors: those of all words.
        parts: their parts.
    """
    if measure.family is ENTITY_WORDS:
        label = measure.figure
        return (parts.labels.get(label, ElementErrors()) if label else parts.entities).errors
    found = {BIASED_WORDS.name: parts.biased, UNBIASED_WORDS.name: parts.unbiased}
    return found.get(measure.scheme, errors)


def measure_of(score: ComparableScore) -> Rate:
    """The rate by which a score is compared."""
    if isinstance(score, RateScore):
        return score.rate
    if isinstance(score, Evaluation):
        return SlotErrorRate(score.settings.costs)
    return figure_of(score)


def figure_of(score: SchemeScore) -> FMeasure | ListErrorRate:
    """The rate of the chosen figure of a scheme, or of its first figure."""
    rows = (row for labels in score.documents.values() for row in labels.values())
    first: FigureRow = next(rows, {})  # all rows have the same figures
    name = score.figure or next(iter(first), "")
    is_rate = isinstance(first.get(name), ErrorFigure)
    return ListErrorRate(name) if is_rate else FMeasure(name)


def ids_of(score: ComparableScore) -> list[str]:
    """The ids of the documents of a score."""
    if isinstance(score, RateScore):
        return list(score.by_document)
    if isinstance(score, Evaluation):
        return [document.id for document in score.documents]
    return list(score.documents)


def by_document(score: ComparableScore) -> dict[str, Errors]:
    """The errors of each document, in the order of the score's documents."""
    return dict(each_document(score))


def each_document(score: ComparableScore) -> Iterator[tuple[str, Errors]]:
    """The id and the errors of each document, one after another."""
    if isinstance(score, RateScore):
        yield from score.by_document.items()
    elif isinstance(score, Evaluation):
        rate = SlotErrorRate(score.settings.costs)
        yield from ((one.id, rate.errors(one.counts)) for one in score.documents)
    else:
        measure = figure_of(score)
        yield from ((id, measure.errors(score.total_of(id))) for id in score.documents)


def by_label(score: ComparableScore) -> dict[str, Errors]:
    """The errors of each label, in alphabetical order.

    They add up to the errors of the score. Word errors do not, because a word counts in every
    label whose elements hold it.
    """
    if isinstance(score, RateScore):
        return score.by_label
    if isinstance(score, Evaluation):
        rate = SlotErrorRate(score.settings.costs)
        return {label: rate.errors(counts) for label, counts in score.labels.items()}
    measure = figure_of(score)
    return {label: measure.errors(row) for label, row in score.labels.items()}


def in_all(score: ComparableScore) -> Errors:
    """The errors of all documents together."""
    if isinstance(score, Evaluation):  # each error has the same cost in every document
        return SlotErrorRate(score.settings.costs).errors(score.counts)
    every = by_document(score).values()
    names = [field.name for field in fields(Errors)]
    return Errors(*(sum(getattr(errors, name) for errors in every) for name in names))


def classes(score: AnyScore) -> Iterator[tuple[str, dict[str, Counter[Slot]]]]:
    """The number of slots by label and class of each document, after its id.

    In the score of another scheme, these are the slots in the mapping of the chosen figure.
    """
    if isinstance(score, Evaluation):
        for document in score.documents:
            yield (
                document.id,
                {
                    label: Counter({slot: counts[slot] for slot in Slot})
                    for label, counts in document.labels.items()
                },
            )
        return
    figure = figure_of(score).figure
    for account in score.accounts:
        labels: dict[str, Counter[Slot]] = {}
        for verdict in account.verdicts:
            if figure in verdict.figures:
                labels.setdefault(verdict.label, Counter())[verdict.slot] += 1
        yield account.reference.id, labels


def unplaceable(score: AnyScore) -> dict[str, int]:
    """The number of unplaceable reference elements of each document."""
    if isinstance(score, Evaluation):
        return {one.id: one.counts.unplaceable for one in score.documents}
    return {one.reference.id: len(one.reference.unplaceable) for one in score.accounts}


def rate_of(measure: Rate, errors: Errors) -> Fraction | None:
    """The exact rate of some errors; ``None`` where the denominator is 0."""
    above, below = measure.sums(errors.total, errors.size)
    return Fraction(above, below * measure.scale) if below else None


def exact_rate(score: ComparableScore) -> Fraction | None:
    """The exact rate by which a score is compared; ``None`` where the denominator is 0.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("d", ("Dol",), tree([("loc", 0, 1)]))
    >>> exact_rate(evaluate([document], [Document("d", ("Dol",))]))
    Fraction(1, 1)
    """
    return rate_of(measure_of(score), in_all(score))
