"""Several responses to one key under several criteria, as in section 4 of Kehler et al. 2001."""

import random
from fractions import Fraction

import pytest
from paths import CASES
from test_templates import generated

from sereval.templates.align import TemplateDocument
from sereval.templates.reader import read_templates
from sereval.templates.report import (
    Contrast,
    criteria,
    score_responses,
)
from sereval.templates.score import TemplateSettings, score_templates

EMPTY = TemplateSettings(missing="empty")


def contrast(**states):
    """The F of states under two criteria, in percent as the paper prints them."""
    return Contrast(
        {name: tuple(Fraction(f) / 100 for f in both.split()) for name, both in states.items()}
    )


PRINTED = (  # sections 4.2.2 and 4.3.2: F of two states under both criteria, and the difference
    ("56.74 51.84", "55.48 53.13", "2.55"),
    ("51.49 48.91", "53.62 48.65", "2.39"),
    ("59.62 34.62", "51.69 51.69", "25.00"),
)


@pytest.mark.parametrize(("first", "second", "size"), PRINTED)
def test_printed_flips(first, second, size):
    """The pairs that the paper prints flip, by the differences that it prints."""
    found = contrast(a=first, b=second)
    assert [flip.size for flip in found.flips] == [Fraction(size) / 100]


def test_pairs_of_53_states():
    """Of the pairs of 53 states none that flips is left out."""
    states = {f"s{k:02}": f"{50 + k / 10} {50 + (k * 7 % 53) / 10}" for k in range(53)}
    found = contrast(**states)
    sizes = [flip.size for flip in found.flips]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) > 90
    by_hand = [
        (a, b)
        for k, a in enumerate(states)
        for b in [*states][k + 1 :]
        if (found.rates[b][0] - found.rates[a][0]) * (found.rates[b][1] - found.rates[a][1]) < 0
    ]
    assert sorted(by_hand) == sorted((flip.first, flip.second) for flip in found.flips)


RESPONSES_OF_SECTION_3 = {
    "murdoch": "figure_4/response.muc",
    "both": "figure_5_and_4/response.muc",
    "mounter": "figure_5/response.muc",
    "blocked": "figure_4/blocked.muc",
}


def section_3(ways):
    """The four outputs of section 3 for one text, as states of a system."""
    key = read_templates(str(CASES / "kehler_figure_4/key.muc"), key=True)
    read = {
        name: read_templates(str(CASES / f"kehler_{path}"), key=False)
        for name, path in RESPONSES_OF_SECTION_3.items()
    }
    return score_responses(key, read, ways)


def test_section_3():
    """To extract the right event beside the wrong one lowers F from 57 to 45, or raises it."""
    found = section_3(criteria(EMPTY))
    whole, *documents = found.contrasts
    [flip] = whole.flips
    assert (flip.first, flip.second) == ("murdoch", "both")
    assert (flip.base, flip.other) == (
        Fraction(18, 40) - Fraction(16, 28),
        Fraction(18, 40) - Fraction(4, 28),
    )
    assert whole.changes["lower"] == [Fraction(12, 28)]
    assert [(each.document, each.rates) for each in documents] == [("024", whole.rates)]


@pytest.mark.parametrize("seed", range(8))
def test_each_score_is_that_of_the_response_alone(seed):
    """A response among others has the figures that it has alone, under each criterion."""
    dice = random.Random(seed)
    key = [renamed(generated(dice, rings=False, most=5, key=True), str(k)) for k in range(3)]
    responses = {
        name: [renamed(generated(dice, rings=False, most=5, key=False), str(k)) for k in range(3)]
        for name in "abc"
    }
    ways = criteria(TemplateSettings(low_entropy=("L", "s")))
    found = score_responses(key, responses, ways)
    for name, response in responses.items():
        for way, settings in enumerate(ways):
            alone = score_templates(key, response, settings)
            assert found.figures[name, None][way] == alone.total
            assert found.scores[name][way] == alone.scheme


def renamed(given, id):
    return TemplateDocument(id, given.templates)
