"""Elements around all others are settled apart, and the result is the search's own."""

import random
from dataclasses import replace

import pytest
from brute_force import random_costs as oracle_costs
from strategies import seeded_fuzzy, seeded_hypothesis
from test_search import weight_of

from sereval import mapping
from sereval.clusters import clusters, inside
from sereval.covers import covers
from sereval.errors import SerevalError
from sereval.evaluate import evaluate
from sereval.mapping import EXACT_PAIRS, MOST_CORRECT, PAIRINGS, as_lne, cheapest, solve, weigh
from sereval.model import Document, Element, ReferenceElement, tree
from sereval.score import Costs, Counts
from sereval.search import MAX_STATES, best_solution

long = pytest.mark.long


@pytest.fixture
def everywhere(monkeypatch):
    """Covers are looked for in small clusters too."""
    monkeypatch.setattr(mapping, "MANY", 0)
    solve.cache_clear()
    yield
    solve.cache_clear()


def covered(side, element):
    """A document or reference with one more element around all others."""

    def lower(one):
        return replace(one, parent=0 if one.parent is None else one.parent + 1)

    return replace(side, elements=(element, *map(lower, side.elements)))


def random_cover(rng, n):
    """An element of a reference around all others: mostly where a hypothesis's would be."""
    starts, ends = rng.choice([(0,), (0,), (0, 1)]), rng.choice([(n,), (n,), (n - 1, n)])
    strict = rng.choice([None, (rng.choice(starts), rng.choice(ends))])
    return ReferenceElement((rng.choice("azzz"),), starts, ends, None, strict)


def random_sides(rng):
    """Both sides of a document with up to two elements around all others."""
    reference = seeded_fuzzy(rng, 12, 7, 2)
    hypothesis = seeded_hypothesis(rng, reference, 7)
    n = len(reference.words)
    for _ in range(rng.choice([1, 1, 2])):
        reference = covered(reference, random_cover(rng, n))
        hypothesis = covered(hypothesis, Element(rng.choice("azzz"), 0, n))
    return reference, hypothesis


def check(rng):
    reference, hypothesis = random_sides(rng)
    costs = Costs.of({name: f"{float(cost):g}" for name, cost in oracle_costs(rng).items()})
    preference = rng.choice([cheapest(costs), cheapest(Costs()), as_lne(costs), MOST_CORRECT])
    rules = EXACT_PAIRS if preference is MOST_CORRECT else PAIRINGS[rng.choice(sorted(PAIRINGS))]
    neutral = frozenset(rng.sample("abz", rng.choice([0, 0, 1])))
    levels = []
    for _, cluster in clusters(reference, hypothesis, neutral):
        weights = weigh(cluster, preference, rules)
        searched = best_solution(cluster, weights, MAX_STATES)
        settled = solve(cluster, preference, rules)
        assert weight_of(cluster, weights, searched) == weight_of(cluster, weights, settled)
        for those, k in zip(cluster.candidates, settled.frontiers, strict=True):
            assert k in those
        levels.append(covers(cluster, weights))
    return max(levels, default=0)


@pytest.mark.parametrize("seed", range(40))
def test_settled_apart_is_searched(seed, everywhere):
    """The solution weighs the same whether covers are settled apart or searched with the rest."""
    rng = random.Random(f"covers-{seed}")
    found = [check(rng) for _ in range(10)]
    assert {0, 1} <= set(found)


@long
@pytest.mark.parametrize("seed", range(10))
def test_settled_apart_is_searched_on_many(seed, everywhere):
    """On very many documents the solution weighs the same."""
    rng = random.Random(f"covers-many-{seed}")
    for _ in range(500):
        check(rng)


def test_what_is_inside_is_cut_as_without_the_cover():
    """The parts inside a cover are the clusters of the same document without it."""
    rng = random.Random("inside")
    for _ in range(100):
        reference = seeded_fuzzy(rng, 12, 7, 2)
        hypothesis = seeded_hypothesis(rng, reference, 7)
        n = len(reference.words)
        around = ReferenceElement(("z",), (0,), (n,))
        sides = covered(reference, around), covered(hypothesis, Element("z", 0, n))
        [(_, whole)] = clusters(*sides)
        parts = [(tuple(origin), part) for origin, part in inside(whole, 1)]
        alone = [
            (
                (
                    origin.reference + 1 if cluster.parents else 0,
                    origin.hypothesis + 1 if cluster.hypotheses else 0,
                    origin.frontier,
                ),
                cluster,
            )
            for origin, cluster in clusters(reference, hypothesis)
        ]
        assert alone == parts


def side(spans):
    return Document("d", tuple(f"w{k}" for k in range(600)), tree([("doc", 0, 600), *spans]))


def test_a_cover_does_not_hide_what_cannot_be_searched():
    """The message names the element that the search stopped at, not the one around it."""
    rng = random.Random("hidden")
    near = [("x", 2 * k, 2 * k + 1) for k in range(100)]
    spans = [("y", 590, 600 - k // 10) for k in range(60)]
    reference, hypothesis = (
        side([*near, *((rng.choice("abc"), start, end) for _, start, end in spans)])
        for _ in range(2)
    )
    label = reference.elements[101].label
    with pytest.raises(SerevalError) as error:
        evaluate([reference], [hypothesis])
    expected = f"d: reference element 101 ({label}) and 119 more between frontiers 590 and 600, "
    assert expected == str(error.value)[: len(expected)]


def test_covers_of_a_label_that_is_inside_too_are_searched():
    """Where an element inside a cover would go better with the cover, it does."""
    words = tuple(f"w{k}" for k in range(300))
    near = [("x", 2 * k, 2 * k + 1) for k in range(60)]
    reference = Document("d", words, tree([("a", 0, 300), ("b", 200, 202), *near]))
    hypothesis = Document("d", words, tree([("b", 0, 300), ("a", 200, 202), *near]))
    counts = evaluate([reference], [hypothesis]).counts
    assert Counts(C=60, S_T=2, hyp=62, exact=60, exact_hyp=60) == counts
