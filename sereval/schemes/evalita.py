"""Scheme ``evalita2011``: named entities in transcripts, as EVALITA 2011 scored them.

The words of both sides are aligned in lower case with the fewest insertions, deletions and
substitutions (guidelines, 4.1). An inserted or deleted word has the tag ``O`` on the other side
(5.1). The two columns of tags are the input of conlleval (5.2)::

    reference    serie B-ORG          A I-ORG      serie B-ORG  euh O       A I-ORG
    hypothesis   serie B-ORG  euh ×   A I-ORG  ->  serie B-ORG  euh ×       A I-ORG

The figures are ``type`` and ``type+content``; under ``type+content`` a correct entity has no
substituted word (4.2).

If a word is inserted inside an entity of the reference, as above, the next ``I`` follows an ``O``
and begins another phrase, so conlleval counts two phrases. The same happens to an entity of the
hypothesis around a deleted word. Mode ``official`` counts so. Mode ``repair`` takes the phrases of
each side from that side's own words, so that none is split; an entity with an inserted or deleted
word inside is then never correct. In both modes the notes give the number of split phrases.

Source: Bartalesi Lenzi, Speranza, Sprugnoli, EVALITA 2011, Named Entity Recognition on
Transcribed Broadcast News, Guidelines for Participants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..alignment.blocks import UNIT
from ..alignment.normalise import normalisation
from ..alignment.text import align_text
from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.checks import canonical
from ..documents.tags import OUTSIDE, Phrase, phrases
from ..errors import SerevalError
from ..evaluation.aligned import GivenAlignment
from ..evaluation.settings import ByWords, Settings
from .conll import TagTally, conlleval
from .result import AlignedRow, SchemeScore, figures_of
from .sides import (
    TagCount,
    TagSide,
    composed_note,
    correct_pairs,
    phrase_account,
    phrase_verdicts,
    tag_score,
    tag_side,
)

MODES = ("official", "repair")

FIGURES = {"type": frozenset({"", "S"}), "type+content": frozenset({""})}
"""By figure, the word errors that a correct entity may contain."""

_OF_BOUND = (
    "The tags of the hypothesis are those of the reference, on the words aligned to its own."
)


def evalita(settings: Settings) -> Scorer:
    """Score entities on the recogniser's words against entities on the words of the reference.

    With ``is_bound`` the scheme scores a perfect tagger on the recogniser's words (guidelines,
    2.3): words that are aligned to words of the reference have the reference's tags, and inserted
    words have ``O``.
    """
    if settings.mode not in MODES:
        raise SerevalError(f"mode {settings.mode!r}, expected one of {', '.join(MODES)}")
    return scorer(partial(_count, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[EvalitaCounts], settings: Settings) -> SchemeScore:
    bound = [("hypothesis", "upper-bound")] if settings.is_bound else []
    given = settings.given
    alignment = "text,lower,S=1,D=1,I=1" if given is None else f"given-{given.digest}"
    score = tag_score(
        "evalita2011",
        [one.tags for one in found],
        settings,
        how=[("alignment", alignment), *bound, ("mode", settings.mode)],
        notes=_notes(found, settings),
        through=ByWords(
            weights=UNIT, ties="early", normalise=normalisation("caseless"), given=given
        ),
    )
    aligned = {one.tags.id: one.rows for one in found if one.rows is not None}
    wrong = sum(one.errors.total() - one.errors[""] for one in found)
    return replace(score, aligned=aligned, wrong_words=wrong)


class Split(NamedTuple):
    """Phrases of one side that are split by words of the other side.

    Args:
        phrases: how many phrases are split.
        pieces: how many phrases conlleval counts for them.
    """

    phrases: int
    pieces: int


class EvalitaCounts(NamedTuple):
    """The counts of one document.

    Args:
        tags: its figures and tokens.
        splits: the phrases of reference and hypothesis that the official method splits.
        errors: number of rows by word error.
        composed: number of words that differ only in how their accents are composed.
        slack: the most word errors that the alignment may have beyond the fewest possible.
        rows: the rows of the aligned file; ``None`` unless ``Settings.aligned`` is set.
    """

    tags: TagCount
    splits: tuple[Split, Split]
    errors: Counter[str]
    composed: int
    slack: int
    rows: Sequence[AlignedRow] | None


def _count(pair: Pair, settings: Settings) -> EvalitaCounts:
    """Count one document."""
    ours, theirs = (tag_side(one, settings) for one in pair)
    rows, slack = align(ours, theirs, settings.given)
    if settings.is_bound:
        rows = list(map(_shift, rows))
    tally = _official(rows) if settings.mode == "official" else _repair(rows)
    correct = {
        name: list(_intact(tally.correct, rows, allowed)) for name, allowed in FIGURES.items()
    }
    phrases_of = tally.reference, tally.hypothesis
    pairs = {name: correct_pairs(phrases_of, own) for name, own in correct.items()}
    verdicts = list(phrase_verdicts(phrases_of, pairs))
    facts = ours.facts, theirs.facts
    account = None
    if settings.figure is not None:
        places = tuple(
            _on_words(own, rows, side) for own, side in zip(phrases_of, _SIDES, strict=True)
        )
        account = phrase_account((ours.document, theirs.document), (places[0], places[1]), verdicts)
    return EvalitaCounts(
        TagCount(ours.document.id, figures_of(verdicts), tally.tokens, facts, account),
        (_split(rows, _SIDES[0]), _split(rows, _SIDES[1])),
        Counter(row.error for row in rows),
        sum(map(_is_composed_otherwise, rows)),
        slack,
        None if settings.aligned is None else rows,
    )


def align(
    reference: TagSide, hypothesis: TagSide, given: GivenAlignment | None = None
) -> tuple[list[AlignedRow], int]:
    """Align the words of a pair in lower case.

    Args:
        reference, hypothesis: the sides.
        given: the alignment of their words, which is taken as it is; ``None``: they are aligned.

    Returns:
        The rows of the aligned file, and the slack of the alignment.

    Raises:
        SerevalError: the given alignment is of other words.
    """
    sides = reference.document, hypothesis.document
    slack = 0
    if given is None:
        rows, slack = _least(*(side.words for side in sides))
    else:
        rows = given.rows(*(side.words for side in sides))
    ours, theirs = (
        iter(list(zip(side.document.words, side.tags.joined(), strict=True)))
        for side in (reference, hypothesis)
    )
    found = []
    for has_ours, has_theirs in rows:
        left = next(ours) if has_ours else ("", OUTSIDE)
        right = next(theirs) if has_theirs else ("", OUTSIDE)
        found.append(AlignedRow(*left, error(left[0], right[0]), *right))
    return found, slack


def _least(
    reference: Sequence[str], hypothesis: Sequence[str]
) -> tuple[list[tuple[bool, bool]], int]:
    """The alignment with the fewest errors: whether each row has a word of either side; its slack.

    Each word is replaced by a number, equal for words that are equal in lower case, so that the
    alignment compares nothing else.
    """
    known: dict[str, int] = {}
    left, right = (
        [f"w{known.setdefault(lower_case(word), len(known))}" for word in side]
        for side in (reference, hypothesis)
    )
    alignment = align_text(left, right, UNIT, ties="early")
    rows = [(i < j, k < m) for (i, j), (k, m), *_ in alignment.blocks]
    return rows, alignment.slack


def error(reference: str, hypothesis: str) -> str:
    """The word error between two aligned words; one of them may be empty.

    >>> error("FIAT", "fiat"), error("FIAT", "FIA"), error("B", ""), error("", "E")
    ('', 'S', 'D', 'I')
    """
    if not reference or not hypothesis:
        return "D" if reference else "I"
    return "" if lower_case(reference) == lower_case(hypothesis) else "S"


def lower_case(word: str) -> str:
    """A word as EVALITA compares it: in lower case.

    The encoding of accents (NFC, NFD) makes no difference; the guidelines leave that open.

    >>> lower_case("FIAT"), lower_case("dall'") == lower_case("dall")
    ('fiat', False)
    """
    return canonical(word).lower()


def _shift(row: AlignedRow) -> AlignedRow:
    """A row with the tag of the reference on the word of the hypothesis, if there is a word."""
    return row._replace(hypothesis_tag=row.reference_tag if row.hypothesis else OUTSIDE)


def _official(rows: Sequence[AlignedRow]) -> TagTally:
    """conlleval on the second and the fifth column."""
    return conlleval([row.reference_tag for row in rows], [row.hypothesis_tag for row in rows])


def _repair(rows: Sequence[AlignedRow]) -> TagTally:
    """The phrases of each side on its own words; correct if both sides have the same rows."""
    ours, theirs = (_own(rows, side) for side in _SIDES)
    correct = sorted(set(ours) & set(theirs))
    return TagTally(ours, theirs, correct, _official(rows).tokens)


_SIDES: tuple[Callable[[AlignedRow], tuple[str, str]], ...] = (
    lambda row: (row.reference, row.reference_tag),
    lambda row: (row.hypothesis, row.hypothesis_tag),
)
"""The word and the tag of a row, by side."""


def _own(rows: Sequence[AlignedRow], side: Callable[[AlignedRow], tuple[str, str]]) -> list[Phrase]:
    """The phrases of one side on its own words, as spans of rows."""
    places = [k for k, row in enumerate(rows) if side(row)[0]]
    found = phrases([side(rows[k])[1] for k in places])
    return [Phrase(label, places[start], places[end - 1] + 1) for label, start, end in found]


def _on_words(
    found: Iterable[Phrase],
    rows: Sequence[AlignedRow],
    side: Callable[[AlignedRow], tuple[str, str]],
) -> list[Phrase]:
    """Phrases of one side, as spans of rows, on that side's own words."""
    before = [0, *accumulate(int(bool(side(row)[0])) for row in rows)]
    return [Phrase(label, before[start], before[end]) for label, start, end in found]


