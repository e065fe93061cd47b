"""`sereval blame`: its report in each format, campaigns, and input that is refused."""

import csv
import io
import json
from fractions import Fraction

import pytest
from cli_files import put
from paths import DATA, ROOT

EXAMPLE = ROOT / "docs" / "examples" / "blame"
WORKED = [EXAMPLE / f"{name}.jsonl" for name in ("reference", "manual", "recognised")]
GAZETTEER = [DATA / "ref", DATA / "hyp/gazetteer/manual", DATA / "hyp/gazetteer/asr"]
TIMES = ["--align", DATA / "align", "--words", DATA / "asr", "--tolerance", "0.3"]
FEW = ["--resamples", "20"]
CAMPAIGN = ROOT / "docs" / "examples" / "campaign.toml"


def test_the_first_line_can_be_quoted(run):
    """The cost on recognised words as the sum of its three parts, in percent."""
    status, out, err = run("blame", *WORKED, "--tolerance", "0.1", *FEW)
    parts = "37.5 even on perfect words + 25.0 added by misheard words + 25.0 left without a word"
    assert (status, err, f"87.5 % = {parts}") == (0, "", out.splitlines()[0])
    assert "the recogniser's share    1.5  37.5" in out
    assert "A share is negative for pers." in out


@pytest.mark.check
def test_the_text_fits_a_small_terminal(run):
    """All lines but the sentence, the signature and paths have at most 80 columns."""
    _, out, _ = run("blame", *GAZETTEER, *TIMES, *FEW)
    first, *lines = out.splitlines()
    assert first.count("+") == 2
    own = [one for one in lines if not one.startswith(("Reference ", "Hypothesis ", "blame|"))]
    assert max(map(len, own)) <= 80


@pytest.mark.check
def test_the_json_is_as_promised(run):
    """The members of the report, whose sums hold in floats too: costs are halves and quarters."""
    _, out, _ = run("blame", *GAZETTEER, *TIMES, *FEW, "--format", "json")
    found = json.loads(out)
    expected = {
        "reference": 1051,
        "manual": 300.5,
        "perfect": 0,
        "recognised": 431.5,
        "interaction": 131,
        "manual_without_tolerance": 310,
        "recogniser_share": 65.5,
        "system_share": 366,
        "kept": 593,
        "lost": 125,
        "found": 5,
        "wrong": 328,
        "lost_deleted": 5,
        "lost_misheard": 108,
        "lost_context": 12,
        "lost_unexplained": 0,
        "insertions_manual": 16,
        "insertions_recognised": 30,
    }
    assert expected == {name: found["corners"][name] for name in expected}
    for parts in (found["labels"], found["documents"]):
        for name in ("recogniser_share", "system_share"):
            assert expected[name] == sum(part[name] for part in parts)
    assert [one["document"] for one in found["documents"]] == sorted(
        path.stem for path in (DATA / "ref").iterdir()
    )
    assert len(found["cases"]) == 125 + 5
    words = {"reference": 1627, "S": 276, "D": 42, "I": 60, "wer": 378 / 1627, "weights": "unit"}
    assert words == {name: found["words"][name] for name in words}
    assert {row["label"] for row in found["word_elements"]} - {None} == {
        one["label"] for one in found["labels"] if one["reference"]
    }
    assert found["resampling"]["unit"] == "utterance"
    assert found["provenance"]["command"] == "blame"


