"""Errors of several systems side by side: who agrees on what, in order of suspicion."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from two_systems import evaluated

from sereval import Document, evaluate, tree
from sereval.analysis.collate import AGREEMENTS, collate

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
