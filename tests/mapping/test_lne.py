"""The scheme ``quaero-lne``: the mapping that LNE's program finds, to its last charge."""

from random import Random

import pytest
from brute_force import (
    Case,
    classify,
    mappings,
    placements,
    random_case,
    remaining_reference,
    shift,
)

from sereval import Costs, Document, Reference, ReferenceElement, evaluate, tree
from sereval.documents.model import Element
from sereval.mapping.best import PAIRINGS, as_lne, best_mapping, cheapest

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


def charge(case: Case, spans, pairs):
    """What the program does not give back."""
    starts = [(spans[r][0], case.hypothesis[h].start) for r, h in pairs]
    late = [case.costs["D"] for a, b in starts if a < b] + [
        case.costs["I"] for a, b in starts if b < a
    ]
    return sum(late)


def key(case: Case, elements, spans, pairs):
    """The charged cost, then fewest pairs, then the definition's order; and the cost printed."""
    found = [classify(elements[r], spans[r], case.hypothesis[h]) for r, h in pairs]
    cost = sum(case.costs[name] for name in found if name != "C")
    cost += case.costs["D"] * (len(elements) - len(pairs))
    cost += case.costs["I"] * (len(case.hypothesis) - len(pairs))
    counted = tuple(-found.count(name) for name in ("C", "S_S", "S_T"))
    return (cost + charge(case, spans, pairs), len(pairs), *counted, shift(elements, spans)), cost


def compare(case: Case):
    """The mapping found beside the first of all mappings, and the definition's minimum."""
    elements, _, _ = remaining_reference(case.reference, case.policy, case.timing)
    words = tuple(f"w{k}" for k in range(case.words))
    hypothesis = Document("d", words, tuple(Element(*h) for h in case.hypothesis))
    reference = Reference("d", words, tuple(ReferenceElement(*e) for e in elements))
    costs = Costs.of({name: format(float(cost), "g") for name, cost in case.costs.items()})
    expected = min(
        key(case, elements, spans, pairs)[0]
        for spans in placements(elements)
        for pairs in mappings(elements, spans, case.hypothesis)
    )
    mapping = best_mapping(reference, hypothesis, as_lne(costs))
    found, printed = key(case, elements, mapping.placement, mapping.pairs)
    least = best_mapping(reference, hypothesis, cheapest(costs), PAIRINGS["word"])
    _, minimum = key(case, elements, least.placement, least.pairs)
    return expected, found, printed, minimum, charge(case, mapping.placement, mapping.pairs)


def check(seed: int, cases: int) -> None:
    rng = Random(seed)
    for _ in range(cases):
        case = random_case(rng)
        expected, found, printed, minimum, charged = compare(case)
        assert expected == found, case
        assert printed >= minimum, case
        assert charged >= 0, case


@pytest.mark.check
def test_random_cases():
    """The search minimises the charged cost, and never prints less than the definition."""
    check(seed=1, cases=600)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_random_cases(seed):
    """The same on 10 000 cases."""
    check(seed, cases=2000)
