"""Laws and cases of cutting two sides alike and of giving an annotation its times."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recut_documents import covered, cuttings, forests, timings

from sereval.documents.model import Document, Reference
from sereval.documents.words import recut, time_words


@st.composite
def sides(draw):
    """Two documents on one text, cut on their own, with elements, times and breaks of their own."""
    _, ours, theirs = draw(cuttings())
    return tuple(
        Document(
            "d",
            words,
            draw(forests(len(words))),
            draw(st.none() | timings(len(words), overlap=True)),
            tuple(k for k in range(1, len(words)) if draw(st.booleans())),
        )
        for words in (ours, theirs)
    )


def ahead(document, frontiers):
    return ["".join(document.words[:k]) for k in frontiers]


# ------------------------------------------------------------------------------ the same words


@given(sides())
def test_both_sides_get_the_same_words(pair):
    """After cutting, the words are equal, no cut is lost and none is made up."""
    ours, theirs = recut(*pair)

    def offsets(words):
        return {len("".join(words[:k])) for k in range(len(words) + 1)}

    assert ours.words == theirs.words
    assert "".join(ours.words) == "".join(pair[0].words)
    assert offsets(ours.words) == offsets(pair[0].words) | offsets(pair[1].words)


@given(sides())
def test_cutting_twice_changes_nothing(pair):
    """What is cut alike stays as it is."""
    once = recut(*pair)
    assert recut(*once) == once


@given(sides())
def test_cutting_is_symmetric(pair):
    """Either side can come first."""
    assert recut(*reversed(pair)) == tuple(reversed(recut(*pair)))


@given(sides())
def test_elements_and_breaks_keep_their_text(pair):
    """Elements, their parents and utterance boundaries stand at the same characters as before."""
    for before, after in zip(pair, recut(*pair), strict=True):
        assert covered(after) == covered(before)
        assert ahead(after, after.breaks) == ahead(before, before.breaks)


@given(sides())
def test_pieces_tile_their_word(pair):
    """The pieces of a word start with it, end with it, and each starts where the last ended."""
    for before, after in zip(pair, recut(*pair), strict=True):
        if before.times is None:
            assert after.times is None
            continue
        pieces = iter(zip(after.words, after.times, strict=True))
        for word, (start, end) in zip(before.words, before.times, strict=True):
            here, text = [], ""
            while text != word:
                piece, time = next(pieces)
                text += piece
                here.append(time)
            assert (here[0][0], here[-1][1]) == (start, end)
            assert all(left[1] == right[0] for left, right in pairwise(here))


@given(sides())
def test_an_exact_reference_is_cut_like_its_document(pair):
    """Cutting and making a reference of a document can change places."""
    ours, theirs = recut(Reference.exact(pair[0]), pair[1])
    assert ours == Reference.exact(recut(*pair)[0])
    assert theirs == recut(*pair)[1]


@pytest.mark.check
def test_long_documents_take_linear_time():
    """A long document, in one word or in many, is timed and cut without delay."""
    text = "abcdefghij" * 3_000
    whole, letters = Document("d", (text,), times=((0, 10**7),)), Document("d", tuple(text))
    assert recut(whole, letters)[0].times[-1] == (10**7 - 333, 10**7)
    assert time_words(letters, whole).times == recut(whole, letters)[0].times
    commas = Document("d", (",",) * 30_000 + ("a",))
    stops = Document("d", (".",) * 30_000 + ("a",), times=((0, 1),) * 30_001)
    assert set(time_words(commas, stops).times) == {(0, 0), (0, 1)}
