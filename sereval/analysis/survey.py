"""The labels, notes and times of a campaign's documents, which are read one at a time.

``doctor`` reports the findings of this survey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Protocol

from ..corpus.corpus import swap_hint
from ..corpus.pairs import exact
from ..documents.mentions import Placements
from ..documents.model import Document, Note, Reference
from ..documents.odd import IDS, LABELS, TWICE
from ..documents.words import time_words
from ..errors import SerevalError
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..formats.answers import LEFT, UNREADABLE
from ..labels.relabel import SIDES, Labels, labels_of
from .clocks import Clock, clock

ADVICE = {
    TWICE: ("elements", "remove the repetitions, each counts"),
    LABELS: ("labels", "use the same spelling on both sides, or rename them with --map FILE"),
    IDS: ("counterparts", "use the same spelling on both sides"),
    LEFT: ("elements", "check that no entity is among them"),
    UNREADABLE: ("elements", "ask the model for JSON, each scores as an empty answer"),
}
"""The check and the advice for each note of a reader that is a finding."""


class UnreadDocument(Protocol):
    """A document that is read when it is its turn."""

    @property
    def id(self) -> str:
        """The document's name."""

    def read(self) -> Document | Reference:
        """Read the document."""


def _as_read(hypothesis: Document, _words: Document | Reference | None) -> Document:
    return hypothesis


@dataclass(frozen=True, slots=True)
class CampaignDocuments:
    """The documents to be scored, as they were read, or to be read one at a time.

    Args:
        references, hypotheses: the two sides.
        reference_times: documents from other files that give times to the references; ``None``:
            there are no such files.
        hypothesis_times: the same for the hypotheses.
        place: places the mentions of a hypothesis in words: those of the recogniser or, without
            these, of the reference; ``None``: there is no document of this id.
    """

    references: Sequence[Document | Reference | UnreadDocument]
    hypotheses: Sequence[Document | UnreadDocument]
    reference_times: Sequence[Document | UnreadDocument] | None = None
    hypothesis_times: Sequence[Document | UnreadDocument] | None = None
    place: Callable[[Document, Document | Reference | None], Document] = _as_read


_Place = tuple[int, str]
"""The number of a document on its side, and its id."""


