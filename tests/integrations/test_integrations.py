"""Lists, tags, offsets, spaCy and pandas; the metric, spaCy's scorer, the assert helpers."""

import csv
import io
import json
import sys
from dataclasses import replace
from fractions import Fraction

import pandas
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from numpy import array, float32
from paths import ROOT
from strategies import forests, same_words_scorings
from tables import tables

import sereval
from sereval import (
    Document,
    SerevalError,
    from_frame,
    from_offsets,
    from_spacy,
    from_spans,
    from_tags,
    tree,
)
from sereval.documents.tags import flat, iob2_of
from sereval.documents.words import document_of_text
from sereval.formats import inline
from sereval.formats.file import File

TABLES = tables(__file__)

WORDS = ("la", "ville", "de", "Paris", "en", "France")
CITY = from_spans(WORDS, [("loc", 1, 4), ("name", 3, 4), ("loc", 5, 6)], id="0")
HALF = from_spans(WORDS, [("loc", 1, 4), ("name", 2, 4)], id="0")


@st.composite
def documents(draw):
    """Words that can be told apart, with a forest."""
    n = draw(st.integers(0, 6))
    return Document("d", tuple(f"w{k}" for k in range(n)), draw(forests(n)))


def spans_of(document):
    return [(element.label, element.start, element.end) for element in document.elements]


# --- documents -----------------------------------------------------------------------------------

