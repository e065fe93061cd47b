"""The definition of the score: its worked cases, and each rule that is easily missed.

Sections are those of `docs/definition.md`.
"""

import json
from fractions import Fraction

import pytest

from sereval.documents.model import Document, Element, Reference, ReferenceElement, tree
from sereval.evaluation.evaluate import evaluate
from sereval.formats import milliseconds, native
from sereval.formats.source import Source
from sereval.mapping.best import best_mapping
from sereval.measures.slots import Costs, Counts
from sereval.projection.project import Frontiers, place, project, walk
from sereval.report import RENDERERS


def on_words(words: str, *spans: tuple, times=None) -> Document:
    """A document on these words, with elements given as (label, start, end)."""
    return Document("d", tuple(words.split()), tree(spans), times)


def el(label, starts, ends, parent=None, strict=None) -> ReferenceElement:
    """An element of a fuzzy reference; `label` may be several, one letter each."""
    return ReferenceElement(tuple(label), tuple(starts), tuple(ends), parent, strict)


def fuzzy(words: int, *elements: ReferenceElement) -> Reference:
    """A fuzzy reference on so many words."""
    return Reference("d", ("x",) * words, elements)


def answers(words: int, *spans: tuple) -> Document:
    """A hypothesis on so many words."""
    return Document("d", ("x",) * words, tree(spans))


def tally(**given: int) -> Counts:
    """Counts; exact pairs are as many by the reference's labels as by the hypothesis's."""
    return Counts(**given, exact_hyp=given.get("exact", 0))


def scored(reference, hypothesis, tolerance=None, unplaceable="drop", costs="") -> Counts:
    """All counts of one document."""
    return evaluate(
        [reference],
        [hypothesis],
        tolerance=tolerance,
        unplaceable=unplaceable,
        costs=Costs.parse(costs) if costs else None,
    ).counts


def native_documents(*records: dict) -> list:
    """What native JSON says."""
    text = "\n".join(json.dumps(record) for record in records)
    return [document for _, document in native.parse(Source("a.jsonl", "a", text))]


# --- section 7: worked cases ---------------------------------------------------------------------

CHIRAC = on_words("Jacques Chirac", ("pers.ind", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2))

MAGIMEL = on_words(
    "recevrons Benoît Magimel l' acteur",
    ("pers.ind", 1, 3),
    ("name.first", 1, 2),
    ("name.last", 2, 3),
    times=(
        (167300, 167600),
        (167600, 167950),
        (167950, 168450),
        (168450, 168560),
        (168560, 169000),
    ),
)
MAGIE_TIMES = (
    (167300, 167620),
    (167620, 167930),
    (167930, 168270),
    (168270, 168420),
    (168420, 168550),
    (168550, 169000),
)


def magie(*spans) -> Document:
    """What was recognised, with a system's elements."""
    return on_words("recevrons Benoît magie mais l' acteur", *spans, times=MAGIE_TIMES)


BUDGET = on_words(
    "du Budget", ("func.ind", 0, 2), ("kind", 0, 1), ("name", 1, 2), times=((0, 300), (300, 800))
)
DUBIDGET = on_words("dubidget", ("func.ind", 0, 1), ("kind", 0, 1), times=((0, 800),))


def test_case_1_same_words():
    """One span substitution and two deletions: SER is 2.5/3, most S_S decides the tie."""
    evaluation = evaluate([CHIRAC], [on_words("Jacques Chirac", ("pers.ind", 0, 1))])
    assert evaluation.counts == tally(S_S=1, D=2, hyp=1)
    assert evaluation.counts.ref == 3
    assert evaluation.ser == 2.5 / 3
    assert evaluation.documents[0].mapping.pairs == ((0, 0),)


