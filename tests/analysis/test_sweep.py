"""Sweeps: every point is a score, whatever is shared between them; notes, reports and the chart."""

import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA, ROOT
from strategies import in_ms, timed_scorings

from sereval import (
    Costs,
    Counts,
    Document,
    Mention,
    SerevalError,
    evaluate,
    find_mentions,
    tree,
)
from sereval.analysis.grids import MOST_POINTS, grid, grid_text
from sereval.analysis.points import document_counts
from sereval.analysis.sweep import Sweep, sweep
from sereval.evaluation.evaluate import PAIRINGS, SEARCHES, Settings, score_document
from sereval.render.chart import CHARTS, drawn
from sereval.runs import sides
from sereval.runs.pairs import distinct_names

DEMO = f"{DATA}/ref {DATA}/hyp/compromise/asr {DATA}/hyp/gazetteer/asr"
TIMES = f"--align {DATA}/align --words {DATA}/asr"


@pytest.fixture(scope="module")
def small():
    """A sweep of two systems over made-up counts, one rate undefined."""
    crf = Counts(C=5, D=5, hyp=5), Counts(C=6, D=4, hyp=6), Counts(C=7, S_S=1, D=2, hyp=8)
    gaz = Counts(I=2, hyp=2), Counts(C=7, D=3, hyp=7), Counts(C=7, D=3, hyp=7, unplaceable=2)
    return Sweep((0, 50, 100), {"crf": crf, "gaz, too": gaz}, Settings())


def made(*rates, out_of=1000):
    """Counts with these rates, in as many thousandths."""
    return tuple(Counts(C=out_of - rate, D=rate) for rate in rates)


@pytest.fixture
def two(files):
    """A command line that sweeps two systems, each on words of its own."""
    (files / "other.ctm").write_text("show 1 0 0.2 à\nshow 1 0.2 0.4 Dol\n", "utf-8")
    return "sweep ref heard hyp --align align --words words.ctm --words other.ctm"


# --- every point is a score -----------------------------------------------------------------------


@pytest.mark.check
@given(timed_scorings(), st.sets(st.integers(0, 80), min_size=1, max_size=6).map(sorted))
def test_points_are_scores(scoring, tolerances):
    """Each point of a random corpus has the counts, rate and signature of its evaluation."""
    given_so = {"unplaceable": scoring.unplaceable, "costs": scoring.costs}
    swept = sweep(scoring.references, {"x": scoring.hypotheses}, tolerances, **given_so)
    for tolerance, counts, rate in zip(
        tolerances, swept.systems["x"], swept.rates("x"), strict=True
    ):
        alone = evaluate(
            scoring.references, scoring.hypotheses, tolerance=in_ms(tolerance), **given_so
        )
        assert alone.counts == counts
        assert alone.ser == (None if rate is None else float(rate))
        assert alone.signature == swept.signature_at(tolerance)


LISTED = find_mentions(
    Document("d", (), mentions=(Mention("loc", "Dol"),)),
    Document("d", ("Dol", "or", "Dol"), times=((0, 200), (200, 400), (400, 600))),
)
DOL = Document("d", ("a", "Dol"), tree([("loc", 1, 2)]), times=((0, 450), (450, 600)))


@pytest.mark.parametrize(("placement", "correct"), [(None, 0), ("best", 1), ("worst", 0)])
@pytest.mark.parametrize("others", [{}, {"neutral": frozenset({"x"})}])
def test_points_have_the_placement(others, placement, correct):
    """Each point has the counts of its evaluation, with the places of least or greatest cost."""
    others = {**others, "placement": placement}
    swept = sweep([DOL], {"x": [LISTED]}, [0, 50, 450], **others)
    points = zip(swept.tolerances, swept.systems["x"], strict=True)
    for tolerance, counts in points:
        assert evaluate([DOL], [LISTED], tolerance=in_ms(tolerance), **others).counts == counts
    assert (correct, placement) == (swept.systems["x"][1].C, dict(swept.signature).get("placement"))


