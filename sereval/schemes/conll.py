"""The schemes of tags: ``conll`` and ``evalita2011``.

``conll`` has the figures of conlleval, the scorer of the CoNLL shared tasks.

Both sides are tags on the same words. A phrase is correct if the other side has a phrase with the
same label, first word and last word. A token is correct if both sides have the same tag.

The one figure is ``type``: ``cor`` correct phrases, ``mis`` other phrases of the reference, ``spu``
other phrases of the hypothesis. Tokens have no label, so they are counted apart
(``SchemeScore.tokens``).

If a document was read with tags, and these tags give its elements, they are compared. Any other
document, and one whose labels have changed, is written in IOB2.

``evalita2011`` scores named entities in transcripts, as EVALITA 2011 did.

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

Sources: conlleval as published with CoNLL-2000 and 2002 (version of 2004-01-26), from its output
and documentation (``docs/reference/schemes/conll.md`` lists every deliberate difference); Bartalesi
Lenzi, Speranza, Sprugnoli, EVALITA 2011, Named Entity Recognition on Transcribed Broadcast News,
Guidelines for Participants.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from operator import eq
from typing import NamedTuple

from ..alignment.blocks import UNIT
from ..alignment.normalise import normalisation
from ..corpus.corpus import Pair, exact
from ..documents.model import Document, Element, Reference, canonical
from ..documents.tags import OUTSIDE, Phrase, Tags, flat, iob2_of, phrases
from ..documents.words import recut
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings
from ..labels import SIDES
from ..measures import Slot
from .result import (
    AlignedRow,
    DocumentFigures,
    Figure,
    SchemeScore,
    figures_of,
    rows_of,
    scheme_scorer,
    verdicts,
)


def _work(pair: Pair, settings: Settings) -> DocumentFigures:
    sides = [tag_side(one, settings) for one in pair]
    documents = sides[0].document, sides[1].document
    ours, theirs = (side.tags for side in sides)
    if documents[0].words != documents[1].words:  # cut otherwise: IOB2 on the words of both
        documents = recut(*documents)
        ours, theirs = map(iob2_of, documents)
    columns = ours.iob, theirs.iob
    if theirs.breaks != ours.breaks:
        columns = ours.joined(), theirs.joined()
    both = [[(e.label, e.start, e.end) for e in one.elements] for one in documents]
    return figures_of_tags(pair, settings, sides, columns, documents, both)


# --- the sides of a pair as tags ------------------------------------------------------------------


class TagSide(NamedTuple):
    """A document with the elements that are scored, its tags, and how many elements are not."""

    document: Document
    tags: Tags
    left_out: int = 0


def tag_side(document: Document | Reference, settings: Settings) -> TagSide:
    """Write one side of a pair as tags; the tags that were read have the labels of the file."""
    document = exact(document)
    own = document.tags
    if own is not None and not settings.labels.has_changes and own.spell(document):
        return TagSide(document, own)
    document, left_out = flat(document, settings.elements)
    return TagSide(document, iob2_of(document), left_out)


FIGURES = {"type": frozenset({"", "S"}), "type+content": frozenset({""})}
"""By figure, the word errors that a correct entity may contain."""


def figures_of_tags(
    pair: Pair,
    settings: Settings,
    sides: Sequence[TagSide],
    columns: Sequence[Sequence[str]],
    documents: tuple[Document, Document],
    phrases: Sequence[Sequence[Phrase]],
    names: Iterable[str] = ("type",),
    errors: Sequence[str] = (),
    numbers: Iterable[str] = (),
    rows: Sequence[AlignedRow] = (),
) -> DocumentFigures:
    """The figures of phrases: correct, if both sides have one with the errors of a figure."""
    labels = [label for label, *_ in phrases[0]], [label for label, *_ in phrases[1]]
    known = {phrase: h for h, phrase in enumerate(phrases[1])}
    same = {r: known[one] for r, one in enumerate(phrases[0]) if one in known}
    spans = tuple([(start, end) for _, start, end in phrases[0]])
    found = (
        verdict
        for name in names
        for pairs in [
            {
                r: h
                for r, h in same.items()
                if not errors or FIGURES[name].issuperset(errors[slice(*spans[r])])
            }
        ]
        for verdict in verdicts(labels, pairs, lambda *_: Slot.CORRECT, rows_of(name))
    )

    # where words are aligned, each side's elements are on its own words
    placement = {} if errors else dict.fromkeys(names, spans)
    same_tags, size = sum(map(eq, *columns)), len(columns[0])
    tokens, every = Figure(cor=same_tags, inc=size - same_tags), Counter(numbers)
    for name, side in zip(SIDES, sides, strict=True):
        every.update({f"{name} tags={side.tags.scheme}": 1, name: side.left_out})
    judged = figures_of(pair, settings, found, documents, placement, numbers=every)
    return judged._replace(tokens=tokens, rows=rows)


def told_of_tags(
    numbers: Counter[str],
    settings: Settings,
    how: Iterable[tuple[str, str]] = (),
    through: ByWords | None = None,
    notes: Iterable[str] = (),
) -> SchemeScore:
    """What the score of a scheme of tags has besides figures."""
    elements = [] if settings.elements is None else [("elements", settings.elements)]
    marks = (f"{side} tags=" for side in SIDES)
    schemes = [  # of references and of hypotheses
        "+".join(sorted(name.removeprefix(mark) for name in numbers if name.startswith(mark)))
        for mark in marks
    ]
    parts = ("tags", "/".join(schemes)), *elements, *how, *settings.reading_signature
    is_mixed = {*schemes} == {"iob1", "iob2"}  # accuracy compares tags as strings
    mixed = "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ."
    left_out = (
        f"Elements of the {side} left out of trees: {numbers[side]}."
        for side in SIDES
        if numbers[side]
    )
    return SchemeScore(
        (),
        settings=parts,
        notes=(*left_out, *([mixed] if is_mixed else []), *notes),
        words=replace(settings, tolerance=None, through=through),
    )


conll = partial(scheme_scorer, work=_work, told=told_of_tags)


# --- evalita2011 ----------------------------------------------------------------------------------


def _told_aligned(numbers: Counter[str], settings: Settings) -> SchemeScore:
    bound = [("hypothesis", "upper-bound")] if settings.is_bound else []
    how = ("alignment", "text,lower,S=1,D=1,I=1"), *bound, ("mode", settings.mode)
    words = ByWords(weights=UNIT, ties="early", normalise=normalisation("caseless"))
    found = told_of_tags(numbers, settings, how, words, _notes(numbers, settings))
    return replace(found, wrong_words=sum(numbers[error] for error in "SDI"))


def _work_aligned(pair: Pair, settings: Settings) -> DocumentFigures:
    sides = [tag_side(one, settings) for one in pair]
    rows, slack = _aligned(sides, settings)
    words, tags, errors, heard, others = zip(*rows, strict=True) if rows else ((),) * 5
    columns = tags, others
    places = [[k for k, word in enumerate(one) if word] for one in (words, heard)]
    own = [phrases([column[k] for k in at]) for column, at in zip(columns, places, strict=True)]
    both = [phrases(tags), phrases(others)]
    if settings.mode == "repair":
        both = [
            [(label, at[start], at[end - 1] + 1) for label, start, end in found]
            for found, at in zip(own, places, strict=True)
        ]
    ours, theirs = (_on_words(*one) for one in zip(sides, both, places, strict=True))
    split = (_split(*one) for one in zip(places, SIDES, own, strict=True))
    numbers = [*errors, *["slack"] * slack, *chain.from_iterable(split)]
    kept = [] if settings.aligned is None else rows
    found = (ours, theirs), both, FIGURES, errors, numbers, kept
    return figures_of_tags(pair, settings, sides, columns, *found)


evalita = partial(scheme_scorer, work=_work_aligned, told=_told_aligned)


def _aligned(sides: Sequence[TagSide], settings: Settings) -> tuple[list[AlignedRow], int]:
    """The rows of the aligned file, and the slack of the alignment."""
    from ..alignment.text import align_text  # conll needs none

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
        found.append((word, tag, error, heard, other))
    return found, alignment.slack


def _on_words(side: TagSide, found: Iterable[Phrase], places: Sequence[int]) -> Document:
    """The document of one side with its phrases, which are spans of rows."""
    elements = (
        Element(label, bisect_left(places, start), bisect_left(places, end))
        for label, start, end in found
    )
    return replace(side.document, elements=tuple(elements), tags=None)


def _split(places: Sequence[int], side: str, own: Iterable[Phrase]) -> Iterator[str]:
    """``split`` for each phrase that words of the other side split, ``pieces`` for each piece."""
    for _, start, end in own:
        if gaps := sum(after - before > 1 for before, after in pairwise(places[start:end])):
            yield f"{side} split"
            yield from [f"{side} pieces"] * (gaps + 1)


def _notes(numbers: Counter[str], settings: Settings) -> Iterator[str]:
    """The notes on the alignment and on split phrases."""
    if settings.is_bound:
        yield (
            "The tags of the hypothesis are those of the reference, on the words aligned to its "
            "own."
        )
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


def aligned_file(documents: Sequence[DocumentFigures]) -> str:
    r"""The aligned file of EVALITA 2011 (guidelines, 5.1), from the rows of each document."""
    for one in documents:
        for cell in chain.from_iterable(one.rows):
            if re.search(r"[\t\n\r]", cell):
                raise SerevalError(
                    f"{one.id}: {cell!r} holds a tab or a line end, which separate the "
                    "columns and rows of an aligned file"
                )
    return "\n".join("".join("\t".join(row) + "\n" for row in one.rows) for one in documents)
