"""The class of every slot, and what it costs."""

from fractions import Fraction

import pytest

from sereval.documents.model import (
    Document,
    Element,
    Mention,
    Reference,
    ReferenceElement,
    Unplaceable,
)
from sereval.mapping.best import Mapping, Outcome, outcomes
from sereval.measures.slots import Costs, Slot

WORDS = ("w",) * 12


def placed(*labels, parent=None):
    """An element that accepts these labels; where it is placed is said by the mapping."""
    return ReferenceElement(labels, tuple(range(11)), tuple(range(1, 12)), parent)


REFERENCE = Reference(
    "d",
    WORDS,
    tuple(placed(label) for label in ("d", "a", "s", "t", "u")),
    (Unplaceable(placed("m"), "missed"), Unplaceable(placed("g"), "dropped")),
)
HYPOTHESIS = Document(
    "d",
    WORDS,
    (
        Element("i", 0, 1),
        Element("a", 1, 2),
        Element("s", 3, 5),
        Element("x", 5, 6),
        Element("y", 7, 8),
    ),
    mentions=(Mention("n", "one"), Mention("o", "other")),
)
MAPPING = Mapping(((1, 1), (2, 2), (3, 3), (4, 4)), ((0, 1), (1, 2), (4, 5), (5, 6), (6, 8)))


def rows(neutral="", nearness=None):
    """All slots, each as (class, label, reference, hypothesis, is neutral)."""
    found = outcomes(REFERENCE, HYPOTHESIS, MAPPING, frozenset(neutral), nearness)
    return [(o.slot.value, o.label, o.reference, o.hypothesis, o.is_neutral) for o in found]


def test_every_slot_has_its_class():
    """Elements of the reference, insertions, mentions that were not found, missed elements."""
    assert rows() == [
        ("D", "d", 0, None, False),
        ("C", "a", 1, 1, False),
        ("S_S", "s", 2, 2, False),
        ("S_T", "t", 3, 3, False),
        ("S_ST", "u", 4, 4, False),
        ("I", "i", None, 0, False),
        ("I", "n", None, 5, False),
        ("I", "o", None, 6, False),
        ("D", "m", None, None, False),
    ]


@pytest.mark.parametrize("label", "astxuydinom")
def test_a_slot_is_neutral_by_the_label_of_either_element(label):
    """The slots of an element whose label is neutral cost nothing, whatever their class."""
    slot_of = {"x": "t", "y": "u"}
    assert [row[1] for row in rows(label) if row[4]] == [slot_of.get(label, label)]


def test_levels_are_of_type_substitutions_that_cost_something():
    """How near a label is matters where the span is right and no label is neutral."""

    def levels(neutral=""):
        found = outcomes(REFERENCE, HYPOTHESIS, MAPPING, frozenset(neutral), lambda of, other: 2)
        return [o.right_levels for o in found]

    assert [0, 0, 0, 2, 0, 0, 0, 0, 0] == levels()
    assert [0] * 9 == levels("t") == levels("x")


def test_nearness_is_asked_for_the_accepted_labels_and_the_other():
    """All labels that an element accepts are compared with the one that was found."""
    reference = Reference("d", WORDS, (placed("b", "c"),))
    hypothesis = Document("d", WORDS, (Element("x", 0, 1),))
    [outcome] = outcomes(
        reference,
        hypothesis,
        Mapping(((0, 0),), ((0, 1),)),
        nearness=lambda of, other: {(("b", "c"), "x"): 3}[of, other],
    )
    assert outcome == Outcome(Slot.TYPE, "b", 0, 0, right_levels=3)


@pytest.mark.parametrize(
    ("start", "end", "label", "slot"),
    [(0, 2, "c", "C"), (0, 1, "c", "S_S"), (1, 2, "b", "S_S"), (0, 2, "x", "S_T")],
)
def test_any_accepted_label_on_the_chosen_span_is_correct(start, end, label, slot):
    """Both frontiers must be the chosen ones, and the label one of those accepted."""
    reference = Reference("d", WORDS, (placed("b", "c"),))
    hypothesis = Document("d", WORDS, (Element(label, start, end),))
    [outcome] = outcomes(reference, hypothesis, Mapping(((0, 0),), ((0, 2),)))
    assert (slot, "b") == (outcome.slot.value, outcome.label)


def test_a_slot_costs_what_its_class_does():
    """Each right level takes its share off a type substitution; what is neutral is free."""
    costs = Costs.parse("S_T=0.5,S_T.depth=3")
    assert Fraction(1) == Outcome(Slot.DELETION, "a", 0, None).cost(costs)
    assert Fraction(1, 2) == Outcome(Slot.TYPE, "a", 0, 0).cost(costs)
    assert Fraction(1, 6) == Outcome(Slot.TYPE, "a", 0, 0, right_levels=2).cost(costs)
    assert Fraction(0) == Outcome(Slot.TYPE, "a", 0, 0, is_neutral=True).cost(costs)
