"""Errors of several systems side by side: who agrees on what, in order of suspicion."""

import csv
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import Payload
from two_systems import evaluated

from sereval import Document, evaluate, tree
from sereval.analysis.collate import AGREEMENTS, collate
from sereval.measures.slots import Slot
from sereval.report.page import collated_page

TEXT = tuple("abcdefgh")
SAID = [("s", 0, 1), ("t", 1, 2), ("u", 2, 3), ("v", 3, 4), ("w", 4, 5), ("x", 5, 6)]
ANSWERS = {  # s other label, t other span, u missed, v all wrong, w some wrong, x correct
    "one": [("o", 0, 1), ("t", 1, 3), ("q", 3, 4), ("w", 4, 5), ("x", 5, 6), ("i", 6, 7)],
    "two": [("o", 0, 1), ("t", 1, 3), ("v", 3, 5), ("x", 5, 6), ("i", 6, 7), ("j", 7, 8)],
}


@pytest.fixture
def collation():
    reference = [Document("d", TEXT, tree(SAID))]
    evaluations = {
        system: evaluate(reference, [Document("d", TEXT, tree(spans))])
        for system, spans in ANSWERS.items()
    }
    return collate("manual", evaluations)


def test_what_all_systems_agree_on_comes_first(collation):
    """Reference elements come in the order of suspicion, each as often as it is there."""
    found = [(item.labels[0], item.agreement) for item in collation.references]
    assert [
        ("s", "other label"),
        ("t", "other span"),
        ("u", "missed"),
        ("v", "all wrong"),
        ("w", "some wrong"),
        ("x", "correct"),
    ] == found
    assert list(AGREEMENTS)[:3] == [agreement for _, agreement in found[:3]]


def test_insertions_that_all_systems_make_come_first(collation):
    """Insertions of all systems come first, and with the other unanimous items before the rest."""
    assert [("i", "made by 2 of 2"), ("j", "made by 1 of 2")] == [
        (item.labels[0], item.agreement) for item in collation.insertions
    ]
    assert ["s", "t", "u", "i"] == [i.labels[0] for i in collation.items if i.is_unanimous]
    assert [item.is_unanimous for item in collation.items] == [True] * 4 + [False] * 4


def test_insertions_agree_whatever_words_are_cut_into():
    """The same label over the same characters is one insertion of two systems."""
    reference = [Document("d", ("l'acteur", "rit"))]
    cut = Document("d", ("l'", "acteur", "rit"), tree([("x", 1, 2)]))
    other = Document("d", ("l'", "act", "eur", "rit"), tree([("x", 1, 3)]))
    found = collate("m", {"a": evaluate(reference, [cut]), "b": evaluate(reference, [other])})
    assert ["made by 2 of 2"] == [item.agreement for item in found.insertions]


def heard(*elements, cuts=(0, 1000)):
    """Words that follow one another, and one element over each of these stretches of time in ms."""
    cuts = sorted({*cuts, *(time for span in elements for time in span)})
    times = tuple(zip(cuts, cuts[1:], strict=False))
    spans = [("x", cuts.index(start), cuts.index(end)) for start, end in elements]
    return Document("d", tuple(f"w{start}" for start, _ in times), tree(spans), times)


def through_time(**systems):
    """Insertions of each system, through time: where each item is, and what each system has."""
    reference = [Document("d", ("a",), (), times=((0, 1000),))]
    evaluations = {s: evaluate(reference, [side], tolerance=0) for s, side in systems.items()}
    return [
        (item.place, {system: answer.place for system, answer in item.answers.items()})
        for item in collate("asr", evaluations).insertions
    ]


HEARD = [  # stretches of three systems, and the groups that they make
    ([(100, 640)], [(240, 640)], [], [((100, 640), "ab")]),
    ([(0, 400)], [(200, 600)], [], [((0, 400), "ab")]),
    ([(0, 400)], [(201, 601)], [], [((0, 400), "a"), ((201, 601), "b")]),
    ([(0, 400)], [(0, 801)], [], [((0, 400), "a"), ((0, 801), "b")]),
    # not transitive: the two that share most
    ([(0, 400)], [(190, 590)], [(350, 750)], [((190, 590), "bc"), ((0, 400), "a")]),
    ([(0, 400)], [(200, 600)], [(400, 800)], [((0, 400), "ab"), ((400, 800), "c")]),
    # the very same place before one that is near, whatever begins first
    ([(0, 400), (100, 400)], [(100, 400)], [], [((100, 400), "ab"), ((0, 400), "a")]),
    ([(0, 400)], [(10, 410)], [(20, 420)], [((0, 400), "abc")]),
]


@pytest.mark.parametrize(("a", "b", "c", "expected"), HEARD)
def test_insertions_agree_through_time(a, b, c, expected):
    """Half of the longer one is shared by any two of a group; the order of systems is nothing."""
    spans = {"a": a, "b": b, "c": c}
    for names in itertools.permutations("abc"):
        other = dict(zip("abc", names, strict=True))  # the same systems under other names
        found = through_time(**{other[s]: heard(*spans[s]) for s in "abc"})
        back = {name: s for s, name in other.items()}
        assert expected == [(place, "".join(sorted(back[s] for s in of))) for place, of in found]


