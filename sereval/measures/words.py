"""Word errors: substitutions, deletions, insertions, and the word error rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


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
        """Word errors from the counts of an alignment (``WordAlignment.counts``)."""
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
