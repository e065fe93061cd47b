"""Elements around all others are settled apart, and the result is the search's own."""

import random
from dataclasses import replace

import pytest
from strategies import seeded_fuzzy, seeded_hypothesis
from test_search import frontiers_of, random_preference, weight_of
from volumes import seeds

from sereval.documents.model import Document, Element, ReferenceElement, tree
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.mapping import best
from sereval.mapping.best import solve, weigh
from sereval.mapping.clusters import clusters
from sereval.mapping.covers import covers
from sereval.mapping.search import MAX_STATES, best_solution


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
    preference = random_preference(rng)
    neutral = frozenset(rng.sample("abz", rng.choice([0, 0, 1])))
    levels = []
    for _, cluster in clusters(reference, hypothesis, neutral):
        weights = weigh(cluster, preference)
        searched = best_solution(cluster, weights, MAX_STATES)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(best, "MANY", 0)
            settled = solve(cluster, preference)
        assert weight_of(cluster, weights, searched) == weight_of(cluster, weights, settled)
        for those, k in zip(cluster.candidates, frontiers_of(cluster, settled), strict=True):
            assert k in those
        levels.append(covers(cluster, weights))
    return max(levels, default=0)


@pytest.mark.parametrize(("seed", "times"), seeds(40, 10, times=50))
def test_settled_apart_is_searched(seed, times):
    """The solution weighs the same whether covers are settled apart or searched with the rest."""
    rng = random.Random(f"covers-{seed}")
    found = [check(rng) for _ in range(10 * times)]
    assert {0, 1} <= set(found)


def side(spans):
    return Document("d", tuple(f"w{k}" for k in range(600)), tree([("doc", 0, 600), *spans]))


@pytest.mark.check
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
    expected = f"d: reference element 101 ({label}) and 119 more between frontiers 590 and 600 "
    assert expected == str(error.value)[: len(expected)]
