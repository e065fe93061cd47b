"""The definition of the score: projection through time, worked by hand (sections 4 and 5)."""

import pytest
from tables import tables
from worked import answers, el, fuzzy, on_words, scored, tally

from sereval.documents.model import Document, Reference, tree
from sereval.formats.build import milliseconds
from sereval.projection import Frontiers, place, project, walk

TABLES = tables(__file__)

# --- section 4 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "ms"),
    [("0.0005", 1), ("0.0004999", 0), ("1.2345", 1235), ("0.3", 300), ("2", 2000), ("1e-3", 1)],
)
def test_times_round_halves_up(seconds, ms):
    """Seconds become milliseconds as the decimal written, halves up."""
    assert milliseconds(seconds) == ms


OVERLAPPING = [(0, 1000), (100, 200), (300, 400)]
EMPTY = [(0, 100), (100, 100), (100, 200)]
STRICT = {  # times of words, and the strict frontier at each of some times
    "after the words whose middle is before the time, not at it": (
        [(0, 100), (100, 200), (200, 301)],
        {0: 0, 50: 0, 51: 1, 150: 1, 151: 2, 250: 2, 251: 3, 900: 3},
    ),
    "a word counts as no earlier than the longest one before it": (
        OVERLAPPING,
        {150: 0, 350: 0, 500: 0, 501: 3},
    ),
    "a word without duration is before any later time, not before its own": (
        EMPTY,
        {100: 1, 101: 2, 150: 2, 151: 3},
    ),
    "frontiers 0 and n are strict ones": ([(100, 200), (200, 300)], {0: 0, 900: 2}),
}


@pytest.mark.parametrize(("times", "expected"), STRICT.values(), ids=STRICT)
def test_word_is_where_its_middle_lies(times, expected):
    """The strict frontier goes by the middles of words, which never decrease."""
    assert expected == {time: Frontiers(times).strict(time) for time in expected}


@pytest.mark.parametrize(
    ("times", "side", "time", "tolerance", "expected"),
    TABLES["candidates"],
)
def test_candidates_are_within_the_tolerance(times, side, time, tolerance, expected):
    """Words that begin or end near enough, inclusive, and the strict frontier if it may be."""
    assert expected == Frontiers(times).near(side, time, tolerance)


def test_two_tolerances():
    """Starts and ends may have a tolerance each."""
    document = on_words("x y z", ("a", 1, 2), times=((0, 100), (100, 200), (200, 300)))
    [element] = project(document, replace_elements(document), tolerance=(0.1, 0)).elements
    assert (element.starts, element.ends) == ((0, 1, 2), (2,))
    [element] = project(document, replace_elements(document), tolerance=(0, 0.1)).elements
    assert (element.starts, element.ends) == ((1,), (1, 2, 3))


def replace_elements(document: Document, *spans) -> Document:
    """The words and times of a document, with other elements."""
    return Document(document.id, document.words, tree(spans), document.times)


def test_time_of_an_element_is_that_of_its_outer_words():
    """From the start of its first word to the end of its last, even if one inside ends later."""
    document = on_words("x y z", ("a", 0, 2), times=((0, 500), (100, 200), (600, 700)))
    words = Document("d", tuple("pqr"), (), ((0, 100), (100, 200), (200, 500)))
    [element] = project(document, words, tolerance=0).elements
    assert (element.starts, element.ends, element.strict) == ((0,), (2,), (0, 2))


# --- section 5 -----------------------------------------------------------------------------------


WALKS = {  # elements, where they are placed, and which are not though they have candidates
    "who cannot end leaves the floor as it was before it opened": (
        [el("a", (1,), ()), el("b", (0,), (1,))],
        {1: (0, 1)},
        [0],
    ),
    "who cannot end, with a descendant that can, leaves the floor where it is": (
        [el("a", (1,), ()), el("b", (1,), (2,), 0), el("c", (0, 2), (1, 3))],
        {1: (1, 2), 2: (2, 3)},
        [0],
    ),
    "who has no start does not move the floor, and its children go on": (
        [el("a", (), (3,)), el("b", (0,), (1,), 0), el("c", (1,), (2,))],
        {1: (0, 1), 2: (1, 2)},
        [0],
    ),
    "from left to right: one early element can cost two later ones their place": (
        [el("a", (0,), (3,)), el("b", (0,), (1,)), el("c", (1,), (3,))],
        {0: (0, 3)},
        [1, 2],
    ),
    "an end is beyond its element's start and not before what was closed inside": (
        [el("a", (0,), (1, 2, 3)), el("b", (0, 1), (1, 2), 0), el("c", (1,), (2,), 0)],
        {0: (0, 2), 1: (0, 1), 2: (1, 2)},
        [],
    ),
}


@pytest.mark.parametrize(("elements", "spans", "lost"), WALKS.values(), ids=WALKS)
def test_walk(elements, spans, lost):
    """Each tag takes its smallest candidate that the floor leaves it."""
    walked = walk(elements)
    assert (walked.spans, list(walked.blockers)) == (spans, lost)


