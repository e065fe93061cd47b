"""What is searched for: which pairs may be, and which of two solutions comes first."""

import random

import pytest
from test_search import all_solutions, frontiers_of, small_clusters

from sereval.mapping import best
from sereval.mapping.best import (
    EXACT_PAIRS,
    PAIRINGS,
    as_lne,
    cheapest,
    extremes_as_lne,
    solve,
    weigh,
)
from sereval.mapping.clusters import Solution
from sereval.measures import Costs, Slot

NOTHING = "S_S=0,S_T=0,S_ST=0,D=0,I=0"  # all that is left to tell solutions apart is their classes
SOME_COSTS = [
    *("", NOTHING, NOTHING, "S_S=0.3,S_T=0.7,S_ST=1.5,D=2,I=0.1", "S_T=0.6"),
    *("D=0,I=0", "S_S=1,S_ST=2", "S_S=0,S_T=0,S_ST=0"),
]


def slots_of(cluster, solution):
    """Of each slot its class, what is right of its label, whether it is free, and how it begins."""
    pairs, spans, _ = solution
    for r, h in pairs:
        other = cluster.hypotheses[h]
        right = other.fits(r)
        kind = {(True, True): "C", (True, False): "S_S", (False, True): "S_T"}.get(
            (right, spans[r] == (other.start, other.end)), "S_ST"
        )
        begins = (spans[r][0] > other.start) - (spans[r][0] < other.start)
        yield kind, right, r in cluster.neutral or other.is_neutral, begins
    for r in set(range(len(spans))) - {r for r, _ in pairs}:
        yield "D", 0, r in cluster.neutral, 0
    for h in set(range(len(cluster.hypotheses))) - {h for _, h in pairs}:
        yield "I", 0, cluster.hypotheses[h].is_neutral, 0


def shift_of(cluster, solution):
    return sum(
        abs(k - strict)
        for k, strict in zip(frontiers_of(cluster, solution), cluster.strict, strict=True)
        if strict is not None
    )


def key_of(cluster, solution, costs, scheme):
    """What the definition, or LNE's program, or precision and recall look at, in this order."""
    slots = list(slots_of(cluster, solution))
    kinds = [kind for kind, *_ in slots]
    most = [-kinds.count(kind) for kind in ("C", "S_S", "S_T")]
    if scheme == "exact":
        return most[0], shift_of(cluster, solution)
    charged = sum(costs[Slot(kind)] if kind != "C" else 0 for kind, _, free, _ in slots if not free)
    pairs = -len(solution.pairs)
    if scheme == "definition":
        key = charged, most[0], pairs, *most[1:]
    else:
        late = {-1: costs.D, 0: 0, 1: costs.I}
        more = sum(late[begins] for _, _, free, begins in slots if not free)
        charged += more
        own = {"lowest": (-more,), "highest": (more,)}
        key = charged, *own.get(scheme, (-pairs, *most))
    return *key, shift_of(cluster, solution)


PREFERENCES = {
    "definition": cheapest,
    "lne": as_lne,
    "lowest": lambda costs: extremes_as_lne(costs)[0],
    "highest": lambda costs: extremes_as_lne(costs)[1],
    "exact": lambda _: EXACT_PAIRS,
}


def cases(seed, scheme):
    """Small clusters with some costs and rules."""
    rng = random.Random(f"{scheme}-{seed}")
    for cluster in small_clusters(rng):
        costs = Costs.parse(given) if (given := rng.choice(SOME_COSTS)) else Costs()
        rules = {} if scheme == "exact" else PAIRINGS[rng.choice(sorted(PAIRINGS))]
        yield cluster, costs, PREFERENCES[scheme](costs)._replace(**rules)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("scheme", PREFERENCES)
def test_weights_are_ordered_as_their_keys(scheme, seed):
    """Of any two solutions, that weighs less whose key is less, to the last word of shift."""
    for cluster, costs, preference in cases(seed, scheme):
        weights = weigh(cluster, preference)
        rows = [
            (key_of(cluster, solution, costs, scheme), weight)
            for solution, weight in all_solutions(cluster, weights)
        ]
        rows.sort()
        assert [weight for _, weight in rows] == sorted(weight for _, weight in rows)
        assert len({key for key, _ in rows}) == len({weight for _, weight in rows})


in_all_or_none = pytest.mark.parametrize("many", [0, 100])
"""Covers are looked for in all clusters, or in none of these."""


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("scheme", PREFERENCES)
@in_all_or_none
def test_a_cluster_is_solved(scheme, seed, many):
    """At sight, by its covers or by a search: no solution comes before the one that is found."""
    looked_at = slice(-1) if scheme in ("lowest", "highest") else slice(None)  # nothing shows where
    for cluster, costs, preference in cases(seed, scheme):
        known = {
            solution: key_of(cluster, solution, costs, scheme)[looked_at]
            for solution, _ in all_solutions(cluster, weigh(cluster, preference))
        }
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(best, "MANY", many)
            pairs, placement, _ = solve(cluster, preference)
        assert min(known.values()) == known[Solution(tuple(sorted(pairs)), placement)]
