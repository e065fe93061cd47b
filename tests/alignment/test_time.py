"""Words of two texts pair by the time that they share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval import SerevalError
from sereval.alignment.blocks import CORRECT, DELETION, INSERTION, SUBSTITUTION
from sereval.alignment.normalise import EXACT
from sereval.alignment.words import operations_by_time


@st.composite
def spoken(draw):
    """Words with times, ordered by start; some overlap, some have no duration."""
    starts = sorted(draw(st.lists(st.integers(0, 12), max_size=7)))
    times = [(start, start + draw(st.integers(0, 6))) for start in starts]
    return draw(st.lists(st.sampled_from("ab."), min_size=len(times), max_size=len(times))), times


def shared(one, other):
    """The time that two words share; a word without duration has a millisecond."""
    ends = [max(end, start + 1) for start, end in (one, other)]
    return max(0, min(ends) - max(one[0], other[0]))


def greatest(ours, theirs):
    """The greatest sum of shared time, by the table over all prefixes."""
    row = [0] * (len(theirs) + 1)
    for one in ours:
        above, row = row, [0]
        for k, other in enumerate(theirs):
            row.append(max(above[k] + shared(one, other), above[k + 1], row[k]))
    return row[-1]


@given(spoken(), spoken())
def test_pairs_share_the_most_time(one, other):
    """No pairs in order share more time, and each pair shares some."""
    (ours, left), (theirs, right) = one, other
    found = operations_by_time(ours, theirs, (left, right)).operations
    pairs = [shared(left[o[1]], right[o[2]]) for o in found if None not in o]
    kept = [[t for word, t in zip(*side, strict=True) if word != "."] for side in (one, other)]
    assert greatest(*kept) == sum(pairs)
    assert all(pairs)


def first_heaviest(ours, theirs):
    """The pairs with the greatest sum; of equal sums the one whose last pair comes first."""
    chains = [(0, [])]
    for i, one in enumerate(ours):
        row = []
        for k, other in enumerate(theirs):
            if shared(one, other):
                before = [(w, pairs) for w, pairs in chains if not pairs or pairs[-1][1] < k]
                weight, pairs = max(before, key=lambda chain: chain[0])  # the first of equals
                row.append((weight + shared(one, other), [*pairs, (i, k)]))
        chains += row
    return max(chains, key=lambda chain: chain[0])[1]


@given(spoken(), spoken())
def test_of_equal_sums_the_first_is_taken(one, other):
    """Of pairings that share the same time, the one whose last pair is looked at first."""
    (_, left), (_, right) = one, other
    found = operations_by_time("a" * len(left), "a" * len(right), (left, right)).operations
    assert first_heaviest(left, right) == [o[1:] for o in found if None not in o]


@pytest.mark.parametrize(
    ("said", "heard", "pairs"),
    [
        ([(2, 4)], [(3, 9), (3, 4)], [(0, 0)]),
        ([(0, 10)], [(0, 5), (2, 3), (5, 10)], [(0, 0)]),
        ([(0, 10)], [(0, 5), (2, 3), (5, 10), (20, 21)], [(0, 0)]),
        ([(0, 7), (4, 6), (7, 12)], [(3, 3), (4, 5), (5, 7)], [(0, 2)]),
        ([(2, 8), (4, 11)], [(1, 4), (2, 5), (3, 4)], [(0, 1)]),  # what shares nothing is no pair
    ],
)
def test_ties_do_not_depend_on_other_words(said, heard, pairs):
    """Which of equal pairings is taken does not depend on how many words there are."""
    found = operations_by_time("a" * len(said), "a" * len(heard), (said, heard)).operations
    assert pairs == [o[1:] for o in found if None not in o]


class Counted(tuple):
    """The times of a word, which count how often they are asked for."""

    asked = 0

    def __getitem__(self, k):
        Counted.asked += 1
        return tuple.__getitem__(self, k)


def test_only_words_that_share_time_are_compared():
    """A word is held against those that it shares time with, however long the texts are."""
    words, times = ["a"] * 50, [(10 * k, 10 * k + 10) for k in range(50)]
    Counted.asked = 0
    found = operations_by_time(words, words, (times, [*map(Counted, times)]))
    assert 50 == found.counts[CORRECT]
    assert Counted.asked <= 6 * 50  # the end of each, to count and to compare, and of its partner


@given(spoken(), spoken())
def test_each_word_is_in_one_operation(one, other):
    """Words but punctuation are there once and in order; a pair is correct if its words agree."""
    (ours, left), (theirs, right) = one, other
    found = operations_by_time(ours, theirs, (left, right))
    for side, words in ((1, ours), (2, theirs)):
        places = [o[side] for o in found.operations if o[side] is not None]
        assert [k for k, word in enumerate(words) if word != "."] == places
    for op, ref, hyp in found.operations:
        assert (ref is None, hyp is None) == (op == INSERTION, op == DELETION)
        if op in (CORRECT, SUBSTITUTION):
            assert (ours[ref] == theirs[hyp]) == (op == CORRECT)


def test_words_alone_are_in_the_order_of_their_starts():
    """Between two pairs, what begins first comes first, whichever side it is on."""
    said, heard = [(0, 1), (10, 11), (30, 31)], [(5, 6), (20, 21), (30, 31)]
    found = operations_by_time("abc", "xyc", (said, heard)).operations
    expected = [(DELETION, 0, None), (INSERTION, None, 0), (DELETION, 1, None)]
    assert [*expected, (INSERTION, None, 1), (CORRECT, 2, 2)] == [*found]
    touching = operations_by_time("a", "a", ([(0, 3)], [(3, 4)])).operations
    assert [(DELETION, 0, None), (INSERTION, None, 0)] == [*touching]
    touching = operations_by_time("a", "a", ([(3, 4)], [(0, 3)])).operations
    assert [(INSERTION, None, 0), (DELETION, 0, None)] == [*touching]


def test_words_are_compared_in_their_forms():
    """Case makes a difference if the normalisation keeps it."""
    times = [(0, 5)], [(2, 9)]
    assert CORRECT == operations_by_time(["A"], ["a"], times).operations[0][0]
    assert SUBSTITUTION == operations_by_time(["A"], ["a"], times, EXACT).operations[0][0]


@pytest.mark.parametrize("size", [8_000, 30_000])
def test_long_recordings_take_little_time(size):
    """Chains of many pairs are found without recursion."""
    words = [str(k) for k in range(size)]
    times = [(10 * k, 10 * k + 10) for k in range(size)]
    assert size == operations_by_time(words, words, (times, times)).counts[CORRECT]


def test_words_that_are_all_at_one_time_are_refused():
    """Each may be paired with each; what would take minutes is refused."""
    words, times = ["a"] * 10, [(0, 1)] * 10
    assert operations_by_time(words[1:], words, (times[1:], times), most_shared=99).operations
    with pytest.raises(SerevalError, match="more than 99 pairs of words share time"):
        operations_by_time(words, words, (times, times), most_shared=99)
