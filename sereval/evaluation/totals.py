"""Scores: counts by document and label, and their sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ..corpus.corpus import Pair
from ..documents.model import Document, Note, Reference, sum_notes
from ..errors import one_line
from ..labels.grammar import Grammar
from ..labels.relabel import SIDES
from ..mapping.best import Mapping
from ..measures.slots import (
    SLOT_ERROR_RATE,
    Counts,
    Errors,
    Rate,
    Slot,
    match_rate,
    slot_errors,
)
from ..render.report import Paged, Report, Reported
from .settings import Settings, Signature, selected

if TYPE_CHECKING:
    from .words import DocumentErrors, WordScore

Notes = tuple[tuple[Note, ...], tuple[Note, ...]]
"""The notes of the readers of reference and hypothesis: what they skipped, merged or made up."""


class Mapped(NamedTuple):
    """The two sides of a scored document, and their mapping."""

    annotated: Document | Reference  # before projection
    reference: Reference  # on the hypothesis's words
    hypothesis: Document
    mapping: Mapping
    exact: tuple[tuple[int, int], ...] = ()  # the pairs that precision and recall count


class DocumentScore(NamedTuple):
    """The score of one document.

    Args:
        id: the document's name.
        labels: counts by label, labels in alphabetical order.
        notes: the notes of the readers of reference and hypothesis.
        fates: number of unplaceable elements by fate (``dropped``, ``missed``, ``merged``).
        slack: the most that its alignment of words may cost beyond the cheapest.
        fuzzy: the projection that a fuzzy reference from a file names; ``None``: the reference is
            not fuzzy.
        others: counts of other mappings: the definition's own, then the cheapest and the costliest
            that LNE's program may choose; empty for the definition's scheme.
        words: the errors of the hypothesis's words; ``None``: they are the reference's, or were not
            compared.
        mapped: both sides with their mapping; ``None``: only the counts were kept.

    >>> from sereval import evaluate, from_spans
    >>> gold = from_spans(["Dol"], [("loc", 0, 1)], id="d")
    >>> [document] = evaluate([gold], [gold]).documents
    >>> document.id, document.labels["loc"].C, document.mapped.mapping.pairs
    ('d', 1, ((0, 0),))
    """

    id: str
    labels: Table[str, Counts]
    notes: Notes
    fates: Table[str, int]
    slack: int = 0
    fuzzy: str | None = None
    others: tuple[Counts, ...] = ()
    words: DocumentErrors | None = None
    mapped: Mapped | None = None

    @property
    def counts(self) -> Counts:
        """The counts over all labels."""
        return Counts.sum(self.labels.values())


class ScoreInterval(NamedTuple):
    """A bootstrap interval of the rate of a score, and how it was made."""

    measure: str  # the name of the rate
    low: float | None  # rates, not in percent; None: a single unit, or no rate on any resample
    high: float | None
    undefined: int  # resamples left out: their denominator is 0
    unit: str  # what was resampled: document or utterance
    units: int  # their number
    confidence: float  # from 0 to 1
    resamples: int
    seed: int


@dataclass(frozen=True)
class OfDocuments:
    """What is found in documents with some settings."""

    documents: tuple[Any, ...]
    settings: Any

    def only(self, ids: Collection[str]) -> Self:
        """The same of some of the documents; its signature names them."""
        documents = tuple(one for one in self.documents if one.id in ids)
        return replace(self, documents=documents, settings=selected(self.settings, ids))


@dataclass(frozen=True)
class CountedScore(OfDocuments):
    """What all scores have: documents, settings, and the figure by which they are compared."""

    figure: str = ""

    @property
    def ids(self) -> list[str]:
        """The ids of its documents."""
        return [one.id for one in self.documents]

    @property
    def mapped(self) -> tuple[Any, ...]:
        """What is kept of each document besides counts; empty if nothing is."""
        return tuple(one.mapped for one in self.documents if one.mapped is not None)

    @property
    def word_score(self) -> WordScore | None:
        """The errors of the hypotheses' words; ``None``: this kind of score has none."""
        return None

    @property
    def word_errors(self) -> WordScore | None:
        """The errors of the hypotheses' words, for all words and by label.

        ``None`` if no word is wrong, or if words were not compared: both sides have the same, or
        one has only mentions.
        """
        return self.word_score and self.word_score.if_wrong


