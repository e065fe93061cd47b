"""Recorded and synthetic speech on the manual words: the rates that the corpus states."""

import itertools

import pytest
from paths import SPEECH
from speech import PARTS, SYSTEMS, on_speech

import sereval
from sereval.documents.model import Document
from sereval.evaluation.evaluate import evaluate


def described(documents: list[Document]) -> list[Document]:
    """Those of the synthetic shows that the README's figures are about, and all of the others."""
    return [d for d in documents if not d.id.startswith("tts") or d.id <= "tts06"]


def stated(part: str, system: str) -> list[str]:
    """P, R, F and number of elements on the manual words, from the corpus's README."""
    for line in (SPEECH / "README.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[:2] == [part, system]:
            return cells[2:6]
    raise AssertionError(f"the README has no row for {part} {system}")


@pytest.mark.check
@on_speech
@pytest.mark.parametrize(("part", "system"), list(itertools.product(PARTS, SYSTEMS)))
def test_manual_words_of_speech(part, system):
    """On the manual words precision, recall and F1 are those that the corpus's README states."""
    references = sereval.read(SPEECH / part / "ref", format="inline")
    hypotheses = sereval.read(SPEECH / part / "hyp" / system / "manual", format="inline")
    counts = evaluate(described(references), described(hypotheses)).counts
    rates = (counts.precision, counts.recall, counts.f1)
    assert [*(f"{rate:.3f}" for rate in rates), str(counts.hyp)] == stated(part, system)
