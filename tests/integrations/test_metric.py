"""The metric of a training loop, and the scorer of spaCy."""

import importlib.metadata
import tomllib
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT
from strategies import same_words

import sereval
from sereval import (
    Document,
    SerevalError,
    tree,
)
from sereval.documents.model import uncrossed
from sereval.integrations.metric import Metric, numbers, spacy_scorer


def spacy():
    """The package, which is slow to import."""
    return pytest.importorskip("spacy")


def example(predicted, gold):
    """What a system found in a text, beside what is right: a dictionary or a ``Doc``."""
    made = pytest.importorskip("spacy.training").Example
    return made.from_dict(predicted, gold) if isinstance(gold, dict) else made(predicted, gold)


# --- in the loop ---------------------------------------------------------------------------------


@pytest.mark.check
@given(st.lists(same_words(), min_size=1, max_size=4), st.integers(0, 4))
def test_metric_is_evaluate(pairs, cut):
    """Added in batches of any size or one by one, pairs score as evaluate scores them all."""
    references = [Document(str(k), a.words, a.elements) for k, (a, _) in enumerate(pairs)]
    hypotheses = [Document(str(k), b.words, b.elements) for k, (_, b) in enumerate(pairs)]
    evaluation = sereval.evaluate(references, hypotheses)
    metric = Metric()
    metric.add_batch(predictions=hypotheses[:cut], references=references[:cut])
    for reference, hypothesis in zip(references[cut:], hypotheses[cut:], strict=True):
        metric.add(prediction=hypothesis, reference=reference)

    found = metric.compute()

    assert numbers(evaluation) == found
    assert evaluation == metric.evaluation


def test_metric_adds_a_batch_or_nothing():
    """A batch with anything wrong in it leaves no part of itself behind."""
    metric = Metric()
    for predictions, references, message in [
        ([["O"], ["O"]], [["O"]], "argument references: found 1 documents, expected 2"),
        ([["O"], 7], [["O"], ["O"]], "1: found 7, expected a Document, tags"),
        ([{"words": []}], [["O"]], "0: found {'words': .*}, expected"),
    ]:
        with pytest.raises(SerevalError, match=message):
            metric.add_batch(predictions=predictions, references=references)
    with pytest.raises(SerevalError, match="nothing was added"):
        metric.compute()


@pytest.mark.check
def test_metric_takes_every_shape_of_a_document():
    """Whatever a loop has in hand, the same annotation scores the same."""
    doc = spacy().blank("en")("la ville de Paris")
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


# --- spaCy's scorer ------------------------------------------------------------------------------


