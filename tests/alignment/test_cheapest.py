"""The cheapest alignment of two texts, its least cost and its cuts.

The oracle is the textbook table over all prefixes (``aligned.suffix_costs``), and kaldialign's.
"""

import random
import sys
from contextlib import contextmanager
from itertools import count, pairwise, product

import edit_distance
import pytest
from aligned import suffix_costs
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from sereval.alignment import cheapest as rooms
from sereval.alignment.blocks import SCLITE, UNIT, WordAlignment
from sereval.alignment.cheapest import (
    CodedTexts,
    Pieces,
    cheapest,
    cut_points,
    cuts,
    least_cost,
    pairs_first,
    texts_of,
)
from sereval.alignment.text import align_text
from sereval.errors import SerevalError

words = st.lists(st.sampled_from("abc"), max_size=9)
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
    runs, _, _ = cheapest(texts_of(left, right), weights)
    pairs = []
    for run in runs:
        pairs += [(i, k) for i, _, k, _ in run.groups]
        pairs += [(run.ref[1] + x, run.hyp[1] + x) for x in range(run.correct)]

    assert early.early_pairs(left, right, sclite=weights == SCLITE) == pairs
    assert all(left[i] != right[k] for run in runs for i, _, k, _ in run.groups)


@given(
    left=st.lists(st.sampled_from("abcdef"), max_size=60),
    right=st.lists(st.sampled_from("abcdef"), max_size=60),
)
def test_pairs_first_in_each_piece(left, right):
    """Long documents too have the ties of Le et al.'s program, from each cut to the next."""
    texts, pieces = texts_of(left, right), Pieces(100, 4, 20)
    with in_pieces(pieces):
        runs, _, _ = pairs_first(texts)
    found = [(run.ref[1] + x, run.hyp[1] + x) for run in runs for x in range(run.correct)]
    expected = []
    for (i, k), (j, m) in pairwise(cut_points(texts, pieces)):
        operations = edit_distance.pairs_first(left[i:j], right[k:m], SCLITE)
        expected += [(i + a, k + b) for op, a, b in operations if op == "correct"]
    assert expected == found
    assert (len(left), len(right)) == (
        runs[-1].ref[1] + runs[-1].correct,
        runs[-1].hyp[1] + runs[-1].correct,
    )


@both_weights
@given(left=words, right=words)
def test_the_cheapest_cost_without_the_alignment(weights, left, right):
    """The cost that cuts are held against is that of the table: Tiskin's two longer texts."""
    texts, most = texts_of(left, right), 4 * (len(left) + len(right))

    assert suffix_costs(left, right, weights)[0, 0] == least_cost(texts, weights, most)


@both_weights
@given(left=st.lists(st.sampled_from("abcdef"), max_size=60), errors=st.randoms())
def test_slack_is_what_the_cuts_cost(weights, left, errors):
    """A document that is cut costs the cheapest and the slack that is reported, exactly."""
    right = [word for word in left if errors.random() > 0.1]
    right = [errors.choice("abcdef") if errors.random() < 0.2 else word for word in right]
    with in_pieces(Pieces(0, 4, 20)):
        found = align_text(left, right, weights)

    assert suffix_costs(left, right, weights)[0, 0] == found.cost - found.slack
    assert found.cost == sum(weights.of(op) * number for op, number in found.counts.items())
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


def test_a_cut_is_in_the_middle_of_the_longest_run():
    """Within reach the longest run of equal words is cut, in its middle."""
    left = [1, 2, 3, 90, 5, 6, 7, 8, 9, 10, 11, 91, 13, 14, 15, 16, 92]
    right = [1, 2, 3, 80, 5, 6, 7, 8, 9, 10, 11, 81, 13, 14, 15, 16, 82]

    assert [(0, 0), (7, 7), (17, 17)] == cuts(texts_of(left, right), Pieces(0, 14, 30))


@pytest.mark.parametrize(
    ("left", "right", "most", "points"),
    [
        ("ab", "ab", (2, 4), [(0, 0), (2, 2)]),
        ("abc", "a", (2, 3), [(0, 0), (2, 1), (3, 1)]),
        ("aaa", "aaa", (3, 5), [(0, 0), (1, 1), (3, 3)]),
        ("aabca", "aabca", (3, 7), [(0, 0), (1, 1), (4, 4), (5, 5)]),
        ("ababab", "abbbb", (2, 4), [(0, 0), (2, 2), (4, 4), (6, 5)]),
        ("abaaaba", "abaaba", (3, 10), [(0, 0), (1, 1), (6, 5), (7, 6)]),
        ("abcdacb", "abcdace", (7, 12), [(0, 0), (4, 4), (7, 7)]),
    ],
)
def test_worked_cuts(left, right, most, points):
    """Short texts that are cut by their runs, by parts of long runs, or along an alignment."""
    assert points == cuts(texts_of(left, right), Pieces(0, *most))


def test_a_run_of_three_words_is_cut():
    """Three equal words are a run, and what is no longer than allowed is not cut."""
    texts = texts_of("abcuvxyz", "mnopqxyz")
    assert [(0, 0), (8, 8)] == cuts(texts, Pieces(0, 2, 16))
    assert [(0, 0), (6, 6), (8, 8)] == cuts(texts, Pieces(0, 2, 15))


