"""What becomes of labels before anything is projected: maps, what is counted, levels."""

import re
from dataclasses import replace

import pytest
import strategies
from hypothesis import assume, given
from hypothesis import strategies as st

from sereval import Document, Reference, ReferenceElement, evaluate, tree
from sereval.documents.model import Note, Unplaceable
from sereval.formats import inline
from sereval.formats.file import File
from sereval.labels import LabelMap, Labels

DOTTED = ["loc", "loc.adm", "loc.adm.town", "loc.adm.nat", "org", "pers.ind"]
WORDS = tuple("abcdef")


def document(*spans, words=WORDS):
    return Document("d", words, tree(spans))


def table(labels):
    """Tables of a map: each label stays, is removed, or becomes a label that is not renamed."""
    return st.dictionaries(
        st.sampled_from(labels), st.none() | st.sampled_from(["new", "other"]), max_size=4
    )


@st.composite
def dotted(draw):
    """A reference and a hypothesis on the same words, with labels that have a hierarchy."""
    sides = draw(strategies.same_words())
    names = st.sampled_from(DOTTED)
    return tuple(
        replace(side, elements=tuple(replace(e, label=draw(names)) for e in side.elements))
        for side in sides
    )


def counts(references, hypotheses, **given):
    return evaluate(references, hypotheses, **given).labels


def applied(labels, references, hypotheses):
    """Both sides with changed labels."""
    return (
        [labels.relabel(one) for one in references],
        [labels.relabel(one, "hypothesis") for one in hypotheses],
    )


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.check
@given(strategies.scorings())
def test_asking_for_nothing_changes_nothing(scoring):
    """The identity map, all labels, and a level deeper than any leave every count as it is."""
    expected = scoring.run().labels
    every = {label: label for label in strategies.LABELS}
    known = LabelMap(every, every, frozenset(every))
    for labels in (Labels(known), Labels(level=9), Labels(known, tuple(every), 9)):
        sides = applied(labels, scoring.references, scoring.hypotheses)
        assert expected == scoring.run(references=sides[0], hypotheses=sides[1]).labels
        assert [(), ()] == [tuple(n for d in side for n in d.notes) for side in sides]


@pytest.mark.check
@given(dotted(), st.integers(1, 4), st.integers(1, 4))
def test_levels_go_together(pair, level, other):
    """A level after another is the higher of the two."""
    for side in pair:
        twice = Labels(level=other).relabel(Labels(level=level).relabel(side))
        assert Labels(level=min(level, other)).relabel(side) == twice


def written(document):
    """Inline annotation of a document, made tag by tag."""
    text, opened = [], []

    def close(until):
        while opened and opened[-1].end <= until:
            text.append(f"</{opened.pop().label}>")

    elements = list(document.elements)
    for k, word in enumerate(document.words):
        close(k)
        while elements and elements[0].start == k:
            opened.append(elements.pop(0))
            text.append(f"<{opened[-1].label}>")
        text.append(word)
    close(len(document.words))
    return " ".join(text)


def as_written(text):
    [found] = inline.read_inline(File("d.ne", text=text))
    return found


@pytest.mark.check
@given(strategies.same_words(), table(strategies.LABELS), table(strategies.LABELS))
def test_a_map_is_what_an_editor_would_do(pair, ours, theirs):
    """The score is that of files in which the tags were renamed and taken out by hand."""
    assume(all(side.words for side in pair))
    texts = []
    for side, names in zip(pair, (ours, theirs), strict=True):
        text = written(side)
        for old, new in names.items():
            text = re.sub(f"<(/?){old}>", f"<\\1{new}>" if new else "", text)
        texts.append(as_written(text))
    known = frozenset(strategies.LABELS)
    labels = Labels(LabelMap(ours, theirs, known))
    expected = counts([texts[0]], [texts[1]])
    assert expected == counts([pair[0]], [pair[1]], labels=labels)
    assert expected == counts(*applied(labels, [pair[0]], [pair[1]]))


@pytest.mark.check
@given(strategies.same_words())
def test_outermost_elements_are_those_of_files_without_the_others(pair):
    """The score is that of documents in which no element is inside another."""
    sides = [
        replace(one, elements=tuple(e for e in one.elements if e.parent is None)) for one in pair
    ]
    labels = Labels(only=("outermost",))
    assert counts([sides[0]], [sides[1]]) == counts([pair[0]], [pair[1]], labels=labels)
    of_reference = labels.relabel(Reference.exact(pair[0]))
    assert of_reference.elements == Reference.exact(sides[0]).elements


@pytest.mark.check
@given(strategies.same_words(), table(strategies.LABELS))
def test_exact_references_are_like_documents(pair, names):
    """A document as a reference, relabelled, is the relabelled document as a reference."""
    labels = Labels(LabelMap(names, names, frozenset(strategies.LABELS)))
    of_reference = labels.relabel(Reference.exact(pair[0]))
    of_document = labels.relabel(pair[0])
    assert Reference.exact(of_document) == of_reference


@pytest.mark.check
@given(strategies.fuzzy(), table(strategies.LABELS))
def test_fuzzy_references_stay_trees(pair, names):
    """What is left has its ancestors that are left, in order, and nothing else has moved."""
    labels = Labels(LabelMap(names, names, frozenset(strategies.LABELS)))
    found = labels.relabel(pair[0])
    left = [
        r
        for r, element in enumerate(pair[0].elements)
        if any(names.get(label, label) is not None for label in element.labels)
    ]
    above = [strategies.ancestors(pair[0].elements, r) for r in left]
    assert [[left.index(a) for a in those if a in left] for those in above] == [
        strategies.ancestors(found.elements, k) for k in range(len(left))
    ]
    assert [(pair[0].elements[r].starts, pair[0].elements[r].ends) for r in left] == [
        (element.starts, element.ends) for element in found.elements
    ]


# --- worked cases --------------------------------------------------------------------------------


# --- the command line ----------------------------------------------------------------------------


def test_merged_references():
    """An element of several labels stays while one is left; what went into it goes with it."""
    both = ReferenceElement(("a", "b"), (0,), (1,))
    lost = Unplaceable(ReferenceElement(("b",), (0,), ()), "merged", 0)
    reference = Reference("d", ("w",), (both,), (lost,))
    found = Labels(LabelMap({"a": None, "b": "c"})).relabel(reference)
    assert [("c",)] == [element.labels for element in found.elements]
    assert [(("c",), 0)] == [(one.element.labels, one.into) for one in found.unplaceable]
    found = Labels(LabelMap({"a": None, "b": None})).relabel(reference)
    assert ((), ()) == (found.elements, found.unplaceable)
    assert (Note("elements removed by the map", 2),) == found.notes