@pytest.mark.check
def test_the_csv_has_every_case(run):
    """A row for each element and insertion; the costs of either words add up to the corner's."""
    _, out, _ = run("blame", *GAZETTEER, *TIMES, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [1051, 16, 30] == [
        sum(row["side"] == side for row in rows) for side in ("reference", "manual", "recognised")
    ]
    assert Fraction("300.5") == sum(Fraction(row["manual_cost"]) for row in rows)
    assert Fraction("431.5") == sum(Fraction(row["recognised_cost"]) for row in rows)
    assert sum(row["group"] == "lost" for row in rows) == 125


@pytest.mark.check
def test_a_campaign_has_a_row_for_each_system(run):
    """Each system on each recogniser's words: the figures of a run of its own."""
    status, out, _ = run("blame", "--campaign", CAMPAIGN, *FEW)
    assert status == 0
    rows = [line.split() for line in out.splitlines() if line.startswith("compromise ")]
    assert rows[0] == ["compromise", "asr", "55.9", "44.0", "11.9", "0.0", "23.2", "20.1"]
    assert (rows[1][:4], rows[1][-2:]) == (["compromise", "asr", "50.0", "6.0"], ["141", "12"])
    assert "gazetteer/manual: 9 documents" in out
    assert "compromise/asr: 9 documents" in out
    _, alone, _ = run("blame", *GAZETTEER, *TIMES, *FEW, "--format", "json")
    _, both, _ = run("blame", "--campaign", CAMPAIGN, *FEW, "--format", "json")
    [found] = [one for one in json.loads(both)["corners"] if one["system"] == "gazetteer"]
    assert found == {"system": "gazetteer", "condition": "asr", **json.loads(alone)["corners"]}
    _, cases, _ = run("blame", "--campaign", CAMPAIGN, "--format", "csv")
    systems = [row["system"] for row in csv.DictReader(io.StringIO(cases))]
    assert systems == sorted(systems)
    assert {*systems} == {"compromise", "gazetteer"}


@pytest.mark.check
def test_jobs_and_order_change_no_byte(run):
    """Several processes write what one writes."""
    command = ["blame", *GAZETTEER, *TIMES, *FEW, "--format", "json"]
    assert json.loads(run(*command)[1]) == json.loads(run(*command, "--jobs", "2")[1])


def test_by_text_needs_no_times(run, files):
    """An alignment of the words stands for times; the manual words need none either."""
    status, out, err = run("blame ref hyp heard --by text --resamples 5")
    assert (status, err) == (0, "")
    assert "|by:text|weights:sclite|tolerance:0w|unplaceable:miss|" in out


def test_a_missing_hypothesis(files, run):
    """A document without an output is refused, or all deletions if the user says so."""
    put("ref/more.ne", "à <loc> Dol </loc>\n")
    put("heard/more.ne", "à <loc> Dol </loc>\n")
    status, out, err = run("blame ref hyp heard --by text")
    assert (status, out) == (1, "")
    said = "1 of the 2 documents of the reference has no hypothesis (more)"
    assert err.startswith(f"sereval: hyp: {said}")
    status, out, _ = run("blame ref hyp heard --by text --missing empty --format json")
    [more, _] = json.loads(out)["documents"]
    costs = [more[name] for name in ("manual", "perfect", "recognised")]
    assert (status, costs, more["found"]) == (0, [1, 0, 0], 1)


THROUGH_TIME = "--align align --words words.ctm --tolerance 0.1"


def test_words_that_differ(files, run):
    """Manual words other than the reference's are refused, with the first difference."""
    put("hyp/show.ne", "à <loc> Dole </loc>\n")
    status, out, err = run(f"blame ref hyp heard {THROUGH_TIME}")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "show: " in err
    assert "Dole" in err
    assert err.endswith("; the words of HYP_MANUAL must be those of REF\n")


def test_documents_on_one_side_only(files, run):
    """The error names the hypotheses that lack a document, or have one too many."""
    put("heard/other.ne", "à <loc> d' or </loc>\n")
    status, out, err = run(f"blame ref hyp heard {THROUGH_TIME}")
    assert (status, out) == (1, "")
    assert err.startswith("sereval: heard: document other has no ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--tolerance 0.1", "the reference has no times, a tolerance needs them: --align"),
        ("--align align --tolerance 0.1", "the hypothesis has no times, a tolerance needs them"),
    ],
)
def test_no_times(options, said, files, run):
    """Without times of a side, one line says which option reads some."""
    status, out, err = run(f"blame ref hyp heard {options}")
    assert (status, out) == (1, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("blame ref hyp", "expected REF, HYP_MANUAL and HYP_ASR, or --campaign"),
        ("blame ref hyp heard", "expected --tolerance, or --by text or phones"),
        ("blame ref hyp heard --tolerance 1w", "a tolerance in words goes with --by text"),
        ("blame ref hyp heard --tolerance 1 --context -1", "a whole number of 0 or more"),
        ("blame ref hyp heard --tolerance 1 --unplaceable drop", "--unplaceable"),
        ("blame ref hyp heard --tolerance 1 --scheme muc", "--scheme"),
        ("blame - - heard --tolerance 1", "standard input can be read once only"),
        ("blame ref hyp heard --campaign c.toml", "found REF and --campaign"),
        ("blame --campaign c.toml --tolerance 1", "found --tolerance and --campaign"),
    ],
)
def test_wrong_usage(command, said, files, run):
    """A command that makes no sense ends with status 2 and says what was expected."""
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert said in err


CONDITIONS = """
reference = "ref"
align = "align"
[conditions.manual]
[conditions.asr]
words = "words.ctm"
tolerance = 0.1
"""


@pytest.mark.parametrize(
    ("campaign", "said"),
    [
        (CONDITIONS + '[systems.s]\nasr = "heard"', "conditions.manual has no system"),
        (
            CONDITIONS + '[systems.s]\nasr = "heard"\n[systems.t]\nmanual = "hyp"',
            "c.toml: systems.s has asr and no manual, expected both",
        ),
        (
            'reference = "ref"\n[conditions.m]\n[systems.s]\nm = "hyp"',
            "c.toml: 1 of 1 condition without a tolerance, expected one",
        ),
        (
            'reference = "ref"\n[conditions.m]\n[conditions.n]\n[systems.s]\nm = "hyp"\nn = "hyp"',
            "c.toml: 2 of 2 conditions without a tolerance, expected one",
        ),
    ],
)
def test_campaigns_without_both_words(campaign, said, files, run):
    """A campaign has one condition on manual words, and systems that were run on both."""
    put("c.toml", campaign)
    status, out, err = run("blame --campaign c.toml")
    assert (status, out) == (1, "")
    assert said in err


def test_a_reference_without_elements(files, run):
    """Nothing to score is said, and no rate is made up."""
    put("ref/show.ne", "à Dol\n")
    status, out, err = run(f"blame ref hyp heard {THROUGH_TIME} --resamples 5")
    assert status == 0
    assert out.splitlines()[0] == "n/a: no reference element"
    assert "no elements in the reference" in err


def test_mentions_in_words_that_were_not_recognised(files, run):
    """An output without words of its own is none on a recogniser's words."""
    put("heard.jsonl", '{"id": "show", "mentions": [{"label": "loc", "text": "Dol"}]}\n')
    (files / "heard" / "show.ne").unlink()
    status, out, err = run("blame ref hyp heard.jsonl --by text")
    assert (status, out) == (1, "")
    assert "show: mentions have no words of their own, expected a transcript" in err
