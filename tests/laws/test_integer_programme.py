"""The proof that the score is the true minimum, on clusters too large for the exhaustive oracle.

`integer_programme.py` states the definition as linear inequalities over a whole document. First it
is compared with the oracle, then the package with it: on random fuzzy documents of middle size, on
the bundled recordings.
"""

import random
from fractions import Fraction

import brute_force as oracle
import integer_programme
import pytest
from bundled import bundled
from strategies import DECIMALS

from sereval.documents.model import Document, Element, Reference, ReferenceElement
from sereval.evaluation.evaluate import DocumentScore, Settings, score_document
from sereval.measures import Costs
from sereval.projection import place

pytestmark = pytest.mark.check

CHARGED = ("S_S", "S_T", "S_ST", "D", "I")
long = pytest.mark.long


def stated(score: DocumentScore) -> tuple[list[oracle.RefEl], list[oracle.HypEl]]:
    """Both sides of a document as the oracle writes them."""
    return [
        oracle.RefEl(e.labels, e.starts, e.ends, e.parent, e.strict)
        for e in score.mapped.reference.elements
    ], [oracle.HypEl(e.label, e.start, e.end, e.parent) for e in score.mapped.hypothesis.elements]


def found(score: DocumentScore, costs: Costs) -> tuple[Fraction, ...]:
    """The key of section 3, of what the package found."""
    n = score.counts
    missed = n.ref - len(score.mapped.reference.elements)
    shift = sum(
        abs(chosen - strict)
        for element, span in zip(
            score.mapped.reference.elements, score.mapped.mapping.placement, strict=True
        )
        if element.strict is not None
        for chosen, strict in zip(span, element.strict, strict=True)
    )
    cost = n.cost(costs) - Fraction(missed * costs.D, costs.scale)
    return cost, -n.C, -(n.C + n.S_S + n.S_T + n.S_ST), -n.S_S, -n.S_T, shift


def as_fractions(costs: Costs) -> oracle.Costs:
    """Costs as the oracle knows them."""
    return {name: Fraction(getattr(costs, name), costs.scale) for name in CHARGED}


def check(score: DocumentScore, costs: Costs) -> None:
    """The package's key and its `exact_C` are the programme's."""
    sides = stated(score)
    assert integer_programme.key(*sides, as_fractions(costs)) == found(score, costs)
    assert integer_programme.exact_correct(*sides) == score.counts.exact


def test_the_programme_is_the_definition():
    """On small cases the integer programme and the exhaustive search find the same."""
    rng = random.Random(2011)
    for _ in range(200):
        case = oracle.random_case(rng)
        elements, _, _ = oracle.remaining_reference(case.reference, case.policy, case.timing)
        sides = elements, case.hypothesis
        assert oracle.best(*sides, case.costs)[0] == integer_programme.key(*sides, case.costs)
        assert oracle.exact_correct(*sides) == integer_programme.exact_correct(*sides)


# --- random clusters of middle size --------------------------------------------------------------


def forest(rng: random.Random, words: int, size: int) -> list[oracle.HypEl]:
    """Elements that nest up to `size` deep and often have equal spans."""
    return oracle.random_forest(rng, words, [], size)


def around(rng: random.Random, frontier: int, low: int, high: int) -> tuple[int, ...]:
    """A frontier and some near it."""
    near = {frontier + step for step in (-2, -1, 1, 2) if rng.random() < 0.4}
    return tuple(sorted(k for k in {frontier, *near} if low <= k <= high))


def middle_sized(rng: random.Random) -> tuple[Reference, Document]:
    """A fuzzy reference of up to 14 elements and a hypothesis made from it, with errors."""
    n = rng.randint(6, 14)
    words = tuple(f"w{k}" for k in range(n))
    given = forest(rng, n, rng.randint(7, 14))
    elements = tuple(
        ReferenceElement(
            (e.label,),
            around(rng, e.start, 0, n - 1),
            around(rng, e.end, 1, n),
            e.parent,
            (e.start, e.end) if rng.random() < 0.9 else None,
        )
        for e in given
    )
    kept = [
        e._replace(label=e.label if rng.random() < 0.8 else rng.choice("abc"), parent=None)
        for e in given
        if rng.random() < 0.8
    ]
    other = oracle.random_forest(rng, n, kept, rng.randint(7, 14))
    hypothesis = tuple(Element(e.label, e.start, e.end, e.parent) for e in other)
    return Reference("d", words, elements), Document("d", words, hypothesis)


@pytest.mark.parametrize(
    ("seed", "times"), [(1998, 60), *(pytest.param(seed, 100, marks=long) for seed in range(8))]
)
def test_random_clusters_of_middle_size(seed: int, times: int):
    """The search finds what the programme finds on fuzzy clusters of a dozen elements a side, with
    the default costs and with any."""
    rng = random.Random(seed)
    for _ in range(times):
        reference, hypothesis = middle_sized(rng)
        costs = rng.choice([Costs(), Costs.of({name: rng.choice(DECIMALS) for name in CHARGED})])
        placed = place(reference, unplaceable="drop")
        check(score_document(placed, hypothesis, Settings(costs=costs)), costs)


# --- whole recordings ----------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["gazetteer", "compromise"])
@long
def test_bundled_recordings(system: str):
    """Every bundled recording, whole, has the minimum that the programme finds."""
    documents = bundled(system, "asr").run().documents
    assert documents
    for document in documents:
        check(document, Costs())
