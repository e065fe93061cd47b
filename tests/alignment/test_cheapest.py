"""The cheapest alignment of two texts, its least cost and its cuts.

The oracle is the textbook table over all prefixes (``aligned.suffix_costs``), and kaldialign's.
"""

from contextlib import contextmanager
from itertools import pairwise

import edit_distance
import pytest
from aligned import suffix_costs
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment import blocks as rooms
from sereval.alignment.blocks import (
    CORRECT,
    SCLITE,
    UNIT,
    Pieces,
    WordAlignment,
    cheapest,
    cut_points,
    cuts,
    texts_of,
)
from sereval.alignment.text import align_text

both_weights = pytest.mark.parametrize("weights", [SCLITE, UNIT], ids=lambda one: one.name)


@contextmanager
def in_pieces(pieces):
    """Documents are cut by another rule."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "PIECES", pieces)
        yield


# ----------------------------------------------------------------------------- the alignment


numbers = st.integers(1, 12).flatmap(lambda most: st.lists(st.integers(1, most), max_size=150))


@pytest.mark.check
@both_weights
@given(left=numbers, right=numbers)
def test_the_first_of_the_cheapest_by_kaldialign(weights, left, right):
    """In texts of more words than fit into a machine word too, the pairs are the first ones."""
    early = pytest.importorskip("early")
    blocks = align_text([f"w{k}" for k in left], [f"w{k}" for k in right], weights, "early").blocks
    pairs = [(block.ref[0], block.hyp[0]) for block in blocks if block.is_pair]

    assert early.early_pairs(left, right, sclite=weights == SCLITE) == pairs
    assert all(
        (left[b.ref[0]] == right[b.hyp[0]]) == (b.op == CORRECT) for b in blocks if b.is_pair
    )


@given(
    left=st.lists(st.sampled_from("abcdef"), max_size=60),
    right=st.lists(st.sampled_from("abcdef"), max_size=60),
)
def test_pairs_first_in_each_piece(left, right):
    """Long documents too have the ties of Le et al.'s program, from each cut to the next."""
    texts, pieces = texts_of(left, right), Pieces(100, 4, 20)
    with in_pieces(pieces):
        matches, _, _ = cheapest(texts, SCLITE, has_pairs_first=True)
    found = [(j + x, m + x) for j, m, size in matches for x in range(size)]
    expected = []
    for (i, k), (j, m) in pairwise(cut_points(texts, pieces)):
        operations = edit_distance.pairs_first(left[i:j], right[k:m], SCLITE)
        expected += [(i + a, k + b) for op, a, b in operations if op == "correct"]
    assert expected == found
    assert (len(left), len(right), 0) == matches[-1]


@both_weights
@given(left=st.lists(st.sampled_from("abcdef"), max_size=60), errors=st.randoms())
def test_slack_is_what_the_cuts_cost(weights, left, errors):
    """A document that is cut costs the cheapest and the slack that is reported, exactly."""
    right = [word for word in left if errors.random() > 0.1]
    right = [errors.choice("abcdef") if errors.random() < 0.2 else word for word in right]
    with in_pieces(Pieces(0, 4, 20)):
        found = align_text(left, right, weights)

    assert suffix_costs(left, right, weights)[0, 0] == found.cost - found.slack
    assert found.cost == sum(
        getattr(weights, op, 0) * number for op, number in found.counts.items()
    )
    assert found.counts == WordAlignment(found.blocks, found.cost).counts
    assert found.lengths == (len(left), len(right)) or not found.blocks


@given(
    left=st.lists(st.integers(1, 5), max_size=80),
    right=st.lists(st.integers(1, 5), max_size=80),
    least=st.integers(2, 8),
    more=st.integers(1, 20),
)
def test_cuts_increase_and_keep_their_distance(left, right, least, more):
    """Cuts go from the beginning to the end and are never further apart than allowed."""
    points = cuts(texts_of(left, right), Pieces(0, least, least + more))

    assert points[0] == (0, 0)
    assert points[-1] == (len(left), len(right))
    for before, after in pairwise(points):
        assert before[0] <= after[0]
        assert before[1] <= after[1]
        assert sum(after) - sum(before) <= least + more


# ----------------------------------------------------------------------------------- the texts


def test_a_cut_is_in_the_middle_of_the_longest_run():
    """Within reach the longest run of equal words is cut, in its middle."""
    left = [1, 2, 3, 90, 5, 6, 7, 8, 9, 10, 11, 91, 13, 14, 15, 16, 92]
    right = [1, 2, 3, 80, 5, 6, 7, 8, 9, 10, 11, 81, 13, 14, 15, 16, 82]

    assert [(0, 0), (7, 7), (17, 17)] == cuts(texts_of(left, right), Pieces(0, 14, 30))
