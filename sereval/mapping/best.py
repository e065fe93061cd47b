"""The best mapping between a reference and a hypothesis, over all placements: exact, no beam.

**Problem** (definition, sections 2 and 3). Give every tag of the reference one of its candidate
frontiers, and pair reference elements with hypothesis elements one to one. The two spans of a pair
must share a word, and no nesting may be inverted. Of all such placements and mappings, find the one
that a *preference* puts first: the least cost, or the most exact pairs.

**Method.** The problem is cut into independent clusters (``clusters``). A cluster is solved
directly or by a search (``search``), and the solutions are put together. This module defines the
goal of the search: a ``Preference`` says which pairs are allowed, and which of two solutions comes
first. It is packed into integers that the search adds up.

Most clusters are equal to one that was solved before, so solutions are kept. A :class:`Budget`
limits the states of all searches of a document together. A document that needs more is refused; the
message names the place in the document where the limit was reached.

**Exact pairs.** Precision and recall ask for the largest number of exact pairs (section 3), with a
search of their own (``EXACT_PAIRS``). In most clusters that search can only
confirm what the mapping of least cost has found. In a cluster group the pairs that are exact for
some placement by their two labels. No mapping has more exact pairs of a group than the group has
reference elements, nor than it has hypothesis elements. If the mapping has so many in each group,
every largest set of exact pairs has the same number in each group. The counts of all labels are
then known without a search.

The result equals that of the exhaustive search in the tests (``brute_force``).

Source: Galibert et al., IJCNLP 2011, sections 3.2 and 3.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import Any, NamedTuple

from ..documents.model import Document, Element, Reference
from ..measures import PAIR, Costs, Slot
from .assignment import IndexPair, best_pairs
from .clusters import Cluster, Origin, Solution, clusters, inside, places_of_tags
from .covers import covers
from .search import MAX_STATES, SearchWeights, TooManyStates, best_solution

KEPT = 1 << 14
"""How many answers to clusters a search keeps."""

ALIKE = 1000
"""The most elements of a cluster that may be equal to another; larger ones are not compared."""

MANY = 100
"""The most elements of a cluster that is not examined for covers, because it would gain nothing."""


Parts = Sequence[tuple[Origin, Cluster]]
"""The independent parts of a problem, in order, each with its origin."""


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


class Preference(NamedTuple):
    """The pairs that a mapping may hold, and an order of solutions: all that a search must know."""

    # Each slot adds the numbers of its class to the sort key of a solution; the smallest key wins.
    # All keys have one length. None: no pair may have this class.
    C: tuple[int, ...]
    S_S: tuple[int, ...] | None
    S_T: tuple[int, ...] | None
    S_ST: tuple[int, ...] | None
    D: tuple[int, ...]
    I: tuple[int, ...]  # noqa: E741 - the definition's letter
    # added by a pair if this element starts after its partner; empty: nothing
    late_hypothesis: tuple[int, ...] = ()
    late_reference: tuple[int, ...] = ()
    half: bool = False  # a pair must share at least half the words of its longer span
    nesting: bool = True  # whether rule 3 holds: no inversion of nesting


PAIRINGS: dict[str, dict[str, Any]] = {"word": {}, "half": {"half": True}, "label": {"S_ST": None}}
"""The pairing rules by name, as ``sereval.evaluate`` explains them: what each changes in a
preference."""


def without_cost(key: tuple[int, ...]) -> tuple[int, ...]:
    """The key of a neutral slot that is not correct: the key of its class without the cost."""
    return (0, *key[1:])


def cheapest(costs: Costs) -> Preference:
    """The score's preference: the least total cost, ties in the definition's order (section 3)."""
    return Preference(  # cost, then most C, most pairs, most S_S, most S_T; last, least shift
        C=(0, -1, -1, 0, 0),
        S_S=(costs.S_S, 0, -1, -1, 0),
        S_T=(costs.S_T, 0, -1, 0, -1),
        S_ST=(costs.S_ST, 0, -1, 0, 0),
        D=(costs.D, 0, 0, 0, 0),
        I=(costs.I, 0, 0, 0, 0),
    )


def as_lne(costs: Costs) -> Preference:
    """The preference of LNE's program, which printed the Quaero and ETAPE figures."""
    # The program charges an element as unpaired if no partner starts where it starts. Its search
    # does not refund that charge when the element is paired with one that starts later. Among
    # solutions of equal charge it takes the fewest pairs, then the definition's order.
    return Preference(  # charged cost, then fewest pairs, most C, most S_S, most S_T
        C=(0, 1, -1, 0, 0),
        S_S=(costs.S_S, 1, 0, -1, 0),
        S_T=(costs.S_T, 1, 0, 0, -1),
        S_ST=(costs.S_ST, 1, 0, 0, 0),
        D=(costs.D, 0, 0, 0, 0),
        I=(costs.I, 0, 0, 0, 0),
        late_hypothesis=(costs.D, 0, 0, 0, 0),
        late_reference=(costs.I, 0, 0, 0, 0),
    )


