"""The parts of the problem are those that nothing reaches across, and the easy ones are settled."""

import random
from itertools import pairwise

import pytest
from strategies import seeded_forest, seeded_fuzzy, seeded_hypothesis
from test_search import all_placements, random_clusters

from sereval.documents.model import Document, Reference, ReferenceElement, tags, tree
from sereval.errors import SerevalError
from sereval.mapping.clusters import (
    ALL,
    Cluster,
    Hypothesis,
    Origin,
    Solution,
    clusters,
    feasible_candidates,
    inside,
    places_of_tags,
)

WORDS = ("w",) * 8


def nearness(accepted, label):
    """Some number of levels for each two labels."""
    return (ord(label) + len(accepted) + ord(accepted[0])) % 3


def bare(reference):
    """A reference as one cluster of all candidates."""
    parents = tuple(e.parent for e in reference.elements)
    of_tag = [
        reference.elements[r].ends if c else reference.elements[r].starts for r, c in tags(parents)
    ]
    return Cluster(parents, tuple(of_tag), (None,) * len(of_tag), ())


def sides(seed):
    """Both sides of a random document; some have but one candidate for each tag."""
    rng = random.Random(f"clusters-{seed}")
    reference = seeded_fuzzy(rng, 8, 5, rng.choice([0, 1, 3]))
    return reference, seeded_hypothesis(rng, reference, 4)


@pytest.mark.parametrize("seed", range(60))
def test_candidates_are_those_that_some_placement_uses(seed):
    """Of each tag all candidates are kept that are its frontier in any placement, and no other."""
    reference, _ = sides(seed)
    placements = list(all_placements(bare(reference)))
    used = [tuple(sorted(set(of_tag))) for of_tag in zip(*placements, strict=True)]
    assert used == feasible_candidates(reference)


def test_a_candidate_may_leave_no_room_for_another():
    """However many each tag has."""
    both = ReferenceElement(("a",), (0, 1), (1, 3)), ReferenceElement(("b",), (1, 2), (2, 3))
    expected = [(0,), (1,), (1, 2), (2, 3)]
    assert expected == feasible_candidates(Reference("d", WORDS, both))


def test_without_a_placement_there_are_no_candidates():
    """The element that has no place is named, however many candidates it has."""
    first = ReferenceElement(("a",), (0,), (3,))
    for late in (
        ReferenceElement(("b",), (0, 1), (1, 2)),
        ReferenceElement(("b",), (1,), (2,)),
        ReferenceElement(("b",), (2,), (4,)),
        ReferenceElement(("b",), (4,), (4,)),
    ):
        with pytest.raises(SerevalError, match=r"d: reference element 1 \(b\) has no place"):
            feasible_candidates(Reference("d", WORDS, (first, late)))


def expected_clusters(reference, hypothesis, neutral, near):
    """The parts between the frontiers that nothing reaches across, each written down anew."""
    elements, others = reference.elements, hypothesis.elements
    places = places_of_tags(tuple(e.parent for e in elements))
    candidates = feasible_candidates(reference)
    reach = [(candidates[opening][0], candidates[closing][-1]) for opening, closing in places]
    spans = [*reach, *((h.start, h.end) for h in others)]
    whole = [k for k in range(9) if not any(start < k < end for start, end in spans)]
    for low, high in pairwise(whole):
        rs = [r for r, (start, _) in enumerate(reach) if low <= start < high]
        hs = [h for h, other in enumerate(others) if low <= other.start < high]
        if not rs and not hs:
            continue
        first_r, first_h = rs[0] if rs else 0, hs[0] if hs else 0
        base = min([reach[r][0] for r in rs] + [others[h].start for h in hs])
        mine = [(elements[r], c) for r, c in tags([e.parent for e in elements]) if r in rs]
        yield (
            Origin(first_r, first_h, base),
            Cluster(
                tuple(None if (p := elements[r].parent) is None else p - first_r for r in rs),
                tuple(
                    tuple(k - base for k in candidates[place])
                    for place, (r, _) in enumerate(tags([e.parent for e in elements]))
                    if r in rs
                ),
                tuple(None if e.strict is None else e.strict[c] - base for e, c in mine),
                tuple(
                    Hypothesis(
                        others[h].start - base,
                        others[h].end - base,
                        None if (p := others[h].parent) is None else p - first_h,
                        tuple(r - first_r for r in rs if others[h].label in elements[r].labels),
                        others[h].label in neutral,
                        tuple(
                            (r - first_r, levels)
                            for r in rs
                            if others[h].label not in elements[r].labels
                            and near is not None
                            and (levels := near(elements[r].labels, others[h].label))
                        ),
                    )
                    for h in hs
                ),
                tuple(r - first_r for r in rs if elements[r].label in neutral),
            ),
        )


