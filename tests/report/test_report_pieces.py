"""Reports on many documents come in pieces, each of one document or two.

from collections import Counter
What is in memory is counted as objects and as characters, so the count is the same in each run;
``tests/corpus/test_live_documents.py`` counts documents, ``bench/stream.py`` measures megabytes.
"""

import gc
import sys
from collections import Counter

import pytest

from sereval import Document, evaluate, tree
from sereval.analysis.audit import AuditRow
from sereval.analysis.collate import CollatedItem, collate
from sereval.corpus.pairs import PairList
from sereval.evaluation.evaluate import Settings, paired
from sereval.report import page
from sereval.report.cases import SlotCase
from sereval.report.collate import render_csv, render_html
from sereval.report.page import pages
from sereval.report.page.tables import CaseLink, CellCases, Confusion, Figures
from sereval.report.page.view import PageDocument
from sereval.schemes.mitre import mitre

WORDS = ("w", "x", "y", "z")
FEW, MANY = 60, 180
OBJECTS = (AuditRow, CollatedItem, SlotCase, CaseLink, Figures, PageDocument)
"""What a report makes for each element or document."""


def sides(documents):
    """References and hypotheses of alike documents: a pair, a deletion and an insertion in each."""
    ids = [f"d{number}" for number in range(100, 100 + documents)]
    ours, theirs = tree([("loc", 0, 2), ("org", 2, 3)]), tree([("loc", 0, 1), ("pers", 3, 4)])
    references = [Document(id, WORDS, ours) for id in ids]
    return references, [Document(id, WORDS, theirs) for id in ids]


def score(documents):
    return evaluate(*sides(documents))


def scheme(documents):
    pairs = PairList(paired(*sides(documents), Settings()))
    return mitre(pairs, Settings())


def collated(documents):
    return [collate("", {"a": score(documents), "b": score(documents)})]


def files(documents, **look):
    """The pieces of all pages of a score."""
    for _, text in pages(score(documents), **look):
        yield from text


REPORTS = {
    "score as JSON": lambda n: score(n).report().json(),
    "score as CSV": lambda n: score(n).report().csv(),
    "scheme as JSON": lambda n: scheme(n).report().json(),
    "scheme as CSV": lambda n: scheme(n).report().csv(),
    "one page": lambda n: files(n, one_file=True),
    "pages": lambda n: files(n, most_documents=1),
    "collated page": lambda n: render_html(collated(n)),
    "collated CSV": lambda n: render_csv(collated(n)),
}


@pytest.fixture
def bare(monkeypatch):
    """Pages have neither style nor script, which are longer than these documents."""
    monkeypatch.setattr(page, "_style", str)
    monkeypatch.setattr(page, "_script", lambda _: {"script": "", "policy": ""})


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", REPORTS)
def test_no_piece_grows_with_the_documents(name):
    """The longest piece of a report is about as long for many documents as for a few."""
    few, many = (max(map(len, REPORTS[name](number))) for number in (FEW, MANY))
    assert many < 2 * few  # there are three times as many documents


@pytest.mark.check
@pytest.mark.parametrize("name", REPORTS)
def test_few_objects_are_alive(name):
    """However many documents a report has, the objects that it makes for them are given up."""
    most = 0
    gc.collect()
    gc.freeze()  # what was there before is not looked through at each count
    try:
        for _ in REPORTS[name](FEW):
            most = max(most, alive())
    finally:
        gc.unfreeze()
    assert most < FEW


def alive():
    """The number of objects that reports have made and that are in memory."""
    gc.collect()
    return sum(isinstance(one, OBJECTS) for one in gc.get_objects())


def test_a_row_of_the_matrix_has_a_cell_for_each_label_or_one_for_a_stretch(monkeypatch):
    """Stretches without cases are joined where there are many labels, but not the deletions."""
    matrix = Confusion()
    for cell in (("a", "d"), ("b", "a"), ("b", None), (None, "c")):
        matrix.cells[cell] = CellCases(Counter("C"), [])
    expected = {
        "a": [(2, None), (1, ("a", "d")), (1, None)],
        "b": [(1, ("b", "a")), (2, None), (1, ("b", None))],
        None: [(1, None), (1, (None, "c")), (1, None), (1, None)],
    }
    for row in matrix.rows:
        few = [
            (1, (row, label) if (row, label) in matrix.cells else None) for label in matrix.columns
        ]
        assert few == matrix.in_row(row)
    monkeypatch.setattr(sys.modules[Confusion.__module__], "MANY", 0)
    assert expected == {row: matrix.in_row(row) for row in matrix.rows}
    assert [("a", "d"), ("b", "a"), ("b", None), (None, "c")] == matrix.in_order()
    assert (2, 1) == (matrix.total(0, "b"), matrix.total(1, "d"))
