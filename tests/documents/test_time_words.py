"""Laws and cases of giving an annotation the times of a time file."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recut_documents import cuttings, forests, shifted, timings

from sereval.documents.model import Document
from sereval.documents.words import time_words


@st.composite
def timed_pairs(draw, alphabet="abcdé,«'", overlap=False):
    """An annotation and a time file on one text."""
    text, ours, theirs = draw(cuttings("abcdé" + alphabet))
    if not any(map(str.isalpha, text)):
        ours, theirs = (*ours, "z"), (*theirs, "z")
    timed = Document("d", theirs, times=draw(timings(len(theirs), overlap=overlap)))
    return Document("d", ours, draw(forests(len(ours))), source="d.ne"), timed


@given(timed_pairs())
def test_everything_but_the_times_is_kept(pair):
    """Words, elements, breaks, id and source of the annotation stay."""
    annotated, timed = pair
    result = time_words(annotated, timed)
    assert result == Document(
        annotated.id, annotated.words, annotated.elements, result.times, annotated.breaks
    )
    assert result.source == annotated.source


@given(timed_pairs(overlap=True))
def test_words_cut_alike_have_their_times_copied(pair):
    """The time file's own words get its times, and so do they in capitals."""
    timed = pair[1]
    assert time_words(Document("d", timed.words), timed).times == timed.times
    capitals = tuple(word.upper() for word in timed.words)
    assert time_words(Document("d", capitals), timed).times == timed.times


@given(timed_pairs(overlap=True), st.integers(-10_000, 10_000))
def test_shifted_times_shift_the_result(pair, shift):
    """All times shifted by the same amount shift the result by it."""
    annotated, timed = pair
    assert time_words(annotated, shifted(timed, shift)) == shifted(
        time_words(annotated, timed), shift
    )


@given(timed_pairs(alphabet="", overlap=True))
def test_words_are_timed_like_their_characters(pair):
    """Each character has an even share of its timed word, and a word has its characters' time."""
    annotated, timed = pair
    shares = [
        tuple(start + Fraction(k * (end - start), len(word)) for k in (j, j + 1))
        for word, (start, end) in zip(timed.words, timed.times, strict=True)
        for j in range(len(word))
    ]
    expected, at = [], 0
    for word in annotated.words:
        mine = shares[at : at + len(word)]
        expected.append([half_up(mine[0][0]), half_up(max(end for _, end in mine))])
        at += len(word)
    for k in reversed(range(len(expected) - 1)):
        expected[k][0] = min(expected[k][0], expected[k + 1][0])
    assert time_words(annotated, timed).times == tuple(map(tuple, expected))


def half_up(value):
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


@given(timed_pairs())
def test_pieces_of_a_timed_word_tile_it(pair):
    """Timed letter by letter, a time file without overlap has its words filled without gaps."""
    timed = pair[1]
    letters = Document("d", tuple(c for word in timed.words for c in word if c.isalpha()))
    times = iter(time_words(letters, timed).times)
    for word, (start, end) in zip(timed.words, timed.times, strict=True):
        mine = [next(times) for c in word if c.isalpha()]
        if mine:
            assert (mine[0][0], mine[-1][1]) == (start, end)
            assert all(left[1] == right[0] for left, right in pairwise(mine))


@pytest.mark.check
@given(timed_pairs(), st.data())
def test_a_wildcard_may_hide_any_word(pair, data):
    """A timed word that no other word of either side shares can be unknown to the aligner."""
    timed = Document("d", tuple(f"w{k}" for k in range(len(pair[1].words))), times=pair[1].times)
    annotated = Document("d", tuple(f"{word}," for word in timed.words))
    wild = data.draw(st.sets(st.integers(0, len(timed.words) - 1)))
    hidden = tuple("spn" if k in wild else word for k, word in enumerate(timed.words))
    assert time_words(annotated, Document("d", hidden, times=timed.times)).times == timed.times