def test_case_2_candidates():
    """The candidates of the paper's figure 4, with a tolerance of 0.3 s."""
    elements = project(MAGIMEL, magie(), tolerance=300).elements
    assert [(e.label, e.starts, e.ends) for e in elements] == [
        ("pers.ind", (0, 1), (3, 4, 5)),
        ("name.first", (0, 1), (2,)),
        ("name.last", (2,), (3, 4, 5)),
    ]


def test_case_2_first_name_alone():
    """The first name is right, the person ends too early, the last name is missing: SER 50 %."""
    evaluation = evaluate(
        [MAGIMEL], [magie(("pers.ind", 1, 2), ("name.first", 1, 2))], tolerance=300
    )
    assert evaluation.counts == tally(C=1, S_S=1, D=1, hyp=2, exact=1)
    assert evaluation.ser == 0.5


@pytest.mark.parametrize("end", [3, 4, 5])
def test_case_2_last_name_over_any_of_its_words(end):
    """The last name over magie, magie mais or magie mais l' is right: SER 0."""
    hypothesis = magie(("pers.ind", 1, end), ("name.first", 1, 2), ("name.last", 2, end))
    evaluation = evaluate([MAGIMEL], [hypothesis], tolerance=300)
    assert evaluation.counts == tally(C=3, hyp=3, exact=3)
    assert evaluation.ser == 0


def test_case_3_inversion():
    """Pairing both labels would invert the nesting: two S_T, SER 1/2, and yet exact_C is 2."""
    reference = on_words("x y", ("a", 0, 2), ("b", 0, 2))
    evaluation = evaluate([reference], [on_words("x y", ("b", 0, 2), ("a", 0, 2))])
    assert evaluation.counts == tally(S_T=2, hyp=2, exact=2)
    assert evaluation.ser == 0.5


def test_case_4_candidates():
    """The middle of the only word is at 0.40: the first component has no end."""
    frontiers = Frontiers(DUBIDGET.times)
    assert frontiers.strict(300) == 0
    assert (frontiers.starts(0, 100), frontiers.starts(300, 100)) == ((0,), (0,))
    assert (frontiers.ends(800, 100), frontiers.ends(300, 100)) == ((1,), ())
    [lost] = project(BUDGET, DUBIDGET, tolerance=100).unplaceable
    assert (lost.element.label, lost.element.starts, lost.element.ends) == ("kind", (0,), ())


@pytest.mark.parametrize(
    ("policy", "counts", "ref", "ser"),
    [
        ("drop", tally(C=1, S_T=1, hyp=2, exact=1, unplaceable=1), 2, 1 / 4),
        ("miss", tally(C=1, S_T=1, D=1, hyp=2, exact=1, unplaceable=1), 3, 1 / 2),
        ("merge", tally(C=2, hyp=2, exact=2, unplaceable=1), 2, 0),
    ],
)
def test_case_4_collision(policy, counts, ref, ser):
    """Two components on one word: what each policy makes of the one without a place."""
    evaluation = evaluate([BUDGET], [DUBIDGET], tolerance=100, unplaceable=policy)
    assert evaluation.counts == counts
    assert evaluation.counts.ref == ref
    assert evaluation.ser == ser


# --- section 1 -----------------------------------------------------------------------------------


def test_labels_are_exact_strings():
    """Labels that differ in case, or of which one begins the other, are two labels."""
    reference = on_words("x y z", ("loc", 0, 1), ("loc", 1, 2), ("loc", 2, 3))
    hypothesis = on_words("x y z", ("Loc", 0, 1), ("loc.adm", 1, 2), ("loc", 2, 3))
    assert scored(reference, hypothesis) == tally(C=1, S_T=2, hyp=3, exact=1)


# --- section 2 -----------------------------------------------------------------------------------


def test_each_tag_chooses_for_itself():
    """An element may start before its first component though their candidates are the same."""
    reference = fuzzy(3, el("a", (0, 1), (3,)), el("b", (0, 1), (3,), 0))
    assert scored(reference, answers(3, ("a", 0, 3), ("b", 1, 3))).C == 2


