"""Word errors by label and by biasing list are parts of the same operations as all word errors."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import CORPORA

from sereval.alignment.blocks import INSERTION, SCLITE, UNIT
from sereval.alignment.normalise import NORMALISATIONS
from sereval.alignment.words import word_operations
from sereval.documents.model import Document, Element, tree
from sereval.errors import SerevalError
from sereval.evaluation.words import (
    WordSettings,
    element_errors,
    errors_of,
    transcripts,
    word_score,
)
from sereval.formats import read
from sereval.measures.words import BiasingList, ElementErrors, WordErrors, WordParts
from sereval.runs.biasing import load_biasing

SIDES = st.lists(st.sampled_from(["a", "b", "c", "."]), max_size=9)
SETTINGS = st.sampled_from([WordSettings(UNIT), WordSettings(SCLITE)])


@st.composite
def pairs(draw):
    """A reference with nested elements of three labels and utterances, and a hypothesis."""
    words = tuple(draw(SIDES))
    spans = draw(st.lists(st.tuples(st.sampled_from("xyz"), *[st.integers(0, 9)] * 2), max_size=5))
    kept = []
    for label, start, end in spans:
        crosses = any(s < start < e < end or start < s < end < e for _, s, e in kept)
        if start < end <= len(words) and not crosses:
            kept.append((label, start, end))
    kept.sort(key=lambda one: (one[1], -one[2]))
    breaks = tuple(sorted(draw(st.sets(st.integers(1, 8)))))
    breaks = tuple(k for k in breaks if k < len(words))
    reference = Document("d", words, tree(kept), breaks=breaks)
    return reference, Document("d", tuple(draw(SIDES)))


def naive(reference, operations, labels):
    """The errors of the elements with some labels, by the sentences of the definition."""
    elements = [element for element in reference.elements if element.label in labels]
    compared = [ref for _, ref, _ in operations if ref is not None]
    counts = dict.fromkeys(("correct", "substitution", "deletion", "insertion", "border"), 0)
    for k, (op, ref, _) in enumerate(operations):
        if op != INSERTION:
            counts[op] += any(e.start <= ref < e.end for e in elements)
            continue
        seen = sum(ref is not None for _, ref, _ in operations[:k])
        around = [*compared[max(0, seen - 1) : seen + 1]] if seen else compared[:1]
        held = [sum(e.start <= place < e.end for place in around) for e in elements]
        is_between = 0 < seen < len(compared)
        is_inside = is_between and 2 in held
        counts["insertion"] += is_inside
        counts["border"] += not is_inside and any(held)
    return ElementErrors(WordErrors.of(counts), counts["border"])


@given(pairs(), SETTINGS)
def test_errors_of_elements_are_those_of_the_definition(pair, how):
    """A word of several elements counts once in each label and once in all; insertions are inside
    an element or at its border."""
    found = errors_of(pair, how).parts
    operations = word_operations(pair[0].words, pair[1].words, how.weights).operations
    known = sorted({element.label for element in pair[0].elements})
    assert known == [*found.labels]
    assert naive(pair[0], operations, known) == found.entities
    for label in known:
        assert naive(pair[0], operations, [label]) == found.labels[label]


@given(pairs(), SETTINGS)
def test_parts_add_up(pair, how):
    """Elements, their borders and the rest are all errors, and so are words in a list and not."""
    found = errors_of(pair, how)
    operations = word_operations(pair[0].words, pair[1].words, how.weights).operations
    inside = {k for e in pair[0].elements for k in range(e.start, e.end)}
    apart = [op for op, ref, _ in operations if ref is not None and ref not in inside]
    own = found.parts.entities.errors
    for op, all_of, of_elements in (
        ("correct", found.errors.correct, own.correct),
        ("substitution", found.errors.S, own.S),
        ("deletion", found.errors.D, own.D),
    ):
        assert all_of == of_elements + apart.count(op)
    assert own.I + found.parts.entities.border <= found.errors.I
    assert found.errors == found.parts.biased + found.parts.unbiased


@given(pairs(), SETTINGS)
def test_words_of_elements_stand_for_a_list(pair, how):
    """Without utterances, the words of the elements as a list split the errors in the same way."""
    whole = Document("d", pair[0].words, pair[0].elements), pair[1]
    words = [whole[0].words[k] for e in whole[0].elements for k in range(e.start, e.end)]
    by_list = how._replace(biasing=BiasingList(tuple(words)))
    assert errors_of(whole, by_list).parts.biased == errors_of(whole, how).parts.biased


def test_each_utterance_has_its_own_names():
    """A word counts as a name where an element of its utterance has it; an inserted word belongs
    to the utterance of the word before it."""
    words = ("Dol", "a", "Dol", "b")
    said = Document("d", words, tree([("loc", 0, 1)]), breaks=(2,))
    for heard, inside, outside in (("Dol Dol a Dol b", 1, 0), ("Dol a Dol Dol b", 0, 1)):
        pair = said, Document("d", tuple(heard.split()))
        found = errors_of(pair, WordSettings()).parts
        assert WordErrors(correct=1, I=inside) == found.biased
        assert WordErrors(correct=3, I=outside) == found.unbiased


def test_an_insertion_inside_two_elements_and_beside_a_third():
    """It counts once in each label that holds it, and not at the border of a label that does."""
    elements = [Element("org", 0, 3), Element("org", 0, 2, 0), Element("loc", 2, 3, 0)]
    said, heard = ("a", "b", "c"), ("a", "b", "x", "c", "y")
    every, labels = element_errors(elements, word_operations(said, heard))
    assert ElementErrors(WordErrors(correct=3, I=1), border=1) == every == labels["org"]
    assert ElementErrors(WordErrors(correct=1), border=2) == labels["loc"]


def test_parts_of_documents_add_up():
    """Labels of several documents are merged in alphabetical order."""
    one = WordParts(labels={"b": ElementErrors(WordErrors(S=1))}, biased=WordErrors(D=1))
    two = WordParts(labels={"a": ElementErrors(border=1), "b": ElementErrors(WordErrors(D=1))})
    total = sum([one, two])
    assert ["a", "b"] == [*total.labels]
    assert (WordErrors(S=1, D=1), 1) == (total.labels["b"].errors, total.labels["a"].border)
    for value in (one, ElementErrors()):
        with pytest.raises(TypeError):
            value + 1


def test_a_score_has_its_parts():
    """By document and over all documents."""
    said = Document("d", ("a", "b"), tree([("x", 0, 1)]))
    other = Document("e", ("c",), tree([("x", 0, 1)]))
    how = WordSettings()
    found = [errors_of((side, Document(side.id, ("a",))), how) for side in (said, other)]
    score = word_score(found, how)
    assert ["d", "e"] == [*score.parts]
    assert 0.5 == score.labels["x"].rate == score.total_parts.entities.rate
    assert WordErrors(correct=1, S=1, D=1) == score.total


def test_what_has_no_words_is_refused():
    """A fuzzy reference and mentions have no transcript."""
    said = Document("d", ("a",))
    with pytest.raises(SerevalError, match="mentions have no words of their own"):
        transcripts((said, Document("d", (), mentions=())))


def test_a_document_needs_its_list():
    """A list for each document must have each document."""
    pair = Document("d", ("a",)), Document("d", ("a",))
    with pytest.raises(SerevalError, match="d: found no biasing list"):
        errors_of(pair, WordSettings(biasing=BiasingList(documents={"e": ("a",)})))


FBAI, CALLS = CORPORA / "fbai", CORPORA / "earnings21"


@pytest.mark.check
@pytest.mark.skipif(not FBAI.is_dir(), reason="the corpus ../shared/corpora/fbai is not here")
def test_librispeech_with_rare_words():
    """The figures of B-WER and U-WER are those that the program of Le et al. prints."""
    how = WordSettings(SCLITE, NORMALISATIONS["exact"], load_biasing(str(FBAI / "test-clean.tsv")))
    said, heard = (
        dict(line.split("\t")[:2] for line in (FBAI / name).read_text("utf-8").splitlines())
        for name in ("test-clean.tsv", "b1.tsv")
    )
    sides = (
        tuple(Document(id, tuple(s.get(id, "").split())) for s in (said, heard)) for id in said
    )
    score = word_score([errors_of(pair, how) for pair in sides], how)
    parts = score.total_parts
    counts = [(e.ref, e.S, e.I, e.D) for e in (score.total, parts.unbiased, parts.biased)]
    assert [(52576, 1501, 195, 225), (46815, 725, 195, 190), (5761, 776, 0, 35)] == counts
    rates = [100 * e.rate for e in (score.total, parts.unbiased, parts.biased)]
    assert [3.6537583688374924, 2.3710349247036206, 14.077417115084186] == rates


@pytest.mark.check
@pytest.mark.skipif(not CALLS.is_dir(), reason="../shared/corpora/earnings21 is not here")
@pytest.mark.parametrize(
    ("recogniser", "expected"),
    [("google", 16.9), ("amazon", 16.6), ("rev-kaldi", 16.5), ("librispeech", 51.2)],
)
def test_earnings_calls(recogniser, expected):
    """The word error rates are those of the corpus's description, and parts add up."""
    how = WordSettings(normalise=NORMALISATIONS["alphanumeric"])
    said = {one.id: one for one in read(CALLS / "ref")}
    heard = read(CALLS / "asr" / recogniser, wanted=["ctm"])
    found = [errors_of((said[one.id], one), how) for one in heard]
    score = word_score(found, how)
    assert (14, expected) == (len(found), round(100 * score.total.rate, 1))
    assert score.total == score.total_parts.biased + score.total_parts.unbiased
    assert 20 == len(score.labels)


