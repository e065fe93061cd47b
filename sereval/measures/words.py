"""Word errors: substitutions, deletions, insertions, and the word error rate.

They are counted for all words, for the words of elements by label, and for the words of a biasing
list and the other words. Counts are stored and summed, and rates are derived.

Source: Levenshtein 1966; for elements, Del Rio et al., Interspeech 2021 (Earnings-21, fstalign);
for biasing lists, Le et al., Interspeech 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import SerevalError
from .slots import Additive


@dataclass(frozen=True, slots=True)
class WordErrors(Additive):
    """The words of an alignment by outcome; adds up with ``+`` and :func:`sum`.

    Args:
        correct: pairs of equal words.
        S: substitutions, pairs of different words.
        D: deletions, words of the reference without a partner.
        I: insertions, words of the hypothesis without a partner.

    >>> errors = WordErrors(correct=6, S=1, D=1) + WordErrors(correct=2, I=1)
    >>> errors.ref, errors.rate
    (10, 0.3)
    """

    correct: int = 0
    S: int = 0
    D: int = 0
    I: int = 0  # noqa: E741 - the letter of the literature

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> WordErrors:
        """Word errors from the counts of an alignment (``WordAlignment.counts``).

        >>> WordErrors.of({"correct": 3, "substitution": 1, "deletion": 0, "insertion": 0}).rate
        0.25
        """
        names = ("correct", "substitution", "deletion", "insertion")
        return cls(*(counts[name] for name in names))

    @property
    def ref(self) -> int:
        """The number of words of the reference."""
        return self.correct + self.S + self.D

    @property
    def rate(self) -> float | None:
        """Word error rate: ``(S + D + I) / ref``; ``None`` if the reference has no words."""
        return (self.S + self.D + self.I) / self.ref if self.ref else None


@dataclass(frozen=True, slots=True)
class ElementErrors(Additive):
    """The word errors of elements; adds up with ``+``."""

    errors: WordErrors = WordErrors()  # I: words inserted between two words of one element
    border: int = 0  # words inserted beside an element and inside none; in no rate
    elements: int = 0
    lost: int = 0  # with a word that is not correct, or one inserted between two

    @property
    def survival(self) -> float | None:
        """The share of elements that are not lost; ``None`` if there are none."""
        return 1 - self.lost / self.elements if self.elements else None


class ByKey(dict[Any, ElementErrors]):
    """The errors of groups; adds up with ``+`` group by group, in the order of the groups."""

    def __add__(self, other: Mapping[Any, ElementErrors]) -> ByKey:
        none = ElementErrors()
        every = sorted({*self, *other})
        return ByKey({key: self.get(key, none) + other.get(key, none) for key in every})


@dataclass(frozen=True, slots=True)
class WordParts(Additive):
    """The word errors of documents, and by part; adds up with ``+``."""

    words: WordErrors = WordErrors()
    # words inside any element; one in several elements counts once
    entities: ElementErrors = ElementErrors()
    # by label, in alphabetical order; a word in elements of several labels counts in each
    labels: ByKey = field(default_factory=ByKey)
    # elements and those lost; the outermost have depth 1
    depths: ByKey = field(default_factory=ByKey)
    biased: WordErrors = WordErrors()  # the words of the biasing list

    @property
    def unbiased(self) -> WordErrors:
        """The errors of the other words."""
        return WordErrors(*(all - own for all, own in zip(self.words, self.biased, strict=True)))


class BiasingList(NamedTuple):
    """The words that a recogniser was told to expect, or that are of interest otherwise."""

    words: tuple[str, ...] | None = None  # for all documents; None: each has its own list
    documents: Mapping[str, tuple[str, ...]] = {}  # by id
    signature: str = ""  # identifies the lists in signatures

    def of(self, id: str) -> tuple[str, ...]:
        """The list of a document."""
        if self.words is not None:
            return self.words
        if id not in self.documents:
            raise SerevalError(f"{id}: found no biasing list, expected one for each document")
        return self.documents[id]


def unit_of(name: str) -> str:
    """What a rate of errors of words counts."""
    return "character" if name.startswith("CER") else "word"