def test_tags_never_go_back():
    """No component starts before its entity, no sibling before the one ahead has ended."""
    nested = fuzzy(3, el("a", (0, 1), (3,)), el("b", (0, 1), (3,), 0))
    hypothesis = answers(3, ("b", 0, 3), ("a", 1, 3))
    assert scored(nested, hypothesis) == tally(S_T=2, hyp=2, exact=1)
    siblings = fuzzy(3, el("a", (0,), (1, 2)), el("b", (1, 2), (3,)))
    mapping = best_mapping(siblings, answers(3, ("b", 1, 3)))
    assert mapping.placement == ((0, 1), (1, 3))


def test_no_element_is_empty():
    """An end is beyond its start, even where both have the same candidate."""
    mapping = best_mapping(fuzzy(3, el("a", (0, 2), (2, 3))), answers(3, ("a", 2, 3)))
    assert mapping.placement == ((2, 3),)
    assert best_mapping(fuzzy(2, el("a", (0, 1), (1,))), answers(2)).placement == ((0, 1),)


# --- section 3: rules ----------------------------------------------------------------------------


def test_a_pair_shares_a_word():
    """Elements that only touch are no pair."""
    reference = on_words("x y", ("a", 0, 1))
    assert scored(reference, on_words("x y", ("a", 1, 2))) == tally(D=1, I=1, hyp=1)


def test_a_pair_shares_a_word_as_placed():
    """What counts is where the reference element is placed, not where it might be."""
    reference = fuzzy(4, el("a", (0, 2), (1, 4)), el("b", (1,), (2,)))
    hypothesis = answers(4, ("a", 2, 4), ("b", 1, 2))
    assert scored(reference, hypothesis) == tally(C=1, D=1, I=1, hyp=2, exact=1)


def test_a_parent_and_its_child_may_answer_disjoint_elements():
    """Only an inversion is forbidden: a parent and its child may be paired with two neighbours."""
    reference = on_words("x y", ("a", 0, 2), ("b", 0, 2))
    hypothesis = on_words("x y", ("a", 0, 1), ("b", 1, 2))
    assert scored(reference, hypothesis) == tally(S_S=2, hyp=2)


def test_ancestors_are_those_of_the_tree():
    """An inversion across a generation is one too, whatever lies between."""
    reference = on_words("x", ("a", 0, 1), ("m", 0, 1), ("b", 0, 1))
    hypothesis = on_words("x", ("b", 0, 1), ("m", 0, 1), ("a", 0, 1))
    counts = scored(reference, hypothesis)
    assert counts == tally(C=1, S_T=2, hyp=3, exact=3)


def test_inversion_of_elements_that_are_apart():
    """Two pairs invert the nesting too where the inner elements have no word in common."""
    reference = on_words("x y", ("a", 0, 2), ("b", 1, 2))
    hypothesis = on_words("x y", ("b", 0, 2), ("a", 0, 1))
    assert scored(reference, hypothesis) == tally(S_S=1, D=1, I=1, hyp=2)
    mirrored = on_words("x y", ("a", 0, 2), ("b", 0, 1))
    assert scored(mirrored, on_words("x y", ("b", 0, 2), ("a", 1, 2))) == (
        tally(S_S=1, D=1, I=1, hyp=2)
    )


def test_equal_spans_may_not_answer_crosswise():
    """Of two elements on one span the outer one answers the outer one, whatever the labels."""
    reference = on_words("x", ("a", 0, 1), ("b", 0, 1))
    mapping = best_mapping(Reference.exact(reference), on_words("x", ("b", 0, 1), ("a", 0, 1)))
    assert mapping.pairs == ((0, 0), (1, 1))


# --- section 3: costs and ties -------------------------------------------------------------------


