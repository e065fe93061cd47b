"""The operations of words give the word error rate, and stand at the positions of the documents."""

import random

import pytest
from edit_distance import edit_cost, pairs_first
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import CORRECT, DELETION, INSERTION, SCLITE, SUBSTITUTION, UNIT
from sereval.alignment.normalise import NORMALISATIONS, significant
from sereval.alignment.words import word_operations
from sereval.documents.checks import Alternative
from sereval.measures.words import WordErrors

WORDS = st.lists(st.sampled_from(["a", "B", "b", "c,", "c", ".", "—"]), max_size=9)


def least(reference, hypothesis, weights):
    """The least cost, by the table over all prefixes."""
    ours, theirs = ([*filter(None, map(significant, side))] for side in (reference, hypothesis))
    return edit_cost(ours, theirs, weights)


@given(WORDS, WORDS, st.sampled_from([UNIT, SCLITE]))
def test_operations_have_the_least_cost(reference, hypothesis, weights):
    """The weights of the operations add up to the least cost, and none is cut."""
    found = word_operations(reference, hypothesis, weights)
    cost = sum(weights.of(op) for op, _, _ in found.operations)
    assert (least(reference, hypothesis, weights), 0) == (cost, found.slack)
    counts = {op: sum(one == op for one, _, _ in found.operations) for op in found.counts}
    assert counts == found.counts


@given(WORDS, WORDS, st.sampled_from([UNIT, SCLITE]))
def test_each_word_is_in_one_operation(reference, hypothesis, weights):
    """Words but punctuation are there once and in order; the kind says which sides have a word."""
    operations = word_operations(reference, hypothesis, weights).operations
    for side, words in ((1, reference), (2, hypothesis)):
        places = [operation[side] for operation in operations if operation[side] is not None]
        assert [k for k, word in enumerate(words) if significant(word)] == places
    for op, r, h in operations:
        assert (r is None, h is None) == (op == INSERTION, op == DELETION)
        if op in (CORRECT, SUBSTITUTION):
            same = significant(reference[r]) == significant(hypothesis[h])
            assert same == (op == CORRECT)


SPOKEN = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


@given(SPOKEN, SPOKEN)
def test_the_ties_of_sclite(reference, hypothesis):
    """The operations by sclite's weights are those of Le et al.'s program, one by one."""
    expected = pairs_first(reference, hypothesis, SCLITE)
    assert expected == [*word_operations(reference, hypothesis, SCLITE).operations]


def test_the_least_case_of_a_tie():
    """Three substitutions cost as much as a correct word beside two deletions and insertions."""
    counts = word_operations(["a", "a", "b"], ["b", "c", "c"], SCLITE).counts
    assert {CORRECT: 0, SUBSTITUTION: 3, DELETION: 0, INSERTION: 0} == counts


@given(SPOKEN, SPOKEN, st.data())
def test_the_ties_of_a_reading(reference, hypothesis, data):
    """With alternatives the rule is that of the reading that is compared."""
    k = data.draw(st.integers(0, len(reference)))
    readings = [Alternative(k, len(reference), (("a", "a", "b"), ("c",)))] if reference[k:] else []
    found = word_operations(reference, hypothesis, SCLITE, alternatives=readings)
    [said] = [one.reading for one in found.chosen] or [reference[k:]]
    ops = [op for op, *_ in pairs_first([*reference[:k], *said], hypothesis, SCLITE)]
    assert ops == [op for op, _, _ in found.operations]


def test_words_without_a_partner_come_first():
    """In a run of errors gaps come before pairs, by either weights."""
    for weights in (UNIT, SCLITE):
        found = word_operations(["a", "b", "c", "d"], ["x", "d"], weights).operations
        expected = [(DELETION, 0, None), (DELETION, 1, None), (SUBSTITUTION, 2, 0), (CORRECT, 3, 1)]
        assert expected == [*found]
        found = word_operations(["x", "d"], ["a", "b", "c", "d"], weights).operations
        assert [INSERTION, INSERTION, SUBSTITUTION, CORRECT] == [op for op, _, _ in found]


def test_the_text_of_a_word_decides():
    """Words are compared by the text that is asked for; a word without one is in no operation."""
    sides = ["it's", "<laugh>", "a"], ["its", "a"]
    assert {CORRECT: 2, SUBSTITUTION: 0, DELETION: 1, INSERTION: 0} == word_operations(
        *sides
    ).counts
    other = word_operations(*sides, UNIT, NORMALISATIONS["alphanumeric"])
    assert [(CORRECT, 0, 0), (CORRECT, 2, 1)] == [*other.operations]
    exact = word_operations(*sides, UNIT, NORMALISATIONS["exact"])
    assert [(DELETION, 0, None), (SUBSTITUTION, 1, 0), (CORRECT, 2, 1)] == [*exact.operations]


@given(SPOKEN.filter(bool), SPOKEN)
def test_unit_counts_are_those_of_jiwer(reference, hypothesis):
    """Substitutions, deletions, insertions and the rate, each by itself."""
    jiwer = pytest.importorskip("jiwer")
    theirs = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
    errors = WordErrors.of(word_operations(reference, hypothesis).counts)
    assert (theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions) == errors
    assert theirs.wer == errors.rate


@given(SPOKEN.filter(bool), SPOKEN)
def test_unit_errors_are_those_of_meeteval(reference, hypothesis):
    """The number of errors and of words, and the rate; its ties between kinds are its own."""
    wer = pytest.importorskip("meeteval.wer.wer.siso")
    theirs = wer.siso_word_error_rate(" ".join(reference), " ".join(hypothesis))
    errors = WordErrors.of(word_operations(reference, hypothesis).counts)
    assert (theirs.errors, theirs.length) == (errors.S + errors.D + errors.I, errors.ref)
    assert theirs.error_rate == errors.rate


@pytest.mark.check
def test_long_counts_are_those_of_jiwer():
    """In documents of thousands of words too."""
    jiwer = pytest.importorskip("jiwer")
    rng = random.Random(13)
    reference = [str(rng.randint(0, 300)) for _ in range(6_000)]
    hypothesis = [
        word if rng.random() < 0.7 else str(rng.randint(0, 300))
        for word in reference
        if rng.random() < 0.9
    ]
    theirs = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
    errors = WordErrors.of(word_operations(reference, hypothesis).counts)
    assert (theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions) == errors
