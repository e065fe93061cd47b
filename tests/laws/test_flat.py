"""Flat data have short ways: each leads where the long one does."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sereval.errors import SerevalError
from sereval.formats.columns import read_columns
from sereval.formats.file import File

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
        found = list(read_columns(File("a.iob", text=text)))
    except SerevalError as error:
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
        patch.setattr("sereval.formats.columns._ODD", "")  # so each line seems to be
        assert taken_apart(text) == at_once
