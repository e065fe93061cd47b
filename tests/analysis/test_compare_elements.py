"""The elements of a comparison, with the outcome under each system, in order of suspicion."""

from collections import Counter

import pytest
from two_systems import evaluated

from sereval import Document, SerevalError, compare, evaluate, tree
from sereval.analysis.compare import AGREEMENTS
from sereval.measures import Slot

TEXT = tuple("abcdefgh")
SAID = [("s", 0, 1), ("t", 1, 2), ("u", 2, 3), ("v", 3, 4), ("w", 4, 5), ("x", 5, 6)]
ANSWERS = {  # s other label, t other span, u missed, v all wrong, w some wrong, x correct
    "one": [("o", 0, 1), ("t", 1, 3), ("q", 3, 4), ("w", 4, 5), ("x", 5, 6), ("i", 6, 7)],
    "two": [("o", 0, 1), ("t", 1, 3), ("v", 3, 5), ("x", 5, 6), ("i", 6, 7), ("j", 7, 8)],
}


def elements(scores):
    """The rows of the table."""
    return compare({"": scores}).to_frame("elements")


def test_what_all_systems_agree_on_comes_first():
    """Elements come in the order of suspicion, each once, with the answer of each system."""
    reference = [Document("d", TEXT, tree(SAID))]
    found = elements(
        {
            system: evaluate(reference, [Document("d", TEXT, tree(spans))])
            for system, spans in ANSWERS.items()
        }
    )
    rows = found[["agreement", "labels", "one", "two"]].fillna("").values.tolist()
    assert [(agreement, *labels, one, two) for agreement, labels, one, two in rows] == [
        ("all alike", "s", 'S_T o "a"', 'S_T o "a"'),
        ("all alike", "t", 'S_S t "b c"', 'S_S t "b c"'),
        ("all alike", "u", "D", "D"),
        ("all alike", "i", 'I i "g"', 'I i "g"'),
        ("all wrong", "v", 'S_T q "d"', 'S_S v "d e"'),
        ("some wrong", "w", 'C w "e"', "D"),
        ("some wrong", "j", "", 'I j "h"'),
        ("right", "x", 'C x "f"', 'C x "f"'),
    ]


def test_outcomes_are_those_of_the_score():
    """Over all rows a system has each class as often as its score counts it."""
    scores = evaluated(1)
    found = elements(scores)
    assert [*found["agreement"]] == sorted(found["agreement"], key=AGREEMENTS.index)
    for system, score in scores.items():
        counts = Counter(answer.split()[0] for answer in found[system].dropna())
        assert counts == {slot.value: n for slot in Slot if (n := score.counts[slot])}


def test_a_score_without_outcomes_is_refused():
    """Counts alone say nothing of elements."""
    found = compare([["B-PER"]], {"one": [["O"]]}, measure="leak")
    with pytest.raises(SerevalError, match="expected a score with the outcome of each element"):
        found.to_frame("elements")
