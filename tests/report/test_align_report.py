"""Alignments of words in text and CTM."""

from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import UNIT
from sereval.analysis.alignment import Alignments, alignment_signature, document_alignment
from sereval.documents.model import Document
from sereval.evaluation.settings import ByWords
from sereval.render.report import Look, size

THROUGH = ByWords(weights=UNIT)
SIDES = st.lists(st.sampled_from(["a", "Benoît", "日本", "x" * 70, ".", "e\u0301"]), max_size=30)


def alignments(*sides, context=None, times=True, breaks=()):
    """The alignments of documents, from the texts of both sides."""
    found = []
    for k, (said, heard) in enumerate(sides):
        spans = [tuple((100 * x, 100 * x + 90) for x in range(len(s))) for s in (said, heard)]
        reference = Document(f"d{k}", tuple(said), breaks=breaks)
        hypothesis = Document(f"d{k}", tuple(heard), times=spans[1] if times else None)
        found.append(document_alignment((reference, hypothesis), THROUGH))
    return Alignments(found, alignment_signature(THROUGH), context)


@given(SIDES, SIDES, st.sampled_from([40, 80, 100]))
def test_lines_fit(said, heard, width):
    """No line of words is wider than the terminal, and each error has its letter."""
    found = alignments((said, heard))
    lines = found.report().lines(Look(width)).split("\n\n       ")[0].splitlines()
    assert max(map(size, lines)) <= width
    marks = [line for line in lines if line.strip() and set(line) <= set("SDI ")]
    errors = found.score.total
    for letter, count in (("S", errors.S), ("D", errors.D), ("I", errors.I)):
        assert count == "".join(marks).count(letter)
