"""`sereval project`: figures of the paper, formats, and the way back through `score`."""

import json
from pathlib import Path

import pytest
from paths import CASES

# --- project --------------------------------------------------------------------------------------

FIGURE_4 = "project reference --align align --words words.ctm --tolerance 0.3"


def test_projection_as_aref(figure_4, run, tmp_path):
    """Figure 4 projected and written in LNE's format is the file of its case."""
    fuzzy = tmp_path / "figure4.aref"
    status, out, err = run(f"{FIGURE_4} --format aref -o {fuzzy}")
    assert (0, "") == (status, out)
    assert err.splitlines() == [
        f"sereval: wrote {fuzzy}",
        "sereval: lost in aref: times of words: 6",
        "sereval: lost in aref: elements with strict frontiers, which break ties: 3",
        "sereval: lost in aref: descriptions of the projection: 1",
    ]
    assert fuzzy.read_text("utf-8") == (CASES / "aref_figure_4/figure4.aref").read_text("utf-8")


ROUND_TRIPS = [
    ("figure_4", "words.ctm", "hypothesis_nothing", "0.3", "drop"),
    ("two_tolerances", "hypothesis_magie --words words.ctm", "hypothesis_magie", "0", "miss"),
    ("collision", "words.ctm", "hypothesis", "0.1", "drop"),
    ("collision", "words.ctm", "hypothesis", "0.1", "miss"),
    ("collision", "words.ctm", "hypothesis", "0.1", "merge"),
    ("one_ctm", "words.ctm", "hypothesis", "0.1", "drop"),
]


@pytest.mark.parametrize(("case", "words", "hypothesis", "tolerance", "policy"), ROUND_TRIPS)
def test_project_then_score(case, words, hypothesis, tolerance, policy, monkeypatch, run, stdin):
    """Scoring a projected reference gives the figures of scoring through time at once."""
    monkeypatch.chdir(CASES / case)
    [align] = Path().glob("align*")
    settings = f"--align {align} --tolerance {tolerance} --unplaceable {policy}"
    _, fuzzy, _ = run(f"project reference {words} {settings}")
    stdin(fuzzy)
    again = "miss" if policy == "miss" else "drop"
    _, out, _ = run(f"score - {hypothesis} --ref-format native --unplaceable {again} --format json")
    _, at_once, _ = run(f"score reference {hypothesis} --words words.ctm {settings} --format json")
    reports = [json.loads(text) for text in (out, at_once)]
    for report in reports:
        del report["signature"], report["provenance"]
        for name in ("words", "word_elements"):  # a fuzzy reference has the hypothesis's words
            del report[name]
    assert reports[0] == reports[1]
