"""The TextGrids of `sereval audit`: tiers, files, and what other readers find in them."""

import re
from pathlib import Path

import pytest
from audits import (
    FIGURE_4,
    THROUGH_TIME,
    hostile,
    of_one,
    tiers_by_praatio,
    tiers_by_textgrid,
)
from hostile import HOSTILE
from hypothesis import assume, given
from paths import ROOT
from strategies import timed_scorings

from sereval import Document, evaluate, tree
from sereval.analysis.audit import audit
from sereval.documents.model import Note
from sereval.formats.build import file_name
from sereval.report.audit_textgrid import render


def grids(evaluation, *given):
    return dict(render(list(audit(evaluation)), evaluation, *given))


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


@pytest.mark.parametrize("name", sorted(HOSTILE.keys() - {"spaces"}))
def test_hostile_in_textgrid(name):
    """Words and labels of any characters keep their place; two readers agree on them."""
    pytest.importorskip("praatio")
    [text] = grids(hostile(HOSTILE[name])).values()
    tiers = dict(tiers_by_textgrid(text))
    assert list(tiers.items()) == tiers_by_praatio(text)
    marks = {mark for _, _, mark in tiers["words"]}
    assert marks == {HOSTILE[name]} or not HOSTILE[name].isprintable()
    assert len(marks) == 1


def test_tiers_of_a_textgrid():
    """Overlapping words go to a further tier, words without length to one of their own."""
    reference = Document("d", ("a",), tree([("x", 0, 1)]), ((0, 1000),))
    times = ((0, 600), (400, 900), (900, 900))
    hypothesis = Document("d", ("b", "c", "d"), tree([("x", 2, 3)]), times)
    evaluation = evaluate([reference], [hypothesis], tolerance=0)
    tiers = dict(tiers_by_textgrid(grids(evaluation)["d.TextGrid"]))
    assert list(tiers) == [
        "words", "ref 1", "class ref 1", "asr", "asr (2)", "asr (no length)",
        "hyp 1", "hyp 1 (no length)", "class hyp 1", "class hyp 1 (no length)",
    ]  # fmt: skip
    assert tiers["asr (2)"] == [(0, 0.4, ""), (0.4, 0.9, "c"), (0.9, 1, "")]
    assert tiers["asr (no length)"] == [(0, 0.9, ""), (0.9, 0.901, "d"), (0.901, 1, "")]
    assert tiers["class ref 1"] == [(0, 1, "S_S")]


def test_textgrid_is_read_as_times(run, monkeypatch, tmp_path):
    """The words of a TextGrid written here are read here as they were."""
    monkeypatch.chdir(ROOT)
    out = str(tmp_path / "grids")
    given = [*of_one("panama", "compromise"), "--format"]
    assert run("audit", *given, "textgrid", "-o", out)[:2] == (0, "")
    again = [out if path.startswith("data/align") else path for path in given]
    assert run("audit", *again, "jsonl") == run("audit", *given, "jsonl")


def test_notes_of_a_textgrid():
    """What was skipped or made up in reading stands on a last tier, over all words."""
    times = ((100, 400), (400, 900))
    reference = Document("d", ("a", "b"), times=times, notes=(Note("relations, skipped", 2),))
    evaluation = evaluate([reference], [Document("d", ("a", "b"), times=times)])
    tiers = tiers_by_textgrid(grids(evaluation)["d.TextGrid"])
    said = "Reference: relations, skipped: 2."
    assert tiers[-1] == ("notes", [(0, 0.1, ""), (0.1, 0.9, said)])


@pytest.mark.check
def test_all_textgrids_or_none(run, monkeypatch, tmp_path):
    """Where one file cannot be written, none is, and nothing is left of the attempt."""
    monkeypatch.chdir(ROOT)
    (tmp_path / "titanic.TextGrid").mkdir()
    given = ["audit", "data/ref", "data/hyp/compromise/asr", *THROUGH_TIME]
    status, _, err = run(*given, "--format", "textgrid", "-o", str(tmp_path))
    assert (status, [path.name for path in tmp_path.iterdir()]) == (1, ["titanic.TextGrid"])
    assert "it is a folder, expected a file or nothing" in err


def test_no_folder_is_left_behind(run, figure_4, tmp_path):
    """A folder that was made for files that cannot be written is gone again."""
    given = [*FIGURE_4, "--name", "x" * 300, "--format", "textgrid"]
    given[3:5] = ["--align", *map(str, Path("align").iterdir())]
    given[1:3] = [str(file) for folder in given[1:3] for file in Path(folder).iterdir()]
    status, _, err = run(*given, "-o", str(tmp_path / "grids"))
    assert (status, [*tmp_path.iterdir()]) == (1, [])
    assert err.strip().endswith("File name too long")


def test_inputs_are_not_replaced(run, figure_4, tmp_path):
    """A TextGrid that was read is not written over."""
    align = tmp_path / "align"
    align.mkdir()
    [source] = Path("align").iterdir()
    (align / source.name).write_bytes(source.read_bytes())
    given = [str(align) if part == "align" else part for part in FIGURE_4]
    status, _, err = run(*given, "--format", "textgrid", "-o", str(align))
    assert (status, (align / source.name).read_bytes()) == (1, source.read_bytes())
    assert "it is among the files to be read" in err


@pytest.mark.check
def test_documents_of_textgrids(run, monkeypatch, tmp_path):
    """--document chooses the files, and --class what is on the tiers of elements."""
    monkeypatch.chdir(ROOT)
    given = ["audit", "data/ref", "data/hyp/compromise/asr", *THROUGH_TIME, "--document", "panama"]
    run(*given, "--class", "I", "--format", "textgrid", "-o", str(tmp_path / "grids"))
    [path] = (tmp_path / "grids").iterdir()
    names = [name for name, _ in tiers_by_textgrid(path.read_text("utf-8"))]
    assert path.name == "panama.TextGrid"
    assert names == ["words", "asr", "hyp 2", "class hyp 2"]


NAMES = ["a/b", "..", ".a", "a:b", "a%2Fb", "con\x00", "émission", "日本", 'a"b', "a\nb", "a b"]


def test_file_names():
    """A file's name stays in its folder, and no two ids have the same."""
    names = [file_name(id, ".TextGrid") for id in NAMES]
    assert len(set(names)) == len(names)
    for name in names:
        assert Path(name).name == name
        assert not name.startswith(".")
        assert name.isprintable()
