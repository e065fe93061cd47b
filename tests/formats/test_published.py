"""Files as people publish them, each scored by one command, with the figures that they print."""

import json

import pytest
from paths import CORPORA

from sereval.cli import main

PUBLISHED = CORPORA / "published"

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the corpus is not part of the project"),
]


@pytest.mark.parametrize(
    ("system", "f", "altered"), [("arcada", 39.98, 0), ("sjtu_adapt.txt", 40.42, 0),
                                 ("mic-cis.txt", 37.06, 1283)],
)  # fmt: skip
def test_wnut17(capsys, system, f, altered):
    """Responses to WNUT-17, one of which has other words: the figures of conlleval."""
    folder = PUBLISHED / "wnut17"
    paths = [str(folder / "emerging.test.annotated"), str(folder / system)]
    status = main(["score", *paths, "--scheme", "conll", "--altered-words", "position"])
    out = capsys.readouterr().out
    assert status == 0
    assert f"FB1:  {f}" in out.splitlines()[1]
    note = f"words other than the reference's, paired by position: {altered}."
    assert (note in out) == bool(altered)


def test_meddocan(capsys):
    """The entities of MEDDOCAN's own program: P, R and F of exact matches."""
    folder = PUBLISHED / "meddocan"
    assert main(["score", str(folder / "gold"), str(folder / "system"), "--format", "json"]) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    rates = [round(counts[name], 4) for name in ("precision", "recall", "f1")]
    assert rates == [0.3504, 0.1383, 0.1983]


def test_meddocan_spans(capsys):
    """Spans without labels, as they stand and merged: the figures of MEDDOCAN's own program."""
    folder = PUBLISHED / "meddocan"
    names = [f"spans.{rate}{how}" for how in ("", "(merge=adjacent)") for rate in ("P", "R", "F1")]
    paths = [str(folder / "gold"), str(folder / "system")]
    assert main(["score", *paths, "--measure", ",".join(names), "--format", "json"]) == 0
    found = [round(row["value"], 4) for row in json.loads(capsys.readouterr().out)["measures"]]
    assert found == [0.3721, 0.1383, 0.2017, 0.5268, 0.1691, 0.2560]


@pytest.mark.parametrize(
    "path",
    sorted([*PUBLISHED.glob("nlp/*.nlp"), *PUBLISHED.glob("recognisers/*")]),
    ids=lambda path: path.name,
)
def test_words_of_others(capsys, path):
    """Files of recognisers and of fstalign are read as they stand, what is left out is counted."""
    assert main(["convert", str(path), "-", "--to", "native"]) == 0
    assert len(json.loads(capsys.readouterr().out)["words"]) > 10