def test_remaining_parent():
    """The children of an unplaceable element become those of the nearest placed ancestor."""
    reference = place(
        fuzzy(
            3,
            el("a", (0,), (3,)),
            el("b", (), (3,), 0),
            el("c", (), (3,), 1),
            el("d", (0,), (1,), 2),
        )
    )
    assert [(e.label, e.parent) for e in reference.elements] == [("a", None), ("d", 0)]
    assert [(x.element.label, x.element.parent) for x in reference.unplaceable] == [
        ("b", 0),
        ("c", 0),
    ]
    [top] = place(fuzzy(1, el("a", (), (1,)), el("b", (0,), (1,), 0))).elements
    assert top.parent is None


def test_rule_3_asks_for_remaining_parents():
    """An ancestor that was taken out still leaves those above it as ancestors."""
    reference = fuzzy(1, el("a", (0,), (1,)), el("x", (), (1,), 0), el("b", (0,), (1,), 1))
    hypothesis = answers(1, ("b", 0, 1), ("a", 0, 1))
    assert scored(reference, hypothesis) == tally(S_T=2, hyp=2, exact=2, unplaceable=1)


def heard(*times) -> Document:
    """The recogniser's words."""
    return Document("d", tuple(f"h{k}" for k in range(len(times))), (), times)


def merged(reference: Document, words: Document, tolerance=0) -> Reference:
    """The reference carried onto the words, what has no place merged."""
    return project(reference, words, tolerance=tolerance, unplaceable="merge")


THREE = on_words(
    "p q r", ("a", 0, 1), ("x", 1, 2), ("b", 2, 3), times=((0, 100), (100, 200), (200, 300))
)
NESTED_TIMES = (0, 60), (45, 60), (60, 200)
FAR = (0, 100), (100, 200)  # of which the second shares more time with p below
MERGES = {  # annotation, times of the words, fates, and the elements that remain
    "the host has both labels, and the candidates and the strict frontiers of both": (
        on_words("p q", ("a", 0, 1), ("x", 1, 2), times=((0, 60), (45, 200))),
        FAR,
        [("x", "merged", 0)],
        (el("ax", (0,), (1, 2), strict=(0, 2)),),
    ),
    "of the strict frontiers the smaller start and the larger end": (
        on_words("p q", ("x", 0, 1), ("a", 1, 2), times=((0, 30), (60, 180))),
        ((0, 100), (20, 180)),
        [("x", "merged", 0)],
        (el("ax", (0, 1), (2,), strict=(0, 2)),),
    ),
    "of two siblings the second, whose words share more of the time": (
        THREE, ((0, 140), (140, 300)), [("x", "merged", 1)], None,
    ),
    "of two siblings the first, whose words share more of the time": (
        THREE, ((0, 160), (160, 300)), [("x", "merged", 0)], None,
    ),
    "of two that share as much the first in document order": (
        THREE, ((0, 150), (150, 300)), [("x", "merged", 0)], None,
    ),
    "a host that shares no time is none": (
        on_words("p q", ("x", 0, 1), ("b", 1, 2), times=((0, 100), (200, 300))),
        ((200, 300),),
        [("x", "dropped", None)],
        (el("b", (0,), (1,), strict=(0, 1)),),
    ),
    "nor is an element with a placed component, nor the component": (
        on_words("x y", ("a", 0, 1), ("p", 1, 2), ("c", 1, 2), times=((0, 100), (100, 300))),
        ((0, 300),),
        [("a", "dropped", None)],
        None,
    ),
    "which without its component is one": (
        on_words("x y", ("a", 0, 1), ("p", 1, 2), times=((0, 100), (100, 300))),
        ((0, 300),),
        [("a", "merged", 0)],
        None,
    ),
    "what is inside an element goes up when it is taken out, and is not its host": (
        on_words("x y z", ("p", 1, 3), ("c", 2, 3), ("a", 0, 1), times=NESTED_TIMES),
        FAR,
        [("p", "merged", 0)],
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("annotated", "times", "fates", "elements"), MERGES.values(), ids=MERGES)
def test_merge(annotated, times, fates, elements):
    """What has no place goes into the element that shares most time with it, if one may."""
    result = merged(annotated, heard(*times))
    assert fates == [(x.element.label, x.fate, x.into) for x in result.unplaceable]
    assert elements is None or elements == result.elements


def test_what_is_inside_goes_up():
    """The labels and parents after a merge: a stands in p, and c no longer does."""
    whole = on_words("x y z", ("a", 0, 1), ("p", 1, 3), ("c", 2, 3), times=NESTED_TIMES)
    result = merged(whole, heard(*FAR))
    assert [(e.labels, e.parent) for e in result.elements] == [(("a", "p"), None), (("c",), None)]


def test_merge_several_into_one():
    """Any number of elements may be merged into one, and Ref counts one."""
    times = (0, 20), (20, 80), (80, 100)
    reference = on_words("x y z", ("a", 0, 1), ("b", 1, 2), ("c", 2, 3), times=times)
    result = merged(reference, heard((0, 100)))
    assert [e.labels for e in result.elements] == [("b", "a", "c")]
    counts = scored(reference, replace_elements(heard((0, 100)), ("c", 0, 1)), 0, "merge")
    assert counts == tally(C=1, hyp=1, exact=1, unplaceable=2)
    assert counts.ref == 1
