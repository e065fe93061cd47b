"""Costs as they are written and read, and counts that are no counts."""

from fractions import Fraction

import pytest
from tables import tables

from sereval.errors import SerevalError
from sereval.measures import Costs, Counts, decimal

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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"S_S": -1}, "expected integers of 0 or more"),
        ({"D": 0.5}, "expected integers of 0 or more"),
        ({"scale": 0}, "scale 0, expected an integer of 1 or more"),
        ({"scale": True}, "scale True, expected an integer of 1 or more"),
    ],
)
def test_numbers_that_are_no_costs(wrong, message):
    """Costs are integers of 0 or more, multiples of 1/scale."""
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


def test_rates_of_exact_pairs():
    """Precision is over what was found, recall over what there is, F1 over both."""
    counts = Counts(C=1, S_S=1, D=2, I=6, hyp=8, exact=2, exact_hyp=2)
    assert (0.25, 0.5, 4 / 12) == (counts.precision, counts.recall, counts.f1)
    for beta in (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(7, 3)):
        weight = float(beta) ** 2
        expected = (1 + weight) * 0.25 * 0.5 / (weight * 0.25 + 0.5)  # the paper's form
        assert counts.f(beta) == pytest.approx(expected)
