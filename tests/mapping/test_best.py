"""What is searched for: which pairs may be, and which of two solutions comes first."""

import random

import pytest
from strategies import seeded_fuzzy, seeded_hypothesis
from test_clusters import nearness
from test_search import all_solutions, frontiers_of, small_clusters

from sereval.documents.model import Document, Reference, tree
from sereval.errors import SerevalError
from sereval.mapping import best
from sereval.mapping import best as mapping
from sereval.mapping.best import (
    EXACT_PAIRS,
    MOST_CORRECT,
    PAIRINGS,
    Preference,
    as_lne,
    best_mapping,
    cheapest,
    cut,
    extremes_as_lne,
    solve,
    weigh,
    without_cost,
)
from sereval.mapping.clusters import ALL, Cluster, Hypothesis, Solution, clusters
from sereval.measures.slots import Costs, Slot

NOTHING = "S_S=0,S_T=0,S_ST=0,D=0,I=0"  # all that is left to tell solutions apart is their classes
SOME_COSTS = [
    *("", NOTHING, NOTHING, "S_S=0.3,S_T=0.7,S_ST=1.5,D=2,I=0.1", "S_T=0.6,S_T.depth=3"),
    *("D=0,I=0", "S_S=1,S_ST=2", "S_S=0,S_T=0,S_ST=0"),
]