def nested(spans):
    """Those that do not cross one before."""
    kept = []
    for a, b in spans:
        if all(b <= c or d <= a or (a <= c and d <= b) or (c <= a and b <= d) for c, d in kept):
            kept.append((a, b))
    return kept


@pytest.mark.check
@settings(max_examples=60)
@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), max_size=4), max_size=4))
def test_groups_of_insertions_are_sound(drawn):
    """Each element is in one group; any two of a group share half, and are of two systems."""
    systems = {
        f"s{k}": nested((a, a + length) for a, length in spans) for k, spans in enumerate(drawn)
    }
    if not systems:
        return
    found = through_time(**{name: heard(*spans) for name, spans in systems.items()})
    for name, spans in systems.items():
        assert sorted(spans) == sorted(of[name] for _, of in found if name in of)
    for place, of in found:
        assert place == min(of.values())
        for (a, b), (c, d) in itertools.combinations(of.values(), 2):
            assert 2 * (min(b, d) - max(a, c)) >= max(b - a, d - c)


def test_other_spans_agree_through_time():
    """Two systems give an element the same other span if half of the longer one is in both."""
    reference = [Document("d", ("a",), tree([("x", 0, 1)]), times=((200, 500),))]
    spans = {"one": (150, 500), "two": (200, 560), "far": (400, 1000)}
    cuts = 0, 200, 500, 1000
    evaluations = {
        s: evaluate(reference, [heard(span, cuts=cuts)], tolerance=0) for s, span in spans.items()
    }
    assert {Slot.SPAN} == {slot for e in evaluations.values() for slot in Slot if e.counts[slot]}
    for names, expected in (("one two", "other span"), ("one two far", "all wrong")):
        [item] = collate("m", {name: evaluations[name] for name in names.split()}).references
        assert expected == item.agreement


def test_places_on_the_same_words():
    """Without times an item is told by the reference's words, however a hypothesis is cut."""
    reference = [Document("d", ("l'acteur", "rit", "ici"), tree([("y", 1, 3)]))]
    cut = Document("d", ("l'", "acteur", "rit", "ici"), tree([("x", 1, 2), ("z", 3, 4)]))
    found = collate("m", {"a": evaluate(reference, [cut], pairing="label")})
    assert [("y", (1, 3)), ("x", (0, 1)), ("z", (2, 3))] == [
        (item.labels[0], item.span) for item in (*found.references, *found.insertions)
    ]
    rows = list(csv.DictReader(found.report().csv()))
    assert {("y", "2", "3", ""), ("x", "1", "1", ""), ("z", "3", "3", "")} == {
        (row["labels"], row["first_word"], row["last_word"], row["start"]) for row in rows
    }
    assert {str(found.signature)} == {row["signature"] for row in rows}
    places = [item[3] for item in listed(found)]
    assert [1, 1, 1] == [places.count(place) for place in ("words 2–3", "word 1", "word 3")]


def test_an_insertion_made_twice_is_told_twice():
    """Two equal insertions of a system are two slots, and two rows."""
    reference = [Document("d", ("a",))]
    twice = [Document("d", ("a",), tree([("x", 0, 1), ("x", 0, 1)]))]
    once = [Document("d", ("a",), tree([("x", 0, 1)]))]
    found = collate("m", {"a": evaluate(reference, twice), "b": evaluate(reference, once)})
    assert ["made by 2 of 2", "made by 1 of 2"] == [item.agreement for item in found.insertions]


def test_collated_slots_are_those_of_the_score():
    """Over all rows a system has each class as often as its score counts it."""
    evaluations = evaluated(1)
    collation = collate("m", evaluations)
    for system, evaluation in evaluations.items():
        answers = [i.answers[system].slot for i in collation.references]
        answers += [
            i.answers[system].slot
            for i in collation.insertions
            if system in i.answers and i.answers[system].slot.value == "I"
        ]
        for slot in set(answers):
            assert evaluation.counts[slot] == answers.count(slot)


def test_collated_csv(collation):
    """One row an element, with a column for each system."""
    rows = list(csv.DictReader(collation.report().csv()))
    assert ["s", "t", "u", "i", "v", "w", "x", "j"] == [row["labels"] for row in rows]
    assert ('S_T o "a"', 'S_T o "a"') == (rows[0]["one"], rows[0]["two"])
    assert ("b c d e", "D") == (rows[0]["after"], rows[2]["one"])
    assert "" == rows[-1]["one"]


def listed(collation):
    """The rows of the page: group, document, element, place, labels, words, answers."""
    return Payload("".join(collated_page([collation]))).documents


def test_the_page_lists_what_is_wrong(collation):
    """Groups on which all systems agree come first; elements that all have right are counted."""
    data = Payload("".join(collated_page([collation]))).data
    titles = [title.removeprefix("Reference elements: ") for _, title, *_ in data["groups"]]
    assert [4, 7] == [sum(one[2] for one in data["groups"]), len(titles)]
    assert [True] * 4 == [is_unanimous for _, _, is_unanimous, _ in data["groups"]][:4]
    assert {AGREEMENTS["all wrong"], AGREEMENTS["some wrong"]} <= {*titles[4:]}
    [[name, _, systems, size, right]] = data["collations"]
    assert (name, systems, size, right) == (collation.name, ["one", "two"], 6, 1)
    assert [size for *_, size in data["groups"]] == [
        sum(row[0] == k for row in listed(collation)) for k in range(7)
    ]
