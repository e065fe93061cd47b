"""Scheme ``evalita2011``: named entities in transcripts, as EVALITA 2011 scored them.

The words of both sides are aligned in lower case with the fewest insertions, deletions and
substitutions (guidelines, 4.1). Opposite an inserted or deleted word stands ``O`` (5.1); the two
columns of tags that come of it are conlleval's input (5.2)::

    reference    serie B-ORG          A I-ORG      serie B-ORG  euh O       A I-ORG
    hypothesis   serie B-ORG  euh ×   A I-ORG  ->  serie B-ORG  euh ×       A I-ORG

Figures: ``type``; and ``type+content``, for which no word of a correct entity may be substituted
(4.2). Where a word is inserted inside an entity, as above, its ``I`` follows an ``O`` and begins
another phrase: the official method counts two phrases where the reference has one, and likewise
where a word inside an entity of the hypothesis stands for none. Mode ``official`` does that;
``repair`` takes the phrases of each side on that side's own words, so that none is split, and an
entity that has such a word inside is never correct. How many are split is said in either mode.

Source: Bartalesi Lenzi, Speranza, Sprugnoli, EVALITA 2011, Named Entity Recognition on
Transcribed Broadcast News, Guidelines for Participants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ..alignment.text import UNIT, align_text
from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..documents.checks import canonical
from ..documents.tags import OUTSIDE, Phrase, phrases
from ..errors import SerevalError
from ..evaluation.settings import Settings
from .conll import Tally, conlleval
from .result import AlignedRow, Options, Row, SchemeScore
from .sides import TagCount, TagSide, composed_note, tag_score, tag_side

MODES = ("official", "repair")

FIGURES = {"type": frozenset({"", "S"}), "type+content": frozenset({""})}
"""The errors that words of a correct entity may have, by figure."""

_OF_BOUND = (
    "The tags of the hypothesis are those of the reference, on the words aligned to its own."
)


def evalita(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score entities on the recogniser's words against entities on the words that were said.

    Args:
        pairs: references and hypotheses, on any words.
        settings: what becomes of labels; ``is_bound``, to score what a perfect tagger would get on
            the same words (guidelines, 2.3): the tags of the reference on the words that are
            aligned to its words, and ``O`` on inserted ones.
        options: ``mode``: ``official``, or ``repair``, which splits no entity; ``elements``, which
            ones of a tree are scored; ``aligned``, to keep the rows of the aligned file.

    Raises:
        SerevalError: another mode; a tree and no choice of elements; a fuzzy reference.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval.documents.tags import Tags, tagged
    >>> tags = Tags(("O", "B-ORG", "I-ORG"))
    >>> pair = tagged("d", ("la", "FIAT", "SPA"), tags), tagged("d", ("la", "FIA", "SPA"), tags)
    >>> figures = evalita(PairList([pair]), Settings(), Options()).total  # Ex. 3, Hyp. 1
    >>> figures["type"].cor, figures["type+content"].cor
    (1, 0)
    """
    if options.mode not in MODES:
        raise SerevalError(f"mode {options.mode!r}, expected one of {', '.join(MODES)}")
    found = list(pairs.each(partial(_counted, settings=settings, options=options)))
    bound = [("hypothesis", "upper-bound")] if settings.is_bound else []
    score = tag_score(
        "evalita2011",
        [one.tags for one in found],
        settings,
        options,
        how=[("alignment", "text,lower,S=1,D=1,I=1"), *bound, ("mode", options.mode)],
        notes=_notes(found, settings, options),
    )
    return replace(score, aligned={one.tags.id: one.rows for one in found if one.rows is not None})


class Split(NamedTuple):
    """Phrases of one side that words of the other side alone part.

    Args:
        phrases: how many. pieces: of how many phrases conlleval sees them.
    """

    phrases: int
    pieces: int


class Counted(NamedTuple):
    """What is kept of one document.

    Args:
        splits: what the official method splits, of reference and hypothesis, whatever the mode.
        errors: number of rows by error.
        composed: number of words that are equal but for how their accents are composed.
        slack: how many word errors more than the least its alignment may have.
        rows: of the aligned file; ``None``: nobody asks for them.
    """

    tags: TagCount
    splits: tuple[Split, Split]
    errors: Counter[str]
    composed: int
    slack: int
    rows: Sequence[AlignedRow] | None


def _counted(pair: Pair, settings: Settings, options: Options) -> Counted:
    """One document."""
    ours, theirs = (tag_side(one, settings, options) for one in pair)
    rows, slack = align(ours, theirs)
    if settings.is_bound:
        rows = list(map(_shifted, rows))
    tally = _official(rows) if options.mode == "official" else _repaired(rows)
    of_figure = {
        name: replace(tally, correct=list(_intact(tally.correct, rows, allowed))).labels
        for name, allowed in FIGURES.items()
    }
    labels: dict[str, Row] = {
        label: {name: labels[label] for name, labels in of_figure.items()}
        for label in of_figure["type"]
    }
    facts = ours.facts, theirs.facts
    return Counted(
        TagCount(ours.document.id, labels, tally.tokens, facts),
        (_split(rows, _SIDES[0]), _split(rows, _SIDES[1])),
        Counter(row.error for row in rows),
        sum(map(_is_composed_otherwise, rows)),
        slack,
        None if options.aligned is None else rows,
    )