SAID, ONE = ["Dol", "de"], [("loc", 0, 1)]
FRAME = pandas.DataFrame({"word": SAID})
REFUSED = {
    "text": (lambda: from_spans("Dol"), "-: found one text, expected a list of words"),
    "no words": (lambda: from_spans(None), "-: found None, expected a list of words"),
    "number": (lambda: from_spans([1]), "-: word 0 is 1, expected a text"),
    "no spans": (lambda: from_spans(SAID, None), "-: found None, expected a list of spans"),
    "frame": (lambda: from_spans(SAID, FRAME), "-: found a DataFrame, expected a list of spans"),
    "offsets": (
        lambda: from_spans(SAID, [(0, 1, "loc")]),
        "-: found (0, 1, 'loc'), expected (label, start, end) in words, such as ('LOC', 0, 2); "
        "from_offsets takes (start, end, label) in characters",
    ),
    "floats": (
        lambda: from_spans(SAID, [("loc", 0.0, 1.0)]),
        "-: found ('loc', 0.0, 1.0), expected",
    ),
    "no JSON": (lambda: from_spans({"a": {1}}), "-: found {'a': {1}}, expected one JSON"),
    "no program": (lambda: from_spans({"a": 1}), "-: the output of a recogniser: "),
    "no unit": (
        lambda: from_spans(SAID, times=[(0, 1), (1, 2)]),
        "-: word 0: found the time 1, expected seconds such as 1.0; or unit='ms' or unit='s'",
    ),
    "flat times": (
        lambda: from_spans(SAID, times=[0.1, 0.2]),
        "-: word 0 has 0.1, expected (start",
    ),
    "nan": (lambda: from_spans(SAID, times=[(0, float("nan"))] * 2), "-: word 0: found 'nan'"),
    "half ms": (
        lambda: from_spans(SAID, times=[(0, 0.5)] * 2, unit="ms"),
        "-: word 0: found 0.5 ms",
    ),
    "unit": (lambda: from_spans(SAID, times=[(0, 1)] * 2, unit="min"), "-: found the unit 'min'"),
    "few times": (lambda: from_spans(SAID, times=[(0, 0.5)]), "-: 1 times for 2 words"),
    "no tags": (lambda: from_tags(SAID, None), "-: found None, expected a list of tags"),
    "rows": (lambda: from_tags(SAID, [[1, 0]]), "-: found the tag [1, 0], expected a text or"),
    "-100": (
        lambda: from_tags(SAID, [0, -100], names=["O"]),
        "-: tag -100 marks a piece that is no",
    ),
    "no text": (lambda: from_offsets(None, []), "-: found None, expected a text"),
    "no entity": (lambda: from_offsets("a", [3]), "-: entity 3, expected start, end and label"),
    "no Doc": (lambda: from_spacy("a"), "-: found 'a', expected a Doc of spaCy"),
    "no frame": (lambda: from_frame([1]), "found [1], expected a data frame of the words"),
    "a frame": (lambda: sereval.score(FRAME, FRAME), "argument reference: found a data frame"),
    "data set": (
        lambda: sereval.score([{"tokens": SAID, "ner_tags": [0, 0]}], [["O", "O"]]),
        "argument reference: 0: found an object with the keys tokens, ner_tags, expected",
    ),
    "lists": (lambda: sereval.evaluate(3, []), "found 3, expected a list of documents"),
    "costs": (lambda: sereval.evaluate([], [], costs="D=2"), "costs: found 'D=2', expected one of"),
    "neutral": (
        lambda: sereval.score([], [], neutral=3),
        "argument neutral: found 3, expected a text",
    ),
    "map": (
        lambda: sereval.score([], [], map={"a": "b"}),
        "argument map: found {'a': 'b'}, expected",
    ),
    "jobs": (lambda: sereval.score([], [], jobs="2"), "argument jobs: found '2', expected a whole"),
    "format": (lambda: sereval.parse("a"), "-: the format of a text, expected one such as"),
    "two files": (lambda: sereval.parse("a", "brat"), "-: the format brat has two files, expected"),
    "no path": (lambda: sereval.read([]), "found list, expected a path or an open file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_document_is_refused_in_one_line(name):
    """Never with an error of Python's."""
    make, message = REFUSED[name]
    with pytest.raises(SerevalError) as error:
        make()
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


WHISPER = {
    "text": " Dol de",
    "segments": [
        {
            "id": 0,
            "start": 0.0,
            "end": 1.0,
            "text": " Dol de",
            "words": [
                {"word": " Dol", "start": 0.0, "end": float32(0.5), "probability": 0.9},
                {"word": " de", "start": 0.5, "end": 1.0, "probability": 0.9},
            ],
        }
    ],
}


@pytest.mark.parametrize(
    "given",
    [
        {"words": SAID, "times": [(0, 0.5), (0.5, 1.0)]},
        {"words": array(SAID), "times": array([[0.0, 0.5], [0.5, 1.0]])},
        {"words": SAID, "times": [[0, 500], [500, 1000]], "unit": "ms"},
        {"words": SAID, "times": [(0, 0.5), (0.5, 1)], "unit": "s"},
        {"words": WHISPER},
    ],
)
def test_times_in_memory(given):
    """Seconds, milliseconds by name, or those of a recogniser."""
    expected = Document("-", ("Dol", "de"), tree(ONE), ((0, 500), (500, 1000)))
    assert expected == from_spans(spans=ONE, **given)
    assert expected == from_spans(spans=[("loc", *array([0, 1]))], **given)


def test_the_words_of_a_score_in_memory():
    """A recogniser's output gives the times of the hypothesis."""
    gold = from_spans(SAID, ONE, times=[(0, 0.4), (0.4, 1.0)])
    found = sereval.score(gold, from_spans(SAID, ONE), words=WHISPER, tolerance=0.1)
    assert (1, 1) == (found.counts.C, found.counts.ref)


def test_texts_and_open_files_are_read():
    """As files are."""
    [document] = sereval.parse("<loc> Dol </loc> de", format="inline", id="d.e/f")
    assert Document("d.e/f", ("Dol", "de"), tree(ONE)) == document
    assert [document.words] == [d.words for d in sereval.parse(json.dumps(WHISPER, default=float))]
    text = io.StringIO("<loc> Dol </loc> de")
    assert [replace(document, id="-")] == sereval.read(text, format="inline")
    path = ROOT / "data/ref/lindbergh.ne"
    for mode in ("r", "rb"):
        with path.open(mode, **({"encoding": "utf-8"} if mode == "r" else {})) as file:
            assert sereval.read(path) == sereval.read(file)


def test_arrays_of_tags_are_documents():
    """As lists are."""
    gold, found = array([["B-loc", "O"]]), [array(["O", "B-loc"])]
    assert 2 == sereval.score(gold, found).ser
    assert from_tags(SAID, ["B-loc", "O"]) == from_tags(SAID, array([1, 0]), names=["O", "B-loc"])


def test_a_result_prints_its_report(run):
    """What the command prints, without its provenance; its representation is one line."""
    given = "data/ref data/hyp/gazetteer/manual"
    found = sereval.score(*given.split())
    shown = run(f"score {given}")[1]
    body, signature = str(found).rsplit("\n\n", 1)
    assert shown.startswith(f"{body}\n")
    assert signature in shown.splitlines()
    assert repr(sereval.audit(*given.split())).startswith("<Audits: SER|tolerance:none|")
    swept = sereval.sweep(CITY, {"a": CITY}, measure="mitre", extent_tolerance=[0, 1])
    assert len(repr(swept)) <= 200
    assert str(swept).startswith("a\n")


@given(documents())
def test_spans_in_any_order_of_different_spans_make_the_document(document):
    """Words and spans are all that a document is made of."""
    assert document == from_spans(document.words, spans_of(document), id="d")


@given(documents())
def test_offsets_are_the_places_of_words(document):
    """A text with offsets is the document whose words it runs together with spaces."""
    starts = [0]
    for word in document.words:
        starts.append(starts[-1] + len(word) + 1)
    entities = [
        {"start": starts[e.start], "end": starts[e.end] - 1, "label": e.label}
        for e in document.elements
    ]

    assert document == from_offsets(" ".join(document.words), entities, id="d")


@given(st.text("ab \n", max_size=12), st.data())
def test_offsets_cut_words_as_tags_in_running_text_do(text, data):
    """A stretch of a text has the words it would have in inline annotation."""
    place = st.integers(0, len(text))
    start, end = sorted([data.draw(place), data.draw(place)])
    if not text[start:end].strip():
        with pytest.raises(SerevalError, match="expected"):
            from_offsets(text, [(start, end, "x")])
        return
    tagged = f"{text[:start]}<x>{text[start:end]}</x>{text[end:]}"
    [(_, expected)] = inline.read_inline(File("d.ne", text=tagged))

    found = from_offsets(text, [(start, end, "x")], id="d")

    assert expected.words == found.words
    assert spans_of(expected) == spans_of(found)
    assert expected.breaks == found.breaks


def test_tokens_are_words_and_are_cut():
    """Where tokens come with a text, they are its words, and a stretch inside one cuts it."""
    show = document_of_text("d", "l'eau-de-vie", [("drink", 2, 5)], tokens=[(0, 2), (2, 12)])

    assert ("l'", "eau", "-de-vie") == show.words
    assert [("drink", 1, 2)] == spans_of(show)


@pytest.mark.parametrize(
    ("text", "entities", "message"),
    TABLES["offsets"],
)
def test_offsets_that_are_refused(text, entities, message):
    """What is no stretch of the text with words in it is an error that says where."""
    with pytest.raises(SerevalError, match=message):
        from_offsets(text, entities, id="d")


def test_offsets_of_a_pipeline():
    """What a token classification pipeline of Hugging Face returns is taken as it is."""
    answer = [{"entity_group": "LOC", "score": 0.9, "word": "Paris", "start": 3, "end": 8}]

    assert [("LOC", 1, 2)] == spans_of(from_offsets("in Paris", answer))


@given(documents())
def test_tags_are_the_columns_of_a_document(document):
    """The IOB2 tags of a flat document make it again."""
    flattened, _ = flat(document, "outermost")

    assert flattened == from_tags(document.words, iob2_of(flattened).tags, id="d", scheme="iob2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tags": ["O", "S-X"], "scheme": "iob2"}, "'S-X', expected one of iob2"),
        ({"tags": ["O", "NN"]}, "the tags are of no one scheme"),
        ({"tags": ["O"]}, "1 tags for 2 words"),
        ({"tags": [0, 1]}, "tag 0 is a number, expected the names"),
        ({"tags": [0, 7], "names": ["O"]}, "tag 7, expected a number below 1"),
    ],
)
def test_tags_that_are_refused(arguments, message):
    """Tags of no scheme or of another one, numbers without names, too few: all are errors."""
    with pytest.raises(SerevalError, match=message):
        from_tags(["a", "b"], **arguments)


