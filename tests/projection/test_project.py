"""A reference on other words: candidates, the walk along the tags, and what has no place."""

import random
import re
from decimal import Decimal

import brute_force as oracle
import pytest
from numpy import float32
from strategies import as_scoring, in_ms

from sereval.alignment.blocks import SCLITE, WordAlignment
from sereval.alignment.text import align_text
from sereval.documents.model import Document, Reference, ReferenceElement, Unplaceable, tree
from sereval.errors import SerevalError
from sereval.projection import project as module
from sereval.projection.project import (
    Frontiers,
    _unite,
    fates_text,
    place,
    project,
    project_aligned,
    tolerance_of,
    tolerance_text,
    walk,
)


def el(label, starts, ends, parent=None, strict=None):
    """An element; `label` may be several, one letter each."""
    return ReferenceElement(tuple(label), tuple(starts), tuple(ends), parent, strict)


def random_times(rng, words):
    """Words in order of their starts, some of which are empty or overlap."""
    starts = sorted(rng.randint(0, 40) for _ in range(words))
    return tuple((start, start + rng.randint(0, 15)) for start in starts)


@pytest.mark.parametrize("seed", range(40))
def test_frontiers_are_those_within_the_tolerance(seed):
    """Every word whose start or end is near enough, and the strict frontier if it may be."""
    rng = random.Random(f"frontiers-{seed}")
    times = random_times(rng, n := rng.randint(0, 6))
    frontiers = Frontiers(times)
    for time in range(-3, 60):
        late = [max(a + b for a, b in times[: k + 1]) for k in range(n)]
        strict = sum(doubled < 2 * time for doubled in late)
        assert strict == frontiers.strict(time)
        for tolerance in (0, 1, 5):
            starts = {k for k in range(n) if abs(times[k][0] - time) <= tolerance}
            ends = {k + 1 for k in range(n) if abs(times[k][1] - time) <= tolerance}
            assert tuple(sorted({strict, *starts} - {n})) == frontiers.starts(time, tolerance)
            assert tuple(sorted({strict, *ends} - {0})) == frontiers.ends(time, tolerance)


def seeded_cases(seed, count):
    rng = random.Random(f"project-{seed}")
    return [oracle.random_case(rng) for _ in range(count)]


@pytest.mark.parametrize("seed", range(60))
def test_what_remains_is_what_the_definition_leaves(seed):
    """Elements, parents, candidates, strict frontiers and the number of unplaceable ones."""
    for case in seeded_cases(seed, 5):
        scoring = as_scoring(case)
        [given], [words] = scoring.references, scoring.hypotheses
        if case.timing is None:
            found = place(given, unplaceable=case.policy)
        else:
            found = project(
                given, words, tolerance=in_ms(scoring.tolerance), unplaceable=scoring.unplaceable
            )
        elements, unplaceable, missed = oracle.remaining_reference(
            case.reference, case.policy, case.timing
        )
        assert elements == [
            oracle.RefEl(tuple(sorted(e.labels)), e.starts, e.ends, e.parent, e.strict)
            for e in found.elements
        ]
        fates = [lost.fate for lost in found.unplaceable]
        assert (unplaceable, missed) == (len(fates), fates.count("missed"))
        assert found.words == words.words
        assert [given.elements[e.source].label for e in found.elements] == [
            e.label for e in found.elements
        ]


TIMED = Document(
    "d",
    ("le", "maire", "de", "Dol"),
    tree([("func", 0, 2), ("name", 1, 2), ("loc", 3, 4)]),
    ((0, 100), (100, 200), (200, 300), (300, 400)),
)
HEARD = Document("d", ("lemaire", "dol"), (), ((0, 210), (210, 400)))


def test_a_projection_through_time_says_how():
    """It is on the other words and their times, and each element knows where it comes from."""
    found = project(TIMED, HEARD, tolerance=(0.1, 0.2), unplaceable="miss")
    assert ("d", HEARD.words, HEARD.times) == (found.id, found.words, found.times)
    assert found.projection == "tolerance:0.1,0.2 unplaceable:miss"
    assert [(e.source, e.label) for e in found.elements] == [(0, "func"), (1, "name"), (2, "loc")]