@pytest.mark.parametrize("near", [None, nearness])
@pytest.mark.parametrize("neutral", ["", "a", "bc"])
def test_clusters_are_what_nothing_reaches_across(neutral, near):
    """Each has the elements between two such frontiers, and counts everything from its own."""
    for seed in range(30):
        reference, hypothesis = sides(seed)
        given = reference, hypothesis, frozenset(neutral), near
        assert list(expected_clusters(*given)) == list(clusters(*given))


@pytest.mark.parametrize(
    ("near", "right", "starts", "ends"),
    [(None, 0, (0,), (2,)), (nearness, 2, (0,), (2,)), (None, 0, (0, 1), (2, 3))],
)
def test_a_cluster_of_one_element_of_either_side(near, right, starts, ends):
    """It has all candidates, and the levels that are right of a label that is wrong."""
    one = ReferenceElement(("a",), starts, ends)
    hypothesis = Document("d", WORDS, tree([("c", 0, 2)]))
    [(_, cluster)] = clusters(Reference("d", WORDS, (one,)), hypothesis, nearness=near)
    assert (starts, ends) == cluster.candidates
    assert right == cluster.hypotheses[0].right(0)


def random_agreement(rng):
    """A cluster whose hypothesis is mostly a placement of its reference, under its own labels."""
    reference = seeded_fuzzy(rng, 6, 4, 1)
    placements = list(all_placements(bare(reference)))
    frontiers = rng.choice(placements)
    places = places_of_tags(tuple(e.parent for e in reference.elements))
    others = tuple(
        Hypothesis(
            frontiers[opening] + (rng.random() < 0.05),
            frontiers[closing] + (rng.random() < 0.05),
            element.parent if rng.random() < 0.95 else None,
            (r,) if rng.random() < 0.95 else (),
        )
        for r, ((opening, closing), element) in enumerate(
            zip(places, reference.elements, strict=True)
        )
    )
    return bare(reference)._replace(hypotheses=others)


@pytest.mark.parametrize("seed", range(100))
def test_two_equal_trees_agree(seed):
    """All is correct where the trees are equal, each label accepted and each span to be had."""
    cluster = random_agreement(random.Random(f"agree-{seed}"))
    others = cluster.hypotheses
    frontiers = tuple(
        others[r].end if is_closing else others[r].start for r, is_closing in tags(cluster.parents)
    )
    agreed = (
        cluster.parents == tuple(other.parent for other in others)
        and all(other.accepted_by == (r,) for r, other in enumerate(others))
        and all(k in those for k, those in zip(frontiers, cluster.candidates, strict=True))
    )
    pairs = tuple((r, r) for r in range(len(others)))
    spans = tuple((other.start, other.end) for other in others)
    assert (Solution(pairs, spans) if agreed else None) == cluster.agreement()


def test_trees_of_two_sizes_do_not_agree():
    """Nothing may be left over on either side."""
    [(_, whole)] = clusters(
        Reference.exact(Document("d", WORDS, seeded_forest(random.Random(2), 1, 3))),
        Document("d", WORDS, seeded_forest(random.Random(2), 1, 3)),
    )
    assert len(whole.hypotheses) > 1
    assert whole.agreement() is not None
    assert whole._replace(hypotheses=whole.hypotheses[:-1]).agreement() is None


