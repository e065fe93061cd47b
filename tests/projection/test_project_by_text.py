"""Projection through an alignment by text, and what a perfect tagger would reach."""

import pytest
from aligned import annotated
from hypothesis import given
from hypothesis import strategies as st
from tables import tables

from sereval.alignment.text import align_text
from sereval.documents.model import Document, Reference, tree
from sereval.mapping.best import best_mapping, upper_bound
from sereval.measures import PAIR, Slot
from sereval.projection import project_aligned

TABLES = tables(__file__)


words = st.lists(st.sampled_from("abc"), max_size=9)


# -------------------------------------------------------------------------------- the projection


def carried(reference, hypothesis, **options):
    """An annotation carried onto the words of another by text."""
    reference, hypothesis = annotated(reference), annotated(hypothesis)
    return project_aligned(
        reference, hypothesis, align_text(reference.words, hypothesis.words), **options
    )


@pytest.mark.parametrize(
    ("reference", "hypothesis", "starts", "ends", "strict"),
    TABLES["frontiers"],
)
def test_what_a_frontier_answers_to(reference, hypothesis, starts, ends, strict):
    """Insertions and punctuation leave a frontier open, deletions do not, pairs hold it."""
    [element] = carried(reference, hypothesis).elements

    assert (starts, ends, strict) == (element.starts, element.ends, element.strict)


def test_deleted_elements_have_no_place():
    """An element whose words were all deleted is unplaceable, and the policy says what it is."""
    text, heard = "x <a> y </a> z", "x z"

    assert [lost.fate for lost in carried(text, heard).unplaceable] == ["dropped"]
    assert [lost.fate for lost in carried(text, heard, unplaceable="miss").unplaceable] == [
        "missed"
    ]
    assert carried(text, heard, tolerance=1).unplaceable == ()


@given(
    words=st.lists(st.sampled_from(["a", "b", ",", "."]), min_size=1, max_size=8), data=st.data()
)
def test_the_same_words_project_exactly(words, data):
    """On the very same words the projection is the document itself."""
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    document = Document("d", tuple(words), tree([("x", start, end)]))
    projected = project_aligned(document, document, align_text(words, words))

    assert Reference.exact(document).elements == projected.elements


# ------------------------------------------------------------------------------- the upper bound


def classes(projected, hypothesis):
    """Classes of the slots that the reference and the hypothesis have, unplaceable ones apart."""
    mapping = best_mapping(projected, hypothesis)
    found = []
    for r, h in mapping.pairs:
        one = hypothesis.elements[h]
        accepted = one.label in projected.elements[r].labels
        found.append(PAIR[accepted, mapping.placement[r] == (one.start, one.end)])
    alone = len(projected.elements) + len(hypothesis.elements) - 2 * len(found)
    return found, alone


@given(
    left=st.lists(st.sampled_from("abcde"), min_size=1, max_size=8),
    right=words,
    tolerance=st.integers(0, 1),
    data=st.data(),
)
def test_a_perfect_tagger_makes_no_error(left, right, tolerance, data):
    """The projected reference written out as a hypothesis has nothing but correct slots."""
    frontier = st.integers(0, len(left))
    a, b, c = sorted(data.draw(st.tuples(frontier, frontier, frontier)))
    spans = [("all", 0, len(left)), ("one", a, b), ("two", b, c)]
    reference = Document("d", tuple(left), tree([span for span in spans if span[1] < span[2]]))
    projected = project_aligned(
        reference, Document("d", tuple(right)), align_text(left, right), tolerance=tolerance
    )
    perfect = upper_bound(projected)
    found, alone = classes(projected, perfect)

    assert [Slot.CORRECT] * len(projected.elements) == found
    assert alone == 0
    assert [e.parent for e in projected.elements] == [e.parent for e in perfect.elements]


# ------------------------------------------------------------------------------------ real corpora