def test_ill_formed_tags():
    """As in files, they are read as conlleval reads them, counted and shown."""
    found = from_tags(["a", "b"], ["O", "I-X"], id="d", scheme="iob2")
    asked = from_tags(["a", "b"], ["O", "I-X"], id="d", scheme="conlleval")

    assert found == asked
    assert spans_of(found) == [("X", 1, 2)]
    what = "tags that iob2 does not allow where they stand, read all the same"
    assert [f"{what}: 1, the first I-X at word 1 of d"] == list(map(str, found.notes))
    assert asked.notes == ()


@pytest.mark.check
@given(documents())
def test_spacy_has_the_same_words_and_spans(document):
    """A Doc with a group of spans is the document; tokens of white space are no words."""
    made = []
    for word in document.words:
        made += [word, "\n"]
    doc = spacy.tokens.Doc(spacy.blank("xx").vocab, words=made)
    doc.spans["all"] = [
        spacy.tokens.Span(doc, 2 * e.start, 2 * e.end - 1, e.label) for e in document.elements
    ]

    assert document == from_spacy(doc, group="all", id="d")


def test_spacy_without_the_group_says_which_there_are():
    """A group that is not there is an error that names the others."""
    doc = spacy.blank("en")("Paris")
    doc.spans["sc"] = []

    with pytest.raises(SerevalError, match="no group of spans 'ner', expected one of: sc"):
        from_spacy(doc, group="ner")


