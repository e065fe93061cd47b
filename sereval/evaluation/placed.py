"""The placements of a list of mentions with the least and with the greatest cost.

A mention whose text occurs more than once can stand at several places. Among all placements
(``documents.mentions``) this module finds those with which the mapping of the definition costs
least and most. Reference elements whose candidates overlap are kept together; between them the cost
of a placement is a sum, and the search is exact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ..documents.mentions import MentionChoice, Placements
from ..documents.model import (
    Document,
    MentionPlaces,
    Note,
    Reference,
    ReferenceElement,
    changed,
    tree,
)
from ..documents.words import COMPOSED
from ..errors import SerevalError

OPEN = "mentions with more than one place in the words"
"""The note that counts the mentions whose place is open."""

_SIGNS = {"best": 1, "worst": -1}
"""The sign of the costs that are minimised, by placement: the worst has the most cost."""


class PlacedMentions:
    """All placements of the mentions of a document that is scored.

    Args:
        reference: the reference on the words of the hypothesis.
        hypothesis: the hypothesis, whose mentions were found in these words.
        places: the places of its mentions.
        cost: the cost of the best mapping of some elements of the reference and of the hypothesis.
        most: the most placements that are compared, as for ``Placements``.
    """

    def __init__(
        self,
        reference: Reference,
        hypothesis: Document,
        places: MentionPlaces,
        cost: Callable[[Reference, Document], int],
        most: int,
    ) -> None:
        self.reference = reference
        self.hypothesis = hypothesis
        self.places = places
        self.cost_of = cost
        self.trees = _trees(reference)
        joined = [(tree.start, tree.end) for tree in self.trees]
        try:
            self.placements = Placements(places, joined, most)
        except SerevalError as error:
            raise SerevalError(f"{reference.id}: {error}") from None
        self.open = self.placements.open
        self.known: dict[tuple[object, ...], int] = {}

    def noted(self, document: Document) -> Document:
        """A document with a note of the number of mentions whose place is open."""
        notes = (Note(OPEN, self.open),) if self.open else ()
        return changed(document, notes=(*document.notes, *notes))

    def document(self, placement: str) -> Document:
        """The hypothesis with another placement."""
        sign = _SIGNS[placement]

        def cost(start: int, end: int, chosen: MentionChoice) -> int:
            kinds = tuple((self.places.kinds[k], place) for k, place in chosen)
            key = start, end, kinds
            if key not in self.known:
                self.known[key] = self._cost(start, end, chosen)
            return sign * (self.known[key] - sum(self._cost_of_unfound(k) for k, _ in chosen))

        chosen = self.placements.cheapest(cost)
        found = {k for k, _ in chosen}
        others = (k for k in range(len(self.places.mentions)) if k not in found)
        document = self._placed(chosen, tuple(others))
        later = (note for note in self.hypothesis.notes if note.what == COMPOSED)
        notes = (*self.places.notes, *document.notes, *later)
        return self.noted(changed(document, notes=notes))

    def _cost_of_unfound(self, mention: int) -> int:
        """What a mention costs that is not found; only its label counts."""
        key = (self.places.mentions[mention].label,)
        if key not in self.known:
            self.known[key] = self._cost(0, 0, (), (mention,))
        return self.known[key]

    def _cost(
        self, start: int, end: int, chosen: MentionChoice, unfound: tuple[int, ...] = ()
    ) -> int:
        """The cost of what starts between two frontiers, and of mentions that are not found."""
        first, after = (bisect_left(self.trees, (frontier,)) for frontier in (start, end))
        elements: tuple[ReferenceElement, ...] = ()
        if first < after:
            base = self.trees[first].first
            elements = tuple(
                element
                if element.parent is None
                else replace(element, parent=element.parent - base)
                for element in self.reference.elements[base : self.trees[after - 1].after]
            )
        reference = changed(self.reference, words=(), elements=elements, unplaceable=())
        return self.cost_of(reference, changed(self._placed(chosen, unfound), words=()))

    def _placed(self, chosen: MentionChoice, unfound: tuple[int, ...]) -> Document:
        """Mentions on their places, mentions that are not found, and the notes on their labels."""
        mentions = self.places.mentions
        document = changed(
            self.hypothesis,
            elements=tree((mentions[k].label, place.start, place.end) for k, place in chosen),
            mentions=tuple(mentions[k] for k in unfound),
            notes=(),
            places=None,
        )
        for change in self.places.changes:
            document = change(document)
        return changed(document, places=self.places)


class _Trees(NamedTuple):
    """Trees of the reference that lie next to each other and whose candidates overlap.

    Args:
        start, end: the first and the last candidate of their tags.
        first, after: their first element, and the element after their last.
    """

    start: int
    end: int
    first: int
    after: int


def _trees(reference: Reference) -> list[_Trees]:
    """The trees of a reference from left to right, together if their candidates overlap."""
    tops = [r for r, element in enumerate(reference.elements) if element.parent is None]
    spans = []
    for first, after in pairwise([*tops, len(reference.elements)]):
        elements = reference.elements[first:after]
        start = min(element.starts[0] for element in elements)
        spans.append(_Trees(start, max(element.ends[-1] for element in elements), first, after))
    found: list[_Trees] = []
    for own in sorted(spans):
        if found and own.start < found[-1].end:
            last = found.pop()
            ends = max(last.end, own.end), min(last.first, own.first), max(last.after, own.after)
            own = _Trees(last.start, *ends)
        found.append(own)
    return found
