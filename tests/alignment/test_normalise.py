"""Normalisations: forms of words, the words that they come from, and what is compared by them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment import normalise
from sereval.alignment.blocks import CORRECT, DELETION, SCLITE, SUBSTITUTION, UNIT
from sereval.alignment.normalise import (
    EXACT,
    LETTERS,
    NORMALISATIONS,
    Forms,
    disjoint,
    load_table,
    normalisation,
)
from sereval.alignment.text import align_text
from sereval.alignment.words import word_operations
from sereval.errors import InputError, SerevalError

WHISPER = ("whisper-english", "whisper-basic")
SAID = [
    *("I", "won't", "twenty", "20", "$5", "million", "one", "oh", "%", "percent", "Mr.", "uh"),
    *("it", "'s", "it's", "(aside", "aside)", "<unk>", "2.5", "double", "colour", "and", "a", "—"),
]
texts = st.lists(st.sampled_from(SAID), max_size=10)
letters = st.lists(st.sampled_from(["a", "B", "b.", "c", "—"]), max_size=8)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("letters", ["its", "us", "", "unk", "snake"]),
        ("exact", ["It's", "U.S.", "—", "<unk>", "_snake"]),
        ("caseless", ["it's", "u.s.", "—", "<unk>", "_snake"]),
        ("alphanumeric", ["its", "us", "", "", "_snake"]),
    ],
)
def test_forms_of_words(name, expected):
    """Each normalisation of words has its form of each; an empty form is passed over."""
    words = ["It's", "U.S.", "—", "<unk>", "_snake"]
    chosen = normalisation(name)
    assert expected == [chosen.form(word) for word in words]
    found = chosen.forms(words)
    assert [form for form in expected if form] == found.texts
    assert [(k, k + 1) for k, form in enumerate(expected) if form] == found.spans


def test_normalisations_are_values():
    """They are equal by name, are keys, and go to other processes."""
    for name, one in NORMALISATIONS.items():
        again = pickle.loads(pickle.dumps(one))
        assert one == again
        assert hash(one) == hash(again)
        assert name == again.name
    assert LETTERS != EXACT


def test_unknown_names_are_refused():
    """The message names the normalisations, and the one that was probably meant."""
    with pytest.raises(SerevalError, match=r"normalise is 'whisper-englsh'.*whisper-english"):
        normalisation("whisper-englsh")


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
    pytest.importorskip("whisper_normalizer")
    forms = NORMALISATIONS[name].forms(words)
    assert normalise._whisper(name)(" ".join(words)).split() == forms.texts
    well_formed(forms, words)


@pytest.mark.check
@pytest.mark.parametrize("name", WHISPER)
@given(left=texts, right=texts)
def test_word_errors_are_those_of_jiwer_on_normalised_texts(name, left, right):
    """The rate is that of the two normalised texts, with as many errors of each kind."""
    jiwer = pytest.importorskip("jiwer")
    pytest.importorskip("whisper_normalizer")
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
    pytest.importorskip("whisper_normalizer")
    chosen = NORMALISATIONS[name]
    found = align_text(left, right, SCLITE, normalise=chosen)
    assert (len(left), len(right)) == found.lengths or not found.blocks
    forms = [chosen.forms(side).texts for side in (left, right)]
    assert align_text(*forms, SCLITE, normalise=EXACT).cost == found.cost
    same = align_text(left, left, SCLITE, normalise=chosen)
    assert {block.op for block in same.blocks} <= {CORRECT, "punctuation"}
    for block in same.blocks:
        assert block.ref == block.hyp


def test_whisper_knows_the_words_of_its_forms():
    """One word for two and two for one are stretches; all others are words of their own."""
    pytest.importorskip("whisper_normalizer")
    words = ["I", "won't", "go", "in", "twenty", "twenty", ",", "uh", "Mr.", "Smith"]
    forms = NORMALISATIONS["whisper-english"].forms(words)
    expected = ["i", "will", "not", "go", "in", "2020", "mister", "smith"]
    spans = [(0, 1), (1, 2), (1, 2), (2, 3), (3, 4), (4, 6), (8, 9), (9, 10)]
    assert Forms(expected, spans) == forms
    found = align_text(
        words,
        ["I", "will", "go", "in", "2020", "mister", "Smith"],
        UNIT,
        normalise=NORMALISATIONS["whisper-english"],
    )
    blocks = [(b.ref, b.hyp, b.op) for b in found.blocks if b.op != "punctuation"]
    assert ((1, 2), (1, 2), SUBSTITUTION) in blocks  # not is deleted, and won't is no longer right
    assert ((4, 6), (4, 5), CORRECT) in blocks
    assert 1 == found.cost
    assert "by:text weights:unit normalise:whisper-english" == found.how


def test_without_the_package_one_line_says_so(monkeypatch):
    """It names the package and the extra."""
    monkeypatch.setitem(__import__("sys").modules, "whisper_normalizer.basic", None)
    normalise._whisper.cache_clear()
    with pytest.raises(
        SerevalError, match=r"whisper-basic needs .* pip install 'sereval\[whisper\]'"
    ):
        normalisation("whisper-basic")
    normalise._whisper.cache_clear()


@given(left=letters, right=letters, weights=st.sampled_from([UNIT, SCLITE]))
def test_a_table_without_effect_aligns_as_letters(left, right, weights):
    """A rewritten text that is the same has the same blocks, but for pairs of punctuation."""
    table = normalise.Normalisation("table", LETTERS.form, LETTERS.forms)
    for ties in ("early", "spelling"):
        plain = align_text(left, right, weights, ties)
        found = align_text(left, right, weights, ties, normalise=table)
        if not {"—"} & {*left, *right}:
            assert plain.blocks == found.blocks
        assert (plain.cost, plain.slack) == (found.cost, found.slack)
    assert word_operations(left, right, weights) == word_operations(left, right, weights, table)


def test_spans_with_a_word_in_common_are_joined():
    """Also where the union reaches further back."""
    assert [(0, 5)] * 3 == disjoint([(0, 2), (3, 4), (1, 5)])
    assert [] == disjoint([])


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


def test_the_name_of_a_table_is_that_of_its_rules(table):
    """Comments and order do not change it, rules do."""
    name = table("a\tb\nc\td\n").name
    assert name == table("# own\nC,\tD\nA\tb\n").name
    assert name != table("a\tb\n").name


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


def test_tables_that_cannot_be_read_are_refused(table, tmp_path):
    """One that is not there, and one that is not UTF-8."""
    with pytest.raises(InputError, match="found byte 0x[0-9a-f]* at offset 0, expected utf-8"):
        table("é\te\n", "latin-1")
    with pytest.raises(InputError, match="No such file"):
        normalisation(str(tmp_path / "none.tsv"))