@pytest.mark.parametrize("seed", range(60))
def test_without_pairs_all_are_strict(seed):
    """Where there is no pair to be had, and the strict frontiers are a placement, it is the one."""
    rng = random.Random(f"strict-{seed}")
    reference, _ = sides(seed)
    cluster = bare(reference)
    placements = list(all_placements(cluster))
    near = rng.choice(placements)
    strict = tuple(
        rng.choice([None, k, k, k + (rng.random() < 0.1)]) if cluster.candidates[place] else k
        for place, k in enumerate(near)
    )
    cluster = cluster._replace(strict=strict)
    wanted = tuple(
        those[0] if k is None else k for k, those in zip(strict, cluster.candidates, strict=True)
    )
    spans = tuple((wanted[a], wanted[b]) for a, b in places_of_tags(cluster.parents))
    expected = Solution((), spans) if wanted in placements else None
    assert expected == cluster.strict_placement()
    other = Hypothesis(0, 1, None, ())
    both_empty = not cluster.parents
    assert (cluster._replace(hypotheses=(other,)).strict_placement() is None) == (not both_empty)


def test_a_cluster_is_placed_if_each_tag_has_one_candidate():
    """One tag with two is enough for a choice."""
    assert Cluster((None,), ((0,), (1,)), (None, None), ()).is_placed
    assert not Cluster((None,), ((0,), (1, 2)), (None, None), ()).is_placed


def test_the_size_of_a_cluster_is_that_of_both_sides():
    """Elements of the reference and of the hypothesis."""
    two = (Hypothesis(0, 1, None, ()), Hypothesis(1, 2, None, ()))
    assert Cluster((None,), ((0,), (2,)), (None, None), two).size == 3


def test_the_depth_of_a_cluster_is_that_of_either_side():
    """As many as lie in one another; without a hypothesis there are none."""
    inside = (Hypothesis(0, 2, None, ()), Hypothesis(0, 1, 0, ()), Hypothesis(1, 2, 0, ()))
    cluster = Cluster((None, 0, 1), ((0,), (2,)) * 3, (None,) * 6, inside)
    assert (3, 2) == cluster.depth
    assert (3, 0) == cluster._replace(hypotheses=()).depth


def test_a_cluster_has_neutral_elements_on_either_side():
    """Of the reference, or of the hypothesis, or none."""
    other = Hypothesis(0, 1, None, ())
    cluster = Cluster((None,), ((0,), (1,)), (None, None), (other,))
    assert not cluster.has_neutral
    assert cluster._replace(neutral=(0,)).has_neutral
    assert cluster._replace(hypotheses=(other._replace(is_neutral=True),)).has_neutral


def test_what_is_right_of_a_label():
    """All of it, so many levels, or nothing."""
    other = Hypothesis(0, 1, None, (1,), near=((0, 2), (3, 1)))
    assert [2, ALL, 0, 1, 0] == [other.right(r) for r in range(5)]
    assert [0, ALL] == [other._replace(near=()).right(r) for r in range(2)]
    many = other._replace(accepted_by=tuple(range(2, 100, 3)))
    assert [r for r in range(100) if many.right(r) == ALL] == [*many.accepted_by]


def test_what_is_inside_nothing_is_the_cluster_itself():
    """Without a cover it has one part, which is the whole of it."""
    for seed in range(30):
        for _, cluster in clusters(*sides(seed), frozenset("a"), nearness):
            assert list(inside(cluster, 0)) == [(Origin(0, 0, 0), cluster)]


def test_places_of_tags_are_where_they_stand():
    """Of each element its opening and its closing tag, in document order."""
    for _, cluster in [(k, c) for k in range(20) for c in random_clusters(random.Random(k))]:
        order = tags(cluster.parents)
        expected = tuple(
            (order.index((r, False)), order.index((r, True))) for r in range(len(cluster.parents))
        )
        assert expected == places_of_tags(cluster.parents)
