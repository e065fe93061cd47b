"""Scores that are compared by precision, recall, F1 or a rate of words."""

from fractions import Fraction

import pytest

from sereval import score
from sereval.analysis.rates import exact_rate, tally
from sereval.documents.model import Document, tree
from sereval.schemes.measure import parse_measure

SAID = [
    Document("a", ("to", "Dol", "or", "Rome"), tree([("loc", 1, 2), ("loc", 3, 4)])),
    Document("b", ("Ada", "said"), tree([("pers", 0, 1)])),
    Document("c", ("no",)),
]
HEARD = {
    "one": [
        Document("a", ("to", "Dole", "or", "Rome"), tree([("loc", 3, 4)])),
        Document("b", ("Ada", "a", "said"), tree([("pers", 0, 1), ("org", 2, 3)])),
        Document("c", ("no",)),
    ],
    "two": [
        Document("a", ("to", "Dol", "Rome"), tree([("org", 1, 2)])),
        Document("b", ("Ida", "said")),
        Document("c", ("no",), tree([("loc", 0, 1)])),
    ],
}
NAMES = (
    "F1(by=text)",
    "F2(by=text)",
    "F0.5(by=text)",
    "P(by=text)",
    "R(by=text)",
    "WER",
    "entity-wer",
    "entity-wer.loc",
    "U-WER",
)


def scored(name, system):
    """A system by a measure, and the value that ``measure`` gives."""
    one = parse_measure(name)
    found = score(SAID, HEARD[system], measure=[one])
    return found.scored[one], found.values[one]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", HEARD)
def test_rates_are_the_values_of_measures(name, system):
    """The exact rate is that of ``score --measure``, and the sum of the units."""
    found, value = scored(name, system)
    rate = exact_rate(found)
    assert value == (None if rate is None else pytest.approx(float(rate)))
    above, below = map(sum, zip(*tally(found).values(), strict=True))
    assert rate == (Fraction(above) / below if below else None)
