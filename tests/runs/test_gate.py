"""`sereval gate`: a stored report, the score now, and the exit status between them."""

import json
from pathlib import Path

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
    assert (status, out) == (3, found.to_json())
    assert found.growth == sum(100 * change.cost for change in found.documents) / found.now.ref


def test_a_greater_margin_passes(stored, run):
    """A growth within the margin passes, whatever the test says."""
    status, out, _ = run("gate --margin 60", stored, REF, COMPROMISE)
    assert status == 0
    assert out.startswith("not worse: ")


HUGE = ("1e999999999", "1e-999999999", "1e400", "1000001", "nan", "inf")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--margin", "x"], 2, "margin 'x', expected points of SER"),
        (["--margin", "-1"], 2, "margin '-1', expected points of SER"),
        *((["--margin", text], 2, "from 0 to 1000000") for text in HUGE),
        (["--pairing", "word"], 2, "No such option '--pairing'"),
    ],
)
def test_usage(arguments, status, message, stored, run):
    """Options of the score are in the report; the margin is a number of points."""
    found = run("gate", stored, REF, GAZETTEER, *arguments)
    assert found[:2] == (status, "")
    assert message in found[2]


def test_bad_input(stored, run, tmp_path):
    """Status 1 for reports of something else and for other documents."""
    other = tmp_path / "other.json"
    other.write_text(stored.read_text("utf-8").replace('"command": "score"', '"command": "blame"'))
    status, out, err = run("gate", other, REF, GAZETTEER)
    assert (status, out) == (1, "")
    assert (
        err
        == f"sereval: {other}: argument report: expected a report of sereval score --format json\n"
    )
    changed = json.loads(stored.read_text("utf-8"))
    changed["documents"][0]["document"] = "another"
    other.write_text(json.dumps(changed))
    status, out, err = run("gate", other, REF, GAZETTEER)
    assert (status, out) == (1, "")
    assert err == (
        f"sereval: {other}: document another is in the report alone, expected the same documents\n"
    )
    del changed["documents"]
    other.write_text(json.dumps(changed))
    assert run("gate", other, REF, GAZETTEER)[0] == 1


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


@pytest.mark.parametrize("place", ["the report", "an input"])
def test_the_result_replaces_nothing_that_is_read(place, stored, run, tmp_path):
    """Neither the stored report nor a file of REF is written over."""
    ref = tmp_path / "ref"
    ref.mkdir()
    for path in Path(REF).glob("*.ne"):
        (ref / path.name).write_bytes(path.read_bytes())
    output = stored if place == "the report" else next(ref.glob("*.ne"))
    form = "json" if output == stored else "text"
    before = output.read_bytes()
    status, out, err = run("gate", stored, ref, GAZETTEER, "--format", form, "--output", output)
    assert (status, out) == (1, "")
    assert "among the files to be read" in err
    assert output.read_bytes() == before


def test_a_report_with_an_interval_or_a_selection_is_gated(run, tmp_path):
    """An interval changes no score; the selected documents are those of the report."""
    path = tmp_path / "report.json"
    some = "score --confidence 0.9 --seed 3 --documents panama,titanic --format json"
    status, *_ = run(some, REF, GAZETTEER, "-o", path)
    assert status == 0
    found = sereval.gate(path, REF, GAZETTEER)
    assert found.growth == 0
    status, out, err = run("gate --format json", path, REF, GAZETTEER)
    assert (status, out, err) == (0, found.to_json(), "")


def test_a_difference_that_is_not_significant_passes():
    """Growth beyond the margin in one of eight documents may be chance."""
    now = [*tagged(10, documents=7), *tagged(10, 5, documents=1)]
    found = sereval.gate(report(tagged(10)), tagged(10), now)
    assert (found.growth > found.margin, found.is_significant, found.is_worse) == (
        True,
        False,
        False,
    )


def test_few_documents_are_judged_by_the_margin():
    """With fewer than six documents no arrangement is significant, so none is tried."""
    for documents, is_tested in ((5, False), (6, True)):
        gold = tagged(10, documents=documents)
        found = sereval.gate(report(gold), gold, tagged(10, 5, documents))
        assert (found.test is not None, found.is_worse) == (is_tested, True)


def test_settings_that_differ_are_refused():
    """Only a report without provenance can have other settings than the score."""
    gold = tagged(10)
    with pytest.raises(SerevalError, match="expected those of the report"):
        sereval.gate(report(gold), gold, gold, costs="D=2")


def test_options_that_name_files_are_refused():
    """A report may come from anyone, so it opens no file."""
    for name, value in (("--map", "map.toml"), ("--read", "equal=own.toml")):
        kept = {"command": "score", "options": [name, value]}
        with pytest.raises(SerevalError, match=f"its options include {name}"):
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
    assert sereval.gate(path, REF, COMPROMISE, figure=figure).to_json() == out


def test_a_report_of_tags():
    """Phrases of the scheme conll are gated by their F-measure."""
    gold, bad = [["B-A", "O"]] * 9, [["B-A", "B-A"]] * 9
    gate = sereval.gate(sereval.score(gold, gold, scheme="conll"), gold, bad, scheme="conll")
    assert (gate.is_worse, float(gate.growth)) == (True, pytest.approx(100 / 3))


def test_a_figure_that_a_report_does_not_have():
    """An unknown figure is named with those that there are; a report of slots has none."""
    gold, bad = [["B-A", "O"]], [["O", "B-A"]]
    stored = sereval.score(gold, bad, scheme="muc")
    with pytest.raises(SerevalError, match="no figure 'x', expected one of all, text, type"):
        sereval.gate(stored, gold, bad, scheme="muc", figure="x")
    with pytest.raises(SerevalError, match="the report counts slots"):
        sereval.gate(sereval.score(gold, bad), gold, bad, figure="type")


HOSTILE = (
    {"cor": 1},
    {"COR": "x", "MIS": "y", "POS": 1, "ACT": 1},
    {"INC": 10**400, "POS": 1, "ACT": 1},
    {"INC": float("nan"), "POS": 1, "ACT": 1},
    {"INC": -1, "POS": 1, "ACT": 1},
    {"error_rate": 0.5, "errors": None},
    {"TP": True, "FP": 1},
    ["x"],
    None,
)


@pytest.mark.parametrize("row", HOSTILE, ids=str)
def test_reports_of_schemes_may_come_from_anyone(row):
    """Counts that are none, too great or below 0 are refused in one line."""
    gold = [["B-A", "O"]]
    report = json.loads(sereval.score(gold, gold, scheme="muc").to_json())
    report["figures"] = [{**row, "figure": "all"} if isinstance(row, dict) else row]
    with pytest.raises(SerevalError):
        sereval.gate(report, gold, gold, scheme="muc")