def test_default_costs():
    """One of each class: 0, 0.5, 0.5, 1, 1 and 1."""
    reference = on_words(
        "a b c d e f g h", ("C", 0, 1), ("S", 1, 2), ("T", 3, 4), ("ST", 4, 5), ("D", 6, 7)
    )
    hypothesis = on_words(
        "a b c d e f g h", ("C", 0, 1), ("S", 1, 3), ("x", 3, 4), ("y", 4, 6), ("I", 7, 8)
    )
    evaluation = evaluate([reference], [hypothesis])
    assert evaluation.counts == tally(C=1, S_S=1, S_T=1, S_ST=1, D=1, I=1, hyp=5, exact=1)
    assert evaluation.counts.cost(Costs()) == 4
    assert evaluation.ser == 4 / 5


def test_ser_can_exceed_1():
    """Insertions count in full."""
    assert (
        evaluate([on_words("x y", ("a", 0, 1))], [on_words("x y", ("b", 1, 2), ("c", 1, 2))]).ser
        == 3
    )


def test_ser_divides_sums():
    """Costs and Ref are summed over documents, then divided: no mean of rates."""
    one = on_words("x y z", ("a", 0, 1), ("a", 1, 2), ("a", 2, 3))
    other = Document("other", ("x",), (Element("a", 0, 1),))
    evaluation = evaluate([one, other], [one, Document("other", ("x",))])
    assert evaluation.ser == 1 / 4


def test_ref_0_is_undefined():
    """Without a reference slot SER is null in JSON and n/a on screen, whatever was inserted."""
    evaluation = evaluate([on_words("x")], [on_words("x", ("a", 0, 1))])
    report = json.loads(RENDERERS["json"](evaluation))
    assert evaluation.ser is None
    assert (report["ser"], report["exact"]["recall"]) == (None, None)
    assert (report["exact"]["precision"], report["exact"]["f1"]) == (0, 0)
    assert RENDERERS["text"](evaluation).startswith("SER n/a")


def test_ref_0_because_all_was_dropped():
    """Where no element has a place, drop leaves no Ref, and miss leaves nothing but deletions."""
    silence = Document("d", (), (), ())
    assert evaluate([BUDGET], [silence], tolerance=100).ser is None
    assert evaluate([BUDGET], [silence], tolerance=100, unplaceable="merge").ser is None
    assert evaluate([BUDGET], [silence], tolerance=100, unplaceable="miss").ser == 1


@pytest.mark.parametrize(
    ("costs", "pairs", "cost"),
    [
        ("D=0.1,I=0.7,S_ST=0.8", 1, "0.8"),  # as floats 0.1 + 0.7 is less than 0.8
        ("D=0.1,I=0.2,S_ST=0.3", 1, "0.3"),  # as floats 0.1 + 0.2 is more than 0.3
        ("D=0.1,I=0.7,S_ST=0.800000000000000001", 0, "0.8"),
        ("D=0.1,I=0.2,S_ST=0.300000000000000001", 0, "0.3"),
    ],
)
def test_costs_are_exact(costs, pairs, cost):
    """Costs compare as the decimals they are: of equal costs, the one with most pairs."""
    counts = scored(on_words("x y", ("a", 0, 2)), on_words("x y", ("b", 0, 1)), costs=costs)
    assert (counts.S_ST, counts.cost(Costs.parse(costs))) == (pairs, Fraction(cost))


def test_costs_add_up_exactly():
    """Ten times 0.1 is 1."""
    reference = on_words("x " * 10, *(("a", k, k + 1) for k in range(10)))
    counts = scored(reference, on_words("x " * 10), costs="D=0.1")
    assert counts.cost(Costs.parse("D=0.1")) == 1
    assert counts.ser(Costs.parse("D=0.1")) == 0.1


def test_tie_most_correct():
    """Of equal costs the one with most C: one right and two left alone, not two pairs."""
    reference, hypothesis = (on_words("x", (a, 0, 1), (b, 0, 1)) for a, b in ("ab", "ba"))
    assert scored(reference, hypothesis, costs="S_T=1") == tally(C=1, D=1, I=1, hyp=2, exact=2)


