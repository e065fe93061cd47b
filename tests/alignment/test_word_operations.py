"""The operations of words give the word error rate, and stand at the positions of the documents."""

import jiwer
import pytest
from edit_distance import edit_cost, pairs_first
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import SCLITE, UNIT
from sereval.alignment.normalise import significant
from sereval.alignment.words import word_operations
from sereval.evaluation.words import WordErrors

WORDS = st.lists(st.sampled_from(["a", "B", "b", "c,", "c", ".", "—"]), max_size=9)


def least(reference, hypothesis, weights):
    """The least cost, by the table over all prefixes."""
    ours, theirs = ([*filter(None, map(significant, side))] for side in (reference, hypothesis))
    return edit_cost(ours, theirs, weights)


@given(WORDS, WORDS, st.sampled_from([UNIT, SCLITE]))
def test_operations_have_the_least_cost(reference, hypothesis, weights):
    """The weights of the operations add up to the least cost, and none is cut."""
    found = word_operations(reference, hypothesis, weights)
    cost = sum(getattr(weights, op, 0) for op, _, _ in found.operations)
    assert (least(reference, hypothesis, weights), 0) == (cost, found.slack)
    counts = {op: sum(one == op for one, _, _ in found.operations) for op in found.counts}
    assert counts == found.counts


SPOKEN = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


@given(SPOKEN, SPOKEN)
def test_the_ties_of_sclite(reference, hypothesis):
    """The operations by sclite's weights are those of Le et al.'s program, one by one."""
    expected = pairs_first(reference, hypothesis, SCLITE)
    assert expected == [*word_operations(reference, hypothesis, SCLITE).operations]


@given(SPOKEN.filter(bool), SPOKEN)
def test_unit_counts_are_those_of_jiwer(reference, hypothesis):
    """Substitutions, deletions, insertions and the rate, each by itself."""
    theirs = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
    errors = WordErrors.of(word_operations(reference, hypothesis).counts)
    found = WordErrors(theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions)
    assert found == errors
    assert theirs.wer == errors.rate


@given(SPOKEN.filter(bool), SPOKEN)
def test_unit_errors_are_those_of_meeteval(reference, hypothesis):
    """The number of errors and of words, and the rate; its ties between kinds are its own."""
    wer = pytest.importorskip("meeteval.wer.wer.siso")
    theirs = wer.siso_word_error_rate(" ".join(reference), " ".join(hypothesis))
    errors = WordErrors.of(word_operations(reference, hypothesis).counts)
    assert (theirs.errors, theirs.length) == (errors.S + errors.D + errors.I, errors.ref)
    assert theirs.error_rate == errors.rate
