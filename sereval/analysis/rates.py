"""What all scores have in common: a rate, and its sums over documents, labels and utterances."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence, Sized
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol, cast

from ..alignment.blocks import WordAlignment
from ..documents.checks import canonical
from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..evaluation.settings import Settings, Signature
from ..evaluation.totals import Evaluation
from ..evaluation.words import WordScore
from ..measures.rates import Errors, Rate, RateSums, slot_errors
from ..measures.slots import Costs, Counts
from .audit import HYPOTHESIS, REFERENCE, AnyScore, Audit, audit


class Score(Protocol):
    """What all scores have in common: those of slots, of a scheme's figure, and of words.

    A score has a ``rate``, and in this rate its ``errors``, also ``by_label`` and of
    ``each_document``. Those of documents add up to all, and so do those of labels, but for words.
    ``by`` gives the same score with another rate: that of a figure.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("d", ("Dol",), tree([("loc", 0, 1)]))
    >>> score = evaluate([document], [Document("d", ("Dol",))])
    >>> score.rate.short, score.rate.of(score.errors), score.by("R").rate.short
    ('SER', Fraction(1, 1), 'Recall')
    """

    @property
    def documents(self) -> Sized: ...
    @property
    def ids(self) -> list[str]: ...
    @property
    def settings(self) -> Any: ...
    @property
    def signature(self) -> Signature: ...
    @property
    def rate(self) -> Rate: ...
    @property
    def errors(self) -> Errors: ...
    @property
    def by_label(self) -> dict[str, Errors]: ...
    @property
    def word_errors(self) -> WordScore | None: ...
    @property
    def word_score(self) -> WordScore | None: ...
    @property
    def has_other_words(self) -> bool: ...
    @property
    def notes(self) -> Any: ...
    @property
    def remarks(self) -> Sequence[str]: ...
    @property
    def keeps_outcomes(self) -> bool: ...
    def each_document(self) -> Iterator[tuple[str, Errors]]: ...
    def by(self, figure: str, title: str = "", /) -> Score: ...
    def only(self, ids: Collection[str]) -> Score: ...


def exact_rate(score: Score) -> Fraction | None:
    """The exact rate by which a score is compared; ``None`` where the denominator is 0."""
    return score.rate.of(score.errors)


# The units that a comparison resamples: documents, or the utterances of documents

Unit = tuple[str, int]
"""The id of a document and the number of the utterance in it; 0 where documents are the units."""


def tally(score: Score, unit: str = "document") -> dict[Unit, RateSums]:
    """The numerator and the denominator of each unit, in the order of documents and utterances."""
    rate = score.rate
    if unit == "document":
        every = score.each_document()
        return {(id, 0): rate.sums(errors.total, errors.size) for id, errors in every}
    if not score.keeps_outcomes:
        raise SerevalError(
            "found a score that keeps only counts, expected one with the outcome of each element"
        )
    if isinstance(score, Evaluation) and score.figure != "SER":
        return _exact_tally(score)
    found: dict[Unit, RateSums] = {}
    for rows in audit(cast(AnyScore, score)):
        slots: list[list[RateSums]] = [[] for _ in range(count_of(rows.annotated))]
        for row, number in zip(rows.rows, utterances(rows), strict=True):
            slots[number].append((row.cost, row.size))
        for number, own in enumerate(slots):
            errors = sum((Fraction(cost) for cost, _ in own), Fraction(0))
            found[rows.id, number] = rate.sums(errors, sum(size for _, size in own))
    return found


def _exact_tally(score: Evaluation) -> dict[Unit, RateSums]:
    """The sums of each utterance for precision, recall or F, as ``tally``."""
    found: dict[Unit, RateSums] = {}
    for document, rows in zip(score.mapped, audit(score), strict=True):
        numbers = dict(zip(((r.side, r.index) for r in rows.rows), utterances(rows), strict=True))
        refs = Counter(numbers[r.side, r.index] for r in rows.references if r.slot is not None)
        exact: Counter[int] = Counter()
        for reference, hypothesis in document.exact:
            source = document.reference.elements[reference].source
            number = numbers[REFERENCE, reference if source is None else source]
            numbers[HYPOTHESIS, hypothesis] = number
            exact[number] += 1
        hyps = Counter(numbers[r.side, r.index] for r in rows.hypotheses)
        for number in range(count_of(rows.annotated)):
            both = exact[number]
            counts = Counts(D=refs[number], hyp=hyps[number], exact=both, exact_hyp=both)
            errors = slot_errors(counts, score.figure, Costs())
            found[rows.id, number] = score.rate.sums(errors.total, errors.size)
    return found


def count_of(annotated: Document | Reference) -> int:
    """The number of utterances of a reference; 1 if it has no boundaries."""
    return 1 if isinstance(annotated, Reference) else len(annotated.breaks) + 1


def utterances(rows: Audit) -> list[int]:
    """The number of the utterance of each row of a document, from 0, by the rules of ``tally``."""
    annotated = rows.annotated
    if isinstance(annotated, Reference) or not annotated.breaks:
        return [0] * len(rows.rows)
    of_insertion = _utterance_of(annotated, rows.hypothesis_words, rows.words)
    found = []
    for row in rows.rows:
        if row.side != HYPOTHESIS and row.index < len(annotated.elements):
            found.append(bisect_right(annotated.breaks, annotated.elements[row.index].start))
        else:
            # a mention without a place belongs to the first utterance
            found.append(of_insertion(row.span[0]) if row.span else 0)
    return found


def _utterance_of(
    annotated: Document, hypothesis: Document, words: Settings
) -> Callable[[int], int]:
    """A function from a word of the hypothesis to its utterance."""
    if words.through is not None:
        last = paired_words(words.through.align_documents(annotated, hypothesis))
        return lambda word: bisect_right(annotated.breaks, last[word])
    times = hypothesis.times if words.tolerance is not None else None
    begins = _begins(annotated, through_time=words.tolerance is not None)
    offsets = positions(hypothesis.words)
    return lambda word: bisect_right(begins, offsets[word] if times is None else sum(times[word]))


def paired_words(alignment: WordAlignment) -> list[int]:
    """For each hypothesis word, the last reference word paired with it or with a word before it."""
    last, found = 0, []
    for block in alignment.blocks:
        last = block.ref[0] if block.is_pair else last
        found += [last] * (block.hyp[1] - block.hyp[0])
    return found


def _begins(annotated: Document, *, through_time: bool) -> list[int]:
    """Where each utterance after the first begins: in doubled ms, or in characters."""
    if through_time and annotated.times is not None:
        return [2 * annotated.times[k][0] for k in annotated.breaks]
    offsets = positions(annotated.words)
    return [offsets[k] for k in annotated.breaks]


def positions(words: Sequence[str]) -> list[int]:
    """The number of characters before each frontier."""
    return [0, *accumulate(len(canonical(word)) for word in words)]
