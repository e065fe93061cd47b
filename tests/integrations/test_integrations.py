"""Lists, tags, offsets, spaCy and pandas; the metric, spaCy's scorer, the assert helpers."""

import csv
import importlib.metadata
import io
import json
import sys
import tomllib
from collections import Counter
from fractions import Fraction

import pandas
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT
from spacy.pipeline.spancat import spancat_score
from spacy.training import Example
from strategies import forests, same_words, same_words_scorings

import sereval
from sereval import (
    Document,
    SerevalError,
    from_frame,
    from_offsets,
    from_spacy,
    from_spans,
    from_tags,
    report,
    tree,
)
from sereval.documents.characters import document_of_text
from sereval.documents.crossing import uncrossed
from sereval.documents.tags import flat, iob2_of
from sereval.formats import inline
from sereval.formats.source import Source
from sereval.integrations.metric import Metric, numbers, spacy_scorer

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
    [(_, expected)] = inline.parse(Source("d.ne", "d", tagged))

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
    [
        ("Paris", [(0, 6, "loc")], r"d: loc \[0, 6\), expected a stretch of the 5 characters"),
        ("Paris", [(2, 2, "loc")], r"loc \[2, 2\), expected a stretch"),
        ("Paris", [(0.0, 2, "loc")], "loc stands at 0.0, expected whole characters"),
        ("a  b", [(1, 3, "loc")], "is white space, expected a word"),
        ("a b c", [(0, 3, "x"), (2, 5, "y")], r"elements x \[0, 2\) and y \[1, 3\) cross"),
        ("Paris", [{"start": 0, "end": 5, "entity": "B-LOC"}], "aggregation_strategy='simple'"),
        ("Paris", ["loc"], "expected start, end and label"),
    ],
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

    found = from_frame(words, elements)

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
        ({"document": ["d"], "word": ["a"], "start": [0.5], "end": [1]}, None, "integer ms"),
    ],
)
def test_frames_that_are_refused(words, elements, message):
    """A frame that lacks something is an error that says what."""
    with pytest.raises(SerevalError, match=message):
        from_frame(
            pandas.DataFrame(words), None if elements is None else pandas.DataFrame(elements)
        )


@given(same_words_scorings())
def test_frame_of_an_evaluation_has_the_rows_of_its_csv(scoring):
    """The frame and the CSV of an evaluation hold the same figures."""
    evaluation = scoring.run()
    written = list(csv.DictReader(io.StringIO(report.RENDERERS["csv"](evaluation))))

    found = evaluation.to_frame()

    assert ["document", "label", "class", "count", "cost"] == list(found.columns)
    assert [
        (row["document"], row["label"], row["class"], int(row["count"]), float(row["cost"]))
        for row in written
    ] == list(found.itertuples(index=False, name=None))


def test_an_evaluation_shows_itself():
    """Its JSON is the command's report, and a notebook shows its table."""
    evaluation = sereval.evaluate([CITY], [HALF])
    assert report.RENDERERS["json"](evaluation) == evaluation.to_json()
    assert "<table" in evaluation._repr_html_()


def test_an_evaluation_is_one_line():
    """What is shown of an evaluation is its rate and its signature, not all that it holds."""
    evaluation = sereval.evaluate([CITY], [HALF])
    expected = f"<Evaluation: ser={evaluation.ser}, documents=1, {evaluation.signature}>"
    assert expected == repr(evaluation)


def test_without_pandas_the_message_says_what_to_install(monkeypatch):
    """Where pandas is not installed, one line says how it would be."""
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(SerevalError, match=r"pip install 'sereval\[pandas\]'"):
        sereval.evaluate([CITY], [HALF]).to_frame()


# --- in the loop ---------------------------------------------------------------------------------


@pytest.mark.check
@given(st.lists(same_words(), min_size=1, max_size=4), st.integers(0, 4))
def test_metric_is_evaluate(pairs, cut):
    """Added in batches of any size or one by one, pairs score as evaluate scores them all."""
    references = [Document(str(k), a.words, a.elements) for k, (a, _) in enumerate(pairs)]
    hypotheses = [Document(str(k), b.words, b.elements) for k, (_, b) in enumerate(pairs)]
    evaluation = sereval.evaluate(references, hypotheses)
    costs = evaluation.settings.costs
    metric = Metric()
    metric.add_batch(predictions=hypotheses[:cut], references=references[:cut])
    for reference, hypothesis in zip(references[cut:], hypotheses[cut:], strict=True):
        metric.add(prediction=hypothesis, reference=reference)

    found = metric.compute()

    assert {label: numbers(c, costs) for label, c in evaluation.labels.items()} == found["labels"]
    assert {**numbers(evaluation.counts, costs), "labels": found["labels"]} == found
    assert evaluation == metric.evaluation


