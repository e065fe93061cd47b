"""References and hypotheses that belong together, and work on one such pair after another.

A scheme asks for no more than ``Pairs.each``: the result of a function of each pair. So a scheme
need not know whether the documents are in memory or are read when their turn comes (``unread``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from .executor import THIS_PROCESS, Workers, each

_P = TypeVar("_P", bound="tuple[Any, Any]")
_P_co = TypeVar("_P_co", bound="tuple[Any, Any]", covariant=True)
_R = TypeVar("_R")
_N = TypeVar("_N")


class Pairs(Protocol[_P_co]):
    """Pairs of documents in the order of their ids, wherever they are."""

    def each(self, work: Callable[[_P_co], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order; as :func:`sereval.corpus.executor.each`."""


@dataclass(frozen=True, slots=True)
class PairList(Generic[_P]):
    """Pairs that are in memory.

    Args:
        pairs: each of one id.
        workers: who does the work.
        watch: sees the pairs go by, to show progress.

    >>> from sereval.documents.model import Document
    >>> pair = Document("d", ("Dol",)), Document("d", ("Dol",))
    >>> list(PairList([pair]).each(lambda pair: len(pair[0].words)))
    [1]
    """

    pairs: Sequence[_P]
    workers: Workers = THIS_PROCESS
    watch: Callable[[Sequence[_P]], Iterable[_P]] = iter

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order."""
        return each(work, self.pairs, name=document_id, workers=self.workers, watch=self.watch)


class WithNotes(Generic[_P, _N]):
    """Pairs whose notes are kept while they are worked on.

    Args:
        notes_of: the notes of a pair; it goes from process to process.

    Attributes:
        notes: of each pair that was worked on, in order.
    """

    def __init__(self, pairs: Pairs[_P], notes_of: Callable[[_P], _N]) -> None:
        self.pairs, self.notes_of = pairs, notes_of
        self.notes: list[_N] = []

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order."""
        both = partial(_with_notes, work=work, notes_of=self.notes_of)
        for found, notes in self.pairs.each(both):
            self.notes.append(notes)
            yield found


def _with_notes(pair: _P, work: Callable[[_P], _R], notes_of: Callable[[_P], _N]) -> tuple[_R, _N]:
    return work(pair), notes_of(pair)


def document_id(pair: tuple[Any, Any]) -> str:
    """The name that both sides of a pair have."""
    name: str = pair[0].id
    return name
