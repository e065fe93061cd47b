"""The option `--measure` of the commands: what it stands for, and what contradicts it."""

import csv
import json

import pytest
from paths import ROOT

DATA = ROOT / "data"
SIDES = f"{DATA}/ref {DATA}/hyp/gazetteer/manual"
HEARD = f"{DATA}/ref {DATA}/hyp/gazetteer/asr --align {DATA}/align --words {DATA}/asr"
UNTIMED = f"{DATA}/ref {DATA}/hyp/gazetteer/asr"
BOTH = f"{SIDES} {DATA}/hyp/compromise/manual"


def without_command(text):
    """A report without what says how it was made."""
    report = json.loads(text)
    del report["provenance"]
    return report


SAME = {
    f"compare {BOTH} --resamples 100 --format json": {
        "--measure SER": "",
        "--measure mitre.type": "--scheme mitre --figure type",
        "--measure semeval2013.partial": "--scheme semeval2013 --figure partial",
        "--measure SER(pairing=half,D=2)": "--pairing half --costs D=2",
        "--measure mitre(extent=2) --scheme mitre": "--scheme mitre --extent-tolerance 2",
    },
    f"sweep {HEARD} --tolerance 0:0.2:0.1 --format json": {
        "--measure SER(unplaceable=miss)": "--unplaceable miss",
        "--measure quaero-lne": "--scheme quaero-lne",
    },
    f"audit {HEARD} --format jsonl": {
        "--measure SER@0.3": "--tolerance 0.3",
        "--measure SER --tolerance 0.3": "--tolerance 0.3",
        "--measure SER(by=text,weights=unit)@1w": "--by text --weights unit --tolerance 1w",
        "--measure muc.text(mapping=optimal)": "--scheme muc --figure text --mapping optimal",
    },
}


@pytest.mark.check
@pytest.mark.parametrize(
    ("command", "measure"), [(command, each) for command in SAME for each in SAME[command]]
)
def test_a_measure_stands_for_options(command, measure, run):
    """What a command prints by a measure is what it prints by the options it stands for."""
    status, out, _ = run(f"{command} {measure}")
    assert status == 0
    expected = run(f"{command} {SAME[command][measure]}")[1]
    if command.startswith("audit"):
        assert expected == out
    else:
        assert without_command(expected) == without_command(out)


@pytest.mark.check
def test_several_have_the_values_of_each_alone(run):
    """One run prints what single commands print; CSV and JSON have the same values."""
    names = "SER@0.3,F1@0.3,WER,mitre.type,slue.label"
    status, out, err = run(f"score {HEARD} --measure {names} --format json")
    report = json.loads(out)
    assert (0, "") == (status, err)
    alone = {
        f"{HEARD} --tolerance 0.3": {"SER@0.3": ("ser",), "F1@0.3": ("exact", "f1")},
        f"{UNTIMED} --scheme mitre": {"mitre.type": ("figures", "type", "f1")},
        f"{UNTIMED} --scheme slue": {"slue.label": ("figures", "label", "f1")},
    }
    for options, found in alone.items():
        single = json.loads(run(f"score {options} --format json")[1])
        for name, (*place, last) in found.items():
            row = single
            for key in place:
                row = row[key]
            assert row[last] == report["measures"][name]["value"]
            assert single["signature"] == report["measures"][name]["signature"]
    rows = [*csv.DictReader(run(f"score {HEARD} --measure {names} --format csv")[1].splitlines())]
    in_all = {row["measure"]: float(row["value"]) for row in rows if not row["document"]}
    assert in_all == {name: row["value"] for name, row in report["measures"].items()}
    assert 10 * 5 == len(rows)


def test_csv_says_on_stderr_what_it_has_no_place_for(run):
    """The notes of the schemes; numbers alone stand in the table."""
    status, out, err = run(f"score {SIDES} --measure muc.text --format csv")
    assert (0, "document,measure,value") == (status, out.splitlines()[0])
    assert "1252 elements are inside others" in err


def test_a_tolerance_is_that_of_all_that_take_one(run):
    """It is in their names then."""
    header = run(f"score {HEARD} --tolerance 0.3 --measure ser,wer,mitre.type")[1].splitlines()[0]
    assert ["SER@0.3", "WER", "mitre.type"] == header.split()


def test_a_report_of_measures_is_made_again(run, tmp_path):
    """`verify` knows the command from the report."""
    report = tmp_path / "report.json"
    assert run(f"score {SIDES} --measure SER,WER,muc.text --format json -o {report}")[0] == 0
    status, out, _ = run(f"verify {report} {SIDES}")
    assert status == 0, out


REFUSED = {
    f"score {SIDES} --measure foo": "unknown measure 'foo'",
    f"score {SIDES} --measure SER --pairing half": "found --pairing and --measure SER, which says",
    f"score {SIDES} --measure SER --costs D=2": "found --costs and --measure SER, which says",
    f"score {SIDES} --measure SER,WER --scheme mitre": "found --scheme and --measure SER, which",
    f"score {SIDES} --measure WER --mapping optimal": "found --mapping, which has no effect with",
    f"score {SIDES} --measure SER --upper-bound": "found --upper-bound, which has no effect with",
    f"score {SIDES} --measure WER --missing empty": "measure WER needs all hypotheses",
    f"score {SIDES} --measure SER@0.5 --tolerance 0.3": "measure SER@0.5, expected it at the",
    f"compare {BOTH} --measure F1": "--measure F1 is not for compare, expected SER or",
    f"compare {BOTH} --measure WER": "--measure WER is not for compare, expected SER or",
    f"compare {BOTH} --measure SER,F1": "found 2 measures in 'SER,F1', expected one",
    f"compare {BOTH} --measure mitre.type --figure extent": "found --figure and --measure mitre",
    f"sweep {HEARD} --tolerance 0,0.1 --measure mitre": "--measure mitre.all is not for sweep",
    f"sweep {HEARD} --tolerance 0,0.1 --measure SER@0.3": "tolerance has no effect in this command",
    f"sweep {HEARD} --tolerance 0,0.1 --measure SER(by=text)": "by has no effect in this command",
    f"audit {SIDES} --measure muc --scheme mitre": "found --scheme and --measure muc.all, which",
}


@pytest.mark.parametrize("command", REFUSED, ids=lambda command: command.partition("--")[2])
def test_contradictions_are_refused(command, run):
    """An option that a measure has no use for, or that says another thing, and no digit is lost."""
    status, out, err = run(command)
    assert status in (1, 2)
    assert out == ""
    assert REFUSED[command] in " ".join(err.split())
