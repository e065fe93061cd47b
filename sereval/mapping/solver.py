"""Solving the clusters of a document: each shape once, and within a number of states.

Most clusters have the shape of one that was solved before, so a :class:`Solver` keeps what it
found. What the searches of a document may take together is a :class:`Budget`; a document that needs
more is refused, with the place where that became clear.
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
"""For so many elements the searches of a document may come together upon as many states again as
one search may: many that are hard are refused like one that is harder."""

KEPT = 1 << 14
"""Clusters whose answers a solver keeps."""

WAYS_OUT = "a smaller tolerance, less nesting, or a larger --max-states"
"""What a user can do about a document that is refused."""


class Unsettled(SerevalError):
    """A document whose best mapping is further away than the search may go."""


def state_budget(elements: int, max_states: int) -> int:
    """How many states all searches of a document may come upon together.

    Args:
        elements: of the document, on both sides.
        max_states: how many states one search may come upon.

    >>> state_budget(999, 50), state_budget(2000, 50)
    (50, 150)
    """
    return max_states * (1 + elements // PORTION)


class Budget:
    """States that several searches may come upon together.

    Args:
        limit: how many these are.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0

    def spend(self, states: int) -> None:
        """Count the states of one more search.

        Raises:
            TooManyStates: all together are more than the limit.
        """
        self.spent += states
        if self.spent > self.limit:
            raise TooManyStates(self.limit)


class Answer(Protocol):
    """What a cluster comes to."""

    @property
    def states(self) -> int:
        """How many states the searches for it came upon."""


A = TypeVar("A", bound=Answer)

Parts = Sequence[tuple[Origin, Cluster]]
"""The independent parts of a problem, in order, each with its origin."""


class Solver(Generic[A]):
    """Gives the answers of clusters, and keeps them.

    Args:
        answer: finds the answer of a cluster; it may raise ``TooManyStates``. It must depend on
            nothing but the cluster.

    Attributes:
        answer: the same, with the answers of ``KEPT`` clusters at hand.
    """

    def __init__(self, answer: Callable[[Cluster], A]) -> None:
        self.answer = lru_cache(maxsize=KEPT)(answer)

    def answers(
        self, reference: Reference, parts: Parts, max_states: int
    ) -> Iterator[tuple[Origin, A]]:
        """The answers of all parts of a document, in order.

        Args:
            reference: on the words of the hypothesis.
            parts: as ``cut`` gives them.
            max_states: how many states one search may come upon.

        Raises:
            Unsettled: a search comes to its limit, or all of them together do.
        """
        budget = Budget(state_budget(sum(cluster.size for _, cluster in parts), max_states))
        for origin, cluster in parts:
            yield origin, self.of_part(reference, origin, cluster, budget)

    def of_part(self, reference: Reference, origin: Origin, cluster: Cluster, budget: Budget) -> A:
        """The answer of one part of a document.

        Args:
            budget: of the document; what the answer took is taken off it.

        Raises:
            Unsettled: as ``answers``.
        """
        try:
            answer = self.answer(cluster)
        except TooManyStates as error:
            raise _refused(error, reference, origin, cluster) from None
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


def _refused(
    error: TooManyStates, reference: Reference, origin: Origin, cluster: Cluster
) -> Unsettled:
    """The message about a cluster whose search came to its limit."""
    for further, part in error.parts:
        origin = Origin(*map(add, origin, further))
        cluster = part
    first = reference.elements[origin.reference]
    others = len(cluster.parents) + len(cluster.hypotheses) - 1
    last = max(those[-1] for those in cluster.candidates)
    after = origin.frontier + max(last, *(other.end for other in cluster.hypotheses), 0)
    return Unsettled(
        f"{reference.id}: reference element {origin.reference} ({first.label}) and {others} more "
        f"between frontiers {origin.frontier} and {after}, which only a search can tell apart, "
        f"need more than {error.most_states} of its states, expected fewer: {WAYS_OUT}"
    )