@pytest.mark.parametrize(("side", "option"), [("reference", "--align"), ("hypothesis", "--words")])
def test_a_side_without_times_is_named(side, option):
    """Each side that has none, and what would read some."""
    bare = {
        "reference": Document("d", TIMED.words, TIMED.elements),
        "hypothesis": Document("d", HEARD.words),
    }
    sides = ({"reference": TIMED, "hypothesis": HEARD} | {side: bare[side]}).values()
    with pytest.raises(SerevalError) as error:
        project(*sides, tolerance=0)
    expected = f"d: the {side} has no times, a tolerance needs them: {option} reads some"
    assert expected == str(error.value)
    alignment = align_text(TIMED.words, HEARD.words)
    with pytest.raises(SerevalError) as error:
        project_aligned(*sides, alignment, unplaceable="merge")
    expected = f"d: the {side} has no times, merge needs them; expected drop or miss"
    assert expected == str(error.value)


@pytest.mark.parametrize("seed", range(40))
def test_an_alignment_leaves_each_frontier_its_candidates(seed):
    """All within the tolerance of one of them, of a start but the last, of an end but the first."""
    rng = random.Random(f"aligned-{seed}")
    left = tuple(rng.choices("abc", k=rng.randint(1, 6)))
    right = tuple(rng.choices("abc", k=rng.randint(1, 6)))
    n, m = len(left), len(right)
    start = rng.randrange(n)
    end = rng.randint(start + 1, n)
    reference = Document("d", left, tree([("x", start, end)]), tuple((k, k) for k in range(n)))
    words = Document("d", right, (), tuple((k, k) for k in range(m)))
    found = align_text(left, right)
    slack = rng.randrange(5)
    alignment = WordAlignment(found.blocks, found.cost, slack, found.how, found.otherwise)
    tolerance = rng.randrange(3)

    def near(frontier, allowed):
        those = alignment.candidates(frontier)
        return tuple(k for k in allowed if any(abs(k - at) <= tolerance for at in those))

    for policy in ("drop", "miss", "merge"):
        found = project_aligned(
            reference, words, alignment, tolerance=tolerance, unplaceable=policy
        )
        [element] = [*found.elements, *(lost.element for lost in found.unplaceable)]
        assert near(start, range(m)) == element.starts
        assert near(end, range(1, m + 1)) == element.ends
        strict = alignment.strict_start(start), alignment.strict_end(end)
        assert (strict, 0, None) == (element.strict, element.source, element.parent)
        assert (words.words, words.times, alignment.slack) == (
            found.words,
            found.times,
            found.slack,
        )
        assert found.projection == f"{alignment.how} tolerance:{tolerance}w unplaceable:{policy}"


def test_merge_through_an_alignment_asks_when_it_was_said():
    """An element without a word goes into the one that was said meanwhile."""
    words = Document("d", ("maire", "dol"), (), ((90, 250), (290, 400)))
    alignment = align_text(TIMED.words, ("maire", "dol"), SCLITE)
    reference = Document("d", TIMED.words, tree([("a", 0, 1), ("b", 1, 2)]), TIMED.times)
    found = project_aligned(reference, words, alignment, unplaceable="merge")
    assert [e.labels for e in found.elements] == [("b", "a")]


def test_merge_goes_by_all_words_of_an_element():
    """From the start of the first to the end of the last, over all words of a host together."""
    words = tuple("abcdefg")
    times = tuple((100 * k, 100 * k + 100) for k in range(7))
    reference = Document("d", words, tree([("a", 0, 2), ("x", 2, 5), ("b", 5, 7)]), times)
    heard = tuple("abfg")
    blocks = align_text(words, heard)
    for cut, host in ((340, 1), (360, 0)):
        spoken = ((0, 200), (200, cut), (cut, 420), (420, 700))
        found = project_aligned(
            reference, Document("d", heard, (), spoken), blocks, unplaceable="merge"
        )
        assert [lost.into for lost in found.unplaceable] == [host]
        assert found.elements[host].strict == ((0, 2), (2, 4))[host]


def test_a_merged_element_has_the_wider_strict_span():
    """From the first of the starts to the last of the ends, whichever element comes first."""
    early, late = el("a", [0], [1], strict=(0, 1)), el("b", [2], [4], strict=(2, 4))
    for host, x in ((early, late), (late, early)):
        assert _unite(host, x).strict == (0, 4)
        assert _unite(host, x).labels == host.labels + x.labels


