"""``sereval show``: what is drawn is what the document holds, however it is cut into lines."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import forests, fuzzy

from sereval.documents.model import Document
from sereval.render.report import Look, size
from sereval.report import show


def drawn(*documents, labels=(), width=100):
    """The lines of a drawing."""
    return show.report_of(documents, labels).lines(Look(width=width)).splitlines()


WORDS = st.lists(st.sampled_from(["a", "Benoît", "日本", "e\u0301", "x" * 30]), max_size=12)


@pytest.mark.check
@given(st.data(), WORDS, st.integers(40, 60))
def test_nothing_is_lost(data, words, width):
    """Each word and each element is drawn once, in lines that fit, whatever the width."""
    elements = data.draw(forests(len(words)))
    document = Document("d", tuple(words), elements)
    lines = drawn(document, width=width)
    shown = [word for line in lines[1:] for word in line.split() if not re.match(r"[\d─\[…]", word)]
    opened = [name for line in lines[1:] for name in re.findall(r"\[([^─\]…]+)", line)]

    assert all(size(line) <= width for line in lines)
    assert [word if size(word) < 25 else word[:23] + "…" for word in words] == shown
    assert sorted(element.label for element in elements) == sorted(opened)


@pytest.mark.check
@given(fuzzy())
def test_any_fuzzy_reference_is_drawn(pair):
    """Whatever its candidates, a fuzzy reference is drawn or its elements are without a place."""
    reference, _ = pair
    assume(reference.words)
    lines = drawn(reference)

    assert lines[0].startswith(f"{reference.id}  ")
    lost = [line for line in lines if line.startswith("no place for")]
    opened = [name for line in lines for name in re.findall(r"\[([^─\]…·<>| ]+)[^\[\]]*\]", line)]
    assert len(reference.elements) <= len(lost) + len(opened)
