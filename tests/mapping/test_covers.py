"""Elements around all others are settled apart, and the result is the search's own."""

import math
import random
from dataclasses import replace
from itertools import product

import pytest
from strategies import seeded_fuzzy, seeded_hypothesis
from test_clusters import nearness
from test_search import frontiers_of, random_rules, weight_of
from volumes import seeds

from sereval.documents.model import Document, Element, Reference, ReferenceElement, tags, tree
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.mapping import best
from sereval.mapping.best import PAIRINGS, cheapest, solve, weigh
from sereval.mapping.clusters import ALL, Cluster, Hypothesis, clusters, inside
from sereval.mapping.covers import covers
from sereval.mapping.search import MAX_STATES, SearchWeights, best_solution
from sereval.measures.slots import Costs


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
    preference, rules = random_rules(rng)
    neutral = frozenset(rng.sample("abz", rng.choice([0, 0, 1])))
    levels = []
    for _, cluster in clusters(reference, hypothesis, neutral):
        weights = weigh(cluster, preference, rules)
        searched = best_solution(cluster, weights, MAX_STATES)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(best, "MANY", 0)
            settled = solve(cluster, preference, rules)
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


def test_what_is_inside_is_cut_as_without_the_cover():
    """The parts inside a cover are the clusters of the same document without it."""
    rng = random.Random("inside")
    for _ in range(100):
        reference = seeded_fuzzy(rng, 12, 7, 2)
        hypothesis = seeded_hypothesis(rng, reference, 7)
        n = len(reference.words)
        around = ReferenceElement(("z",), (0,), (n,))
        sides = covered(reference, around), covered(hypothesis, Element("z", 0, n))
        [(_, whole)] = clusters(*sides, frozenset("bz"), nearness)
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
            for origin, cluster in clusters(reference, hypothesis, frozenset("bz"), nearness)
        ]
        assert alone == parts


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


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_covers_are_settled_as_deep_as_they_stand(depth):
    """Of elements one inside the other, around all others on both sides, each is a cover."""
    words = tuple(f"w{k}" for k in range(9))
    around = [(label, k, 9 - k) for k, label in enumerate("abc"[:depth])]
    spans = [*around, ("x", 3, 4), ("y", 5, 6)]
    document = Document("d", words, tree(spans))
    [(_, cluster)] = clusters(Reference.exact(document), document)
    assert depth == covers(cluster, weigh(cluster, cheapest(Costs()), PAIRINGS["word"]))


@pytest.mark.parametrize(
    ("starts", "ends", "strict", "pair", "expected"),
    [
        ((0,), (3,), (0, 3), 8, 1),  # as dear as both left alone
        ((0,), (3,), (0, 3), 9, 0),
        ((0,), (3,), (None, None), 8, 1),
        ((0, 1), (3,), (1, 3), 8, 0),  # and a word further than it need be, at its start
        ((0, 1), (3,), (1, 3), 7, 1),
        ((0,), (2, 3), (0, 2), 8, 0),  # at its end
        ((0, 1), (2, 3), (1, 2), 7, 0),  # at both
        ((0,), (3,), (2, 5), 8, 1),  # no further than it must be
        ((1,), (3,), (None, None), 0, 0),  # not where the other begins
        ((0,), (2,), (None, None), 0, 0),  # nor where it ends
    ],
)
def test_covers_weigh_no_more_than_what_else_may_become_of_them(
    starts, ends, strict, pair, expected
):
    """A pair is settled if it weighs, with its shift, no more than its elements left alone."""
    alone = Hypothesis(0, 3, None, (0,))
    weights = SearchWeights((4, 4), (4, 4), {(ALL, True, False): pair, (ALL, False, False): None})
    assert expected == covers(Cluster((None,), (starts, ends), strict, (alone,)), weights)


def may_be_settled(cluster, weights, k):
    """Whether element k of either side may be paired with the other's: the rule, recounted here."""
    sides = [cluster.parents, [other.parent for other in cluster.hypotheses]]
    if any(
        len(side) <= k or any(parent is None or parent < k for parent in side[k + 1 :])
        for side in sides
    ):
        return False
    candidates: list[list] = [[] for _ in cluster.parents]
    shifts: list[list] = [[] for _ in cluster.parents]
    placed = zip(tags(cluster.parents), cluster.candidates, cluster.strict, strict=True)
    for (r, _), those, strict in placed:
        candidates[r].append(those)
        shifts[r].append({at: 0 if strict is None else abs(at - strict) for at in those})

    def is_free(r, h):
        return r in cluster.neutral or cluster.hypotheses[h].is_neutral

    def least(r, h):
        other = cluster.hypotheses[h]
        starts, ends = candidates[r]
        kinds = [False, True] if other.start in starts and other.end in ends else [False]
        found = [weights.pair[other.right(r), same, is_free(r, h)] for same in kinds]
        return min((weight for weight in found if weight is not None), default=math.inf)

    alone_r = [weights.deletion[r in cluster.neutral] for r in range(len(cluster.parents))]
    alone_h = [weights.insertion[other.is_neutral] for other in cluster.hypotheses]
    cover = cluster.hypotheses[k]
    if cover.start not in candidates[k][0] or cover.end not in candidates[k][1]:
        return False
    inner = [at for both in candidates[k + 1 :] for those in both for at in those]
    together = weights.pair[cover.right(k), True, is_free(k, k)]
    if together is None or inner and (min(inner) < cover.start or cover.end < max(inner)):
        return False
    moved = shifts[k][0][cover.start] + shifts[k][1][cover.end]
    gain_r = min([alone_r[k], *(least(k, x) - alone_h[x] for x in range(k + 1, len(alone_h)))])
    gain_h = min([alone_h[k], *(least(y, k) - alone_r[y] for y in range(k + 1, len(alone_r)))])
    least_moved = sum(min(shift.values()) for shift in shifts[k])
    return together + moved <= gain_r + gain_h + least_moved


@pytest.mark.parametrize("seed", range(30))
def test_covers_are_those_that_the_rule_settles(seed):
    """Whatever is weighed, covers are settled from the outermost inwards, by the rule."""
    rng = random.Random(f"rule-{seed}")
    reference, hypothesis = random_sides(rng)
    for _, cluster in clusters(reference, hypothesis, frozenset(rng.sample("abz", 1))):
        for _ in range(30):
            kinds = product((ALL, 0), (False, True), (False, True))
            weights = SearchWeights(
                (rng.randint(0, 4), rng.randint(0, 4)),
                (rng.randint(0, 4), rng.randint(0, 4)),
                {kind: rng.choice([None, -3, -2, *range(9)]) for kind in kinds},
            )
            expected = 0
            while may_be_settled(cluster, weights, expected):
                expected += 1
            assert expected == covers(cluster, weights)


@pytest.mark.parametrize(
    ("opening", "closing", "expected"),
    [((1,), (2,), 1), ((0, 1), (2,), 0), ((1,), (2, 3), 0)],
)
def test_nothing_inside_a_cover_may_reach_out_of_it(opening, closing, expected):
    """A cover whose inner elements have candidates beyond it is left to the search."""
    candidates = (0, 1), opening, closing, (2, 3)
    cover = Hypothesis(1, 2, None, (0,))
    weights = SearchWeights((4, 4), (4, 4), {(ALL, True, False): 0, (0, False, False): None})
    weights.pair[0, True, False] = None
    assert expected == covers(Cluster((None, 0), candidates, (None,) * 4, (cover,)), weights)