def test_nothing_is_merged_into_what_is_inside_it():
    """Nor into what is further inside, if none of those around it has a place."""
    lines = tree([("x", 0, 3), ("y", 0, 3), ("z", 1, 2)])
    reference = Document("d", tuple("pqr"), lines, ((0, 10), (10, 190), (20, 30)))
    heard = Document("d", ("q",), (), ((10, 190),))
    found = project(reference, heard, tolerance=0, unplaceable="merge")
    assert [(e.labels, e.parent) for e in found.elements] == [(("z",), None)]
    assert [(lost.element.label, lost.fate) for lost in found.unplaceable] == [
        ("x", "dropped"),
        ("y", "dropped"),
    ]


def test_an_alignment_leaves_the_tree():
    """What is inside stays inside."""
    same = Document("d", TIMED.words)
    found = project_aligned(TIMED, same, align_text(TIMED.words, TIMED.words))
    assert [e.parent for e in found.elements] == [None, 0, None]


def test_an_alignment_must_be_of_the_same_words():
    """By the number of words of either side."""
    for left, right, those in (("abc", HEARD.words, "3, 2"), (TIMED.words, "abc", "4, 3")):
        message = rf"^d: the alignment is of \({those}\) words, expected \(4, 2\)"
        with pytest.raises(SerevalError, match=message):
            project_aligned(TIMED, HEARD, align_text(left, right))
    with pytest.raises(SerevalError, match="tolerance -1 words, expected 0 or more"):
        project_aligned(TIMED, HEARD, align_text(TIMED.words, HEARD.words), tolerance=-1)


def test_an_alignment_leaves_so_many_places(monkeypatch):
    """Whether they are counted through time or through an alignment, the document is named."""
    alignment = align_text(TIMED.words, TIMED.words)
    monkeypatch.setattr(module, "MOST_CANDIDATES", 3)
    for find in (
        lambda: project_aligned(TIMED, Document("d", TIMED.words), alignment),
        lambda: project(TIMED, TIMED, tolerance=0),
    ):
        with pytest.raises(SerevalError, match="^d: reference element 1 .* more than 3 frontiers"):
            find()


@pytest.mark.parametrize(
    ("elements", "blockers"),
    [
        # nothing of its own
        ([el("a", (), (2,))], {0: None}),
        ([el("a", (1,), ())], {0: None}),
        ([el("a", (1,), (1,))], {0: None}),
        ([el("z", (0,), (1,)), el("a", (), (2,))], {1: None}),
        # those before have ended after all its starts, or its end
        ([el("a", (0,), (2,)), el("b", (1,), (3,))], {1: 0}),
        ([el("a", (0,), (2,)), el("b", (1, 2), (2,))], {1: 0}),
        ([el("a", (0,), (1,)), el("b", (1,), (1,))], {1: None}),
        ([el("a", (0,), (2,)), el("z", (2,), (3,)), el("b", (1,), (3,))], {2: 1}),
        ([el("a", (0,), (2,)), el("b", (2,), ()), el("c", (1,), (3,))], {1: None, 2: 0}),
        # its parent began later, or what is inside it ends later
        ([el("a", (1,), (3,)), el("b", (0,), (2,), 0)], {1: 0}),
        ([el("a", (0,), (1,)), el("b", (0,), (2,), 0)], {0: 1}),
        # no end, with something inside: what is inside stands all the same
        ([el("a", (1,), (1,)), el("b", (1,), (2,), 0), el("c", (0,), (3,))], {0: 1, 2: 1}),
        ([el("a", (2,), (1,)), el("b", (0, 2), (), 0), el("c", (0,), (3,))], {0: None, 1: None}),
    ],
)
def test_what_stands_in_the_way(elements, blockers):
    """The element whose tag leaves no room, and none where its own candidates leave no word."""
    assert blockers == walk(elements).blockers
    lost = place(Reference("d", ("x",) * 3, tuple(elements))).unplaceable
    assert list(blockers.values()) == [one.blocker for one in lost]