def test_a_point_has_no_range():
    """Both ends of the placements are for one score."""
    with pytest.raises(SerevalError, match="found placement='range', expected 'best' or 'worst'"):
        sweep([DOL], {"x": [LISTED]}, [0], placement="range")


@pytest.mark.check
@pytest.mark.parametrize("scheme", SEARCHES)
@pytest.mark.parametrize("pairing", PAIRINGS)
@given(timed_scorings(), st.sampled_from([(0, 10, 20, 30, 40, 50), (5, 60)]))
def test_points_are_scores_with_any_pairing(pairing, scheme, scoring, tolerances):
    """What is shared between points is the same whichever pairs a mapping may hold."""
    for reference, hypothesis in zip(scoring.references, scoring.hypotheses, strict=True):
        settings = Settings((0, 0), scoring.unplaceable, scoring.costs, "error", pairing, scheme)
        alone = [
            score_document(reference, hypothesis, replace(settings, tolerance=(ms, ms))).counts
            for ms in tolerances
        ]
        assert alone == document_counts(reference, hypothesis, settings, tolerances)


@pytest.mark.check
@given(timed_scorings())
def test_never_rises_where_all_have_a_place(scoring):
    """Where nothing is unplaceable the total cost never rises and exact pairs are never lost."""
    points = sweep(
        scoring.references,
        {"x": scoring.hypotheses},
        range(0, 100, 7),
        unplaceable=scoring.unplaceable,
        costs=scoring.costs,
    ).systems["x"]
    placed = [counts for counts in points if not counts.unplaceable]
    costs = [counts.cost(scoring.costs) for counts in placed]
    assert costs == sorted(costs, reverse=True)
    assert [c.exact for c in placed] == sorted(c.exact for c in placed)


@pytest.mark.check
def test_paths_are_looked_through_once(monkeypatch, run):
    """What several systems share is listed once for all of them."""
    listed = []
    entries = sides.entries
    monkeypatch.setattr(
        sides, "entries", lambda found, side: listed.append(side) or entries(found, side)
    )
    status, _, _ = run(f"sweep {DEMO} {TIMES} --tolerance 0,0.1")
    assert status == 0
    assert len(set(listed)) == len(listed) == 5


# --- the grid -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0:1:0.25", (0, 250, 500, 750, 1000)),
        ("0:1:0.3", (0, 300, 600, 900)),
        ("0.1:0.1:1", (100,)),
        ("0s:100ms:50ms", (0, 50, 100)),
        ("0, 0.1, 300ms", (0, 100, 300)),
        ("0.3", (300,)),
        ("0:0.7:0.1", tuple(range(0, 701, 100))),
    ],
)
def test_grids(text, expected):
    """Ranges hold their stop where a step falls on it; decimals are exact."""
    assert expected == grid(text)


def test_the_longest_grid():
    """As many points as are allowed, and no more."""
    assert MOST_POINTS == len(grid("0:1:0.001"))


@given(st.integers(0, 3000), st.integers(1, 500), st.integers(1, 40))
def test_grids_are_described_as_they_are_written(start, step, count):
    """What the signature says of a range or a list is read as the same tolerances."""
    for tolerances in (
        tuple(range(start, start + step * count, step)),
        tuple(start + step * k * (k + 1) for k in range(count)),
    ):
        assert tolerances == grid(grid_text(tolerances))


def test_signature(small):
    """The signature of a sweep is that of its points, but for the tolerance."""
    assert str(small.signature_at(50)).replace("tolerance:0.05", "tolerance:0:0.1:0.05") == (
        str(small.signature)
    )


@pytest.mark.parametrize("tolerances", [[], [100, 100], [100, 0]])
def test_tolerances_increase(tolerances):
    """A sweep is along tolerances that increase."""
    document = Document("d", ("a",), tree([("x", 0, 1)]), times=((0, 1),))
    with pytest.raises(SerevalError, match="expected increasing ones"):
        sweep([document], {"x": [document]}, tolerances)


