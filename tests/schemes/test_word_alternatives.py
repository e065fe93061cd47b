"""Word error rates of references that may be said in other words."""

import json

import pytest
from cli_files import put
from paths import CORPORA

from sereval.alignment.blocks import CORRECT, SCLITE, UNIT
from sereval.alignment.normalise import NORMALISATIONS
from sereval.alignment.words import word_operations
from sereval.analysis.alignment import document_alignment
from sereval.documents.model import Alternative, Document, tree
from sereval.evaluation.settings import ByWords
from sereval.evaluation.words import WordErrors, WordSettings, errors_of
from sereval.formats.nlp import alternatives_of, norm_files

YEAR = Alternative(1, 2, (("twenty", "twenty"), ("two", "thousand", "twenty")))
WORDS = ("in", "2020", "we", "won")
HEARD = ("in", "twenty", "twenty", "we", "won")
REFERENCE = Document("d", WORDS, tree([("date", 0, 2), ("year", 1, 2)]), alternatives=(YEAR,))


def heard(text):
    return Document("d", tuple(text.split()))


def test_words_are_those_of_the_chosen_reading():
    """By hand: of six words, one of the year's three is wrong, and one is deleted."""
    found = errors_of((REFERENCE, heard("in two thousand plenty we")), WordSettings())
    assert WordErrors(correct=4, S=1, D=1) == found.parts.words
    assert (1, 1) == (found.alternatives, found.chosen)
    labels = {label: one.errors for label, one in found.parts.labels.items()}
    assert {
        "date": WordErrors(correct=3, S=1),
        "year": WordErrors(correct=2, S=1),
    } == labels
    plain = Document("d", WORDS, REFERENCE.elements)
    found = errors_of((plain, heard("in two thousand plenty we")), WordSettings())
    assert 4 == found.parts.words.ref


@pytest.mark.parametrize("weights", [UNIT, SCLITE])
def test_every_reading_is_right(weights):
    """A reference against any of its readings has no error, and all words are correct."""
    for said in ("2020", "twenty twenty", "two thousand twenty"):
        pair = REFERENCE, heard(f"in {said} we won")
        errors = errors_of(pair, WordSettings(weights)).parts.words
        assert WordErrors(correct=3 + len(said.split())) == errors
        shown = document_alignment(pair, ByWords(weights=weights))
        assert {CORRECT} == {block.op for block in shown.blocks}
        assert ((1, 2), (1, 1 + len(said.split()))) in [(b.ref, b.hyp) for b in shown.blocks]


# ------------------------------------------------------------------------------ the command line


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A reference in native JSON, with its alternatives in files of their own."""
    monkeypatch.chdir(tmp_path)
    put(
        "ref/d.jsonl",
        json.dumps(
            {"id": "d", "words": WORDS, "elements": [{"label": "year", "start": 1, "end": 2}]}
        )
        + "\n",
    )
    put(
        "hyp/d.jsonl",
        json.dumps({"id": "d", "words": HEARD}) + "\n",
    )
    put(
        "norm/d.norm.json",
        json.dumps(
            {
                "7": {
                    "class": "YEAR",
                    "candidates": [{"probability": 1.0, "verbalization": ["twenty", "twenty"]}],
                }
            }
        ),
    )
    rows = "".join(
        f"{word}|{tag}\n" for word, tag in zip(WORDS, ["[]", "['7:YEAR']", "[]", "[]"], strict=True)
    )
    put("norm/d.nlp", f"token|tags\n{rows}")
    return tmp_path


def rates(run, command):
    status, out, err = run(f"{command} --format json")
    assert (0, "") == (status, err)
    return {one["measure"]: one["value"] for one in json.loads(out)["measures"]}, out


def test_files_and_fields_give_the_same_rates(here, run):
    """--alternatives, and the field of a native file; the signature says that they are used."""
    measures = "--measure WER,entity-wer.year"
    without, out = rates(run, f"score ref hyp {measures}")
    assert {"WER": 2 / 4, "entity-wer.year": 1.0} == without
    assert "alternatives" not in out
    found, out = rates(run, f"score ref hyp {measures} --alternatives norm")
    assert {"WER": 0, "entity-wer.year": 0} == found
    assert "weights:unit|alternatives:cheapest" in out
    assert ["d.nlp", "d.norm.json"] == sorted(
        json.loads(out)["provenance"]["inputs"]["alternatives"][0]["files"]
    )
    native = json.loads((here / "ref" / "d.jsonl").read_text("utf-8"))
    native["alternatives"] = [{"start": 1, "end": 2, "readings": [["twenty", "twenty"]]}]
    put("own/d.jsonl", json.dumps(native) + "\n")
    assert found == rates(run, f"score own hyp {measures}")[0]
    text = run(f"score own hyp {measures}")[1]
    assert "Alternatives: 1 of 1 are counted in another reading." in text


# --------------------------------------------------------------------------------- Earnings-21

CALLS = CORPORA / "earnings21"


@pytest.mark.check
@pytest.mark.skipif(not CALLS.is_dir(), reason="../shared/corpora/earnings21 is not here")
@pytest.mark.parametrize("id", ["4387383", "4392809"])
def test_readings_of_a_call_are_right(id):
    """A whole call against the reading of each of its stretches has no error."""
    words = json.loads((CALLS / "ref" / f"{id}.jsonl").read_text("utf-8"))["words"]
    files = norm_files([str(CALLS / "norm"), str(CALLS / "nlp")])
    alternatives = alternatives_of(Document(id, tuple(words)), files)
    for pick in (0, -1):
        said, k = [], 0
        for one in alternatives:
            if one.start >= k:  # of two that share words, the first
                said += [*words[k : one.start], *one.readings[pick]]
                k = one.end
        said += words[k:]
        for normalise in (NORMALISATIONS["letters"], NORMALISATIONS["alphanumeric"]):
            counts = word_operations(words, said, UNIT, normalise, alternatives).counts
            assert len(normalise.forms(said).texts) == counts[CORRECT] == sum(counts.values())
