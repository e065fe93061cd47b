"""Laws and cases of cutting two sides alike and of giving an annotation its times."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recut_documents import covered, cuttings, document, forests, shifted, timings
from tables import tables

from sereval.documents.checks import Alternative
from sereval.documents.model import Document, Note, Reference, ReferenceElement, Unplaceable
from sereval.documents.words import recut, time_words
from sereval.errors import SerevalError

TABLES = tables(__file__)


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


def test_equal_words_are_left_alone():
    """Sides that are cut alike come back as the very same values."""
    one, two = document("la Russie", ((0, 1), (1, 3))), document("la Russie")
    assert recut(one, two)[0] is one
    assert recut(one, two)[1] is two


def test_alternatives_stay_on_their_letters():
    """A stretch with other readings moves with the words, whose number changes."""
    readings = (("two", "thousand"),)
    stretches = Alternative(1, 2, readings), Alternative(2, 3, readings)
    one = Document("d", ("in", "theyear", "2000"), alternatives=stretches)
    ours, _ = recut(one, Document("d", ("in", "the", "year", "20", "00")))
    assert [ours.words[a.start : a.end] for a in ours.alternatives] == [
        ("the", "year"),
        ("20", "00"),
    ]


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


@given(sides(), st.integers(-10_000, 10_000))
def test_shifted_times_are_cut_alike(pair, shift):
    """All times shifted by the same amount shift the result by it."""
    assert recut(*(shifted(side, shift) for side in pair)) == tuple(
        shifted(side, shift) for side in recut(*pair)
    )


PIECES = TABLES["pieces"]


@pytest.mark.parametrize(("words", "other", "times", "expected"), PIECES)
def test_a_cut_word_shares_its_time_by_length(words, other, times, expected):
    """The time of a word is shared among its pieces by length in characters."""
    assert recut(document(words, times), document(other))[0].times == expected


def test_canonically_equivalent_words_are_equal():
    """An accent may be part of its letter on one side and follow it on the other."""
    ours, theirs = recut(document("l'e\u0301te\u0301"), document("l' \u00e9t\u00e9"))
    assert ours.words == theirs.words == ("l'", "\u00e9t\u00e9")


@pytest.mark.parametrize(
    ("ours", "theirs", "count"),
    TABLES["composed"],
)
def test_words_that_are_composed_otherwise_are_counted(ours, theirs, count):
    """How many are equal in canonical form alone is said behind what was said of the hypothesis."""
    skipped = Note("skipped", 1)
    sides = [document(text.replace("e", "e\u0301"), notes=(skipped,)) for text in (ours, theirs)]
    what = "words with accents composed otherwise than the reference's (NFC, NFD), taken as equal"
    said = (Note(what, count),) if count else ()
    assert [(skipped,), (skipped, *said)] == [side.notes for side in recut(*sides)]


def test_a_fuzzy_reference_is_cut():
    """Candidates, strict frontiers and those of unplaceable elements stay at their characters."""
    name = ReferenceElement(("name", "kind"), (0, 1), (1, 2), strict=(0, 2), source=3)
    lost = ReferenceElement(("val",), (1,), (2,), parent=0)
    reference = Reference(
        "d", ("l'acteur", "joue"), (name,), (Unplaceable(lost, "missed", blocker=0),),
        ((0, 800), (800, 900)),
    )  # fmt: skip
    ours, theirs = recut(reference, Document("d", ("l'", "acteur", "jou", "e")))
    assert ours == Reference(
        "d",
        ("l'", "acteur", "jou", "e"),
        (ReferenceElement(("name", "kind"), (0, 2), (2, 4), strict=(0, 4)),),
        (Unplaceable(ReferenceElement(("val",), (2,), (4,), parent=0), "missed"),),
        ((0, 200), (200, 800), (800, 875), (875, 900)),
    )
    assert (ours.elements[0].source, ours.unplaceable[0].blocker) == (3, 0)
    assert theirs.words == ours.words


@given(sides())
def test_an_exact_reference_is_cut_like_its_document(pair):
    """Cutting and making a reference of a document can change places."""
    ours, theirs = recut(Reference.exact(pair[0]), pair[1])
    assert ours == Reference.exact(recut(*pair)[0])
    assert theirs == recut(*pair)[1]


DIFFERENCES = [
    *((document(**one), document(**other), said) for one, other, said in TABLES["differences"]),
    (
        Reference("show1", ("a\\b",), source="a.jsonl"),
        document("a\\c", source="c.ne"),
        r'show1: the words differ at word 0: reference (a.jsonl) "[a\b]", '
        r'hypothesis (c.ne) "[a\c]"; '
        "without --tolerance or --by both sides must have the same words",
    ),
    (
        Reference("show1", ("a\n",)),
        document("a" * 50 + "b" * 50),
        'show1: the words differ at word 0: reference "[a\\n]", '
        'hypothesis "['
        + "a" * 40
        + '…]"; without --tolerance or --by both sides must have the same words',
    ),
]


@pytest.mark.parametrize(("ours", "theirs", "message"), DIFFERENCES)
def test_a_difference_is_shown(ours, theirs, message):
    """Other characters are an error that shows both sides around the first of them."""
    with pytest.raises(SerevalError, match=f"^{re.escape(message)}$"):
        recut(ours, theirs)


LONG, SHOWN = "x" * 500 + "{}" + "x" * 500, "[…" + "x" * 20 + "{}" + "x" * 19 + "…]"
OTHER, FRONT = "abcdefghij" * 10, "abcdefghij" * 4 + "…"
LONG_WORDS = [
    (LONG, SHOWN),
    (f"ab cd {LONG}", f"ab cd {SHOWN}"),
    (f"{OTHER} {LONG} e {OTHER}", f"{FRONT} {SHOWN} e {FRONT}"),
    ("x" * 30 + "{}" + "y" * 9, "[" + "x" * 30 + "{}" + "y" * 9 + "]"),
    ("x" * 21 + "{}" + "y" * 19, "[…" + "x" * 20 + "{}" + "y" * 19 + "]"),
]


@pytest.mark.parametrize(("text", "expected"), LONG_WORDS)
def test_a_long_word_is_shown_where_it_differs(text, expected):
    """Of text that is not spaced, the part around the difference is shown, of others the front."""
    ours, theirs = document(text.format(1)), document(text.format(2))
    one, other = expected.format(1), expected.format(2)
    with pytest.raises(SerevalError) as error:
        recut(ours, theirs)
    assert f'reference "{one}", hypothesis "{other}"; ' in str(error.value)
    with pytest.raises(SerevalError) as error:
        time_words(ours, replace(theirs, times=((0, 1),) * len(theirs.words)))
    k = expected.split().index(SHOWN) if SHOWN in expected else 0
    assert f'word {k}: "{one}"; time file, word {k} at 0 s: "{other}"' in str(error.value)


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


def test_lists_of_tags_of_different_lengths():
    """Their words are numbers, so the message says how many tags each side has."""
    sides = (Document("0", tuple(map(str, range(size)))) for size in (1, 2))
    with pytest.raises(
        SerevalError, match=r"^document 0: the reference has 1 tag, the hypothesis 2$"
    ):
        recut(*sides)
