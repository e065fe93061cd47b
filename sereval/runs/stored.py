"""Scores whose outcomes are on disk: only the counts of each document stay in memory.

A document's words, its elements and their mapping are read again when a report asks for them. The
scores have the same attributes as those in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
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
        settings: the settings of the score; the errors of words are counted by them.

    Returns:
        A function of the result of a scheme for one document. It returns a result with the same
        attributes; one that has no outcomes, such as counts, it returns as it is.
    """
    store: Store[Any] = Store()
    known: dict[Any, Any] = {}

    def keep(result: Any) -> Any:
        if type(result) is tuple:  # what stands beside the score
            return tuple(map(keep, result))
        if isinstance(result, DocumentScore):
            counts = _shared(_counts(result, settings), known)
            kept = StoredScore(*counts)
            kept.stored = store.put(result)
            return kept
        if isinstance(result, DocumentCounts):
            return _shared(result, known)
        from ..schemes.result import DocumentFigures  # scores of slots do not need it

        if isinstance(result, DocumentFigures) and result.account is not None:
            account: Any = StoredAccount(store.put(result.account))
            return result._replace(account=account)
        return result

    return keep


def _counts(score: DocumentScore, settings: Settings) -> DocumentCounts:
    """The counts of a document, with its word errors if the words differ."""
    counts = DocumentCounts.of(score)
    if not settings.is_projected:
        return counts
    from ..evaluation.words import errors_beside  # same words do not need it

    return counts._replace(words=errors_beside((score.annotated, score.hypothesis), settings))


def _shared(counts: DocumentCounts, known: dict[Any, Any]) -> DocumentCounts:
    """Counts whose parts are those of other documents where they are equal: many are.

    Args:
        counts: the counts of a document.
        known: the labels and counts so far; those of the document are added.
    """

    def share(row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            known.setdefault(label, label): known.setdefault(own, own) for label, own in row.items()
        }

    words = counts.words
    if words is not None:
        parts = replace(words.parts, labels=share(words.parts.labels))
        words = words._replace(parts=parts)
    return counts._replace(labels=share(counts.labels), words=words)
