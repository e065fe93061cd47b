"""Laws and cases of cutting two sides alike and of giving an annotation its times."""

import re
from collections import defaultdict
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import SPEECH
from strategies import LABELS  # noqa: F401 - hypothesis runs without chance, see there

from sereval.documents.model import Document, Reference, ReferenceElement, Unplaceable, tree
from sereval.documents.notes import Note
from sereval.documents.recut import recut, time_words
from sereval.errors import SerevalError

# ---------------------------------------------------------------------------- generated documents


@st.composite
def cuttings(draw, alphabet="abcdéß'", least=1):
    """Words, by a random cutting of a random text."""
    text = draw(st.text(alphabet, min_size=least, max_size=12))
    return text, cut(text, draw(cut_places(text))), cut(text, draw(cut_places(text)))


def cut_places(text):
    return st.sets(st.integers(1, max(1, len(text) - 1)))


def cut(text, places):
    bounds = [0, *sorted(k for k in places if k < len(text)), len(text)]
    return tuple(text[a:b] for a, b in pairwise(bounds))


@st.composite
def timings(draw, n, *, overlap):
    """Times of n words, one after the other or with overlap, some empty."""
    times, start = [], draw(st.integers(0, 50))
    for _ in range(n):
        length = draw(st.integers(0, 999))
        times.append((start, start + length))
        start += draw(st.integers(0, 600)) if overlap else length + draw(st.integers(0, 300))
    return tuple(times)


@st.composite
def forests(draw, n):
    """Nested spans over n words."""
    spans = []
    for start, end in draw(st.lists(st.tuples(st.integers(0, n), st.integers(0, n)), max_size=4)):
        crosses = any(a < start < b < end or start < a < end < b for _, a, b in spans)
        if start < end and not crosses:
            spans.append((f"label{len(spans)}", start, end))
    return tree(spans)


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


@st.composite
def timed_pairs(draw, alphabet="abcdé,«'", overlap=False):
    """An annotation and a time file on one text."""
    text, ours, theirs = draw(cuttings("abcdé" + alphabet))
    if not any(map(str.isalpha, text)):
        ours, theirs = (*ours, "z"), (*theirs, "z")
    timed = Document("d", theirs, times=draw(timings(len(theirs), overlap=overlap)))
    return Document("d", ours, draw(forests(len(ours))), source="d.ne"), timed


def covered(document):
    """What is below each element, with what is ahead of it."""
    words = document.words
    return [
        (e.label, e.parent, "".join(words[: e.start]), "".join(words[e.start : e.end]))
        for e in document.elements
    ]


def ahead(document, frontiers):
    return ["".join(document.words[:k]) for k in frontiers]


def document(text, times=None, **more):
    return Document("show1", tuple(text.split()), times=times, **more)


# ------------------------------------------------------------------------------ the same words


def test_equal_words_are_left_alone():
    """Sides that are cut alike come back as the very same values."""
    one, two = document("la Russie", ((0, 1), (1, 3))), document("la Russie")
    assert recut(one, two)[0] is one
    assert recut(one, two)[1] is two


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


def shifted(side, shift):
    if side.times is None:
        return side
    times = tuple((start + shift, end + shift) for start, end in side.times)
    return Document(side.id, side.words, side.elements, times, side.breaks, side.source)


PIECES = [
    # words, other words, times, times of the pieces
    ("l'acteur", "l' acteur", ((0, 800),), ((0, 200), (200, 800))),
    ("abc", "a b c", ((0, 100),), ((0, 33), (33, 67), (67, 100))),
    ("ab", "a b", ((0, 5),), ((0, 3), (3, 5))),  # halves up
    ("ab", "a b", ((-5, 0),), ((-5, -2), (-2, 0))),
    ("ab cd", "a b cd", ((0, 1000), (100, 200)), ((0, 100), (100, 1000), (100, 200))),  # overlap
    ("a b", "ab", ((0, 1), (5, 9)), ((0, 1), (5, 9))),
]


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
    [  # "e" stands for an accent behind its letter, "é" for one that is part of it
        ("é a", "é a", 0),
        ("é ab", "é a b", 0),
        ("e ab", "e a b", 0),
        ("e a", "é a", 1),
        ("é ab", "e a b", 1),
        ("e x é", "é x e", 2),
        ("ab e c", "a b éc", 1),
        ("xy e", "x yé", 1),
    ],
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


