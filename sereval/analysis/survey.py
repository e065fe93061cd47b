"""The labels, notes and times of the documents to be scored, which are read one at a time.

``doctor`` reports the findings of this survey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

from ..corpus.corpus import swap_hint
from ..corpus.entries import Entry
from ..corpus.pairs import exact
from ..documents.mentions import find_mentions
from ..documents.model import Document, Note, Reference, is_to_be_found, sum_notes
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


Sides = Sequence[Sequence[Entry] | None]
"""The documents of references, hypotheses, and of the files that give times to each side; ``None``:
there are no such files."""

_Place = tuple[int, str]
"""The number of a document on its side, and its id."""


class Survey:
    """The labels, notes and times of the documents to be scored.

    Args:
        sides: the documents.
        settings: the settings of the scoring.
        labels: the changes of labels.
        by: how mentions are found in words, a policy ``mentions``.
    """

    def __init__(self, sides: Sides, settings: Settings, labels: Labels, by: str) -> None:
        self.settings, self.changes, self.by = settings, labels, by
        self.labels = Counter[str](), Counter[str]()
        self.mentions = 0
        self._notes: tuple[list[tuple[_Place, Note]], list[tuple[_Place, Note]]] = [], []
        self.errors: tuple[dict[str, str], dict[str, str], dict[str, str]] = {}, {}, {}
        self.clocks: list[Clock] = []
        self._seen: set[str] = set()
        self._refused: list[tuple[int, int, str]] = []
        self._known: dict[int, int] = {}
        read = [dict[int, tuple[Note, ...]]() for _ in sides]
        numbers = [{one.id: number for number, one in enumerate(side or ())} for side in sides]
        for id in dict.fromkeys(id for own in numbers for id in own):
            places = [own.get(id) for own in numbers]
            documents: list[Document | Reference | None] = []
            for side, place, notes in zip(sides, places, read, strict=True):
                found = None if side is None or place is None else side[place].read()
                if found is not None and place is not None and found.notes:
                    notes[place] = found.notes
                documents.append(found)
            self._add(places, documents, [side is not None for side in sides[2:]])
        self.read = [sum_notes(own[number] for number in sorted(own)) for own in read]

    def _add(
        self,
        places: Sequence[int | None],
        documents: Sequence[Document | Reference | None],
        has_times: Sequence[bool],
    ) -> None:
        """Add the documents of one id, one of each side."""
        ours, *others = documents
        theirs, *times = (None if one is None else exact(one) for one in others)
        words = times[1] if has_times[1] else ours
        if theirs is not None and words is not None and is_to_be_found(theirs):
            whose, limit = "hypothesis" if has_times[1] else "reference", self.settings.max_states
            theirs = find_mentions(theirs, words, by=self.by, whose=whose, max_states=limit)
            theirs = replace(theirs, times=None) if has_times[1] else theirs  # they are added below
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
            self.clocks.append(replace(found, apart=tuple(once(ms, ms) for ms in found.apart)))

    @property
    def notes(self) -> dict[str, list[tuple[str, Note]]]:
        """The id and the note of each finding of a reader, by side, in the order of the side."""
        return {
            side: [(id, note) for (_, id), note in sorted(own, key=itemgetter(0))]
            for side, own in zip(("reference", "hypothesis"), self._notes, strict=True)
        }
