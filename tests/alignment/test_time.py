"""Words of two texts pair by the time that they share."""

from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import CORRECT, DELETION, INSERTION, SUBSTITUTION
from sereval.alignment.normalise import EXACT
from sereval.alignment.time import operations_by_time


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
    pairs = [shared(left[o.ref], right[o.hyp]) for o in found if None not in o]
    kept = [[t for word, t in zip(*side, strict=True) if word != "."] for side in (one, other)]
    assert greatest(*kept) == sum(pairs)
    assert all(pairs)


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
    forms = [form for _, form in found.forms]
    assert forms == [(ours[r] if r is not None else theirs[h]) for _, r, h in found.operations]


def test_words_alone_are_in_the_order_of_their_starts():
    """Between two pairs, what begins first comes first, whichever side it is on."""
    said, heard = [(0, 1), (10, 11), (30, 31)], [(5, 6), (20, 21), (30, 31)]
    found = operations_by_time("abc", "xyc", (said, heard)).operations
    expected = [(DELETION, 0, None), (INSERTION, None, 0), (DELETION, 1, None)]
    assert [*expected, (INSERTION, None, 1), (CORRECT, 2, 2)] == [*found]


def test_words_are_compared_in_their_forms():
    """Case makes a difference if the normalisation keeps it."""
    times = [(0, 5)], [(2, 9)]
    assert CORRECT == operations_by_time(["A"], ["a"], times).operations[0].op
    assert SUBSTITUTION == operations_by_time(["A"], ["a"], times, EXACT).operations[0].op


def test_long_recordings_take_little_time():
    """Chains of many pairs are found without recursion."""
    words = [str(k) for k in range(30_000)]
    times = [(10 * k, 10 * k + 10) for k in range(30_000)]
    assert 30_000 == operations_by_time(words, words, (times, times)).counts[CORRECT]