TIMES = ((0, 1), (1, 2), (2, 3))
DIFFERENCES = [
    (
        document("président de la Russie et de", source="a.ne"),
        document("président de la Suisse et de la", source="b.ne"),
        'show1: the words differ at word 3: reference (a.ne) "président de la [Russie] et de", '
        'hypothesis (b.ne) "président de la [Suisse] et de la"; '
        "without --tolerance or --by both sides must have the same words",
    ),
    (
        document("k l m n o p q r s t u"),
        document("kl m n o p X"),
        "show1: the words differ at word 6 (word 5 of the hypothesis): "
        'reference "… n o p [q] r s t …", hypothesis "… n o p [X]"; '
        "without --tolerance or --by both sides must have the same words",
    ),
    (
        document("a b c", TIMES),
        document("a b", TIMES[:2]),
        'show1: the words differ at word 2: reference "a b [c]", hypothesis "a b [end]"; '
        "both sides have times: a tolerance would compare them through time",
    ),
    (
        document("la Russie"),
        document("la russie"),
        'show1: the words differ at word 1: reference "la [Russie]", hypothesis "la [russie]"; '
        "they differ only in case",
    ),
    (
        document("e \u0301x"),
        document("\u00e9x"),
        'show1: the words differ at word 0: reference "[e] \u0301x", hypothesis "[\u00e9x]"; '
        "a cut stands between a letter and its combining mark",
    ),
    (
        document("la Russie", TIMES[:2]),
        document("la Suisse"),
        'show1: the words differ at word 1: reference "la [Russie]", hypothesis "la [Suisse]"; '
        "without --tolerance or --by both sides must have the same words",
    ),
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


# ----------------------------------------------------------------------------------- the times

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


# ------------------------------------------------------------------------------- real recordings

SHOWS = sorted(SPEECH.glob("*/ref/*.ne"))
needs_speech = pytest.mark.skipif(not SHOWS, reason="the speech corpus is not here")
WORDS = re.compile(r"\s*xmin = (\S+)\n\s*xmax = (\S+)\n\s*text = \"(.+)\"\n")


def ms(seconds):
    return int(Decimal(seconds) * 1000 + Decimal("0.5"))


def read_annotation(path):
    words, spans, opened = [], [], []
    for token in path.read_text(encoding="utf-8").split():
        if token.startswith("</"):
            index = opened.pop()
            spans[index] = (*spans[index], len(words))
        elif token.startswith("<"):
            opened.append(len(spans))
            spans.append((token[1:-1], len(words)))
        else:
            words.append(token)
    return Document(path.stem, tuple(words), tree(spans))


def read_text_grid(path):
    tier = path.read_text(encoding="utf-8").split('name = "words"')[1].split('name = "phones"')[0]
    return timed_document(path, [(w, ms(a), ms(b)) for a, b, w in WORDS.findall(tier)])


def read_ctm(path):
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return timed_document(
        path, [(word, ms(a), ms(Decimal(a) + Decimal(b))) for _, _, a, b, word, *_ in rows]
    )


def timed_document(path, rows):
    return Document(path.stem, tuple(r[0] for r in rows), times=tuple(r[1:] for r in rows))


def time_files(show):
    """Each annotation of a show with its time file."""
    part, name = show.parents[1], show.stem
    grid = read_text_grid(part / "align" / f"{name}.TextGrid")
    yield show, grid
    by_condition = {
        "manual": grid,
        **{c: read_ctm(part / c / f"{name}.ctm") for c in ("asr", "asr_adapted")},
    }
    for path in sorted(part.glob(f"hyp/*/*/{name}.ne")):
        yield path, by_condition[path.parent.name]


@pytest.mark.check
@needs_speech
@pytest.mark.parametrize("show", SHOWS, ids=[path.stem for path in SHOWS])
def test_real_annotations_get_the_times_of_their_files(show):
    """Each word of a recording has the time of its alignment or recogniser, however it is cut."""
    conditions = defaultdict(int)
    for path, timed in time_files(show):
        annotated = read_annotation(path)
        conditions[path.parent.name] += 1
        assert time_words(annotated, timed).times == timed.times
        capitals = Document("d", tuple(word.upper() + "!" for word in annotated.words))
        assert time_words(capitals, timed).times == timed.times
        spaced = Document("d", tuple(t for word in annotated.words for t in ("«", word, ",")))
        assert time_words(spaced, timed).times[1::3] == timed.times
        glued = Document("d", tuple(map("".join, pairs_of(annotated.words))))
        assert time_words(glued, timed).times == tuple(
            (pair[0][0], max(end for _, end in pair)) for pair in pairs_of(timed.times)
        )
    assert conditions == {"ref": 1, "manual": 3, "asr": 3, "asr_adapted": 3}


@needs_speech
@pytest.mark.parametrize("show", SHOWS, ids=[path.stem for path in SHOWS])
def test_real_elements_keep_their_text_when_cut(show):
    """Against the same recording cut otherwise, each element keeps its words."""
    reference = read_annotation(show)
    whole = tuple(map("".join, pairs_of(reference.words)))
    halves = Document(
        "d", tuple(part for w in whole for part in (w[: len(w) // 2], w[len(w) // 2 :]) if part)
    )
    ours, theirs = recut(reference, halves)
    assert ours.words == theirs.words
    assert covered(ours) == covered(reference)


@needs_speech
def test_real_annotations_of_other_recordings_are_refused():
    """The time file of one recording is not that of another, and the message says so."""
    grids = [read_text_grid(path.parents[1] / "align" / f"{path.stem}.TextGrid") for path in SHOWS]
    for show, grid in zip(SHOWS, grids[1:] + grids[:1], strict=True):
        with pytest.raises(SerevalError, match=r"annotation, word \d+: .* s: \".*\[.+\]"):
            time_words(read_annotation(show), grid)


def pairs_of(items):
    return [items[k : k + 2] for k in range(0, len(items), 2)]


@pytest.mark.parametrize("words", [("l'acteur",), ("l'", "acteur")])
def test_notes_of_both_files_are_kept(words):
    """What was skipped in the annotation and in its time file is said, in this order."""
    ours, theirs = Note("spaces merged", 1), Note("silences skipped", 2)
    annotated = Document("d", ("l'acteur",), notes=(ours,))
    timed = Document("d", words, times=((0, 10),) * len(words), notes=(theirs,))
    assert (ours, theirs) == time_words(annotated, timed).notes
