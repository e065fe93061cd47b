"""The reports: one evaluation as text, JSON and CSV shows the same numbers."""

import csv
import io
import json

import pytest
from hostile import HOSTILE

from sereval import Costs, Document, evaluate
from sereval.documents.model import tree
from sereval.labels import load_grammar
from sereval.render.report import Look

CLASSES = ("C", "S_S", "S_T", "S_ST", "D", "I")
WORDS = tuple("abcdefgh")


def document(id, *spans):
    return Document(id, WORDS, tree(spans))


def scored(*pairs, **settings):
    """An evaluation of pairs of lists of ``(label, start, end)``, on the same words."""
    references = [document(f"doc{k}", *ours) for k, (ours, _) in enumerate(pairs)]
    hypotheses = [document(f"doc{k}", *theirs) for k, (_, theirs) in enumerate(pairs)]
    return evaluate(references, hypotheses, **settings)


def render(evaluation, format):
    """The report of an evaluation in a format."""
    report = evaluation.report()
    if format == "text":
        return report.lines(Look(show="all"))
    return "".join(report.json() if format == "json" else report.csv())


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


# One slot of every class: C loc; S_S org; S_T pers for org; S_ST func for amount; D time.hour.abs;
# I prod.art. The second document has no reference slot, the third no hypothesis slot, the fourth
# neither.
EVERYTHING = (
    (
        [
            ("loc.adm.town", 0, 1),
            ("org.ent", 1, 3),
            ("pers.ind", 3, 4),
            ("func.ind", 4, 6),
            ("name", 4, 5),
            ("time.hour.abs", 7, 8),
        ],
        [
            ("loc.adm.town", 0, 1),
            ("org.ent", 1, 2),
            ("org.adm", 3, 4),
            ("amount", 4, 7),
            ("name", 4, 5),
        ],
    ),
    ([], [("prod.art", 0, 1), ("kind", 0, 1)]),
    ([("pers.ind", 0, 2), ("name.last", 1, 2)], []),
    ([], []),
)


@pytest.fixture(
    params=[
        {},
        {"grammar": load_grammar("quaero")},
        {"costs": Costs.parse("S_S=0.3,S_T=0.7,S_ST=1.25,D=0.1,I=2")},
    ],
    ids=["plain", "grammar", "costs"],
)
def evaluation(request):
    return scored(*EVERYTHING, **request.param)


def test_csv_is_tidy(evaluation):
    """Each document, label and class has one row, of five columns, and no line is empty."""
    text = render(evaluation, "csv")
    table = read_csv(text)
    keys = [(row["document"], row["label"], row["class"]) for row in table]
    assert text.split("\n")[0] == "document,label,class,count,cost"
    assert len(set(keys)) == len(keys) == text.count("\n") - 1
    assert {row["class"] for row in table} == set(CLASSES)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_in_json_and_csv(name):
    """Labels and ids of any characters come back from JSON and CSV as they were."""
    text = HOSTILE[name]
    same = Document(text, (text,), tree([(text, 0, 1)]))
    found = evaluate([same], [same])
    total = json.loads(render(found, "json"))
    assert (total["labels"][0]["label"], total["documents"][0]["document"]) == (text, text)
    table = read_csv(render(found, "csv"))
    assert {(row["document"], row["label"]) for row in table} == {(text, text)}
