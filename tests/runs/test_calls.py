"""The commands as functions of Python: the same figures, on paths, documents and plain lists."""

import json

import nervaluate
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DATA

import sereval
from sereval import SerevalError

REF, ASR, MANUAL, OTHER = (
    str(DATA / path)
    for path in ("ref", "hyp/gazetteer/asr", "hyp/gazetteer/manual", "hyp/compromise/asr")
)
TIMES = {"align": str(DATA / "align"), "words": str(DATA / "asr")}
FLAGS = ["--align", TIMES["align"], "--words", TIMES["words"]]

CALLS = {  # the function, its inputs and arguments, and the options of the command
    "score": (sereval.score, [REF, ASR], {"tolerance": "300ms", **TIMES}, "--tolerance 0.3"),
    "pair": (sereval.score, [REF, ASR], {"tolerance": (0.3, 0.5), **TIMES}, "--tolerance 0.3,0.5"),
    "text": (
        sereval.score,
        [REF, ASR],
        {"by": "text", "tolerance": "1w"},
        "--by text --tolerance 1w",
    ),
    "bound": (
        sereval.score,
        [REF, ASR],
        {"by": "text", "upper_bound": True},
        "--by text --upper-bound",
    ),
    "labels": (
        sereval.score,
        [REF, MANUAL],
        {"grammar": "quaero", "only": ["types"], "level": 1, "neutral": ["amount"]},
        "--grammar quaero --only types --level 1 --neutral amount",
    ),
    "costs": (
        sereval.score,
        [REF, MANUAL],
        {"costs": {"S_S": 0.25, "D": 2}, "pairing": "half"},
        "--costs S_S=0.25,D=2 --pairing half",
    ),
    "mitre": (
        sereval.score,
        [REF, ASR],
        {"scheme": "mitre", "extent_tolerance": 2},
        "--scheme mitre --extent-tolerance 2",
    ),
    "documents": (
        sereval.score,
        [REF, ASR],
        {"documents": ["panama", "librivox"], "tolerance": 0.3, **TIMES},
        "--documents librivox,panama --tolerance 0.3",
    ),
    "measured documents": (
        sereval.score,
        [REF, ASR],
        {"measure": "SER@0.3,WER", "documents": "panama", **TIMES},
        "--measure SER@0.3,WER --documents panama",
    ),
    "conll": (
        sereval.score,
        [REF, MANUAL],
        {"scheme": "conll", "elements": "outermost"},
        "--scheme conll --elements outermost",
    ),
    "measures": (
        sereval.score,
        [REF, ASR],
        {"measure": "SER@0.3,F1@0.3,WER", **TIMES},
        "--measure SER@0.3,F1@0.3,WER",
    ),
    "compare": (
        sereval.compare,
        [REF, ASR, OTHER],
        {"tolerance": 0.3, "resamples": 50, **TIMES},
        "--tolerance 0.3 --resamples 50",
    ),
    "words compared": (
        sereval.compare,
        [REF, ASR, OTHER],
        {"measure": "WER", "resamples": 50},
        "--measure WER --resamples 50",
    ),
    "nerval": (
        sereval.score,
        [REF, ASR],
        {"scheme": "nerval", "threshold": 0.2},
        "--scheme nerval --threshold 0.2",
    ),
    "sweep": (
        sereval.sweep,
        [REF, ASR, OTHER],
        {"tolerance": [0, 0.1, "300ms"], **TIMES},
        "--tolerance 0,0.1,0.3",
    ),
    "blame": (sereval.blame, [REF, MANUAL, ASR], {"tolerance": 0.3, **TIMES}, "--tolerance 0.3"),
}


def without_provenance(text):
    """A report in JSON as a function returns it."""
    report = json.loads(text)
    del report["provenance"]
    return report


@pytest.mark.check
@pytest.mark.parametrize("name", CALLS)
def test_a_function_gives_the_report_of_its_command(name, run):
    """The JSON of a function is that of the command, byte for byte but for the provenance."""
    function, inputs, arguments, options = CALLS[name]
    flags = FLAGS if "align" in arguments else []
    command = f"{function.__name__} {options} --format json"
    status, out, err = run(command, *inputs, *flags)
    assert (status, err) == (0, "")
    assert without_provenance(out) == json.loads(function(*inputs, **arguments).to_json())


@pytest.mark.check
@pytest.mark.parametrize("name", CALLS)
def test_documents_give_what_their_paths_give(name):
    """Whether documents are in files or in memory makes no difference."""
    function, inputs, arguments, _ = CALLS[name]
    read = [sereval.read(path) for path in inputs]
    times = {side: sereval.read(arguments[side]) for side in TIMES if side in arguments}
    named = dict(zip(("asr", "other"), read[1:], strict=False))
    if function in (sereval.compare, sereval.sweep):
        paths = dict(zip(named, inputs[1:], strict=True))
        assert (
            function(inputs[0], paths, **arguments).to_json()
            == function(read[0], named, **{**arguments, **times}).to_json()
        )
    else:
        expected = function(*inputs, **arguments).to_json()
        assert expected == function(*read, **{**arguments, **times}).to_json()


# --- plain lists ---------------------------------------------------------------------------------

SENTENCES = st.lists(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(
            *[st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B"]), min_size=n, max_size=n)] * 2
        )
    ),
    min_size=1,
    max_size=4,
)


def spans_of(tags):
    return [(e.label, e.start, e.end) for e in sereval.from_tags(None, tags).elements]


def objects_of(tags):
    """The spans as nervaluate has them: the end is the last word."""
    return [{"label": label, "start": a, "end": b - 1} for label, a, b in spans_of(tags)]


