"""Scheme ``conll``: the figures of conlleval, the scorer of the CoNLL shared tasks.

Both sides are tags on the same words. A phrase is correct if the other side has one that begins and
ends with it under the same label; a token, if both sides have the same tag.

Figures: ``type``, whose correct phrases are ``cor``; the reference has ``mis`` more of them, the
hypothesis ``spu`` more. Tokens have no label and are counted beside (``SchemeScore.tokens``).

Source: conlleval as published with CoNLL-2000 and 2002 (version of 2004-01-26), from its output
and documentation; ``docs/conll.md`` lists every deliberate difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import eq

from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..documents.model import Document
from ..documents.recut import COMPOSED, recut
from ..documents.tags import Phrase, Tags, edge_at, iob2_of, phrases, sentences, split
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..measures.figures import Figure
from .result import Options, Row, SchemeScore
from .sides import TagCount, composed_note, schemes_of, tag_score, tag_side


def conll(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score documents as conlleval does.

    The tags that documents came with are compared as they stand, but for those of IOBES and BILOU,
    for which conlleval has no rules and which are written as IOB2. So are the elements of other
    documents, and of those whose labels have changed.

    Args:
        pairs: references and hypotheses on the same words.
        settings: what becomes of labels; others have no part in it.
        options: ``elements``, which ones of a tree are scored; ``None`` refuses trees.

    Raises:
        SerevalError: different words; a tree and no choice of elements; a fuzzy reference.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval import Document, tree
    >>> from sereval.documents.tags import tagged
    >>> reference = Document("d", ("FIAT", "SPA"), tree([("ORG", 0, 2)]))
    >>> hypothesis = tagged("d", ("FIAT", "SPA"), Tags(("B-ORG", "O")))
    >>> score = conll(PairList([(reference, hypothesis)]), Settings(), Options())
    >>> score.total["type"], score.accuracy
    (Figure(cor=0, inc=0, par=0, mis=1, spu=1), 0.5)
    """
    counted = list(pairs.each(partial(_counted, settings=settings, options=options)))
    found = [one for one, _ in counted]
    notes = list(composed_note(sum(composed for _, composed in counted)))
    if {*schemes_of(found)} == {"iob1", "iob2"}:  # accuracy compares tags as strings
        notes.append(
            "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ."
        )
    return tag_score("conll", found, settings, options, notes=notes)


def _counted(pair: Pair, settings: Settings, options: Options) -> tuple[TagCount, int]:
    """One document, and the number of words whose accents are composed otherwise."""
    ours, theirs = (tag_side(one, settings, options) for one in pair)
    facts, composed = (ours.facts, theirs.facts), 0
    documents, tags = (ours.document, theirs.document), (ours.tags, theirs.tags)
    if documents[0].words != documents[1].words:  # cut otherwise: IOB2 on the words of both
        documents = recut(*documents)
        tags = iob2_of(documents[0]), iob2_of(documents[1])
        composed = sum(note.count for note in documents[1].notes if note.what == COMPOSED)
    tally = _tally(documents, tags)
    labels: dict[str, Row] = {label: {"type": figure} for label, figure in tally.labels.items()}
    return TagCount(ours.document.id, labels, tally.tokens, facts), composed


def _tally(documents: tuple[Document, Document], tags: tuple[Tags, Tags]) -> Tally:
    """What two columns of tags come to; where their sentences differ, phrases stay as they are."""
    reference, hypothesis = tags
    if reference.breaks == hypothesis.breaks:
        ours, theirs, breaks = reference.iob, hypothesis.iob, reference.breaks
    else:
        ours, theirs, breaks = reference.joined(), hypothesis.joined(), ()
    if "conlleval" in (reference.scheme, hypothesis.scheme):
        return conlleval(ours, theirs, breaks)
    # of B, I and O the correct phrases are those that both sides have
    gold, found = ([Phrase(e.label, e.start, e.end) for e in one.elements] for one in documents)
    return Tally(gold, found, [*{*gold} & {*found}], _tokens(ours, theirs))


def _tokens(reference: Sequence[str], hypothesis: Sequence[str]) -> Figure:
    """Right and wrong tags."""
    same = sum(map(eq, reference, hypothesis))
    return Figure(cor=same, inc=len(reference) - same)


@dataclass(frozen=True, slots=True)
class Tally:
    """Phrases of both sides, those of them that are correct, and tokens."""

    reference: Sequence[Phrase]
    hypothesis: Sequence[Phrase]
    correct: Sequence[Phrase]
    tokens: Figure

    @property
    def labels(self) -> dict[str, Figure]:
        """Phrases by label, in alphabetical order."""
        gold, found, correct = (
            Counter(phrase.label for phrase in side)
            for side in (self.reference, self.hypothesis, self.correct)
        )
        return {
            label: Figure(
                cor=correct[label],
                mis=gold[label] - correct[label],
                spu=found[label] - correct[label],
            )
            for label in sorted(gold.keys() | found.keys())
        }


def conlleval(
    reference: Sequence[str], hypothesis: Sequence[str], breaks: Sequence[int] = ()
) -> Tally:
    """Two columns of tags, compared as conlleval compares them.

    Args:
        reference, hypothesis: tags of the same words; any tags.
        breaks: where sentences begin; conlleval's empty lines.

    Raises:
        SerevalError: columns of different length.

    >>> row_10 = conlleval(["B-PER", "I-PER", "O"], ["I-PER", "I-PER", "O"])
    >>> row_10.labels, row_10.tokens.cor
    ({'PER': Figure(cor=1, inc=0, par=0, mis=0, spu=0)}, 2)
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
    return Tally(gold, found, correct, _tokens(reference, hypothesis))


def _correct(
    gold: Sequence[str], found: Sequence[str], starts: Iterable[int], offset: int
) -> Iterator[Phrase]:
    """The phrases of one sentence that begin, go on and end together.

    On well-formed tags they are those that both sides have. It is not so where a phrase begins
    though none has ended (``B-X E-X B-X``): conlleval then goes on with the one it is in.

    Args:
        gold, found: the tags of both sides.
        starts: where both sides have a phrase that begins, of one label.
        offset: number of words ahead of the sentence.
    """
    for start in starts:
        for k in range(start + 1, len(gold) + 1):
            (ends, begins), (also_ends, also_begins) = edge_at(gold, k), edge_at(found, k)
            if ends and also_ends:
                yield Phrase(split(gold[start])[1], start + offset, k + offset)
                break
            if ends != also_ends or split(gold[k])[1] != split(found[k])[1]:
                break
            if begins and also_begins:  # the one it is in is taken up from here
                break
