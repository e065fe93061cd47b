"""The exact pairs that precision and recall count: the most that one placement allows.

Precision and recall ask for the largest number of exact pairs (definition, section 3), with a
search of their own (``best``, ``MOST_CORRECT`` and ``EXACT_PAIRS``). In most clusters that search
can only confirm what the mapping of least cost has found. In a cluster group the pairs that are
exact for some placement by their two labels. No mapping has more exact pairs of a group than the
group has reference elements, nor than it has hypothesis elements. If the mapping has so many in
each group, every largest set of exact pairs has the same number in each group. The counts of all
labels are then known without a search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ..documents.model import Document, Reference
from .best import EXACT_PAIRS, MOST_CORRECT, Budget, Mapping, Parts, solver, state_budget
from .clusters import Cluster, Origin, places_of_tags
from .search import MAX_STATES

ElementPair = tuple[int, int]
"""The indices of a reference element and a hypothesis element."""

SMALL = 64
"""The default of ``small``: larger clusters are searched, since they may have too many pairs."""


def exact_pairs(
    reference: Reference,
    hypothesis: Document,
    parts: Parts,
    mapping: Mapping,
    max_states: int = MAX_STATES,
    small: int = SMALL,
) -> tuple[ElementPair, ...]:
    """A largest set of exact pairs.

    Args:
        reference, hypothesis: on the same words; the reference has a placement.
        parts: the parts of the problem, from ``cut``, without neutral labels and nearness.
        mapping: any mapping of the two sides, such as the one of least cost.
        max_states: how many states the search of a cluster may visit.
        small: the most elements of a cluster whose possible pairs are listed.

    Returns:
        Pairs in order. For each label there are as many as in the mapping that ``map_parts`` finds
        with ``MOST_CORRECT`` and ``EXACT_PAIRS``; the pairs themselves may differ.

    Raises:
        SerevalError: a search visits too many states, as for ``best_mapping``.

    >>> from sereval.documents.model import Element
    >>> from sereval.mapping.best import best_mapping, cut
    >>> dol = Document("d", ("Dol",), (Element("loc", 0, 1),))
    >>> reference = Reference.exact(dol)
    >>> exact_pairs(reference, dol, cut(reference, dol), best_mapping(reference, dol))
    ((0, 0),)
    """
    answers = solver(MOST_CORRECT, EXACT_PAIRS, max_states)
    budget = Budget(state_budget(sum(cluster.size for _, cluster in parts), max_states))
    partner = dict(mapping.pairs)

    def is_exact(r: int, h: int) -> bool:
        other = hypothesis.elements[h]
        return partner.get(r) == h and mapping.placement[r] == (other.start, other.end)

    def labels(pair: ElementPair) -> tuple[str, str]:
        return reference.elements[pair[0]].label, hypothesis.elements[pair[1]].label

    exact: list[ElementPair] = []
    for origin, cluster in parts:
        possible = _in_whole(_possible(cluster), origin) if cluster.size <= small else None
        found = [pair for pair in possible or () if is_exact(*pair)]
        if possible is None or not _are_most(found, possible, labels):
            solution = answers.of_part(reference, origin, cluster, budget)
            found = _in_whole(solution.pairs, origin)
        exact += found
    return tuple(sorted(exact))


def most_pairs(cluster: Cluster) -> int:
    """A number of pairs that no mapping of a cluster exceeds with exact pairs.

    Args:
        cluster: without neutral labels.

    Returns:
        The number of reference elements that an exact pair may have, or that of hypothesis
        elements, if it is smaller.

    >>> from sereval.documents.model import Element
    >>> from sereval.mapping.best import cut
    >>> dol = Document("d", ("Dol",), (Element("loc", 0, 1),))
    >>> [most_pairs(cluster) for _, cluster in cut(Reference.exact(dol), dol)]
    [1]
    """
    possible = _possible(cluster)
    return min(len({r for r, _ in possible}), len({h for _, h in possible}))


def _possible(cluster: Cluster) -> list[ElementPair]:
    """The pairs of a cluster that are exact if their reference element is placed so."""
    places, candidates = places_of_tags(cluster.parents), cluster.candidates
    return [
        (r, h)
        for h, other in enumerate(cluster.hypotheses)
        for r in other.accepted_by
        if other.start in candidates[places[r][0]] and other.end in candidates[places[r][1]]
    ]


def _in_whole(pairs: Iterable[ElementPair], origin: Origin) -> list[ElementPair]:
    """The pairs of a cluster, by the indices of their elements in the whole documents."""
    return [(r + origin.reference, h + origin.hypothesis) for r, h in pairs]


def _are_most(
    found: Sequence[ElementPair],
    possible: Sequence[ElementPair],
    labels: Callable[[ElementPair], tuple[str, str]],
) -> bool:
    """Whether no choice among the possible pairs has more pairs of any two labels.

    >>> _are_most([(0, 0)], [(0, 0), (1, 0)], lambda pair: ("loc", "loc"))
    True
    >>> _are_most([(0, 0)], [(0, 0), (1, 1)], lambda pair: ("loc", "loc"))
    False
    """
    if len(found) == len(possible):
        return True
    groups: dict[tuple[str, str], list[ElementPair]] = {}
    for pair in possible:
        groups.setdefault(labels(pair), []).append(pair)
    number = Counter(map(labels, found))
    return all(
        number[group] == min(len({r for r, _ in pairs}), len({h for _, h in pairs}))
        for group, pairs in groups.items()
    )
