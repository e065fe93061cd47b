"""The TextGrids of `sereval audit`: tiers, files, and what other readers find in them."""

import re

import pytest
from audits import (
    THROUGH_TIME,
    of_one,
    tiers_by_praatio,
    tiers_by_textgrid,
)
from hypothesis import assume, given
from paths import ROOT
from strategies import timed_scorings

from sereval.analysis.audit import audit
from sereval.formats.build import file_name
from sereval.report.audit_textgrid import render


def grids(evaluation):
    return dict(render(list(audit(evaluation)), evaluation, lambda *_: True))


@pytest.mark.check
@given(timed_scorings())
def test_textgrid_holds_everything(scoring):
    """Every word and element is on its tiers with its time; tiers tile the whole time."""
    evaluation = scoring.run()
    for document in audit(evaluation):
        text = grids(evaluation)[file_name(document.id, ".TextGrid")]
        found = {}
        tiers = tiers_by_textgrid(text)
        for name, intervals in tiers:
            whole = [bound for _, lane in tiers[:1] for bound in (lane[0][0], lane[-1][1])]
            assert [intervals[0][0], intervals[-1][1]] == whole
            for before, after in zip(intervals, intervals[1:], strict=False):
                assert before[1] == after[0]
            kind = re.sub(r" \((\d+|no length)\)", "", name)
            moment = "(no length)" in name
            found.setdefault(kind, []).extend(
                (start, start if moment else end, mark) for start, end, mark in intervals if mark
            )
        assert {k: sorted(v) for k, v in found.items()} == expected_tiers(document)


def expected_tiers(document):
    """What the tiers of each kind should hold, from the rows."""
    expected = {}

    def add(kind, time, mark):
        expected.setdefault(kind, []).append((time[0] / 1000, time[1] / 1000, mark))

    for kind, side in (("words", document.reference_words), ("asr", document.hypothesis_words)):
        expected[kind] = []
        for time, word in zip(side.times, side.words, strict=True):
            add(kind, time, word)
    for row in document.rows:
        kind = f"{row.side[:3]} {row.depth}"
        letter = [] if row.slot is None else [row.slot.value]
        add(kind, row.time, "|".join(row.labels))
        add(f"class {kind}", row.time, " ".join(letter + ["unplaceable"] * (row.why is not None)))
    return {kind: sorted(marks) for kind, marks in expected.items()}


@pytest.mark.check
@given(timed_scorings())
def test_two_readers_agree_on_textgrids(scoring):
    """The textgrid package and praatio read the same tiers from what is written."""
    pytest.importorskip("praatio")
    spoken = [document.times for side in scoring[:2] for document in side]
    assume(all(start >= 0 for times in spoken for start, _ in times))  # praatio drops the sign
    for text in grids(scoring.run()).values():
        assert tiers_by_textgrid(text) == tiers_by_praatio(text)


def test_textgrid_is_read_as_times(run, monkeypatch, tmp_path):
    """The words of a TextGrid written here are read here as they were."""
    monkeypatch.chdir(ROOT)
    out = str(tmp_path / "grids")
    given = [*of_one("panama", "compromise"), "--format"]
    assert run("audit", *given, "textgrid", "-o", out)[:2] == (0, "")
    again = [out if path.startswith("data/align") else path for path in given]
    assert run("audit", *again, "jsonl") == run("audit", *given, "jsonl")


@pytest.mark.check
def test_all_textgrids_or_none(run, monkeypatch, tmp_path):
    """Where one file cannot be written, none is, and nothing is left of the attempt."""
    monkeypatch.chdir(ROOT)
    (tmp_path / "titanic.TextGrid").mkdir()
    given = ["audit", "data/ref", "data/hyp/compromise/asr", *THROUGH_TIME]
    status, _, err = run(*given, "--format", "textgrid", "-o", str(tmp_path))
    assert (status, [path.name for path in tmp_path.iterdir()]) == (1, ["titanic.TextGrid"])
    assert "it is a folder, expected a file or nothing" in err
