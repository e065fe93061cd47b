"""The worked cases of the definition, and a few laws, on the brute force that tests rely on."""

import random
from fractions import Fraction
from itertools import product

import pytest
from brute_force import (
    DEFAULT_COSTS,
    HypEl,
    RefEl,
    TimedEl,
    Timing,
    best,
    end_candidates,
    exact_correct,
    mappings,
    placements,
    project,
    random_case,
    remaining_reference,
    score_document,
    start_candidates,
    strict_frontier,
    tags,
    walk,
)


def on_same_words(*elements: tuple[str, int, int, int | None]) -> list[RefEl]:
    """A reference with one candidate per tag."""
    return [RefEl((label,), (s,), (e,), up, (s, e)) for label, s, e, up in elements]


CHIRAC = on_same_words(("pers.ind", 0, 2, None), ("name.first", 0, 1, 0), ("name.last", 1, 2, 0))

MAGIMEL = [
    TimedEl("pers.ind", 1, 2, None), TimedEl("name.first", 1, 1, 0), TimedEl("name.last", 2, 2, 0)
]  # fmt: skip
MAGIMEL_TIMING = Timing(
    [(167300, 167600), (167600, 167950), (167950, 168450), (168450, 168560), (168560, 169000)],
    [(167300, 167620), (167620, 167930), (167930, 168270),
     (168270, 168420), (168420, 168550), (168550, 169000)],
    300, 300,
)  # fmt: skip

BUDGET = [TimedEl("func.ind", 0, 1, None), TimedEl("kind", 0, 0, 0), TimedEl("name", 1, 1, 0)]
BUDGET_TIMING = Timing([(0, 300), (300, 800)], [(0, 800)], 100, 100)


def test_case_1_most_span_substitutions_decide_between_equal_costs():
    """Of mappings that cost the same, the one with most right labels is reported."""
    score = score_document(CHIRAC, [HypEl("pers.ind", 0, 1, None)])
    assert score == {
        "C": 0, "S_S": 1, "S_T": 0, "S_ST": 0, "D": 2, "I": 0, "Ref": 3, "Hyp": 1,
        "unplaceable": 0, "cost": Fraction("2.5"), "exact_C": 0,
    }  # fmt: skip


def test_case_2_candidates():
    """A frontier may be any word boundary within the tolerance of its time."""
    elements, unplaceable, misses = project(MAGIMEL, *MAGIMEL_TIMING, "drop")
    assert [e.starts for e in elements] == [(0, 1), (0, 1), (2,)]
    assert [e.ends for e in elements] == [(3, 4, 5), (2,), (3, 4, 5)]
    assert (unplaceable, misses) == (0, 0)


def test_case_2_short_hypothesis():
    """A placement that makes the component right costs nothing on the component."""
    hypothesis = [HypEl("pers.ind", 1, 2, None), HypEl("name.first", 1, 2, 0)]
    score = score_document(MAGIMEL, hypothesis, timing=MAGIMEL_TIMING)
    assert (score["C"], score["S_S"], score["D"], score["Ref"]) == (1, 1, 1, 3)
    assert score["cost"] == Fraction("1.5")


@pytest.mark.parametrize("end", [3, 4, 5])
def test_case_2_any_end_within_tolerance_is_right(end):
    """Every hypothesis that is a placement of the reference has SER 0."""
    hypothesis = [
        HypEl("pers.ind", 1, end, None), HypEl("name.first", 1, 2, 0), HypEl("name.last", 2, end, 0)
    ]  # fmt: skip
    score = score_document(MAGIMEL, hypothesis, timing=MAGIMEL_TIMING)
    assert (score["C"], score["cost"], score["exact_C"]) == (3, 0, 3)


def test_case_3_inversion():
    """Two pairs never invert the nesting, except in the exact matching."""
    reference = on_same_words(("a", 0, 2, None), ("b", 0, 2, 0))
    score = score_document(reference, [HypEl("b", 0, 2, None), HypEl("a", 0, 2, 0)])
    assert (score["C"], score["S_T"], score["D"], score["I"]) == (0, 2, 0, 0)
    assert (score["cost"], score["Ref"], score["exact_C"]) == (1, 2, 2)


def test_case_4_candidates():
    """An element whose end has no candidate is unplaceable."""
    assert strict_frontier(300, [(0, 800)]) == 0
    assert start_candidates(0, [(0, 800)], 100) == start_candidates(300, [(0, 800)], 100) == (0,)
    assert end_candidates(800, [(0, 800)], 100) == (1,)
    assert end_candidates(300, [(0, 800)], 100) == ()


@pytest.mark.parametrize(
    ("policy", "ref", "correct", "type_substitutions", "deletions", "ser"),
    [
        ("drop", 2, 1, 1, 0, Fraction(1, 4)),
        ("miss", 3, 1, 1, 1, Fraction(1, 2)),
        ("merge", 2, 2, 0, 0, Fraction(0)),
    ],
)
def test_case_4_collision(policy, ref, correct, type_substitutions, deletions, ser):
    """Two elements on one word: the policy says what becomes of the one without a place."""
    hypothesis = [HypEl("func.ind", 0, 1, None), HypEl("kind", 0, 1, 0)]
    score = score_document(BUDGET, hypothesis, policy=policy, timing=BUDGET_TIMING)
    assert (score["Ref"], score["C"], score["S_T"]) == (ref, correct, type_substitutions)
    assert (score["D"], score["I"], score["unplaceable"]) == (deletions, 0, 1)
    assert score["cost"] / score["Ref"] == ser