def test_tie_most_pairs():
    """Then the one with most pairs: one S_ST, not a deletion and an insertion."""
    reference, hypothesis = on_words("x y", ("a", 0, 2)), on_words("x y", ("b", 0, 1))
    assert scored(reference, hypothesis, costs="S_ST=2") == tally(S_ST=1, hyp=1)


def test_tie_most_span_substitutions():
    """Then the one with most S_S, that is, most right labels (case 1)."""
    reference = on_words("x y", ("a", 0, 2), ("b", 0, 1))
    mapping = best_mapping(Reference.exact(reference), on_words("x y", ("a", 0, 1)))
    assert mapping.pairs == ((0, 0),)
    reference = on_words("x y", ("b", 0, 2), ("a", 0, 1))
    mapping = best_mapping(Reference.exact(reference), on_words("x y", ("b", 0, 1)))
    assert mapping.pairs == ((0, 0),)


def test_tie_most_type_substitutions():
    """Then the one with most S_T, that is, most right spans, whichever side or end it is on."""
    for start in (0, 1):
        one = on_words("x y", ("a", start, start + 1))
        two = on_words("x y", ("b", 0, 2), ("c", start, start + 1))
        assert scored(one, two, costs="S_T=1") == tally(S_T=1, I=1, hyp=2)
        assert scored(two, one, costs="S_T=1") == tally(S_T=1, D=1, hyp=1)


def test_tie_smallest_shift():
    """Then the one whose frontiers are nearest to the strict ones, of paired elements."""
    for strict in [(0, 3), (1, 3), (1, 2), (0, 2)]:
        reference = fuzzy(4, el("a", (0, 1), (2, 3), strict=strict))
        assert best_mapping(reference, answers(4, ("a", 0, 4))).placement == (strict,)


def test_shift_of_elements_in_no_pair():
    """The shift is that of all placed elements, paired or not."""
    for strict in [(0, 3), (1, 3), (1, 2), (0, 2)]:
        reference = fuzzy(4, el("a", (0, 1), (2, 3), strict=strict))
        assert best_mapping(reference, answers(4)).placement == (strict,)
    apart = fuzzy(6, el("a", (0, 1), (2, 3), strict=(1, 2)), el("b", (3,), (6,)))
    mapping = best_mapping(apart, answers(6, ("b", 3, 5)))
    assert (mapping.pairs, mapping.placement) == (((1, 0),), ((1, 2), (3, 6)))


def test_shift_counts_both_ends_of_all():
    """It is one sum: an element moves by one that two others need not."""
    reference = fuzzy(
        4,
        el("a", (0,), (2, 3), strict=(0, 3)),
        el("b", (2, 3), (4,), strict=(2, 4)),
        el("c", (2, 3), (4,), 1, strict=(2, 4)),
    )
    assert best_mapping(reference, answers(4)).placement == ((0, 2), (2, 4), (2, 4))


def test_shift_comes_last():
    """A right span far from the strict frontiers goes before a wrong one on them."""
    reference = fuzzy(4, el("a", (0, 3), (4,), strict=(3, 4)))
    assert scored(reference, answers(4, ("a", 0, 4))).C == 1


def test_without_strict_frontiers_the_shift_is_0():
    """An element that has no strict frontiers does not weigh against one that has."""
    reference = fuzzy(3, el("a", (0,), (1, 2)), el("b", (1, 2), (3,), strict=(1, 3)))
    assert best_mapping(reference, answers(3)).placement == ((0, 1), (1, 3))


def test_exact_is_over_any_placement():
    """exact_C has a placement of its own, so that it can exceed the C of the least cost."""
    reference = fuzzy(4, el("a", (0,), (1, 3)), el("b", (1, 3), (4,)))
    hypothesis = answers(4, ("a", 0, 3), ("b", 1, 3))  # a right, and nothing left for b
    assert scored(reference, hypothesis) == tally(S_S=2, hyp=2, exact=1)


