"""Scheme ``conll``: the figures of conlleval, the scorer of the CoNLL shared tasks.

Both sides are tags on the same words. A phrase is correct if the other side has a phrase with the
same label, first word and last word. A token is correct if both sides have the same tag.

The one figure is ``type``: ``cor`` correct phrases, ``mis`` other phrases of the reference, ``spu``
other phrases of the hypothesis. Tokens have no label, so they are counted apart
(``SchemeScore.tokens``).

Source: conlleval as published with CoNLL-2000 and 2002 (version of 2004-01-26), from its output
and documentation; ``docs/reference/schemes/conll.md`` lists every deliberate difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import eq

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.model import Document
from ..documents.tags import Phrase, Tags, edge_at, iob2_of, phrases, sentences, split
from ..documents.words import COMPOSED, recut
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..measures.figures import Figure
from .result import SchemeScore, figures_of
from .sides import (
    TagCount,
    composed_note,
    correct_pairs,
    phrase_account,
    phrase_verdicts,
    schemes_of,
    tag_score,
    tag_side,
)


def conll(settings: Settings) -> Scorer:
    """Score documents as conlleval does.

    Tags that were read with a document are compared unchanged, except that tags of IOBES and BILOU
    are written as IOB2, because conlleval has no rules for them. A document without tags, and one
    whose labels have changed, is written in IOB2 too.
    """
    return scorer(partial(_count, settings=settings), partial(_score, settings=settings))


def _score(counted: Sequence[tuple[TagCount, int]], settings: Settings) -> SchemeScore:
    found = [one for one, _ in counted]
    notes = list(composed_note(sum(composed for _, composed in counted)))
    if {*schemes_of(found)} == {"iob1", "iob2"}:  # accuracy compares tags as strings
        notes.append(
            "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ."
        )
    return tag_score("conll", found, settings, notes=notes)


def _count(pair: Pair, settings: Settings) -> tuple[TagCount, int]:
    """The counts of a document, and how many words differ only in how accents are composed."""
    ours, theirs = (tag_side(one, settings) for one in pair)
    facts, composed = (ours.facts, theirs.facts), 0
    documents, tags = (ours.document, theirs.document), (ours.tags, theirs.tags)
    if documents[0].words != documents[1].words:  # cut otherwise: IOB2 on the words of both
        documents = recut(*documents)
        tags = iob2_of(documents[0]), iob2_of(documents[1])
        composed = sum(note.count for note in documents[1].notes if note.what == COMPOSED)
    tally = _tally(documents, tags)
    sides = _in_order(tally.reference), _in_order(tally.hypothesis)
    found = list(phrase_verdicts(sides, {"type": correct_pairs(sides, tally.correct)}))
    account = None
    if settings.figure is not None:
        places = tuple((start, end) for _, start, end in sides[0])  # the words are the same
        account = replace(phrase_account(documents, sides, found), placement={"type": places})
    return TagCount(ours.document.id, figures_of(found), tally.tokens, facts, account), composed


def _in_order(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Phrases by their place."""
    return sorted(phrases, key=lambda phrase: phrase[1:])


def _tally(documents: tuple[Document, Document], tags: tuple[Tags, Tags]) -> TagTally:
    """Compare two columns of tags, sentence by sentence if both sides have the same sentences."""
    reference, hypothesis = tags
    if reference.breaks == hypothesis.breaks:
        ours, theirs, breaks = reference.iob, hypothesis.iob, reference.breaks
    else:
        ours, theirs, breaks = reference.joined(), hypothesis.joined(), ()
    if "conlleval" in (reference.scheme, hypothesis.scheme):
        return conlleval(ours, theirs, breaks)
    # in well-formed B, I and O tags, the correct phrases are those that both sides have
    gold, found = ([Phrase(e.label, e.start, e.end) for e in one.elements] for one in documents)
    return TagTally(gold, found, [*{*gold} & {*found}], _tokens(ours, theirs))


def _tokens(reference: Sequence[str], hypothesis: Sequence[str]) -> Figure:
    """Correct and incorrect tags."""
    same = sum(map(eq, reference, hypothesis))
    return Figure(cor=same, inc=len(reference) - same)


@dataclass(frozen=True, slots=True)
class TagTally:
    """The result of comparing two columns of tags.

    Args:
        reference, hypothesis: the phrases of either side.
        correct: the correct phrases.
        tokens: correct and incorrect tags.
    """

    reference: Sequence[Phrase]
    hypothesis: Sequence[Phrase]
    correct: Sequence[Phrase]
    tokens: Figure


def conlleval(
    reference: Sequence[str], hypothesis: Sequence[str], breaks: Sequence[int] = ()
) -> TagTally:
    """Compare two columns of tags as conlleval does.

    Args:
        reference, hypothesis: tags of the same words, in any scheme.
        breaks: the index of the first word of each sentence after the first; in conlleval's input
            an empty line is there.

    Returns:
        The phrases of both sides, the correct phrases, and the tokens.

    Raises:
        SerevalError: columns of different length.

    >>> tally = conlleval(["B-PER", "I-PER", "O"], ["I-PER", "I-PER", "O"])
    >>> tally.correct, tally.tokens.cor
    ([Phrase(label='PER', start=0, end=2)], 2)
    """
    if len(reference) != len(hypothesis):
        raise SerevalError(f"{len(reference)} tags against {len(hypothesis)}, expected as many")
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
    return TagTally(gold, found, correct, _tokens(reference, hypothesis))


def _correct(
    gold: Sequence[str], found: Sequence[str], starts: Iterable[int], offset: int
) -> Iterator[Phrase]:
    """The phrases of one sentence that begin, continue and end together on both sides.

    In well-formed tags these are the phrases that both sides have. If a phrase begins before the
    last one has ended (``B-X E-X B-X``), conlleval continues the phrase that is open.

    Args:
        gold, found: the tags of both sides.
        starts: the words at which both sides begin a phrase of one label.
        offset: the number of words before the sentence.
    """
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
