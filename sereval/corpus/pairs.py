"""References and hypotheses that belong together, and work on one such pair after another.

Whoever scores asks for no more than this: do that with each pair, and give me what comes of it. So
it is all the same to a scheme whether documents are in memory, or are read when their turn comes
(``stream``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from .executor import THIS_PROCESS, Workers, each

_P = TypeVar("_P", bound="tuple[Any, Any]")
_P_co = TypeVar("_P_co", bound="tuple[Any, Any]", covariant=True)
_R = TypeVar("_R")


class Pairs(Protocol[_P_co]):
    """Pairs of documents in the order of their ids, wherever they are."""

    def each(self, work: Callable[[_P_co], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order; as :func:`sereval.corpus.executor.each`."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[_P]):
    """Pairs that are in memory.

    Args:
        pairs: each of one id.
        workers: who does the work.
        watch: sees the pairs go by, to show progress.

    >>> from sereval.documents.model import Document
    >>> pair = Document("d", ("Dol",)), Document("d", ("Dol",))
    >>> list(Loaded([pair]).each(lambda pair: len(pair[0].words)))
    [1]
    """

    pairs: Sequence[_P]
    workers: Workers = THIS_PROCESS
    watch: Callable[[Sequence[_P]], Iterable[_P]] = iter

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order."""
        return each(work, self.pairs, name=document_id, workers=self.workers, watch=self.watch)


def document_id(pair: tuple[Any, Any]) -> str:
    """The name that both sides of a pair have."""
    name: str = pair[0].id
    return name
