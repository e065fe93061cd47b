"""Word errors add up; the rate is theirs over the words of the reference."""

import random

from sereval.alignment.blocks import SCLITE, UNIT
from sereval.alignment.words import word_operations
from sereval.evaluation.words import WordErrors


def fewest(reference, hypothesis):
    """The edit distance, by the textbook's table."""
    row = list(range(len(hypothesis) + 1))
    for i, ours in enumerate(reference, 1):
        above, row = row, [i]
        for k, theirs in enumerate(hypothesis):
            row.append(min(above[k] + (ours != theirs), above[k + 1] + 1, row[k] + 1))
    return row[-1]


def test_unit_weights_have_the_fewest_errors():
    """Words of both sides are told by what became of them, and no alignment has fewer errors."""
    rng = random.Random(2011)
    for _ in range(200):
        sides = [rng.choices("abc", k=rng.randint(0, 8)) for _ in range(2)]
        found = word_operations(*sides, UNIT)
        errors = WordErrors.of(found.counts)
        assert (fewest(*sides), 0) == (errors.S + errors.D + errors.I, found.slack)
        assert len(sides[0]) == errors.ref
        assert len(sides[1]) == errors.correct + errors.S + errors.I


def test_sclite_weights_have_the_cheapest_alignment():
    """A substitution costs more than a deletion, and less than a deletion and an insertion."""
    words = ["a", "b", "c", "d"], ["a", "x", "d"]
    found = word_operations(*words, SCLITE)
    assert (WordErrors(correct=2, S=1, D=1), 0) == (WordErrors.of(found.counts), found.slack)
    # "b" correct, two deletions and an insertion: 9; two substitutions and a deletion: 11
    found = word_operations(["x", "y", "b"], ["b", "z"], SCLITE)
    assert WordErrors(correct=1, D=2, I=1) == WordErrors.of(found.counts)
