"""No bundled recording is refused: each scores at a tolerance of 2 s, at the default limit.

What is refused is made up: ``REFUSED`` of ``bench/hard.py``, and the same list in the
documentation.
"""

import json
import sys
from importlib import import_module

import pytest
from paths import DATA, ROOT

from sereval.cli import main

sys.path.append(str(ROOT / "bench"))
hard = import_module("hard")


@pytest.mark.check
@pytest.mark.parametrize("system", ["compromise", "gazetteer"])
@pytest.mark.parametrize("words", ["manual", "asr"])
def test_a_corpus_is_scored(system, words, tmp_path, capsys):
    """Each bundled recording has its score at a tolerance of 2 s, from the command line."""
    report = tmp_path / "report.json"
    times = "align" if words == "manual" else words
    sides = [f"{DATA}/ref", f"{DATA}/hyp/{system}/{words}"]
    given = [f"--align={DATA}/align", f"--words={DATA}/{times}", "--tolerance=2"]
    status = main(["score", *sides, *given, "--format=json", f"--output={report}"])
    assert (status, capsys.readouterr().out) == (0, "")
    assert len(json.loads(report.read_text("utf-8"))["documents"]) == 9


@pytest.mark.long
@pytest.mark.parametrize("name", hard.HARD)
def test_what_is_refused_is_made_up(name, tmp_path, capsys):
    """Of the hard documents, ``score`` refuses those that are listed."""
    make, tolerance = hard.HARD[name]
    options = ["--tolerance", tolerance] if tolerance else []
    paths = hard.written(make(), tmp_path)
    status = main(["score", *paths, *options, "--output", str(tmp_path / "report")])
    assert status == (name in hard.REFUSED)
    assert ("expected fewer" in capsys.readouterr().err) == (status == 1)
