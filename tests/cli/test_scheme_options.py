"""Schemes on the command line: what belongs to which, and what nobody may overlook."""

import csv
import io
import json

import pytest
from cli_files import put

COLUMNS = "il O\ndi O\nDavide B-PER\nRebellin I-PER\n"


@pytest.fixture
def columns(here):
    """Two column files of one document each, and a reference with a word that is not heard."""
    put("a.iob", COLUMNS)
    put("b.iob", COLUMNS.replace("I-PER", "O"))
    put("ref/d.ne", "serie <org> A </org> o <org> B </org> di calcio\n")
    put("hyp/d.ne", "serie <org> A </org> o di calcio\n")
    return here


@pytest.mark.parametrize("scheme", ["muc", "mitre", "semeval2013", "conll"])
def test_csv_has_the_figures_of_json(scheme, columns, run):
    """Each count of the JSON report stands in one row of the CSV, and nothing else does."""
    options = " --by text" if scheme in ("muc", "mitre", "semeval2013") else ""
    folders = "a.iob b.iob --name d" if scheme == "conll" else "ref hyp"
    command = f"score {folders} --scheme {scheme}{options} --format"
    report = json.loads(run(f"{command} json")[1])
    head, *rows = csv.reader(io.StringIO(run(f"{command} csv")[1]))
    assert head == ["document", "label", "figure", "class", "count"]
    counts = [
        [document["id"], label, name, count, str(figure[count])]
        for document in report["documents"]
        for label, figures in document["labels"].items()
        for name, figure in figures.items()
        for count in ("COR", "INC", "PAR", "MIS", "SPU")
    ]
    assert sorted(rows) == sorted([*counts, *word_counts(report.get("words"))])


def word_counts(words):
    """The rows of the word error rates of the document d, from those of the whole report."""
    if words is None:
        return
    named = [("", "WER", words), ("", "entity-wer", words["entities"])]
    for label, name, counted in [
        *named,
        *((label, "entity-wer", one) for label, one in words["labels"].items()),
    ]:
        correct = counted["reference"] - counted["S"] - counted["D"]
        own = {"C": correct} | {count: counted[count] for count in "SDI"}
        if name == "entity-wer":
            own["border_insertions"] = counted["border_insertions"]
        yield from (["d", label, name, count, str(number)] for count, number in own.items())
