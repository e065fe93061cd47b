"""Scheme ``conll``: the figures of conlleval, the scorer of the CoNLL shared tasks.

Both sides are columns of tags on the same words. A phrase is correct if the other side has one
that begins and ends with it under the same label; a token, if both sides have the same tag.

Figures: ``type``, whose correct phrases are ``cor``; the reference has ``mis`` more of them, the
hypothesis ``spu`` more. Tokens have no label and are counted beside (:class:`ConllScore`).

Source: conlleval as published with CoNLL-2000 and 2002 (version of 2004-01-26), from its output
and documentation; ``docs/conll.md`` lists every deliberate difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from operator import eq

from ..documents.model import PLACES, Document, Note, Place, Reference
from ..documents.recut import COMPOSED, recut
from ..documents.tags import (
    Columns,
    Phrase,
    columns_of,
    document_of,
    edge_at,
    flat,
    misplaced_note,
    phrases,
    sentences,
    split,
)
from ..errors import SerevalError
from ..formats.oddities import is_odd, with_oddities
from ..labels.relabel import Labels
from ..measures.figures import Figure
from .result import Row, SchemeScore

Side = Document | Reference | Columns
"""What can be scored; a fuzzy reference is refused."""


@dataclass(frozen=True, slots=True)
class ConllScore:
    """What conlleval prints, by document.

    Args:
        score: figures by document and label.
        tokens: correct and incorrect tokens by document.

    >>> gold = Columns("d", ("la", "FIAT"), ("O", "B-ORG"))
    >>> result = conll([(gold, gold)])
    >>> result.accuracy, result.score.total["type"].f()
    (1.0, 1.0)
    """

    score: SchemeScore
    tokens: Table[str, Figure]

    @property
    def all_tokens(self) -> Figure:
        """Tokens of all documents."""
        return sum(self.tokens.values(), Figure())

    @property
    def accuracy(self) -> float | None:
        """Correct tokens over tokens; ``None`` without any."""
        return self.all_tokens.recall


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
    same = sum(map(eq, reference, hypothesis))
    return Tally(gold, found, correct, Figure(cor=same, inc=len(reference) - same))


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


@dataclass(frozen=True, slots=True)
class Counted:
    """What is kept of one document.

    Args:
        labels: figures by label.
        sides: what a reader of the figures must know about reference and hypothesis.
        composed: number of words whose accents are composed otherwise on either side.
    """

    id: str
    labels: dict[str, Row]
    tokens: Figure
    sides: tuple[Shown, Shown]
    composed: int


def conll(pairs: Iterable[tuple[Side, Side]], *, elements: str | None = None) -> ConllScore:
    """Score columns of tags, or flat elements, on the same words.

    Args:
        pairs: reference and hypothesis of each document. The tags of columns are compared as they
            stand, but for those of IOBES and BILOU, for which conlleval has no rules and which
            are written as IOB2. So are elements.
        elements: which ones of a tree are scored, ``outermost`` or ``innermost``; ``None``
            refuses documents that hold trees.

    Raises:
        SerevalError: different words; a tree and no choice of elements; a fuzzy reference.

    >>> from sereval.documents.model import Element
    >>> reference = Document("d", ("FIAT", "SPA"), (Element("ORG", 0, 2),))
    >>> hypothesis = Columns("d", ("FIAT", "SPA"), ("B-ORG", "O"))
    >>> conll([(reference, hypothesis)]).score.total["type"]
    Figure(cor=0, inc=0, par=0, mis=1, spu=1)
    """
    return added((counted(pair, elements=elements) for pair in pairs), elements=elements)


def counted(pair: tuple[Side, Side], *, elements: str | None) -> Counted:
    """One document; arguments and errors as of :func:`conll`."""
    (ours, theirs), sides = shown(pair, elements)
    ours_tags, their_tags, breaks, composed = _on_same_words(ours, theirs)
    tally = conlleval(ours_tags, their_tags, breaks)
    labels: dict[str, Row] = {label: {"type": figure} for label, figure in tally.labels.items()}
    return Counted(ours.id, labels, tally.tokens, sides, composed)


def added(documents: Iterable[Counted], *, elements: str | None) -> ConllScore:
    """The score that documents add up to."""
    found = list(documents)
    gold, hypothesis = both_sides(one.sides for one in found)
    notes = (
        *gold.notes("reference"),
        *hypothesis.notes("hypothesis"),
        *composed_note(sum(one.composed for one in found)),
        *_difference(gold, hypothesis),
    )
    settings = described(gold, hypothesis, elements)
    score = SchemeScore("conll", {one.id: one.labels for one in found}, settings, notes)
    return ConllScore(score, {one.id: one.tokens for one in found})


@dataclass(frozen=True, slots=True)
class Given:
    """A side of a document with the labels that are asked for, and what was done.

    Args:
        read: what is to be known about its tags as they were read, where labels have changed.
        notes: of what its reader made elements of, and of what became of labels.
    """

    side: Side
    read: Shown
    notes: tuple[Note, ...]

    @property
    def id(self) -> str:
        """The document's name."""
        return self.side.id


