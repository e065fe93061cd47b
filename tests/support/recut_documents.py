"""Documents on one text that is cut in two ways, and their times."""

from itertools import pairwise

from hypothesis import strategies as st

from sereval.documents.model import Document, tree

TIMES = ((0, 1), (1, 2), (2, 3))


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


def document(text, times=None, **more):
    return Document("show1", tuple(text.split()), times=times, **more)


def shifted(side, shift):
    if side.times is None:
        return side
    times = tuple((start + shift, end + shift) for start, end in side.times)
    return Document(side.id, side.words, side.elements, times, side.breaks, side.source)


def covered(document):
    """What is below each element, with what is ahead of it."""
    words = document.words
    return [
        (e.label, e.parent, "".join(words[: e.start]), "".join(words[e.start : e.end]))
        for e in document.elements
    ]