def entry_point():
    """The scorer as pyproject.toml registers it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        [(name, value)] = tomllib.load(file)["project"]["entry-points"]["spacy_scorers"].items()
    return importlib.metadata.EntryPoint(name, value, "spacy_scorers")


def test_scorer_in_a_pipeline_of_spacy():
    """A component that names the scorer in its configuration is scored by it."""
    point = entry_point()
    spacy().registry.scorers.register(point.name, func=point.load())
    nlp = spacy().blank("en")
    ruler = nlp.add_pipe("entity_ruler", config={"scorer": {"@scorers": point.name}})
    ruler.add_patterns([{"label": "PER", "pattern": "Putin"}, {"label": "LOC", "pattern": "Dol"}])
    gold = {"entities": [(0, 14, "PER"), (19, 24, "PER")]}

    found = nlp.evaluate([example(nlp.make_doc("Jacques Chirac met Putin"), gold)])

    assert ("sereval.ser_scorer.v1", 0.5, -0.5) == (point.name, found["ser"], found["neg_ser"])
    assert (1.0, 0.5, 2 / 3) == (found["ser_p"], found["ser_r"], found["ser_f"])
    assert found["ser_per_type"]["PER"]["D"] == 1


@cache
def vocabulary():
    """That of all texts."""
    return spacy().blank("xx").vocab


def marked(spans, words="abcdefgh"):
    """A ``Doc`` with a group of spans: ``(label, start, end)`` each."""
    doc = spacy().tokens.Doc(vocabulary(), words=list(words))
    doc.spans["sc"] = [spacy().tokens.Span(doc, start, end, label) for label, start, end in spans]
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
    examples = [example(marked(sorted(found)), marked(gold))]
    theirs = spacy().pipeline.spancat.spancat_score(examples, spans_key="sc")
    ours = spacy_scorer("sc")(examples)

    for key in ("spans_sc_p", "spans_sc_r", "spans_sc_f"):
        assert (theirs[key] or 0.0) == pytest.approx(ours[key] or 0.0)


def test_scorer_counts_what_crosses_as_insertions():
    """Of predicted spans that cross, the right one is kept, and the other inserted."""
    [gold, found] = marked([("X", 1, 3)]), marked([("X", 0, 2), ("X", 1, 3), ("Y", 2, 4)])

    scores = spacy_scorer("sc")([example(found, gold)])

    assert (2.0, 1 / 3, 1.0) == (scores["ser"], scores["ser_p"], scores["ser_r"])
    assert (1, 2) == tuple(
        sum(row[what] for row in scores["ser_per_type"].values()) for what in ("C", "I")
    )


@pytest.mark.check
def test_a_training_begins_with_a_categorizer_that_knows_nothing():
    """What a span categorizer finds before it has learnt, which crosses, is scored all the same."""
    point = entry_point()
    spacy().registry.scorers.register(point.name, func=point.load())
    nlp = spacy().blank("en")
    scorer = {"@scorers": point.name, "name": "spans"}
    nlp.add_pipe("spancat", config={"scorer": scorer, "threshold": 0.0})
    words = [f"w{k}" for k in range(8)]
    gold = spacy().tokens.Doc(nlp.vocab, words=words)
    gold.spans["sc"] = [
        spacy().tokens.Span(gold, start, end, label)
        for label, start, end in [("L0", 0, 2), ("L2", 2, 5), ("L5", 7, 8)]
    ]
    examples = [example(nlp.make_doc(" ".join(words)), gold)]
    nlp.initialize(lambda: examples)

    scores = nlp.evaluate(examples)

    every = 3 * (8 + 7 + 6)  # labels, and spans of one, two and three words
    assert every == sum(row["Hyp"] for row in scores["spans_per_type"].values())
    assert scores["spans"] == (every - 3) / 3 == -scores["neg_spans"]
    assert (3 / every, 1.0) == (scores["spans_sc_p"], scores["spans_sc_r"])


def test_scorer_takes_the_group_of_its_component_and_the_options_of_a_score():
    """A span categorizer says which group it fills; costs, labels and names are options."""
    examples = [example(marked([("X.a", 0, 1)]), marked([("X.b", 0, 1), ("Z", 2, 3)]))]

    assert spacy_scorer()(examples, spans_key="sc")["ser"] == 0.75
    scores = spacy_scorer("sc", name="mine", level=1, costs="D=2", neutral=["Y"])(examples)
    assert (1.0, -1.0, 0) == (scores["mine"], scores["neg_mine"], scores["mine_unsettled"])
    assert spacy_scorer("sc", neutral=["Z"])(examples)["ser"] == 0.25
    assert spacy_scorer("sc", grammar="quaero", only=["Z"])(examples)["ser"] == 1.0


def test_scorer_goes_on_where_the_search_does_not():
    """A sentence that is full of spans is scored by its exact matches, and counted."""
    every = [(label, k, k + n) for label in "XYZ" for n in (1, 2) for k in range(0, 8, n)]
    gold = [("X", 0, 1), ("Y", 0, 4), ("Z", 3, 4)]
    examples = [example(marked(every), marked(gold))]

    exactly, nearly = spacy_scorer("sc")(examples), spacy_scorer("sc", max_states=1)(examples)

    assert (0, 1) == (exactly["ser_unsettled"], nearly["ser_unsettled"])
    assert exactly["ser"] <= nearly["ser"]
    assert exactly["spans_sc_f"] == nearly["spans_sc_f"]