def relabelled(pair: tuple[Side, Side], labels: Labels) -> tuple[Given, Given]:
    """Both sides of a document with the labels that are asked for.

    The phrases of columns are what is relabelled; their tags are then those of IOB2, so that
    neighbours that come to have one label stay two phrases.

    >>> from sereval.labels.relabel import LabelMap
    >>> gold = Columns("d", ("Dol", "FIAT"), ("I-LOC", "I-ORG"), scheme="iob1")
    >>> found, _ = relabelled((gold, gold), Labels(LabelMap({"LOC": "X", "ORG": "X"})))
    >>> found.side.tags, *map(str, found.notes)
    (('B-X', 'B-X'), 'elements renamed by the map: 2')
    """
    if not labels.is_asked:
        ours, theirs = (Given(side, Shown(), notes_of(side)) for side in pair)
        return ours, theirs
    [left], [right] = labels.relabelled(*([document] for document in documents(pair)))
    return _given(pair[0], left), _given(pair[1], right)


def documents(pair: tuple[Side, Side]) -> tuple[Document | Reference, Document | Reference]:
    """Both sides as documents of elements."""
    ours, theirs = (document_of(one) if isinstance(one, Columns) else one for one in pair)
    return ours, theirs


def notes_of(side: Side) -> tuple[Note, ...]:
    """Those of its reader; what is said of tags is said by their scheme.

    Labels of tags that are easily taken for others are told as those of elements are.
    """
    if isinstance(side, Columns) and any(map(is_odd, {one.label for one in side.phrases})):
        return with_oddities(document_of(side)).notes
    return side.notes


