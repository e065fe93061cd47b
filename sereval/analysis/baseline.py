"""The baseline of entity recognition: the entities of training data, found by look-up.

The baseline is a system that learns nothing but a list of entities. CoNLL-2003 defined it, and
EVALITA used it too::

    training     <loc>New York</loc>   <org>Times</org>   <loc>York</loc>   <org>York</org>
    list         New York: loc   Times: org               York: two labels, left out
    input        the New York Times of York
    found        the <loc>New York</loc> <org>Times</org> of York

Sources: Tjong Kim Sang and De Meulder, CoNLL-2003; Bartalesi Lenzi, Speranza and
Sprugnoli, EVALITA 2011, Guidelines for Participants, section 2.3.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ..alignment.normalise import EXACT, Normalisation
from ..documents.model import Document, Element

EntityText = tuple[str, ...]
"""The forms of the words of an entity."""


@dataclass(frozen=True)
class EntityList:
    """The entities of training data that have one label."""

    labels: Mapping[EntityText, str]  # by the forms of the entity's words
    ambiguous: int = 0  # the number of entities with several labels, which are left out
    normalise: Normalisation = EXACT

    @cached_property
    def _sizes(self) -> dict[str, list[int]]:
        """The numbers of words of the entities that begin with a word, the greatest first."""
        found: dict[str, set[int]] = {}
        for text in self.labels:
            found.setdefault(text[0], set()).add(len(text))
        return {word: sorted(sizes, reverse=True) for word, sizes in found.items()}

    @classmethod
    def of(cls, documents: Iterable[Document], normalise: Normalisation = EXACT) -> EntityList:
        """The entities of training data."""
        seen: dict[EntityText, str] = {}
        several: set[EntityText] = set()
        for document in documents:
            for element in document.elements:
                if element.parent is None:
                    words = document.words[element.start : element.end]
                    text = tuple(normalise.forms(words).texts)
                    if seen.setdefault(text, element.label) != element.label:
                        several.add(text)
        seen.pop((), None)  # entities of punctuation alone
        labels = {text: label for text, label in seen.items() if text not in several}
        return cls(labels, len(seen) - len(labels), normalise)

    def found_in(self, document: Document) -> Document:
        """A document with the entities of the list as its elements, in place of its own."""
        texts, spans = self.normalise.forms(document.words)
        bounds = (*document.breaks, len(document.words))
        found: list[Element] = []
        for place, (start, _) in enumerate(spans):
            if found and start < found[-1].end:
                continue
            bound = bounds[bisect_right(bounds, start)]
            for size in self._sizes.get(texts[place], ()):
                text = tuple(texts[place : place + size])
                end = spans[place + len(text) - 1][1]
                if text in self.labels and end <= bound:
                    found.append(Element(self.labels[text], start, end))
                    break
        return replace(document, elements=tuple(found), mentions=None, alternatives=())
