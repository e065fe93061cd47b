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

from .columns import (
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
from .errors import SerevalError
from .evaluate import paired
from .figures import Figure
from .labels import Labels
from .model import PLACES, Document, Note, Place, Reference, noted, told
from .scheme import Row, SchemeScore
from .settings import Settings
from .totals import chosen
from .words import COMPOSED, recut

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

    >>> from sereval.model import Element
    >>> reference = Document("d", ("FIAT", "SPA"), (Element("ORG", 0, 2),))
    >>> hypothesis = Columns("d", ("FIAT", "SPA"), ("B-ORG", "O"))
    >>> conll([(reference, hypothesis)]).score.total["type"]
    Figure(cor=0, inc=0, par=0, mis=1, spu=1)
    """
    gold, found = both_sides(pairs, elements)
    documents: dict[str, dict[str, Row]] = {}
    tokens: dict[str, Figure] = {}
    otherwise = 0
    for ours, theirs in zip(gold.columns, found.columns, strict=True):
        ours_tags, their_tags, breaks, composed = _on_same_words(ours, theirs)
        tally = conlleval(ours_tags, their_tags, breaks)
        otherwise += composed
        documents[ours.id] = {label: {"type": figure} for label, figure in tally.labels.items()}
        tokens[ours.id] = tally.tokens
    notes = (
        *gold.notes("reference"),
        *found.notes("hypothesis"),
        *composed_note(otherwise),
        *_difference(gold, found),
    )
    settings = described(gold, found, elements)
    return ConllScore(SchemeScore("conll", documents, settings, notes), tokens)


def pairs_of(
    references: Iterable[Side], hypotheses: Iterable[Side], *, missing: str = "error"
) -> list[tuple[Side, Side]]:
    """Sides of the same id, for :func:`conll` and ``evalita``: columns and documents may mix.

    Args:
        missing: a reference without a hypothesis is an ``error``, or counts as ``empty``.

    Raises:
        SerevalError: as :func:`sereval.evaluate.paired`.

    >>> gold = Columns("d", ("Bourges",), ("B-GPE",))
    >>> [(_, empty)] = pairs_of([gold], [], missing="empty")
    >>> empty.words, conll([(gold, empty)]).score.total["type"].mis
    (('Bourges',), 1)
    """
    left, right = list(references), list(hypotheses)
    found = paired(_names(left), _names(right), Settings(missing=missing))
    of_id = [{side.id: side for side in sides} for sides in (left, right)]
    return [(of_id[0][ref.id], of_id[1].get(hyp.id, hyp)) for ref, hyp in found]


def stand_ins(pairs: Iterable[tuple[Side, Side]], hypotheses: Iterable[Side]) -> list[Document]:
    """What :func:`pairs_of` has put in the place of missing hypotheses.

    >>> gold = Columns("d", ("Bourges",), ("B-GPE",))
    >>> [each.id for each in stand_ins(pairs_of([gold], [], missing="empty"), [])]
    ['d']
    """
    known = {side.id for side in hypotheses}
    found = (side for _, side in pairs if side.id not in known)
    return [side for side in found if isinstance(side, Document)]


def relabelled(
    references: Iterable[Side], hypotheses: Iterable[Side], labels: Labels
) -> tuple[list[Side], list[Side], tuple[str, ...]]:
    """Both sides with the labels that are asked for, and what was done, a sentence each.

    The phrases of columns are what is relabelled; their tags are then those of IOB2, so that
    neighbours that come to have one label stay two phrases.

    Raises:
        SerevalError: as :meth:`sereval.labels.Labels.applied`.

    >>> from sereval.labels import LabelMap
    >>> gold = Columns("d", ("Dol", "FIAT"), ("I-LOC", "I-ORG"), scheme="iob1")
    >>> [found], _, notes = relabelled([gold], [gold], Labels(LabelMap({"LOC": "X", "ORG": "X"})))
    >>> found.tags, notes
    (('B-X', 'B-X'), ('Reference: elements renamed by the map: 2.',))
    """
    references, hypotheses = list(references), list(hypotheses)
    if not labels.is_asked:
        return references, hypotheses, told(_read(references), _read(hypotheses))
    gold, found = (
        Shown([side for side in of if isinstance(side, Columns)]) for of in (references, hypotheses)
    )
    said = (*gold.notes("reference"), *found.notes("hypothesis"))
    ours, theirs = labels.applied(_documents(references), _documents(hypotheses))
    return (
        list(map(_as_given, references, ours)),
        list(map(_as_given, hypotheses, theirs)),
        (*said, *told(ours, theirs)),
    )


def _read(sides: Iterable[Side]) -> list[Document | Reference]:
    """Those that a reader made elements of; what is said of tags is said by their scheme."""
    return [side for side in sides if not isinstance(side, Columns)]


def how_read(references: Iterable[Side], hypotheses: Iterable[Side]) -> list[str]:
    """The policies by which either side was read, as in a signature.

    >>> how_read([Document("d", ("Dol",))], [Columns("d", ("Dol",), ("O",))])
    []
    """
    return chosen([(noted(_read(references)), noted(_read(hypotheses)))])


def _documents(sides: Iterable[Side]) -> list[Document | Reference]:
    return [document_of(side) if isinstance(side, Columns) else side for side in sides]


def _as_given(given: Side, document: Document | Reference) -> Side:
    """Columns again where it was columns; what is said of their tags has been said."""
    if not isinstance(given, Columns) or not isinstance(document, Document):
        return document
    tags = columns_of(document).tags
    return replace(
        given, tags=tags, scheme="iob2", is_detected=False, has_docstart=False, is_sound=False
    )


def _names(sides: Iterable[Side]) -> list[Document]:
    return [Document(side.id, side.words) for side in sides]


@dataclass(frozen=True, slots=True)
class Shown:
    """The columns of one side of all documents, and the elements that they cannot hold.

    Args:
        left_out: number of elements of trees that were not asked for.
    """

    columns: Sequence[Columns]
    left_out: int = 0

    @property
    def schemes(self) -> str:
        """The schemes of the tags, in alphabetical order."""
        return "+".join(sorted({each.scheme for each in self.columns}))

    def notes(self, name: str) -> Iterator[str]:
        """What a reader of the figures must know about this side, a sentence each."""
        if any(each.is_detected for each in self.columns):
            yield f"The tags of the {name} were taken for {self.schemes}; none was named."
        bare = sum(each.scheme == "none" for each in self.columns)
        if bare:
            yield (
                f"Documents of the {name} without tags, all of whose words count as O: {bare} of "
                f"{len(self.columns)}."
            )
        ill_formed = list(self.misplaced())
        if ill_formed:
            yield (
                f"Tags of the {name} that its scheme does not allow where they stand: "
                f"{len(ill_formed)}, the first {', '.join(map(str, ill_formed[:PLACES]))}; scored "
                "as conlleval reads them."
            )
        if self.left_out:
            yield f"Elements of the {name} left out of trees: {self.left_out}."
        if any(each.has_docstart for each in self.columns):
            yield (
                f"The -DOCSTART- lines of the {name} part documents and are no tokens; conlleval "
                "itself counts each as a correct token."
            )

    def misplaced(self) -> Iterator[Place]:
        """Each tag that is misplaced, and where."""
        for each in self.columns:
            note = misplaced_note(each)
            yield from () if note is None else note.places


def both_sides(pairs: Iterable[tuple[Side, Side]], elements: str | None) -> tuple[Shown, Shown]:
    """The columns of all references and of all hypotheses, in the order of the pairs."""
    columns: tuple[list[Columns], list[Columns]] = ([], [])
    left_out = [0, 0]
    for pair in pairs:
        for k, side in enumerate(pair):
            seen, lost = _shown(side, elements)
            columns[k].append(seen)
            left_out[k] += lost
    return Shown(columns[0], left_out[0]), Shown(columns[1], left_out[1])


def _shown(side: Side, elements: str | None) -> tuple[Columns, int]:
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