def test_one_cut_has_its_slack():
    """A single cut in the wrong place costs as much more as the words around it."""
    texts = texts_of("abc", "abc")
    assert [12, 12] == [*cheapest(texts, SCLITE, at=[(2, 0)])[1:]]
    assert [4, 4] == [*cheapest(texts, UNIT, at=[(2, 0)])[1:]]


def test_the_slack_of_words_that_a_cut_parts():
    """A cut may part a pair of equal words; what that costs more is the slack."""
    for left, right, cost in (("acb", "cbcd", 11), ("acb", "abd", 8)):
        with in_pieces(Pieces(0, 2, 4)):
            assert [cost, 2] == [*cheapest(texts_of(left, right), SCLITE)[1:]]


def test_pieces_that_are_too_large_are_cut():
    """A piece larger than ``whole``, by its words or by the size asked for, is cut by its runs."""
    texts = texts_of("abcdefgh", "abcdefg")
    whole, at_one = [(0, 0), (8, 7)], [(0, 0), (3, 2), (8, 7)]
    further = [(0, 0), (3, 2), (4, 4), (7, 7), (8, 7)]
    assert whole == cut_points(texts, Pieces(8 * 7, 2, 6), ())
    assert [(0, 0), (1, 1), (4, 4), (7, 7), (8, 7)] == cut_points(texts, Pieces(55, 2, 6), ())
    assert at_one == cut_points(texts, Pieces(5 * 5, 2, 6), [(3, 2)])
    assert further == cut_points(texts, Pieces(24, 2, 6), [(3, 2)])
    asked = []
    sizes = {((0, 3), (0, 2)): 3, ((3, 8), (2, 7)): 4}

    def size(ref, hyp):
        asked.append((ref, hyp))
        return sizes[ref, hyp]

    assert at_one == cut_points(texts, Pieces(4, 2, 6), [(3, 2)], size)
    assert further == cut_points(texts, Pieces(3, 2, 6), [(3, 2)], size)
    assert [*sizes, *sizes] == asked


def test_a_document_without_a_run_is_cut_all_the_same():
    """Where nothing is alike the path of the unit weights is cut, and the cost is the cheapest."""
    left, right = list(range(1, 41)), list(range(41, 101))
    with in_pieces(Pieces(0, 4, 20)):
        found = align_text(list(map(str, left)), list(map(str, right)))

    assert 40 * 4 + 20 * 3 == found.cost
    assert found.slack == 0
    assert (40, 20) == (found.counts["substitution"], found.counts["insertion"])
    every = WordAlignment(found.blocks, found.cost, otherwise=found.otherwise)
    assert found.counts == every.counts
    assert [found.places(f) for f in range(41)] == [every.places(f) for f in range(41)]


# ----------------------------------------------------------------------------------- the texts


@given(left=words, right=words)
def test_equal_words_are_equal_characters(left, right):
    """A text has one character for each word, and words are equal where characters are."""
    texts = texts_of(left, right)
    characters, every = texts.left + texts.right, [*left, *right]

    assert (len(left), len(right)) == (len(texts.left), len(texts.right))
    assert len({*characters}) == len({*every}) == len({*zip(characters, every, strict=True)})
    assert not {*characters} & {"\0", "\1"}


def test_the_latest_texts_are_kept():
    """The alignment and the word error rate of a pair compare the same texts once."""
    texts = texts_of(["a"], ["b"])

    assert texts is texts_of(("a",), ("b",))
    assert texts is not texts_of(["a"], ["a"])


def test_the_expected_number_of_errors_changes_no_edit():
    """The edits of texts with few errors and with many are those that rapidfuzz finds by itself."""
    rng = random.Random("edits")
    for size, most, wrong in product((0, 9, 600, 1500), (3, 400), (0.01, 0.3, 1)):
        left = [chr(rng.randint(2, most)) for _ in range(size)]
        right = [chr(rng.randint(2, most)) if rng.random() < wrong else one for one in left]
        texts = CodedTexts("".join(left), "".join(right[size // 9 :]))
        assert Levenshtein.editops(texts.left, texts.right) == texts.edits


def test_parts_of_texts():
    """A part has some words of either side; the whole is its own part, with its ``edits``."""
    texts = texts_of("abc", "abd")
    part = texts.part((1, 3), (0, 2))

    assert (texts.left[1:], texts.right[:2]) == (part.left, part.right)
    assert texts is texts.part((0, 3), (0, 3))


def test_more_words_than_characters(monkeypatch):
    """Where there are no more characters, the documents are refused."""
    monkeypatch.setattr(rooms, "count", lambda _: count(sys.maxunicode))
    assert texts_of(["last"], []).left == chr(sys.maxunicode)
    with pytest.raises(SerevalError, match="more than 1114110 different words"):
        texts_of(["last", "more"], [])


def test_characters_of_surrogates():
    """Characters that no text has stand for words too."""
    side = "".join(map(chr, range(0xD7F0, 0xE010)))
    other = side[:100] + side[120:]

    with in_pieces(Pieces(0, 500, 2_000)):
        assert [60, 0] == [*cheapest(CodedTexts(side, other), SCLITE)[1:]]
