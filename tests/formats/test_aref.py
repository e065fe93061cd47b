"""Fuzzy references in the format of LNE's program: written, read, or refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import reference_elements, references

from sereval.documents.model import Reference, ReferenceElement
from sereval.errors import SerevalError
from sereval.formats import aref
from sereval.formats.file import File

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
        text = aref.write(reference)
    except SerevalError as error:
        refusal = str(error)
    if refusal is not None:
        assert refusal.endswith("have places in the other order only")
        return
    [(_, found)] = aref.read_aref(File("a.aref", text=text))

    assert reference == found
    assert text == aref.write(found)


@pytest.mark.check
@settings(max_examples=200)
@given(references())
def test_aref_is_readable_or_refused(reference):
    """Whatever the reference, what the format cannot hold is refused and the rest reads back."""
    try:
        text = aref.write(reference)
    except SerevalError:
        return
    [(_, found)] = aref.read_aref(File("a.aref", text=text))

    def shape(reference):
        return [(e.labels, e.starts, e.ends, e.parent) for e in reference.elements]

    assert (reference.words, shape(reference)) == (found.words, shape(found))


HERE, LATER = ReferenceElement(("a",), (0,), (1,)), ReferenceElement(("b",), (1,), (2,))


@pytest.mark.parametrize(
    ("words", "elements", "message"),
    [
        ((), (), "d: no word, expected at least one"),
        (("la Russie",), (), "d: found 'la Russie', which no aref can hold"),
        (("la\0",), (), "d: found 'la\\x00', which no aref can hold"),
        (("\ufeffla",), (), "d: found '\\ufeffla', which no aref can hold"),
        (("la",), ('a"b',), "d: found 'a\"b', which no aref can hold"),
        (("la",), ("a", "b"), "d: an element accepts a, b, expected one label"),
        (
            ("la",),
            (ReferenceElement(("a",), (0,), ()),),
            "d: a has no place, expected starts and ends",
        ),
        (
            ("la", "Russie"),
            (LATER, HERE),
            "d: elements 0 (b) and 1 (a) have places in the other order only",
        ),
    ],
)
def test_not_writable_as_aref(words, elements, message):
    """What the format cannot hold is refused, with the document's name."""
    if elements and isinstance(elements[0], str):
        elements = (ReferenceElement(elements, (0,), (1,)),)
    with pytest.raises(SerevalError) as caught:
        aref.write(Reference("d", words, elements))

    assert message == str(caught.value)
