"""Scores whose outcomes are on disk are those in memory."""

import pytest
from paths import DATA

import sereval
from sereval import Document, evaluate, tree
from sereval.analysis.audit import audit
from sereval.evaluation.evaluate import DocumentScore, Evaluation
from sereval.report import render
from sereval.runs.stored import on_disk

TIMES = ((0, 200), (200, 400), (400, 700))
REFERENCE = Document("d", ("a", "Dol", "b"), tree([("loc", 1, 2), ("org", 0, 3)]), TIMES)
HYPOTHESIS = Document("d", ("a", "doll", "b"), tree([("pers", 1, 2)]), TIMES)

FIELDS = (*DocumentScore._fields, "id", "counts", "fates", "slack", "fuzzy", "notes")


@pytest.mark.parametrize("options", [{"tolerance": 0.1}, {"tolerance": 0, "scheme": "quaero-lne"}])
def test_a_score_on_disk_is_that_in_memory(options):
    """It has the same attributes, reports and rows; its word errors are counted once."""
    found = evaluate([REFERENCE], [HYPOTHESIS], **options)
    [document] = found.documents
    kept = on_disk(found.settings)(document)
    for name in FIELDS:
        assert getattr(document, name) == getattr(kept, name)
    assert kept.annotated is not REFERENCE
    again = Evaluation((kept,), found.settings)
    for format in ("text", "json", "csv"):
        assert render(found, format) == render(again, format)
    assert list(audit(found)) == list(audit(again))
    assert kept.words is not None


def test_a_score_on_the_same_words_has_no_word_errors():
    """Their words are not compared."""
    same = Document("d", REFERENCE.words)
    [document] = evaluate([REFERENCE], [same]).documents
    assert on_disk(sereval.Settings())(document).words is None


def test_other_results_stay_as_they_are():
    """Counts and what stands beside a score are not put on disk."""
    keep = on_disk(sereval.Settings())
    assert (1, "note") == keep((1, "note"))


@pytest.mark.check
@pytest.mark.parametrize("scheme", ["quaero", "quaero-lne", "semeval2013", "mitre", "slue", "oi"])
def test_the_command_and_the_function(scheme, run):
    """The audit of a command, on disk, is that of the function, in memory."""
    sides = [str(DATA / "ref"), str(DATA / "hyp" / "gazetteer" / "manual")]
    status, out, _ = run("audit --format jsonl --scheme", scheme, *sides)
    assert (status, out) == (0, sereval.audit(*sides, scheme=scheme).to_json())
