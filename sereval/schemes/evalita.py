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

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from ..alignment.blocks import UNIT
from ..alignment.normalise import normalisation
from ..alignment.text import align_text
from ..corpus.corpus import Pair, Scorer
from ..documents.checks import canonical
from ..documents.tags import OUTSIDE, Phrase, phrases
from ..errors import SerevalError
from ..evaluation.settings import SIDES, ByWords, Settings
from ..formats.file import quote
from .conll import (
    TagFacts,
    TagSide,
    Tally,
    conlleval,
    judged_tags,
    tag_side,
    tokens_of,
    told_of_tags,
)
from .result import AlignedRow, DocumentFigures, Judged, scheme_scorer

MODES = ("official", "repair")

FIGURES = {"type": frozenset({"", "S"}), "type+content": frozenset({""})}
"""By figure, the word errors that a correct entity may contain."""

_OF_BOUND = (
    "The tags of the hypothesis are those of the reference, on the words aligned to its own."
)


def evalita(settings: Settings) -> Scorer:
    """Score entities on the recogniser's words against entities on the words of the reference."""
    if settings.mode not in MODES:
        raise SerevalError(f"mode {settings.mode!r}, expected one of {', '.join(MODES)}")
    return scheme_scorer("evalita2011", settings, _judged, _told)


def _told(found: Sequence[DocumentFigures], settings: Settings) -> dict[str, Any]:
    bound = [("hypothesis", "upper-bound")] if settings.is_bound else []
    how = ("alignment", "text,lower,S=1,D=1,I=1"), *bound, ("mode", settings.mode)
    words = ByWords(weights=UNIT, ties="early", normalise=normalisation("caseless"))
    numbers = sum((one.facts.numbers for one in found), Counter[str]())
    return {
        **told_of_tags(found, settings, how, words, _notes(numbers, settings)),
        "aligned": {one.id: one.facts.rows for one in found if settings.aligned is not None},
        "wrong_words": sum(numbers[error] for error in "SDI"),
    }


def _judged(pair: Pair, settings: Settings) -> Judged:
    ours, theirs = sides = [tag_side(one, settings) for one in pair]
    rows, slack = _aligned(ours, theirs, settings)
    if settings.is_bound:
        rows = [
            row._replace(hypothesis_tag=row.reference_tag if row.hypothesis else OUTSIDE)
            for row in rows
        ]
    columns = [row.reference_tag for row in rows], [row.hypothesis_tag for row in rows]
    own = [_own(rows, side) for side in SIDES]
    if settings.mode == "official":
        tally = conlleval(*columns)
    else:
        tally = Tally(own[0], own[1], sorted({*own[0]} & {*own[1]}))
    facts = TagFacts.of(sides, tokens_of(*columns))
    facts.numbers.update(slack=slack)
    facts.numbers.update(row.error for row in rows)
    for side, whole in zip(SIDES, own, strict=True):
        facts.numbers.update(_split(rows, side, whole))
    return judged_tags(
        (ours.document, theirs.document),
        tally,
        {name: _intact(tally.correct, rows, allowed) for name, allowed in FIGURES.items()},
        facts if settings.aligned is None else facts._replace(rows=rows),
        (_on_words(tally.reference, rows, SIDES[0]), _on_words(tally.hypothesis, rows, SIDES[1])),
    )


def _aligned(ours: TagSide, theirs: TagSide, settings: Settings) -> tuple[list[AlignedRow], int]:
    """The rows of the aligned file, and the slack of the alignment."""
    words = ours.document.words, theirs.document.words
    known: dict[str, int] = {}  # a number for each word, so that no more is compared
    left, right = (
        [f"w{known.setdefault(lower_case(word), len(known))}" for word in side] for side in words
    )
    alignment = align_text(left, right, UNIT, ties="early")
    cells = [
        iter(list(zip(own, side.tags.joined(), strict=True)))
        for own, side in zip(words, (ours, theirs), strict=True)
    ]
    found = []
    for (i, j), (k, m), *_ in alignment.blocks:
        word, tag = next(cells[0]) if i < j else ("", OUTSIDE)
        heard, other = next(cells[1]) if k < m else ("", OUTSIDE)
        found.append(AlignedRow(word, tag, error(word, heard), heard, other))
    return found, alignment.slack