def _intact(
    correct: Iterable[Phrase], rows: Sequence[AlignedRow], allowed: frozenset[str]
) -> Iterator[Phrase]:
    """The phrases whose words have only the allowed errors (guidelines, 4.2)."""
    for phrase in correct:
        if {row.error for row in rows[phrase.start : phrase.end]} <= allowed:
            yield phrase


def _split(rows: Sequence[AlignedRow], side: Callable[[AlignedRow], tuple[str, str]]) -> Split:
    gaps = []
    for phrase in _own(rows, side):
        has_word = [bool(side(row)[0]) for row in rows[phrase.start : phrase.end]]
        gaps.append(sum(before and not after for before, after in pairwise(has_word)))
    split = [number for number in gaps if number]
    return Split(len(split), sum(split) + len(split))


def _is_composed_otherwise(row: AlignedRow) -> bool:
    """Whether the two words of a row differ only in how their accents are composed."""
    return row.error == "" and row.reference.lower() != row.hypothesis.lower()


def _notes(found: Sequence[EvalitaCounts], settings: Settings) -> Iterator[str]:
    """The notes on the alignment and on split phrases."""
    slack = sum(one.slack for one in found)
    if settings.is_bound:
        yield _OF_BOUND
    elif slack:
        yield f"The alignment has at most {slack} word errors more than the least possible."
    errors = sum((one.errors for one in found), Counter[str]())
    words = sum(errors.values()) - errors["I"]
    yield (
        f"Words: {words} in the reference, {errors['S']} substituted, {errors['D']} deleted, "
        f"{errors['I']} inserted."
    )
    yield from composed_note(sum(one.composed for one in found))
    verb = "count as" if settings.mode == "official" else "would officially count as"
    for k, (name, other) in enumerate((("reference", "inserted"), ("hypothesis", "deleted"))):
        split = sum(one.splits[k].phrases for one in found)
        pieces = sum(one.splits[k].pieces for one in found)
        yield (
            f"Phrases of the {name} split by {other} words: {split}"
            + (f"; they {verb} {pieces}." if split else ".")
        )
