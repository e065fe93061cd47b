"""Times as readers take them: seconds that are milliseconds, and words that share a gap."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.formats.times import spread, too_long

SECOND = 1000


def in_a_row(lengths):
    """Times of words of these lengths, one after another."""
    frontiers = [0, *accumulate(lengths)]
    return list(zip(frontiers, frontiers[1:], strict=False))


@given(st.lists(st.integers(61, 2000), min_size=1, max_size=20))
def test_milliseconds_as_seconds(lengths):
    """Words of more than 60 ms each are all too long once their times are taken for seconds."""
    words = ["Dol"] * len(lengths)

    assert too_long(in_a_row(lengths), words) == 0
    assert len(words) == too_long(in_a_row([ms * SECOND for ms in lengths]), words)


@given(st.lists(st.integers(1, 30 * SECOND), min_size=1), st.lists(st.integers(0, 10**9)))
def test_sparse_recordings(lengths, gaps):
    """Where at least half of the words are short, no gap and no other word makes them too long."""
    stretched = [10**7] * len(lengths)
    times = [(start + sum(gaps), end + sum(gaps)) for start, end in in_a_row(lengths + stretched)]

    assert too_long(times, ["Dol"] * len(times)) == 0


@pytest.mark.parametrize(
    ("text", "seconds", "expected"),
    [("Dol", 60, 0), ("Dol", 61, 1), ("à Dol", 120, 0), ("à Dol", 121, 1), ("", 61, 1)],
)
def test_texts_of_several_words(text, seconds, expected):
    """A text may last as long as its words: 60 s each."""
    assert expected == too_long([(0, seconds * SECOND)], [text])


class Once(list[int]):
    """Widths that can be gone through, and not cut into pieces."""

    def __getitem__(self, key):
        raise AssertionError("each word would cost as much as all before it")


@given(st.lists(st.integers(1, 20), min_size=1), st.integers(0, 10**6), st.integers(0, 10**5))
def test_a_gap_is_shared_in_one_pass(widths, start, duration):
    """The frontiers are the nearest milliseconds to their shares, halves up."""
    total = sum(widths)
    shares = [sum(widths[:k]) for k in range(len(widths) + 1)]
    frontiers = [start + (2 * duration * share + total) // (2 * total) for share in shares]
    expected = list(zip(frontiers, frontiers[1:], strict=False))

    assert expected == spread(Once(widths), start, start + duration)
