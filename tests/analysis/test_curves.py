"""Sweeps of measures: each point is the value that `measure` gives there."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import timed_scorings

from sereval import Document, SerevalError, measure, parse_measures, sweep, tree
from sereval.analysis.curves import AxisMeasures
from sereval.analysis.grids import EXTENT, TIME, WORDS, extents, grid

MEASURES = (
    "SER(S_T=1),F1,P,R,SER(pairing=half),SER(unplaceable=miss),semeval2013.type,WER,quaero-lne"
)


@pytest.fixture(scope="module")
def one():
    """A reference and a hypothesis whose words differ."""
    gold = Document(
        "d", ("Mr", "Newt", "Gingrich"), tree([("pers", 1, 3)]), ((0, 200), (200, 500), (500, 900))
    )
    found = Document(
        "d",
        ("Mr", "Newt", "good", "rich"),
        tree([("pers", 1, 3)]),
        ((0, 200), (200, 500), (500, 700), (700, 900)),
    )
    return gold, found


@pytest.mark.check
@given(
    timed_scorings(),
    st.sets(st.integers(0, 80), min_size=2, max_size=5).map(sorted),
    st.sets(st.sampled_from(parse_measures(MEASURES)), min_size=3),
)
def test_points_are_values(scoring, tolerances, measures):
    """Each value and signature of a random corpus is that of `measure` at that tolerance."""
    text = ",".join(f"{ms}ms" for ms in tolerances)
    measures = sorted(measures, key=str)
    swept = sweep(scoring.references, {"x": scoring.hypotheses}, tolerance=text, measure=measures)
    for at, ms in enumerate(tolerances):
        requested = [one.at(f"{ms}ms") for one in measures]
        alone = measure(scoring.references, scoring.hypotheses, requested)
        for asked, there in zip(measures, requested, strict=True):
            value = swept.measures[asked].systems["x"][at]
            assert alone.values[there] == pytest.approx(None if value is None else float(value))
            assert alone.signatures[there] == swept.measures[asked].signatures[at]


def test_a_rate_has_one_path(one):
    """The slot error rate has the same values among other measures as alone."""
    gold, found = one
    alone = sweep(gold, {"x": found}, tolerance="0:0.3:0.1")
    among = sweep(gold, {"x": found}, tolerance="0:0.3:0.1", measure="SER,F1")
    assert alone.rates("x") == among.rates("x", "SER")
    assert [len(swept.systems["x"]) for swept in (alone, among)] == [4, 0]
    assert (list(alone.curves), list(among.curves)) == (["SER"], ["SER", "F1"])


def test_extent_tolerances(one):
    """Table 3 of Burger et al.: a row for each extent tolerance; other measures are constant."""
    gold, found = one
    found = Document("d", found.words, tree([("pers", 1, 4)]), found.times)
    swept = sweep(gold, {"x": found}, extent_tolerance="0:1:1", measure="mitre.extent,muc.type,WER")
    assert swept.rates("x", "mitre.extent") == [0, 1]
    assert swept.rates("x", "muc.type") == [1, 1]
    assert swept.rates("x", "WER") == [Fraction(2, 3)] * 2
    rows = str(swept).splitlines()
    assert rows[1:4] == [
        "extent  mitre.extent  muc.type   WER",
        "     0           0.0     100.0  66.7",
        "     1         100.0     100.0  66.7",
    ]
    assert str(swept.signatures["mitre.extent"]).split("|")[3] == "extent:0:1:1"
    assert (
        "x is not yet flat: from extent 0 to 1 its mitre.extent still rises by 100.00 points"
        in (swept.notes)
    )


def test_tolerances_in_words(one):
    """A measure of aligned words is swept over tolerances in words, which reports write with w."""
    gold, found = one
    swept = sweep(gold, {"x": found}, tolerance="0w,1w", measure="SER(by=text)")
    for words, rate in zip((0, 1), swept.rates("x"), strict=True):
        name = f"SER(by=text)@{words}w"
        [value] = measure([gold], [found], name).values.values()
        assert float(rate) == value
    points = json.loads(swept.to_json())["points"]
    assert [point["tolerance_words"] for point in points] == [0, 1]


def test_report(one):
    """A row for each system, point and measure."""
    gold, found = one
    swept = sweep(gold, {"x": found, "y": gold}, tolerance="0,0.2", measure="SER(D=2),F1")
    report = json.loads(swept.to_json())
    rows = {(row["system"], row["tolerance"], row["measure"]): row for row in report["points"]}
    assert len(rows) == len(report["points"]) == 8
    for (system, at, name), row in rows.items():
        assert row["value"] == float(swept.rates(system, name)[at > 0])
    assert [row["measure"] for row in report["measures"]] == ["SER(D=2)", "F1"]


def test_higher_is_better(one):
    """By an F-measure the system with the higher value overtakes; the note names the measure."""
    gold, found = one
    early = Document("d", found.words, tree([("pers", 1, 4), ("loc", 0, 1)]), found.times)
    swept = sweep(gold, {"a": found, "b": early}, tolerance="0,0.2", measure="F1,SER(I=0.2)")
    changes = [note for note in swept.notes if " overtakes " in note]
    assert changes == [
        "a overtakes b by F1 between 0 and 0.2 s",
        "a overtakes b by SER(I=0.2) between 0 and 0.2 s",
    ]


@pytest.mark.parametrize(
    ("axis", "measures", "expected"),
    [
        (TIME, "WER,mitre", "no tolerance changes WER, mitre.all"),
        (EXTENT, "SER", "no extent changes SER"),
        (EXTENT, "mitre(extent=2)", "expected it without extent"),
        (WORDS, "SER", "a tolerance in words goes with by=text"),
        (TIME, "SER(by=text)", "by=text takes a tolerance in words"),
        (TIME, "SER@0.3", "expected it at the tolerance 0"),
    ],
)
def test_points_that_change_nothing(axis, measures, expected):
    """A sweep whose points mean nothing to its measures is refused."""
    with pytest.raises(SerevalError, match=expected):
        _ = AxisMeasures(parse_measures(measures), axis, (0, 1)).each


@pytest.mark.parametrize("text", ["0w,1", "1w:0w:1w", "0w:1w", "-1w", "1000w", "0w:3w:0w"])
def test_bad_grids_of_words(text):
    """Tolerances in words have their unit, increase, and are whole numbers up to 999."""
    with pytest.raises(SerevalError):
        grid(text)


@pytest.mark.parametrize("text", ["0.5", "1,0", "0:3", "a"])
def test_bad_extents(text):
    """Extent tolerances are whole numbers that increase."""
    with pytest.raises(SerevalError):
        extents(text)


@pytest.mark.check
def test_chart(one):
    """The chart of measures has one curve of each system by measure, and all signatures."""
    pytest.importorskip("matplotlib")
    gold, found = one
    swept = sweep(gold, {"x": found}, tolerance="0,0.2", measure="SER(D=2),F1")
    figure = swept.plot()
    assert [["x"]] == [[text.get_text() for text in one.texts] for one in figure.legends]
    assert len(figure.axes) == 2
    shown = figure.get_supxlabel()
    assert all(str(signature) in shown for signature in swept.signatures.values())
