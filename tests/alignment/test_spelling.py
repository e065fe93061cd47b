"""Which words of a run of errors answer to which, worked out by hand; laws are in test_align."""

import re

import pytest

from sereval.alignment.spelling import Words, in_order, likeness, most_alike, nearly_same
from sereval.alignment.weights import SCLITE


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


LONG = "ab" + "x" * 41

PAIRED = [
    ("a b", "c d", [(0, 1, 0, 1), (1, 2, 1, 2)]),
    ("", "c d", []),
    ("a", "b c", [(0, 1, 1, 2)]),  # as alike: the one without a partner comes first
    ("a", "b ab", [(0, 1, 1, 2)]),
    ("b ab", "a", [(1, 2, 0, 1)]),
    ("abc", "ab c", [(0, 1, 0, 2)]),
    ("x abcd", "ab cd x y", [(0, 1, 2, 3), (1, 2, 3, 4)]),
    # of three words the first two are far too short
    ("abcdefghi", "a b cdefghi", [(0, 1, 0, 3)]),
    # just half of the letters are the same, on whichever side there are more
    ("ab", "axx xxb", [(0, 1, 0, 2)]),
    ("axxxxb", "a b", [(0, 1, 0, 2)]),
    # the second word brings the letters no nearer, though it has the same mark
    ("ab.", "ax xxxb.", [(0, 1, 0, 1)]),
    # a mark beside a pair decides only where all are as alike, and a mark between divides
    ("«a", "b «c d", [(0, 1, 1, 2)]),
    ("a»", "b c» d", [(0, 1, 1, 2)]),
    ("abc", "ab- c", [(0, 1, 0, 1)]),
    # all marks against a thousandth of likeness: of 44 letters one is the same, or of 45
    ("«ac» (b)", f"y «{LONG}» (z)", [(0, 1, 0, 1), (1, 2, 1, 2)]),
]


@pytest.mark.parametrize(("left", "right", "expected"), PAIRED)
def test_the_words_most_alike_are_paired(left, right, expected):
    """The shorter side whole, each word with one or with several that were joined or split."""
    assert expected == most_alike(side(left), side(right))


IN_ORDER = [
    ("a", "b a", [(0, 1, 0, 1)]),
    ("b a", "a", [(0, 1, 0, 1)]),
    ("abc", "ab c", [(0, 1, 0, 2)]),
    ("ab c", "abc", [(0, 2, 0, 1)]),
    # the first word alone is more alike than with the two behind it
    ("abcd", "abc xx d", [(0, 1, 0, 1)]),
    # words can still be joined behind the first pair, and no more than the others leave
    ("x abc", "y ab c", [(0, 1, 0, 1), (1, 2, 1, 3)]),
    ("abcd ef g", "ab cd e f", [(0, 1, 0, 2), (1, 2, 2, 3), (2, 3, 3, 4)]),
]


@pytest.mark.parametrize(("left", "right", "expected"), IN_ORDER)
def test_words_are_paired_from_the_front(left, right, expected):
    """Each word with the next one, or with several that were joined or split."""
    assert expected == in_order(side(left), side(right))


READ_AGAIN = [
    ("a", "b", []),
    ("abcde", "abcdf", []),  # as it is already
    ("abcde x", "y abcdf", [(0, 1, 1, 2)]),
    # the nearly same words are neither the first nor the last
    ("q abcde w", "z y abcdf", [(0, 1, 1, 2), (1, 2, 2, 3)]),
    ("q abcde w", "qr z abcdf", [(0, 1, 0, 1), (1, 2, 2, 3)]),
    # two that are paired already, and might be paired crosswise
    ("x abcde abcdg", "y abcdf abcdh", []),
    # just four of five letters in common, on whichever side there are more
    ("ab x", "y abz", [(0, 1, 1, 2)]),
    ("abz x", "y ab", [(0, 1, 1, 2)]),
    # joined and split, with a longer word ahead
    ("q abcde", "abc de", [(1, 2, 0, 2)]),
    ("abc de", "q abcde", [(0, 2, 1, 2)]),
    ("abcdxx e", "q abcde", [(0, 2, 1, 2)]),
]


@pytest.mark.parametrize(("left", "right", "expected"), READ_AGAIN)
def test_what_is_nearly_the_same_is_read_again(left, right, expected):
    """Where that is cheaper; what is between is paired as ever."""
    left, right = side(left), side(right)
    first = most_alike(left, right)
    assert expected == nearly_same(left, right, SCLITE.of_run, first)


@pytest.mark.parametrize(("gap", "expected"), [(900, [(0, 1, 1, 2)]), (901, [])])
def test_to_read_again_must_be_cheaper(gap, expected):
    """By a share of the letters that differ, and be it by less than a thousandth of a word."""

    def cost(ref, hyp):
        return 1001 * min(ref, hyp) + gap * (ref > hyp) * (ref - hyp) + 901 * max(0, hyp - ref)

    left, right = side("abcde x"), side("y abcdf")
    assert expected == nearly_same(left, right, cost, most_alike(left, right))
