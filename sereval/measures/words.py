"""Word errors: substitutions, deletions, insertions, and the word error rate.

They are counted for all words, for the words of elements by label, and for the words of a biasing
list and the other words. Counts are stored and summed, and rates are derived.

Source: Levenshtein 1966; for elements, Del Rio et al., Interspeech 2021 (Earnings-21, fstalign);
for biasing lists, Le et al., Interspeech 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from ..errors import SerevalError
from .rates import Errors, Rate


class WordErrors(NamedTuple):
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

    def __add__(self, other: object) -> WordErrors:
        if not isinstance(other, WordErrors):
            return NotImplemented
        return WordErrors(*(one + more for one, more in zip(self, other, strict=True)))

    def __radd__(self, zero: object) -> WordErrors:
        """Let :func:`sum` begin with 0."""
        return self if zero == 0 else NotImplemented

    @property
    def ref(self) -> int:
        """The number of words of the reference."""
        return self.correct + self.S + self.D

    @property
    def rate(self) -> float | None:
        """Word error rate: ``(S + D + I) / ref``; ``None`` if the reference has no words."""
        return (self.S + self.D + self.I) / self.ref if self.ref else None


class ElementErrors(NamedTuple):
    """The word errors of elements; adds up with ``+``.

    Args:
        errors: the errors of the words of the elements; ``I`` counts the words that are inserted
            between two words of one element.
        border: words inserted beside an element and inside none. They are in no rate.
    """

    errors: WordErrors = WordErrors()
    border: int = 0

    def __add__(self, other: ElementErrors) -> ElementErrors:  # type: ignore[override]
        return ElementErrors(self.errors + other.errors, self.border + other.border)

    @property
    def rate(self) -> float | None:
        """Entity WER: the errors over the own words; ``None`` if there are no words."""
        return self.errors.rate


class WordParts(NamedTuple):
    """The word errors of documents by part; adds up with ``+``.

    Args:
        entities: the errors of the words inside any element; a word in several elements counts
            once.
        labels: the errors of the words inside elements of a label, by label, in alphabetical order.
            A word in elements of several labels counts once in each.
        biased: the errors of the words of the biasing list.
        unbiased: the errors of the other words.
    """

    entities: ElementErrors = ElementErrors()
    labels: Mapping[str, ElementErrors] = {}
    biased: WordErrors = WordErrors()
    unbiased: WordErrors = WordErrors()

    def __add__(self, other: WordParts) -> WordParts:  # type: ignore[override]
        none = ElementErrors()
        labels = {
            label: self.labels.get(label, none) + other.labels.get(label, none)
            for label in sorted({*self.labels, *other.labels})
        }
        entities, biased = self.entities + other.entities, self.biased + other.biased
        return WordParts(entities, labels, biased, self.unbiased + other.unbiased)


class BiasingList(NamedTuple):
    """The words that a recogniser was told to expect, or that are of interest otherwise.

    Args:
        words: one list for all documents; ``None``: each document has its own.
        documents: the list of each document, by id.
        signature: a text that identifies the lists, for signatures.
    """

    words: tuple[str, ...] | None = None
    documents: Mapping[str, tuple[str, ...]] = {}
    signature: str = ""

    def of(self, id: str) -> tuple[str, ...]:
        """The list of a document."""
        if self.words is not None:
            return self.words
        if id not in self.documents:
            raise SerevalError(f"{id}: found no biasing list, expected one for each document")
        return self.documents[id]


def word_rate(name: str) -> Rate:
    """A rate of word errors, such as ``WER`` or ``entity-wer.loc``."""
    return Rate(
        title=name,
        short=name,
        key="wer",
        size_is="words",
        nothing="no word of the reference",
        ref_is="words",
        figure=name,
    )


def word_errors(errors: WordErrors) -> Errors:
    """The word errors by kind."""
    deleted, inserted, wrong = map(Fraction, (errors.D, errors.I, errors.S))
    return Errors(deleted, inserted, wrong, errors.ref, errors.ref)
