"""The proof that the score is the true minimum: the package against the exhaustive oracle.

`brute_force.py` tries every placement and every mapping of small documents. Where documents are
too large for it, the search is compared with what must come out alike (parts, mirror images, an
assignment problem) and with mappings drawn at random, none of which may beat it.
"""

import random
from fractions import Fraction
from itertools import combinations, product

import brute_force as oracle
import pytest
from strategies import (
    as_fuzzy,
    as_hypothesis,
    as_scoring,
    broken_rules,
    is_placement,
    seeded_costs,
    seeded_fuzzy,
    seeded_hypothesis,
)
from volumes import seeds
from worked import as_oracle

from sereval.documents.model import Document, Element, Reference, ReferenceElement
from sereval.evaluation.evaluate import DocumentScore, Settings, score_document
from sereval.mapping.best import (
    EXACT_PAIRS,
    PAIRINGS,
    best_mapping,
)
from sereval.measures import PAIR, Costs, Slot

long = pytest.mark.long


# --- on the oracle's own cases -------------------------------------------------------------------


def expected(case: oracle.Case):
    """What the oracle says: the remaining reference, all counts, the key with the shift."""
    elements, unplaceable, misses = oracle.remaining_reference(
        case.reference, case.policy, case.timing
    )
    key, counts = oracle.best(elements, case.hypothesis, case.costs)
    del counts["shift"]
    counts["D"] += misses
    counts["Ref"] += misses
    counts["unplaceable"] = unplaceable
    counts["cost"] = key[0] + misses * case.costs["D"]
    counts["exact_C"] = oracle.exact_correct(elements, case.hypothesis)
    return elements, counts, key


def key_of(score: DocumentScore, costs: Costs):
    """The oracle's sort key of a mapping with its placement, recounted here."""
    _, reference, hypothesis, mapping, _ = score.mapped
    classes = []
    for r, h in mapping.pairs:
        other = hypothesis.elements[h]
        accepted = other.label in reference.elements[r].labels
        classes.append(PAIR[accepted, mapping.placement[r] == (other.start, other.end)])
    shift = sum(
        abs(chosen - strict)
        for element, span in zip(reference.elements, mapping.placement, strict=True)
        if element.strict is not None
        for chosen, strict in zip(span, element.strict, strict=True)
    )
    cost = sum(costs[slot] for slot in classes)
    cost += costs.D * (len(reference.elements) - len(classes))
    cost += costs.I * (len(hypothesis.elements) - len(classes))
    most = [-classes.count(slot) for slot in (Slot.CORRECT, Slot.SPAN, Slot.TYPE)]
    return Fraction(cost, costs.scale), most[0], -len(classes), most[1], most[2], shift


def elements_of(reference: Reference) -> list[oracle.RefEl]:
    """The elements of a reference as the oracle's, accepted labels in alphabetical order."""
    return [
        oracle.RefEl(tuple(sorted(e.labels)), e.starts, e.ends, e.parent, e.strict)
        for e in reference.elements
    ]


def check_case(case: oracle.Case):
    """The package agrees with the oracle on one case, and its mapping is one of the oracle's."""
    elements, counts, key = expected(case)
    scoring = as_scoring(case)
    settings = Settings(scoring.tolerance, scoring.unplaceable, scoring.costs)
    score = score_document(scoring.references[0], scoring.hypotheses[0], settings)
    assert elements_of(score.mapped.reference) == elements
    assert as_oracle(score.counts, scoring.costs) == counts, case
    assert key_of(score, scoring.costs) == key, case
    check_valid(score.mapped.reference, score.mapped.hypothesis, score.mapped.mapping)
    assert score.mapped.mapping.placement in set(oracle.placements(elements))
    exact = best_mapping(score.mapped.reference, score.mapped.hypothesis, EXACT_PAIRS)
    assert exact.placement in set(oracle.placements(elements))
    for r, h in exact.pairs:
        assert oracle.classify(elements[r], exact.placement[r], case.hypothesis[h]) == "C"


def check_valid(reference, hypothesis, mapping):
    """A mapping obeys rules 1 to 3 of section 3, its placement section 2."""
    assert is_placement(reference, mapping.placement)
    assert broken_rules(reference, hypothesis, mapping.placement, mapping.pairs) == set()


def test_the_oracle_tries_every_placement():
    """Tag after tag, it comes to all choices of candidates that make a forest."""
    rng = random.Random(7)
    for _ in range(200):
        case = oracle.random_case(rng)
        elements, *_ = oracle.remaining_reference(case.reference, case.policy, case.timing)
        choices = product(*(list(product(e.starts, e.ends)) for e in elements))
        reference = as_fuzzy(elements, case.words)
        assert sorted(oracle.placements(elements)) == sorted(
            spans for spans in choices if is_placement(reference, spans)
        )


@pytest.mark.parametrize(("seed", "times"), seeds(6, 10, times=10, quick=1))
def test_package_equals_oracle(seed, times):
    """On random small documents the package finds what trying everything finds."""
    rng = random.Random(f"exact-{seed}")
    for _ in range(250 * times):
        check_case(oracle.random_case(rng))


# --- all small forests ---------------------------------------------------------------------------


