"""Word error rates of references that may be said in other words."""

import csv
import json
from pathlib import Path

import pytest
from cli_files import put
from paths import CORPORA

import sereval
from sereval.alignment.blocks import CORRECT, SCLITE, UNIT
from sereval.alignment.normalise import NORMALISATIONS
from sereval.alignment.words import word_operations
from sereval.analysis.alignment import document_alignment
from sereval.documents.checks import Alternative
from sereval.documents.model import Document, tree
from sereval.errors import SerevalError
from sereval.evaluation.settings import ByWords
from sereval.evaluation.words import WordSettings, errors_of
from sereval.formats.native import write
from sereval.formats.nlp import alternatives_of, norm_files
from sereval.measures.words import BiasingList, WordErrors

YEAR = Alternative(1, 2, (("twenty", "twenty"), ("two", "thousand", "twenty")))
WORDS = ("in", "2020", "we", "won")
HEARD = ("in", "twenty", "twenty", "we", "won")
REFERENCE = Document("d", WORDS, tree([("date", 0, 2), ("year", 1, 2)]), alternatives=(YEAR,))


def heard(text):
    return Document("d", tuple(text.split()))


def test_words_are_those_of_the_chosen_reading():
    """By hand: of six words, one of the year's three is wrong, and one is deleted."""
    found = errors_of((REFERENCE, heard("in two thousand plenty we")), WordSettings())
    assert WordErrors(correct=4, S=1, D=1) == found.errors
    assert (1, 1) == found.readings
    labels = {label: one.errors for label, one in found.parts.labels.items()}
    assert {
        "date": WordErrors(correct=3, S=1),
        "year": WordErrors(correct=2, S=1),
    } == labels
    plain = Document("d", WORDS, REFERENCE.elements)
    assert 4 == errors_of((plain, heard("in two thousand plenty we")), WordSettings()).errors.ref


def test_insertions_in_a_reading_are_inside():
    """A word between two words of a reading is inside the elements that hold the stretch."""
    found = errors_of((REFERENCE, heard("in two uh thousand twenty we won")), WordSettings())
    labels = {label: one.errors for label, one in found.parts.labels.items()}
    assert WordErrors(correct=3, I=1) == labels["year"]


def test_lists_have_the_words_of_the_reading():
    """The words of a biasing list are found in what is counted as said."""
    how = WordSettings(SCLITE, biasing=BiasingList(("Twenty",)))
    found = errors_of((REFERENCE, heard("in twenty plenty we won")), how)
    assert WordErrors(correct=1, S=1) == found.parts.biased


@pytest.mark.parametrize("weights", [UNIT, SCLITE])
def test_every_reading_is_right(weights):
    """A reference against any of its readings has no error, and all words are correct."""
    for said in ("2020", "twenty twenty", "two thousand twenty"):
        pair = REFERENCE, heard(f"in {said} we won")
        errors = errors_of(pair, WordSettings(weights)).errors
        assert WordErrors(correct=3 + len(said.split())) == errors
        shown = document_alignment(pair, ByWords(weights=weights))
        assert {CORRECT} == {block.op for block in shown.blocks}
        assert ((1, 2), (1, 1 + len(said.split()))) in [(b.ref, b.hyp) for b in shown.blocks]


def test_recut_words_keep_their_alternatives():
    """If the words are cut otherwise, the stretches move with their frontiers."""
    from sereval.documents.words import recut

    ours = Document("d", ("a-b", "c"), alternatives=(Alternative(1, 2, (("x",),)),))
    theirs = Document("d", ("a-", "b", "c"))
    assert (Alternative(2, 3, (("x",),)),) == recut(ours, theirs)[0].alternatives


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


def test_the_alignment_has_the_reading(here, run):
    """Its errors are those of the rate, also in another normalisation."""
    out = run("align ref hyp --alternatives norm")[1]
    assert "0 ref in 2020          we won\n  hyp in twenty twenty we won\n\n" in out
    assert "align|by:text|weights:unit|alternatives:cheapest|" in out
    status, out, _ = run("align ref hyp --alternatives norm --format csv")
    assert status == 0
    assert {"correct"} == {row["operation"] for row in csv.DictReader(out.splitlines())}
    pytest.importorskip("whisper_normalizer")
    status, out, _ = run("align ref hyp --normalise whisper-english --format csv")
    assert status == 0
    assert {"correct"} == {row["operation"] for row in csv.DictReader(out.splitlines())}


