"""Scores whose outcomes are on disk: only the counts of each document stay in memory.

A document's words, its elements and their mapping are read again when a report asks for them. The
scores have the same attributes as those in memory.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import replace
from itertools import chain
from sys import intern
from typing import TYPE_CHECKING, Any

from ..corpus.store import Store, StorePlace
from ..evaluation.evaluate import DocumentScore
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentCounts, counts_of
from ..measures.slots import Counts

if TYPE_CHECKING:
    from ..evaluation.words import DocumentErrors
    from ..schemes.result import Account, DocumentFigures


def _read(name: str) -> Any:
    """An attribute that is read from disk."""
    return property(lambda self: getattr(self.stored.read(), name))


class StoredScore(DocumentCounts):
    """The counts of a document, with the other attributes of a :class:`DocumentScore` on disk.

    Attributes:
        stored: the place of the score.
    """

    stored: StorePlace[DocumentScore]
    annotated, reference = _read("annotated"), _read("reference")
    hypothesis, mapping, exact = _read("hypothesis"), _read("mapping"), _read("exact")

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

    def __init__(self, stored: StorePlace[Account]) -> None:
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
    shared = _SharedCounts()

    def keep(result: Any) -> Any:
        if type(result) is tuple:  # what stands beside the score
            return tuple(map(keep, result))
        if isinstance(result, DocumentScore):
            counts = shared.counts(_counts(result, settings))
            kept = StoredScore(*counts)
            kept.stored = store.put(result)
            return kept
        if isinstance(result, DocumentCounts):
            return shared.counts(result)
        words = getattr(result, "words", None)
        if words is not None:
            from ..evaluation.words import DocumentErrors  # same words do not need it

            if isinstance(words, DocumentErrors):
                return result._replace(words=shared.words(words))
        from ..schemes.result import DocumentFigures  # scores of slots do not need it

        if isinstance(result, DocumentFigures):
            account: Any = result.account and StoredAccount(store.put(result.account))
            return shared.figures(result)._replace(account=account)
        return result

    return keep


def _counts(score: DocumentScore, settings: Settings) -> DocumentCounts:
    """The counts of a document, with its word errors if the words differ."""
    counts = DocumentCounts.of(score)
    if not settings.is_projected:
        return counts
    from ..evaluation.words import errors_beside  # same words do not need it

    return counts._replace(words=errors_beside((score.annotated, score.hypothesis), settings))


class _Row(Mapping[str, Any]):
    """Counts by label, as the numbers of labels and counts that documents share.

    Args:
        known: the labels and the counts.
        numbers: the places of each label and of its counts among them, as bytes.
    """

    __slots__ = ("_known", "_numbers")

    def __init__(self, known: Sequence[Any], numbers: bytes) -> None:
        self._known, self._numbers = known, numbers

    def _read(self) -> dict[str, Any]:
        found = map(self._known.__getitem__, array("I", self._numbers))
        return dict(zip(found, found, strict=True))

    def __getitem__(self, label: str) -> Any:
        return self._read()[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def items(self) -> ItemsView[str, Any]:
        """Each label with its counts."""
        return self._read().items()

    def values(self) -> ValuesView[Any]:
        """The counts of each label."""
        return self._read().values()


class _SharedCounts:
    """Counts whose parts are those of other documents where they are equal: many are."""

    def __init__(self) -> None:
        self._every: list[Any] = []
        # the number of each; values of two types may be equal
        self._numbers: dict[type, dict[Any, int]] = defaultdict(dict)

    def _number(self, value: Any) -> int:
        """The number of a value among those that are shared."""
        kind = type(value)
        key = tuple(value.items()) if isinstance(value, dict) else value
        number = self._numbers[kind].setdefault(key, len(self._every))
        if number == len(self._every):
            self._every.append(value)
        return number

    def _once(self, value: Any) -> Any:
        return self._every[self._number(value)]

    def counts(self, counts: DocumentCounts) -> DocumentCounts:
        """The counts of a document."""
        return counts._replace(
            id=intern(counts.id),
            labels=self._row(counts.labels),
            fates=self._once(counts.fates),
            notes=self._once(counts.notes),
            words=counts.words and self.words(counts.words),
        )

    def words(self, words: DocumentErrors) -> DocumentErrors:
        """The errors of the words of a document."""
        of = words.parts
        parts = replace(
            of,
            entities=self._once(of.entities),
            labels=self._row(of.labels),
            biased=self._once(of.biased),
            unbiased=self._once(of.unbiased),
        )
        return words._replace(
            id=intern(words.id),
            errors=self._once(words.errors),
            parts=parts,
            readings=self._once(words.readings),
        )

    def figures(self, figures: DocumentFigures) -> DocumentFigures:
        """The figures of a document."""
        return figures._replace(id=intern(figures.id), labels=self._row(figures.labels))

    def _row(self, row: Mapping[str, Any]) -> _Row:
        """A row whose labels and counts are shared."""
        numbers = array("I", map(self._number, chain.from_iterable(row.items())))
        return _Row(self._every, numbers.tobytes())


def blame_on_disk(_settings: Settings) -> Callable[[Any], Any]:
    """A function that puts the cases of a document on manual or on recognised words on disk.

    Returns:
        As for ``on_disk``.
    """
    from ..analysis.blame_sides import ManualScore, RecognisedScore  # only blame needs it

    store: Store[Any] = Store()
    shared = _SharedCounts()

    def keep(result: Any) -> Any:
        if isinstance(result, ManualScore):
            return result._replace(cases=store.put(result.cases.read()))
        if isinstance(result, RecognisedScore):
            words = shared.words(result.words)
            return result._replace(cases=store.put(result.cases.read()), words=words)
        return result

    return keep
