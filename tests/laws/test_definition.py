"""The definition of the score: its worked cases, and each rule that is easily missed.

Sections are those of `docs/why/definition.md`.
"""

import json
from fractions import Fraction

import pytest
from worked import answers, el, evaluated, fuzzy, on_words, scored, tally

from sereval.documents.model import Document, Element, Reference
from sereval.evaluation.evaluate import evaluate
from sereval.formats import native
from sereval.formats.file import File
from sereval.mapping.best import best_mapping
from sereval.measures import Costs
from sereval.projection import Frontiers, place, project


def native_documents(*records: dict) -> list:
    """What native JSON says."""
    text = "\n".join(json.dumps(record) for record in records)
    return list(native.read_native(File("a.jsonl", text=text)))


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
    evaluation = evaluated(CHIRAC, on_words("Jacques Chirac", ("pers.ind", 0, 1)))
    assert evaluation.counts == tally(S_S=1, D=2, hyp=1)
    assert evaluation.counts.ref == 3
    assert evaluation.ser == 2.5 / 3
    assert evaluation.documents[0].mapped.mapping.pairs == ((0, 0),)


def test_case_2_candidates():
    """The candidates of the paper's figure 4, with a tolerance of 0.3 s."""
    elements = project(MAGIMEL, magie(), tolerance=0.3).elements
    assert [(e.label, e.starts, e.ends) for e in elements] == [
        ("pers.ind", (0, 1), (3, 4, 5)),
        ("name.first", (0, 1), (2,)),
        ("name.last", (2,), (3, 4, 5)),
    ]


def test_case_2_first_name_alone():
    """The first name is right, the person ends too early, the last name is missing: SER 50 %."""
    evaluation = evaluated(MAGIMEL, magie(("pers.ind", 1, 2), ("name.first", 1, 2)), tolerance=0.3)
    assert evaluation.counts == tally(C=1, S_S=1, D=1, hyp=2, exact=1)
    assert evaluation.ser == 0.5


@pytest.mark.parametrize("end", [3, 4, 5])
def test_case_2_last_name_over_any_of_its_words(end):
    """The last name over magie, magie mais or magie mais l' is right: SER 0."""
    hypothesis = magie(("pers.ind", 1, end), ("name.first", 1, 2), ("name.last", 2, end))
    evaluation = evaluated(MAGIMEL, hypothesis, tolerance=0.3)
    assert evaluation.counts == tally(C=3, hyp=3, exact=3)
    assert evaluation.ser == 0


def test_case_3_inversion():
    """Pairing both labels would invert the nesting: two S_T, SER 1/2, and yet exact_C is 2."""
    reference = on_words("x y", ("a", 0, 2), ("b", 0, 2))
    evaluation = evaluated(reference, on_words("x y", ("b", 0, 2), ("a", 0, 2)))
    assert evaluation.counts == tally(S_T=2, hyp=2, exact=2)
    assert evaluation.ser == 0.5


def test_case_4_candidates():
    """The middle of the only word is at 0.40: the first component has no end."""
    frontiers = Frontiers(DUBIDGET.times)
    assert frontiers.strict(300) == 0
    assert [frontiers.near("starts", ms, 100) for ms in (0, 300)] == [(0,), (0,)]
    assert [frontiers.near("ends", ms, 100) for ms in (800, 300)] == [(1,), ()]
    [lost] = project(BUDGET, DUBIDGET, tolerance=0.1).unplaceable
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
    evaluation = evaluated(BUDGET, DUBIDGET, tolerance=0.1, unplaceable=policy)
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
    evaluation = evaluated(reference, hypothesis)
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
    report = json.loads(evaluation.to_json())["counts"]
    assert evaluation.ser is None
    assert (report["ser"], report["recall"]) == (None, None)
    assert (report["precision"], report["f1"]) == (0, 0)
    assert str(evaluation).startswith("SER n/a")


def test_ref_0_because_all_was_dropped():
    """Where no element has a place, drop leaves no Ref, and miss leaves nothing but deletions."""
    silence = Document("d", (), (), ())
    assert evaluate([BUDGET], [silence], tolerance=0.1).ser is None
    assert evaluate([BUDGET], [silence], tolerance=0.1, unplaceable="merge").ser is None
    assert evaluate([BUDGET], [silence], tolerance=0.1, unplaceable="miss").ser == 1


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


def test_missed_elements_count_in_recall():
    """Under miss they are in the denominator of recall."""
    counts = scored(BUDGET, DUBIDGET, 0.1, "miss")
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