class Survey:
    """The labels, notes and times of a campaign's documents.

    Args:
        campaign, settings: as for ``diagnosis``.
        labels: the changes of labels.
    """

    def __init__(self, campaign: CampaignDocuments, settings: Settings, labels: Labels) -> None:
        self.settings, self.changes = settings, labels
        self.labels = Counter[str](), Counter[str]()
        self.mentions = 0
        self._notes: tuple[list[tuple[_Place, Note]], list[tuple[_Place, Note]]] = [], []
        self._places: list[tuple[_Place, int | None]] = []
        self.errors: tuple[dict[str, str], dict[str, str], dict[str, str]] = {}, {}, {}
        self._clocks: list[Clock] = []
        self._seen: set[str] = set()
        self._refused: list[tuple[int, int, str]] = []
        self._known: dict[int, int] = {}
        self._read(campaign)

    def _read(self, campaign: CampaignDocuments) -> None:
        """Read all documents: each reference with what has its id, then what has no reference."""
        sides = (
            campaign.references,
            campaign.hypotheses,
            campaign.reference_times,
            campaign.hypothesis_times,
        )
        numbers = [
            None if side is None else {one.id: number for number, one in enumerate(side)}
            for side in sides
        ]
        has_times = [side is not None for side in sides[2:]]
        for id in dict.fromkeys(id for own in numbers for id in own or ()):
            places = [None if own is None else own.get(id) for own in numbers]
            ours, *others = (
                None if place is None or side is None else _read(side[place])
                for side, place in zip(sides, places, strict=True)
            )
            theirs, *times = (None if one is None else exact(one) for one in others)
            if theirs is not None:
                theirs = campaign.place(theirs, times[1] if sides[3] else ours)
            pair = self._add_side(0, places[0], ours), self._add_side(1, places[1], theirs)
            self._add_places(places[1], pair[1])
            swap = partial(swap_hint, *pair, *times)
            reference, hypothesis = (
                self._with_times(side, one, times[side], swap) if has_times[side] else one
                for side, one in enumerate(pair)
            )
            self._compare(reference, hypothesis)

    def _add_side(
        self, side: int, number: int | None, document: Document | Reference | None
    ) -> Document | Reference | None:
        """The document of a side with changed labels, after its notes and labels were counted."""
        if document is None or number is None:
            return None
        self._notes[side].extend(
            ((number, document.id), note)
            for note in document.notes
            if note.what in ADVICE or note.choice == "crossing=drop"
        )
        try:
            if self.changes.has_changes:
                self._seen |= labels_of([document])
                document = self.changes.relabel(document, SIDES[side])
        except SerevalError as error:
            self._refused.append((side, number, str(error)))
        self.labels[side].update(element.label for element in document.elements)
        if isinstance(document, Document):
            self.labels[side].update(mention.label for mention in document.mentions or ())
        return document

    def refused_labels(self) -> str:
        """Why the changes of labels are refused; empty: they are not."""
        try:
            if self.changes.has_changes:
                self.changes.check(frozenset(self._seen))
        except SerevalError as error:
            return str(error)
        return min(self._refused)[2] if self._refused else ""

    def _add_places(self, number: int | None, hypothesis: Document | Reference | None) -> None:
        """Count the mentions of a hypothesis that have no place, or more than one."""
        if not isinstance(hypothesis, Document) or number is None:
            return
        self.mentions += len(hypothesis.mentions or ())
        if hypothesis.places is not None:
            place = number, hypothesis.id
            try:
                self._places.append((place, Placements(hypothesis.places).open))
            except SerevalError:
                self._places.append((place, None))

    def _with_times(
        self,
        side: int,
        document: Document | Reference | None,
        times: Document | Reference | None,
        swap: Callable[[], str],
    ) -> Document | Reference | None:
        """A document with the times of its words; ``None``: there are none that fit."""
        if document is None or times is None:
            return None
        try:
            if isinstance(document, Reference):
                raise SerevalError(f"{document.id}: found a fuzzy reference, which takes no times")
            try:
                return time_words(document, exact(times))
            except SerevalError as error:
                raise SerevalError(f"{error}{swap()}") from None
        except SerevalError as error:
            self.errors[side][document.id] = str(error)
            return None

    def _compare(
        self, reference: Document | Reference | None, hypothesis: Document | Reference | None
    ) -> None:
        """Project a reference, and compare the clocks of both sides."""
        if reference is None or not isinstance(hypothesis, Document):
            return
        try:
            projection(reference, hypothesis, self.settings)
        except SerevalError as error:
            self.errors[2][reference.id] = str(error)
        found = clock(reference, hypothesis) if isinstance(reference, Document) else None
        if found is not None:
            once = self._known.setdefault
            self._clocks.append(replace(found, apart=tuple(once(ms, ms) for ms in found.apart)))

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clocks, in the order of the references."""
        return tuple(self._clocks)

    @property
    def notes(self) -> dict[str, list[tuple[str, Note]]]:
        """The id and the note of each finding of a reader, by side, in the order of the side."""
        return {
            side: [(id, note) for (_, id), note in sorted(own, key=itemgetter(0))]
            for side, own in zip(("reference", "hypothesis"), self._notes, strict=True)
        }

    @property
    def places(self) -> dict[str, int]:
        """How many mentions of each hypothesis have more than one place."""
        found = sorted(self._places, key=itemgetter(0))
        return {id: count for (_, id), count in found if count is not None}

    @property
    def many(self) -> list[str]:
        """The hypotheses with more such mentions than can be counted."""
        found = sorted(self._places, key=itemgetter(0))
        return [id for (_, id), count in found if count is None]


def _read(one: Document | Reference | UnreadDocument) -> Document | Reference:
    return one if isinstance(one, Document | Reference) else one.read()
