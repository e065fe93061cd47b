"""Laws and cases of giving an annotation the times of a time file."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recut_documents import TIMES, cuttings, document, forests, shifted, timings

from sereval.documents.model import Document, Note, tree
from sereval.documents.recut import time_words
from sereval.errors import SerevalError


@st.composite
def timed_pairs(draw, alphabet="abcdé,«'", overlap=False):
    """An annotation and a time file on one text."""
    text, ours, theirs = draw(cuttings("abcdé" + alphabet))
    if not any(map(str.isalpha, text)):
        ours, theirs = (*ours, "z"), (*theirs, "z")
    timed = Document("d", theirs, times=draw(timings(len(theirs), overlap=overlap)))
    return Document("d", ours, draw(forests(len(ours))), source="d.ne"), timed


CASES = {
    "several words share one by length": (
        "l' acteur", "l'acteur", [(0, 800)], [(0, 200), (200, 800)],
    ),
    "one word spans several": (
        "l'acteur", "l' acteur", [(0, 200), (300, 800)], [(0, 800)],
    ),
    "of overlapping words the last end counts": (
        "ab c", "a b c", [(0, 900), (100, 200), (300, 400)], [(0, 900), (300, 400)],
    ),
    "cuts in the middle on both sides": (
        "ab cd", "a bc d", [(0, 10), (10, 30), (30, 40)], [(0, 20), (20, 40)],
    ),
    "halves up": ("a b", "ab", [(0, 5)], [(0, 3), (3, 5)]),
    "halves up below zero": ("a b", "ab", [(-5, 0)], [(-5, -2), (-2, 0)]),
    "case and punctuation": (
        "L'ÉTÉ (1998)!", "l\u2019 été 1998", [(0, 1), (1, 4), (5, 9)], [(0, 4), (5, 9)],
    ),
    "canonical equivalence": ("e\u0301te\u0301", "ÉT É", [(0, 2), (2, 3)], [(0, 3)]),
    "a cut between a letter and its accent": ("\u00e9", "e \u0301", [(0, 2), (2, 3)], [(0, 3)]),
    "folding to two letters": ("Straße", "STRASSE", [(0, 9)], [(0, 9)]),
    "a cut within a folded letter": (
        "Straß e", "stras se", [(0, 50), (50, 70)], [(0, 60), (60, 70)],
    ),
    "cases of unlike canonical forms": (
        "\u03aa\u0301 x", "\u0390 x", [(0, 1), (2, 3)], [(0, 1), (2, 3)],
    ),
    "leading and inner punctuation takes its share": (
        "«a b-c", "abc", [(0, 60)], [(0, 24), (24, 60)],
    ),
    "leading punctuation takes its share of the word behind it": (
        "((a b", "ab", [(0, 40)], [(0, 30), (30, 40)],
    ),
    "punctuation takes its share of the word before it": (
        "ab- c", "a bc", [(0, 10), (10, 40)], [(0, 30), (30, 40)],
    ),
    "tokens without time stand behind": (
        "a , b .", "a b", [(0, 1), (3, 4)], [(0, 1), (1, 1), (3, 4), (4, 4)],
    ),
    "tokens without time stand ahead at the beginning": (
        "« - a", "a", [(3, 4)], [(3, 3), (3, 3), (3, 4)],
    ),
    "the same token takes its time": (
        "Ah , b", "ah ... , B", [(0, 1), (2, 3), (4, 5), (6, 7)], [(0, 1), (4, 5), (6, 7)],
    ),
    "the same tokens pair in order": (
        ". , . a", ". . , . A", [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)],
        [(0, 1), (4, 5), (6, 7), (8, 9)],
    ),
    "tokens in another order": (
        ", . a", ". , A", [(0, 1), (2, 3), (4, 5)], [(2, 3), (3, 3), (4, 5)],
    ),
    "a token of another place has no time here": (
        "a , b", "a b ,", [(0, 1), (2, 3), (4, 5)], [(0, 1), (1, 1), (2, 3)],
    ),
    "a token without a match does not stop the next": (
        "« . A", ". a", [(0, 1), (2, 3)], [(0, 0), (0, 1), (2, 3)],
    ),
    "timed tokens alone are passed over": (
        "A b", "- a - b -", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], [(1, 2), (3, 4)],
    ),
    "a wildcard stands for one word": (
        "a Mörike c", "a <unk> c", [(0, 1), (2, 5), (6, 7)], [(0, 1), (2, 5), (6, 7)],
    ),
    "wildcards in any case and form": (
        "« uh , Oh ! <UNK> a", "spn SPN <Unk> a", [(0, 1), (2, 3), (4, 5), (6, 7)],
        [(0, 0), (0, 1), (1, 1), (2, 3), (3, 3), (4, 5), (6, 7)],
    ),
    "a wildcard stands for the rest of a word": (
        "l'acteur joue", "l' <spoken_noise> joue", [(0, 1), (2, 5), (6, 7)], [(0, 5), (6, 7)],
    ),
    "overlap: the previous end is behind the next start": (
        "a , b", "a b", [(0, 900), (100, 200)], [(0, 900), (100, 900), (100, 200)],
    ),
    "overlap: a share begins behind the next start": (
        "a b c", "ab c", [(0, 900), (100, 200)], [(0, 450), (100, 900), (100, 200)],
    ),
    "nothing said, nothing timed": ("", "...", [(0, 5)], []),
}  # fmt: skip


@pytest.mark.parametrize(("words", "other", "times", "expected"), CASES.values(), ids=CASES)
def test_words_are_timed(words, other, times, expected):
    """An annotated word runs from its first to its last character in the timed words."""
    assert time_words(document(words), document(other, tuple(times))).times == tuple(expected)


POINTS = [
    # elements over:  a , « b  with a at 0-10 and b at 20-30; times of the comma and the quote
    ((), (10, 10), (10, 10)),
    ((("x", 2, 4),), (10, 10), (20, 20)),
    ((("x", 1, 4),), (20, 20), (20, 20)),
    ((("x", 0, 2),), (10, 10), (10, 10)),
    ((("x", 0, 4), ("y", 0, 2)), (10, 10), (10, 10)),
    ((("x", 0, 2), ("y", 2, 4)), (10, 10), (20, 20)),
    ((("x", 1, 2), ("y", 2, 3)), (10, 10), (10, 10)),
    ((("x", 1, 3),), (10, 10), (10, 10)),
    ((("x", 1, 4), ("y", 1, 2)), (20, 20), (20, 20)),
]


@pytest.mark.parametrize(("spans", "comma", "quote"), POINTS)
def test_elements_have_the_time_of_their_real_words(spans, comma, quote):
    """Where an element begins or ends with punctuation, that stands at its first or last word."""
    annotated = Document("d", ("a", ",", "«", "b"), tree(spans))
    timed = Document("d", ("A", "B"), times=((0, 10), (20, 30)))
    assert time_words(annotated, timed).times == ((0, 10), comma, quote, (20, 30))


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


REFUSED = [
    (
        document("le président de la Russie parle", source="a.ne"),
        document("le pré sident de la Suisse", tuple((k * 500, k * 500) for k in range(6)),
                 source="a.TextGrid"),
        "show1: the words of the annotation and of its time file differ: "
        'annotation (a.ne), word 4: "… président de la [Russie] parle"; '
        'time file (a.TextGrid), word 5 at 2.5 s: "… sident de la [Suisse]"',
    ),
    (
        document("a b , c"),
        document("a b .", TIMES),
        "show1: the words of the annotation and of its time file differ: "
        'annotation, word 3: "a b , [c]"; time file, word 3: "a b . [end]"',
    ),
    (
        document("a !"),
        document("a b c", TIMES),
        "show1: the words of the annotation and of its time file differ: "
        'annotation, word 2: "a ! [end]"; time file, word 1 at 0.001 s: "a [b] c"',
    ),
    (
        document("a ."),
        document("a spn", TIMES[:2]),
        "show1: the words of the annotation and of its time file differ: "
        'annotation, word 2: "a . [end]"; time file, word 1 at 0.001 s: "a [spn]"',
    ),
    (
        document("ab cd"),
        document("abce", TIMES[:1]),
        "show1: the words of the annotation and of its time file differ: "
        'annotation, word 1: "ab [cd]"; time file, word 0 at 0 s: "[abce]"',
    ),
    (
        document("<unk> a"),
        document("x a", TIMES[:2]),
        "show1: the words of the annotation and of its time file differ: "
        'annotation, word 0: "[<unk>] a"; time file, word 0 at 0 s: "[x] a"',
    ),
    (
        document("a b c", TIMES, source="a.json"),
        document("a b c", TIMES, source="a.ctm"),
        "show1: times were given twice, in the annotation (a.json) and in a time file (a.ctm)",
    ),
    (
        document("a"),
        document("a", source="a.ne"),
        "show1: the time file (a.ne) has no times",
    ),
    (
        document("..."),
        document("", ()),
        "show1: no word of the annotation has a time in the time file: it is all punctuation",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("annotated", "timed", "message"), REFUSED)
def test_a_time_file_that_does_not_fit_is_refused(annotated, timed, message):
    """A real difference is an error that shows which file says what, where and when."""
    with pytest.raises(SerevalError, match=f"^{re.escape(message)}$"):
        time_words(annotated, timed)


@pytest.mark.parametrize("words", [("l'acteur",), ("l'", "acteur")])
def test_notes_of_both_files_are_kept(words):
    """What was skipped in the annotation and in its time file is said, in this order."""
    ours, theirs = Note("spaces merged", 1), Note("silences skipped", 2)
    annotated = Document("d", ("l'acteur",), notes=(ours,))
    timed = Document("d", words, times=((0, 10),) * len(words), notes=(theirs,))
    assert (ours, theirs) == time_words(annotated, timed).notes
