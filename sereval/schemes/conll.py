"""Scheme ``conll``: the figures of conlleval, the scorer of the CoNLL shared tasks.

Both sides are tags on the same words. A phrase is correct if the other side has a phrase with the
same label, first word and last word. A token is correct if both sides have the same tag.

The one figure is ``type``: ``cor`` correct phrases, ``mis`` other phrases of the reference, ``spu``
other phrases of the hypothesis. Tokens have no label, so they are counted apart
(``SchemeScore.tokens``).

If a document was read with tags, and these tags give its elements, they are compared. Any other
document, and one whose labels have changed, is written in IOB2.

Source: conlleval as published with CoNLL-2000 and 2002 (version of 2004-01-26), from its output
and documentation; ``docs/reference/schemes/conll.md`` lists every deliberate difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import eq
from typing import Any, NamedTuple

from ..corpus.corpus import Pair, exact
from ..documents.model import Document, Element, Reference
from ..documents.tags import Phrase, Tags, edge_at, flat, iob2_of, split
from ..documents.words import recut
from ..evaluation.settings import SIDES, ByWords, Settings
from ..measures.figures import Figure
from .result import (
    Account,
    AlignedRow,
    DocumentFigures,
    Judged,
    Verdict,
    all_correct,
    scheme_scorer,
)


def _told(found: Sequence[DocumentFigures], settings: Settings) -> dict[str, Any]:
    is_mixed = {*schemes_of(found)} == {"iob1", "iob2"}  # accuracy compares tags as strings
    note = "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ."
    return told_of_tags(found, settings, notes=[note] if is_mixed else [])


def _judged(pair: Pair, settings: Settings) -> Judged:
    sides = [tag_side(one, settings) for one in pair]
    documents = sides[0].document, sides[1].document
    ours, theirs = (side.tags for side in sides)
    if documents[0].words != documents[1].words:  # cut otherwise: IOB2 on the words of both
        documents = recut(*documents)
        ours, theirs = map(iob2_of, documents)
    columns, breaks = (ours.iob, theirs.iob), ours.breaks
    if theirs.breaks != breaks:
        columns, breaks = (ours.joined(), theirs.joined()), ()
    both = [[Phrase(e.label, e.start, e.end) for e in one.elements] for one in documents]
    correct = {"type": agreeing(columns, both, breaks)}
    return judged_tags(documents, both, correct, TagFacts.of(sides, tokens_of(*columns)))


conll = partial(scheme_scorer, "conll", judge=_judged, told=_told)


def tokens_of(reference: Sequence[str], hypothesis: Sequence[str]) -> Figure:
    """Correct and incorrect tags."""
    same = sum(map(eq, reference, hypothesis))
    return Figure(cor=same, inc=len(reference) - same)


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


class TagFacts(NamedTuple):
    """What a document adds to the score besides the figures of its phrases.

    Args:
        tokens: correct and incorrect tags.
        schemes: the tag schemes of reference and hypothesis.
        numbers: how many things there are, for notes: under the names of the sides, the elements
            that are left out of trees.
        rows: the rows of the aligned file, if they are kept.
    """

    tokens: Figure
    schemes: tuple[str, ...]
    numbers: Counter[str]
    rows: Sequence[AlignedRow] = ()

    @classmethod
    def of(cls, sides: Sequence[TagSide], tokens: Figure) -> TagFacts:
        """The facts about the sides of a document."""
        left_out = {name: side.left_out for name, side in zip(SIDES, sides, strict=True)}
        return cls(tokens, tuple(side.tags.scheme for side in sides), Counter(left_out))


def judged_tags(
    documents: tuple[Document, Document],
    phrases: Sequence[Sequence[Phrase]],
    correct: Mapping[str, Iterable[Phrase]],
    facts: TagFacts,
    places: Sequence[Sequence[Phrase]] | None = None,
) -> Judged:
    """The verdicts on the phrases of a document: correct in a figure, missing or spurious.

    Args:
        documents: both sides.
        phrases: those of either side.
        correct: the correct ones in each figure.
        facts: those of the document.
        places: the phrases on the words of their own side, if these are not compared.
    """
    ours, theirs = ([one.label for one in own] for own in phrases)
    begins = [{one[:2]: k for k, one in enumerate(own)} for own in phrases]
    found = (
        verdict
        for name, those in correct.items()
        for pairs in [{begins[0][one[:2]]: begins[1][one[:2]] for one in those}]
        for verdict in all_correct(name, (ours, theirs), pairs)
    )

    def whole(found: tuple[Verdict, ...]) -> Account:
        ours, theirs = (
            replace(document, elements=tuple(Element(*phrase) for phrase in own), tags=None)
            for document, own in zip(documents, places or phrases, strict=True)
        )
        spans = tuple((start, end) for _, start, end in phrases[0])
        placement = {} if places else dict.fromkeys(correct, spans)
        return Account(ours, Reference.exact(ours), theirs, found, placement)

    return Judged(found, whole, facts)


def told_of_tags(
    found: Sequence[DocumentFigures],
    settings: Settings,
    how: Iterable[tuple[str, str]] = (),
    through: ByWords | None = None,
    notes: Iterable[str] = (),
) -> dict[str, Any]:
    """What the score of a scheme of tags has besides figures."""
    elements = [] if settings.elements is None else [("elements", settings.elements)]
    parts = ("tags", "/".join(schemes_of(found))), *elements, *how, *settings.reading_signature
    numbers = sum((one.facts.numbers for one in found), Counter[str]())
    left_out = (
        f"Elements of the {side} left out of trees: {numbers[side]}."
        for side in SIDES
        if numbers[side]
    )
    return {
        "settings": parts,
        "notes": (*left_out, *notes),
        "words": replace(settings, tolerance=None, through=through),
        "tokens": {one.id: one.facts.tokens for one in found},
    }


def schemes_of(found: Sequence[DocumentFigures]) -> list[str]:
    """The tag schemes of references and of hypotheses, joined by ``+`` in alphabetical order."""
    return ["+".join(sorted({one.facts.schemes[k] for one in found})) for k in (0, 1)]


# --- conlleval ------------------------------------------------------------------------------------


def agreeing(
    columns: tuple[Sequence[str], Sequence[str]],
    both: Sequence[Sequence[Phrase]],
    breaks: Sequence[int] = (),
) -> Iterator[Phrase]:
    """The correct phrases: those that begin, continue and end together on both sides.

    Args:
        columns: the tags of either side.
        both: the phrases that they spell.
        breaks: frontiers at which all phrases end.
    """
    ours, theirs = columns
    begun = {phrase[:2] for phrase in both[1]}
    for label, start, _ in both[0]:
        for k in range(start + 1, len(ours) + 1) if (label, start) in begun else ():
            (ends, begins), (also_ends, also_begins) = edge_at(ours, k), edge_at(theirs, k)
            if k in breaks or ends and also_ends:
                yield Phrase(label, start, k)
                break
            if ends != also_ends or split(ours[k])[1] != split(theirs[k])[1]:
                break
            if begins and also_begins:  # another start continues from here
                break
