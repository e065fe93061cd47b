"""Which words of a run of errors answer to which, worked out by hand; laws are in test_align."""

import re

import pytest
from tables import tables

from sereval.alignment.blocks import SCLITE
from sereval.alignment.text import Words, in_order, likeness, most_alike, nearly_same

TABLES = tables(__file__)


def side(text):
    """Words, each with the marks that are written right before and behind it."""
    parts = [re.fullmatch(r"(\W*)(\w+)(\W*)", word).groups() for word in text.split()]
    return Words([letters for _, letters, _ in parts], [(a, b) for a, _, b in parts])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("a", "ab", 666), ("abc", "abc", 1000), ("a", "b", 0), ("ab", "ba", 500), ("abx", "ab", 800)],
)
def test_likeness_is_in_thousandths(one, other, expected):
    """Of all letters of both those in common, in the same order, rounded down."""
    assert expected == likeness(one, other) == likeness(other, one)


PAIRED = TABLES["paired"]


@pytest.mark.parametrize(("left", "right", "expected"), PAIRED)
def test_the_words_most_alike_are_paired(left, right, expected):
    """The shorter side whole, each word with one or with several that were joined or split."""
    assert list(expected) == most_alike(side(left), side(right))


IN_ORDER = TABLES["in_order"]


@pytest.mark.parametrize(("left", "right", "expected"), IN_ORDER)
def test_words_are_paired_from_the_front(left, right, expected):
    """Each word with the next one, or with several that were joined or split."""
    assert list(expected) == in_order(side(left), side(right))


READ_AGAIN = TABLES["read_again"]


@pytest.mark.parametrize(("left", "right", "expected"), READ_AGAIN)
def test_what_is_nearly_the_same_is_read_again(left, right, expected):
    """Where that is cheaper; what is between is paired as ever."""
    left, right = side(left), side(right)
    first = most_alike(left, right)
    assert list(expected) == nearly_same(left, right, SCLITE.of_run, first)


@pytest.mark.parametrize(("gap", "expected"), [(900, [(0, 1, 1, 2)]), (901, [])])
def test_to_read_again_must_be_cheaper(gap, expected):
    """By a share of the letters that differ, and be it by less than a thousandth of a word."""

    def cost(ref, hyp):
        return 1001 * min(ref, hyp) + gap * (ref > hyp) * (ref - hyp) + 901 * max(0, hyp - ref)

    left, right = side("abcde x"), side("y abcdf")
    assert expected == nearly_same(left, right, cost, most_alike(left, right))
