"""A value that exists is valid: what is none is refused, and the message says where and why."""

import itertools
import random

import pytest
from strategies import without_crossings
from tables import tables

from sereval.documents.model import (
    Document,
    Element,
    Reference,
    ReferenceElement,
    Unplaceable,
    tree,
)
from sereval.errors import SerevalError

TABLES = tables(__file__)

WORDS = tuple("abcd")


def element(label="x", starts=(0,), ends=(1,), parent=None, strict=None):
    return ReferenceElement((label,), starts, ends, parent, strict)


def message_of(make):
    """What is said of something that is refused."""
    with pytest.raises(SerevalError) as error:
        make()
    return str(error.value)


# --- documents -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("elements", "message"),
    TABLES["no_forest"],
)
def test_what_is_no_forest_is_no_document(elements, message):
    """Document order, nesting, siblings apart, nothing empty, nothing outside the words."""
    forest = tuple(itertools.starmap(Element, elements))
    assert message_of(lambda: Document("d", WORDS, forest)) == f"d: {message}"


@pytest.mark.parametrize(
    ("times", "message"),
    [*TABLES["times"], ({(0, 1): 1, (1, 2): 2}, "times in a dict, expected a tuple")],
)
def test_times_are_in_order(times, message):
    """As many as words, by their starts, none that ends before it starts."""
    assert message_of(lambda: Document("d", ("a", "b"), (), times)) == f"d: {message}"
    assert message_of(lambda: Reference("d", ("a", "b"), times=times)) == f"d: {message}"


def test_a_forest_as_a_graph():
    """A node for each element with its words, and its times if there are any."""
    forest = tree([("a", 0, 3), ("b", 1, 3)])
    graph = Document("show", WORDS, forest).to_networkx()
    assert graph.graph == {"id": "show"}
    assert list(graph.edges) == [(0, 1)]
    assert dict(graph.nodes(data=True)) == {
        0: {"label": "a", "start": 0, "end": 3, "words": ("a", "b", "c")},
        1: {"label": "b", "start": 1, "end": 3, "words": ("b", "c")},
    }
    times = ((0, 1), (10, 20), (30, 40), (50, 60))
    graph = Document("show", WORDS, forest, times).to_networkx()
    assert [(n["start_ms"], n["end_ms"]) for _, n in graph.nodes(data=True)] == [(0, 40), (10, 40)]


# --- references ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (ReferenceElement([], (0,), (1,)), "a reference element has no label"),
        (ReferenceElement((), (0,), (1,)), "a reference element has no label"),
        (ReferenceElement(["a"], (0,), (1,)), "a reference element has no label"),
        (ReferenceElement(("a", ""), (0,), (1,)), "a reference element has no label"),
        (ReferenceElement(("a", "b", "a"), (0,), (1,)), "a label of a, b, a stands twice"),
        (element(starts=(4,)), "x can start at 4, expected frontiers from 0 to 3 that increase"),
        (element(starts=(-1,)), "x can start at -1, expected frontiers from 0 to 3 that increase"),
        (element(ends=(0,)), "x can end at 0, expected frontiers from 1 to 4 that increase"),
        (element(ends=(5,)), "x can end at 5, expected frontiers from 1 to 4 that increase"),
        (element(starts=(1, 0)), "x can start at 0, expected frontiers from 0 to 3 that increase"),
        (element(ends=(1, 1)), "x can end at 1, expected frontiers from 1 to 4 that increase"),
        (element(strict=(0, 1.0)), "x has the strict frontiers [0, 1.0], expected two from 0 to 4"),
        (element(strict=(0,)), "x has the strict frontiers [0], expected two from 0 to 4"),
        (element(strict=(-1, 1)), "x has the strict frontiers [-1, 1], expected two from 0 to 4"),
        (element(strict=(0, 5)), "x has the strict frontiers [0, 5], expected two from 0 to 4"),
    ],
)
def test_what_is_no_element_of_a_reference(one, message):
    """Labels, candidates and strict frontiers of elements, placed or not."""
    expected = f"d: {message}"
    for make in (
        lambda: Reference("d", WORDS, (one,)),
        lambda: Reference("d", WORDS, (), (Unplaceable(one, "dropped"),)),
    ):
        assert message_of(make)[: len(expected)] == expected


# --- notes ---------------------------------------------------------------------------------------


# --- trees ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_a_tree_is_what_its_spans_say(seed):
    """Whatever their order: the parent of each is the smallest of those around it."""
    rng = random.Random(f"tree-{seed}")
    spans = []
    for _ in range(8):
        start = rng.randrange(6)
        spans.append((f"l{len(spans)}", start, rng.randint(start + 1, 7)))
    spans = without_crossings(spans)
    rng.shuffle(spans)
    order = sorted(range(len(spans)), key=lambda k: (spans[k][1], -spans[k][2], k))
    found = tree((*span, None, 7) for span in spans)
    assert [(e.label, e.start, e.end) for e in found] == [spans[k] for k in order]
    assert {e.line for e in found} <= {7}
    for place, one in enumerate(found):
        around = [k for k, e in enumerate(found[:place]) if e.start <= one.start < one.end <= e.end]
        assert one.parent == (around[-1] if around else None)
    assert tree([(e.label, e.start, e.end, e.parent) for e in found]) == found
