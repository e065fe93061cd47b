"""The exact pairs that precision and recall count, against the search for them."""

import random
from collections import Counter

import pytest
from strategies import seeded_fuzzy, seeded_hypothesis
from volumes import seeds

from sereval.documents.model import Document, Element, Reference, ReferenceElement
from sereval.mapping import best
from sereval.mapping.best import (
    EXACT_PAIRS,
    MOST_CORRECT,
    PAIRINGS,
    Mapping,
    Unsettled,
    best_mapping,
    cut,
    exact_pairs,
    map_parts,
    most_pairs,
    solve,
)

WORDS = ("w",) * 4


def by_labels(reference, hypothesis, pairs):
    """The number of pairs of each label of either side."""
    ours = Counter(reference.elements[r].label for r, _ in pairs)
    return ours, Counter(hypothesis.elements[h].label for _, h in pairs)


ENOUGH = 8 * best.MAX_STATES
"""States for each document: of 3 000 random ones about one needs more than the usual limit."""


@pytest.mark.parametrize(("seed", "times"), seeds(60, 20, 500, quick=30))
def test_each_label_has_as_many_as_by_the_search(seed, times):
    """Whatever pairs the mapping has that is given."""
    rng = random.Random(seed)
    for _ in range(6 * times):
        reference = seeded_fuzzy(rng, 8, 7, 2)
        hypothesis = seeded_hypothesis(rng, reference, 7)
        parts = cut(reference, hypothesis)
        searched = map_parts(reference, parts, MOST_CORRECT, EXACT_PAIRS).pairs
        for rules in PAIRINGS.values():
            mapping = best_mapping(reference, hypothesis, rules=rules, max_states=ENOUGH)
            found = exact_pairs(reference, hypothesis, parts, mapping)
            expected = by_labels(reference, hypothesis, searched)
            assert expected == by_labels(reference, hypothesis, found)
            assert [*found] == sorted({*found})


@pytest.mark.parametrize(("seed", "times"), seeds(40, 10, 200, quick=20))
def test_no_mapping_has_more_pairs_than_the_most(seed, times):
    """The bound holds for each cluster, and it is reached in some."""
    rng = random.Random(seed)
    reached = 0
    for _ in range(6 * times):
        reference = seeded_fuzzy(rng, 8, 7, 2)
        parts = cut(reference, seeded_hypothesis(rng, reference, 7))
        for _, cluster in parts:
            solution = solve(cluster, MOST_CORRECT, EXACT_PAIRS)
            assert len(solution.pairs) <= most_pairs(cluster)
            reached += len(solution.pairs) == most_pairs(cluster) > 0
    assert reached


def element(labels, starts, ends):
    """A reference element that accepts the letters of a text as labels."""
    return ReferenceElement((*labels,), starts, ends)


def solved(monkeypatch, elements, others, pairs, spans):
    """The exact pairs, and the number of clusters that are solved for them."""
    searched = []

    def noted(*asked):
        searched.append(asked)
        return solve(*asked)

    monkeypatch.setattr(best, "solve", noted)
    reference = Reference("d", WORDS, (element("z", (0,), (1,)), *elements))
    hypothesis = Document("d", WORDS, (Element("z", 0, 1), *others))
    mapping = Mapping(
        ((0, 0), *((r + 1, h + 1) for r, h in pairs)), ((0, 1), *((a + 1, b + 1) for a, b in spans))
    )
    parts = cut(reference, hypothesis)
    found = exact_pairs(reference, hypothesis, parts, mapping)
    assert (0, 0) in found
    return [(r - 1, h - 1) for r, h in found if r], len(searched)


WIDE = element("a", (1,), (2, 3))
AT_1_2, AT_1_3, AT_2_3 = (Element("a", start, end) for start, end in ((1, 2), (1, 3), (2, 3)))