def test_json_of_lists(tmp_path):
    """One list for all, a list for each, lines of words, and a table with tabs."""
    texts = {
        "a.json": json.dumps(["Dol", "New York"]),
        "b.json": json.dumps({"d": ["Dol"], "e": []}),
        "c.txt": "Dol\n\n New York \n",
        "d.tsv": 'd\tat Dol\t["Dol"]\t["Dol", "Rennes"]\ne\t\t[]\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = {name: load_biasing(str(tmp_path / name)) for name in texts}
    assert found["a.json"].of("x") == found["c.txt"].of("x") == ("Dol", "New York")
    assert {"d": ("Dol",), "e": ()} == found["b.json"].documents == found["d.tsv"].documents
    assert found["a.json"].signature == found["c.txt"].signature
    assert found["b.json"].signature == found["d.tsv"].signature != found["a.json"].signature


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"d": ["Dol", 1]}', 'biasing list: "d"[1]: found 1, expected a string'),
        ("a.json", '"Dol"', "biasing list: \"words\": found 'Dol', expected a list"),
        ("a.json", "[]", "found no word, expected a biasing list"),
        ("a.txt", "\n \n", "found no word, expected a biasing list"),
        ("a.tsv", "d\tDol\n", "1: found 2 columns, expected a document, its text and its words"),
        ("a.tsv", 'd\t\t["a"]\nd\t\t["a"]\n', "2: found d a second time, expected it once"),
        ("a.tsv", "d\t\t['a']\n", "1: not JSON"),
    ],
)
def test_faults_of_lists_have_their_places(tmp_path, name, text, said):
    """The file, the line and what is expected."""
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(SerevalError) as refused:
        load_biasing(str(tmp_path / name))
    assert f"{name}:" in str(refused.value)
    assert said in str(refused.value)
