"""``sereval align``, and the measures of words on the command line."""

import csv
import json

import pytest
from cli_files import put
from paths import CORPORA, DATA
from reports import named

from sereval.cli import main

ASR = f"{DATA}/ref {DATA}/asr"


@pytest.fixture
def files(here):
    """Two documents with the recogniser's words in CTM."""
    put("ref/a.ne", "at the <loc> New York </loc> desk")
    put("ref/b.ne", "<pers> Dol </pers> spoke")
    put("asr/a.ctm", "a 1 0.0 0.2 at\na 1 0.3 0.5 Newark\na 1 0.9 0.3 desk\n")
    put("asr/b.ctm", "b 1 0.0 0.2 Dole\nb 1 0.3 0.5 spoke\n")
    return here


@pytest.mark.check
def test_errors_are_those_of_the_word_error_rate(run):
    """By document and in all, by either weights."""
    for weights in ("unit", "sclite"):
        out = run(f"align {ASR} --weights {weights} --format json")[1]
        report = json.loads(out)
        measured = json.loads(
            run(
                f"score {DATA}/ref {DATA}/hyp/gazetteer/asr --measure WER(weights={weights}) "
                "--format json"
            )[1]
        )
        [wer] = measured["measures"]
        assert wer["value"] == report["total"]["wer"]
        rates = [one["value"] for one in measured["documents"]]
        assert rates == [one["wer"] for one in report["documents"]]


def test_formats_have_the_same_operations(files, run):
    """Text, JSON, CSV and CTM; the reference may be in any format with words."""
    status, out, err = run("align ref asr --document a")
    assert (0, "") == (status, err)
    assert "0 ref at the New York   desk\n  hyp at *** *** Newark desk\n" in out
    rows = [*csv.DictReader(run("align ref asr --format csv --context 0")[1].splitlines())]
    assert ["deletion", "deletion", "substitution", "substitution"] == [
        row["operation"] for row in rows
    ]
    ctm = run("align ref asr --format ctm")[1].splitlines()
    assert "a 1 0.300 0.500 Newark 1.00 York sub" == ctm[3]
    assert run("align asr asr --by time")[1].count("0  0.0") == 3


def test_output_and_width(files, run):
    """A file holds what standard output would; a narrow terminal has more lines."""
    plain = run("align ref asr")[1]
    assert run("align ref asr -o made.txt")[:2] == (0, "")
    assert plain == (files / "made.txt").read_text("utf-8")
    narrow = run("align ref asr --width 40")[1]
    assert max(map(len, narrow.split("\n\n  ")[0].splitlines())) <= 40


def test_processes_change_no_byte(files, run):
    """Whoever does the work."""
    assert run("align ref asr --jobs 2") == run("align ref asr")


REFUSED = {
    "align ref asr --by time": (1, "a: the reference has no times, expected them, or an alignment"),
    "align ref ref --format ctm": (1, "a: the hypothesis has no times, expected them for CTM"),
    "align ref asr --document x": (1, "no document 'x', expected some of a, b"),
    "align ref asr --by phones --weights unit": (2, "--weights goes with --by text"),
    "align ref asr --by phones --alternatives .": (2, "--alternatives goes with --by text"),
    "align ref asr --by time --alternatives .": (2, "--alternatives goes with --by text"),
    "align ref asr --context -1": (2, "expected a whole number of 0 or more"),
    "score ref ref --biasing asr/a.ctm": (2, "--biasing goes with --measure B-WER or U-WER"),
    "score ref ref --measure WER --biasing x": (2, "--biasing goes with --measure B-WER or U-WER"),
    "score ref ref --measure B-WER --biasing x": (1, "x: No such file or directory"),
    "score ref ref --measure B-WER --biasing b.json": (1, "b: found no biasing list, expected"),
}


@pytest.mark.parametrize("command", REFUSED)
def test_what_is_refused(files, run, command):
    """One message, the status, and no result."""
    put("b.json", '{"a": ["New", "York"]}')
    status, out, err = run(command)
    assert (REFUSED[command][0], "") == (status, out)
    assert REFUSED[command][1] in err


def test_measures_of_words(files, run):
    """Entity WER by label, and the words of a list; a label that nothing has is noted."""
    put("hyp/a.ne", "at Newark desk")
    put("hyp/b.ne", "Dole spoke")
    put("names.txt", "Dol\n")
    names = "WER,entity-wer,entity-wer.loc,entity-wer.locs,B-WER,U-WER"
    out = run(f"score ref hyp --measure {names} --biasing names.txt --format json")[1]
    report = json.loads(out)
    values = {row["measure"]: row["value"] for row in report["measures"]}
    assert [4 / 7, 1.0, 1.0, None, 1.0, 0.5] == [values[name] for name in names.split(",")]
    note = "entity-wer.locs: no element of the reference has this label, the nearest known is loc."
    assert [note] == report["notes"]
    assert "B-WER|weights:sclite|biasing:" in named(report, "measures")["B-WER"]["signature"]
    out = run("score ref hyp --measure B-WER,entity-wer --only loc --format json")[1]
    report = named(json.loads(out), "measures")
    assert [1.0, 1.0] == [each["value"] for each in report.values()]
    assert "B-WER|weights:sclite|biasing:elements|only:loc" in report["B-WER"]["signature"]
    assert "entity-wer|weights:unit|only:loc" in report["entity-wer"]["signature"]


def test_settings_of_other_runs_have_no_part(files, run):
    """A list that a named file of settings has for another command is ignored."""
    put("s.toml", 'biasing = "names.txt"\n')
    assert run("--config s.toml score ref ref --measure WER")[0] == 0
    assert run("--config s.toml score ref ref")[0] == 0


FBAI = CORPORA / "fbai"


@pytest.mark.check
@pytest.mark.skipif(not FBAI.is_dir(), reason="the corpus ../shared/corpora/fbai is not here")
def test_librispeech_with_rare_words(here, run):
    """The command line prints the figures of the program of Le et al., all digits."""
    for name, side in (("test-clean.tsv", "ref"), ("b1.tsv", "hyp")):
        rows = (line.split("\t") for line in (FBAI / name).read_text("utf-8").splitlines())
        made = [json.dumps({"id": row[0], "words": row[1].split(), "elements": []}) for row in rows]
        put(f"{side}.jsonl", "\n".join(made))
    status = main(
        [
            *("score", "ref.jsonl", "hyp.jsonl", "--format", "json", "-o", "made.json"),
            *("--measure", "WER(weights=sclite),U-WER,B-WER", "--normalise", "exact"),
            *("--biasing", str(FBAI / "test-clean.tsv")),
        ]
    )
    measures = json.loads((here / "made.json").read_text("utf-8"))["measures"]
    values = [100 * each["value"] for each in measures]
    expected = {3.6537583688374924, 2.3710349247036206, 14.077417115084186}
    assert (0, expected) == (status, {*values})