def _given(side: Side, document: Document | Reference) -> Given:
    """Columns again where it was columns; what is said of their tags has been said."""
    if not isinstance(side, Columns):
        return Given(document, Shown(), document.notes)
    assert isinstance(document, Document)
    again = replace(
        side,
        tags=columns_of(document).tags,
        scheme="iob2",
        is_detected=False,
        has_docstart=False,
        is_sound=False,
        spelt=None,
    )
    return Given(again, Shown.of(side), document.notes)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader of the figures must know about one side of some documents.

    Args:
        documents: how many.
        kinds: the schemes of their tags. is_detected: whether any was not named.
        bare: number of documents without tags. has_docstart: whether such lines parted any.
        misplaced: number of tags that cannot stand where they stand; places: of the first of them.
        left_out: number of elements of trees that were not asked for, which no column can hold.
    """

    documents: int = 0
    kinds: frozenset[str] = frozenset()
    is_detected: bool = False
    has_docstart: bool = False
    bare: int = 0
    misplaced: int = 0
    places: tuple[Place, ...] = ()
    left_out: int = 0

    @classmethod
    def of(cls, columns: Columns, left_out: int = 0) -> Shown:
        """Of one document."""
        wrong = misplaced_note(columns)
        return cls(
            1,
            frozenset({columns.scheme}),
            columns.is_detected,
            columns.has_docstart,
            bare=int(columns.scheme == "none"),
            misplaced=0 if wrong is None else wrong.count,
            places=() if wrong is None else wrong.places[:PLACES],
            left_out=left_out,
        )

    def __add__(self, other: Shown) -> Shown:
        return Shown(
            self.documents + other.documents,
            self.kinds | other.kinds,
            self.is_detected or other.is_detected,
            self.has_docstart or other.has_docstart,
            self.bare + other.bare,
            self.misplaced + other.misplaced,
            (*self.places, *other.places)[:PLACES],
            self.left_out + other.left_out,
        )

    @property
    def schemes(self) -> str:
        """The schemes of the tags, in alphabetical order."""
        return "+".join(sorted(self.kinds))

    def notes(self, name: str) -> Iterator[str]:
        """What there is to say about this side, a sentence each."""
        if self.is_detected:
            yield f"The tags of the {name} were taken for {self.schemes}; none was named."
        if self.bare:
            yield (
                f"Documents of the {name} without tags, all of whose words count as O: "
                f"{self.bare} of {self.documents}."
            )
        if self.misplaced:
            yield (
                f"Tags of the {name} that its scheme does not allow where they stand: "
                f"{self.misplaced}, the first {', '.join(map(str, self.places))}; scored "
                "as conlleval reads them."
            )
        if self.left_out:
            yield f"Elements of the {name} left out of trees: {self.left_out}."
        if self.has_docstart:
            yield (
                f"The -DOCSTART- lines of the {name} part documents and are no tokens; conlleval "
                "itself counts each as a correct token."
            )


def both_sides(sides: Iterable[tuple[Shown, Shown]]) -> tuple[Shown, Shown]:
    """What is to be known about all references and about all hypotheses."""
    gold = found = Shown()
    for ours, theirs in sides:
        gold, found = gold + ours, found + theirs
    return gold, found


def shown(
    pair: tuple[Side, Side], elements: str | None
) -> tuple[tuple[Columns, Columns], tuple[Shown, Shown]]:
    """The columns of both sides, and what is to be known about them."""
    (ours, left), (theirs, right) = (_columns(side, elements) for side in pair)
    return (ours, theirs), (Shown.of(ours, left), Shown.of(theirs, right))


def _columns(side: Side, elements: str | None) -> tuple[Columns, int]:
    """A side as columns, and how many of its elements those cannot hold."""
    if isinstance(side, Columns):
        return side, 0
    if isinstance(side, Reference):
        raise SerevalError(
            f"{side.id}: found a fuzzy reference, expected a document: columns have one place for "
            "each tag"
        )
    document, left_out = flat(side, elements)
    return columns_of(document), left_out


def _on_same_words(
    reference: Columns, hypothesis: Columns
) -> tuple[Sequence[str], Sequence[str], Sequence[int], int]:
    """The tags of both sides as they stand, where words and sentences are the same.

    Other sentences: without any, phrases stay as they are. Words cut otherwise: in IOB2 on the
    words of both. The number is that of words whose accents are composed otherwise.
    """
    composed = 0
    if reference.words != hypothesis.words:
        cut = recut(document_of(reference), document_of(hypothesis))
        reference, hypothesis = columns_of(cut[0]), columns_of(cut[1])
        composed = sum(note.count for note in cut[1].notes if note.what == COMPOSED)
    if reference.breaks == hypothesis.breaks:
        return reference.iob, hypothesis.iob, reference.breaks, composed
    return reference.joined(), hypothesis.joined(), (), composed


def composed_note(count: int) -> Iterator[str]:
    """What is said of words that are equal but for how their accents are composed.

    >>> list(composed_note(0))
    []
    """
    if count:
        yield f"Hypothesis: {Note(COMPOSED, count)}."


def described(gold: Shown, found: Shown, elements: str | None) -> tuple[tuple[str, str], ...]:
    """What of the columns can change a digit, for the signature."""
    kept = () if elements is None else (("elements", elements),)
    return (("tags", f"{gold.schemes}/{found.schemes}"), *kept)


def _difference(gold: Shown, found: Shown) -> Iterator[str]:
    """Accuracy compares tags as strings of characters, whatever they mean."""
    if {gold.schemes, found.schemes} == {"iob1", "iob2"}:
        yield "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ."
