"""Fuzzy references in the format of LNE's program: written, read, or refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import reference_elements, references

from sereval.documents.model import Reference, ReferenceElement
from sereval.errors import SerevalError
from sereval.formats.build import Notes
from sereval.formats.file import File
from sereval.formats.inline import read_aref, write_aref

PLAIN = st.sampled_from(["la", "AT&T", "</a>", "&lt;", "a>b", '"', "l'", "<annotation", "été"])


@st.composite
def plain_references(draw):
    """References that the format can hold, but for siblings whose places are in another order."""
    words = tuple(draw(st.lists(PLAIN, min_size=1, max_size=6)))
    elements, path = [], [None]
    for k in range(draw(st.integers(0, 5))):
        parent = draw(st.sampled_from(path))
        drawn = draw(reference_elements(len(words), parent))
        label = draw(PLAIN.filter(lambda label: '"' not in label))
        elements.append(ReferenceElement((label,), drawn.starts, drawn.ends, parent))
        path = [*path[: path.index(parent) + 1], k]
    return Reference("a", words, tuple(elements))


@pytest.mark.check
@settings(max_examples=300)
@given(plain_references())
def test_aref_written_and_read(reference):
    """What is written reads back to the same words and elements, and is written the same."""
    refusal = None
    try:
        text = write_aref(reference, Notes())
    except SerevalError as error:
        refusal = str(error)
    if refusal is not None:
        assert refusal.endswith("have places in the other order only")
        return
    [found] = read_aref(File("a.aref", text=text))

    assert reference == found
    assert text == write_aref(found, Notes())


@pytest.mark.check
@settings(max_examples=200)
@given(references())
def test_aref_is_readable_or_refused(reference):
    """Whatever the reference, the format refuses it, or reads back all but further labels."""
    try:
        text = write_aref(reference, Notes())
    except SerevalError:
        return
    [found] = read_aref(File("a.aref", text=text))

    def shape(reference):
        return [(e.label, e.starts, e.ends, e.parent) for e in reference.elements]

    assert (reference.words, shape(reference)) == (found.words, shape(found))
