"""The exact pairs that precision and recall count, against the search for them."""

import random
from collections import Counter

import pytest
from strategies import seeded_fuzzy, seeded_hypothesis
from volumes import seeds

from sereval.mapping import best
from sereval.mapping.best import (
    EXACT_PAIRS,
    PAIRINGS,
    Mapping,
    best_mapping,
    cheapest,
    exact_pairs,
    map_parts,
    most_pairs,
    solve,
)
from sereval.mapping.clusters import clusters
from sereval.measures import Costs


def by_labels(reference, hypothesis, pairs):
    """The number of pairs of each label of either side."""
    ours = Counter(reference.elements[r].label for r, _ in pairs)
    return ours, Counter(hypothesis.elements[h].label for _, h in pairs)


ENOUGH = 8 * best.MAX_STATES
"""States for each document: of 3 000 random ones about one needs more than the usual limit."""


@pytest.mark.parametrize(("seed", "times"), seeds(60, 20, 500, quick=30))
def test_each_label_has_as_many_as_by_the_search(seed, times):
    """Whatever pairs the mapping has that is given."""
    rng = random.Random(seed)
    for _ in range(6 * times):
        reference = seeded_fuzzy(rng, 8, 7, 2)
        hypothesis = seeded_hypothesis(rng, reference, 7)
        parts = clusters(reference, hypothesis)
        searched = exact_pairs(reference, hypothesis, parts, Mapping((), ()))
        assert len(searched) == len(map_parts(reference, parts, EXACT_PAIRS).pairs)
        for rules in PAIRINGS.values():
            preference = cheapest(Costs())._replace(**rules)
            mapping = best_mapping(reference, hypothesis, preference, max_states=ENOUGH)
            found = exact_pairs(reference, hypothesis, parts, mapping)
            expected = by_labels(reference, hypothesis, searched)
            assert expected == by_labels(reference, hypothesis, found)
            assert [*found] == sorted({*found})


@pytest.mark.parametrize(("seed", "times"), seeds(40, 10, 200, quick=20))
def test_no_mapping_has_more_pairs_than_the_most(seed, times):
    """The bound holds for each cluster, and it is reached in some."""
    rng = random.Random(seed)
    reached = 0
    for _ in range(6 * times):
        reference = seeded_fuzzy(rng, 8, 7, 2)
        parts = clusters(reference, seeded_hypothesis(rng, reference, 7))
        for _, cluster in parts:
            solution = solve(cluster, EXACT_PAIRS)
            assert len(solution.pairs) <= most_pairs(cluster)
            reached += len(solution.pairs) == most_pairs(cluster) > 0
    assert reached