# --- notes ----------------------------------------------------------------------------------------

FLATNESS = [  # thousandths of SER at 0, 0.1, … 1 s, and the note's end
    ([500] * 11, None),
    ([500 - 20 * k for k in range(9)] + [340, 339], None),
    ([500 - 20 * k for k in range(9)] + [339, 338], "to 1 s its SER still falls by 0.20 points"),
    ([400] * 9 + [401, 402], "from 0.8 to 1 s its SER still rises by 0.20 points"),
    ([500] * 8 + [300] * 3, None),
]


@pytest.mark.parametrize(("rates", "expected"), FLATNESS)
def test_not_yet_flat(rates, expected):
    """A curve that moves by more than 0.1 points over the last fifth of the range is noted."""
    notes = Sweep(tuple(range(0, 1001, 100)), {"crf": made(*rates)}, Settings()).notes
    assert len(notes) == (expected is not None)
    assert all(note.startswith("crf is not yet flat: ") for note in notes)
    assert expected is None or notes[0].endswith(expected)


def test_flatness_between_few_points():
    """Where no point starts the last fifth, the one before it does; one point is no curve."""
    falling = made(500, 400)
    assert ("x is not yet flat: from 0 to 1 s its SER still falls by 10.00 points",) == (
        Sweep((0, 1000), {"x": falling}, Settings()).notes
    )
    assert Sweep((0,), {"x": falling[:1]}, Settings()).notes == ()
    undefined = (Counts(), Counts(I=1))
    assert Sweep((0, 1000), {"x": undefined}, Settings()).notes == ()


RANKINGS = [  # of a and b, at 0, 0.1, … s
    ([5, 5, 5], [6, 6, 6], []),
    ([5, 5, 5, 5], [6, 6, 4, 4], ["b overtakes a between 0.1 and 0.2 s"]),
    (
        [5, 5, 5],
        [6, 4, 6],
        ["b overtakes a between 0 and 0.1 s", "a overtakes b between 0.1 and 0.2 s"],
    ),
    (
        [5, 5, 5, 5],
        [6, 5, 5, 4],
        ["b overtakes a between 0 and 0.3 s", "a and b have the same SER from 0.1 to 0.2 s"],
    ),
    ([5, 5, 5], [6, 5, 6], ["a and b have the same SER at 0.1 s"]),
    ([5, 5], [5, 5], ["a and b have the same SER from 0 to 0.1 s"]),
]


@pytest.mark.parametrize(("a", "b", "expected"), RANKINGS)
def test_changes_of_the_ranking(a, b, expected):
    """It is said between which two points who overtakes whom, and where two are level."""
    systems = {"a": made(*a, out_of=10**5), "b": made(*b, out_of=10**5)}
    swept = Sweep(tuple(100 * k for k in range(len(a))), systems, Settings())
    assert expected == list(swept.notes)


def test_ties_are_exact():
    """Rates that are the same fraction of different totals are equal, near ones are not."""
    costs = Costs.parse("D=0.1,I=0.3")
    third = Counts(D=3, I=1), Counts(D=9, I=3)  # 0.6 of 3, 1.8 of 9
    other = Counts(D=6, I=2), Counts(D=10**9, I=333_333_333)
    swept = Sweep((0, 100), {"a": third, "b": other}, Settings(costs=costs))
    assert swept.rates("a") == [Fraction(1, 5)] * 2
    assert swept.notes[-1] == "a and b have the same SER at 0 s"
    assert swept.rates("b")[1] != Fraction(1, 5)


def test_notes_skip_what_is_undefined(small):
    """A system without a rate at some point is in no ranking there."""
    assert [note for note in small.notes if "flat" not in note] == [
        "crf overtakes gaz, too between 0.05 and 0.1 s"
    ]


# --- reports --------------------------------------------------------------------------------------


