"""No document of real speech is refused: each scores at a tolerance of 2 s, at the default limit.

What is refused is made up: ``REFUSED`` of ``bench/hard.py``, and the same list in the
documentation.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest
from paths import CORPORA, DATA, FORMATS, ROOT, SPEECH
from speech import PARTS, SYSTEMS

from sereval.cli import main

sys.path.append(str(ROOT / "bench"))
hard = import_module("hard")

EARNINGS, NNE, SODUCO, SLURP = (CORPORA / name for name in ("earnings21", "nne", "soduco", "slurp"))
TOLERANCE = "2.0"


def through_time(corpus: Path, system: str, words: str) -> str:
    """The command that scores a system on the words of a recogniser, or on the manual ones."""
    times = corpus / "align" if words == "manual" else corpus / words
    if corpus == EARNINGS and words != "manual":
        times = corpus / "asr" / words
    return (
        f"{corpus}/ref {corpus}/hyp/{system}/{words} "
        f"--align {corpus}/align --words {times} --tolerance {TOLERANCE}"
    )


RECOGNISERS = ("manual", "google", "amazon", "rev-kaldi", "librispeech")

COMMANDS = {
    **{
        f"bundled {system} {words}": (through_time(DATA, system, words), 9)
        for system in ("compromise", "gazetteer")
        for words in ("manual", "asr")
    },
    **{
        f"speech {part} {system} {words}": (through_time(SPEECH / part, system, words), documents)
        for part, documents in zip(PARTS, (13, 10), strict=True)
        for system in SYSTEMS
        for words in ("manual", "asr", "asr_adapted")
    },
    **{
        f"earnings21 {system} {words}": (through_time(EARNINGS, system, words), 14)
        for system in ("crf", "compromise", "gazetteer")
        for words in RECOGNISERS
    },
    **{
        f"nne {system}": (f"{NNE}/gold.jsonl {NNE}/{system}.jsonl", 1989)
        for system in ("innermost", "outermost")
    },
    "soduco": (f"{SODUCO}/clean.ne {SODUCO}/ocr.ne --by text --name d", 1),
    "soduco 2w": (f"{SODUCO}/clean.ne {SODUCO}/ocr.ne --by text --name d --tolerance 2w", 1),
    **{
        f"slurp {system} {scheme}": (
            f"{SLURP}/test.jsonl {SLURP}/{system}.jsonl --ref-format slurp --hyp-format slurp "
            f"--missing {missing} --scheme {scheme}",
            documents,
        )
        for system, missing, documents in (
            ("multi_hermit", "drop", 13077),
            ("google_hermit", "empty", 13078),
        )
        for scheme in ("quaero", "slurp", "oi", "nerval")
    },
    **{
        f"formats {name}": (f"{FORMATS}/{name} {FORMATS}/{name} {options}", documents)
        for name, options, documents in (
            ("nerkor_w10.conllup", "", 1),
            ("germeval_flair_NER-de-dev.tsv", "", 1),
            ("dygiepp_scierc_article.json", "", 1),
            ("gliner_sample_data.json", "", 64),
            ("spacy_v2_ner-token-per-line.json", "", 1),
            ("uner_en_ewt-ud-dev.head400.iob2", "--columns 3", 1),
        )
    },
}
"""By corpus, system and words: the arguments of ``score``, and how many documents it scores."""


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_a_corpus_is_scored(name, tmp_path, capsys):
    """Each document of a corpus has its score, from the command line."""
    if not name.startswith("bundled") and not CORPORA.is_dir():
        pytest.skip("the corpora are not part of the project")
    words, documents = COMMANDS[name]
    report = tmp_path / "report.json"
    status = main(["score", *words.split(), "--format", "json", "--output", str(report)])
    assert (status, capsys.readouterr().out) == (0, "")
    assert len(json.loads(report.read_text("utf-8"))["documents"]) == documents


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


def test_the_documentation_lists_what_is_refused():
    """Each made-up document that is refused is in the documentation, with the reason."""
    page = (ROOT / "docs/why/performance.md").read_text("utf-8")
    assert set(hard.REFUSED) <= set(hard.MADE_UP)
    rows = [f"| {name} | {reason} |" for name, reason in hard.REFUSED.items()]
    assert [row for row in rows if row not in page] == []
    assert {tolerance for _, tolerance in hard.REALISTIC.values()} == {"2"}
