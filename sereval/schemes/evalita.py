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
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

from ..alignment.blocks import UNIT
from ..alignment.normalise import normalisation
from ..alignment.text import align_text
from ..corpus.corpus import Pair
from ..documents.checks import canonical
from ..documents.tags import OUTSIDE, Phrase, phrases
from ..errors import SerevalError
from ..evaluation.settings import SIDES, ByWords, Settings
from ..formats.file import quote
from .conll import (
    TagFacts,
    TagSide,
    agreeing,
    judged_tags,
    tag_side,
    tokens_of,
    told_of_tags,
)
from .result import AlignedRow, DocumentFigures, Judged, scheme_scorer

FIGURES = {"type": frozenset({"", "S"}), "type+content": frozenset({""})}
"""By figure, the word errors that a correct entity may contain."""

_OF_BOUND = (
    "The tags of the hypothesis are those of the reference, on the words aligned to its own."
)


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
    sides = [tag_side(one, settings) for one in pair]
    rows, slack = _aligned(sides, settings)
    words, tags, errors, heard, others = zip(*rows, strict=True) if rows else ((),) * 5
    columns = words, heard
    own = [_own(*one) for one in ((words, tags), (heard, others))]
    both, correct = own, sorted({*own[0]} & {*own[1]})
    if settings.mode == "official":
        both = [phrases(tags), phrases(others)]
        correct = [*agreeing((tags, others), both)]
    facts = TagFacts.of(sides, tokens_of(tags, others))
    facts.numbers.update(slack=slack)
    facts.numbers.update(errors)
    for side, column, whole in zip(SIDES, columns, own, strict=True):
        facts.numbers.update(_split(column, side, whole))
    return judged_tags(
        (sides[0].document, sides[1].document),
        both,
        {
            name: [one for one in correct if allowed.issuperset(errors[one.start : one.end])]
            for name, allowed in FIGURES.items()
        },
        facts if settings.aligned is None else facts._replace(rows=rows),
        [_on_words(*one) for one in zip(both, columns, strict=True)],
    )


evalita = partial(scheme_scorer, "evalita2011", judge=_judged, told=_told)


def _aligned(sides: Sequence[TagSide], settings: Settings) -> tuple[list[AlignedRow], int]:
    """The rows of the aligned file, and the slack of the alignment."""
    known: dict[str, int] = {}  # a number for each word, so that no more is compared
    left, right = forms = [
        [f"w{known.setdefault(canonical(w).lower(), len(known))}" for w in side.document.words]
        for side in sides
    ]
    alignment = align_text(left, right, UNIT, ties="early")
    ours, theirs = (
        [*zip(side.document.words, side.tags.joined(), own, strict=True), ("", OUTSIDE, "")]
        for side, own in zip(sides, forms, strict=True)
    )
    found = []
    for (i, j), (k, m), *_ in alignment.blocks:
        word, tag, form = ours[i if i < j else -1]
        heard, other, also = theirs[k if k < m else -1]
        error = "" if form == also else "S" if form and also else "D" if form else "I"
        if settings.is_bound and also:
            other = tag
        found.append(AlignedRow(word, tag, error, heard, other))
    return found, alignment.slack


def _own(words: Sequence[str], tags: Sequence[str]) -> list[Phrase]:
    """The phrases of one side on its own words, as spans of rows."""
    places = [k for k, word in enumerate(words) if word]
    found = phrases([tags[k] for k in places])
    return [Phrase(label, places[start], places[end - 1] + 1) for label, start, end in found]


def _on_words(found: Iterable[Phrase], words: Sequence[str]) -> list[Phrase]:
    """Phrases of one side, as spans of rows, on that side's own words."""
    before = [*accumulate(map(bool, words), initial=0)]
    return [Phrase(label, before[start], before[end]) for label, start, end in found]


def _split(words: Sequence[str], side: str, own: Iterable[Phrase]) -> Iterator[str]:
    """``split`` for each phrase that words of the other side split, ``pieces`` for each piece."""
    for phrase in own:
        pairs = pairwise(words[phrase.start : phrase.end])
        if gaps := sum(bool(before) and not after for before, after in pairs):
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