def test_a_row_for_each_point(small):
    """A row for each system and tolerance, with the signature of its point."""
    rows = list(csv.DictReader(small.report().csv()))
    ser = {(row["system"], float(row["tolerance"])): row["ser"] for row in rows}
    assert len(ser) == len(rows) == 2 * 3
    assert {(float(r["tolerance"]), r["signature"]) for r in rows} == {
        (ms / 1000, str(small.signature_at(ms))) for ms in small.tolerances
    }
    assert (ser["gaz, too", 0], ser["crf", 0.1]) == ("", "0.25")


def _blocks(swept):
    return f"{swept}\n".split("\n\n")


def test_text(small):
    """The text report: systems side by side, each one's counts, notes, signature."""
    assert (
        f"{small}\n"
        == f"""\
SER (%)
tolerance   crf  gaz, too
        0  50.0       n/a
     0.05  40.0      30.0
      0.1  25.0      30.0

crf
tolerance   SER  Ref  Hyp  C  S_S  S_T  S_ST  D  I   F1  unplaceable
        0  50.0   10    5  5    0    0     0  5  0  0.0            0
     0.05  40.0   10    6  6    0    0     0  4  0  0.0            0
      0.1  25.0   10    8  7    1    0     0  2  0  0.0            0

gaz, too
tolerance   SER  Ref  Hyp  C  S_S  S_T  S_ST  D  I   F1  unplaceable
        0   n/a    0    2  0    0    0     0  0  2  0.0            0
     0.05  30.0   10    7  7    0    0     0  3  0  0.0            0
      0.1  30.0   10    7  7    0    0     0  3  0  0.0            2

crf is not yet flat: from 0.05 to 0.1 s its SER still falls by 15.00 points
crf overtakes gaz, too between 0.05 and 0.1 s

{small.signature}
"""
    )


def test_text_is_narrow():
    """More systems than fit side by side stand in several tables; no line is too long."""
    systems = {f"system number {k}": made(500, 400, 300, out_of=10**6) for k in range(12)}
    swept = Sweep((0, 100, 200), systems, Settings())
    blocks = _blocks(swept)
    assert [block.count("system number") for block in blocks[:3]] == [5, 5, 2]
    tables = [line for block in blocks[:15] for line in block.splitlines()]
    assert max(map(len, tables)) <= 100


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["hyp/crf/asr", "hyp/gaz/asr"], ["crf", "gaz"]),
        (["hyp/crf/asr/", "/elsewhere/gaz/asr"], ["crf", "gaz"]),
        (["out/a.jsonl", "out/b.ne"], ["a", "b"]),
        (["out/v1.2", "out/v1.3"], ["v1.2", "v1.3"]),
        (["crf/asr", "crf/manual", "gaz/asr"], ["crf/asr", "crf/manual", "gaz/asr"]),
        (["asr", "crf/asr"], ["asr", "crf"]),
        (["hyp/crf"], ["crf"]),
        (["-", "hyp/crf.ne"], ["-", "crf"]),
    ],
)
def test_names(paths, expected):
    """Systems have the shortest names that tell their paths apart."""
    assert expected == distinct_names(paths, "systems")


@pytest.mark.check
def test_given_names(run):
    """`--system` names the systems, in their order."""
    _, out, _ = run(f"sweep {DEMO} {TIMES} --tolerance 0.3 --format csv --system A --system B")
    assert {"A", "B"} == {row["system"] for row in csv.DictReader(io.StringIO(out))}


def test_words_for_each_system(run, two):
    """Each system can have a recogniser of its own."""
    status, out, err = run(f"{two} --tolerance 0,0.1 --format json")
    assert (0, "") == (status, err)
    points = json.loads(out)["points"]
    assert ["heard", "heard", "hyp", "hyp"] == [point["system"] for point in points]
    assert [2] * 4 == [point["Ref"] for point in points]


# --- the chart ------------------------------------------------------------------------------------


