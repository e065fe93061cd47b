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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import eq
from typing import Any, NamedTuple

from ..corpus.corpus import Pair, exact
from ..documents.model import Document, Element, Reference
from ..documents.tags import Phrase, Tags, edge_at, flat, iob2_of, phrases, sentences, split
from ..documents.words import recut
from ..evaluation.settings import SIDES, ByWords, Settings
from ..measures.figures import Figure
from ..measures.slots import Slot
from .result import (
    Account,
    AlignedRow,
    DocumentFigures,
    Judged,
    Verdict,
    one_alone,
    scheme_scorer,
    slot_row,
    verdicts,
)


def _told(found: Sequence[DocumentFigures], settings: Settings) -> dict[str, Any]:
    is_mixed = {*schemes_of(found)} == {"iob1", "iob2"}  # accuracy compares tags as strings
    note = "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ."
    return told_of_tags(found, settings, notes=[note] if is_mixed else [])


def _judged(pair: Pair, settings: Settings) -> Judged:
    ours, theirs = sides = [tag_side(one, settings) for one in pair]
    documents = ours.document, theirs.document
    if documents[0].words != documents[1].words:  # cut otherwise: IOB2 on the words of both
        documents = recut(*documents)
        ours, theirs = (TagSide(one, iob2_of(one)) for one in documents)
    tally, tokens = _tally(ours, theirs)
    in_order = tally._replace(
        reference=sorted(tally.reference, key=lambda phrase: phrase.start),
        hypothesis=sorted(tally.hypothesis, key=lambda phrase: phrase.start),
    )
    facts = TagFacts.of(sides, tokens)
    return judged_tags(documents, in_order, {"type": tally.correct}, facts)


conll = partial(scheme_scorer, "conll", judge=_judged, told=_told)


def _tally(ours: TagSide, theirs: TagSide) -> tuple[Tally, Figure]:
    """Compare two columns, sentence by sentence if both sides have the same; and their tokens."""
    breaks: Sequence[int] = ()
    if ours.tags.breaks == theirs.tags.breaks:
        columns, breaks = (ours.tags.iob, theirs.tags.iob), ours.tags.breaks
    else:
        columns = ours.tags.joined(), theirs.tags.joined()
    if "conlleval" in (ours.tags.scheme, theirs.tags.scheme):
        return conlleval(*columns, breaks), tokens_of(*columns)
    # in well-formed B, I and O tags, the correct phrases are those that both sides have
    gold, found = (
        [Phrase(e.label, e.start, e.end) for e in side.document.elements] for side in (ours, theirs)
    )
    return Tally(gold, found, {*gold} & {*found}), tokens_of(*columns)


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
    tally: Tally,
    correct: Mapping[str, Iterable[Phrase]],
    facts: TagFacts,
    places: tuple[Sequence[Phrase], Sequence[Phrase]] | None = None,
) -> Judged:
    """The verdicts on the phrases of a document."""

    def whole(found: tuple[Verdict, ...]) -> Account:
        ours, theirs = (
            replace(document, elements=tuple(Element(*phrase) for phrase in own), tags=None)
            for document, own in zip(documents, places or tally[:2], strict=True)
        )
        spans = tuple((start, end) for _, start, end in tally.reference)
        placement = {} if places else dict.fromkeys(correct, spans)
        return Account(ours, Reference.exact(ours), theirs, found, placement)

    return Judged(_verdicts(tally, correct), whole, facts)


def _verdicts(tally: Tally, correct: Mapping[str, Iterable[Phrase]]) -> Iterator[Verdict]:
    """The verdicts on phrases, which are correct, missing or spurious in each figure."""
    labels = [one.label for one in tally.reference], [one.label for one in tally.hypothesis]
    places = [
        {(label, start): k for k, (label, start, _) in enumerate(own)}
        for own in (tally.reference, tally.hypothesis)
    ]
    for name, those in correct.items():
        right = Slot.CORRECT, slot_row(name, "cor")
        pairs = {places[0][one[:2]]: places[1][one[:2]] for one in those}
        yield from verdicts(labels, pairs, lambda *_, right=right: right, one_alone(name))


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


class Tally(NamedTuple):
    """The phrases of both sides, and the correct ones."""

    reference: Sequence[Phrase]
    hypothesis: Sequence[Phrase]
    correct: Collection[Phrase]


def conlleval(
    reference: Sequence[str], hypothesis: Sequence[str], breaks: Sequence[int] = ()
) -> Tally:
    """Compare two columns of tags of the same words as conlleval does."""
    gold: list[Phrase] = []
    found: list[Phrase] = []
    correct: list[Phrase] = []
    pairs = zip(sentences(reference, breaks), sentences(hypothesis, breaks), strict=True)
    for (_, ours), (offset, theirs) in pairs:
        of_both = phrases(ours, offset), phrases(theirs, offset)
        gold += of_both[0]
        found += of_both[1]
        begun = {(label, start) for label, start, _ in of_both[1]}
        starts = [start - offset for label, start, _ in of_both[0] if (label, start) in begun]
        correct += _correct(ours, theirs, starts, offset)
    return Tally(gold, found, correct)


def _correct(
    gold: Sequence[str], found: Sequence[str], starts: Iterable[int], offset: int
) -> Iterator[Phrase]:
    """The phrases of one sentence that begin, continue and end together on both sides."""
    for start in starts:
        for k in range(start + 1, len(gold) + 1):
            (ends, begins), (also_ends, also_begins) = edge_at(gold, k), edge_at(found, k)
            if ends and also_ends:
                yield Phrase(split(gold[start])[1], start + offset, k + offset)
                break
            if ends != also_ends or split(gold[k])[1] != split(found[k])[1]:
                break
            if begins and also_begins:  # another start continues from here
                break
