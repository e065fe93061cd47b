"""The scheme ``quaero-lne``: the mapping that LNE's program finds, to its last charge."""

from random import Random

import pytest
from brute_force import random_case
from exhaustive import Rule, first_of_all

from sereval import Document, Reference, ReferenceElement, evaluate, tree

WORKED = [
    ("a b c", [("x", 0, 2)], [("y", 1, 3)], 2, 1),
    ("a b c d", [("x", 0, 4)], [("y", 0, 1), ("x", 1, 4)], 2, 1.5),
    ("a b c", [("x", 0, 2)], [("y", 0, 3)], 1, 1),
]


@pytest.mark.parametrize(("words", "reference", "hypothesis", "printed", "least"), WORKED)
def test_worked_cases(words, reference, hypothesis, printed, least):
    """What the program prints, beside the definition's minimum."""
    ours = Document("d", tuple(words.split()), tree(reference))
    theirs = Document("d", ours.words, tree(hypothesis))
    found = evaluate([ours], [theirs], scheme="quaero-lne")
    costs = found.settings.costs

    assert (printed, least) == (found.counts.cost(costs), found.definition_counts.cost(costs))


FIGURE_4 = [
    ([("pers.ind", 1, 2), ("name.first", 1, 2)], 0.5),
    ([("pers.ind", 1, 3), ("name.first", 1, 2), ("name.last", 2, 3)], 0),
    ([("pers.ind", 1, 5), ("name.first", 1, 2), ("name.last", 2, 5)], 0),
]


@pytest.mark.parametrize(("hypothesis", "ser"), FIGURE_4)
def test_figure_4(hypothesis, ser):
    """The paper's figure 4 as a fuzzy reference: 50 %, 0 %, 0 %."""
    words = ("recevrons", "Benoît", "magie", "mais", "l'", "acteur")
    fuzzy = Reference(
        "d",
        words,
        (
            ReferenceElement(("pers.ind",), (0, 1), (3, 4, 5)),
            ReferenceElement(("name.first",), (0, 1), (2,), 0),
            ReferenceElement(("name.last",), (2,), (3, 4, 5), 0),
        ),
    )

    assert (
        ser == evaluate([fuzzy], [Document("d", words, tree(hypothesis))], scheme="quaero-lne").ser
    )


def check(seed: int, cases: int) -> None:
    rng = Random(seed)
    for _ in range(cases):
        evaluation, printed, charged = first_of_all(random_case(rng), Rule(lne=True))
        assert printed >= evaluation.definition_counts.cost(evaluation.settings.costs)
        assert charged >= 0


@pytest.mark.check
def test_random_cases():
    """The search minimises the charged cost, and never prints less than the definition."""
    check(seed=1, cases=600)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_random_cases(seed):
    """The same on 10 000 cases."""
    check(seed, cases=2000)
