"""Scores whose outcomes are on disk: only the counts of each document stay in memory.

A document's words, its elements and their mapping are read again when a report asks for them. The
scores have the same attributes as those in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..corpus.store import Store, Stored
from ..evaluation.evaluate import DocumentScore
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentCounts, counts_of
from ..measures.slots import Counts

if TYPE_CHECKING:
    from ..schemes.result import Account


def _read(name: str) -> Any:
    """An attribute that is read from disk."""
    return property(lambda self: getattr(self.stored.read(), name))


class StoredScore(DocumentCounts):
    """The counts of a document, with the other attributes of a :class:`DocumentScore` on disk.

    Attributes:
        stored: the place of the score.
    """

    stored: Stored[DocumentScore]
    annotated, reference = _read("annotated"), _read("reference")
    hypothesis, mapping = _read("hypothesis"), _read("mapping")

    @property
    def counts(self) -> Counts:
        """The counts over all labels."""
        return counts_of(self)


class StoredAccount:
    """An :class:`Account` on disk, with the same attributes.

    Args:
        stored: its place.
    """

    __slots__ = ("stored",)
    annotated, reference, hypothesis = _read("annotated"), _read("reference"), _read("hypothesis")
    verdicts, placement, labels = _read("verdicts"), _read("placement"), _read("labels")

    def __init__(self, stored: Stored[Account]) -> None:
        self.stored = stored


def on_disk(settings: Settings) -> Callable[[Any], Any]:
    """A function that puts the outcomes of the elements of a document on disk.

    Args:
        settings: of the score; the errors of words are counted by them.

    Returns:
        A function of the result of a scheme for one document. It returns a result with the same
        attributes; one that has no outcomes, such as counts, it returns as it is.
    """
    store: Store[Any] = Store()

    def keep(result: Any) -> Any:
        if type(result) is tuple:  # what stands beside the score
            return tuple(map(keep, result))
        if isinstance(result, DocumentScore):
            return _score_on_disk(result, store, settings)
        if isinstance(result, DocumentCounts):
            return result
        from ..schemes.result import DocumentFigures  # scores of slots do not need it

        if isinstance(result, DocumentFigures) and result.account is not None:
            account: Any = StoredAccount(store.put(result.account))
            return result._replace(account=account)
        return result

    return keep


def _score_on_disk(
    score: DocumentScore, store: Store[DocumentScore], settings: Settings
) -> StoredScore:
    counts = DocumentCounts.of(score)
    if settings.is_projected:
        from ..evaluation.words import errors_beside  # same words do not need it

        pair = score.annotated, score.hypothesis
        counts = counts._replace(words=errors_beside(pair, settings))
    found = StoredScore(*counts)
    found.stored = store.put(score)
    return found
