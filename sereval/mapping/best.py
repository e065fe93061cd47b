"""The best mapping between a reference and a hypothesis, over all placements: exact, no beam.

**Problem** (definition, sections 2 and 3). Give every tag of the reference one of its candidate
frontiers, and pair reference elements with hypothesis elements one to one. The two spans of a pair
must share a word, and no nesting may be inverted. Of all such placements and mappings, find the one
that a *preference* puts first: the least cost, or the most exact pairs.

**Method.** The problem is cut into independent clusters (``clusters``). A cluster is solved
directly or by a search (``search``), and the solutions are put together. This module defines the
goal of the search: ``Rules`` say which pairs are allowed, and a ``Preference`` says which of two
solutions comes first. Both are packed into integers that the search adds up.

Most clusters are equal to one that was solved before, so a :class:`Solver` keeps its answers. A
:class:`Budget` limits the states of all searches of a document together. A document that needs more
is refused; the message names the place in the document where the limit was reached.

The result equals that of the exhaustive search in the tests (``brute_force``).

Source: Galibert et al., IJCNLP 2011, sections 3.2 and 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from operator import add
from typing import Generic, NamedTuple, Protocol, TypeVar

from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..measures.slots import PAIR, Costs, Nearness, Slot
from .assignment import best_pairs
from .bounds import SearchWeights
from .clusters import ALL, Cluster, Origin, Solution, clusters, inside, places_of_tags
from .covers import covers
from .search import MAX_STATES, TooManyStates, best_solution

MANY = 100
"""The most elements of a cluster that is not examined for covers, because it would gain nothing."""


class Mapping(NamedTuple):
    """The pairs of elements, and the placement of the reference's tags.

    Args:
        pairs: indices ``(reference element, hypothesis element)``, by reference element.
        placement: the chosen ``(start, end)`` frontiers of each reference element.

    >>> Mapping(pairs=((0, 1),), placement=((0, 2),)).pairs
    ((0, 1),)
    """

    pairs: tuple[tuple[int, int], ...]
    placement: tuple[tuple[int, int], ...]


class Rules(NamedTuple):
    """The pairs that a mapping may hold, at any cost.

    Rules and costs are separate (Kehler et al. 2001). Every mapping obeys rules 1 and 2.

    Args:
        classes: the classes that a pair may have.
        half: whether a pair must share at least half the words of its longer span.
        nesting: whether rule 3 holds: no inversion of nesting.

    >>> PAIRINGS["half"].half, PAIRINGS["half"].classes == PAIRINGS["word"].classes
    (True, True)
    """

    classes: frozenset[Slot] = frozenset(PAIR.values())
    half: bool = False
    nesting: bool = True


PAIRINGS = {
    "word": Rules(),
    "half": Rules(half=True),
    "label": Rules(classes=frozenset(PAIR.values()) - {Slot.SPAN_AND_TYPE}),
}
"""The pairing rules by name, as ``sereval.evaluate`` explains them."""

EXACT_PAIRS = Rules(classes=frozenset({Slot.CORRECT}), nesting=False)
"""The rules for precision and recall: exact pairs only, without rule 3 (definition, section 3)."""


class Preference(NamedTuple):
    """An order of solutions; it is all that the search knows about scoring.

    Args:
        C, S_S, S_T, S_ST, D, I: the numbers that a slot of each class adds to the sort key of a
            solution; the smallest key wins. All keys have one length.
        share: the number that each right level of a type substitution takes off the first number.
        late_hypothesis, late_reference: the numbers that a pair adds if this element starts after
            its partner; ``None``: nothing.

    >>> Preference((0,), (1,), (1,), (2,), (2,), (2,)).of(Slot.SPAN)
    (1,)
    """

    C: tuple[int, ...]
    S_S: tuple[int, ...]
    S_T: tuple[int, ...]
    S_ST: tuple[int, ...]
    D: tuple[int, ...]
    I: tuple[int, ...]  # noqa: E741 - the definition's letter
    share: int = 0
    late_hypothesis: tuple[int, ...] | None = None
    late_reference: tuple[int, ...] | None = None

    def prefers_all_correct(self, *, neutral: bool = False) -> bool:
        """Whether a solution whose slots are all correct is always a best one.

        Args:
            neutral: whether there are neutral elements, which cost nothing without a partner.
        """
        alone = tuple(map(add, self.D, self.I))
        return self.C < (without_cost(alone) if neutral else alone)

    @property
    def largest(self) -> int:
        """The largest number of a key after the first, without its sign; at least 1."""
        keys = (*map(self.of, Slot), self.late_hypothesis or (), self.late_reference or ())
        return max((1, *(abs(number) for key in keys for number in key[1:])))

    def of(self, slot: Slot) -> tuple[int, ...]:
        """The key of a slot of a class."""
        key: tuple[int, ...] = getattr(self, slot.value)
        return key

    def of_pair(self, right: int, *, same_span: bool) -> tuple[int, ...]:
        """The key of a pair.

        Args:
            right: how much of its label is right (see ``Hypothesis.right``).
            same_span: whether the two spans are equal.
        """
        slot = PAIR[right == ALL, same_span]
        first, *others = self.of(slot)
        return first - (self.share * right if slot is Slot.TYPE else 0), *others


def without_cost(key: tuple[int, ...]) -> tuple[int, ...]:
    """The key of a neutral slot that is not correct: the key of its class without the cost.

    >>> without_cost((2, 0, -1))
    (0, 0, -1)
    """
    return (0, *key[1:])


def cheapest(costs: Costs) -> Preference:
    """The score's preference: the least total cost, ties in the definition's order (section 3).

    >>> cheapest(Costs()).S_S[0], cheapest(Costs()).D[0]  # multiples of 1/2
    (1, 2)
    """
    return Preference(  # cost, then most C, most pairs, most S_S, most S_T; last, least shift
        C=(0, -1, -1, 0, 0),
        S_S=(costs.S_S, 0, -1, -1, 0),
        S_T=(costs.S_T, 0, -1, 0, -1),
        S_ST=(costs.S_ST, 0, -1, 0, 0),
        D=(costs.D, 0, 0, 0, 0),
        I=(costs.I, 0, 0, 0, 0),
        share=costs.share,
    )


def as_lne(costs: Costs) -> Preference:
    """The preference of LNE's program, which printed the Quaero and ETAPE figures.

    The program charges an element as unpaired if no partner starts where it starts. Its search does
    not refund that charge when the element is paired with one that starts later. Among solutions of
    equal charge it takes the fewest pairs, then the definition's order.

    Args:
        costs: the cost of each class of error.

    >>> as_lne(Costs()).late_hypothesis[0] == Costs().D
    True
    """
    return Preference(  # charged cost, then fewest pairs, most C, most S_S, most S_T
        C=(0, 1, -1, 0, 0),
        S_S=(costs.S_S, 1, 0, -1, 0),
        S_T=(costs.S_T, 1, 0, 0, -1),
        S_ST=(costs.S_ST, 1, 0, 0, 0),
        D=(costs.D, 0, 0, 0, 0),
        I=(costs.I, 0, 0, 0, 0),
        share=costs.share,
        late_hypothesis=(costs.D, 0, 0, 0, 0),
        late_reference=(costs.I, 0, 0, 0, 0),
    )


def extremes_as_lne(costs: Costs) -> tuple[Preference, Preference]:
    """The preferences for the cheapest and for the most costly mapping of least charge.

    Several mappings can have the least charge, and different costs. LNE's program prints the cost
    of one of them; how it chooses is not known. Its figure lies between the costs of the mappings
    that these two preferences find. A cost is the charge less what late pairs add to it, so among
    equal charges the cheapest mapping is the one with the most late charge.

    Args:
        costs: the cost of each class of error.

    >>> [preference.late_hypothesis for preference in extremes_as_lne(Costs())]
    [(2, -2), (2, 2)]
    """
    plain = Preference(
        C=(0, 0),
        S_S=(costs.S_S, 0),
        S_T=(costs.S_T, 0),
        S_ST=(costs.S_ST, 0),
        D=(costs.D, 0),
        I=(costs.I, 0),
        share=costs.share,
    )
    low, high = (
        plain._replace(
            late_hypothesis=(costs.D, sign * costs.D), late_reference=(costs.I, sign * costs.I)
        )
        for sign in (-1, 1)
    )
    return low, high


MOST_CORRECT = Preference(C=(-1,), S_S=(0,), S_T=(0,), S_ST=(0,), D=(0,), I=(0,))
"""The preference of precision and recall: the most correct pairs (section 3)."""


def best_mapping(
    reference: Reference,
    hypothesis: Document,
    preference: Preference | None = None,
    rules: Rules | None = None,
    neutral: frozenset[str] = frozenset(),
    nearness: Nearness | None = None,
    max_states: int = MAX_STATES,
) -> Mapping:
    """The first of all mappings and placements in the order of a preference.

    Args:
        reference: a reference on the words of the hypothesis, with a placement (see ``project``).
        hypothesis: a document on the same words.
        preference: ``cheapest(costs)`` or ``MOST_CORRECT``; ``None``: the default costs.
        rules: the pairs that the mapping may hold: a value of ``PAIRINGS``, or ``EXACT_PAIRS``;
            ``None``: ``PAIRINGS["word"]``, as in the definition.
        neutral: labels that cost nothing. A slot of any class costs nothing if one of its elements
            has such a label as its own.
        nearness: counts the right levels of a label, for costs that depend on them.
        max_states: how many states the search of a cluster may visit.

    Returns:
        Pairs and placement. A fixed rule breaks the ties that the preference leaves.

    Raises:
        SerevalError: the two sides have different words; the reference has no placement; a search
            visits more states, or all searches together more than ``state_budget``.

    >>> from sereval.documents.model import tree
    >>> words = ("Jacques", "Chirac")
    >>> reference = Reference.exact(Document("d", words, tree([
    ...     ("pers.ind", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2)])))
    >>> best_mapping(reference, Document("d", words, tree([("pers.ind", 0, 1)]))).pairs
    ((0, 0),)
    """
    parts = cut(reference, hypothesis, neutral, nearness)
    return map_parts(
        reference, parts, preference or cheapest(Costs()), rules or PAIRINGS["word"], max_states
    )


def cut(
    reference: Reference,
    hypothesis: Document,
    neutral: frozenset[str] = frozenset(),
    nearness: Nearness | None = None,
) -> Parts:
    """Cut the problem into independent parts, which can be mapped by several preferences.

    Args:
        reference, hypothesis, neutral, nearness: as for ``best_mapping``.

    Raises:
        SerevalError: the two sides have different words; the reference has no placement.
    """
    if reference.words != hypothesis.words:
        raise SerevalError(f"{reference.id}: reference and hypothesis have different words")
    return list(clusters(reference, hypothesis, neutral, nearness))


def map_parts(
    reference: Reference,
    parts: Parts,
    preference: Preference,
    rules: Rules,
    max_states: int = MAX_STATES,
    many: int = MANY,
) -> Mapping:
    """The best mapping, put together from the best solution of each part.

    Args:
        reference: as for ``best_mapping``.
        parts: the parts of the problem, from ``cut``.
        preference, rules, max_states: as for ``best_mapping``.
        many: as for ``solve``.

    Raises:
        SerevalError: the search visits too many states, as for ``best_mapping``.
    """
    pairs: list[tuple[int, int]] = []
    placement: list[tuple[int, int]] = []
    solutions = solver(preference, rules, max_states, many).answers(reference, parts, max_states)
    for (first_r, first_h, base), solution in solutions:
        for r, h in solution.pairs:
            pairs.append((r + first_r, h + first_h))
        for start, end in solution.placement:
            placement.append((start + base, end + base))
    return Mapping(tuple(sorted(pairs)), tuple(placement))


@lru_cache(maxsize=16)
def solver(
    preference: Preference, rules: Rules, max_states: int, many: int = MANY
) -> Solver[Solution]:
    """A solver of clusters by a preference, which keeps solutions; arguments as for ``solve``."""
    return Solver(
        partial(solve, preference=preference, rules=rules, max_states=max_states, many=many)
    )


def solve(
    cluster: Cluster,
    preference: Preference,
    rules: Rules,
    max_states: int = MAX_STATES,
    many: int = MANY,
) -> Solution:
    """The best solution of one cluster.

    Args:
        cluster: a part of the problem.
        preference, rules, max_states: as for ``best_mapping``.
        many: a cluster with more elements is examined for covers.

    Raises:
        TooManyStates: the search visits more than ``max_states`` states.
    """
    has_neutral = cluster.has_neutral
    simple = (
        (cluster.agreement() if preference.prefers_all_correct(neutral=has_neutral) else None)
        or cluster.strict_placement()
        or (_in_common(cluster) if rules == EXACT_PAIRS and cluster.is_placed else None)
    )
    if simple:
        return simple
    weights = weigh(cluster, preference, rules)
    if cluster.size > many and (level := covers(cluster, weights)):
        budget = Budget(state_budget(cluster.size, max_states))
        return _inside(cluster, level, solver(preference, rules, max_states, many), budget)
    return best_solution(cluster, weights, max_states)


def _inside(cluster: Cluster, level: int, parts: Solver[Solution], budget: Budget) -> Solution:
    """The best solution of a cluster whose outermost ``level`` elements are paired already.

    Raises:
        TooManyStates: one of the parts needs too many states, and the error names the part; or all
            of them together do.
    """
    pairs = [(k, k) for k in range(level)]
    placement = [(other.start, other.end) for other in cluster.hypotheses[:level]]
    for origin, part in inside(cluster, level):
        try:
            solution = parts.answer(part)
        except TooManyStates as error:
            error.within(origin, part)
            raise
        budget.spend(solution.states)
        pairs += ((r + origin.reference, h + origin.hypothesis) for r, h in solution.pairs)
        base = origin.frontier
        placement += ((start + base, end + base) for start, end in solution.placement)
    return Solution(tuple(pairs), tuple(placement), budget.spent)


def _in_common(cluster: Cluster) -> Solution:
    """The most exact pairs of a cluster with one placement, which is an assignment problem."""
    fixed = [k for (k,) in cluster.candidates]
    placement = tuple(
        (fixed[opening], fixed[closing]) for opening, closing in places_of_tags(cluster.parents)
    )
    of_span: dict[tuple[int, int], list[int]] = {}
    for r, span in enumerate(placement):
        of_span.setdefault(span, []).append(r)
    exact = {
        (r, h): 1
        for h, other in enumerate(cluster.hypotheses)
        for r in of_span.get((other.start, other.end), ())
        if other.right(r) == ALL
    }
    return Solution(tuple(best_pairs(exact).items()), placement)


def weigh(cluster: Cluster, preference: Preference, rules: Rules) -> SearchWeights:
    """Pack keys into integers that add up and compare as the keys do, with the shift last.

    Over all slots, two sums of one number of the keys after the first differ by less than the
    radix: by at most twice the number of elements, times the largest such number. No sum of later
    numbers can outweigh an earlier number.

    Args:
        cluster: the cluster whose slots are weighed.
        preference, rules: the keys to pack, and the pairs that are allowed.
    """
    most_shift = sum(
        max(strict - candidates[0], candidates[-1] - strict)
        for candidates, strict in zip(cluster.candidates, cluster.strict, strict=True)
        if strict is not None
    )
    rights = frozenset([ALL, 0, *(levels for h in cluster.hypotheses for _, levels in h.near)])
    return _packed(preference, rules, cluster.size, most_shift, rights)


@lru_cache(maxsize=1 << 12)  # they depend on little
def _packed(
    preference: Preference, rules: Rules, size: int, most_shift: int, rights: frozenset[int]
) -> SearchWeights:
    """The weights of a cluster with so many elements, shifts and numbers of right levels."""
    radix = 2 * preference.largest * size + 2

    def weight(key: tuple[int, ...] | None) -> int:
        packed = 0
        for number in key or ():
            packed = packed * radix + number
        return packed * (most_shift + 1)

    pair: dict[tuple[int, bool, bool], int | None] = {}
    for right, same_span in product(sorted(rights), (False, True)):
        slot = PAIR[right == ALL, same_span]
        key = preference.of_pair(right, same_span=same_span)
        free = key if slot is Slot.CORRECT else without_cost(key)
        for is_neutral, of in ((False, key), (True, free)):
            allowed = slot in rules.classes
            pair[right, same_span, is_neutral] = weight(of) if allowed else None
    return SearchWeights(
        (weight(preference.D), weight(without_cost(preference.D))),
        (weight(preference.I), weight(without_cost(preference.I))),
        pair,
        weight(preference.late_hypothesis),
        weight(preference.late_reference),
        starts_matter=rules.half or preference.late_hypothesis is not None,
        half=rules.half,
        nesting=rules.nesting,
    )


# Solving the clusters of a document, each shape once, within a budget of states

PORTION = 1000
"""For each ``PORTION`` elements, the limit of a document grows by the limit of one search. Without
a limit for the document, many hard searches could take far longer than one that is refused."""

KEPT = 1 << 14
"""How many answers a solver keeps."""

MOST_HASHED = 10_000_000
"""The most pairs of elements of a cluster whose answer is kept: its hash goes through all pairs."""

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


class ClusterAnswer(Protocol):
    """The answer to a cluster, such as a ``Solution``."""

    @property
    def states(self) -> int:
        """How many states the searches for it visited."""


A = TypeVar("A", bound=ClusterAnswer)

Parts = Sequence[tuple[Origin, Cluster]]
"""The independent parts of a problem, in order, each with its origin."""


class Solver(Generic[A]):
    """A function of clusters that keeps its answers.

    Args:
        answer: gives the answer to a cluster, which depends on the cluster alone; it may raise
            ``TooManyStates``.

    Attributes:
        kept: the same function; it keeps the answers to ``KEPT`` clusters.
    """

    def __init__(self, answer: Callable[[Cluster], A]) -> None:
        self.kept = lru_cache(maxsize=KEPT)(answer)
        self._answer = answer

    def answer(self, cluster: Cluster) -> A:
        """The answer to a cluster; it is not looked up where that would take too long."""
        pairs = len(cluster.parents) * len(cluster.hypotheses)
        return (self._answer if pairs > MOST_HASHED else self.kept)(cluster)

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