def test_metric_forgets_what_it_computed():
    """A second computation knows nothing of the first."""
    metric = Metric()

    first = metric.compute(predictions=[["B-X"]], references=[["O"]])

    assert (None, 1) == (first["ser"], first["I"])
    assert metric.compute(predictions=[["B-X"]], references=[["B-X"]])["ser"] == 0
    with pytest.raises(SerevalError, match="nothing was added"):
        metric.compute()


def test_metric_adds_a_batch_or_nothing():
    """A batch with anything wrong in it leaves no part of itself behind."""
    metric = Metric()
    for predictions, references, message in [
        ([["O"], ["O"]], [["O"]], "2 predictions for 1 references"),
        ([["O"], 7], [["O"], ["O"]], "1: found int, expected a Document, tags"),
        ([{"words": []}], [["O"]], "0: found dict, expected"),
    ]:
        with pytest.raises(SerevalError, match=message):
            metric.add_batch(predictions=predictions, references=references)
    with pytest.raises(SerevalError, match="nothing was added"):
        metric.compute()


@pytest.mark.check
def test_metric_takes_every_shape_of_a_document():
    """Whatever a loop has in hand, the same annotation scores the same."""
    doc = spacy.blank("fr")("la ville de Paris")
    doc.ents = [doc.char_span(12, 17, "loc")]
    shapes = [
        Document("x", ("la", "ville", "de", "Paris"), tree([("loc", 3, 4)])),
        (["la", "ville", "de", "Paris"], [("loc", 3, 4)]),
        {"words": ["la", "ville", "de", "Paris"], "spans": [("loc", 3, 4)]},
        {"words": ["la", "ville", "de", "Paris"], "tags": ["O", "O", "O", "B-loc"]},
        {"text": "la ville de Paris", "entities": [{"start": 12, "end": 17, "label": "loc"}]},
        doc,
    ]

    found = Metric().compute(
        predictions=[a for a in shapes for _ in shapes],
        references=[b for _ in shapes for b in shapes],
    )

    assert (len(shapes) ** 2, 0, 0) == (found["C"], found["cost"], found["ser"])


def test_metric_refuses_a_misspelt_setting_at_once():
    """A setting that evaluate does not know fails where it is given."""
    with pytest.raises(TypeError, match="tolerence"):
        Metric(tolerence=300)


def test_a_sentence_is_scored_in_some_hundred_calls():
    """From lists in memory to the rate, a sentence takes few steps, which are alike on any
    machine."""
    words = [
        "the",
        "president",
        "Jacques",
        "Chirac",
        "met",
        "Mister",
        "Putin",
        "in",
        "Moscow",
        "last",
        "week",
        "for",
        "talks",
    ]
    gold = [("pers", 1, 4), ("func", 1, 2), ("name", 2, 4), ("pers", 5, 7), ("loc", 8, 9)]
    found = [("pers", 2, 4), ("name", 2, 4), ("org", 6, 7), ("loc", 8, 9), ("date", 9, 11)]
    calls = Counter()

    def count(_frame, event, _argument):
        calls[event] += 1

    for _ in range(2):  # what is loaded late is there the second time
        calls.clear()
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            sereval.evaluate([from_spans(words, gold)], [from_spans(words, found)])
        finally:
            sys.setprofile(before)

    assert 100 < calls["call"] < 500


# --- spaCy's scorer ------------------------------------------------------------------------------