def slots_of(cluster, solution):
    """Of each slot its class, what is right of its label, whether it is free, and how it begins."""
    pairs, spans, _ = solution
    for r, h in pairs:
        other = cluster.hypotheses[h]
        right = other.right(r)
        kind = {(True, True): "C", (True, False): "S_S", (False, True): "S_T"}.get(
            (right == ALL, spans[r] == (other.start, other.end)), "S_ST"
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
    charged = sum(
        (costs[Slot(kind)] if kind != "C" else 0) - (costs.share * right if kind == "S_T" else 0)
        for kind, right, free, _ in slots
        if not free
    )
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


AGREED = Cluster((None,), ((0, 1), (2,)), (0, 2), (Hypothesis(0, 2, None, (0,)),))
MISTAKEN = Cluster((None,), ((0,), (2,)), (0, 2), (Hypothesis(0, 2, None, ()),))

PREFERENCES = {
    "definition": cheapest,
    "lne": as_lne,
    "lowest": lambda costs: extremes_as_lne(costs)[0],
    "highest": lambda costs: extremes_as_lne(costs)[1],
    "exact": lambda _: MOST_CORRECT,
}


def cases(seed, scheme):
    """Small clusters with some costs and rules."""
    rng = random.Random(f"{scheme}-{seed}")
    for cluster in small_clusters(rng):
        costs = Costs.parse(given) if (given := rng.choice(SOME_COSTS)) else Costs()
        rules = EXACT_PAIRS if scheme == "exact" else PAIRINGS[rng.choice(sorted(PAIRINGS))]
        yield cluster, costs, PREFERENCES[scheme](costs), rules


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("scheme", PREFERENCES)
def test_weights_are_ordered_as_their_keys(scheme, seed):
    """Of any two solutions, that weighs less whose key is less, to the last word of shift."""
    for cluster, costs, preference, rules in cases(seed, scheme):
        weights = weigh(cluster, preference, rules)
        rows = [
            (key_of(cluster, solution, costs, scheme), weight)
            for solution, weight in all_solutions(cluster, weights)
        ]
        rows.sort()
        assert [weight for _, weight in rows] == sorted(weight for _, weight in rows)
        assert len({key for key, _ in rows}) == len({weight for _, weight in rows})


def allowed(cluster, solution, rules):
    """Whether all pairs are of a class that the rules have, and share enough."""
    for (r, h), (kind, *_) in zip(solution.pairs, slots_of(cluster, solution), strict=False):
        other, (start, end) = cluster.hypotheses[h], solution.placement[r]
        shared = min(end, other.end) - max(start, other.start)
        longer = max(end - start, other.end - other.start)
        if Slot(kind) not in rules.classes or rules.half and 2 * shared < longer:
            return False
    return True


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scheme", PREFERENCES)
def test_weights_allow_what_the_rules_do(scheme, seed):
    """The pairs that have a weight are those of the classes that may be."""
    for cluster, _, preference, rules in cases(seed, scheme):
        weights = weigh(cluster, preference, rules)
        free = weights._replace(pair=dict.fromkeys(weights.pair, 0), half=False)
        assert {
            solution
            for solution, _ in all_solutions(cluster, free)
            if allowed(cluster, solution, rules)
        } == {solution for solution, _ in all_solutions(cluster, weights)}


@pytest.mark.parametrize("rules", [*PAIRINGS.values(), EXACT_PAIRS])
def test_weights_say_what_the_rules_ask_for(rules):
    """Whether half the words are shared, starts matter, and nesting may be inverted."""
    for preference, late in ((cheapest(Costs()), False), (as_lne(Costs.parse("I=2")), True)):
        weights = weigh(AGREED, preference, rules)
        assert (rules.half, rules.nesting) == (weights.half, weights.nesting)
        assert weights.starts_matter == (rules.half or late)
        assert weights.late_hypothesis == (weights.deletion[0] if late else 0)
        assert weights.late_reference == (2 * weights.deletion[0] if late else 0)


def test_pairs_that_may_be():
    """Of the definition: any; by label: not both wrong; exact ones: those, whatever is inside."""
    classes = {"word": "C S_S S_T S_ST", "half": "C S_S S_T S_ST", "label": "C S_S S_T"}
    found = {name: {slot.value for slot in rules.classes} for name, rules in PAIRINGS.items()}
    assert {name: set(those.split()) for name, those in classes.items()} == found
    assert ["half"] == [name for name, rules in PAIRINGS.items() if rules.half]
    assert all(rules.nesting for rules in PAIRINGS.values())
    assert not EXACT_PAIRS.nesting


in_all_or_none = pytest.mark.parametrize("many", [0, 100])
"""Covers are looked for in all clusters, or in none of these."""


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("scheme", PREFERENCES)
@in_all_or_none
def test_a_cluster_is_solved(scheme, seed, many):
    """At sight, by its covers or by a search: no solution comes before the one that is found."""
    for cluster, _, preference, rules in cases(seed, scheme):
        known = dict(all_solutions(cluster, weigh(cluster, preference, rules)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(best, "MANY", many)
            pairs, placement, _ = solve(cluster, preference, rules)
        assert min(known.values()) == known[Solution(tuple(sorted(pairs)), placement)]


@pytest.mark.parametrize("near", [None, nearness])
@pytest.mark.parametrize("neutral", ["", "b"])
def test_a_mapping_is_put_together_from_its_parts(neutral, near):
    """The pairs and frontiers of each part, counted from where it begins; pairs in order."""
    preference = cheapest(Costs.parse("S_S=1,S_T.depth=3"))
    for seed in range(20):
        rng = random.Random(f"parts-{seed}")
        reference = seeded_fuzzy(rng, 20, 8, 1)
        hypothesis = seeded_hypothesis(rng, reference, 8)
        given = frozenset(neutral), near
        pairs, placement = set(), {}
        for origin, cluster in clusters(reference, hypothesis, *given):
            solution = solve(cluster, preference, PAIRINGS["word"])
            pairs |= {(r + origin.reference, h + origin.hypothesis) for r, h in solution.pairs}
            for r, span in enumerate(solution.placement, origin.reference):
                placement[r] = tuple(k + origin.frontier for k in span)
        found = best_mapping(reference, hypothesis, preference, None, *given)
        assert tuple(sorted(pairs)) == found.pairs
        assert tuple(placement[r] for r in range(len(reference.elements))) == found.placement


def test_a_mapping_is_the_definitions_unless_asked():
    """The default costs and pairs; other preferences and rules are asked for."""
    words = ("x", "y")
    reference = Reference.exact(Document("d", words, tree([("a", 0, 2)])))
    hypothesis = Document("d", words, tree([("b", 0, 1)]))
    assert best_mapping(reference, hypothesis).pairs == ((0, 0),)
    assert best_mapping(reference, hypothesis, rules=PAIRINGS["label"]).pairs == ()
    dear = cheapest(Costs.parse("S_ST=3"))
    assert best_mapping(reference, hypothesis, dear).pairs == ()


@pytest.mark.parametrize(
    ("cluster", "preference", "rules"),
    [
        (AGREED, cheapest(Costs()), PAIRINGS["word"]),
        (AGREED._replace(hypotheses=()), cheapest(Costs()), PAIRINGS["word"]),
        (AGREED._replace(candidates=((0,), (2,))), MOST_CORRECT, EXACT_PAIRS),
        (MISTAKEN, MOST_CORRECT, EXACT_PAIRS),
    ],
)
def test_what_is_seen_at_sight_is_not_searched(cluster, preference, rules, monkeypatch):
    """Two equal trees, one side alone, and exact pairs where all have one place."""
    monkeypatch.setattr(mapping, "best_solution", None)
    assert solve(cluster, preference, rules).placement


def test_what_is_not_seen_at_sight_is_searched(monkeypatch):
    """Trees that differ, exact pairs with a choice of places, other preferences."""
    fuzzy = MISTAKEN._replace(candidates=((0, 1), (2,)))
    for cluster, preference, rules in (
        (MISTAKEN, cheapest(Costs()), PAIRINGS["word"]),
        (fuzzy, MOST_CORRECT, EXACT_PAIRS),
        (AGREED._replace(neutral=(0,)), as_lne(Costs()), PAIRINGS["word"]),
    ):
        given = []
        monkeypatch.setattr(mapping, "best_solution", lambda *all, to=given: to.append(all[2]))
        solve(cluster, preference, rules, 7)
        assert given == [7]


def test_different_words_are_no_problem_to_cut():
    """Both sides must be on the same words."""
    sides = Reference("d", ("x",)), Document("d", ("y",))
    with pytest.raises(SerevalError, match="d: reference and hypothesis have different words"):
        cut(*sides)


@pytest.mark.parametrize(
    ("costs", "neutral", "expected"),
    [
        ("", False, True),
        ("", True, True),
        ("D=0,I=0", False, True),  # by the number of corrects
        ("D=0,I=0", True, True),
    ],
)
def test_nothing_comes_before_all_correct(costs, neutral, expected):
    """Costs are never negative, and of equal ones most corrects come first."""
    given = Costs.parse(costs) if costs else Costs()
    assert expected == cheapest(given).prefers_all_correct(neutral=neutral)


def test_where_pairs_are_few_all_correct_may_not_be_preferred():
    """LNE's program prefers fewest pairs among equals, so free deletions come before corrects."""
    assert as_lne(Costs()).prefers_all_correct()
    assert not as_lne(Costs()).prefers_all_correct(neutral=True)
    assert not as_lne(Costs.parse("D=0,I=0")).prefers_all_correct()
    assert as_lne(Costs.parse("D=0,I=0.1")).prefers_all_correct()
    assert as_lne(Costs.parse("D=0.1,I=0")).prefers_all_correct()


def test_a_later_number_may_be_any():
    """The largest number after the first, for a radix that no sum of such numbers reaches."""
    low, high = extremes_as_lne(Costs.parse("D=7,I=3"))
    assert low.largest == high.largest == 70  # costs are scaled by 10
    assert extremes_as_lne(Costs.parse("D=3,I=7"))[0].largest == 70
    assert 1 == cheapest(Costs.parse("D=7")).largest == MOST_CORRECT.largest
    assert extremes_as_lne(Costs.parse("D=0,I=0"))[0].largest == 1


def test_what_is_uncharged_keeps_its_class():
    """Only the first number is a cost."""
    assert without_cost((2, 1, -1)) == (0, 1, -1)


def test_levels_that_are_right_make_a_type_substitution_cheaper():
    """Of no other class is anything taken off."""
    preference = Preference((0, -1), (3, 1), (6, 2), (9, 3), (9, 4), (9, 5), share=2)
    assert preference.of_pair(2, same_span=True) == (2, 2)
    assert preference.of_pair(0, same_span=True) == (6, 2)
    assert preference.of_pair(2, same_span=False) == (9, 3)
    assert preference.of_pair(ALL, same_span=False) == (3, 1)
    assert preference.of_pair(ALL, same_span=True) == (0, -1)
