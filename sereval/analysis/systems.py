"""The documents of several systems, processed one after another, for sweep and stability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairs import Pair, PairList, Pairs
from ..documents.model import Document, Reference
from ..evaluation.evaluate import paired
from ..evaluation.settings import Settings
from ..evaluation.totals import Notes, sentences

_R = TypeVar("_R")

DocumentSides = tuple[Sequence[Document | Reference], Sequence[Document]]
"""References and hypotheses, as `evaluate` takes them."""


@dataclass(frozen=True, slots=True)
class Systems:
    """The pairs of several systems, one system after the other.

    Args:
        names: the system of each pair.
        pairs: all pairs; their labels are already mapped.
    """

    names: Sequence[str]
    pairs: Pairs[Pair]

    def each(self, work: Callable[[Pair], _R]) -> Iterator[tuple[str, _R]]:
        """Apply ``work`` to each pair; yield the pair's system and the result, in order."""
        return zip(self.names, self.pairs.each(work), strict=True)


def systems_in_memory(
    systems: Mapping[str, DocumentSides],
    settings: Settings,
    *,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
) -> Systems:
    """The documents of several systems that are in memory.

    Args:
        systems: the references and hypotheses of each system, by name.
        settings: the label settings to apply, and the treatment of missing hypotheses.
        workers, watch: as in ``evaluate``.

    Raises:
        SerevalError: as ``paired``.
    """
    pairs = [(name, pair) for name in systems for pair in paired(*systems[name], settings)]
    names = [name for name, _ in pairs]
    return Systems(names, PairList([pair for _, pair in pairs], workers, watch))


def notes_by_system(notes: Iterable[tuple[str, Notes]]) -> tuple[str, ...]:
    """The notes of the readers, a sentence each; a note on a hypothesis begins with its system.

    Args:
        notes: the notes of each pair, with its system.
    """
    of_system: dict[str, list[Notes]] = {}
    for system, both in notes:
        of_system.setdefault(system, []).append(both)
    found: list[str] = []
    for system, own in of_system.items():
        found += sentences((ours, ()) for ours, _ in own)
        found += (f"{system}: {note}" for note in sentences(((), theirs) for _, theirs in own))
    return tuple(dict.fromkeys(found))  # systems share the reference
