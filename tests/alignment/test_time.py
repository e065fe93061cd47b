"""Words of two texts pair by the time that they share."""

from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import CORRECT, DELETION, INSERTION, SUBSTITUTION
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
