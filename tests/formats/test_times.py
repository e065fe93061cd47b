"""Times as readers take them: decimals, milliseconds taken for seconds, words that share a gap."""

import re
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.errors import SerevalError
from sereval.formats.records import plain_times
from sereval.formats.times import milliseconds, spread, too_long
from sereval.projection.project import parse_duration

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


WRITTEN = st.from_regex(r"[0-9]{1,9}\.[0-9]{1,4}|[0-9]{1,3}(\.[0-9]e[+-]?[0-9])?", fullmatch=True)


@pytest.mark.check
@given(st.lists(st.tuples(WRITTEN, WRITTEN)))
def test_times_that_are_read_together(pairs):
    """Times read all at once are those read one by one, exactly, wherever there are any."""
    exact = tuple(tuple(int(Decimal(text) * 1000) for text in pair) for pair in pairs)
    is_plain = all(re.fullmatch(r"[0-9]{1,8}\.[0-9]{1,3}", text) for pair in pairs for text in pair)
    items = [[text.encode() for text in pair] for pair in pairs]
    assert (exact if is_plain else None) == plain_times(items)


@pytest.mark.parametrize("most", [10**4, 10**7, 10**11])
def test_no_float_decides_a_millisecond(most):
    """Each number below 10**8 s with three decimals is the ms that it says."""
    rng = Random(most)
    ms = [most - 1, *(rng.randrange(most) for _ in range(10_000))]
    written = [f"{k // 1000}.{k % 1000:03d}".encode() for k in ms]
    assert tuple(zip(ms, ms, strict=True)) == plain_times([[text, text] for text in written])


@given(
    st.lists(st.sampled_from([b"1.5", b"1e3", "1.5", 1, None, [b"1.5", b"2.5"], {}]), max_size=3)
)
def test_times_that_are_no_numbers(item):
    """What is no pair of numbers is left to whoever says what is wrong with it."""
    expected = ((1500, 1500),) if item == [b"1.5", b"1.5"] else None
    assert expected == plain_times([item])
    assert plain_times(["ab"]) is plain_times([{"a": 1, "b": 2}]) is plain_times([7]) is None


@given(st.decimals(-(10**9), 10**9, allow_nan=False))
def test_milliseconds(seconds):
    """Halves go up, exactly: the same as the floor of the fraction and a half."""
    expected = (Fraction(seconds) * 1000 + Fraction(1, 2)).__floor__()

    assert expected == milliseconds(seconds) == milliseconds(f"{seconds:f}")


@pytest.mark.parametrize(
    "text",
    ["", " 1", "1_0", "0x1", "NaN", "sNaN", "inf", "-Infinity", "1e", "1e-99999", ".", "١", "1,5"]
    + ["1000000000.001", "-1e10", "1e9999"],
)
def test_not_a_time(text):
    """Anything but a plain decimal of at most 10**9 s is refused, without a huge integer."""
    with pytest.raises(SerevalError, match="expected a (decimal number|time of at most)"):
        milliseconds(text)


@pytest.mark.parametrize(
    ("text", "ms"),
    [("0.3", 300), ("300ms", 300), ("0.3s", 300), (" 0.3 s ", 300), ("0", 0), ("1e-3", 1)]
    + [("0.5ms", 1), ("0.4999999999999999999999999999999999ms", 0), ("1e3ms", 1000)],
)
def test_durations(text, ms):
    """Bare numbers are seconds; ms and s are accepted."""
    assert ms == parse_duration(text)


@pytest.mark.parametrize("text", ["", "s", "ms", "-1", "-1ms", "1m", "1 2", "nan", "300MS", "1e12"])
def test_not_a_duration(text):
    """Anything else is refused."""
    with pytest.raises(SerevalError, match="expected a "):
        parse_duration(text)
