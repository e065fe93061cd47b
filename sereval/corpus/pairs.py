"""Pairs of a reference and a hypothesis, and work on each pair.

A scheme uses only ``Pairs.each``, which gives the result of a function of each pair. So a scheme
need not know whether the documents are in memory (``PairList``) or are read one pair at a time
(``unread.PairStream``).
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
    """Pairs of documents in the order of their ids, in memory or in files."""

    def each(self, work: Callable[[_P_co], _R]) -> Iterator[_R]:
        """Apply ``work`` to each pair, and yield the results in order.

        Args:
            work: a function of one pair; it is sent between processes.
        """


@dataclass(frozen=True, slots=True)
class PairList(Generic[_P]):
    """Pairs of documents in memory.

    Args:
        pairs: a reference and a hypothesis of one id each, in the order of their ids.
        workers: the processes or the cluster that do the work.
        watch: wraps the pairs in an iterator that shows progress.

    >>> from sereval.documents.model import Document
    >>> pair = Document("d", ("Dol",)), Document("d", ("Dol",))
    >>> list(PairList([pair]).each(lambda pair: len(pair[0].words)))
    [1]
    """

    pairs: Sequence[_P]
    workers: Workers = THIS_PROCESS
    watch: Callable[[Sequence[_P]], Iterable[_P]] = iter

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """The result of ``work`` on each pair, in order."""
        return each(work, self.pairs, name=document_id, workers=self.workers, watch=self.watch)


class WithNotes(Generic[_P, _N]):
    """Pairs that collect the notes of each pair while ``each`` works on it.

    Args:
        pairs: the pairs.
        notes_of: gives the notes of a pair; it is sent between processes.

    Attributes:
        notes: the notes of each pair so far, in order.
    """

    def __init__(self, pairs: Pairs[_P], notes_of: Callable[[_P], _N]) -> None:
        self.pairs, self.notes_of = pairs, notes_of
        self.notes: list[_N] = []

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """The result of ``work`` on each pair, in order."""
        both = partial(_with_notes, work=work, notes_of=self.notes_of)
        for found, notes in self.pairs.each(both):
            self.notes.append(notes)
            yield found


def _with_notes(pair: _P, work: Callable[[_P], _R], notes_of: Callable[[_P], _N]) -> tuple[_R, _N]:
    return work(pair), notes_of(pair)


def document_id(pair: tuple[Any, Any]) -> str:
    """The id of both sides of a pair."""
    name: str = pair[0].id
    return name
