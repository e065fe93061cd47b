"""The sides of a pair as tags, and the score of a scheme that compares tags.

If a document was read with tags, and these tags give its elements, they are compared. Any other
document, and one whose labels have changed, is written in IOB2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ..documents.model import PLACES, Document, Element, Note, Reference
from ..documents.tags import Phrase, Tags, flat, iob2_of
from ..documents.words import COMPOSED
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings
from ..evaluation.totals import read_choices, sentences
from ..labels.relabel import SIDES
from ..measures.figures import Figure
from ..measures.slots import Slot
from .result import Account, FigureRow, SchemeScore, Verdict, one_alone, verdicts


class TagFacts(NamedTuple):
    """Facts about the tags of one side of a document, for the report.

    Args:
        scheme, is_detected, has_docstart, misplaced: as in ``Tags``.
        left_out: how many elements of a tree are not scored (``Settings.elements``).
    """

    scheme: str
    is_detected: bool
    has_docstart: bool
    misplaced: Note | None
    left_out: int

    @classmethod
    def of(cls, tags: Tags, left_out: int = 0) -> TagFacts:
        """The facts about some tags."""
        return cls(tags.scheme, tags.is_detected, tags.has_docstart, tags.misplaced, left_out)


class SideFacts(NamedTuple):
    """Facts about one side of a document, for the report.

    Args:
        scored: facts about the tags that are scored.
        read: facts about the tags that were read, if labels have changed since; else ``None``.
        notes: the document's notes, without the notes on its tags.
        columns: the columns that the user chose; empty: none.
    """

    scored: TagFacts
    read: TagFacts | None
    notes: tuple[Note, ...]
    columns: str


class TagSide(NamedTuple):
    """One side of a pair as tags.

    Args:
        document: its words, and the elements that are scored.
        tags: the tags of its words.
        facts: facts about the side, for the report.
    """

    document: Document
    tags: Tags
    facts: SideFacts


class TagCount(NamedTuple):
    """The counts of one document under a scheme that compares tags.

    Args:
        id: the document's name.
        labels: figures by label.
        tokens: correct and incorrect tags.
        sides: facts about reference and hypothesis, for the report.
        account: the verdict on each phrase; ``None`` unless ``Settings.figure`` names a
            figure.
    """

    id: str
    labels: Mapping[str, FigureRow]
    tokens: Figure
    sides: tuple[SideFacts, SideFacts]
    account: Account | None = None


def tag_side(document: Document | Reference, settings: Settings) -> TagSide:
    """Write one side of a pair as tags.

    Args:
        document: a reference or a hypothesis.
        settings: if its labels change, the tags that were read are not used.

    Raises:
        SerevalError: a fuzzy reference; a tree and no choice of elements; mentions.
    """
    if isinstance(document, Reference):
        raise SerevalError(
            f"{document.id}: found a fuzzy reference, expected a document: columns have one place "
            "for each tag"
        )
    own = document.tags
    choices = dict(note.choice.partition("=")[::2] for note in document.notes)
    columns = choices.get("columns", "")
    notes = tuple(note for note in document.notes if own is None or note not in own.notes)
    has_changes = settings.labels.has_changes
    if own is not None and not has_changes and own.spell(document):
        return TagSide(document, own, SideFacts(TagFacts.of(own), None, notes, columns))
    document, left_out = flat(document, settings.elements)
    tags = iob2_of(document)
    read = TagFacts.of(own) if own is not None and has_changes else None
    return TagSide(document, tags, SideFacts(TagFacts.of(tags, left_out), read, notes, columns))


def tag_score(
    scheme: str,
    found: Sequence[TagCount],
    settings: Settings,
    *,
    how: Iterable[tuple[str, str]] = (),
    notes: Iterable[str] = (),
    through: ByWords | None = None,
) -> SchemeScore:
    """The score over all documents.

    Args:
        scheme: its name.
        found: the counts of the documents, in the order of their ids.
        settings: the settings and options of the run.
        how: parts of the signature that only this scheme has.
        notes: sentences of this scheme; they follow the notes of the two sides.
        through: how the words of the two sides are aligned; ``None``: they are the same.
    """
    sides = [[one.sides[k] for one in found] for k in (0, 1)]
    of_readers = [(ours.notes, theirs.notes) for ours, theirs in zip(*sides, strict=True)]
    found_notes: list[str] = []
    for name, of_side in zip(SIDES, sides, strict=True):
        found_notes += _notes(name, [side.read for side in of_side if side.read is not None])
    found_notes += sentences(of_readers)
    for name, of_side in zip(SIDES, sides, strict=True):
        if not settings.is_bound:
            found_notes += _notes(name, [side.scored for side in of_side])
    columns = next((side.columns for side in chain(*sides) if side.columns), "")
    score = SchemeScore(
        scheme,
        {one.id: one.labels for one in found},
        (
            ("tags", "/".join(schemes_of(found))),
            *([("elements", settings.elements)] if settings.elements is not None else []),
            *how,
            *settings.selection,
            *([("missing", settings.missing)] if settings.missing != "error" else []),
            *([("columns", columns)] if columns else []),
            *settings.labels.signature,
            *read_choices(of_readers),
        ),
        (*found_notes, *notes),
        {one.id: one.tokens for one in found},
    )
    if settings.figure is None:
        return score
    accounts = tuple(one.account for one in found if one.account is not None)
    words = replace(settings, tolerance=None, through=through)
    return replace(score.by(settings.figure), accounts=accounts, words=words)


def phrase_verdicts(
    phrases: tuple[Sequence[Phrase], Sequence[Phrase]],
    correct: Mapping[str, Iterable[tuple[int, int]]],
) -> Iterator[Verdict]:
    """The verdicts on phrases that are correct, missing or spurious; ``correct``: by figure."""
    labels = [one.label for one in phrases[0]], [one.label for one in phrases[1]]
    for name, pairs in correct.items():
        right = Slot.CORRECT, {name: Figure(cor=1)}
        yield from verdicts(labels, dict(pairs), lambda *_, right=right: right, one_alone(name))


def phrase_account(
    documents: Iterable[Document],
    phrases: tuple[Sequence[Phrase], Sequence[Phrase]],
    verdicts: Iterable[Verdict],
) -> Account:
    """The account of a document with its phrases on the words of both sides."""
    ours, theirs = (
        replace(document, elements=tuple(Element(*phrase) for phrase in own), tags=None)
        for document, own in zip(documents, phrases, strict=True)
    )
    return Account(ours, Reference.exact(ours), theirs, tuple(verdicts))


def correct_pairs(
    phrases: tuple[Sequence[Phrase], Sequence[Phrase]], correct: Iterable[Phrase]
) -> list[tuple[int, int]]:
    """The indices of the correct phrases on either side, which have one label and one start.

    Args:
        phrases: the phrases of each side, in the same numbering.
        correct: the correct phrases.
    """
    ours, theirs = (
        {(phrase.label, phrase.start): k for k, phrase in enumerate(own)} for own in phrases
    )
    return [(ours[label, start], theirs[label, start]) for label, start, _ in correct]


def schemes_of(found: Sequence[TagCount]) -> tuple[str, str]:
    """The tag schemes of references and of hypotheses, joined by ``+`` in alphabetical order."""
    ours, theirs = ({one.sides[k].scored.scheme for one in found} for k in (0, 1))
    return "+".join(sorted(ours)), "+".join(sorted(theirs))


def _notes(name: str, tags: Sequence[TagFacts]) -> Iterator[str]:
    """The notes on the tags of one side, a sentence each."""
    if any(one.is_detected for one in tags):
        schemes = "+".join(sorted({one.scheme for one in tags}))
        yield f"No tagging scheme named; the tags of the {name} are read as {schemes.upper()}."
    misplaced = [one.misplaced for one in tags if one.misplaced is not None]
    if misplaced:
        places = [str(place) for note in misplaced for place in note.places[:PLACES]]
        yield (
            f"Tags of the {name} that its scheme does not allow where they stand: "
            f"{sum(note.count for note in misplaced)}, the first {', '.join(places[:PLACES])}; "
            "scored as conlleval reads them."
        )
    if left_out := sum(one.left_out for one in tags):
        yield f"Elements of the {name} left out of trees: {left_out}."
    if any(one.has_docstart for one in tags):
        yield (
            f"The -DOCSTART- lines of the {name} part documents and are no tokens; conlleval "
            "itself counts each as a correct token."
        )


def composed_note(count: int) -> Iterator[str]:
    """The note on words that differ only in how their accents are composed (NFC, NFD).

    >>> list(composed_note(0))
    []
    """
    if count:
        yield f"Hypothesis: {Note(COMPOSED, count)}."
