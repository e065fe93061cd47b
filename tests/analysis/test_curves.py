"""Sweeps of measures: each point is the value that `measure` gives there."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import timed_scorings

from sereval import Document, parse_measures, score, sweep, tree

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
        requested = [one.beside({"tolerance": (ms, ms)}) for one in measures]
        alone = score(scoring.references, scoring.hypotheses, measure=requested)
        for asked, there in zip(measures, requested, strict=True):
            value = swept.curves[str(asked)].systems["x"][at]
            assert alone.values[there] == pytest.approx(None if value is None else float(value))
            assert alone.signatures[there] == swept.curves[str(asked)].signatures[at]


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
