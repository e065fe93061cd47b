"""Texts are cut where equal words were said together: the alignment is that of the whole text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sereval import ByWords, Document
from sereval.alignment.blocks import (
    CORRECT,
    PUNCTUATION,
    SCLITE,
    TIES,
    UNIT,
)
from sereval.alignment.phones import align_phones
from sereval.alignment.text import align_text
from sereval.alignment.words import cuts_by_time, operations_by_time

WORDS = ["New", "York", "Newark", "the", "desk", "a", ",", "won't", "—"]


@st.composite
def recognised(draw):
    """A text, what a recogniser made of it, and the times of both sides."""
    said = draw(st.lists(st.sampled_from(WORDS), max_size=14))
    heard, times, other = [], [], []
    start = 0
    for word in said:
        end = start + draw(st.integers(1, 4))
        times.append((start, end))
        change = draw(st.sampled_from(["", "", "", "", "", "lost", "other", "split"]))
        if change == "split" and end - start > 1:
            heard += [word, draw(st.sampled_from(WORDS))]
            other += [(start, start + 1), (start + 1, end)]
        elif change != "lost":
            heard.append(draw(st.sampled_from(WORDS)) if change == "other" else word)
            other.append((start, end + draw(st.integers(0, 1))))
        start = end + draw(st.integers(0, 2))
    return said, heard, (times, other)


def pairs_of(alignment):
    """The pairs of correct words of an alignment."""
    blocks = alignment.blocks
    return {(block.ref[0], block.hyp[0]) for block in blocks if block.op == CORRECT}


def runs_of(sides):
    """The pairs of the runs around which a text is cut, by the definition."""
    said, heard, times = sides
    found = operations_by_time(said, heard, times).operations
    runs = "".join("x" if op == CORRECT else "." for op, _, _ in found)
    long = [each.span() for each in re.finditer("x{3,}", runs)]
    return {(r, h) for start, end in long for _, r, h in found[start:end]}


@pytest.mark.parametrize("weights", [SCLITE, UNIT], ids=lambda one: one.name)
@pytest.mark.parametrize("ties", TIES)
@given(sides=recognised())
def test_cuts_around_matching_words_change_nothing(weights, ties, sides):
    """If the alignment of the whole texts has the pairs of all runs, the cuts do not change it.

    Otherwise it costs as much more as ``slack`` says.
    """
    said, heard, times = sides
    whole = align_text(said, heard, weights, ties)
    found = align_text(said, heard, weights, ties, at=cuts_by_time(said, heard, times))

    assert whole.cost == found.cost - found.slack
    if runs_of(sides) <= pairs_of(whole):
        assert (whole.blocks, whole.otherwise) == (found.blocks, found.otherwise)


@given(sides=recognised())
def test_settings_cut_as_they_say(sides):
    """Settings give the alignment of the pieces, with both readings, and say that it is cut."""
    said, heard, (times, other) = sides
    texts = [
        Document("d", tuple(words), times=tuple(own))
        for words, own in ((said, times), (heard, other))
    ]
    expected = align_text(said, heard, at=cuts_by_time(said, heard, (times, other)))
    found = ByWords(cut="times").align_documents(*texts)

    assert "by:text weights:sclite cut:times" == found.how
    assert expected == found


@pytest.mark.check
@settings(max_examples=60)
@given(sides=recognised())
def test_cuts_by_sound(sides):
    """By sound, the pairs of all runs are aligned; the slack is exact."""
    said, heard, times = sides
    at = cuts_by_time(said, heard, times)
    whole, found = align_phones(said, heard), align_phones(said, heard, at=at)

    assert whole.cost == found.cost - found.slack
    assert runs_of(sides) <= pairs_of(found)
    right = whole.counts[CORRECT] + whole.counts[PUNCTUATION]
    if len(said) == len(heard) == right == sum(whole.counts.values()):
        assert (whole.blocks, whole.otherwise) == (found.blocks, found.otherwise)


def test_a_repeated_phrase_is_aligned_where_it_was_said():
    """The text pairs the second of two equal phrases; the times pair the one that was said."""
    words = ["the", "New", "York", "desk"]
    said = Document("d", (*words, *words), times=tuple((k, k + 1) for k in range(8)))
    late = Document("d", tuple(words), times=said.times[4:])
    early = Document("d", tuple(words), times=said.times[:4])

    found = [
        [
            next(block.hyp for block in aligned.blocks if block.ref == (k, k + 1))
            for aligned in [ByWords(cut=cut).align_documents(said, heard)]
            for k in (0, 4)
        ]
        for cut in ("words", "times")
        for heard in (early, late)
    ]

    second = [(0, 0), (0, 1)]
    assert [second, second, [(0, 1), (4, 4)], second] == found
