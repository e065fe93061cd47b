"""Kehler's question: does the order of systems hold under other alignment criteria?"""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from paths import ROOT
from stabilities import stability
from strategies import in_ms, scorings

from sereval import Costs, evaluate, read
from sereval.analysis.stability import (
    AXES,
    Criterion,
    Stability,
    criteria,
)
from sereval.evaluation.evaluate import SEARCHES, Settings
from sereval.measures import Counts

KEHLER = ROOT / "docs" / "examples" / "kehler"
BASE = Criterion((300, 300), "word", "drop")


def kehler(costs="S_ST=1"):
    """The worked example of docs/why/papers/kehler.md."""
    reference = read(KEHLER / "reference.jsonl")
    systems = {
        name: (reference, read(KEHLER / f"{name}.jsonl"))
        for name in ("eager", "blocked", "careful")
    }
    return stability("text", systems, Settings(costs=Costs.parse(costs)))


def of_rates(**systems):
    """A table with these costs of each system, of 10 reference slots; the rest as the first."""
    table = criteria(BASE)

    def counts(cost, k):
        cost = cost[k] if k < len(cost) else cost[0]
        return Counts(C=10 - cost, D=cost)

    scored = {
        c: {name: counts(cost, k) for name, cost in systems.items()} for k, c in enumerate(table)
    }
    return Stability("m", table[0], Costs(), "SER", scored)


# --- Kehler's situation ---------------------------------------------------------------------------


def test_a_chance_overlap_earns_credit_under_word_only():
    """What is invented costs nothing under word, and two insertions under label and half."""
    found = kehler()
    costs = {
        criterion.pairing: {name: counts.cost(Costs()) for name, counts in row.items()}
        for criterion, row in found.table.items()
    }
    assert {"blocked": 4, "careful": 5, "eager": 4} == costs["word"]
    assert {"blocked": 4, "careful": 5, "eager": 6} == costs["label"] == costs["half"]


def test_without_the_credit_two_systems_change_places():
    """Of the three pairs one flips, by the pairing rule alone."""
    flips = {(s.first, s.second): s for s in kehler().swings if s.flips()}
    assert [("careful", "eager")] == list(flips)
    [swing] = flips.values()
    assert Fraction(1, 4) == swing.size
    assert [False, True, False] == [swing.flips(axis) for axis in AXES]


def test_taking_out_what_is_wrong_can_cost_points():
    """With cheaper S_ST the better output has the worse score under word, as in MUC-6."""
    swings = {(s.first, s.second): s for s in kehler("S_ST=0.5").swings}
    by_pairing = {c.pairing: gap for c, gap in swings["blocked", "eager"].rates.items()}
    assert by_pairing["word"] > 0 > by_pairing["label"]


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.check
@pytest.mark.parametrize("scheme", SEARCHES)
@settings(max_examples=25)
@given(scorings())
def test_every_figure_is_that_of_a_score(scheme, scoring):
    """Each row has the counts of an evaluation with its criterion; the base is among them."""
    tolerance = scoring.tolerance
    both = (tolerance, tolerance) if isinstance(tolerance, int) else tolerance
    given = Settings(
        both, scoring.unplaceable, scoring.costs, pairing=scoring.pairing, scheme=scheme
    )
    found = stability("m", {"a": (scoring.references, scoring.hypotheses)}, given)
    assert found.base in found.table
    for criterion, row in found.table.items():
        expected = evaluate(
            scoring.references,
            scoring.hypotheses,
            tolerance=in_ms(criterion.tolerance),
            unplaceable=criterion.unplaceable,
            pairing=criterion.pairing,
            costs=scoring.costs,
            scheme=scheme,
        )
        assert expected.counts == row["a"]


def test_flips_are_counted_right():
    """a and b flip, a and c tie once, b and c hold; the swing is from least to greatest."""
    found = of_rates(a=(3, 3, 5), b=(4, 4, 4), c=(3, 2, 1))
    swings = {s.first + s.second: s for s in found.swings}
    assert {"ab": True, "ac": False, "bc": False} == {k: s.flips() for k, s in swings.items()}
    assert {"ab": 2, "ac": 4, "bc": 2} == {k: 10 * s.size for k, s in swings.items()}
    first, _, third, *_ = found.table
    assert (first, third) == swings["ab"].ends
    assert [("a", "c"), ("b",)] == found.order(first)
    assert [("c",), ("b",), ("a",)] == found.order(third)
    [flips] = json.loads(found.to_json())["flips"]
    assert (1, 1, 3, 1 / 3) == tuple(flips[key] for key in ("all", "flipped", "pairs", "share"))
    text = str(found)
    assert "change places: 1 of 3 (33.3 %), by swings of 20.0 to 20.0 points" in text
    orders = {line[:5]: line.split()[-1] for line in text.splitlines() if " − " in line}
    assert {"a − b": "flips", "a − c": "ties", "b − c": "holds"} == orders
