"""`sereval gate`: a stored report, the score now, and the exit status between them."""

import json

import pytest
from paths import DATA
from reports import named

import sereval
from sereval import SerevalError

REF, GAZETTEER, COMPROMISE = (
    str(DATA / path) for path in ("ref", "hyp/gazetteer/manual", "hyp/compromise/manual")
)


@pytest.fixture
def stored(run, tmp_path):
    """A stored report of the gazetteer."""
    path = tmp_path / "report.json"
    status, *_ = run("score --pairing half --format json", REF, GAZETTEER, "-o", path)
    assert status == 0
    return path


def tagged(right, wrong=0, documents=8):
    """Tags of documents of ten entities, some of them missed."""
    return [["B-A" if k < right - wrong else "O" for k in range(10)] for _ in range(documents)]


def without_provenance(text):
    """A report in JSON as a function returns it."""
    found = json.loads(text)
    del found["provenance"]
    return found


def report(found):
    """The report of a score of these tags."""
    return json.loads(sereval.score(tagged(10, documents=len(found)), found).to_json())


def test_the_same_output_passes(stored, run):
    """A system that has not changed passes any gate."""
    status, out, err = run("gate --margin 0", stored, REF, GAZETTEER)
    assert (status, err) == (0, "")
    assert out.startswith("not worse: SER 34.30, in the report 34.30; +0.00 points, margin 0\n")


@pytest.mark.check
def test_a_worse_output_fails_and_the_report_says_where(stored, run):
    """Status 3, with documents and labels; the options of the report hold."""
    status, out, err = run("gate", stored, REF, COMPROMISE, "--margin", "0.5")
    assert (status, err) == (3, "")
    assert out.startswith("worse: ")
    assert "documents that got worse" in out
    assert "labels that got worse" in out
    assert "pairing:half" in out
    status, out, _ = run("gate --format json", stored, REF, COMPROMISE)
    found = sereval.gate(stored, REF, COMPROMISE)
    assert (status, without_provenance(out)) == (3, json.loads(found.to_json()))
    assert found.growth == sum(100 * change.cost for change in found.documents) / found.now.size


@pytest.mark.parametrize("change", ["a negative size", "a document twice"])
def test_counts_that_no_score_has(change, stored, run):
    """A stored report that was changed by hand is refused, not compared."""
    report = json.loads(stored.read_text("utf-8"))
    if change == "a document twice":
        report["documents"].append(report["documents"][0])
    else:
        report["documents"][0]["Ref"] = -1
    stored.write_text(json.dumps(report))
    status, out, err = run("gate", stored, REF, GAZETTEER)
    assert (status, out) == (1, "")
    assert ("in the report twice" in err) == (change == "a document twice")


def test_options_that_name_files_are_refused():
    """A report may come from anyone, so it opens no file."""
    for name, value in (("--map", "map.toml"), ("--read", "equal=own.toml")):
        kept = {"command": "score", "options": [name, value]}
        with pytest.raises(SerevalError, match=f"its options (include {name}|name {value})"):
            sereval.gate({**report(tagged(10)), "provenance": kept}, tagged(10), tagged(10))


FIGURES = {  # by scheme: a figure, the name before its value, and its key in the JSON
    "muc": ("text", "F of text", "f1"),
    "slue": (None, "F of entity", "f1"),
    "slurp": ("word", "F of word", "f1"),
    "oi": ("ewer", "ewer error rate", "error_rate"),
}


@pytest.mark.check
@pytest.mark.parametrize(
    "scheme", ["muc", "slue", "oi", pytest.param("slurp", marks=pytest.mark.long)]
)
def test_a_report_of_another_scheme(scheme, run, tmp_path):
    """The rates then and now are those that score reports, and the changes of parts add up."""
    figure, name, key = FIGURES[scheme]
    path = tmp_path / "report.json"
    run(f"score --scheme {scheme} --format json", REF, GAZETTEER, "-o", path)
    chosen = [] if figure is None else ["--figure", figure]
    status, out, err = run("gate", path, REF, COMPROMISE, *chosen, "--format", "json")
    assert (status, err) == (3, "")
    found = json.loads(out)
    written = named(json.loads(path.read_text("utf-8")), "figures")
    assert found["verdict"]["measure"] == name
    assert found["then"]["rate"] == pytest.approx(
        written[figure or name.removeprefix("F of ")][key]
    )
    grown = sum(one["errors_now"] - one["errors_then"] for one in found["documents"])
    assert grown == pytest.approx(found["now"]["errors"] - found["then"]["errors"])
    own = sereval.gate(path, REF, COMPROMISE, figure=figure).to_json()
    assert without_provenance(out) == json.loads(own)
