"""Scores of whole command lines, from files to JSON, with figures computed by hand.

``case_folders`` says what a folder of ``cases/`` holds; ``python tests/support/golden.py``
rewrites the whole reports, but never the figures.
"""

import shutil
from collections import Counter
from fractions import Fraction

import pytest
from case_folders import arguments, folders, reported, write
from paths import CASES

from sereval.evaluation.placed import OPEN  # counted when a document is scored
from sereval.schemes.table import schemes_that_count

FOLDERS = folders(CASES)
LISTS = schemes_that_count("lists")
NOTHING = "sereval: no elements "
"""How it is said that no reference has an element."""


def exact(text):
    """A rate as written by hand, ``1.5/3``; ``None`` for ``undefined``."""
    if text == "undefined":
        return None
    cost, _, slots = text.partition("/")
    return float(Fraction(cost) / Fraction(slots or 1))


def computed(figures):
    """Figures of a line of ``args``; a class that it does not name has no slot."""
    zero = dict.fromkeys(("C", "S_S", "S_T", "S_ST", "D", "I", "unplaceable"), 0)
    counts = zero | {name: float(n) for name, n in figures.items() if name not in ("exact", "ser")}
    return counts, int(figures["exact"]), exact(figures["ser"])


def counted(figures):
    """What the figures of another scheme count, such as ``type.COR``; what is 0 is not named."""
    return {
        f"{name}.{count}": figure[count]
        for name, figure in figures.items()
        for count in ("COR", "INC", "PAR", "MIS", "SPU")
        if figure[count]
    }


def said(err):
    """What standard error says was skipped, merged or made up in reading, added up."""
    found = Counter()
    for line in err.splitlines():
        if line.startswith(NOTHING):
            continue
        name, _, note = line.partition(": ")
        note = note.partition(": ")[2]
        assert name == "sereval"
        reason, _, things = note.partition("; ")
        if things:  # "no tagging scheme named; 3 tags read as IOB2"
            count, _, what = things.partition(" ")
            what = f"{reason}; {what}"
        else:
            what, _, count = note.rpartition(": ")
        found[what] += int(count.partition(",")[0])  # "1, the first B-x at a.iob:3"
    return found


def read(report):
    """The same from the notes of the readers in a report in JSON."""
    own = [note for note in report["notes"] if note.startswith(("Reference: ", "Hypothesis: "))]
    return said("\n".join(f"sereval: {note.removesuffix('.')}" for note in own))


def test_there_are_cases():
    """The folders of cases are found."""
    assert len(FOLDERS) >= 15


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(folder, monkeypatch, capsys):
    """Every command gives the figures computed by hand, and the whole report as recorded."""
    for command, by_hand, report, err in reported(folder, monkeypatch, capsys):
        # what became of labels, and of documents, was asked for: it is said with the score alone
        is_asked = not {"--map", "--only", "--level", "--missing"}.isdisjoint(arguments(command))
        is_list = report["signature"].partition("|")[0] in LISTS
        figures = {row["figure"]: row for row in report.get("figures", ())}
        if is_list:  # stand-ins for documents are said with the score alone
            assert said(err) <= read(report)
        else:
            own = read(report) if "counts" in report else {}
            notes = {what: n for what, n in own.items() if what != OPEN}
            assert said(err) == ({} if is_asked else notes)
        if "measures" in report:
            values = {row["measure"]: row["value"] for row in report["measures"]}
            assert {name: exact(text) for name, text in by_hand.items()} == values
        elif is_list:
            named = {name: name.split(".") for name in by_hand}
            values = {name: figures[one][key] for name, (one, key) in named.items()}
            assert {name: pytest.approx(exact(text)) for name, text in by_hand.items()} == values
        elif figures:
            accuracy = by_hand.pop("accuracy", None)
            rates = {name: by_hand.pop(name) for name in list(by_hand) if name.endswith(".f1")}
            found = {name: figures[name[:-3]]["f1"] for name in rates}
            assert {name: exact(text) for name, text in rates.items()} == found
            assert {name: int(n) for name, n in by_hand.items()} == counted(figures)
            tokens = report["tokens"] or {"accuracy": None}
            assert (accuracy and exact(accuracy)) == tokens["accuracy"]
        else:
            found, expected = report["counts"], computed(by_hand)
            counts = {name: found[name] for name in expected[0]}
            assert (counts, found["exact"], found["ser"]) == expected
            assert found["ser"] is None or not err.startswith(NOTHING)


def test_reports_are_recorded(tmp_path):
    """What `make golden` writes for a case is what stands there."""
    folder = shutil.copytree(CASES / "figure_4", tmp_path / "figure_4")
    recorded = (folder / "expected.json").read_text("utf-8")
    (folder / "expected.json").unlink()
    write(tmp_path)
    assert recorded == (folder / "expected.json").read_text("utf-8")
