"""What else decides a mapping, besides the definition: the search against all mappings there are.

LNE's charges, neutral labels, and the rules of pairing.
"""

from random import Random

import pytest
from brute_force import random_case
from exhaustive import Rule, first_of_all, misses_cost, reported
from strategies import broken_rules, is_placement

from sereval.mapping.best import PAIRINGS


def neutral(rng):
    """One or two neutral labels, under either scheme."""
    labels = frozenset(rng.sample("abc", rng.choice([1, 1, 2])))
    return [Rule(neutral=labels, lne=lne) for lne in (False, True)]


RULES = {  # of a case, how many cases are tried, and how many in each of the long runs
    "lne": (lambda _: [Rule(lne=True)], 600, 2000),
    "pairing": (lambda _: [Rule(pairing=pairing) for pairing in PAIRINGS], 300, 1500),
    "neutral": (neutral, 1000, 2000),
}


VOLUMES = [  # each kind of rules once, and five more times for long
    pytest.param(rules, seed, many if seed > 1 else cases, marks=mark, id=f"{kind}-{seed}")
    for kind, (rules, cases, many) in RULES.items()
    for seed, mark in ((1, pytest.mark.check), *((k, pytest.mark.long) for k in range(2, 7)))
]


@pytest.mark.parametrize(("rules", "seed", "cases"), VOLUMES)
def test_random_cases(rules, seed, cases):
    """The first of all mappings is found, and what it costs stands in every output.

    LNE's program never prints less than the definition.
    """
    rng = Random(seed)
    seen = 0
    for _ in range(cases):
        case = random_case(rng)
        for rule in rules(rng):
            evaluation, cost, charged = first_of_all(case, rule)
            [score] = evaluation.documents
            found = score.mapped.mapping
            assert is_placement(score.mapped.reference, found.placement)
            assert not broken_rules(score.mapped.reference, score.mapped.hypothesis, *found[::-1])
            assert {cost} == reported(evaluation), (case, rule)
            if rule.lne:
                assert cost >= evaluation.others[0].cost(evaluation.settings.costs)
                assert charged >= 0
        seen += any(h.label in rule.neutral or not rule.neutral for h in case.hypothesis)
    assert seen > cases / 4


@pytest.mark.check
def test_misses():
    """What has no place and is missed costs a deletion, and nothing where it is neutral."""
    misses_cost(Random(3), 600, lambda rng: Rule(neutral=frozenset(rng.sample("abc", 1))))