def align(reference: TagSide, hypothesis: TagSide) -> tuple[list[AlignedRow], int]:
    """The aligned file's rows of one document, and by how much they may miss the least cost.

    Words are handed to the alignment as numbers, equal where the words are in lower case, so that
    nothing else makes two words the same.
    """
    known: dict[str, int] = {}
    left, right = (
        [f"w{known.setdefault(lowered(word), len(known))}" for word in side.document.words]
        for side in (reference, hypothesis)
    )
    alignment = align_text(left, right, UNIT, ties="early")
    ours, theirs = (
        list(zip(side.document.words, side.tags.joined(), strict=True))
        for side in (reference, hypothesis)
    )
    rows = []
    for block in alignment.blocks:
        (i, j), (k, m) = block.ref, block.hyp
        said = ours[i] if i < j else ("", OUTSIDE)
        heard = theirs[k] if k < m else ("", OUTSIDE)
        rows.append(AlignedRow(*said, error(said[0], heard[0]), *heard))
    return rows, alignment.slack


def error(reference: str, hypothesis: str) -> str:
    """The type of error between two aligned words, of which one may be empty.

    >>> error("FIAT", "fiat"), error("FIAT", "FIA"), error("B", ""), error("", "E")
    ('', 'S', 'D', 'I')
    """
    if not reference or not hypothesis:
        return "D" if reference else "I"
    return "" if lowered(reference) == lowered(hypothesis) else "S"


def lowered(word: str) -> str:
    """A word as EVALITA compares it: in lower case, and otherwise as it stands.

    Only how an accent is encoded makes no difference, which the guidelines leave open.

    >>> lowered("FIAT"), lowered("dall'") == lowered("dall")
    ('fiat', False)
    """
    return canonical(word).lower()


def _shifted(row: AlignedRow) -> AlignedRow:
    """A row in which the hypothesis has the tag of the reference, if it has a word there."""
    return row._replace(hypothesis_tag=row.reference_tag if row.hypothesis else OUTSIDE)


def _official(rows: Sequence[AlignedRow]) -> Tally:
    """conlleval on the second and the fifth column."""
    return conlleval([row.reference_tag for row in rows], [row.hypothesis_tag for row in rows])


def _repaired(rows: Sequence[AlignedRow]) -> Tally:
    """Phrases as each side has them on its own words; correct are those of the same rows."""
    ours, theirs = (_own(rows, side) for side in _SIDES)
    correct = sorted(set(ours) & set(theirs))
    return Tally(ours, theirs, correct, _official(rows).tokens)


_SIDES: tuple[Callable[[AlignedRow], tuple[str, str]], ...] = (
    lambda row: (row.reference, row.reference_tag),
    lambda row: (row.hypothesis, row.hypothesis_tag),
)
"""Word and tag of a row, on either side."""


def _own(rows: Sequence[AlignedRow], side: Callable[[AlignedRow], tuple[str, str]]) -> list[Phrase]:
    """The phrases that a side has without the rows in which it has no word, as spans of rows."""
    places = [k for k, row in enumerate(rows) if side(row)[0]]
    found = phrases([side(rows[k])[1] for k in places])
    return [Phrase(label, places[start], places[end - 1] + 1) for label, start, end in found]


def _intact(
    correct: Iterable[Phrase], rows: Sequence[AlignedRow], allowed: frozenset[str]
) -> Iterator[Phrase]:
    """The phrases whose words have no error but those allowed (guidelines, 4.2)."""
    for phrase in correct:
        if {row.error for row in rows[phrase.start : phrase.end]} <= allowed:
            yield phrase


def _split(rows: Sequence[AlignedRow], side: Callable[[AlignedRow], tuple[str, str]]) -> Split:
    gaps = []
    for phrase in _own(rows, side):
        has_word = [bool(side(row)[0]) for row in rows[phrase.start : phrase.end]]
        gaps.append(sum(before and not after for before, after in pairwise(has_word)))
    parted = [number for number in gaps if number]
    return Split(len(parted), sum(parted) + len(parted))


def _is_composed_otherwise(row: AlignedRow) -> bool:
    """Whether its words are equal, but only for those who do not see how accents are composed."""
    return row.error == "" and row.reference.lower() != row.hypothesis.lower()


def _notes(found: Sequence[Counted], settings: Settings, options: Options) -> Iterator[str]:
    """What there is to say of the alignment, and of the phrases that it splits."""
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
    verb = "count as" if options.mode == "official" else "would officially count as"
    for k, (name, other) in enumerate((("reference", "inserted"), ("hypothesis", "deleted"))):
        parted = sum(one.splits[k].phrases for one in found)
        pieces = sum(one.splits[k].pieces for one in found)
        yield (
            f"Phrases of the {name} split by {other} words: {parted}"
            + (f"; they {verb} {pieces}." if parted else ".")
        )