@pytest.mark.check
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_chart(run, files, two, kind):
    """The chart is a file of its kind, the same bytes each time, and names every system."""
    pytest.importorskip("matplotlib")
    command = f"{two} --tolerance 0:0.2:0.1 --plot"
    status, out, err = run(f"{command} one.{kind}")
    assert (status, out, err.replace("one", "two")) == run(f"{command} two.{kind}")
    drawn = (files / f"one.{kind}").read_bytes()
    assert drawn == (files / f"two.{kind}").read_bytes()
    starts = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-1"}
    assert drawn.startswith(starts[kind])
    if kind == "svg":
        assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
        assert [drawn.count(f"<!-- {name} -->".encode()) for name in ("heard", "hyp")] == [2, 2]
        assert b"dc:date" not in drawn


@pytest.mark.check
@pytest.mark.parametrize("kind", CHARTS)
def test_chart_is_signed(small, kind):
    """The metadata of each kind of file has the signature of the sweep."""
    pytest.importorskip("matplotlib")
    found = drawn(small.plot(), kind, str(small.signature))
    field = {"svg": "<dc:description>", "png": "tEXtDescription\0", "pdf": "/Subject ("}[kind]
    assert f"{field}{small.signature}".encode("ascii") in found


@pytest.mark.check
@pytest.mark.parametrize("rates", [(500, 400), (400, 400), (0, 0)])
def test_chart_begins_at_zero(rates):
    """The axis of the rate begins at 0, and the signature stands under the chart."""
    pytest.importorskip("matplotlib")
    swept = Sweep((0, 100), {"hyp": made(*rates)}, Settings())
    figure = swept.plot()
    low, high = figure.axes[0].get_ylim()
    assert low == 0 < high
    assert figure.get_supxlabel() == str(swept.signature)


@pytest.mark.check
@pytest.mark.parametrize("count", [1, 3, 4, 8])
def test_chart_of_any_size(count):
    """One system and many, long names and formulas, and undefined rates can be drawn."""
    pytest.importorskip("matplotlib")
    systems = {f"$x_{k}^": made(500 + k, 400) for k in range(count - 1)}
    systems[f"_{'x' * 99}"] = (Counts(), Counts())
    svg = drawn(Sweep((0, 100), systems, Settings()).plot(), "svg", "").decode("utf-8")
    for name in list(systems)[:-1]:
        assert svg.count(f"<!-- {name} -->") == 2
    assert svg.count("x" * 22) >= 2


@pytest.mark.check
def test_chart_leaves_no_trace(small):
    """Settings of matplotlib are neither taken over nor changed."""
    matplotlib = pytest.importorskip("matplotlib")
    plain = drawn(small.plot(), "svg", "")
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9}):
        before = dict(matplotlib.rcParams)
        assert plain == drawn(small.plot(), "svg", "")
        assert before == dict(matplotlib.rcParams)


def test_chart_needs_matplotlib(run, files, monkeypatch):
    """Without matplotlib the chart is refused before anything is read."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run("sweep nowhere hyp --tolerance 0:1:0.5 --plot a.svg") == (
        1,
        "",
        "sereval: a plot needs matplotlib, which is not installed: pip install 'sereval[plot]'\n",
    )


@pytest.mark.check
def test_chart_where_matplotlib_is_set_up_wrongly(files):
    """What is wrong with its environment is said in one line."""
    pytest.importorskip("matplotlib")
    command = "sweep ref heard --align align --words words.ctm --tolerance 0,1 --plot a.svg"
    done = subprocess.run(
        [sys.executable, "-m", "sereval", *command.split()],
        env={**os.environ, "MPLBACKEND": "nothing", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (1, b"", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert done.stderr.startswith(b"sereval: matplotlib: Key backend: 'nothing' is not a valid")


def test_chart_of_one_point(run, files):
    """One tolerance is no curve."""
    pytest.importorskip("matplotlib")
    status, out, err = run("sweep ref hyp --tolerance 0.3 --plot a.svg")
    assert (2, "") == (status, out)
    assert "Error: found one tolerance, expected two or more for a curve\n" in err
