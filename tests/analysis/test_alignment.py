"""The alignment that is shown has each word once, and the errors that are counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import CORRECT, PUNCTUATION, SCLITE, UNIT
from sereval.analysis.alignment import alignment_signature, document_alignment
from sereval.documents.model import Document
from sereval.errors import SerevalError
from sereval.evaluation.settings import ByWords
from sereval.evaluation.words import WordSettings, errors_of

SIDES = st.lists(st.sampled_from(["a", "b", "c", ".", ","]), max_size=10)
WAYS = st.sampled_from([None, ByWords(weights=UNIT), ByWords(weights=SCLITE)])


def document(words):
    """A document whose words have no gaps between them."""
    times = tuple((100 * k, 100 * k + 100) for k in range(len(words)))
    return Document("d", tuple(words), times=times)


@given(SIDES, SIDES, WAYS)
def test_blocks_tile_both_sides(ours, theirs, through):
    """Each word is in one block, in order; punctuation stands where it is."""
    pair = document(ours), document(theirs)
    found = document_alignment(pair, through)
    i = k = 0
    for block in found.blocks:
        assert (i, k) == (block.ref[0], block.hyp[0])
        i, k = block.ends
        words = *ours[slice(*block.ref)], *theirs[slice(*block.hyp)]
        assert {word in ".," for word in words} == {block.op == PUNCTUATION}
    assert (len(ours), len(theirs)) == (i, k)


@given(SIDES, SIDES, st.sampled_from([UNIT, SCLITE]))
def test_by_text_the_errors_are_those_of_wer(ours, theirs, weights):
    """The figure and what is shown cannot disagree."""
    pair = document(ours), document(theirs)
    found = document_alignment(pair, ByWords(weights=weights))
    assert errors_of(pair, WordSettings(weights)).errors == found.errors
    assert found.errors.correct == sum(block.op == CORRECT for block in found.blocks)


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


def test_by_time_both_sides_need_times():
    """The message names the side."""
    bare = Document("d", ("a",))
    for pair, side in (((bare, document("a")), "reference"), ((document("a"), bare), "hypothesis")):
        with pytest.raises(SerevalError, match=f"d: the {side} has no times, expected them"):
            document_alignment(pair, None)


def test_signatures():
    """What can change the alignment, and nothing else."""
    assert "align|by:time|version:" in str(alignment_signature(None))
    assert "align|by:text|weights:sclite|version:" in str(alignment_signature(ByWords()))
    phones = alignment_signature(ByWords(by="phones", language="fr-fr"))
    assert "align|by:phones|language:fr-fr|version:" in str(phones)


@pytest.mark.check
def test_by_phones_several_words_share_a_block():
    """The errors of a block of two words to one: one pair, and one word without a partner."""
    pytest.importorskip("panphon")
    said, heard = (document(text.split()) for text in ("the New York desk", "the Newark desk"))
    found = document_alignment((said, heard), ByWords(by="phones"))
    assert [((1, 3), (1, 2))] == [(b.ref, b.hyp) for b in found.blocks if b.op != CORRECT]
    assert (2, 1, 1, 0) == found.errors
