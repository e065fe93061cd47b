"""The baseline of entity recognition: entities of training data with one label, looked up."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.normalise import LETTERS, NORMALISATIONS
from sereval.analysis.baseline import EntityList
from sereval.documents.model import Document, Mention, tree

EXACT = NORMALISATIONS["exact"]


def document(words, *spans, breaks=()):
    """A document of one-letter words."""
    return Document("d", tuple(words), tree(spans), breaks=breaks)


def spans(document):
    """The elements, as plain values."""
    return [(one.label, one.start, one.end) for one in document.elements]


def found(training, words, normalise=EXACT, breaks=()):
    """What the list of some training documents finds in words."""
    known = EntityList.of(training, normalise)
    return spans(known.found_in(document(words, breaks=breaks)))


def test_longest_first():
    """The longest entity that begins at a word is taken, and the search goes on after it."""
    training = [
        document("abcbd", ("x", 0, 3)),
        document("ab", ("y", 0, 2)),
        document("d", ("z", 0, 1)),
    ]
    assert found(training, "abcabd") == [("x", 0, 3), ("y", 3, 5), ("z", 5, 6)]


def test_left_to_right():
    """An entity that begins earlier comes before a longer one that overlaps it."""
    training = [document("ab", ("x", 0, 2)), document("bcd", ("y", 0, 3))]
    assert found(training, "abcd") == [("x", 0, 2)]


def test_several_labels():
    """An entity with several labels is left out, and a shorter one with one label is found."""
    training = [
        document("ab", ("x", 0, 2)),
        document("ab", ("y", 0, 2)),
        document("a", ("z", 0, 1)),
    ]
    known = EntityList.of(training)
    assert (known.labels, known.ambiguous) == ({("a",): "z"}, 1)
    assert found(training, "ab") == [("z", 0, 1)]


def test_one_label_twice():
    """An entity that occurs twice has one label; words outside of entities do not count."""
    training = [document("aaa", ("x", 0, 1), ("x", 1, 2))]
    assert EntityList.of(training).labels == {("a",): "x"}


def test_outermost():
    """An entity is an element that no other one contains; what it contains is left aside."""
    assert found([document("ab", ("x", 0, 2), ("y", 0, 1))], "aab") == [("x", 1, 3)]


def test_case():
    """Words are compared as they are written, unless a normalisation says otherwise."""
    training = [document(["Dol", ","], ("loc", 0, 2)), document(["..."], ("mark", 0, 1))]
    assert found(training, ["dol", "Dol", ","]) == [("loc", 1, 3)]
    assert found(training, ["dol", "—", "DOL", "..."], LETTERS) == [("loc", 0, 1), ("loc", 2, 3)]


def test_utterances():
    """An entity lies inside one utterance."""
    training = [document("ab", ("x", 0, 2))]
    assert found(training, "abab", breaks=(1,)) == [("x", 2, 4)]


def test_forms_of_one_stretch():
    """Forms that come from the same words give one element."""
    pytest.importorskip("whisper_normalizer")
    english = NORMALISATIONS["whisper-english"]
    training = [Document("t", ("will", "not"), tree([("x", 0, 1), ("y", 1, 2)]))]
    assert found(training, ["won't", "not"], english) == [("x", 0, 1), ("y", 1, 2)]


def test_annotations_have_no_part():
    """Elements and mentions of the words are replaced; words, times and utterances stay."""
    times = ((0, 10), (10, 20))
    given = Document(
        "d", ("a", "b"), tree([("y", 1, 2)]), times, (1,), mentions=(Mention("m", "t"),)
    )
    result = EntityList({("a",): "x"}).found_in(given)
    assert result == Document("d", ("a", "b"), tree([("x", 0, 1)]), times, (1,))


def by_hand(labels, words):
    """The same search without indexes: all sizes at each place, the longest first."""
    elements, place = [], 0
    while place < len(words):
        sizes = range(len(words) - place, 0, -1)
        texts = [(size, tuple(words[place : place + size])) for size in sizes]
        size, text = next(((n, one) for n, one in texts if one in labels), (1, None))
        if text is not None:
            elements.append((labels[text], place, place + size))
        place += size
    return elements


TEXTS = st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple)


@given(st.dictionaries(TEXTS, st.sampled_from("xy")), st.lists(st.sampled_from("abc"), max_size=12))
def test_naive_search(labels, words):
    """The elements are those of a search through all sizes, and none overlaps another."""
    elements = spans(EntityList(labels).found_in(Document("d", tuple(words))))
    assert elements == by_hand(labels, words)
    assert all(one[2] <= other[1] for one, other in pairwise(elements))