def small_forests() -> list[list[oracle.HypEl]]:
    """All forests of up to two elements over three words, with two labels."""
    spans = list(combinations(range(4), 2))
    found: list[list[oracle.HypEl]] = [[]]
    found += [[oracle.HypEl(label, *span, None)] for span in spans for label in "ab"]
    for outer, inner, labels in product(spans, spans, product("ab", repeat=2)):
        nested = outer[0] <= inner[0] and inner[1] <= outer[1]
        if nested or outer[1] <= inner[0]:
            first, second = labels
            parent = 0 if nested else None
            found.append([oracle.HypEl(first, *outer, None), oracle.HypEl(second, *inner, parent)])
    return found


def small_cases() -> list[oracle.Case]:
    """Each of the small forests against each."""
    return [
        oracle.Case(
            [oracle.RefEl((e.label,), (e.start,), (e.end,), e.parent, None) for e in reference],
            hypothesis,
            oracle.DEFAULT_COSTS,
            "drop",
            None,
            3,
        )
        for reference, hypothesis in product(small_forests(), repeat=2)
    ]


def test_there_are_93_small_forests():
    """One empty, 12 of one element, and 80 of two: 14 ways to lie apart or within, 6 equal."""
    assert len(small_forests()) == 1 + 12 + 4 * (14 + 6)


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=long if part else pytest.mark.check) for part in range(7)]
)
def test_small_forests(part):
    """On all pairs of small forests the package agrees with the oracle."""
    for case in small_cases()[part::7]:
        check_case(case)


# --- larger documents ----------------------------------------------------------------------------


def joined(parts: list[tuple[Reference, Document]]) -> tuple[Reference, Document]:
    """Documents one after the other as one, words and elements moved along."""
    elements: list[ReferenceElement] = []
    forest: list[Element] = []
    words: tuple[str, ...] = ()
    for reference, hypothesis in parts:
        by, ahead = len(words), len(elements)
        for e in reference.elements:
            elements.append(
                ReferenceElement(
                    e.labels,
                    tuple(k + by for k in e.starts),
                    tuple(k + by for k in e.ends),
                    None if e.parent is None else e.parent + ahead,
                    None if e.strict is None else (e.strict[0] + by, e.strict[1] + by),
                )
            )
        ahead = len(forest)
        for h in hypothesis.elements:
            parent = None if h.parent is None else h.parent + ahead
            forest.append(Element(h.label, h.start + by, h.end + by, parent))
        words += reference.words
    return Reference("d", words, tuple(elements)), Document("d", words, tuple(forest))


@pytest.mark.check
@pytest.mark.parametrize("seed", range(40))
def test_joined_documents_score_the_sum(seed):
    """Scored as one, documents that stand next to each other add up, in every number of the key."""
    rng = random.Random(f"joined-{seed}")
    parts, keys, exact = [], [], 0
    while len(parts) < 8:
        case = oracle.random_case(rng)
        elements, _, _ = oracle.remaining_reference(case.reference, case.policy, case.timing)
        keys.append(oracle.best(elements, case.hypothesis, oracle.DEFAULT_COSTS)[0])
        exact += oracle.exact_correct(elements, case.hypothesis)
        parts.append((as_fuzzy(elements, case.words), as_hypothesis(case.hypothesis, case.words)))
    score = score_document(*joined(parts), Settings())
    assert key_of(score, Costs()) == tuple(map(sum, zip(*keys, strict=True)))
    assert score.counts.exact == exact


def larger(rng: random.Random, words: int = 40, size: int = 20, near: int = 2):
    """A reference and a hypothesis too large to try everything."""
    reference = seeded_fuzzy(rng, words, size, near)
    return reference, seeded_hypothesis(rng, reference, size)


def mirrored_order(parents: list[int | None]) -> list[int]:
    """Document order of the same forest read from right to left."""

    def below(parent: int | None) -> list[int]:
        children = [i for i, up in enumerate(parents) if up == parent]
        return [i for child in reversed(children) for i in (child, *below(child))]

    return below(None)


def mirrored(reference: Reference, hypothesis: Document) -> tuple[Reference, Document]:
    """Both sides read from right to left."""
    n = len(reference.words)
    order = mirrored_order([e.parent for e in reference.elements])
    index = {None: None} | {r: at for at, r in enumerate(order)}
    elements = tuple(
        ReferenceElement(
            e.labels,
            tuple(n - k for k in reversed(e.ends)),
            tuple(n - k for k in reversed(e.starts)),
            index[e.parent],
            None if e.strict is None else (n - e.strict[1], n - e.strict[0]),
        )
        for e in (reference.elements[r] for r in order)
    )
    order = mirrored_order([e.parent for e in hypothesis.elements])
    index = {None: None} | {h: at for at, h in enumerate(order)}
    forest = tuple(
        Element(e.label, n - e.end, n - e.start, index[e.parent])
        for e in (hypothesis.elements[h] for h in order)
    )
    words = reference.words[::-1]
    return Reference("d", words, elements), Document("d", words, forest)


@pytest.mark.parametrize(("seed", "times"), seeds(40, 10, times=200))
def test_mirrored_documents_score_the_same(seed, times):
    """Read from right to left, larger documents have the same least key."""
    rng = random.Random(f"mirror-{seed}")
    for _ in range(times):
        reference, hypothesis = larger(rng)
        costs = seeded_costs(rng)
        settings = Settings(costs=costs, pairing=rng.choice(sorted(PAIRINGS)))
        score = score_document(reference, hypothesis, settings)
        mirror = score_document(*mirrored(reference, hypothesis), settings)
        assert key_of(mirror, costs) == key_of(score, costs)
        assert mirror.counts.exact == score.counts.exact
