"""The metric of a training loop, and the scorer of spaCy."""

import importlib.metadata
import sys
import tomllib
from collections import Counter

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT
from spacy.pipeline.spancat import spancat_score
from spacy.training import Example
from strategies import same_words

import sereval
from sereval import (
    Document,
    SerevalError,
    from_spans,
    tree,
)
from sereval.documents.checks import uncrossed
from sereval.integrations.metric import Metric, numbers, spacy_scorer

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
        ([["O"], 7], [["O"], ["O"]], "1: found 7, expected a Document, tags"),
        ([{"words": []}], [["O"]], "0: found an object with the keys words, expected"),
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
    sentence = "the president Jacques Chirac met Mister Putin in Moscow last week for talks"
    words = sentence.split()
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

    assert 100 < calls["call"] < 600


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


@pytest.mark.check
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


@pytest.mark.check
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
