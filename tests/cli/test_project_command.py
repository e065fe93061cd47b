"""`sereval project`: figures of the paper, formats, and the way back through `score`."""

import json
from pathlib import Path

import pytest
from cli_files import (
    put,
)
from paths import CASES, CORPORA

SPEECH = CORPORA / "speech/human"


# --- project --------------------------------------------------------------------------------------

TIMED = '{{"id":"{}","words":["Dol"],"times":[[0.0,0.5]]}}\n'
FIGURE_4 = "project reference --align align --words words.ctm --tolerance 0.3"


def test_projection_of_figure_4(figure_4, run):
    """The candidates of the paper's figure 4, as the definition lists them (section 7, case 2)."""
    status, out, err = run(FIGURE_4)
    reference = json.loads(out)
    assert (status, err) == (0, "")
    assert reference["words"] == ["recevrons", "Benoît", "magie", "mais", "l'", "acteur"]
    assert reference["elements"] == [
        {"label": "pers.ind", "starts": [0, 1], "ends": [3, 4, 5], "strict": [1, 4]},
        {"label": "name.first", "starts": [0, 1], "ends": [2], "parent": 0, "strict": [1, 2]},
        {"label": "name.last", "starts": [2], "ends": [3, 4, 5], "parent": 0, "strict": [2, 4]},
    ]


def test_projection_as_text(figure_4, run):
    """The readable projection names the candidate words, the strict one in brackets."""
    expected = """\
figure4: 3 elements placed, 0 unplaceable
element        reference words   may start before [strict]   may end after [strict]
pers.ind       Benoît Magimel    0 recevrons, [1 Benoît]     2 magie, [3 mais], 4 l'
  name.first   Benoît            0 recevrons, [1 Benoît]     [1 Benoît]
  name.last    Magimel           [2 magie]                   2 magie, [3 mais], 4 l'
"""
    assert run(f"{FIGURE_4} --format text") == (0, expected, "")


def test_projection_as_aref(figure_4, run, tmp_path):
    """Figure 4 projected and written in LNE's format is the file of its case."""
    fuzzy = tmp_path / "figure4.aref"
    status, out, err = run(f"{FIGURE_4} --format aref -o {fuzzy}")
    assert (0, "") == (status, out)
    assert err.splitlines() == [
        "sereval: lost in aref: times of words: 6",
        "sereval: lost in aref: elements with strict frontiers, which break ties: 3",
        "sereval: lost in aref: descriptions of the projection: 1",
    ]
    assert fuzzy.read_text("utf-8") == (CASES / "aref_figure_4/figure4.aref").read_text("utf-8")


def test_unplaceable_elements_are_lost_in_aref(files, run):
    """The format has no room for them, which is said: scored with it, they would cost nothing."""
    words = '"words": ["à", "Dol"], "times": [[0, 0.2], [0.2, 0.6]]'
    name = '{"label": "name", "start": 0, "end": 1}, {"label": "loc", "start": 1, "end": 2}'
    put("one.jsonl", f'{{"id": "d", {words}, "elements": [{name}]}}')
    put("heard.jsonl", '{"id": "d", "words": ["adol"], "times": [[0, 0.6]], "elements": []}')
    project = "project one.jsonl heard.jsonl --tolerance 0.1 --unplaceable miss --format"
    assert run(f"{project} aref")[2].count("lost in aref: elements without a place: 1") == 1
    assert "lost" not in run(f"{project} json")[2]


def test_projection_of_several_as_aref(files, run):
    """A file in LNE's format holds one document."""
    for path in ("two.jsonl", "words.jsonl"):
        put(path, "".join(TIMED.format(id) for id in ("a", "b")))
    command = "project two.jsonl words.jsonl --tolerance 0.1 --format aref"
    assert run(command) == (1, "", "sereval: found 2 documents, expected one: aref holds no more\n")


@pytest.mark.parametrize(
    ("policy", "fate"),
    [("drop", "(dropped)"), ("miss", "(missed)"), ("merge", "(merged into name)")],
)
def test_unplaceable_as_text(policy, fate, monkeypatch, run):
    """The readable projection shows an unplaceable element and what became of it."""
    monkeypatch.chdir(CASES / "collision")
    command = f"project reference words.ctm --align align --tolerance 0.1 --unplaceable {policy}"
    status, out, err = run(f"{command} --format text")
    lines = out.splitlines()
    assert (status, err, lines[0]) == (0, "", "show: 2 elements placed, 1 unplaceable")
    [kind] = [line for line in lines if line.startswith("  kind")]
    assert kind.split() == ["kind", *fate.split(), "du", "[0", "dubidget]", "nowhere"]


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
    assert reports[0] == reports[1]


@pytest.mark.skipif(not SPEECH.is_dir(), reason="needs the speech corpus")
@pytest.mark.parametrize("policy", ["drop", "miss"])
def test_project_then_score_a_recording(policy, run, tmp_path):
    """The round trip keeps every figure on a real recording too."""
    times = f"--align {SPEECH}/align/lj001b.TextGrid --words {SPEECH}/asr/lj001b.ctm"
    settings = f"{times} --tolerance 0.3 --unplaceable {policy}"
    reference, hypothesis = f"{SPEECH}/ref/lj001b.ne", f"{SPEECH}/hyp/gaz/asr/lj001b.ne"
    fuzzy = tmp_path / "fuzzy.jsonl"
    assert run(f"project {reference} {settings} -o {fuzzy}") == (0, "", "")
    _, at_once, _ = run(f"score {reference} {hypothesis} {settings} --format csv")
    expected = (0, at_once, "")
    assert run(f"score {fuzzy} {hypothesis} --unplaceable {policy} --format csv") == expected
