"""A system on manual words and on a recogniser's words: what became of each element.

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
from ..corpus.pairs import Pair, once_each
from ..documents.model import Document, Reference
from ..documents.notes import Note
from ..documents.recut import recut
from ..errors import SerevalError
from ..evaluation.evaluate import DocumentScore, Evaluation, score_document, score_together
from ..evaluation.settings import Settings
from ..evaluation.words import (
    DocumentErrors,
    WordSettings,
    compared_words,
    errors_in,
    transcripts,
    word_settings,
)
from ..measures.slots import Slot
from .audit import REFERENCE, Row, audit
from .balance import MANUAL, RECOGNISED, UNPLACEABLE, Case
from .causes import DELETED, Recognition
from .units import count_of, utterances


class Side(NamedTuple):
    """The outcomes of a system on one kind of words.

    Args:
        id: the document's name.
        rows: the reference elements by index, as cases that have the outcome of this side.
        inserted: its insertions, as cases.
        cost: the total cost, from the counts of the score.
        perfect: the cost of the elements without a place.
        reference: the number of reference elements.
        utterances: their number.
        notes: the notes of the readers of reference and hypothesis.
    """

    id: str
    rows: dict[int, Case]
    inserted: list[Case]
    cost: int
    perfect: int
    reference: int
    utterances: int
    notes: tuple[tuple[Note, ...], tuple[Note, ...]]


def _side(score: DocumentScore, settings: Settings, side: str) -> Side:
    """The outcomes of a scored document."""
    [rows] = audit(Evaluation((score,), settings))
    scale = settings.costs.scale
    every = [
        _case(row, side, utterance, int(row.cost * scale))
        for row, utterance in zip(rows.rows, utterances(rows), strict=True)
    ]
    own, counts = {case.index: case for case in every if case.is_reference}, score.counts
    lost = score.reference.unplaceable
    charged = sum(one.element.label not in settings.neutral for one in lost)
    return Side(
        score.id,
        own,
        [case for case in every if not case.is_reference and _is_insertion(case)],
        int(counts.cost(settings.costs) * scale),
        charged * settings.costs.D,
        counts.ref,
        count_of(score.annotated),
        score.notes,
    )


def _case(row: Row, side: str, utterance: int, cost: int) -> Case:
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


class ManualScore(NamedTuple):
    """A document of a system on manual words.

    Args:
        side: the outcomes of its elements.
        without_tolerance: its cost without a projection, in multiples of ``1/Costs.scale``.
    """

    side: Side
    without_tolerance: int


class Heard(NamedTuple):
    """What the recogniser did to an element.

    Args:
        words: the recognised words that are aligned with its words.
        cause: what it did to the words in and near the element (``causes``).
    """

    words: tuple[str, ...]
    cause: str


class RecognisedScore(NamedTuple):
    """A document of a system on a recogniser's words.

    Args:
        side: the outcomes of its elements.
        heard: what was recognised for each reference element, by index.
        words: the errors of the recogniser's words.
    """

    side: Side
    heard: Mapping[int, Heard]
    words: DocumentErrors


def score_manual_pair(pair: Pair, settings: Settings) -> ManualScore:
    """Score a system on manual words; its words have the times of the reference's words.

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
    advice = "the manual words must be those of the reference"
    reference, manual = recut(reference, manual, advice=advice)
    same_words = replace(settings, tolerance=None, through=None)
    strict = score_document(reference, manual, same_words).counts.cost(settings.costs)
    timed = replace(manual, times=reference.times)
    side = _side(score_document(reference, timed, settings), settings, MANUAL)
    return ManualScore(side, int(strict * settings.costs.scale))


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
    of_words = once_each(pairs, compared_words, partial(_recognise, how=word_settings(settings)))
    found = []
    for score, (words, errors) in zip(score_together(pairs, settings), of_words, strict=True):
        side = _side(score, settings, RECOGNISED)
        heard = {index: _heard(case, words, context) for index, case in side.rows.items()}
        found.append(RecognisedScore(side, heard, errors))
    return found


def _recognise(
    pair: tuple[Document, Document], how: WordSettings
) -> tuple[Recognition, DocumentErrors]:
    """What was recognised for the words of a reference, and the errors of the words."""
    reference, recognised = pair
    found = word_operations(
        reference.words, recognised.words, how.weights, how.normalise, reference.alternatives
    )
    words = Recognition(found.operations, recognised.words)
    return words, errors_in(reference, found, how)


def _heard(case: Case, words: Recognition, context: int) -> Heard:
    """What the recogniser did to a reference element."""
    assert case.span is not None  # every reference element is on words
    is_gone = case.recognised == UNPLACEABLE
    cause = DELETED if is_gone else words.cause(*case.span, context)
    return Heard(words.words(*case.span), cause)
