"""What can change a digit is in the signature, and what cannot be is refused."""

from collections import Counter

import pytest

from sereval.evaluation.settings import ByWords, Settings
from sereval.labels import Labels
from sereval.schemes.semeval import _told

COSTS = "costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1"


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
    ],
)
def test_a_signature_has_what_is_not_as_usual(given, parts):
    """In one order, with what is always said; the limit of the search is not in it."""
    assert "|".join(["SER", *parts]) == str(Settings(**given).signature)


@pytest.mark.parametrize(
    ("given", "is_fuzzy", "expected"),
    [
        ({}, False, [("tolerance", "none"), ("unplaceable", "drop")]),
        (
            {"missing": "empty", "labels": Labels(only=("a:x", "b"))},
            True,
            [
                *(("tolerance", "none"), ("unplaceable", "drop"), ("reference", "fuzzy")),
                *(("missing", "empty"), ("only", "a:x,b"), ("hierarchy", "dots")),
            ],
        ),
        ({"tolerance": (1, 1)}, True, [("tolerance", "0.001"), ("unplaceable", "drop")]),
        (
            {"through": ByWords(), "unplaceable": "merge"},
            True,
            [
                *(("by", "text"), ("weights", "sclite"), ("tolerance", "0w")),
                ("unplaceable", "merge"),
            ],
        ),
    ],
)
def test_schemes_without_costs_say_how_the_words_came_together(given, is_fuzzy, expected):
    """In pairs; a reference is fuzzy that was not projected now, but says that it was before."""
    found = _told(Counter(fuzzy=is_fuzzy), Settings(**given))
    assert expected == [*found.settings]