def error(reference: str, hypothesis: str) -> str:
    """The word error between two aligned words; one of them may be empty."""
    if not reference or not hypothesis:
        return "D" if reference else "I"
    return "" if lower_case(reference) == lower_case(hypothesis) else "S"


@lru_cache(maxsize=1 << 14)  # words are compared again and again
def lower_case(word: str) -> str:
    """A word as EVALITA compares it, in lower case; the guidelines leave NFC and NFD open."""
    return canonical(word).lower()


def _own(rows: Sequence[AlignedRow], side: str) -> list[Phrase]:
    """The phrases of one side on its own words, as spans of rows."""
    places = [k for k, row in enumerate(rows) if getattr(row, side)]
    found = phrases([getattr(rows[k], f"{side}_tag") for k in places])
    return [Phrase(label, places[start], places[end - 1] + 1) for label, start, end in found]


def _on_words(found: Iterable[Phrase], rows: Sequence[AlignedRow], side: str) -> list[Phrase]:
    """Phrases of one side, as spans of rows, on that side's own words."""
    before = [0, *accumulate(int(bool(getattr(row, side))) for row in rows)]
    return [Phrase(label, before[start], before[end]) for label, start, end in found]


def _intact(
    correct: Iterable[Phrase], rows: Sequence[AlignedRow], allowed: frozenset[str]
) -> list[Phrase]:
    """The phrases whose words have only the allowed errors (guidelines, 4.2)."""
    return [one for one in correct if {row.error for row in rows[one.start : one.end]} <= allowed]


def _split(rows: Sequence[AlignedRow], side: str, own: Iterable[Phrase]) -> Iterator[str]:
    """``split`` for each phrase that words of the other side split, ``pieces`` for each piece."""
    for phrase in own:
        has_word = [bool(getattr(row, side)) for row in rows[phrase.start : phrase.end]]
        if gaps := sum(before and not after for before, after in pairwise(has_word)):
            yield f"{side} split"
            yield from [f"{side} pieces"] * (gaps + 1)


def _notes(numbers: Counter[str], settings: Settings) -> Iterator[str]:
    """The notes on the alignment and on split phrases."""
    if settings.is_bound:
        yield _OF_BOUND
    elif numbers["slack"]:
        yield (
            f"The alignment has at most {numbers['slack']} word errors more than the least "
            "possible."
        )
    yield (
        f"Words: {sum(numbers[error] for error in ('', 'S', 'D'))} in the reference, "
        f"{numbers['S']} substituted, {numbers['D']} deleted, {numbers['I']} inserted."
    )
    verb = "count as" if settings.mode == "official" else "would officially count as"
    for name, other in zip(SIDES, ("inserted", "deleted"), strict=True):
        split, pieces = numbers[f"{name} split"], numbers[f"{name} pieces"]
        yield (
            f"Phrases of the {name} split by {other} words: {split}"
            + (f"; they {verb} {pieces}." if split else ".")
        )


def aligned_file(documents: Mapping[str, Sequence[AlignedRow]]) -> str:
    r"""The aligned file of EVALITA 2011 (guidelines, 5.1), from the rows of each document."""
    for id, rows in documents.items():
        for cell in (cell for row in rows for cell in row):
            if re.search(r"[\t\n\r]", cell):
                raise SerevalError(
                    f"{id}: {quote(cell)} holds a tab or a line end, which separate the "
                    "columns and rows of an aligned file"
                )
    return "\n".join("".join("\t".join(row) + "\n" for row in rows) for rows in documents.values())