# --- pandas --------------------------------------------------------------------------------------


@pytest.mark.check
@given(documents(), documents())
def test_frames_of_words_and_elements_make_the_documents(one, other):
    """Rows of words and rows of elements are documents, in the order of their first words."""
    other = Document("e", other.words, other.elements)
    both = [document for document in (other, one) if document.words]
    words = pandas.DataFrame(
        [(d.id, word, 10 * k, 10 * k + 5) for d in both for k, word in enumerate(d.words)],
        columns=["document", "word", "start", "end"],
    )
    elements = pandas.DataFrame(
        [(d.id, *span) for d in both for span in spans_of(d)],
        columns=["document", "label", "start", "end"],
    )

    found = from_frame(words, elements, unit="ms")

    assert both == [Document(d.id, d.words, d.elements) for d in found]
    assert all(d.times[k] == (10 * k, 10 * k + 5) for d in found for k in range(len(d.words)))


def test_frame_with_tags():
    """A column of tags says the elements."""
    words = pandas.DataFrame({"document": [1, 1], "word": ["in", "Paris"], "tag": ["O", "B-LOC"]})

    [found] = from_frame(words)

    assert ("1", [("LOC", 1, 2)]) == (found.id, spans_of(found))


@pytest.mark.parametrize(
    ("words", "elements", "message"),
    [
        ({"document": ["d"]}, None, "no column 'word' in the words, expected it among: document"),
        ({"document": ["d"], "word": [None]}, None, "column 'word' of the words has an empty cell"),
        (
            {"document": ["d"], "word": ["a"]},
            {"document": ["e"], "label": ["x"], "start": [0], "end": [1]},
            "an element of document 'e', expected one that has words",
        ),
        (
            {"document": ["d"], "word": ["a"], "tag": ["O"]},
            {"document": ["d"], "label": ["x"], "start": [0], "end": [1]},
            "found elements and a column of tags",
        ),
        ({"document": ["d"], "word": ["a"], "start": [0], "end": [1]}, None, "unit='ms'"),
    ],
)
def test_frames_that_are_refused(words, elements, message):
    """A frame that lacks something is an error that says what."""
    with pytest.raises(SerevalError, match=message):
        from_frame(
            pandas.DataFrame(words), None if elements is None else pandas.DataFrame(elements)
        )


