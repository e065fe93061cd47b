"""Several responses to one key under several criteria, as in section 4 of Kehler et al. 2001."""

import csv
import json
import random
from fractions import Fraction

import pytest
from test_templates import CASES, document, generated

from sereval.errors import SerevalError
from sereval.measures.figures import Figure
from sereval.templates.align import ALGORITHMS
from sereval.templates.model import SlotNames, TemplateDocument
from sereval.templates.reader import is_templates, read_templates
from sereval.templates.responses import (
    Contrast,
    Spread,
    bands,
    criteria,
    f_measure,
    score_responses,
)
from sereval.templates.responses_report import report_of
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


def test_a_tie_is_no_flip():
    """One criterion must say better and the other worse."""
    assert contrast(a="50 40", b="50 30").flips == []
    assert contrast(a="50 40", b="60 50").flips == []
    assert contrast(a="50 40", b="60 40").flips == []


def test_pairs_of_53_states():
    """53 states have 1 378 pairs; of pairs in bands of one point none is left out."""
    states = {f"s{k:02}": f"{50 + k / 10} {50 + (k * 7 % 53) / 10}" for k in range(53)}
    found = contrast(**states)
    assert found.pairs == 1378
    sizes = [flip.size for flip in found.flips]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(bands(sizes)) == len(sizes) > 90
    by_hand = [
        (a, b)
        for k, a in enumerate(states)
        for b in [*states][k + 1 :]
        if (found.rates[b][0] - found.rates[a][0]) * (found.rates[b][1] - found.rates[a][1]) < 0
    ]
    assert sorted(by_hand) == sorted((flip.first, flip.second) for flip in found.flips)


def test_borders_of_bands():
    """A point and two points are between the bands of less and of more."""
    assert bands([*map(Fraction, ("0.0099", "0.01", "0.015", "0.02", "0.0201"))]) == (1, 3, 1)


def test_spread_of_nothing():
    """Without a size there is no least one."""
    assert Spread.of([]) == (0, None, None, None)


def test_f_is_exact():
    """The exact F is that of the figures, and undefined without fills."""
    assert f_measure(Figure(cor=1, par=1, mis=1), 1) == Fraction(3, 5)
    assert f_measure(Figure(cor=8, inc=3, mis=4, spu=2), 2) == Fraction(40, 73)
    assert f_measure(Figure(), 1) is None


RESPONSES_OF_SECTION_3 = {
    "murdoch": "figure_4/response.muc",
    "both": "figure_5_and_4/response.muc",
    "mounter": "figure_5/response.muc",
    "blocked": "figure_4/blocked.muc",
}


def section_3(ways):
    """The four outputs of section 3 for one text, as states of a system."""
    key = read_templates(str(CASES / "figure_4/key.muc"), key=True)
    read = {
        name: read_templates(str(CASES / path), key=False)
        for name, path in RESPONSES_OF_SECTION_3.items()
    }
    return score_responses(key, read, ways)


def test_section_3():
    """To extract the right event beside the wrong one lowers F from 57 to 45, or raises it."""
    found = section_3(criteria(EMPTY, ["greedy"]))
    [contrasts] = found.contrasts
    [flip] = contrasts.whole.flips
    assert (flip.first, flip.second) == ("murdoch", "both")
    assert (flip.base, flip.other) == (
        Fraction(18, 40) - Fraction(16, 28),
        Fraction(18, 40) - Fraction(4, 28),
    )
    assert contrasts.whole.lower == [Fraction(12, 28)]
    assert contrasts.documents.keys() == {"024"}
    assert contrasts.documents["024"].rates == contrasts.whole.rates


def test_documents_without_a_key():
    """A document without a fill in the key has no recall, and is left out by document only."""
    key = [document("A1 s=x", id="1")]
    response = [document("A1 s=x", id="1"), document("A1 s=x", id="2")]
    found = score_responses(key, {"a": response, "b": key}, criteria(EMPTY, ["greedy"]))
    [contrasts] = found.contrasts
    assert contrasts.documents.keys() == {"1"}
    assert [each.rates["a"] for each in (contrasts.whole, contrasts.documents["1"])] == [
        (Fraction(2, 3),) * 2,
        (Fraction(1),) * 2,
    ]