def test_alternatives_without_a_part_are_refused(here, run):
    """They change word error rates only; a bad path is one line."""
    status, out, err = run("score ref hyp --alternatives norm")
    assert (2, "", True) == (status, out, "--alternatives goes with --measure WER, with a" in err)
    for command in ("audit ref ref", "compare ref ref", "score ref ref --scheme conll"):
        status, out, err = run(f"{command} --alternatives norm")
        assert (2, "", True) == (status, out, "--alternatives goes with" in err), command
    status, out, err = run("compare ref hyp --by text --stability --alternatives norm")
    assert (2, "") == (status, out)
    with pytest.raises(SerevalError, match="--alternatives goes with --measure WER, with a"):
        sereval.score("ref", "hyp", alternatives="norm")
    status, out, err = run("score ref hyp --measure SER --alternatives norm")
    assert (2, "", True) == (status, out, "--alternatives goes with --measure WER" in err)
    status, out, err = run("score ref hyp --measure WER --alternatives ref")
    assert (1, "") == (status, out)
    assert "sereval: ref: no file of alternatives, expected .norm.json or .nlp\n" == err


def test_every_command_counts_the_cheapest_reading(here, run):
    """Beside the score of each command, and in blame: no word of the hypothesis is wrong."""
    put("campaign.toml", CAMPAIGN)
    for name, words in (("align", WORDS), ("words", HEARD)):
        times = tuple((100 * k, 100 * k + 90) for k in range(len(words)))
        put(f"{name}/d.jsonl", write([Document("d", words, times=times)]))
    for command in (
        "score ref hyp --by text",
        "score ref hyp --scheme mitre",
        "compare ref hyp --by text",
        "compare ref hyp --measure WER",
        "compare --campaign campaign.toml",
        "sweep ref hyp --align align --words words --tolerance 0.1,0.2",
        "audit ref hyp --by text",
        "blame ref ref hyp --by text",
        "blame --campaign campaign.toml",
    ):
        status, without, _ = run(command)
        assert (0, True, False) == (status, "WER" in without, "lternatives" in without), command
        status, out, _ = run(f"{command} --alternatives norm")
        assert (0, True) == (status, "WER" not in out or "alternatives:cheapest" in out), command


def test_alternatives_are_an_argument_of_every_function(here):
    """As on the command line; a path may be any object with a path."""
    found = sereval.blame("ref", "ref", "hyp", by="text", alternatives=Path("norm"))
    assert (0, "unexplained") == (found.words.total.rate, next(found.cases).cause)
    compared = sereval.compare("ref", "hyp", measure="WER", alternatives="norm")
    assert 0 == compared.conditions[0].systems[0].evaluation.total.rate
    for function in (sereval.score, sereval.audit):
        found = function("ref", "hyp", by="text", alternatives=["norm"])
        score = found if function == sereval.score else found.score
        assert score.word_errors is None


CAMPAIGN = """
reference = "ref"
[conditions.manual]
[conditions.asr]
by = "text"
[systems.s]
manual = "ref"
asr = "hyp"
"""


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


@pytest.mark.long
@pytest.mark.skipif(not CALLS.is_dir(), reason="../shared/corpora/earnings21 is not here")
def test_rates_of_a_corpus_are_those_of_its_description(run):
    """Google on the shared calls: 16.9 %, and fewer errors with alternatives."""
    sides = f"{CALLS}/ref {CALLS}/hyp/crf/google --measure WER --normalise alphanumeric"
    [rate] = rates(run, f"score {sides}")[0].values()
    assert 16.9 == round(100 * rate, 1)
    found = f"--alternatives {CALLS}/norm --alternatives {CALLS}/nlp"
    [rate] = rates(run, f"score {sides} {found}")[0].values()
    assert 15.8 == round(100 * rate, 1)


@pytest.mark.long
@pytest.mark.skipif(not CALLS.is_dir(), reason="../shared/corpora/earnings21 is not here")
def test_causes_of_a_corpus(run):
    """Blame has the same rates in its own forms; fewer elements are misheard, no cost moves."""
    outputs = f"{CALLS}/ref {CALLS}/hyp/crf/manual {CALLS}/hyp/crf/google"
    times = f"--align {CALLS}/align --words {CALLS}/asr/google --tolerance 0.3"
    files = f"--alternatives {CALLS}/norm --alternatives {CALLS}/nlp"
    plain, found = (
        json.loads(run(f"blame {outputs} {times} {more} --resamples 20 --format json")[1])
        for more in ("", files)
    )
    assert [16.9, 15.8] == [round(100 * one["words"]["wer"], 1) for one in (plain, found)]
    assert [541, 449] == [one["causes"]["misheard"] for one in (plain, found)]
    for name in ("corners", "shares", "outcomes", "insertions", "intervals"):
        assert plain[name] == found[name]