def entry_point():
    """The scorer as pyproject.toml registers it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        [(name, value)] = tomllib.load(file)["project"]["entry-points"]["spacy_scorers"].items()
    return importlib.metadata.EntryPoint(name, value, "spacy_scorers")


def test_scorer_in_a_pipeline_of_spacy():
    """A component that names the scorer in its configuration is scored by it."""
    point = entry_point()
    spacy.registry.scorers.register(point.name, func=point.load())
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler", config={"scorer": {"@scorers": point.name}})
    ruler.add_patterns([{"label": "PER", "pattern": "Putin"}, {"label": "LOC", "pattern": "Dol"}])
    gold = {"entities": [(0, 14, "PER"), (19, 24, "PER")]}

    found = nlp.evaluate([Example.from_dict(nlp.make_doc("Jacques Chirac met Putin"), gold)])

    assert ("sereval.ser_scorer.v1", 0.5, -0.5) == (point.name, found["ser"], found["neg_ser"])
    assert (1.0, 0.5, 2 / 3) == (found["ser_p"], found["ser_r"], found["ser_f"])
    assert found["ser_per_type"]["PER"]["D"] == 1


@pytest.mark.check
def test_scorer_takes_nested_groups_and_passes_over_what_is_not_annotated():
    """Spans of a group may be nested; an example without the group has no part in the score."""
    nlp = spacy.blank("fr")
    gold, bare = nlp("Jacques Chirac parle"), nlp("rien")
    gold.spans["sc"] = [gold[0:2], gold[0:1]]
    gold.spans["sc"] = [
        spacy.tokens.Span(gold, 0, 2, "pers.ind"),
        spacy.tokens.Span(gold, 0, 1, "name.first"),
    ]
    examples = [Example(nlp(gold.text), gold), Example(nlp(bare.text), bare)]

    assert (1.0, 2) == (
        spacy_scorer("sc")(examples)["ser"],
        sum(row["D"] for row in spacy_scorer("sc")(examples)["ser_per_type"].values()),
    )
    assert spacy_scorer("sc")(examples[1:])["ser"] is None


VOCAB = spacy.blank("xx").vocab


def marked(spans, words="abcdefgh"):
    """A ``Doc`` with a group of spans: ``(label, start, end)`` each."""
    doc = spacy.tokens.Doc(VOCAB, words=list(words))
    doc.spans["sc"] = [spacy.tokens.Span(doc, start, end, label) for label, start, end in spans]
    return doc


places = st.tuples(st.sampled_from("XY"), st.integers(0, 5), st.integers(1, 3)).map(
    lambda one: (one[0], one[1], one[1] + one[2])
)


@given(st.sets(places, max_size=5), st.sets(places, max_size=8))
def test_scorer_has_the_exact_matches_of_spacy(gold, found):
    """Whatever crosses what was found, precision, recall and F1 are what spaCy's own scorer has."""
    right = sorted(gold)
    gold = [right[k] for k in uncrossed([place[1:] for place in right])]
    examples = [Example(marked(sorted(found)), marked(gold))]
    theirs = spancat_score(examples, spans_key="sc")
    ours = spacy_scorer("sc")(examples)

    for key in ("spans_sc_p", "spans_sc_r", "spans_sc_f"):
        assert (theirs[key] or 0.0) == pytest.approx(ours[key] or 0.0)


def test_scorer_counts_what_crosses_as_insertions():
    """Of predicted spans that cross, the right one is kept, and the other inserted."""
    [gold, found] = marked([("X", 1, 3)]), marked([("X", 0, 2), ("X", 1, 3), ("Y", 2, 4)])

    scores = spacy_scorer("sc")([Example(found, gold)])

    assert (2.0, 1 / 3, 1.0) == (scores["ser"], scores["ser_p"], scores["ser_r"])
    assert (1, 2) == tuple(
        sum(row[what] for row in scores["ser_per_type"].values()) for what in ("C", "I")
    )


def test_scorer_goes_on_where_the_search_does_not():
    """A sentence that is full of spans is scored by its exact matches, and counted."""
    every = [(label, k, k + n) for label in "XYZ" for n in (1, 2) for k in range(0, 8, n)]
    gold = [("X", 0, 1), ("Y", 0, 4), ("Z", 3, 4)]
    examples = [Example(marked(every), marked(gold))]

    exactly, nearly = spacy_scorer("sc")(examples), spacy_scorer("sc", max_states=1)(examples)

    assert (0, 1) == (exactly["ser_unsettled"], nearly["ser_unsettled"])
    assert exactly["ser"] <= nearly["ser"]
    assert exactly["spans_sc_f"] == nearly["spans_sc_f"]


def test_a_training_begins_with_a_categorizer_that_knows_nothing():
    """What a span categorizer finds before it has learnt, which crosses, is scored all the same."""
    point = entry_point()
    spacy.registry.scorers.register(point.name, func=point.load())
    nlp = spacy.blank("en")
    scorer = {"@scorers": point.name, "name": "spans"}
    nlp.add_pipe("spancat", config={"scorer": scorer, "threshold": 0.0})
    words = [f"w{k}" for k in range(8)]
    gold = spacy.tokens.Doc(nlp.vocab, words=words)
    gold.spans["sc"] = [
        spacy.tokens.Span(gold, start, end, label)
        for label, start, end in [("L0", 0, 2), ("L2", 2, 5), ("L5", 7, 8)]
    ]
    examples = [Example(nlp.make_doc(" ".join(words)), gold)]
    nlp.initialize(lambda: examples)

    scores = nlp.evaluate(examples)

    every = 3 * (8 + 7 + 6)  # labels, and spans of one, two and three words
    assert every == sum(row["Hyp"] for row in scores["spans_per_type"].values())
    assert scores["spans"] == (every - 3) / 3 == -scores["neg_spans"]
    assert (3 / every, 1.0) == (scores["spans_sc_p"], scores["spans_sc_r"])


