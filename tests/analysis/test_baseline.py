"""The baseline of entity recognition: entities of training data with one label, looked up."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sereval.analysis.baseline import EntityList
from sereval.documents.model import Document, tree


def document(words, *spans, breaks=()):
    """A document of one-letter words."""
    return Document("d", tuple(words), tree(spans), breaks=breaks)


def spans(document):
    """The elements, as plain values."""
    return [(one.label, one.start, one.end) for one in document.elements]


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
