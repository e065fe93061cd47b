"""The option `--measure` of the commands: what it stands for, and what contradicts it."""

import csv
import json

import pytest
from paths import ROOT
from reports import named

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
        f"{HEARD} --tolerance 0.3": {"SER@0.3": "ser", "F1@0.3": "f1"},
        f"{UNTIMED} --scheme mitre": {"mitre.type": "type"},
        f"{UNTIMED} --scheme slue": {"slue.label": "label"},
    }
    for options, found in alone.items():
        single = json.loads(run(f"score {options} --format json")[1])
        for name, key in found.items():
            of_scheme = "figures" in single
            value = named(single, "figures")[key]["f1"] if of_scheme else single["counts"][key]
            assert value == named(report, "measures")[name]["value"]
            assert single["signature"] == named(report, "measures")[name]["signature"]
    rows = [*csv.DictReader(run(f"score {HEARD} --measure {names} --format csv")[1].splitlines())]
    in_all = {row["measure"]: float(row["value"]) for row in rows}
    assert in_all == {row["measure"]: row["value"] for row in report["measures"]}
    assert 9 * 5 == len(report["documents"])


@pytest.mark.check
@pytest.mark.parametrize("name", ["F1@0.3", "P@0.3", "WER", "entity-wer.pers.ind", "B-WER"])
def test_compare_has_the_value_of_score(name, run):
    """A system's rate is that of ``score --measure``, in text, JSON and CSV."""
    systems = f"{HEARD} --resamples 20 --measure {name}"
    report = json.loads(run(f"compare {systems} --format json")[1])
    [system] = report["systems"]
    [value] = json.loads(run(f"score {HEARD} --measure {name} --format json")[1])["measures"]
    assert pytest.approx(value["value"]) == system["value"]
    unit = "utterance" if name[0] in "FP" else "document"
    assert unit == report["conditions"][0]["unit"]
    [row] = csv.DictReader(run(f"compare {systems} --format csv")[1].splitlines())
    assert system["value"] == float(row["value"])
    assert f"{100 * system['value']:.1f} [" in run(f"compare {systems}")[1]