@pytest.mark.check
@given(same_words_scorings())
def test_frame_of_an_evaluation_has_the_rows_of_its_csv(scoring):
    """The frame and the CSV of an evaluation hold the same figures."""
    evaluation = scoring.run()
    written = list(csv.DictReader(io.StringIO("".join(evaluation.report().csv()))))

    found = evaluation.to_frame()

    assert ["document", "label", "class", "count", "cost"] == list(found.columns)
    assert [
        (row["document"], row["label"], row["class"], int(row["count"]), float(row["cost"]))
        for row in written
    ] == list(found.itertuples(index=False, name=None))


def test_an_evaluation_shows_itself():
    """Its JSON is the command's report, and a notebook shows its table."""
    evaluation = sereval.evaluate([CITY], [HALF])
    assert json.loads(evaluation.to_json())["counts"]["ser"] == evaluation.ser
    assert "<table" in evaluation._repr_html_()


def test_without_pandas_the_message_says_what_to_install(monkeypatch):
    """Where pandas is not installed, one line says how it would be."""
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(SerevalError, match=r"pip install 'sereval\[pandas\]'"):
        sereval.evaluate([CITY], [HALF]).to_frame()


# --- assert helpers ------------------------------------------------------------------------------


def test_at_most():
    """The limit itself is allowed, exactly; what is above fails, and says where it comes from."""
    evaluation = sereval.evaluate([CITY], [HALF])  # one S_S, one D of three
    sereval.assert_ser_at_most(evaluation, 0.5)
    sereval.assert_ser_at_most(evaluation, Fraction(1, 2))

    with pytest.raises(
        AssertionError,
        match=r"SER 0\.5000, expected at most 0\.49; cost 1\.5 for 3 elements, most by loc 1, name",
    ):
        sereval.assert_ser_at_most(evaluation, 0.49)


def test_a_limit_is_the_decimal_that_is_written():
    """0.1 is a tenth, not the binary fraction next to it."""
    words = ["w"] * 10
    reference = from_spans(words, [("x", k, k + 1) for k in range(10)])
    hypothesis = from_spans(words, [("x", k, k + 1) for k in range(9)])

    sereval.assert_ser_at_most(sereval.evaluate([reference], [hypothesis]), 0.1)


def test_not_grown(tmp_path):
    """Against a stored report: equal passes, more fails, and so do other settings."""
    good, bad = sereval.evaluate([CITY], [CITY]), sereval.evaluate([CITY], [HALF])
    stored = tmp_path / "report.json"
    stored.write_text(good.to_json(), "utf-8")

    sereval.assert_ser_not_grown(good, stored)
    sereval.assert_ser_not_grown(bad, stored, by=0.5)
    sereval.assert_ser_not_grown(good, json.loads(bad.to_json()))
    with pytest.raises(AssertionError, match=r"SER 0\.5000, expected at most the stored 0\.0000"):
        sereval.assert_ser_not_grown(bad, stored)
    with pytest.raises(SerevalError, match="pairing:half.*expected those of the report"):
        sereval.assert_ser_not_grown(sereval.evaluate([CITY], [CITY], pairing="half"), stored)


def test_an_undefined_rate_passes_nothing(tmp_path):
    """Without a reference element there is nothing to be good at."""
    empty = from_spans(WORDS, id="0")

    with pytest.raises(AssertionError, match="undefined"):
        sereval.assert_ser_at_most(sereval.evaluate([empty], [empty]), 1)


@pytest.mark.parametrize(
    ("text", "message"), [("[]", "no JSON object"), ("{", "Expecting"), ("{}", "no counts")]
)
def test_a_report_that_is_none(tmp_path, text, message):
    """What is no report is an error of the user's, not a failed assertion."""
    stored = tmp_path / "report.json"
    stored.write_text(text, "utf-8")

    with pytest.raises(SerevalError, match=message):
        sereval.assert_ser_not_grown(sereval.evaluate([CITY], [CITY]), stored)
