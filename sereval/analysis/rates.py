"""What all scores have in common: a rate, and its sums over documents, labels and utterances."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from ..alignment.blocks import WordAlignment
from ..documents.model import Reference, canonical
from ..errors import SerevalError
from ..evaluation.evaluate import Evaluation
from ..evaluation.words import WordScore
from ..measures import Counts, Errors, RateSums, Slot, slot_errors
from ..schemes.coverage import CoverageScore
from .audit import HYPOTHESIS, REFERENCE, AnyScore, Audit, AuditRow, audit

Score: TypeAlias = AnyScore | WordScore | CoverageScore
"""Any score: of slots, of a scheme's figure, of words, or of what is covered.

A score has a ``rate``, and in this rate its ``errors``, also ``by_label`` and of
``each_document``. Those of documents add up to all, and so do those of labels, but for words.
``by`` gives the same score with another rate: that of a figure.

>>> from sereval import Document, evaluate, tree
>>> document = Document("d", ("Dol",), tree([("loc", 0, 1)]))
>>> score = evaluate([document], [Document("d", ("Dol",))])
>>> score.rate.short, score.rate.of(score.errors), score.by("R").rate.short
('SER', Fraction(1, 1), 'Recall')
"""


def exact_rate(score: Score) -> Fraction | None:
    """The exact rate by which a score is compared; ``None`` where the denominator is 0."""
    return score.rate.of(score.errors)


# The units that a comparison resamples: documents, or the utterances of documents

Unit = tuple[str, int]
"""The id of a document and the number of the utterance in it; 0 where documents are the units."""


def tally(score: Score, unit: str = "document") -> dict[Unit, RateSums]:
    """The numerator and the denominator of each unit, in the order of documents and utterances."""
    every: Iterable[tuple[Unit, Errors]]
    if unit == "document":
        every = (((id, 0), errors) for id, errors in score.each_document())
    else:
        score = with_outcomes(score)
        if isinstance(score, Evaluation) and score.figure != "SER":
            every = _of_matches(score)
        else:
            every = _of_slots(score)
    rate = score.rate
    return {place: rate.sums(errors) for place, errors in every}


def with_outcomes(score: object) -> AnyScore:
    """A score that keeps the outcome of each element; any other is refused."""
    if isinstance(score, AnyScore) and score.mapped:
        return score
    raise SerevalError(
        f"found {score!r} without outcomes, expected a score with the outcome of each element"
    )


def _of_matches(score: Evaluation) -> Iterator[tuple[Unit, Errors]]:
    """The errors of each utterance by precision, recall or F of exact matches."""
    for rows in audit(score):
        utterance = utterances(rows)
        number_of = {(row.side, row.index): utterance(row) for row in rows.rows}
        for reference, hypothesis in rows.exact:  # they count once
            number_of[HYPOTHESIS, hypothesis] = number_of[REFERENCE, reference]
        counts = [Counter[str]() for _ in range(1 + len(rows.annotated.breaks))]
        for row, one in counts_of_rows(score, rows):
            counts[number_of[row.side, row.index]].update(one)
        for number, own in enumerate(counts):
            errors = slot_errors(Counts(**own), score.figure, score.settings.costs)
            yield (rows.id, number), errors


def _of_slots(score: AnyScore) -> Iterator[tuple[Unit, Errors]]:
    """The errors of each utterance by the rate whose costs the rows of an audit have."""
    for rows in audit(score):
        utterance = utterances(rows)
        sums = [Errors()] * (1 + len(rows.annotated.breaks))
        for case in rows.cases:
            row, number = case.row, utterance(case.row)
            before = sums[number]
            sums[number] = Errors(S=before.S + row.cost, size=before.size + row.size)
        yield from (((rows.id, number), errors) for number, errors in enumerate(sums))


def counts_of_rows(score: Evaluation, rows: Audit) -> Iterator[tuple[AuditRow, dict[str, int]]]:
    """Each row of a document and its part in the counts of a score, by the names of ``Counts``."""
    neutral = score.settings.neutral
    sides = REFERENCE, HYPOTHESIS
    exact = {place for pair in rows.exact for place in zip(sides, pair, strict=True)}
    for case in rows.cases:
        is_free = not neutral.isdisjoint(row.label for row in case.rows)
        for row in case.rows:
            is_exact = int((row.side, row.index) in exact)
            own = {"exact": is_exact, "unplaceable": int(row.why is not None)}
            if row.side == HYPOTHESIS:
                own = {"hyp": 1, "exact_hyp": is_exact}
            if row is case.row and row.slot is not None:
                own[row.slot.value] = 1
                if is_free and row.slot is not Slot.CORRECT:
                    own[f"free_{row.slot.value}"] = 1
            yield row, own


def utterances(rows: Audit) -> Callable[[AuditRow], int]:
    """The number of the utterance of a row of a document, from 0, by the rules of ``tally``."""
    annotated = rows.annotated
    if isinstance(annotated, Reference) or not annotated.breaks:
        return lambda _: 0
    breaks, hypothesis, words = annotated.breaks, rows.hypothesis_words, rows.words
    begins: Sequence[int]  # of the utterances after the first, and the place of each word
    if words.through is not None:
        begins, places = breaks, paired_words(words.through.align_documents(annotated, hypothesis))
    elif words.tolerance is not None and annotated.times is not None:  # in doubled ms
        begins = [2 * annotated.times[k][0] for k in breaks]
        places = [*map(sum, hypothesis.times or ())]
    else:
        offsets, places = positions(annotated.words), positions(hypothesis.words)
        begins = [offsets[k] for k in breaks]

    def of(row: AuditRow) -> int:
        if row.side != HYPOTHESIS and row.index < len(annotated.elements):
            return bisect_right(breaks, annotated.elements[row.index].start)
        # a mention without a place belongs to the first utterance
        return bisect_right(begins, places[row.span[0]]) if row.span else 0

    return of


def paired_words(alignment: WordAlignment) -> list[int]:
    """For each hypothesis word, the last reference word paired with it or with a word before it."""
    last, found = 0, []
    for block in alignment.blocks:
        last = block.ref[0] if block.is_pair else last
        found += [last] * (block.hyp[1] - block.hyp[0])
    return found


def positions(words: Sequence[str]) -> list[int]:
    """The number of characters before each frontier."""
    return [0, *accumulate(len(canonical(word)) for word in words)]
