"""What can change a digit is in the signature, and what cannot be is refused."""

import pytest

from sereval.alignment.blocks import SCLITE, TIES, UNIT
from sereval.alignment.normalise import NORMALISATIONS
from sereval.alignment.text import align_text
from sereval.errors import SerevalError
from sereval.evaluation.settings import SEARCHES, ByWords, Settings, Signature, joint, settings_of
from sereval.labels.grammar import load_grammar
from sereval.labels.relabel import LabelMap, Labels
from sereval.mapping.best import as_lne, cheapest
from sereval.mapping.search import MAX_STATES
from sereval.measures.slots import Costs

COSTS = "costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1"
BY_DEPTH = Costs.parse("S_T.depth=3")


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({}, ["tolerance:none", "unplaceable:drop", COSTS]),
        ({"tolerance": (0, 0)}, ["tolerance:0", "unplaceable:drop", COSTS]),
        ({"tolerance": (300, 500)}, ["tolerance:0.3,0.5", "unplaceable:drop", COSTS]),
        ({"unplaceable": "miss"}, ["tolerance:none", "unplaceable:miss", COSTS]),
        (
            {"through": ByWords()},
            ["by:text", "weights:sclite", "tolerance:0w", "unplaceable:drop", COSTS],
        ),
        (
            {"through": ByWords(tolerance=1, ties="early")},
            [
                *("by:text", "weights:sclite", "tolerance:1w", "ties:early"),
                *("unplaceable:drop", COSTS),
            ],
        ),
        (
            {"through": ByWords("phones", language="fr-fr", tolerance=2, ties="early")},
            ["by:phones", "language:fr-fr", "tolerance:2w", "unplaceable:drop", COSTS],
        ),
        (
            {
                "scheme": "quaero-lne",
                "is_bound": True,
                "missing": "empty",
                "pairing": "half",
                "neutral": frozenset({"b", "a"}),
                "labels": Labels(level=1),
                "max_states": 7,
            },
            [
                *("tolerance:none", "unplaceable:drop", "scheme:quaero-lne", "upper-bound"),
                *("missing:empty", "pairing:half", "neutral:a,b", "level:1", "hierarchy:dots"),
                COSTS,
            ],
        ),
        (
            {"costs": BY_DEPTH},
            ["tolerance:none", "unplaceable:drop", "hierarchy:dots", f"{COSTS},S_T.depth=3"],
        ),
        (
            {"costs": BY_DEPTH, "labels": Labels(level=2, grammar=load_grammar("quaero"))},
            [
                *("tolerance:none", "unplaceable:drop", "level:2", "hierarchy:quaero"),
                f"{COSTS},S_T.depth=3",
            ],
        ),
    ],
)
def test_a_signature_has_what_is_not_as_usual(given, parts):
    """In one order, with what is always said; the limit of the search is not in it."""
    assert "|".join(["SER", *parts]) == str(Settings(**given).signature)


@pytest.mark.parametrize(
    ("given", "projections", "expected"),
    [
        ({}, [""], [("tolerance", "none"), ("unplaceable", "drop")]),
        (
            {"missing": "empty", "labels": Labels(only=("a:x", "b"))},
            ["", "tolerance:0.3"],
            [
                *(("tolerance", "none"), ("unplaceable", "drop"), ("reference", "fuzzy")),
                *(("missing", "empty"), ("only", "a:x,b"), ("hierarchy", "dots")),
            ],
        ),
        ({"tolerance": (1, 1)}, ["x"], [("tolerance", "0.001"), ("unplaceable", "drop")]),
        (
            {"through": ByWords(), "unplaceable": "merge"},
            ["x"],
            [
                *(("by", "text"), ("weights", "sclite"), ("tolerance", "0w")),
                ("unplaceable", "merge"),
            ],
        ),
    ],
)
def test_schemes_without_costs_say_how_the_words_came_together(given, projections, expected):
    """In pairs; a reference is fuzzy that was not projected now, but says that it was before."""
    assert tuple(expected) == Settings(**given).words_signature(projections)


def test_a_map_is_part_of_both_signatures():
    """By what tells it from others."""
    map = LabelMap({}, {"a": "b"})
    given = Settings(labels=Labels(map))
    assert f"|map:{map.signature}|costs:" in str(given.signature)
    assert ("map", map.signature) in given.words_signature([])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unplaceable": "keep"}, "found 'keep', expected one of drop, miss, merge"),
        ({"missing": "skip"}, "found 'skip', expected one of error, empty, drop"),
        ({"pairing": "span"}, "found 'span', expected one of word, half, label"),
        ({"scheme": "muc"}, "found 'muc', expected one of quaero, quaero-lne"),
        ({"neutral": frozenset({"a,b"})}, "neutral label 'a,b', expected one without a comma or |"),
        ({"neutral": frozenset({"a|b"})}, "neutral label 'a|b', expected one without a comma or |"),
        ({"neutral": frozenset({""})}, "neutral label '', expected one without a comma or |"),
        ({"max_states": 0}, "found 0 states at most, expected 1 or more"),
        (
            {"tolerance": (-1, 0)},
            "the tolerance (-1, 0) of Settings, expected those of starts and of ends in ms, such "
            "as (300, 300)",
        ),
        (
            {"tolerance": 0.3},
            "the tolerance 0.3 of Settings, expected those of starts and of ends in ms, such as "
            "(300, 300)",
        ),
        (
            {"tolerance": (0, 0), "through": ByWords()},
            "a tolerance in time and an alignment of words, expected one of them",
        ),
    ],
)
def test_what_cannot_be_is_refused(given, message):
    """What was found and what was expected are said."""
    with pytest.raises(SerevalError) as error:
        Settings(**given)
    assert message == str(error.value)


