"""Times as readers take them: decimals, milliseconds taken for seconds, words that share a gap."""

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.documents.words import spread
from sereval.errors import SerevalError
from sereval.formats.build import milliseconds
from sereval.formats.records import plain_times


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