def test_what_was_taken_out_before_is_treated_alike():
    """A file may say what was dropped or missed, and the policy decides again; merged stays so."""
    lost = [
        Unplaceable(el("x", (), (), 0), "dropped"),
        Unplaceable(el("y", (), ()), "missed"),
        Unplaceable(el("z", (), (), 1), "merged", 1),
    ]
    given = Reference(
        "d", ("p", "q"), (el("u", (), ()), el("v", (0,), (1,), 0), el("w", (1,), (2,))), tuple(lost)
    )
    for policy, fate in (("drop", "dropped"), ("miss", "missed")):
        found = place(given, unplaceable=policy)
        assert [(e.label, e.parent, e.source) for e in found.elements] == [
            ("v", None, 1),
            ("w", None, 2),
        ]
        assert [(x.element.label, x.element.parent, x.fate, x.into) for x in found.unplaceable] == [
            ("x", None, fate, None),
            ("y", None, fate, None),
            ("z", 0, "merged", 0),
            ("u", None, fate, None),
        ]


def test_a_fate_is_decided_again_where_all_have_a_place():
    """Nothing is left as it was said for the other policy, and what is as asked is not touched."""
    lost = Unplaceable(el("x", (), ()), "dropped"), Unplaceable(el("y", (), ()), "missed")
    given = Reference("d", ("p",), (el("u", (0,), (1,)),), lost)
    assert [x.fate for x in place(given, unplaceable="miss").unplaceable] == ["missed"] * 2
    assert [x.fate for x in place(given, unplaceable="drop").unplaceable] == ["dropped"] * 2
    for one in lost:
        given = Reference("d", ("p",), (), (one,))
        assert [x.fate for x in place(given, unplaceable="miss").unplaceable] == ["missed"]
        assert [x.fate for x in place(given, unplaceable="drop").unplaceable] == ["dropped"]


def test_merge_needs_more_than_a_file_says():
    """A fuzzy reference has no times of its elements; nor is there any other policy."""
    given = Reference("d", ("p",))
    with pytest.raises(SerevalError, match="d: a fuzzy reference cannot be merged"):
        place(given, unplaceable="merge")
    for asked in (
        lambda: place(given, unplaceable="keep"),
        lambda: project(TIMED, TIMED, tolerance=0, unplaceable="keep"),
    ):
        with pytest.raises(SerevalError, match="unknown policy 'keep', expected one of drop, miss"):
            asked()


@pytest.mark.parametrize(
    ("tolerance", "message"),
    [
        *((one, "expected seconds such as 0.3 or 1.0, or a text") for one in (300, 1, True, ())),
        *((one, "expected seconds such as 0.3 or 1.0, or a text") for one in ((0.3, 1), b"0.3")),
        ((0.0, 0.1, 0.2), "expected one duration, or two: START,END"),
        ("300", "expected at most 60 s; milliseconds are 300ms"),
        ("0,3", "expected 0.3; or, if two are meant, 0s,3s"),
        (-0.1, "expected a duration that is not negative"),
        (float("nan"), "expected a duration such as 0.3"),
    ],
)
def test_a_tolerance_has_a_unit(tolerance, message):
    """A whole number could be seconds or milliseconds, and is neither."""
    with pytest.raises(SerevalError, match=re.escape(message)) as error:
        tolerance_of(tolerance)
    assert str(error.value).startswith("tolerance: found ")


@pytest.mark.parametrize(
    "tolerance", [0.3, "0.3", "300ms", "0.3s", (0.3, "300ms"), [0.3], Decimal("0.3"), float32(0.3)]
)
def test_a_tolerance_is_seconds(tolerance):
    """Whatever its form."""
    assert (300, 300) == tolerance_of(tolerance)


def test_tolerances_have_names():
    """One of both, or one of starts and one of ends, in seconds."""
    assert tolerance_of(0) == (0, 0)
    assert tolerance_of((0.0, 5.0)) == (0, 5000)
    assert tolerance_text((300, 300)) == "0.3"
    assert tolerance_text((0, 1500)) == "0,1.5"


def test_what_became_of_them_is_said():
    """How many, and of each fate that befell any how many, in one order."""
    assert fates_text({}) == "0 unplaceable reference elements"
    assert fates_text({"merged": 1}) == "1 unplaceable reference element: 1 merged"
    assert fates_text({"merged": 1, "missed": 0, "dropped": 2}) == (
        "3 unplaceable reference elements: 2 dropped, 1 merged"
    )
