"""A type substitution shared out by depth: cheaper, the more levels of its label are right."""

from fractions import Fraction

import pytest
import strategies
from exhaustive import reported
from hypothesis import given

from sereval import Costs, Document, evaluate, tree
from sereval.labels.grammar import load_grammar

WORDS = tuple("abcdef")
TOWN = [("loc.adm.town", 0, 2)]


def document(*spans):
    return Document("d", WORDS, tree(spans))


WORKED = [  # reference, hypothesis, depth, cost
    (TOWN, [("loc.adm.nat", 0, 2)], 1, Fraction(1, 2)),
    (TOWN, [("loc.adm.nat", 0, 2)], 2, Fraction(1, 4)),
    (TOWN, [("loc.adm.nat", 0, 2)], 3, Fraction(1, 6)),
    (TOWN, [("loc.phys.geo", 0, 2)], 3, Fraction(1, 3)),
    (TOWN, [("loc", 0, 2)], 3, Fraction(1, 3)),
    (TOWN, [("loc.adm", 0, 2)], 3, Fraction(1, 6)),
    (TOWN, [("org", 0, 2)], 3, Fraction(1, 2)),
    (TOWN, [("loc.adm.town.small", 0, 2)], 3, Fraction(1, 6)),  # one share is always left
    (TOWN, [("loc.adm.town", 0, 2)], 3, 0),
    (TOWN, [("loc.adm.nat", 0, 1)], 3, 1),  # S_ST costs what it costs
    # under one of two: the nearer one is the substitution, the other is inserted
    (TOWN, [("org", 0, 2), ("loc.adm.nat", 0, 2)], 3, 1 + Fraction(1, 6)),
]


@pytest.mark.parametrize(("reference", "hypothesis", "depth", "cost"), WORKED)
def test_worked_cases(reference, hypothesis, depth, cost):
    """Each level that is right, from above, takes one share of 0.5 off."""
    costs = Costs.parse(f"S_T.depth={depth}")
    found = evaluate([document(*reference)], [document(*hypothesis)], costs=costs)
    assert cost == found.counts.cost(costs)
    assert {cost} == reported(found) if depth < 3 else True


def test_the_grammar_has_the_hierarchy():
    """name.last is not below name in quaero, and dots do not say that PERSON is an ENAMEX."""
    costs = Costs.parse("S_T.depth=2")
    for grammar, labels, cost in (
        (None, ("name.last", "name.first"), Fraction(1, 4)),
        ("quaero", ("name.last", "name.first"), Fraction(1, 2)),
        (None, ("PERSON", "LOCATION"), Fraction(1, 2)),
        ("muc", ("PERSON", "LOCATION"), Fraction(1, 4)),
    ):
        ours, theirs = (document((label, 0, 2)) for label in labels)
        rules = load_grammar(grammar) if grammar else None
        found = evaluate([ours], [theirs], costs=costs, grammar=rules)
        assert cost == found.counts.cost(costs)
        assert f"|hierarchy:{grammar or 'dots'}|costs:" in str(found.signature)


@pytest.mark.check
@given(strategies.scorings())
def test_labels_without_levels(scoring):
    """Where no two labels have a level in common, a depth changes nothing."""
    costs = str(scoring.costs)
    deep = Costs.parse(f"{costs},S_T.depth=3")
    found, expected = scoring.run(costs=deep), scoring.run()
    assert expected.labels == found.labels
    assert expected.ser == found.ser


# --- other ways to the same figures --------------------------------------------------------------
