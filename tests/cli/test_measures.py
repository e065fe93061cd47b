"""The option `--measure` of the commands: what it stands for, and what contradicts it."""

import csv
import io
import json

import pytest
from paths import ROOT
from reports import named

from sereval import compare, parse_measure

DATA = ROOT / "data"
SIDES = f"{DATA}/ref {DATA}/hyp/gazetteer/manual"
HEARD = f"{DATA}/ref {DATA}/hyp/gazetteer/asr --align {DATA}/align --words {DATA}/asr"
UNTIMED = f"{DATA}/ref {DATA}/hyp/gazetteer/asr"
SYSTEMS = f"{DATA}/hyp/gazetteer/asr {DATA}/hyp/compromise/asr"
TWO = f"{DATA}/ref {SYSTEMS} --align {DATA}/align --words {DATA}/asr"
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


def test_csv_says_on_stderr_what_it_has_no_place_for(run):
    """The notes of the schemes; numbers alone stand in the table."""
    status, out, err = run(f"score {SIDES} --measure muc.text --format csv")
    assert (0, "measure,value,signature") == (status, out.splitlines()[0])
    assert "1252 nested elements" in err


@pytest.mark.check
def test_a_tolerance_is_that_of_all_that_take_one(run):
    """It is in their names then."""
    header = run(f"score {HEARD} --tolerance 0.3 --measure ser,wer,mitre.type")[1].splitlines()[0]
    assert ["SER@0.3", "WER", "mitre.type"] == header.split()


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--unit utterance --measure WER", "--measure WER is counted by document, expected --unit"),
        ("--stability --measure WER", "--stability needs the outcome of each element"),
        ("--collate out.csv --measure P", "--collate needs the outcome of each element"),
        ("--stability --measure SER,mitre", "--stability takes one measure, found 2 of them"),
    ],
)
def test_what_compare_cannot_show_of_a_measure(options, said, run):
    """One clear line, and the status of a usage error."""
    status, out, err = run(f"compare {HEARD} {options}")
    assert (2, "") == (status, out)
    assert said in err


def of_condition(report, name):
    """The rows of a condition in each table, without its name and columns of other measures."""
    return {
        table: [
            {key: value for key, value in row.items() if key != "condition" and value is not None}
            for row in rows
            if row["condition"] == name
        ]
        for table, rows in report.items()
        if isinstance(rows, list) and rows and isinstance(rows[0], dict)
    }


@pytest.mark.check
def test_several_measures_compare_as_each_alone(run):
    """`compare` by several measures has for each what it has alone, but for its name."""
    names = ["SER@0.3", "F1@0.3", "WER", "mitre.type", "evalita2011(elements=outermost)"]
    _, out, err = run(f"compare {TWO} --format json --measure {','.join(names)}")
    assert err == ""
    together = json.loads(out)
    assert [one["condition"] for one in together["conditions"]] == [
        str(parse_measure(name)) for name in names
    ]
    for name in names:
        sides = TWO if "@" in name or name == "WER" else f"{DATA}/ref {SYSTEMS}"
        alone = json.loads(run(f"compare {sides} --format json --measure {name}")[1])
        [own] = alone["conditions"]
        found = {k: v for k, v in of_condition(together, str(parse_measure(name))).items() if v}
        assert {"conditions", "systems", "differences"} <= {*found}
        assert found == of_condition(alone, own["condition"])


@pytest.mark.check
def test_several_measures_in_tables(run):
    """CSV has each measure's rows under its name; Python gives the same comparison."""
    _, out, _ = run(f"compare {TWO} --format csv --measure SER@0.3,F1@0.3")
    conditions = [row["condition"] for row in csv.DictReader(io.StringIO(out))]
    assert list(dict.fromkeys(conditions)) == ["SER@0.3", "F1@0.3"]
    paths = TWO.split()
    found = compare(*paths[:3], align=paths[4], words=paths[6], measure="SER@0.3,F1@0.3")
    assert [one.name for one in found.conditions] == ["SER@0.3", "F1@0.3"]
    assert not found.has_one_measure
    for table in ("systems", "differences", "labels", "documents"):
        assert {*found.to_frame(table)["condition"]} == {"SER@0.3", "F1@0.3"}


@pytest.mark.check
@pytest.mark.parametrize("command", ["score", "compare", "sweep"])
def test_an_upper_bound_of_measures(command, run):
    """Measures of an upper bound have the value of the score with `--upper-bound`."""
    alone = json.loads(run(f"score {HEARD} --tolerance 0 --upper-bound --format json")[1])
    tolerance = "--tolerance 0"
    _, out, err = run(f"{command} {HEARD} {tolerance} --upper-bound --measure SER,F1 --format json")
    assert err == ""
    report = json.loads(out)
    if command == "score":
        value = named(report, "measures")["SER(unplaceable=miss)@0"]["value"]
    elif command == "compare":
        value = report["systems"][0]["value"]
    else:
        assert {("asr", 0)} == {(row["system"], row["tolerance"]) for row in report["points"]}
        value = named(report, "points", "measure")["SER(unplaceable=miss)"]["value"]
    assert value == alone["counts"]["ser"] > 0
    status, _, err = run(f"{command} {HEARD} {tolerance} --upper-bound --measure SER,WER")
    assert status == 2
    assert "a perfect tagger has no --measure WER" in err
