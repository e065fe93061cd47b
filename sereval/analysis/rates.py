"""What all scores have in common: a rate, and the errors of documents and labels in this rate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Sized
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from ..evaluation.settings import Signature
from ..evaluation.totals import Evaluation
from ..evaluation.words import WordScore
from ..measures.rates import Errors, Rate
from ..schemes.result import SchemeScore

AnyScore: TypeAlias = Evaluation | SchemeScore
"""A score that can be audited. It keeps the outcome of each element."""


class Score(Protocol):
    """What all scores have in common: those of slots, of a scheme's figure, and of words.

    A score has a ``rate``, and in this rate its ``errors``, also ``by_label`` and of
    ``each_document``. Those of documents add up to all, and so do those of labels, but for words.
    ``by`` gives the same score with another rate: that of a figure.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("d", ("Dol",), tree([("loc", 0, 1)]))
    >>> score = evaluate([document], [Document("d", ("Dol",))])
    >>> score.rate.short, score.rate.of(score.errors), score.by("R").rate.short
    ('SER', Fraction(1, 1), 'Recall')
    """

    @property
    def documents(self) -> Sized: ...
    @property
    def ids(self) -> list[str]: ...
    @property
    def settings(self) -> Any: ...
    @property
    def signature(self) -> Signature: ...
    @property
    def rate(self) -> Rate: ...
    @property
    def errors(self) -> Errors: ...
    @property
    def by_label(self) -> dict[str, Errors]: ...
    @property
    def word_errors(self) -> WordScore | None: ...
    @property
    def word_score(self) -> WordScore | None: ...
    @property
    def has_other_words(self) -> bool: ...
    @property
    def notes(self) -> Any: ...
    @property
    def remarks(self) -> Sequence[str]: ...
    @property
    def keeps_outcomes(self) -> bool: ...
    def each_document(self) -> Iterator[tuple[str, Errors]]: ...
    def by(self, figure: str, title: str = "", /) -> Score: ...
    def only(self, ids: Collection[str]) -> Score: ...


def exact_rate(score: Score) -> Fraction | None:
    """The exact rate by which a score is compared; ``None`` where the denominator is 0."""
    return score.rate.of(score.errors)
