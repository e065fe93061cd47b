"""Costs as they are written and read, and counts that are no counts."""

from fractions import Fraction

import pytest
from tables import tables

from sereval.errors import SerevalError
from sereval.measures.slots import Costs, Counts, Slot, decimal

TABLES = tables(__file__)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(1, 2**10), "0.0009765625"),
        (Fraction(1, 5**8), "0.00000256"),
        (Fraction(7, 10**9), "0.000000007"),
        (Fraction(1, 5**30), "0." + "0" * 20 + "1073741824"),
        (Fraction(1, 7), "0.142857"),
        (Fraction(2, 3), "0.666667"),
        (Fraction(1, 3), "0.333333"),
        (Fraction(120), "120"),
        (Fraction(3 * 10**7 - 1, 3 * 10**7), "1"),
    ],
)
def test_decimals_are_exact(value, expected):
    """What is a decimal fraction is written with all its places, anything else with six."""
    assert expected == decimal(value)


def test_costs_are_written_as_they_are_read():
    """Costs with all their places come back from their text."""
    given = "S_S=0.000000007,S_T=0.5,S_ST=3,D=999999999,I=0.25"
    assert given == str(Costs.parse(given))


def test_counts_add_up_with_counts_alone():
    """A sum that begins with any number but 0 is refused."""
    with pytest.raises(TypeError):
        sum([Counts(C=1)], 1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"S_S": -1}, "expected integers of 0 or more"),
        ({"D": 0.5}, "expected integers of 0 or more"),
        ({"scale": 0}, "scale 0, expected an integer of 1 or more"),
        ({"scale": True}, "scale True, expected an integer of 1 or more"),
        ({"depth": 0}, "depth 0, expected an integer from 1 to 99"),
        ({"depth": True}, "depth True, expected an integer from 1 to 99"),
        ({"depth": 100}, "depth 100, expected an integer from 1 to 99"),
        ({"S_T": 5, "depth": 2}, "S_T 5, expected a multiple of the depth 2"),
    ],
)
def test_numbers_that_are_no_costs(wrong, message):
    """Costs are integers of 0 or more, multiples of 1/scale, and a share of one is whole."""
    with pytest.raises(SerevalError, match=message):
        Costs(**wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    TABLES["no_costs"],
)
def test_texts_that_are_no_costs(text, message):
    """A part without a number, a class twice or unknown, and what is no plain decimal are told."""
    with pytest.raises(SerevalError, match=message):
        Costs.parse(text)


def test_no_more_levels_than_a_cost_is_shared_over():
    """The least and the most levels are taken; a cost that cannot be shared exactly is scaled."""
    assert (0, 10) == (Costs.parse("S_T.depth=1").share, Costs.parse("S_T.depth=1").scale)
    deepest = Costs.parse("S_T.depth=99")
    assert Fraction(1, 2 * 99) == Fraction(deepest.share, deepest.scale)


def test_costs_that_are_not_given():
    """What is not given costs what the definition says; nothing need cost anything."""
    assert "S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1" == str(Costs.of({})) == str(Costs())
    assert "S_S=0,S_T=0,S_ST=0,D=0,I=0" == str(Costs(0, 0, 0, 0, 0, scale=1))


@pytest.mark.parametrize(
    ("depth", "share", "scale"), [(1, 0, 10), (2, 5, 20), (3, 5, 30), (5, 1, 10), (10, 5, 100)]
)
def test_a_share_is_a_whole_number(depth, share, scale):
    """Costs are scaled where a type substitution cannot be shared exactly, and only there."""
    costs = Costs.parse(f"S_T.depth={depth}")
    assert (share, scale) == (costs.share, costs.scale)
    assert ("S_T.depth" in str(costs)) == (depth > 1)
    assert costs == Costs.parse(str(costs))


def test_counts_add_up():
    """Counts add up from nothing, number by number."""
    assert Counts(C=1, D=2) == sum([Counts(C=1), Counts(D=2)])
    assert Counts(C=3, exact=1) == sum([Counts(C=1), Counts(C=2, exact=1)])


def test_levels_that_are_right_cost_less():
    """A type substitution costs a share less for each level that is right; nothing else does."""
    costs = Costs.parse("S_T.depth=2")
    counts = Counts(S_S=2, S_T=2, right_levels=1)
    assert (Fraction(3, 4), 1) == tuple(
        counts.cost_of(slot, costs) for slot in (Slot.TYPE, Slot.SPAN)
    )
    assert Fraction(7, 4) == counts.cost(costs)


def test_correct_slots_are_not_free():
    """What costs nothing anyway is not counted among what costs nothing by its label."""
    assert 0 == Counts(C=3).free(Slot.CORRECT)


def test_rates_of_exact_pairs():
    """Precision is over what was found, recall over what there is, F1 over both."""
    counts = Counts(C=1, S_S=1, D=2, I=6, hyp=8, exact=2, exact_hyp=2)
    assert (0.25, 0.5, 4 / 12) == (counts.precision, counts.recall, counts.f1)
    for beta in (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(7, 3)):
        weight = float(beta) ** 2
        expected = (1 + weight) * 0.25 * 0.5 / (weight * 0.25 + 0.5)  # the paper's form
        assert counts.f(beta) == pytest.approx(expected)


def test_every_slot_of_the_reference_counts():
    """``Ref`` has the slots of every class but insertions."""
    assert 1 + 2 + 4 + 8 + 16 == Counts(C=1, S_S=2, S_T=4, S_ST=8, D=16, I=32).ref


def test_rates_of_nothing():
    """A rate without anything to divide by is none."""
    nothing, inserted = Counts(), Counts(I=1, hyp=1)
    assert (None, None, None, None) == (
        nothing.ser(Costs()),
        nothing.precision,
        nothing.recall,
        nothing.f1,
    )
    assert (None, 0, None, 0) == (
        inserted.ser(Costs()),
        inserted.precision,
        inserted.recall,
        inserted.f1,
    )