def test_one_state_is_a_limit():
    """The least there is; the usual one is a million."""
    assert (1, 1_000_000) == (Settings(max_states=1).max_states, MAX_STATES)


def test_a_reference_is_projected_by_either():
    """A tolerance in time, or an alignment of the words."""
    asked = [{}, {"tolerance": (0, 0)}, {"through": ByWords()}]
    assert [False, True, True] == [Settings(**given).is_projected for given in asked]


def test_nearness_is_asked_for_where_costs_hang_on_it():
    """It counts the levels of the hierarchy down to the depth of the costs."""
    assert Settings().nearness is None
    nearness = Settings(costs=BY_DEPTH).nearness
    assert [0, 1, 2] == [nearness(("a.b.c",), label) for label in ("x", "a", "a.b")]


def test_words_are_aligned_by_what_was_asked_for(monkeypatch):
    """By text with its weights and ties, or by phones in its language."""
    left, right = ("a", "new", "york"), ("the", "newark", "a")
    for weights in (SCLITE, UNIT):
        assert ByWords("text", weights).align(left, right) == align_text(left, right, weights)
    run = ("gingrich",), ("good", "rich")
    for ties in TIES:
        assert ByWords(ties=ties).align(*run) == align_text(*run, ties=ties)
    forms = ByWords(normalise=NORMALISATIONS["caseless"]).align(["A"], ["x", "a"])
    assert forms == align_text(["A"], ["x", "a"], normalise=NORMALISATIONS["caseless"])
    assert forms != ByWords(normalise=NORMALISATIONS["exact"]).align(["A"], ["x", "a"])
    monkeypatch.setattr("sereval.alignment.phones.align_phones", lambda *given, at: given)
    assert ByWords("phones", language="fr-fr").align(left, right) == (left, right, "fr-fr")
    with pytest.raises(SerevalError, match="found 'sound', expected one of text, phones"):
        ByWords("sound")


def test_settings_are_made_from_what_a_user_gives():
    """What is not given stays as it is."""
    assert settings_of() == Settings()
    assert settings_of(tolerance=(0, 5)) == Settings((0, 5))
    assert settings_of(costs=BY_DEPTH).costs == BY_DEPTH
    assert settings_of(neutral=["b", "a", "b"]).neutral == {"a", "b"}
    assert settings_of(missing="drop", max_states=3) == Settings(missing="drop", max_states=3)


def test_the_hierarchy_is_the_grammars_unless_the_labels_have_one():
    """Labels that were changed with a grammar keep it."""
    quaero, muc = load_grammar("quaero"), load_grammar("muc")
    assert settings_of(grammar=quaero).labels.grammar is quaero
    labels = Labels(level=1, grammar=muc)
    assert settings_of(grammar=quaero, labels=labels).labels == labels
    assert settings_of(labels=Labels(level=1)).labels.grammar is None


def test_each_scheme_has_its_search():
    """The definition's least cost, or what LNE's program charges."""
    assert {"quaero": cheapest, "quaero-lne": as_lne} == SEARCHES


def read(text):
    """A signature from its printed form."""
    parts = (part.partition(":") for part in text.split("|"))
    return Signature((name, value if colon else None) for name, colon, value in parts)


def test_a_signature_prints_its_pairs():
    """A name without a value stands alone; a value may have a colon, or be empty."""
    signature = Signature([("SER", None), ("a", "1:2"), ("b", "")])
    assert str(signature) == "SER|a:1:2|b:"
    assert read("SER|a:1:2|b:") == signature


def test_other_values_change_nothing_else():
    """The order stays, and what is not there is not added."""
    assert str(read("SER|a:1|b:2").but(a="3", c="4")) == "SER|a:3|b:2"


def test_joint_signatures_have_what_each_of_them_has():
    """Values of one name stand together in the order in which they come; the version is last."""
    signatures = ["SER|a:1,2|x|version:1", "SER|a:2,3|version:1", "SER|b:|c:4|version:2"]
    assert str(joint(map(read, signatures))) == "SER|a:1,2,3|x|b|c:4|version:1,2"
    assert str(joint([read("SER|a:1:2|version:1")])) == "SER|a:1:2|version:1"


def test_one_placement_is_a_limit():
    """The least limits are 1."""
    assert (1, 1) == (Settings(max_placements=1).max_placements, Settings(max_states=1).max_states)
