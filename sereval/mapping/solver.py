"""Solving the clusters of a document, each shape once, within a budget of states.

Most clusters are equal to one that was solved before, so a :class:`Solver` keeps its answers. A
:class:`Budget` limits the states of all searches of a document together. A document that needs more
is refused; the message names the place in the document where the limit was reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import Generic, Protocol, TypeVar

from ..documents.model import Reference
from ..errors import SerevalError
from .clusters import Cluster, Origin
from .search import TooManyStates

PORTION = 1000
"""For each ``PORTION`` elements, the limit of a document grows by the limit of one search. Without
a limit for the document, many hard searches could take far longer than one that is refused."""

KEPT = 1 << 14
"""How many answers a solver keeps."""

WAYS_OUT = "a smaller tolerance, less nesting, or a larger --max-states"
"""What a user can change if a document is refused."""


class Unsettled(SerevalError):
    """The error for a document whose search reaches its limit."""


def state_budget(elements: int, max_states: int) -> int:
    """How many states all searches of a document may visit together.

    Args:
        elements: number of elements of the document, on both sides.
        max_states: how many states one search may visit.

    >>> state_budget(999, 50), state_budget(2000, 50)
    (50, 150)
    """
    return max_states * (1 + elements // PORTION)


class Budget:
    """The states that several searches may visit together.

    Args:
        limit: how many states.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0

    def spend(self, states: int) -> None:
        """Count the states of one more search.

        Args:
            states: how many states the search visited.

        Raises:
            TooManyStates: all searches together exceed the limit.
        """
        self.spent += states
        if self.spent > self.limit:
            raise TooManyStates(self.limit)


class Answer(Protocol):
    """The answer to a cluster, such as a ``Solution``."""

    @property
    def states(self) -> int:
        """How many states the searches for it visited."""


A = TypeVar("A", bound=Answer)

Parts = Sequence[tuple[Origin, Cluster]]
"""The independent parts of a problem, in order, each with its origin."""


class Solver(Generic[A]):
    """A function of clusters that keeps its answers.

    Args:
        answer: gives the answer to a cluster, which depends on the cluster alone; it may raise
            ``TooManyStates``.

    Attributes:
        answer: the same function; it keeps the answers to ``KEPT`` clusters.
    """

    def __init__(self, answer: Callable[[Cluster], A]) -> None:
        self.answer = lru_cache(maxsize=KEPT)(answer)

    def answers(
        self, reference: Reference, parts: Parts, max_states: int
    ) -> Iterator[tuple[Origin, A]]:
        """The answers to all parts of a document, in order.

        Args:
            reference: the reference, for messages.
            parts: the parts of the document, from ``cut``.
            max_states: how many states one search may visit.

        Raises:
            Unsettled: a search reaches its limit, or all searches together reach theirs.
        """
        budget = Budget(state_budget(sum(cluster.size for _, cluster in parts), max_states))
        for origin, cluster in parts:
            yield origin, self.of_part(reference, origin, cluster, budget)

    def of_part(self, reference: Reference, origin: Origin, cluster: Cluster, budget: Budget) -> A:
        """The answer to one part of a document.

        Args:
            reference: the reference, for messages.
            origin, cluster: the part.
            budget: the budget of the document, from which the states of the answer are taken.

        Raises:
            Unsettled: as for ``answers``.
        """
        try:
            answer = self.answer(cluster)
        except TooManyStates as error:
            raise _refusal(error, reference, origin, cluster) from None
        try:
            budget.spend(answer.states)
        except TooManyStates as error:
            last = origin.reference
            raise Unsettled(
                f"{reference.id}: up to reference element {last} "
                f"({reference.elements[last].label}) all searches together need more than "
                f"{error.most_states} states, expected fewer: {WAYS_OUT}"
            ) from None
        return answer


def _refusal(
    error: TooManyStates, reference: Reference, origin: Origin, cluster: Cluster
) -> Unsettled:
    """The error for a cluster whose search reached its limit."""
    for further, part in error.parts:
        origin = Origin(*map(add, origin, further))
        cluster = part
    first = reference.elements[origin.reference]
    others = len(cluster.parents) + len(cluster.hypotheses) - 1
    last = max(those[-1] for those in cluster.candidates)
    after = origin.frontier + max(last, *(other.end for other in cluster.hypotheses), 0)
    return Unsettled(
        f"{reference.id}: reference element {origin.reference} ({first.label}) and {others} more "
        f"between frontiers {origin.frontier} and {after} need a search of more than "
        f"{error.most_states} states, expected fewer: {WAYS_OUT}"
    )