def test_criteria_are_those_asked_for_first():
    """Two by criterion, four by criterion and alignment."""
    asked = TemplateSettings(
        criterion="restrictive", alignment="assignment", low_entropy=SlotNames(("s",))
    )
    assert [each.criterion for each in criteria(asked, ["assignment"])] == [
        "restrictive",
        "standard",
    ]
    ways = [(each.criterion, each.alignment) for each in criteria(asked, ALGORITHMS)]
    assert ways[0] == ("restrictive", "assignment")
    assert len({*ways}) == 4
    low = {each.criterion: each.low_entropy.names for each in criteria(asked, ALGORITHMS)}
    assert low["restrictive"] == ("s",) != low["standard"]


@pytest.mark.parametrize("seed", range(8))
def test_each_score_is_that_of_the_response_alone(seed):
    """A response among others has the figures that it has alone, under each criterion."""
    dice = random.Random(seed)
    key = [renamed(generated(dice, rings=False, most=5, key=True), str(k)) for k in range(3)]
    responses = {
        name: [renamed(generated(dice, rings=False, most=5, key=False), str(k)) for k in range(3)]
        for name in "abc"
    }
    ways = criteria(TemplateSettings(low_entropy=SlotNames(("L", "s"))), ALGORITHMS)
    found = score_responses(key, responses, ways)
    for name, response in responses.items():
        for way, settings in enumerate(ways):
            alone = score_templates(key, response, settings)
            assert found.figure(name, way) == alone.total
            assert found.scores[name][way] == alone.scheme


def renamed(given, id):
    return TemplateDocument(id, given.templates)


def test_the_response_of_an_error_is_named():
    """A document that one response lacks is refused with the name of the response."""
    key = [document("A1 s=x")]
    with pytest.raises(SerevalError, match="^b: no template in the response: document 1 has no"):
        score_responses(key, {"a": key, "b": []}, criteria(TemplateSettings(), ["greedy"]))


def test_notes_name_responses():
    """A note that is not about all responses names those that it is about."""
    key = [document("A1 s=x")]
    found = score_responses(key, {"a": key, "b": []}, criteria(EMPTY, ["greedy"]))
    assert "b: Documents in the key only: 1." in found.notes
    assert any(note.startswith("Slots of low entropy that no template has") for note in found.notes)


def test_reports_agree():
    """JSON and CSV have the counts of the text."""
    found = section_3(criteria(EMPTY, ALGORITHMS))
    report = json.loads("".join(report_of(found).json()))
    both = [row["COR"] for row in report["responses"] if row["response"] == "both"]
    assert both == [9] * 4
    [first, *_] = [row for row in report["flips"] if row["document"] is None]
    assert first["size"] == 12 / 28
    bands = [row["pairs"] for row in report["bands"] if row["document"] is None]
    assert bands[:3] == [0, 0, 1]
    [flips, *_] = [row for row in report["changes"] if row["change"] == "flips"]
    assert flips["documents"] == 1
    rows = csv.DictReader(report_of(found).csv())
    assert sum(int(row["COR"]) for row in rows) == sum(row["COR"] for row in report["responses"])


def test_what_begins_as_a_template_file_does(tmp_path):
    """A header, or a JSON document with templates; nothing else, and nothing that is read once."""
    for name, text, expected in (
        ("a.muc", "<ORG-1-1> :=\n", True),
        ("b.jsonl", '{"id": "1", "templates": []}\n', True),
        ("c.ne", "<pers.ind> Dol </pers.ind>\n", False),
        ("d.jsonl", '{"id": "1", "words": []}\n', False),
        ("e", "", False),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        assert expected == is_templates(str(tmp_path / name)), name
    folder = tmp_path / "folder"
    folder.mkdir()
    assert not is_templates(str(folder))
    (folder / "a.muc").write_text("\ufeff  <ORG-1-1> :=\n", "utf-8")
    assert is_templates(str(folder))
    assert not is_templates("-")
    assert not is_templates(str(tmp_path / "nothing"))
