"""Reports on many documents come in pieces, each of one document or two.

What is in memory is counted as objects and as characters, so the count is the same in each run;
``tests/corpus/test_live_documents.py`` counts documents, ``bench/stream.py`` measures megabytes.
"""

import pytest
from pairing import paired

from sereval import Document, evaluate, tree
from sereval.evaluation.evaluate import Settings
from sereval.schemes.mitre import scorer

WORDS = ("w", "x", "y", "z")
FEW, MANY = 60, 180


def sides(documents):
    """References and hypotheses of alike documents: a pair, a deletion and an insertion in each."""
    ids = [f"d{number}" for number in range(100, 100 + documents)]
    ours, theirs = tree([("loc", 0, 2), ("org", 2, 3)]), tree([("loc", 0, 1), ("pers", 3, 4)])
    references = [Document(id, WORDS, ours) for id in ids]
    return references, [Document(id, WORDS, theirs) for id in ids]


def score(documents):
    return evaluate(*sides(documents))


def scheme(documents):
    return scorer(Settings(scheme="mitre")).of(paired(*sides(documents)))


REPORTS = {
    "score as JSON": lambda n: score(n).report().json(),
    "score as CSV": lambda n: score(n).report().csv(),
    "scheme as JSON": lambda n: scheme(n).report().json(),
    "scheme as CSV": lambda n: scheme(n).report().csv(),
}


@pytest.mark.parametrize("name", REPORTS)
def test_no_piece_grows_with_the_documents(name):
    """The longest piece of a report is about as long for many documents as for a few."""
    few, many = (max(map(len, REPORTS[name](number))) for number in (FEW, MANY))
    assert many < 2 * few  # there are three times as many documents
