"""Sweeps: every point is a score, whatever is shared between them; notes, reports and the chart."""

from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import in_ms, timed_scorings

from sereval import (
    Costs,
    Counts,
    SerevalError,
    Signature,
    evaluate,
    sweep,
)
from sereval.analysis.points import TIME, document_counts, grid, ser
from sereval.analysis.sweep import Curve, Sweep
from sereval.evaluation.evaluate import PAIRINGS, SEARCHES, Settings, score_document
from sereval.render.chart import drawn


def made(*rates, out_of=1000):
    """Counts with these rates, in as many thousandths."""
    return tuple(Counts(C=out_of - rate, D=rate) for rate in rates)


def sweep_with(systems, costs):
    """A sweep that counted these, at tolerances from 0 on, 0.1 s apart."""
    rates = {name: tuple(ser(one, costs) for one in own) for name, own in systems.items()}
    points = tuple(100 * k for k in range(len(next(iter(systems.values())))))
    curve = Curve(rates, (Signature(),) * len(points))
    return Sweep(points, {"SER": curve}, Settings(costs=costs), systems=systems)


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
    points = ",".join(f"{ms}ms" for ms in tolerances)
    swept = sweep(scoring.references, {"x": scoring.hypotheses}, tolerance=points, **given_so)
    for tolerance, counts, rate in zip(
        tolerances, swept.systems["x"], swept.rates("x"), strict=True
    ):
        alone = evaluate(
            scoring.references, scoring.hypotheses, tolerance=in_ms(tolerance), **given_so
        )
        assert alone.counts == counts
        assert alone.ser == (None if rate is None else float(rate))
        assert alone.signature == swept.curves["SER"].signatures[tolerances.index(tolerance)]


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
        tolerance="0ms:98ms:7ms",
        unplaceable=scoring.unplaceable,
        costs=scoring.costs,
    ).systems["x"]
    placed = [counts for counts in points if not counts.unplaceable]
    costs = [counts.cost(scoring.costs) for counts in placed]
    assert costs == sorted(costs, reverse=True)
    assert [c.exact for c in placed] == sorted(c.exact for c in placed)


# --- the grid -------------------------------------------------------------------------------------


@given(st.integers(0, 500), st.integers(1, 36), st.integers(1, 40))
def test_grids_are_described_as_they_are_written(start, step, count):
    """What the signature says of a range or a list is read as the same tolerances."""
    for tolerances in (
        tuple(range(start, start + step * count, step)),
        tuple(start + step * k * (k + 1) for k in range(count)),
    ):
        assert tolerances == grid(TIME.grid_text(tolerances))


# --- notes ----------------------------------------------------------------------------------------


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
    assert expected == list(sweep_with(systems, Costs()).notes)


def test_no_system():
    """A sweep without a system is refused, as a comparison is."""
    with pytest.raises(SerevalError, match="expected at least one system"):
        sweep([["B-PER"]], {}, tolerance="0,100ms")


def test_ties_are_exact():
    """Rates that are the same fraction of different totals are equal, near ones are not."""
    costs = Costs.parse("D=0.1,I=0.3")
    third = Counts(D=3, I=1), Counts(D=9, I=3)  # 0.6 of 3, 1.8 of 9
    other = Counts(D=6, I=2), Counts(D=10**9, I=333_333_333)
    swept = sweep_with({"a": third, "b": other}, costs)
    assert swept.rates("a") == [Fraction(1, 5)] * 2
    assert swept.notes[-1] == "a and b have the same SER at 0 s"
    assert swept.rates("b")[1] != Fraction(1, 5)


# --- reports --------------------------------------------------------------------------------------


# --- the command ----------------------------------------------------------------------------------


# --- the chart ------------------------------------------------------------------------------------


@pytest.mark.check
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_chart(run, files, two, kind):
    """The chart is a file of its kind, the same bytes each time, and names every system."""
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
@pytest.mark.parametrize("count", [1, 3, 4, 8])
def test_chart_of_any_size(count):
    """One system and many, long names and formulas, and undefined rates can be drawn."""
    systems = {f"$x_{k}^": made(500 + k, 400) for k in range(count - 1)}
    systems[f"_{'x' * 99}"] = (Counts(), Counts())
    svg = drawn(sweep_with(systems, Costs()).plot(), "svg", "").decode("utf-8")
    for name in list(systems)[:-1]:
        assert svg.count(f"<!-- {name} -->") == 2
    assert svg.count("x" * 22) >= 2