def test_scorer_takes_the_group_of_its_component_and_the_options_of_a_score():
    """A span categorizer says which group it fills; costs, labels and names are options."""
    examples = [Example(marked([("X.a", 0, 1)]), marked([("X.b", 0, 1), ("Z", 2, 3)]))]

    assert spacy_scorer()(examples, spans_key="sc")["ser"] == 0.75
    scores = spacy_scorer("sc", name="mine", level=1, costs="D=2", neutral=["Y"])(examples)
    assert (1.0, -1.0, 0) == (scores["mine"], scores["neg_mine"], scores["mine_unsettled"])
    assert spacy_scorer("sc", neutral=["Z"])(examples)["ser"] == 0.25
    assert spacy_scorer("sc", grammar="quaero", only=["Z"])(examples)["ser"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": "Q=1"}, "unknown cost 'Q'"),
        ({"pairing": "no"}, "found 'no', expected one of word"),
        ({"grammar": "no"}, "no grammar 'no'"),
        ({"only": ["types"]}, "only types, expected a grammar too"),
    ],
)
def test_scorer_refuses_at_once(options, message):
    """What is wrong in a configuration is said before anything is trained."""
    with pytest.raises(SerevalError, match=message):
        spacy_scorer(**options)


def test_scorer_wants_the_same_text_and_not_the_same_tokens():
    """The predicted Doc may have tokens of its own."""
    vocab = spacy.blank("en").vocab
    gold = spacy.tokens.Doc(vocab, words=["l'", "Elysée"], spaces=[False, False])
    gold.ents = [spacy.tokens.Span(gold, 1, 2, "LOC")]
    found = spacy.tokens.Doc(vocab, words=["l'Elysée"], spaces=[False])
    found.ents = [spacy.tokens.Span(found, 0, 1, "LOC")]

    assert spacy_scorer()([Example(found, gold)])["ser"] == 0.5


WRONG_SIDES = {
    "one document": (CITY, [CITY], "0: found one document, expected a list of them"),
    "another's": ([CITY], HALF, "0: found one document, expected a list of them"),
    "tags": ([["B-PER"]], [["O"]], "found list, expected a Document, as from_spans"),
}


@pytest.mark.parametrize("name", WRONG_SIDES)
def test_what_is_no_list_of_documents(name):
    """A first try in Python that goes wrong says what was expected."""
    references, hypotheses, message = WRONG_SIDES[name]
    with pytest.raises(SerevalError, match=message):
        sereval.evaluate(references, hypotheses)


@pytest.mark.parametrize(
    ("reference", "prediction", "message"),
    [
        (["B-PER"], ["B-PER", "O"], "0: 2 predicted tags for 1 of the reference"),
        ([1, 0], [1, 0], "0: the tags are numbers, expected their names"),
    ],
)
def test_tags_that_a_metric_does_not_take(reference, prediction, message):
    """Of tags alone there are as many on either side, and they are names."""
    with pytest.raises(SerevalError, match=message):
        Metric().add(prediction=prediction, reference=reference)


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
    stored.write_text(report.RENDERERS["json"](good), "utf-8")

    sereval.assert_ser_not_grown(good, stored)
    sereval.assert_ser_not_grown(bad, stored, by=0.5)
    sereval.assert_ser_not_grown(good, json.loads(report.RENDERERS["json"](bad)))
    with pytest.raises(AssertionError, match=r"SER 0\.5000, expected at most the stored 0\.0000"):
        sereval.assert_ser_not_grown(bad, stored)
    with pytest.raises(AssertionError, match="pairing:half.*expected those of the stored report"):
        sereval.assert_ser_not_grown(sereval.evaluate([CITY], [CITY], pairing="half"), stored)


def test_an_undefined_rate_passes_nothing(tmp_path):
    """Without a reference element there is nothing to be good at."""
    empty = from_spans(WORDS, id="0")

    with pytest.raises(AssertionError, match="undefined"):
        sereval.assert_ser_at_most(sereval.evaluate([empty], [empty]), 1)


@pytest.mark.parametrize(
    ("text", "message"), [("[]", "no JSON object"), ("{", "Expecting"), ("{}", "no signature")]
)
def test_a_report_that_is_none(tmp_path, text, message):
    """What is no report is an error of the user's, not a failed assertion."""
    stored = tmp_path / "report.json"
    stored.write_text(text, "utf-8")

    with pytest.raises(SerevalError, match=message):
        sereval.assert_ser_not_grown(sereval.evaluate([CITY], [CITY]), stored)
