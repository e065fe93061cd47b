"""Lists, tags, offsets, spaCy and pandas; the metric, spaCy's scorer, the assert helpers."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import array, float32
from paths import ROOT
from strategies import forests, same_words_scorings

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
from sereval.formats import inline
from sereval.formats.file import File

pandas = pytest.importorskip("pandas")

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
    "text": (lambda: from_spans("Dol"), "-: found 'Dol', expected a list of words"),
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
        "-: word 0: found 0.1, expected (start",
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
    "a frame": (lambda: sereval.score(FRAME, FRAME), "argument reference: found a DataFrame"),
    "data set": (
        lambda: sereval.score([{"tokens": SAID, "ner_tags": [0, 0]}], [["O", "O"]]),
        "argument reference: 0: found {'tokens': ['Dol', 'de'], 'ner_tags': [0, 0]}, expected",
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
    "jobs": (
        lambda: sereval.score([], [], jobs="two"),
        "argument jobs: found 'two', expected a whole",
    ),
    "format": (lambda: sereval.parse("a"), "-: the format of a text, expected one such as"),
    "two files": (lambda: sereval.parse("a", "brat"), "-: no .txt is beside it, expected one"),
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
    words = from_spans(WHISPER)
    found = sereval.score(gold, from_spans(SAID, ONE), words=words, tolerance=0.1)
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
    [expected] = inline.read_inline(File("d.ne", text=tagged))

    found = from_offsets(text, [(start, end, "x")], id="d")

    assert expected.words == found.words
    assert spans_of(expected) == spans_of(found)
    assert expected.breaks == found.breaks


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


@pytest.mark.check
@given(documents())
def test_spacy_has_the_same_words_and_spans(document):
    """A Doc with a group of spans is the document; tokens of white space are no words."""
    spacy = pytest.importorskip("spacy")
    made = []
    for word in document.words:
        made += [word, "\n"]
    doc = spacy.tokens.Doc(spacy.blank("xx").vocab, words=made)
    doc.spans["all"] = [
        spacy.tokens.Span(doc, 2 * e.start, 2 * e.end - 1, e.label) for e in document.elements
    ]

    assert document == from_spacy(doc, group="all", id="d")


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