def test_exact_takes_each_element_once():
    """Equal elements on one side have as many partners as there are on the other."""
    reference = on_words("x", ("a", 0, 1), ("a", 0, 1), ("a", 0, 1))
    assert scored(reference, on_words("x", ("a", 0, 1), ("a", 0, 1))).exact == 2


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
APART = [(0, 90), (100, 190), (200, 290), (300, 390)]
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
    [
        (EMPTY, "starts", 100, 0, (1, 2)),
        (EMPTY, "ends", 100, 0, (1, 2)),
        # at tolerance 0 a word at the very time is a candidate wherever its middle is
        (OVERLAPPING, "starts", 300, 0, (0, 2)),
        (OVERLAPPING, "ends", 400, 0, (3,)),
        (OVERLAPPING, "ends", 200, 0, (2,)),
        # a word within the tolerance, before or after, to the ms
        (APART, "starts", 200, 99, (2,)),
        (APART, "starts", 200, 100, (1, 2, 3)),
        (APART, "ends", 190, 99, (2,)),
        (APART, "ends", 190, 100, (1, 2, 3)),
        # frontier n is no start and frontier 0 no end, not even the strict one
        ([(100, 200), (200, 300)], "starts", 900, 0, ()),
        ([(100, 200), (200, 300)], "ends", 0, 0, ()),
    ],
)
def test_candidates_are_within_the_tolerance(times, side, time, tolerance, expected):
    """Words that begin or end near enough, inclusive, and the strict frontier if it may be."""
    assert expected == getattr(Frontiers(times), side)(time, tolerance)


def test_two_tolerances():
    """Starts and ends may have a tolerance each."""
    document = on_words("x y z", ("a", 1, 2), times=((0, 100), (100, 200), (200, 300)))
    [element] = project(document, replace_elements(document), tolerance=(100, 0)).elements
    assert (element.starts, element.ends) == ((0, 1, 2), (2,))
    [element] = project(document, replace_elements(document), tolerance=(0, 100)).elements
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


def test_missed_elements_count_in_recall():
    """Under miss they are in the denominator of recall."""
    counts = scored(BUDGET, DUBIDGET, 100, "miss")
    assert (counts.exact, counts.ref, counts.recall) == (1, 3, 1 / 3)


# --- section 6 -----------------------------------------------------------------------------------


def test_tree_follows_from_the_spans():
    """Of two equal spans the earlier in the list is the parent, unless `parent` says otherwise."""
    spans = [{"label": "org", "start": 1, "end": 2}, {"label": "loc", "start": 1, "end": 2}]
    [plain] = native_documents({"id": "d", "words": ["la", "Russie"], "elements": spans})
    assert [(e.label, e.parent) for e in plain.elements] == [("org", None), ("loc", 0)]
    turned = [{**spans[0], "parent": 1}, spans[1]]
    [other] = native_documents({"id": "d", "words": ["la", "Russie"], "elements": turned})
    assert [(e.label, e.parent) for e in other.elements] == [("loc", None), ("org", 0)]


def test_parent_of_a_fuzzy_element_is_not_inferred():
    """In a fuzzy reference an absent parent and null mean the top level."""
    element = {"starts": [0], "ends": [2], "label": "a"}
    [reference] = native_documents(
        {"id": "d", "words": ["x", "y"], "elements": [element, {**element, "parent": None}]}
    )
    assert [e.parent for e in reference.elements] == [None, None]
    assert len(place(reference).unplaceable) == 1


def test_times_without_a_tolerance_are_not_looked_at():
    """Documents with times but no tolerance are compared on the same words."""
    one = on_words("x y", ("a", 0, 1), times=((0, 10), (10, 20)))
    other = on_words("x y", ("a", 0, 1), times=((500, 510), (600, 620)))
    assert scored(one, other).C == 1
