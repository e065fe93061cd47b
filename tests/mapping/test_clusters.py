"""The parts of the problem are those that nothing reaches across, and the easy ones are settled."""

import random

import pytest
from strategies import seeded_fuzzy, seeded_hypothesis
from test_search import all_placements

from sereval.documents.model import tags
from sereval.mapping.clusters import (
    Cluster,
    feasible_candidates,
)


def bare(reference):
    """A reference as one cluster of all candidates."""
    parents = tuple(e.parent for e in reference.elements)
    of_tag = [
        reference.elements[r].ends if c else reference.elements[r].starts for r, c in tags(parents)
    ]
    return Cluster(parents, tuple(of_tag), (None,) * len(of_tag), ())


def sides(seed):
    """Both sides of a random document; some have but one candidate for each tag."""
    rng = random.Random(f"clusters-{seed}")
    reference = seeded_fuzzy(rng, 8, 5, rng.choice([0, 1, 3]))
    return reference, seeded_hypothesis(rng, reference, 4)


@pytest.mark.parametrize("seed", range(60))
def test_candidates_are_those_that_some_placement_uses(seed):
    """Of each tag all candidates are kept that are its frontier in any placement, and no other."""
    reference, _ = sides(seed)
    placements = list(all_placements(bare(reference)))
    used = [tuple(sorted(set(of_tag))) for of_tag in zip(*placements, strict=True)]
    order = tags([element.parent for element in reference.elements])
    assert used == feasible_candidates(reference, order)
