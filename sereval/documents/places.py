"""The places where the mentions of a list may stand in the words of a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from .model import Document, Mention, Reference
from .notes import Note


class MentionWords(NamedTuple):
    """Words whose text equals a mention's text or is near it.

    Args:
        start, end: frontiers of the words.
        distance: edit distance to the mention's text.

    >>> MentionWords(1, 3, 0)
    MentionWords(start=1, end=3, distance=0)
    """

    start: int
    end: int
    distance: int


DocumentChange = Callable[[Document], Document]


@dataclass(frozen=True, slots=True)
class MentionPlaces:
    """A list of mentions with all places where each may stand.

    ``find_mentions`` puts the mentions on some of these places. ``placements`` finds all ways to
    put them there.

    Args:
        mentions: the mentions in the order of the list, with the labels of the system.
        kinds: the kind of each mention. Mentions of one kind have the same label and text.
        places: the places of each kind, by start and then by end; none: its text is not in the
            words.
        found: the most mentions that can be found together.
        distance: the least sum of edit distances of so many mentions.
        notes: the notes of the document when its mentions were found.
        changes: the changes of labels since then, in order; each changes a hypothesis.

    >>> from sereval import Document, Mention, find_mentions
    >>> said = Document("d", (), mentions=(Mention("loc", "Dol"),))
    >>> find_mentions(said, Document("d", ("Dol", "or", "Dol"))).places.places
    ((MentionWords(start=0, end=1, distance=0), MentionWords(start=2, end=3, distance=0)),)
    """

    mentions: tuple[Mention, ...]
    kinds: tuple[int, ...]
    places: tuple[tuple[MentionWords, ...], ...]
    found: int
    distance: int
    notes: tuple[Note, ...] = ()
    changes: tuple[DocumentChange, ...] = ()

    def moved(self, frontiers: Sequence[int]) -> MentionPlaces:
        """The same places after the words were cut otherwise.

        Args:
            frontiers: the new frontier of each frontier.
        """
        places = tuple(
            tuple(
                place._replace(start=frontiers[place.start], end=frontiers[place.end])
                for place in of_kind
            )
            for of_kind in self.places
        )
        return replace(self, places=places)

    def after(self, change: DocumentChange) -> MentionPlaces:
        """The same places after one more change of labels.

        Args:
            change: the change.
        """
        return replace(self, changes=(*self.changes, change))


_H = TypeVar("_H", Document, Document | Reference)


def after_change(document: _H, change: DocumentChange) -> _H:
    """A document whose labels were changed, so that all placements of its mentions have the change.

    Args:
        document: the document after the change.
        change: the change.
    """
    if not isinstance(document, Document):
        return document
    places: MentionPlaces | None = document.places
    return document if places is None else replace(document, places=places.after(change))


def is_to_be_found(document: Document | Reference) -> bool:
    """Whether a document has mentions, and no words yet.

    >>> is_to_be_found(Document("d", (), mentions=(Mention("loc", "Dol"),)))
    True
    """
    return isinstance(document, Document) and document.mentions is not None and not document.words
