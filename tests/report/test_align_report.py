"""Alignments of words in text and CTM."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import UNIT
from sereval.analysis.alignment import Alignments, alignment_signature, document_alignment
from sereval.documents.model import Document
from sereval.errors import SerevalError
from sereval.evaluation.settings import ByWords
from sereval.render.cells import size
from sereval.render.report import Look

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
    errors = found.total
    for letter, count in (("S", errors.S), ("D", errors.D), ("I", errors.I)):
        assert count == "".join(marks).count(letter)


def test_text():
    """References above hypotheses, with gaps, letters, positions, and a table at the end."""
    sides = ["At", "the", "New", "York", "desk", "."], ["at", "Newark", "desk"]
    assert alignments(sides, ("a", "")).report().lines() == (
        "d0\n\n"
        "0 ref At the New York   desk .\n"
        "  hyp at *** *** Newark desk\n"
        "         D   D   S\n\n"
        "d1\n\n"
        "0 ref a\n"
        "  hyp *\n"
        "      D\n\n"
        "     words  correct  S  D  I    WER\n"
        "d0       5        2  1  2  0   60.0\n"
        "d1       1        0  0  1  0  100.0\n"
        "all      6        2  1  3  0   66.7\n\n"
        "align|by:text|weights:unit|version:0.1.0\n"
    )


def test_utterances_begin_a_line():
    """And stretches between errors have a mark."""
    shown = alignments(("abcd", "abcd"), breaks=(2,)).report().lines()
    assert "0 ref a b\n  hyp a b\n\n2 ref c d\n  hyp c d\n" in shown
    shown = alignments(("abcdefg", "abxdefy"), context=0).report().lines()
    assert "2 ref … c … g\n  hyp … x … y\n        S   S\n" in shown


def test_colours_change_no_character():
    """Without the codes the text is the plain one."""
    found = alignments(("abc", "axcd"))
    coloured = found.report().lines(Look(colour="standard"))
    assert "\x1b[33m" in coloured
    for code in ("\x1b[0m", "\x1b[33m", "\x1b[36m", "\x1b[31m", "\x1b[1m", "\x1b[2m"):
        coloured = coloured.replace(code, "")
    assert coloured == found.report().lines()


def test_ctm():
    """A line for each word with the times of the hypothesis; what is deleted takes no time."""
    found = alignments(("abcde.", "xcdef"))
    assert "".join(found.ctm()) == (
        "d0 1 0.000 0.000 <eps> 1.00 a del\n"
        "d0 1 0.000 0.090 x 1.00 b sub\n"
        "d0 1 0.100 0.090 c 1.00 c cor\n"
        "d0 1 0.200 0.090 d 1.00 d cor\n"
        "d0 1 0.300 0.090 e 1.00 e cor\n"
        "d0 1 0.400 0.090 f 1.00 <eps> ins\n"
    )
    with pytest.raises(SerevalError, match="d0: the hypothesis has no times, expected them"):
        [*alignments(("a", "a"), times=False).ctm()]
