"""`agreement --measure`: the values of measures with each annotator in turn as the reference."""

import json

import pytest
from paths import DATA

from sereval.report.frames import table_of
from sereval.report.mutual import as_json
from sereval.runs.arguments import asked_with
from sereval.runs.lists import sources_of
from sereval.runs.measures import mutual_sides
from sereval.schemes.measure import parse_measures

A, B = f"{DATA}/ref", f"{DATA}/hyp/gazetteer/manual"
HEARD = f"{DATA}/hyp/gazetteer/asr"
NAMES = "SER,F1,P,R,SER(I=0.5),muc.text,slue.label,conll(elements=innermost),WER"


@pytest.mark.check
@pytest.mark.parametrize(
    ("b", "names", "options"),
    [
        (B, NAMES, ""),
        (HEARD, "SER,F1,WER,semeval2013", f"--align {DATA}/align --words {DATA}/asr -t 0.3"),
    ],
)
def test_either_way_is_a_score(b, names, options, run):
    """Each value is that of `score` with the annotators in this order."""
    status, out, err = run(f"agreement {A} {b} --measure {names} --format json {options}")
    assert (status, err) == (0, "")
    found = json.loads(out)["measures"]
    back = f"--align {DATA}/asr --words {DATA}/align -t 0.3" if options else ""
    for sides, key, own in ((f"{A} {b}", "A", options), (f"{b} {A}", "B", back)):
        alone = json.loads(run(f"score {sides} --measure {names} --format json {own}")[1])
        for name, value in alone["measures"].items():
            assert found[name][key] == value["value"]
    for both in found.values():
        assert both["mean"] == (both["A"] + both["B"]) / 2


def test_values_of_lists_in_memory():
    """Precision one way is recall the other way; a value without elements is undefined."""
    asked = asked_with("agreement", {}, "slots")
    given = sources_of({"a": [["B-x", "B-y", "O"]], "b": [["B-x", "O", "O"]]})
    measures = parse_measures("P,R,F1")
    found, _ = mutual_sides(given["a"], given["b"], measures, asked)
    precision, recall, f1 = found.values.values()
    assert (precision, recall, f1) == ((1.0, 0.5), (0.5, 1.0), (2 / 3, 2 / 3))
    assert [row[0] for row in table_of(found).rows] == ["P", "R", "F1"]
    nothing = sources_of({"a": [["O"]], "b": [["B-x"]]})
    [undefined] = parse_measures("SER")
    found, _ = mutual_sides(nothing["a"], nothing["b"], [undefined], asked)
    assert found.values == {undefined: (None, 1.0)}
    assert json.loads(as_json(found))["measures"]["SER"]["mean"] is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--measure F1 --places 9", "--places has no effect with --measure"),
        ("--measure F1 --open", "--open has no effect with --measure"),
        (f"{B} --measure F1", "--measure is for two annotators"),
        ("--measure F1 --costs D=2", "found --costs and --measure F1, which says otherwise"),
    ],
)
def test_what_has_no_effect_on_measures(options, said, run):
    """One clear line, and the status of a usage error."""
    status, out, err = run(f"agreement {A} {B} {options}")
    assert (status, out) == (2, "")
    assert said in err
