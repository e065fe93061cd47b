"""Normalisations: forms of words, the words that they come from, and what is compared by them."""

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment import normalise
from sereval.alignment.blocks import CORRECT, DELETION, SCLITE, UNIT
from sereval.alignment.normalise import (
    EXACT,
    NORMALISATIONS,
    Forms,
    load_table,
)
from sereval.alignment.text import align_text
from sereval.alignment.words import word_operations
from sereval.errors import InputError

WHISPER = ("whisper-english", "whisper-basic")
SAID = [
    *("I", "won't", "twenty", "20", "$5", "million", "one", "oh", "%", "percent", "Mr.", "uh"),
    *("it", "'s", "it's", "(aside", "aside)", "<unk>", "2.5", "double", "colour", "and", "a", "—"),
]
texts = st.lists(st.sampled_from(SAID), max_size=10)


def well_formed(forms, words):
    """No form is empty or comes from no word; spans are in order, equal or apart."""
    assert len(forms.texts) == len(forms.spans) == len(forms.places)
    assert all(forms.texts)
    assert all(0 <= start < end <= len(words) for start, end in forms.spans)
    for one, other in zip(forms.spans, forms.spans[1:], strict=False):
        assert one == other or one[1] <= other[0]
    assert sorted(forms.places) == forms.places
    assert all(a <= place < b for (a, b), place in zip(forms.spans, forms.places, strict=True))


@pytest.mark.check
@pytest.mark.parametrize("name", WHISPER)
@given(words=texts)
def test_whispers_forms_are_those_of_the_text(name, words):
    """The forms are the words of the normalised text, whatever words they come from."""
    forms = NORMALISATIONS[name].forms(words)
    assert normalise._whisper(name)(" ".join(words)).split() == forms.texts
    well_formed(forms, words)


@pytest.mark.check
@pytest.mark.parametrize("name", WHISPER)
@given(left=texts, right=texts)
def test_word_errors_are_those_of_jiwer_on_normalised_texts(name, left, right):
    """The rate is that of the two normalised texts, with as many errors of each kind."""
    chosen = NORMALISATIONS[name]
    plain = [normalise._whisper(name)(" ".join(side)).strip() for side in (left, right)]
    counts = word_operations(left, right, UNIT, chosen).counts
    if not plain[0]:
        assert len(plain[1].split()) == counts["insertion"]
        return
    theirs = jiwer.process_words(*plain)
    assert theirs.substitutions + theirs.deletions + theirs.insertions == sum(
        counts[op] for op in counts if op != CORRECT
    )
    assert len(plain[0].split()) == sum(counts.values()) - counts["insertion"]


@pytest.mark.check
@pytest.mark.parametrize("name", WHISPER)
@given(left=texts, right=texts)
def test_alignments_of_rewritten_texts_tile_the_words(name, left, right):
    """Blocks hold all words; their cost is that of the forms; equal texts have correct words."""
    chosen = NORMALISATIONS[name]
    found = align_text(left, right, SCLITE, normalise=chosen)
    assert (len(left), len(right)) == found.lengths or not found.blocks
    forms = [chosen.forms(side).texts for side in (left, right)]
    assert align_text(*forms, SCLITE, normalise=EXACT).cost == found.cost
    same = align_text(left, left, SCLITE, normalise=chosen)
    assert {block.op for block in same.blocks} <= {CORRECT, "punctuation"}
    for block in same.blocks:
        assert block.ref == block.hyp


# ---------------------------------------------------------------------------------------- tables


@pytest.fixture
def table(tmp_path):
    """Load a table with these lines."""

    def load(text, encoding="utf-8"):
        path = tmp_path / "own.tsv"
        path.write_bytes(text.encode(encoding))
        return load_table(str(path))

    return load


def test_the_longest_sequence_is_replaced_once(table):
    """At each word the longest sequence counts; what replaces it is left alone."""
    found = table("# years\n\ntwenty twenty\t2020\ntwenty\t20\n20\tXX\nuh\t\n")
    words = ["Twenty", "—", "twenty", "twenty", "UH!", "20"]
    assert Forms(["2020", "20", "xx"], [(0, 3), (3, 4), (5, 6)]) == found.forms(words)


def test_a_table_aligns_what_it_makes_equal(table):
    """Words and their replacement are correct; words that are passed over cost nothing."""
    found = table("won't\twill not\nuh\t\n")
    aligned = align_text(["I", "won't", "go"], ["i", "uh", "will", "not", "go"], normalise=found)
    blocks = [(b.ref, b.hyp, b.op) for b in aligned.blocks]
    assert ((1, 2), (2, 4), CORRECT) in blocks
    assert 0 == aligned.cost
    lost = align_text(["I", "won't", "go"], ["i", "go"], normalise=found)
    assert ((1, 2), (1, 1), DELETION) in [(b.ref, b.hyp, b.op) for b in lost.blocks]
    assert 6 == lost.cost  # two words of the rewritten text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\nword\n", "own.tsv:2: found 0 tabs, expected words, a tab, words"),
        ("a\tb\tc\n", "own.tsv:1: found 2 tabs"),
        ("--\tb\n", "own.tsv:1: found '--' before the tab, expected a word"),
        ("a\t--\n", "own.tsv:1: found '--' after the tab, expected words or nothing"),
        ("a\tb\nA!\tc\n", "own.tsv:2: found a a second time, expected it once"),
        ("# nothing\n", "own.tsv: found no line with a tab"),
    ],
)
def test_bad_tables_are_refused(table, text, message):
    """The message names the file and the line."""
    with pytest.raises(InputError) as caught:
        table(text)
    assert message in str(caught.value)
