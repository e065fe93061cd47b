"""A value that exists is valid: what is none is refused, and the message says where and why."""

import itertools
import pickle
import random
import re

import pytest
from strategies import seeded_forest, without_crossings
from tables import tables

from sereval.documents.checks import Alternative
from sereval.documents.model import (
    Document,
    Element,
    Mention,
    Note,
    Place,
    Reference,
    ReferenceElement,
    Unplaceable,
    notes_of,
    seconds,
    sum_notes,
    tags,
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


def test_lists_become_tuples():
    """As they are in a value that does not change."""
    made = Document("d", ["a", "b"], [Element("x", 0, 2)], [[0, 1], [1, 2]], [1])
    assert Document("d", ("a", "b"), (Element("x", 0, 2),), ((0, 1), (1, 2)), (1,)) == made
    assert hash(made)


def test_elements_are_elements():
    """Not what they could be made of."""
    expected = "d: elements that are no Element; from_spans takes (label, start, end)"
    assert expected == message_of(lambda: Document("d", WORDS, (("a", 0, 2),)))
    expected = "d: elements in a str, expected a tuple"
    assert expected == message_of(lambda: Document("d", WORDS, "a"))


def test_times_are_pairs():
    """Of each word."""
    expected = "d: times that are no pairs, expected (start, end) for each word"
    assert expected == message_of(lambda: Document("d", ("a",), times=(1,)))


@pytest.mark.parametrize("span", [(0, 2, "a"), ("a", 0.0, 2), ("a", "0", 2), ("a", 0), "abc", 3])
def test_a_span_is_a_label_and_two_frontiers(span):
    """Whole numbers: others may be seconds, or characters."""
    assert "expected (label, start, end) in words" in message_of(lambda: tree([span]))


def test_siblings_may_touch_and_fill_their_parent():
    """A forest of neighbours, with others inside them."""
    forest = (
        Element("a", 0, 2),
        Element("b", 0, 1, 0),
        Element("c", 1, 2, 0),
        Element("d", 2, 4),
        Element("e", 2, 4, 3),
    )
    assert Document("d", WORDS, forest).elements == forest


@pytest.mark.parametrize(
    ("id", "words", "message"),
    [
        ("", WORDS, "a document has the id '', expected a text that is not empty"),
        (3, WORDS, "a document has the id 3, expected a text that is not empty"),
        ("d", "a", "d: words in a str, expected a tuple"),
        ("d", ("a", ""), "d: word 1 is '', expected a text that is not empty"),
        ("d", ("a", 3), "d: word 1 is 3, expected a text that is not empty"),
    ],
)
def test_names_and_words_are_texts(id, words, message):
    """On either side, and none is empty."""
    assert message_of(lambda: Document(id, words)) == message
    assert message_of(lambda: Reference(id, words)) == message


def test_a_word_may_be_a_kind_of_text():
    """Such as those of numpy."""

    class Text(str):
        __slots__ = ()

    assert Document("d", (Text("a"), "b")).words == ("a", "b")


@pytest.mark.parametrize(
    ("times", "message"),
    [*TABLES["times"], ({(0, 1): 1, (1, 2): 2}, "times in a dict, expected a tuple")],
)
def test_times_are_in_order(times, message):
    """As many as words, by their starts, none that ends before it starts."""
    assert message_of(lambda: Document("d", ("a", "b"), (), times)) == f"d: {message}"
    assert message_of(lambda: Reference("d", ("a", "b"), times=times)) == f"d: {message}"


def test_times_may_be_equal():
    """Words may start together, overlap, and last for nothing."""
    times = ((0, 5), (0, 0), (3, 3), (3, 4))
    assert Document("d", WORDS, times=times).times == times


@pytest.mark.parametrize(
    ("breaks", "message"),
    [*TABLES["breaks"], ({1}, "a set, expected a tuple of frontiers")],
)
def test_breaks_are_between_words(breaks, message):
    """In order, and each once."""
    found = message_of(lambda: Document("d", WORDS, breaks=breaks))
    assert re.fullmatch(rf"d: an utterance boundary(:| at) {re.escape(message)}", found)


def test_one_word_has_no_breaks():
    """There is no frontier inside."""
    found = message_of(lambda: Document("d", ("a",), breaks=(1,)))
    assert found == "d: an utterance boundary at 1, expected none, there is no room"
    found = message_of(lambda: Document("d", ("a", "b"), breaks=(2,)))
    assert found == "d: an utterance boundary at 2, expected frontiers from 1 to 1"
    assert Document("d", WORDS, breaks=(1, 3)).breaks == (1, 3)


def test_mentions_have_a_label_and_a_text():
    """Neither may be empty."""
    for mention in (Mention("", "Dol"), Mention("loc", "")):
        found = message_of(lambda one=mention: Document("d", WORDS, mentions=(one,)))
        assert found == "d: a mention without label or text"
    assert Document("d", WORDS, mentions=(Mention("loc", "Dol"),)).mentions


ALTERNATIVES = TABLES["alternatives"]


@pytest.mark.parametrize(("alternatives", "message"), ALTERNATIVES)
def test_alternatives_are_stretches_of_the_words(alternatives, message):
    """In order, each inside the document, each with a reading."""
    given = tuple(
        Alternative(start, end, tuple(map(tuple, readings)))
        for start, end, readings in alternatives
    )
    if message:
        assert message_of(lambda: Document("d", WORDS, alternatives=given)) == f"d: {message}"
    else:
        assert Document("d", WORDS, alternatives=given).alternatives == given


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
        (element(starts=(4,)), "x can start at 4, expected frontiers from 0 to 3"),
        (element(starts=(-1,)), "x can start at -1, expected frontiers from 0 to 3"),
        (element(ends=(0,)), "x can end at 0, expected frontiers from 1 to 4"),
        (element(ends=(5,)), "x can end at 5, expected frontiers from 1 to 4"),
        (element(starts=(1, 0)), "x can start at 0, which comes after 1; expected increasing fron"),
        (element(ends=(1, 1)), "x can end at 1, which stands twice; expected increasing frontiers"),
        (element(strict=(0, 1.0)), "x has the strict frontier 1.0, expected an integer"),
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


def test_candidates_may_be_all_there_are():
    """A start anywhere but after the last word, an end anywhere but before the first."""
    one = ReferenceElement(("a", "b"), (0, 1, 2, 3), (1, 2, 3, 4), None, (0, 4))
    none = ReferenceElement(("a",), (), ())
    reference = Reference("d", WORDS, (one, none), (Unplaceable(one, "merged", 0),))
    assert [e.label for e in reference.elements] == ["a", "a"]


@pytest.mark.parametrize("parent", [0, 1, 3, 4])
def test_elements_of_a_reference_are_in_document_order(parent):
    """Each comes after its parent, before the next one outside it."""
    elements = element("a"), element("b", parent=0), element("c"), element("x", parent=parent)
    assert message_of(lambda: Reference("d", WORDS, elements)) == (
        f"d: reference element 3 (x) is not in document order below its parent {parent}"
    )


@pytest.mark.parametrize(("parent", "into"), [(2, 0), (-1, 0), (0, 2), (0, -1)])
def test_what_has_no_place_names_elements_that_have_one(parent, into):
    """Its remaining parent, and what it went into."""
    lost = Unplaceable(element("x", parent=parent), "merged", into)
    wrong = parent if parent else into
    found = message_of(lambda: Reference("d", WORDS, (element("a"), element("b")), (lost,)))
    assert found == f"d: unplaceable x names element {wrong}"


def test_fates():
    """Dropped and missed elements go nowhere, merged ones into another."""
    assert message_of(lambda: Unplaceable(element(), "lost")) == (
        "fate 'lost', expected one of dropped, missed, merged"
    )
    assert message_of(lambda: Unplaceable(element(), "merged")) == (
        "x is merged with into=None, expected an element that it went into"
    )
    assert message_of(lambda: Unplaceable(element(), "missed", 0)) == (
        "x is missed with into=0, expected no such element"
    )
    assert Unplaceable(element(), "merged", 0).into == 0


def test_a_document_is_its_own_reference():
    """Each tag has one candidate, which is strict; words, times and file are the document's."""
    times = ((0, 1), (10, 20), (30, 40), (50, 60))
    given = Document("d", WORDS, tree([("a", 0, 3), ("b", 1, 3)]), times, source="d.ne")
    exact = Reference.exact(given)
    assert exact == Reference(
        "d",
        WORDS,
        (
            ReferenceElement(("a",), (0,), (3,), None, (0, 3)),
            ReferenceElement(("b",), (1,), (3,), 0, (1, 3)),
        ),
        times=times,
    )
    assert ([e.source for e in exact.elements], exact.source) == ([0, 1], "d.ne")


# --- notes ---------------------------------------------------------------------------------------


def test_notes_are_added_up_by_what_and_how():
    """In alphabetical order; of the places the first three are kept."""
    places = tuple(Place(f"p{k}", f"line {k}", k) for k in range(5))
    notes = [
        [Note("b", 1, "", places[:2]), Note("a", 2, "y")],
        [Note("b", 3, "", places[2:]), Note("a", 4, "x"), Note("a", 5, "y")],
    ]
    expected = (Note("a", 4, "x"), Note("a", 7, "y"), Note("b", 4, "", places[:3]))
    assert expected == sum_notes(notes)
    documents = [Document(f"d{k}", WORDS, notes=tuple(each)) for k, each in enumerate(notes)]
    assert expected == notes_of(documents)
    assert [str(note) for note in expected] == [
        "a: 4",
        "a: 7",
        "b: 4, the first p0 at line 0, p1 at line 1, p2 at line 2",
    ]


def test_a_note_shows_three_places():
    """And says how many things there are."""
    places = tuple(Place(f"p{k}", "x") for k in range(4))
    assert str(Note("things", 9, "", places)) == "things: 9, the first p0 at x, p1 at x, p2 at x"
    assert str(Note("things", 9)) == "things: 9"
    [kept] = sum_notes([[Note("things", 9, "", places)]])
    assert kept.places == places[:3]


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
    found = tree(spans, line=7)
    assert [(e.label, e.start, e.end) for e in found] == [spans[k] for k in order]
    assert {e.line for e in found} <= {7}
    for place, one in enumerate(found):
        around = [k for k, e in enumerate(found[:place]) if e.start <= one.start < one.end <= e.end]
        assert one.parent == (around[-1] if around else None)
    assert tree([(e.label, e.start, e.end, e.parent) for e in found]) == found


@pytest.mark.parametrize(
    ("spans", "expected"),
    TABLES["equal_spans"],
)
def test_of_equal_spans_the_parent_may_be_named(spans, expected):
    """Otherwise the earlier one is outside; one that names a parent around both is outermost."""
    assert expected == " ".join(e.label for e in tree(spans))


@pytest.mark.parametrize(
    ("spans", "message"),
    TABLES["no_tree"],
)
def test_what_is_no_tree(spans, message):
    """Elements that cross, are empty, or whose parents are not what the spans say."""
    assert message == message_of(lambda: tree(spans))


@pytest.mark.parametrize("seed", range(20))
def test_tags_open_and_close(seed):
    """Each element is opened in its parent, after what is ahead of it was closed."""
    forest = seeded_forest(random.Random(f"tags-{seed}"), 10, 8)

    def of(parent):
        for k, one in enumerate(forest):
            if one.parent == parent:
                yield from ((k, False), *of(k), (k, True))

    assert list(of(None)) == tags([one.parent for one in forest])


def test_milliseconds_as_seconds():
    """Exactly, and without zeros that say nothing."""
    assert [seconds(ms) for ms in (0, 1, -1, 10, 1000, 1050, -12340)] == [
        *("0", "0.001", "-0.001", "0.01", "1", "1.05", "-12.34")
    ]


def test_elements_are_sent_whole():
    """What is sent to another process has the parts that do not count in a comparison, too."""
    element = Element("loc", 1, 2, 0, line=7)
    placed = ReferenceElement(("loc", "org"), (1, 2), (3,), 0, (1, 3), source=4)
    for one in (element, placed):
        again = pickle.loads(pickle.dumps(one))
        assert one == again
        assert repr(one) == repr(again)
    assert pickle.loads(pickle.dumps(element)).line == 7
    assert pickle.loads(pickle.dumps(placed)).source == 4