def test_tags_of_a_forest():
    """Tags come in document order, and a list in another order is refused."""
    opened_and_closed = [(0, True), (1, True), (1, False), (2, True), (2, False), (0, False)]
    assert tags([None, 0, 0, None]) == [*opened_and_closed, (3, True), (3, False)]
    with pytest.raises(ValueError, match="element 2"):
        tags([None, None, 0])


def test_placements_of_two_siblings():
    """Frontiers never decrease along the tags, and nothing is empty."""
    either = RefEl(("a",), (0, 1), (1, 2), None)
    assert list(placements([either, either])) == [((0, 1), (1, 2))]


def is_forest(elements: list[RefEl], spans: tuple[tuple[int, int], ...]) -> bool:
    """Children inside parents, siblings disjoint and in order, nothing empty."""
    for i, (start, end) in enumerate(spans):
        parent = elements[i].parent
        inside = parent is None or (spans[parent][0] <= start and end <= spans[parent][1])
        before = [j for j in range(i) if elements[j].parent == parent]
        if start >= end or not inside or any(spans[j][1] > start for j in before):
            return False
    return True


def test_placements_are_the_choices_that_make_a_forest():
    """The order of the tags says the same as the shape of the tree."""
    rng = random.Random(7)
    for _ in range(200):
        case = random_case(rng)
        elements, _, _ = remaining_reference(case.reference, *case[3:5])
        choices = product(*(list(product(e.starts, e.ends)) for e in elements))
        expected = [spans for spans in choices if is_forest(elements, spans)]
        assert sorted(placements(elements)) == sorted(expected)


def test_mapping_may_pair_parent_and_child_with_disjoint_elements():
    """Only an inversion of ancestors is forbidden."""
    reference = on_same_words(("a", 0, 2, None), ("b", 0, 2, 0))
    hypothesis = [HypEl("a", 0, 1, None), HypEl("b", 1, 2, None)]
    assert [(0, 0), (1, 1)] in list(mappings(reference, ((0, 2), (0, 2)), hypothesis))


def test_walk_gives_the_floor_back_only_if_nothing_below_was_placed():
    """An unplaceable element leaves no trace but the place its descendants took."""
    parent, child = RefEl(("a",), (1,), (), None), RefEl(("b",), (1,), (2,), 0)
    after = RefEl(("c",), (0, 2), (1, 3), None)
    assert walk([parent, after]) == ({1: (0, 1)}, [0])
    assert walk([parent, child, after]) == ({1: (1, 2), 2: (2, 3)}, [0])


def test_children_of_an_unplaceable_element_go_up():
    """The remaining parent is the nearest placed ancestor."""
    whole, lost = RefEl(("a",), (0,), (2,), None), RefEl(("b",), (), (2,), 0)
    elements, unplaceable, misses = remaining_reference(
        [whole, lost, RefEl(("c",), (0,), (2,), 1)], "miss", None
    )
    assert ([e.parent for e in elements], unplaceable, misses) == ([None, 0], 1, 1)


def test_merge_unites_several_elements_with_one_host():
    """The host accepts all labels and takes the candidates and the outermost strict frontiers."""
    reference = [TimedEl(label, k, k, None) for k, label in enumerate("abc")]
    asr = [(0, 100)]
    elements, unplaceable, misses = project(
        reference, [(0, 20), (20, 80), (80, 100)], asr, 0, 0, "merge"
    )
    assert elements == [RefEl(("a", "b", "c"), (0,), (1,), None, (0, 1))]
    assert (unplaceable, misses) == (2, 0)


def test_merge_is_refused_without_times():
    """A fuzzy reference has no time by which a host could be found."""
    with pytest.raises(ValueError, match="times"):
        score_document(CHIRAC, [], policy="merge")


@pytest.mark.check
def test_laws_on_random_cases():
    """Slots add up, nothing beats doing nothing, and the walk fails only where no placement is."""
    rng = random.Random(5)
    for _ in range(500):
        case = random_case(rng)
        score = score_document(*case[:5])
        correct, s_s, s_t, s_st, d, i = (
            score[name] for name in ["C", "S_S", "S_T", "S_ST", "D", "I"]
        )
        assert correct + s_s + s_t + s_st + d == score["Ref"]
        assert correct + s_s + s_t + s_st + i == score["Hyp"]
        weights = [case.costs[name] for name in ["S_S", "S_T", "S_ST", "D", "I"]]
        amounts = [s_s, s_t, s_st, d, i]
        assert score["cost"] == sum(w * n for w, n in zip(weights, amounts, strict=True))
        nothing = score["Ref"] * case.costs["D"] + score["Hyp"] * case.costs["I"]
        assert score["cost"] <= nothing
        elements, unplaceable, _ = remaining_reference(case.reference, *case[3:5])
        assert len(elements) + unplaceable == len(case.reference)
        assert exact_correct(elements, case.hypothesis) == score["exact_C"]
        assert score["exact_C"] <= min(len(elements), len(case.hypothesis))
        assert score["C"] <= score["exact_C"]
        if case.timing is None:
            assert any(True for _ in placements(case.reference)) == (unplaceable == 0)


def test_a_placement_of_the_reference_costs_nothing():
    """The reference as placed, labelled as accepted, has SER 0 and as many right as elements."""
    rng = random.Random(6)
    for _ in range(100):
        case = random_case(rng)
        elements, _, _ = remaining_reference(case.reference, *case[3:5])
        spans = rng.choice(list(placements(elements)))
        hypothesis = [
            HypEl(e.labels[-1], s, end, e.parent)
            for e, (s, end) in zip(elements, spans, strict=True)
        ]
        key, counts = best(elements, hypothesis, DEFAULT_COSTS)
        assert (key[0], counts["C"]) == (0, len(elements))
        assert exact_correct(elements, hypothesis) == len(elements)
