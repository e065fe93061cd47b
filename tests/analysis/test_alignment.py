"""The alignment that is shown has each word once, and the errors that are counted."""

from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import CORRECT, PUNCTUATION, SCLITE, UNIT
from sereval.analysis.alignment import document_alignment
from sereval.documents.model import Document
from sereval.evaluation.settings import ByWords
from sereval.evaluation.words import WordSettings, errors_of

SIDES = st.lists(st.sampled_from(["a", "b", "c", ".", ","]), max_size=10)


def document(words):
    """A document whose words have no gaps between them."""
    times = tuple((100 * k, 100 * k + 100) for k in range(len(words)))
    return Document("d", tuple(words), times=times)


@given(SIDES, SIDES, st.sampled_from([UNIT, SCLITE]))
def test_by_text_the_errors_are_those_of_wer(ours, theirs, weights):
    """The figure and what is shown cannot disagree."""
    pair = document(ours), document(theirs)
    found = document_alignment(pair, ByWords(weights=weights))
    assert errors_of(pair, WordSettings(weights)).parts.words == found.errors.parts.words
    assert found.errors.parts.words.correct == sum(block.op == CORRECT for block in found.blocks)


@given(SIDES, SIDES, st.integers(0, 3))
def test_stretches_hold_all_errors(ours, theirs, context):
    """All errors, and at most some words around them; no two stretches touch."""
    found = document_alignment((document(ours), document(theirs)), ByWords(weights=UNIT))
    ops = [block.op in (CORRECT, PUNCTUATION) for block in found.blocks]
    wrong = [k for k, is_right in enumerate(ops) if not is_right]
    near = [k for k in range(len(ops)) if any(abs(k - x) <= context for x in wrong)]
    parts = found.stretches(context)
    assert [found.blocks[k] for k in near] == [block for part in parts for block in part]
    gaps = [k for k, after in zip(near, near[1:], strict=False) if after > k + 1]
    assert len(parts) == (len(gaps) + 1 if near else 0)
    assert [b for part in found.stretches() for b in part] == [*found.blocks]