@settings(max_examples=40)
@given(SENTENCES)
def test_tags_spans_and_objects_count_alike(sentences):
    """One annotation in each form of plain lists has the same counts."""
    gold, found = ([pair[k] for pair in sentences] for k in (0, 1))
    expected = sereval.score(gold, found).counts
    for form in (spans_of, objects_of):
        assert expected == sereval.score(list(map(form, gold)), list(map(form, found))).counts


@pytest.mark.check
def test_tags_count_as_in_seqeval():
    """Exact matches of tags are those of seqeval."""
    metrics = pytest.importorskip("seqeval.metrics")
    gold = [["B-A", "I-A", "O", "B-B"], ["O", "B-A"]]
    found = [["B-A", "I-A", "O", "B-A"], ["B-B", "B-A"]]
    counts = sereval.score(gold, found).counts
    assert counts.f1 == pytest.approx(metrics.f1_score(gold, found))


@pytest.mark.check
def test_objects_count_as_in_nervaluate():
    """The last word of an object is part of it, as in nervaluate."""
    gold = [[{"label": "A", "start": 0, "end": 1}, {"label": "B", "start": 3, "end": 3}]]
    found = [[{"label": "A", "start": 1, "end": 1}, {"label": "B", "start": 3, "end": 3}]]
    result = nervaluate.Evaluator(gold, found, tags=["A", "B"]).evaluate()["overall"]["partial"]
    counts = sereval.score(gold, found).counts
    assert (counts.C, counts.S_S) == (result.correct, result.partial)


@pytest.mark.check
def test_lists_count_as_in_the_metric_of_hugging_face():
    """A metric of `evaluate` that calls `Metric` gives what `score` gives."""
    evaluate = pytest.importorskip("evaluate")
    gold, found = [["B-A", "O"], ["B-B"]], [["B-A", "B-B"], ["O"]]

    class Ser(evaluate.Metric):
        def _info(self):
            import datasets

            tags = datasets.Sequence(datasets.Value("string"))
            features = datasets.Features({"predictions": tags, "references": tags})
            return evaluate.MetricInfo(description="", citation="", features=features)

        def _compute(self, predictions, references):
            return sereval.Metric().compute(predictions=predictions, references=references)

    result = Ser().compute(predictions=found, references=gold)
    assert result["ser"] == sereval.score(gold, found).ser


# --- arguments -----------------------------------------------------------------------------------


def test_inputs_that_are_no_documents():
    """Each side is a path, documents, or lists of one length."""
    for bad, message in (
        (["O", "B-A"], "argument hypothesis: found a list of texts"),
        (3, "argument hypothesis: found 3, expected a path"),
        ("", "argument hypothesis: found an empty path"),
        ([["O"], ["O"]], "argument reference: found 1 documents, expected 2"),
    ):
        with pytest.raises(SerevalError, match=message):
            sereval.score([["O"]], bad)
    with pytest.raises(TypeError, match="has no argument 'tolerence', the nearest known is tol"):
        sereval.score([["O"]], [["O"]], tolerence=1)
    with pytest.raises(SerevalError, match="argument system: found none"):
        sereval.compare([["O"]], [["O"]], [["O"]])


# --- how results show themselves -----------------------------------------------------------------


def test_results_have_tables_and_html():
    """Every result has its tables as frames, and HTML without a script of the data."""
    gold, found = [["B-A", "O"], ["B-<i>"]], [["B-A", "B-B"], ["O"]]
    score = sereval.score(gold, found)
    comparison = sereval.compare(gold, {"one": found, "two": gold}, resamples=10)
    assert score.to_frame("labels")["ser"].tolist()[:2] == [1.0, 0.0]
    assert len(score.to_frame("documents")) == 2
    assert comparison.to_frame("differences")["value"].tolist() == [1.0]
    assert comparison.to_frame("documents")["value"].tolist() == [1.0, 1.0, 0.0, 0.0]
    results = [
        score,
        comparison,
        sereval.audit(gold, found),
        sereval.score(gold, found, scheme="muc"),
    ]
    for result in results:
        assert "<table" in result._repr_html_()
        assert "<i>" not in result._repr_html_()
    with pytest.raises(SerevalError, match="no table 'word'"):
        comparison.to_frame("word")


WRONG = {
    "whole number": ({"tolerance": 300}, "argument tolerance: found 300, expected seconds"),
    "no duration": ({"tolerance": "x"}, "argument tolerance: found 'x', expected a duration"),
    "choice": ({"pairing": "best"}, "argument pairing: found 'best', expected one of word"),
    "list": ({"pairing": ["half"]}, "argument pairing: found ['half'], expected one of word"),
    "another's": ({"by": sereval.Costs()}, "argument by: found Costs(S_S=1"),
    "scheme": ({"scheme": "conl"}, "argument scheme: found 'conl', expected one of quaero"),
    "least": ({"level": 0}, "argument level: found 0, expected a whole number of 1 or more"),
    "flag": ({"upper_bound": "yes"}, "argument upper_bound: found 'yes', expected True or False"),
    "no effect": (
        {"scheme": "muc", "costs": "D=2"},
        "--costs has no effect with --scheme muc, expected it with quaero",
    ),
    "owner": ({"weights": "unit"}, "--weights goes with --by text"),
    "words": ({"tolerance": "1w"}, "a tolerance in words goes with --by text or --by phones"),
    "label": ({"only": "lok"}, "lok"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_speak_of_arguments(name):
    """A refused value is named as an argument; what options mean together, as options."""
    arguments, message = WRONG[name]
    with pytest.raises(SerevalError) as caught:
        sereval.score([["B-loc"]], [["B-loc"]], **arguments)
    assert message in str(caught.value)
