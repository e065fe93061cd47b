"""What a score is made of: counts by document and label, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Table
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..corpus.pairing import Pair
from ..documents.notes import Note, sum_notes
from ..labels.grammar import Grammar
from ..measures.slots import Counts, total
from ..version import __version__
from .settings import Settings
from .signature import Signature

if TYPE_CHECKING:
    from .evaluate import DocumentScore

SIDES = ("reference", "hypothesis")

Notes = tuple[tuple[Note, ...], tuple[Note, ...]]
"""What the readers of reference and hypothesis skipped, merged or made up."""


class DocumentCounts(NamedTuple):
    """One document's score and no more.

    Args:
        id: the document's name.
        labels: counts by label, labels in alphabetical order.
        definition: counts of the definition's own mapping, where the scheme has another.
        fates: what became of the unplaceable elements, and of how many.
        slack: how much dearer its alignment of words may be than the cheapest.
        fuzzy: how a fuzzy reference says that it was made; ``None``: the reference is not fuzzy.
        notes: what the readers of reference and hypothesis skipped, merged or made up.
    """

    id: str
    labels: Table[str, Counts]
    definition: Counts | None
    fates: Table[str, int]
    slack: int
    fuzzy: str | None
    notes: Notes

    @classmethod
    def of(cls, document: DocumentScore) -> DocumentCounts:
        """The counts of a document that was scored with all that says why."""
        return cls(*(getattr(document, name) for name in cls._fields))


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """A score: counts of documents, and what they add up to.

    Args:
        documents: in the order of their ids.
        settings: what they were scored with.
        grammar: tells types from components in reports; ``None``: nothing is assumed.
    """

    documents: tuple[DocumentCounts | DocumentScore, ...]
    settings: Settings
    grammar: Grammar | None = None

    @property
    def counts(self) -> Counts:
        """Over all documents."""
        return total(map(counts_of, self.documents))

    @property
    def labels(self) -> dict[str, Counts]:
        """Over all documents, by label in alphabetical order; they add up to ``counts``."""
        found: dict[str, list[Counts]] = {}
        for document in self.documents:
            for label, counts in document.labels.items():
                found.setdefault(label, []).append(counts)
        return {label: total(counts) for label, counts in sorted(found.items())}

    @property
    def kinds(self) -> dict[str, Counts]:
        """Types, components and labels unknown to the grammar; empty without a grammar."""
        if self.grammar is None:
            return {}
        kinds: dict[str, Counts] = {"types": Counts(), "components": Counts()}
        for label, counts in self.labels.items():
            kind = _kind(label, self.grammar)
            kinds[kind] = kinds.get(kind, Counts()) + counts
        return kinds

    @property
    def ser(self) -> float | None:
        """Slot error rate over all documents, ``None`` without any reference slot."""
        return self.counts.ser(self.settings.costs)

    @property
    def definition_counts(self) -> Counts | None:
        """Over all documents: the definition's own counts, where the scheme has others."""
        found = [one.definition for one in self.documents if one.definition is not None]
        return total(found) if self.settings.scheme != "quaero" else None

    @property
    def notes(self) -> dict[str, tuple[Note, ...]]:
        """What the readers of either side skipped, merged or made up, over all documents."""
        return {
            side: sum_notes(document.notes[k] for document in self.documents)
            for k, side in enumerate(SIDES)
        }

    @property
    def signature(self) -> Signature:
        """All that can change a digit; printed, it is one line."""
        fuzzy = projected(document.fuzzy for document in self.documents)
        read = chosen(document.notes for document in self.documents)
        return signed(self.settings, (*fuzzy, *read), self.grammar)

    def __repr__(self) -> str:
        """One line, for a corpus in full fills a notebook."""
        documents = len(self.documents)
        return f"<{type(self).__name__}: ser={self.ser}, documents={documents}, {self.signature}>"


def counts_of(document: DocumentCounts | DocumentScore) -> Counts:
    """The counts of a document over all labels."""
    return total(document.labels.values())


def signed(
    settings: Settings, parts: Iterable[tuple[str, str]], grammar: Grammar | None
) -> Signature:
    """All that can change a digit.

    Args:
        parts: what the documents add to the settings.
    """
    named = [] if grammar is None else [("grammar", grammar.signature)]
    return Signature([*settings.signature, *parts, *named, ("version", __version__)])


def projected(ways: Iterable[str | None]) -> list[tuple[str, str]]:
    """How fuzzy references were made, as in a signature; nothing where none is fuzzy.

    Args:
        ways: of each reference how it says that it was made; ``None``: it is not fuzzy.

    >>> projected([None, "tolerance:0.3", ""]), projected([None])
    ([('reference', 'fuzzy(tolerance:0.3)')], [])
    """
    fuzzy = {way for way in ways if way is not None}
    how = " or ".join(sorted(filter(None, fuzzy)))
    return [("reference", f"fuzzy({how})" if how else "fuzzy")] if fuzzy else []


def notes_of(pair: Pair) -> Notes:
    """What the readers of both sides had to say."""
    return pair[0].notes, pair[1].notes


def choices(pairs: Iterable[Pair]) -> list[tuple[str, str]]:
    """How each side was read, where that was chosen and there was something to choose.

    >>> from sereval.documents.model import Document
    >>> gaps = Note("entities in pieces, read as one", 3, "discontinuous=hull")
    >>> choices([(Document("d", ("Dol",), notes=(gaps,)), Document("d", ("Dol",)))])
    [('reference read', 'discontinuous=hull')]
    """
    return chosen(map(notes_of, pairs))


def chosen(notes: Iterable[tuple[Iterable[Note], Iterable[Note]]]) -> list[tuple[str, str]]:
    """The choices of the notes of either side, as in a signature.

    >>> chosen([([Note("entities in pieces, read as one", 3, "discontinuous=hull")], [])])
    [('reference read', 'discontinuous=hull')]
    """
    found: dict[str, set[str]] = {side: set() for side in SIDES}
    for both in notes:
        for names, of_side in zip(found.values(), both, strict=True):
            names.update(note.choice for note in of_side if note.choice)
    return [(f"{side} read", ",".join(sorted(of))) for side, of in found.items() if of]


def sentences(notes: Iterable[tuple[Iterable[Note], Iterable[Note]]]) -> tuple[str, ...]:
    """The notes of either side of all documents, a sentence each; as ``told`` of the documents.

    >>> sentences([([], [Note("relations, skipped", 2)]), ([], [Note("relations, skipped", 1)])])
    ('Hypothesis: relations, skipped: 3.',)
    """
    both = list(notes)
    return tuple(
        f"{side.capitalize()}: {note}."
        for k, side in enumerate(SIDES)
        for note in sum_notes(of_pair[k] for of_pair in both)
    )


def _kind(label: str, grammar: Grammar) -> str:
    if grammar.is_type(label):
        return "types"
    return "components" if grammar.is_component(label) else "unknown labels"