@pytest.mark.parametrize(
    ("elements", "others", "expected"),
    [
        ([WIDE], [AT_1_3, Element("a", 1, 2, 0)], 1),  # one reference element
        ([WIDE, ReferenceElement(("a",), (1,), (2,), 0)], [AT_1_2], 1),  # one hypothesis element
        ([WIDE, element("a", (2,), (3,))], [AT_1_2, AT_2_3], 2),
        ([WIDE, element("a", (2,), (3,))], [AT_1_3], 0),  # the second one has its last word
        ([WIDE], [Element("b", 1, 2)], 0),  # of another label
        ([WIDE], [AT_2_3], 0),  # it begins elsewhere
        ([WIDE], [Element("a", 1, 4)], 0),  # it ends elsewhere
    ],
)
def test_the_most_pairs_of_a_cluster(elements, others, expected):
    """An element of either side has one partner at most, on its own span and with its label."""
    reference, hypothesis = (
        Reference("d", WORDS, tuple(elements)),
        Document("d", WORDS, tuple(others)),
    )
    assert expected == sum(most_pairs(cluster) for _, cluster in cut(reference, hypothesis))


@pytest.mark.parametrize(
    ("elements", "others", "pairs", "spans", "expected"),
    [
        # the mapping has all pairs that may be exact
        ([WIDE], [AT_1_2], [(0, 0)], [(0, 1)], ([(0, 0)], 0)),
        # no pair may be exact: not by its labels, its end or its start
        ([WIDE], [Element("b", 1, 2)], [(0, 0)], [(0, 1)], ([], 0)),
        ([WIDE], [Element("a", 1, 4)], [(0, 0)], [(0, 2)], ([], 0)),
        ([WIDE], [AT_2_3], [(0, 0)], [(0, 2)], ([], 0)),
        # a pair that is placed otherwise is not exact, and neither are two in no pair
        ([WIDE], [AT_1_2], [(0, 0)], [(0, 2)], ([(0, 0)], 1)),
        ([WIDE], [AT_1_2], [], [(0, 1)], ([(0, 0)], 1)),
        # one of two: more than one the other side does not allow
        ([WIDE], [AT_1_3, Element("a", 1, 2, 1)], [(0, 0)], [(0, 2)], ([(0, 0)], 0)),
        ([WIDE], [AT_1_3, Element("a", 1, 2, 1)], [], [(0, 2)], ([(0, 1)], 1)),
    ],
)
def test_what_the_mapping_settles_is_not_solved(
    elements, others, pairs, spans, expected, monkeypatch
):
    """A cluster is solved if a label could have more exact pairs than the mapping has."""
    assert expected == solved(monkeypatch, elements, others, pairs, spans)


def test_labels_are_settled_one_by_one(monkeypatch):
    """The most pairs of all labels together say nothing if another choice has other labels."""
    either = element("ab", (1,), (2, 3))
    others = [AT_1_3, Element("b", 1, 2, 1)]
    found, clusters = solved(monkeypatch, [either], others, [(0, 0)], [(0, 2)])
    assert (1, 1) == (len(found), clusters)


def test_large_clusters_are_solved(monkeypatch):
    """Their possible pairs are not listed."""
    for small, clusters in ((2, 0), (1, 2)):
        monkeypatch.setattr(best, "SMALL", small)
        found = solved(monkeypatch, [WIDE], [AT_1_2], [(0, 0)], [(0, 1)])
        assert ([(0, 0)], clusters) == found


def test_a_search_has_a_limit():
    """The limit is that of the whole document."""
    reference = Reference("d", WORDS, (element("a", (0, 1), (2, 3)), element("a", (2, 3), (4,))))
    hypothesis = Document("d", WORDS, (Element("a", 0, 3), Element("b", 3, 4)))
    mapping = Mapping((), ((0, 2), (2, 4)))
    parts = cut(reference, hypothesis)
    assert ((0, 0),) == exact_pairs(reference, hypothesis, parts, mapping)
    with pytest.raises(Unsettled, match="d: reference element 0"):
        exact_pairs(reference, hypothesis, parts, mapping, 4)
