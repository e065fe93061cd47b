"""Flat data have short ways: each leads where the long one does."""

import random
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import seeded_forest, seeded_fuzzy, seeded_hypothesis

from sereval.documents import model
from sereval.documents.model import Document, Element, Reference
from sereval.documents.tags import Tags, foreign, misplaced, plain_phrases
from sereval.errors import InputError, SerevalError
from sereval.formats.columns import _Table, read_columns
from sereval.formats.file import File
from sereval.mapping.clusters import clusters

WORDS = tuple("abcdefghijklmnopqrst")

CELLS = st.sampled_from(["à", "Dol", "O", "B-LOC", "-DOCSTART-", "#"])
BLANKS = st.sampled_from([" ", " ", " ", "\t", "  ", "\xa0"])


@st.composite
def columns(draw):
    """Text that is mostly columns of one width."""
    width = draw(st.integers(1, 3))
    rows = st.one_of(
        *[st.lists(CELLS, min_size=width, max_size=width)] * 6,
        st.just([]),
        st.lists(CELLS, max_size=3),
    )
    lines = [draw(BLANKS).join(row) for row in draw(st.lists(rows, max_size=12))]
    return draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines) + draw(
        st.sampled_from(["", "\n", "\n\n", " \n"])
    )


def taken_apart(text):
    """The documents of a file with the lines of their elements, or what is wrong with it."""
    try:
        found = [one for _, one in read_columns(File("a.iob", text=text))]
    except InputError as error:
        return str(error)
    return [(one, one.notes, [element.line for element in one.elements]) for one in found]


@given(columns())
@example("a O\nb O\n\nc O d\ne\n")
@example("-DOCSTART- O\n\na O\n-DOCSTART- O\nb O\n")
@example("a O\n b\nc d O\n")
@example("a  O\nb c O\nd\n")
@example("a O\n\nb\tO\n")
def test_blocks_of_lines_are_read_as_lines(text):
    """What is taken at once is what line by line is found, and so is what is wrong."""
    at_once = taken_apart(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Table, "_fill_at_once", lambda *_: False)
        assert taken_apart(text) == at_once


LONG = "".join(f"word{k % 97} B-X{k % 7}\n" for k in range(9_000))


@pytest.mark.parametrize("end", ["", "last", "last O X", "last  O", "-DOCSTART- O", "\tlast O"])
@pytest.mark.parametrize("lines", [0, 3_000, 9_000])
def test_a_long_block_is_read_as_lines(end, lines):
    """So is a block that is split piece by piece; the first line that is wrong may be in any."""
    kept = "".join(LONG.splitlines(keepends=True)[:lines])
    text = f"{kept}{end}\n{LONG}"
    at_once = taken_apart(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Table, "_fill_at_once", lambda *_: False)
        assert taken_apart(text) == at_once


TAGS = ["O", "O", "B-X", "I-X", "B-Y", "I-Y", "B--X", "I--X", "B-", "I-", "BX", "S-X", "O-X", "-"]


@given(
    st.lists(st.sampled_from(TAGS[:6]) | st.sampled_from(TAGS), max_size=9),
    st.sets(st.integers(1, 8), max_size=2),
)
@example(["B-X", "I-X", "B-X", "O", "B-Y", "I-Y"], {4})
@example(["B-X", "I-X", "I-X"], {2})
@example(["B-X", "O", "I-X"], set())
@example(["S-X"], set())
@example(["B-"], set())
def test_phrases_of_plain_tags_are_phrases(tags, parted):
    """Where all tags are of IOB2 and in place, the short way leads to the same phrases."""
    breaks = tuple(sorted(k for k in parted if k < len(tags)))
    is_plain = foreign(tags, "iob2") is None and not misplaced(tags, breaks, "iob2")
    expected = Tags(tuple(tags), breaks).phrases if is_plain else None
    assert expected == plain_phrases(tags, breaks)


@pytest.mark.parametrize("near", [0, 1])
@pytest.mark.parametrize("seed", range(60))
def test_clusters_of_two_elements_are_clusters(seed, near):
    """The short way to a cluster of one element of either side gives what the long one gives."""
    rng = random.Random(f"{seed} {near}")
    reference = seeded_fuzzy(rng, 20, 8, near)
    hypothesis = seeded_hypothesis(rng, reference, 8)
    long_way = clusters(reference, hypothesis, frozenset({"no label of theirs"}))
    assert list(long_way) == list(clusters(reference, hypothesis))


@pytest.mark.parametrize("seed", range(30))
def test_a_document_is_a_reference(seed):
    """The reference that is a document is one that could be made with all checks."""
    elements = seeded_forest(random.Random(seed), len(WORDS), 8)
    times = tuple((100 * k, 100 * k + 50) for k in range(len(WORDS)))
    exact = Reference.exact(Document("d", WORDS, elements, times, source="d.iob"))
    checked = replace(exact)
    assert repr(checked) == repr(exact)
    assert checked == exact
    assert [e.source for e in checked.elements] == [*range(len(elements))]
    assert ("d.iob", (), 0) == (exact.source, exact.notes, exact.slack)


ODD = st.one_of(st.integers(-1, 6), st.just(True), st.just(1.0))
ELEMENTS = st.builds(Element, st.sampled_from(["a", "b", "", None]), ODD, ODD, st.none())


@given(st.lists(ELEMENTS, max_size=4))
@example([Element("a", 0, 2), Element("a", 2, 5)])
@example([Element("a", 0, 2), Element("a", 1, 5)])
def test_elements_side_by_side_are_checked(elements):
    """A document with elements at the top takes and refuses what it would one by one."""

    def made():
        try:
            return Document("d", WORDS[:5], tuple(elements))
        except SerevalError as error:
            return str(error)

    at_once = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "_are_side_by_side", lambda *_: False)
        assert made() == at_once
