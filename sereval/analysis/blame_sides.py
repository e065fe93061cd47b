"""A system on reference words and on a recogniser's words: what became of each element.

Each side is a score with unplaceable elements missed. The side of the recogniser also has what was
recognised for each element. Systems on the same words share the projection of the reference and
the alignment of the words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ..alignment.words import word_operations
from ..corpus.pairs import Pair
from ..documents.model import Note, Reference
from ..documents.words import recut
from ..errors import SerevalError
from ..evaluation.evaluate import on_words, projection, score_document, score_projected
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentScore, Evaluation
from ..evaluation.words import (
    DocumentErrors,
    errors_in,
    transcripts,
    word_settings,
)
from ..measures.slots import Slot
from .audit import REFERENCE, AuditRow, audit
from .balance import MANUAL, RECOGNISED, UNPLACEABLE, Case
from .causes import DELETED, Recognition
from .units import count_of, utterances


class SideSums(NamedTuple):
    """The sums of a document of a system on one kind of words.

    Args:
        id: the document's name.
        cost: the total cost, from the counts of the score.
        perfect: the cost of the elements without a place.
        reference: the number of reference elements.
        utterances: their number.
        notes: the notes of the readers of reference and hypothesis.
    """

    id: str
    cost: int
    perfect: int
    reference: int
    utterances: int
    notes: tuple[tuple[Note, ...], tuple[Note, ...]]


def _side(
    score: DocumentScore, settings: Settings, side: str
) -> tuple[SideSums, dict[int, Case], list[Case]]:
    """The sums of a scored document, its reference elements by index, and its insertions."""
    [rows] = audit(Evaluation((score,), settings))
    scale = settings.costs.scale
    every = [
        _case(row, side, utterance, int(row.cost * scale))
        for row, utterance in zip(rows.rows, utterances(rows), strict=True)
    ]
    counts = score.counts
    assert score.mapped is not None
    lost = score.mapped.reference.unplaceable
    charged = sum(one.element.label not in settings.neutral for one in lost)
    sums = SideSums(
        score.id,
        int(counts.cost(settings.costs) * scale),
        charged * settings.costs.D,
        counts.ref,
        count_of(score.mapped.annotated),
        score.notes,
    )
    inserted = [case for case in every if not case.is_reference and _is_insertion(case)]
    return sums, {case.index: case for case in every if case.is_reference}, inserted


def _case(row: AuditRow, side: str, utterance: int, cost: int) -> Case:
    """A row of an audit as a case that has the outcome of one side."""
    is_reference = row.side == REFERENCE
    slot = None if row.slot is None else row.slot.value
    outcome = UNPLACEABLE if is_reference and row.placement is None else slot
    return Case(
        row.document,
        REFERENCE if is_reference else side,
        row.index,
        row.label,
        row.words,
        row.span,
        row.time,
        utterance,
        outcome if side == MANUAL else None,
        outcome if side == RECOGNISED else None,
        (cost, 0) if side == MANUAL else (0, cost),
    )


def _is_insertion(case: Case) -> bool:
    return Slot.INSERTION.value in (case.manual, case.recognised)


class ManualCases(NamedTuple):
    """The cases of a document on reference words.

    Args:
        outcomes: the outcome and the cost of each reference element, by index.
        inserted: the insertions.
    """

    outcomes: Mapping[int, tuple[str | None, int]]
    inserted: Sequence[Case]


class ManualScore(NamedTuple):
    """A document of a system on reference words.

    Args:
        id: the document's name.
        cases: the outcomes of its elements.
        cost: the total cost, from the counts of the score.
        without_tolerance: its cost without a projection, in multiples of ``1/Costs.scale``.
        notes: of the readers of reference and hypothesis.
    """

    id: str
    cases: ManualCases
    cost: int
    without_tolerance: int
    notes: tuple[tuple[Note, ...], tuple[Note, ...]]


class RecognisedCases(NamedTuple):
    """The cases of a document on a recogniser's words.

    Args:
        rows: the reference elements by index, as cases that have the outcome on these words. Each
            has the words that were recognised for it, and what the recogniser did to its words.
        inserted: the insertions.
    """

    rows: Mapping[int, Case]
    inserted: Sequence[Case]


class RecognisedScore(NamedTuple):
    """A document of a system on a recogniser's words.

    Args:
        cases: the outcomes of its elements.
        side: the same document without them.
        words: the errors of the recogniser's words.
    """

    cases: RecognisedCases
    side: SideSums
    words: DocumentErrors


def score_manual_pair(pair: Pair, settings: Settings) -> ManualScore:
    """Score a system on reference words; its words have the times of the reference's words.

    Args:
        pair: a reference and the system's output on its words.
        settings: with the policies of blame.

    Raises:
        SerevalError: a fuzzy reference; other words than those of the reference.
    """
    reference, manual = pair
    if isinstance(reference, Reference):
        raise SerevalError(
            f"{reference.id}: found a fuzzy reference, expected one on its own words"
        )
    advice = "the words of HYP_MANUAL must be those of REF"
    reference, manual = recut(reference, manual, advice=advice)
    same_words = replace(settings, tolerance=None, through=None)
    strict = score_document(reference, manual, same_words).counts.cost(settings.costs)
    timed = replace(manual, times=reference.times)
    side, rows, inserted = _side(score_document(reference, timed, settings), settings, MANUAL)
    cases = ManualCases({k: (one.manual, one.costs[0]) for k, one in rows.items()}, inserted)
    without = int(strict * settings.costs.scale)
    return ManualScore(side.id, cases, side.cost, without, side.notes)


def score_recognised(
    pairs: Sequence[Pair], settings: Settings, context: int
) -> list[RecognisedScore]:
    """Score systems on a recogniser's words, and say what was recognised for each element.

    Args:
        pairs: one reference with the output of each system.
        settings: with the policies of blame.
        context: how many words on either side are near an element.

    Raises:
        SerevalError: a side without words of its own.
    """
    pairs = [transcripts(pair) for pair in pairs]
    found = []
    every = on_words(pairs, partial(_recognise, settings=settings))
    for (reference, hypothesis), (projected, words, errors) in zip(pairs, every, strict=True):
        score = score_projected(reference, projected, hypothesis, settings)
        side, rows, inserted = _side(score, settings, RECOGNISED)
        heard = {index: _heard(case, words, context) for index, case in rows.items()}
        found.append(RecognisedScore(RecognisedCases(heard, inserted), side, errors))
    return found


def _recognise(pair: Pair, settings: Settings) -> tuple[Reference, Recognition, DocumentErrors]:
    """The reference on the recogniser's words, what became of its words, and their errors."""
    reference, recognised = transcripts(pair)
    how = word_settings(settings)
    found = word_operations(
        reference.words, recognised.words, how.weights, how.normalise, reference.alternatives
    )
    words = Recognition(found, recognised.words)
    return projection(*pair, settings)[0], words, errors_in(reference, found, how)


def _heard(case: Case, words: Recognition, context: int) -> Case:
    """A reference element with what the recogniser did to it."""
    assert case.span is not None  # every reference element is on words
    is_gone = case.recognised == UNPLACEABLE
    cause = DELETED if is_gone else words.cause(*case.span, context)
    return replace(case, heard=words.words(*case.span), cause=cause)