def extremes_as_lne(costs: Costs) -> tuple[Preference, Preference]:
    """The preferences for the cheapest and for the most costly mapping of least charge."""
    # Several mappings can have the least charge, and different costs. LNE's program prints the cost
    # of one of them; how it chooses is not known. Its figure lies between the costs of the mappings
    # that these two preferences find. A cost is the charge less what late pairs add to it, so among
    # equal charges the cheapest mapping is the one with the most late charge.
    keys: dict[str, Any] = {slot.value: (costs[slot], 0) for slot in Slot}
    plain = Preference(**keys)
    low, high = (
        plain._replace(
            late_hypothesis=(costs.D, sign * costs.D), late_reference=(costs.I, sign * costs.I)
        )
        for sign in (-1, 1)
    )
    return low, high


EXACT_PAIRS = Preference((-1,), S_S=None, S_T=None, S_ST=None, D=(0,), I=(0,), nesting=False)
"""The preference of precision and recall: the most exact pairs, without rule 3 (section 3)."""


def best_mapping(
    reference: Reference,
    hypothesis: Document,
    preference: Preference | None = None,
    neutral: frozenset[str] = frozenset(),
    max_states: int = MAX_STATES,
) -> Mapping:
    """The first of all mappings and placements in the order of a preference.

    Args:
        reference: a reference on the words of the hypothesis, with a placement (see ``project``).
        hypothesis: a document on the same words.
        preference: ``cheapest(costs)`` or ``EXACT_PAIRS``; ``None``: the default costs.
        neutral: labels that cost nothing. A slot of any class costs nothing if one of its elements
            has such a label as its own.
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
    parts = clusters(reference, hypothesis, neutral)
    return map_parts(reference, parts, preference or cheapest(Costs()), max_states)


def map_parts(
    reference: Reference,
    parts: Parts,
    preference: Preference,
    max_states: int = MAX_STATES,
    known: Callable[[Origin, Cluster], Solution | None] = lambda *_: None,
) -> Mapping:
    """The best mapping, put together from the best solution of each part that is not known."""
    pairs: list[tuple[int, int]] = []
    placement: list[tuple[int, int]] = []
    budget = Budget(state_budget(sum(cluster.size for _, cluster in parts), max_states))
    search = kept(solve, preference, max_states)
    at_sight: dict[int, Solution] = {}  # many parts are one object
    for origin, cluster in parts:
        solution = (
            known(origin, cluster)
            or at_sight.get(id(cluster))
            or budget.answer(search, reference, origin, cluster)
        )
        if not solution.states:
            at_sight[id(cluster)] = solution
        first_r, first_h, base = origin
        for r, h in solution.pairs:
            pairs.append((r + first_r, h + first_h))
        for start, end in solution.placement:
            placement.append((start + base, end + base))
    return Mapping(tuple(sorted(pairs)), tuple(placement))


@lru_cache(maxsize=64)
def kept(search: Callable[..., Any], *goal: object) -> Callable[[Cluster], Any]:
    """A search with one goal, which keeps its answers but for large clusters, seldom equal."""
    known = lru_cache(maxsize=KEPT)(lambda cluster: search(cluster, *goal))
    return lambda cluster: known(cluster) if cluster.size <= ALIKE else search(cluster, *goal)


def solve(cluster: Cluster, preference: Preference, max_states: int = MAX_STATES) -> Solution:
    """The best solution of one cluster; one of many elements is examined for covers."""
    alone = tuple(map(add, preference.D, preference.I))
    is_best = preference.C < (without_cost(alone) if cluster.has_neutral else alone)
    simple = cluster.at_sight(may_agree=is_best)
    if simple:
        return simple
    weights = weigh(cluster, preference)
    if cluster.size > MANY and (level := covers(cluster, weights)):
        return _inside(cluster, level, preference, max_states)
    return best_solution(cluster, weights, max_states)


def _inside(cluster: Cluster, level: int, preference: Preference, max_states: int) -> Solution:
    """The best solution of a cluster whose outermost ``level`` elements are paired already."""
    pairs = [(k, k) for k in range(level)]
    placement = [(other.start, other.end) for other in cluster.hypotheses[:level]]
    spent = 0
    for origin, part in inside(cluster, level):
        try:
            solution = kept(solve, preference, max_states)(part)
        except TooManyStates as error:
            error.parts = ((origin, part), *error.parts)
            raise
        spent += solution.states
        pairs += ((r + origin.reference, h + origin.hypothesis) for r, h in solution.pairs)
        base = origin.frontier
        placement += ((start + base, end + base) for start, end in solution.placement)
        if spent > (most := state_budget(cluster.size, max_states)):
            raise TooManyStates(most)
    return Solution(tuple(pairs), tuple(placement), spent)


def weigh(cluster: Cluster, preference: Preference) -> SearchWeights:
    """Pack keys into integers that add up and compare as the keys do, with the shift last."""
    most_shift = sum(
        max(strict - candidates[0], candidates[-1] - strict)
        for candidates, strict in zip(cluster.candidates, cluster.strict, strict=True)
        if strict is not None
    )
    return _packed(preference, cluster.size, most_shift)


@lru_cache(maxsize=1 << 12)  # they depend on little
def _packed(preference: Preference, size: int, most_shift: int) -> SearchWeights:
    """The weights of a cluster with so many elements and shifts."""
    # Over all slots, two sums of one number of the keys after the first differ by less than the
    # radix: by at most twice the number of elements, times the largest such number. No sum of later
    # numbers can outweigh an earlier number.
    *keys, half, nesting = preference
    largest = max([1, *(abs(number) for key in keys for number in (key or ())[1:])])
    radix = 2 * largest * size + 2

    def weight(key: tuple[int, ...]) -> int:
        packed = 0
        for number in key:
            packed = packed * radix + number
        return packed * (most_shift + 1)

    def both(key: tuple[int, ...]) -> tuple[int, int]:
        return weight(key), weight(without_cost(key))

    pair: dict[tuple[bool, bool, bool], int | None] = {}
    for (fits, same_span), slot in PAIR.items():
        key = getattr(preference, slot.value)
        own, free = (None, None) if key is None else both(key)
        pair[fits, same_span, False] = own
        pair[fits, same_span, True] = own if slot is Slot.CORRECT else free
    return SearchWeights(
        both(preference.D),
        both(preference.I),
        pair,
        weight(preference.late_hypothesis),
        weight(preference.late_reference),
        starts_matter=half or bool(preference.late_hypothesis),
        half=half,
        nesting=nesting,
    )


# -------------------------------------------------------------------------------------- the budget


PORTION = 1000
"""For each ``PORTION`` elements, the limit of a document grows by the limit of one search. Without
a limit for the document, many hard searches could take far longer than one that is refused."""

WAYS_OUT = "a smaller tolerance, less nesting, or a larger --max-states"
"""What a user can change if a document is refused."""


def state_budget(elements: int, max_states: int) -> int:
    """How many states all searches of a document may visit together."""
    return max_states * (1 + elements // PORTION)


@dataclass(eq=False, repr=False)
class Budget:
    """The states that all searches of a document may visit together."""

    limit: int
    spent: int = 0

    def answer(
        self,
        search: Callable[[Cluster], Any],
        reference: Reference,
        origin: Origin,
        cluster: Cluster,
    ) -> Any:
        """What a search finds for a part of a document; its states are taken off the budget."""
        try:
            found = search(cluster)
        except TooManyStates as error:
            for further, part in error.parts:
                origin, cluster = Origin(*map(add, origin, further)), part
            first = reference.elements[origin.reference]
            last = max(those[-1] for those in cluster.candidates)
            after = origin.frontier + max(last, *(other.end for other in cluster.hypotheses), 0)
            raise TooManyStates(
                f"{reference.id}: reference element {origin.reference} ({first.label}) and "
                f"{cluster.size - 1} more between frontiers {origin.frontier} and {after} need a "
                f"search of more than {error.args[0]} states, expected fewer: {WAYS_OUT}"
            ) from None
        self.spent += found.states
        if self.spent > self.limit:
            last = origin.reference
            raise TooManyStates(
                f"{reference.id}: up to reference element {last} "
                f"({reference.elements[last].label}) all searches together need more than "
                f"{self.limit} states, expected fewer: {WAYS_OUT}"
            )
        return found


# ------------------------------------------------------------------------------------- exact pairs


SMALL = 64
"""The most elements of a cluster whose possible pairs are listed: larger ones have too many."""


def exact_pairs(
    reference: Reference,
    hypothesis: Document,
    parts: Parts,
    mapping: Mapping,
    max_states: int = MAX_STATES,
) -> tuple[IndexPair, ...]:
    """A largest set of exact pairs."""
    correct = {*correct_pairs(reference, hypothesis, mapping)}

    def known(origin: Origin, cluster: Cluster) -> Solution | None:
        """The correct pairs, if no choice among the possible ones has more of any two labels."""
        if cluster.size > SMALL:
            return None
        possible = _possible(cluster)
        first_r, first_h, _ = origin
        found = tuple([(r, h) for r, h in possible if (r + first_r, h + first_h) in correct])
        if len(found) == len(possible):
            return Solution(found, ())

        labels = {
            (r, h): (reference.elements[r + first_r].label, hypothesis.elements[h + first_h].label)
            for r, h in possible
        }
        rows, columns = (
            Counter(group for group, _ in {(labels[pair], pair[side]) for pair in possible})
            for side in (0, 1)
        )
        if Counter(map(labels.get, found)) == rows & columns:
            return Solution(found, ())
        if cluster.is_placed:  # an assignment problem
            return Solution((*best_pairs(dict.fromkeys(possible, 1)).items(),), ())
        return None

    return map_parts(reference, parts, EXACT_PAIRS, max_states, known).pairs


def correct_pairs(
    reference: Reference, hypothesis: Document, mapping: Mapping
) -> tuple[IndexPair, ...]:
    """The pairs of a mapping that are correct."""
    return tuple(
        (r, h)
        for r, h in mapping.pairs
        for other in [hypothesis.elements[h]]
        if mapping.placement[r] == (other.start, other.end)
        and other.label in reference.elements[r].labels
    )


def most_pairs(cluster: Cluster) -> int:
    """A number of pairs that no mapping of a cluster exceeds with exact pairs."""
    possible = _possible(cluster)
    return min(len({r for r, _ in possible}), len({h for _, h in possible}))


@lru_cache(maxsize=KEPT)
def _possible(cluster: Cluster) -> list[IndexPair]:
    """The pairs of a cluster that are exact if their reference element is placed so."""
    places, candidates = places_of_tags(cluster.parents), cluster.candidates
    return [
        (r, h)
        for h, other in enumerate(cluster.hypotheses)
        for r in other.accepted_by
        if other.start in candidates[places[r][0]] and other.end in candidates[places[r][1]]
    ]


# --------------------------------------------------------------------------- the outcomes of slots


class Outcome(NamedTuple):
    """The outcome of one slot."""

    slot: Slot
    label: str  # of the reference element or, for an insertion, of the hypothesis element
    reference: int | None  # index; None: an insertion, or a missed element without a place
    hypothesis: int | None  # index, mentions without a place after the elements; None: a deletion
    is_neutral: bool = False  # it costs nothing: one of its labels is neutral


def outcomes(
    reference: Reference,
    hypothesis: Document,
    mapping: Mapping,
    neutral: frozenset[str] = frozenset(),
) -> list[Outcome]:
    """The outcome of every slot: reference elements in document order, then insertions."""
    # Mentions without a place are insertions. Missed elements without a place are deletions; they
    # come last.
    partner = dict(mapping.pairs)
    slots = []
    for r, element in enumerate(reference.elements):
        h, label = partner.get(r), element.label
        slot, free = Slot.DELETION, label in neutral
        if h is not None:
            other = hypothesis.elements[h]
            is_placed = mapping.placement[r] == (other.start, other.end)
            slot = PAIR[other.label in element.labels, is_placed]
            free = free or other.label in neutral
        slots.append(Outcome(slot, label, r, h, free))
    paired = set(partner.values())
    found = [element.label for element in hypothesis.elements]
    found += [mention.label for mention in hypothesis.mentions or ()]
    for h, label in enumerate(found):
        if h not in paired:
            slots.append(Outcome(Slot.INSERTION, label, None, h, label in neutral))
    for lost in reference.unplaceable:
        if lost.fate == "missed":
            label = lost.element.label
            slots.append(Outcome(Slot.DELETION, label, None, None, label in neutral))
    return slots


def upper_bound(projected: Reference, max_states: int = MAX_STATES) -> Document:
    """The projected reference as a hypothesis: its own labels, at the placement of least shift.

    Args:
        projected: a reference from ``project`` or ``project_aligned``, which has a placement.
        max_states: how many states the search of a cluster may visit.

    Returns:
        A document on the same words with the elements of ``projected``, in the same tree. All tags
        are at their strict frontiers if that is a placement. Otherwise they are at the placement
        with the least sum of distances from the strict frontiers.

        Scored against ``projected``, its only errors are deletions of missed elements: the SER is 0
        under ``drop``, and the share of missed elements under ``miss``.

    Raises:
        SerevalError: the search reaches its limit.

    Source: Bartalesi Lenzi, Speranza and Sprugnoli, EVALITA 2011, section 2.3, where the tags of
    the gold standard are shifted onto the aligned transcription.

    >>> from sereval.documents.model import ReferenceElement
    >>> magimel = ReferenceElement(("name.last",), (2,), (3, 4, 5), strict=(2, 4))
    >>> upper_bound(Reference("show", ("et", "Benoît", "magie", "mais", "l'"), (magimel,))).elements
    (Element(label='name.last', start=2, end=4, parent=None),)
    """
    bare = Document(projected.id, projected.words, times=projected.times)
    placement = best_mapping(projected, bare, max_states=max_states).placement
    elements = tuple(
        Element(element.label, start, end, element.parent)
        for element, (start, end) in zip(projected.elements, placement, strict=True)
    )
    return Document(projected.id, projected.words, elements, times=projected.times)
