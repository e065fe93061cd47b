"""The command ``audit``: all its formats show the numbers of the report, and lose nothing."""

import csv
import io
import json
import re

import pytest
from audits import (
    FIGURE_4,
    hostile,
)
from hostile import HOSTILE
from hypothesis import given
from rich.cells import cell_len
from strategies import scorings, timed_scorings

from sereval.analysis.audit import audit, by_time, report_of
from sereval.render.report import Look


def made(evaluation, format, *given, **more):
    """The report of an audit in a format."""
    report = report_of(list(audit(evaluation)), evaluation, *(given * 2))
    if format == "text":
        return report.lines(Look(**{"width": 100, **more}))
    return "".join(report.jsonl() if format == "jsonl" else report.csv())


def read_jsonl(text):
    """The rows; the line behind them is no element."""
    *rows, told, nothing = text.split("\n")
    assert (nothing, "signature" in json.loads(told)) == ("", True)
    return [json.loads(line) for line in rows]


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


# --- rows -----------------------------------------------------------------------------------------


@pytest.mark.check
@given(scorings())
def test_partners_answer_each_other(scoring):
    """A partner's partner is the element itself, of the same class."""
    for document in audit(scoring.run()):
        partner = {(row.side, row.index): other for row, other in document.with_partners()}
        assert len(partner) == len(document.rows)
        for row in document.rows:
            other = partner[row.side, row.index]
            if other is not None:
                assert partner[other.side, other.index] is row
                assert other.slot is row.slot


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_in_tables(name):
    """Words, labels and ids of any characters come back from JSON lines and CSV as they were."""
    text = HOSTILE[name]
    evaluation = hostile(text)
    for row in read_jsonl(made(evaluation, "jsonl")):
        assert (row["document"], row["label"], set(row["words"])) == (text, text, {text})
    table = read_csv(made(evaluation, "csv"))
    assert {(row["document"], row["label"]) for row in table} == {(text, text)}
    assert table[0]["words"] == f"{text} {text}"


@pytest.mark.check
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_in_text(name):
    """Whatever the words, the text has no control character and no line too wide."""
    for width in (50, 100):
        lines = made(hostile(HOSTILE[name]), "text", lambda *_: True, width=width).split("\n")
        assert all(line.replace("\u0301", "").isprintable() for line in lines)
        assert max(map(cell_len, lines[:-2])) <= width


# --- columns --------------------------------------------------------------------------------------


@pytest.mark.check
@given(timed_scorings())
def test_columns_hold_every_word_in_order(scoring):
    """The columns of a picture hold each word of either side once, in order."""
    for document in audit(scoring.run()):
        own, scored = document.reference_words, document.hypothesis_words
        found = by_time(own, scored)
        assert [r for r, _ in found if r is not None] == [*range(len(own.words))]
        assert [h for _, h in found if h is not None] == [*range(len(scored.words))]


# --- tables ---------------------------------------------------------------------------------------


# --- filters --------------------------------------------------------------------------------------


# --- terminal -------------------------------------------------------------------------------------


def test_no_colour_where_nobody_looks(run, figure_4, monkeypatch, tmp_path):
    """Pipes and files have plain text of 100 columns; colours follow FORCE_COLOR and NO_COLOR."""
    for variable in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = run(*FIGURE_4)[1]
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    coloured = run(*FIGURE_4)[1]
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain != coloured
    run(*FIGURE_4, "-o", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text("utf-8") == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(*FIGURE_4)[1] == plain
