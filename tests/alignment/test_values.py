"""Equal values: what says the same is equal, what may say something else is not."""

import csv
import json
from collections import Counter

import pytest
from paths import CORPORA

from sereval.alignment.normalise import normalisation
from sereval.alignment.values import LANGUAGES, canonical_value, rules_between

EQUAL = {  # the rules without which two texts would differ
    ("we're late", "we are late"): ["contractions"],
    ("R&D", "r and d"): ["contractions"],
    ("two hundred and five", "205"): ["numbers"],
    ("one point two million", "1,200,000"): ["numbers"],
    ("the nineties", "the 90s"): ["numbers"],
    ("the 25th of March", "Mar. 25"): ["dates"],
    ("December 5th, 2020", "december five twenty twenty"): ["numbers", "dates", "groups"],
    ("eight fifty five a m", "8:55 a.m."): ["numbers", "times"],
    ("1 o'clock p.m.", "1 PM"): ["times"],
    ("half past four", "4:30"): ["numbers", "times"],
    ("quarter to one", "12:45"): ["numbers", "times"],
    ("one hundred fifteen dollars", "$115"): ["numbers", "money"],
    ("three dollars and fifty cents", "$3.50"): ["numbers", "money"],
    ("$1.2bn", "1.2 billion US dollars"): ["numbers", "money"],
    ("7.40 per cent", "7.4%"): ["percent"],
    ("ada dot l at mail dot com", "Ada.L@mail.com"): ["addresses"],
    ("five kilometres", "5 km"): ["numbers", "units"],
    ("Z K three", "ZK3"): ["numbers", "spelling"],
    ("zulu kilo 3", "z-k-3"): ["spelling"],
    ("U.S. bonds", "US bonds"): ["spelling"],
    ("four one two", "412"): ["numbers", "groups"],
    ("nineteen oh five", "1905"): ["numbers", "groups"],
    ("5550147777", "(555) 014-7777"): ["groups"],
    ("two thirty (2:30)", "2:30"): ["numbers", "groups"],
}


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal(one: str, other: str):
    """Two texts say the same value, and it is known by which rules."""
    assert canonical_value(one) == canonical_value(other)
    assert rules_between(one, other) == EQUAL[one, other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fifteen", "fifty"), ("2:30", "2.30"), ("one fifty", "$1.50"), ("$1.50", "$150"),
        ("6-7", "67"), ("six to seven", "67"), ("one two", "3"), ("twenty twenty", "40"),
        ("5 pm", "5 am"), ("nine eleven", "9:11 pm"), ("1:00", "100"), ("3/4", "April 3"),
        ("March 25", "March 26th"), ("five percent", "5"), ("$5", "€5"), ("£20", "twenty pounds"),
        ("a.l@mail.com", "al@mail.com"), ("N TJ B", "N T J B"), ("mike", "m"), ("o 5", "0 5"),
        ("the first", "1"), ("20 1", "21"), ("one hundred one", "100 1"), ("-3", "3"),
    ],
)  # fmt: skip
def test_unequal(one: str, other: str):
    """Another value, or one that may be another."""
    assert canonical_value(one) != canonical_value(other)


def test_other_languages_have_their_numbers():
    """What a number in words is, in each language of the package."""
    words = ["thirty six", "trente-six", "sechsunddreißig", "treinta y seis", "trentasei",
             "zesendertig", "trinta e seis"]  # fmt: skip
    found = dict(zip(LANGUAGES, words, strict=True))
    assert {canonical_value(text, language) for language, text in found.items()} == {"36"}
    assert canonical_value("trois virgule cinq", "fr") == canonical_value("3,5", "fr") == "3.5"


def test_forms_know_their_words():
    """In a text, the words of a value are one stretch."""
    found = normalisation("values").forms(
        ["flight", "four", "one", "two", "at", "five", "p.m.", "sharp"]
    )
    assert found.texts == ["flight", "412", "at", "5", "pm", "sharp"]
    assert found.spans == [(0, 1), (1, 4), (4, 5), (5, 6), (6, 7), (7, 8)]


JUDGED = CORPORA / "published" / "eva" / "judged.jsonl"


@pytest.mark.skipif(not JUDGED.exists(), reason="the corpus is not part of the project")
def test_pairs_judged_by_people():
    """96 of 100 pairs are judged as people do; no wrong value is called right."""
    pairs = [json.loads(line) for line in JUDGED.read_text("utf-8").splitlines()]
    judged = Counter(
        (canonical_value(pair["said"]) == canonical_value(pair["heard"]), pair["correct"])
        for pair in pairs
    )
    assert judged[True, False] == 0
    assert judged[True, True] + judged[False, False] >= 0.96 * len(pairs)


EARNINGS = CORPORA / "earnings21"


@pytest.mark.check
@pytest.mark.skipif(not EARNINGS.is_dir(), reason="the corpus is not part of the project")
def test_readings_of_what_was_written():
    """Nine of ten stretches of Earnings-21 equal one of the ways in which they are read aloud."""
    equal = Counter()
    for path in sorted((EARNINGS / "norm").iterdir()):
        name = path.name.partition(".")[0]
        written: dict[str, list[str]] = {}
        with (EARNINGS / "nlp" / f"{name}.nlp").open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="|", quoting=csv.QUOTE_NONE):
                for tag in json.loads((row["wer_tags"] or "[]").replace("'", '"')):
                    written.setdefault(tag, []).append(row["token"])
        for tag, stretch in json.loads(path.read_text("utf-8")).items():
            if tag in written:
                form = canonical_value(" ".join(written[tag]))
                readings = (" ".join(one["verbalization"]) for one in stretch["candidates"])
                equal[any(canonical_value(one) == form for one in readings)] += 1
    assert equal[True] >= 0.9 * equal.total() > 4000
