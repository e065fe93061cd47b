"""The laws that every score obeys, on recorded and synthetic speech."""

import itertools

import pytest
from paths import SPEECH
from speech import CONDITIONS, PARTS, SYSTEMS, on_speech, spoken
from strategies import (
    PAIRED,
    Scoring,
)

import sereval
from sereval.documents.model import Document
from sereval.evaluation.evaluate import evaluate
from sereval.measures.slots import Costs, Counts

# --- on real speech ------------------------------------------------------------------------------

TOLERANCES = (0, 100, 300, 1000)


def check_speech(scoring: Scoring):
    """The laws on a corpus, at one tolerance after another."""
    annotated = sum(len(r.elements) for r in scoring.references)
    scored = [scoring.run(tolerance=tolerance) for tolerance in TOLERANCES]
    for evaluation in scored:
        counts = evaluation.counts
        assert counts.ref + counts.unplaceable == annotated
        assert sum(counts[slot] for slot in PAIRED) + counts.I == counts.hyp
        assert counts.C <= counts.exact
        assert sum(evaluation.labels.values(), Counts()) == counts
        assert 0 < evaluation.ser < 10
    missed = scoring.run(tolerance=300, unplaceable="miss").counts
    assert missed.ref == annotated
    assert missed.D == scored[TOLERANCES.index(300)].counts.D + missed.unplaceable
    compared = 0
    for narrow, wide in itertools.pairwise(scored):
        for one, other in zip(narrow.documents, wide.documents, strict=True):
            if not one.counts.unplaceable:
                compared += 1
                assert other.counts.unplaceable == 0
                assert other.counts.cost(Costs()) <= one.counts.cost(Costs())
                assert other.counts.exact >= one.counts.exact
    assert compared


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


@pytest.mark.check
@on_speech
def test_laws_on_speech():
    """The laws hold for one system on one recogniser's words."""
    check_speech(spoken("tts", "crf", "asr"))


@pytest.mark.check
@on_speech
@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "system", "condition"), list(itertools.product(PARTS, SYSTEMS, CONDITIONS))
)
def test_laws_on_all_speech(part, system, condition):
    """The laws hold for every system on every recogniser's words."""
    check_speech(spoken(part, system, condition))
