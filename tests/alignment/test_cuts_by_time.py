"""Texts are cut where equal words were said together: the alignment is that of the whole text."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sereval import ByWords, Document
from sereval.alignment import cheapest
from sereval.alignment.blocks import (
    CORRECT,
    PUNCTUATION,
    SCLITE,
    SUBSTITUTION,
    TIES,
    UNIT,
    WordAlignment,
)
from sereval.alignment.cheapest import Pieces
from sereval.alignment.normalise import NORMALISATIONS, Forms, Normalisation
from sereval.alignment.text import align_text
from sereval.alignment.words import cuts_by_time, operations_by_time
from sereval.errors import SerevalError

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


@given(recognised())
def test_cuts_are_around_runs_of_equal_words(sides):
    """Cuts decrease on neither side, and an alignment of the pieces has every pair of each run."""
    said, heard, times = sides
    cuts = cuts_by_time(said, heard, times)

    assert all(i <= j and k <= m for (i, k), (j, m) in pairwise(cuts))
    for ties in TIES:
        assert runs_of(sides) <= pairs_of(align_text(said, heard, ties=ties, at=cuts))
    assert bool(runs_of(sides)) == bool(cuts)


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


@given(recognised(), st.sampled_from(["whisper-english", "caseless", "exact"]))
def test_cuts_of_rewritten_words(sides, name):
    """In every form of the words the alignment tiles both sides, and the slack is exact."""
    said, heard, times = sides
    form = NORMALISATIONS[name]
    whole = align_text(said, heard, normalise=form)
    found = align_text(said, heard, normalise=form, at=cuts_by_time(said, heard, times, form))

    assert (len(said), len(heard)) == found.lengths
    assert whole.cost == found.cost - found.slack


@given(recognised())
def test_long_pieces_are_cut_further(sides):
    """Pieces between cuts by time are cut at runs of equal words if they are long."""
    said, heard, times = sides
    at = cuts_by_time(said, heard, times)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cheapest, "PIECES", Pieces(4, 2, 3))
        found = align_text(said, heard, at=at)

    assert align_text(said, heard).cost == found.cost - found.slack


@pytest.mark.check
@settings(max_examples=60)
@given(sides=recognised())
def test_cuts_by_sound(sides):
    """By sound, the pairs of all runs are aligned; the slack is exact."""
    for package in ("espeakng_loader", "panphon", "phonemizer"):
        pytest.importorskip(package)
    from sereval.alignment.phones import align_phones

    said, heard, times = sides
    at = cuts_by_time(said, heard, times)
    whole, found = align_phones(said, heard), align_phones(said, heard, at=at)

    assert whole.cost == found.cost - found.slack
    assert runs_of(sides) <= pairs_of(found)
    right = whole.counts[CORRECT] + whole.counts[PUNCTUATION]
    if len(said) == len(heard) == right == sum(whole.counts.values()):
        assert (whole.blocks, whole.otherwise) == (found.blocks, found.otherwise)


def timed(size):
    """The times of words that follow each other."""
    return [(k, k + 1) for k in range(size)]


def test_cuts_are_frontiers_of_documents():
    """Punctuation beside a run belongs to the pieces ahead of it; forms decide what is equal."""
    said, heard = ["—", "New", "York", "desk", ",", "a"], ["new", "york", "desk", "the"]
    times = timed(6), timed(5)[1:]

    assert [(1, 0), (5, 3)] == cuts_by_time(said, heard, times)
    assert [] == cuts_by_time(said, heard, times, NORMALISATIONS["exact"])


def test_no_cut_is_inside_a_word():
    """Where a normalisation makes several forms of a word, a run may begin or end inside it."""

    def rewrite(words):
        forms = [(form, (k, k + 1)) for k, word in enumerate(words) for form in word.split("-")]
        return Forms([form for form, _ in forms], [span for _, span in forms])

    split = Normalisation("split", str, rewrite)
    said, heard = ["x-a", "b", "c", "d-y"], ["u", "a", "b", "c", "d", "v"]
    times = [(0, 2), (2, 3), (3, 4), (4, 6)], timed(6)

    found = operations_by_time(said, heard, times, split)
    assert (4, 2) == (found.counts[CORRECT], found.counts[SUBSTITUTION])
    assert [] == cuts_by_time(said, heard, times, split)
    assert [] == cuts_by_time(heard, said, times[::-1], split)


def test_a_repeated_phrase_is_aligned_where_it_was_said():
    """The text pairs the second of two equal phrases; the times pair the one that was said."""
    words = ["the", "New", "York", "desk"]
    said = Document("d", (*words, *words), times=tuple((k, k + 1) for k in range(8)))
    late = Document("d", tuple(words), times=said.times[4:])
    early = Document("d", tuple(words), times=said.times[:4])

    found = [
        [ByWords(cut=cut).align_documents(said, heard).words_of(k) for k in (0, 4)]
        for cut in ("words", "times")
        for heard in (early, late)
    ]

    second = [(0, 0), (0, 1)]
    assert [second, second, [(0, 1), (4, 4)], second] == found


def test_settings_say_how_texts_are_cut(monkeypatch):
    """Signatures have ``cut`` where it is asked for; words are compared in the forms asked for."""
    times = ((0, 1), (1, 2), (2, 3))
    said = Document("d", ("a", "b", "c"), times=times)
    heard = Document("d", ("A", "B", "C"), times=times)
    exact = ByWords(cut="times", normalise=NORMALISATIONS["exact"])
    found = ByWords(cut="times").align_documents(said, heard)

    assert "by:text|weights:sclite|cut:times" == str(ByWords(cut="times").alignment)
    assert "by:text|weights:sclite" == str(ByWords().alignment)
    assert "by:text weights:sclite cut:times" == found.how
    assert (0, 12) == (found.cost, exact.align_documents(said, heard).cost)
    given = []
    monkeypatch.setattr(
        "sereval.alignment.phones.align_phones",
        lambda *_, at: given.append(at) or WordAlignment((), 0),
    )
    ByWords("phones", cut="times").align_documents(said, heard)
    assert [[(0, 0), (3, 3)]] == given
    monkeypatch.setattr(
        "sereval.alignment.words.cuts_by_time", lambda *asked: given.append(asked[-1]) or []
    )
    exact.align_documents(said, heard)
    assert given[-1] is NORMALISATIONS["exact"]


@pytest.mark.parametrize(("side", "name"), [(0, "reference"), (1, "hypothesis")])
def test_both_sides_need_times(side, name):
    """A side without times is named; a side without words needs none."""
    timed, other = Document("d", ("a",), times=((0, 1),)), Document("d", ("a",))
    pair = [timed, timed]
    pair[side] = other
    expected = (
        f"d: the {name} has no times, expected them for --cut times, from --align and --words"
    )

    with pytest.raises(SerevalError, match=f"^{expected}$"):
        ByWords(cut="times").align_documents(*pair)
    pair[side] = Document("d", ())
    assert 3 == ByWords(cut="times").align_documents(*pair).cost