@dataclass(frozen=True, repr=False)
class Evaluation(Paged, Reported, CountedScore):
    """A score: the counts of documents, and their sums.

    The rate ``ser``, the sums ``counts``, ``labels`` and ``kinds``, the ``word_errors``, the
    ``notes`` and the ``signature`` are computed from the documents when they are asked for.

    Args:
        documents: the score of each document, in the order of their ids.
        settings: the settings of the score.
        figure: the rate for comparisons: ``SER``, ``P``, ``R`` or an F-measure of exact matches.
        interval: the interval of ``ser``; ``None``: none was asked for.

    >>> from sereval import evaluate, from_spans
    >>> words = ["Jacques", "Chirac"]
    >>> gold, found = from_spans(words, [("pers", 0, 2)]), from_spans(words, [("pers", 1, 2)])
    >>> score = evaluate([gold], [found])
    >>> score.ser, score.counts.S_S, score.labels["pers"].ref
    (0.5, 1, 1)
    """

    documents: tuple[DocumentScore, ...]
    settings: Settings
    figure: str = "SER"
    interval: ScoreInterval | None = None

    def by(self, figure: str, _: str = "") -> Evaluation:
        """The same score with another rate for comparisons."""
        return replace(self, figure=figure)

    @property
    def rate(self) -> Rate:
        """The rate by which the score is compared."""
        return SLOT_ERROR_RATE if self.figure == "SER" else match_rate(self.figure)

    @property
    def errors(self) -> Errors:
        """The errors over all documents, in this rate."""
        return self._errors(self.counts)

    def _errors(self, counts: Counts) -> Errors:
        return slot_errors(counts, self.figure, self.settings.costs)

    def each_document(self) -> Iterator[tuple[str, Errors]]:
        """The id and the errors of each document."""
        return ((one.id, self._errors(one.counts)) for one in self.documents)

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label, in alphabetical order."""
        return {label: self._errors(counts) for label, counts in self.labels.items()}

    @property
    def has_other_words(self) -> bool:
        """Whether the words of the two sides may differ."""
        return self.settings.is_projected

    @property
    def remarks(self) -> list[str]:
        """What the scorer says of its counts, a sentence each."""
        from .report import neutral_notes, unplaceable_notes

        return [*neutral_notes(self), *unplaceable_notes(self)]

    def classes(self) -> Iterator[tuple[str, dict[str, Counter[Slot]]]]:
        """The number of slots by label and class of each document, after its id."""
        for one in self.documents:
            rows = one.labels.items()
            yield one.id, {label: Counter({s: own[s] for s in Slot}) for label, own in rows}

    @cached_property
    def counts(self) -> Counts:
        """The counts over all documents and labels."""
        return Counts.sum(one.counts for one in self.documents)

    @cached_property
    def labels(self) -> dict[str, Counts]:
        """The counts of each label over all documents, in alphabetical order."""
        found: dict[str, list[Counts]] = {}
        for document in self.documents:
            for label, counts in document.labels.items():
                found.setdefault(label, []).append(counts)
        return {label: Counts.sum(counts) for label, counts in sorted(found.items())}

    @property
    def kinds(self) -> dict[str, Counts]:
        """The counts of types, components and unknown labels; empty without a grammar."""
        kinds = by_kind(self.labels, self.settings.grammar).items()
        return {kind: Counts.sum(map(self.labels.__getitem__, own)) for kind, own in kinds}

    @property
    def ser(self) -> float | None:
        """Slot error rate over all documents; ``None`` if the reference has no slot."""
        return self.counts.ser(self.settings.costs)

    @property
    def others(self) -> list[Counts]:
        """The counts of other mappings, as in the documents; empty for the definition's scheme.

        The definition's own mapping, then the cheapest and the most costly one that LNE's program
        may choose: equal costs mean that no tie can move the figure.
        """
        return [
            Counts.sum(own) for own in zip(*(one.others for one in self.documents), strict=True)
        ]

    @cached_property
    def word_score(self) -> WordScore | None:
        """The same as ``word_errors``, also if no word is wrong."""
        if not self.settings.is_projected:
            return None
        from .words import score_beside  # scores on the same words do not need it

        return score_beside((one.words for one in self.documents), self.settings)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the readers over all documents, a sentence each."""
        return sentences(document.notes for document in self.documents)

    @property
    def signature(self) -> Signature:
        """All names and values that can change a result; its text is one line."""
        ways = {one.fuzzy for one in self.documents if one.fuzzy is not None}
        how = " or ".join(sorted(filter(None, ways)))
        fuzzy = [("reference", f"fuzzy({how})" if how else "fuzzy")] if ways else []
        read = read_choices(document.notes for document in self.documents)
        return signature_of(self.settings, (*fuzzy, *read))

    @property
    def precision(self) -> float | None:
        """The share of the hypothesis's elements that are exact matches; ``None`` without any."""
        return self.counts.precision

    @property
    def recall(self) -> float | None:
        """The share of the reference's elements that are exact matches; ``None`` without any."""
        return self.counts.recall

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; ``None`` without elements."""
        return self.counts.f1

    def report(self) -> Report:
        """The counts and rates of all documents, by label and by document."""
        from .report import report_of  # many scores are never shown

        return report_of(self)


def signature_of(settings: Settings, parts: Iterable[tuple[str, str]]) -> Signature:
    """The signature of a score; ``parts`` are names and values that depend on the documents."""
    grammar = settings.grammar
    named = [] if grammar is None else [("grammar", grammar.signature)]
    return Signature.of(*settings.signature, *parts, *named)


def notes_of(pair: Pair) -> Notes:
    """The notes of both sides of a pair."""
    return pair[0].notes, pair[1].notes


def read_choices(notes: Iterable[tuple[Iterable[Note], Iterable[Note]]]) -> list[tuple[str, str]]:
    """The choices that changed how a side was read, as parts of a signature."""
    found = []
    for side, own in zip(SIDES, zip(*notes, strict=True), strict=False):
        if choices := {note.choice for note in chain.from_iterable(own) if note.choice}:
            found.append((f"{side} read", ",".join(sorted(choices))))
    return found


def sentences(
    documents: Iterable[Sequence[Iterable[Note]]], sides: Sequence[str] = SIDES
) -> tuple[str, ...]:
    """The notes of all documents as sentences, added up by side."""
    found = []
    for side, own in zip(sides, zip(*documents, strict=True), strict=False):
        found += [one_line(f"{side.capitalize()}: {note}.") for note in sum_notes(own)]
    return tuple(found)


def notes_by_system(notes: Iterable[tuple[str, Notes]]) -> tuple[str, ...]:
    """The notes of the readers, a sentence each; a note on a hypothesis begins with its system."""
    of_system: dict[str, list[Notes]] = {}
    for system, both in notes:
        of_system.setdefault(system, []).append(both)
    found: list[str] = []
    for system, own in of_system.items():
        for note in sentences(own):
            is_ours = note.startswith(SIDES[0].capitalize())
            found.append(note if is_ours else f"{system}: {note}")
    return tuple(dict.fromkeys(found))  # systems share the reference


def by_kind(labels: Iterable[str], grammar: Grammar | None) -> dict[str, list[str]]:
    """Labels by kind: types, components, and unknown ones if there are any."""
    if grammar is None:
        return {}
    found: dict[str, list[str]] = {"types": [], "components": []}
    for label in labels:
        kind = "components" if label in grammar.components else "unknown labels"
        found.setdefault("types" if label in grammar.types else kind, []).append(label)
    return found
