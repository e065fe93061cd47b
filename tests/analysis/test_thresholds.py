"""A sweep of thresholds has at each of them the counts of the elements that are kept."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import in_ms, scorings

from sereval import evaluate
from sereval.analysis.points import Confidences
from sereval.analysis.sweep import thresholds_of
from sereval.documents.model import tree
from sereval.evaluation.evaluate import corpus_of, settings_from


def sure(document, confidences):
    """The document with these confidences, over and over."""
    elements = enumerate(document.elements)
    every = (replace(e, confidence=confidences[k % len(confidences)]) for k, e in elements)
    return replace(document, elements=tuple(every))


def kept(document, least):
    """The document with the elements of a confidence; what lies in another one still does."""
    elements = (e for e in document.elements if e.confidence >= least)
    return replace(document, elements=tree((e.label, e.start, e.end) for e in elements))


@pytest.mark.check
@settings(max_examples=80)
@given(
    scorings(),
    st.lists(st.sampled_from([0, 0.3, 0.35, 0.9, 1]), min_size=1, max_size=6),
    st.sets(st.sampled_from("ab")),
    st.sampled_from(["quaero", "quaero-lne"]),
)
def test_each_threshold_has_the_score_of_what_is_kept(scoring, confidences, neutral, scheme):
    """Also with trees, fuzzy references, tolerances, costs, neutral labels, and LNE's search."""
    hyps = [sure(one, confidences) for one in scoring.hypotheses]
    how = {
        "tolerance": in_ms(scoring.tolerance),
        "unplaceable": scoring.unplaceable,
        "costs": scoring.costs,
        "pairing": scoring.pairing,
        "neutral": neutral,
        "scheme": scheme,
    }
    asked = settings_from(**how)
    corpus = corpus_of(scoring.references, hyps, asked)
    points = (0.0, 0.3, 0.5, 1.0)
    found = thresholds_of(corpus, Confidences(points, "…"), asked)
    for at, counts in zip(points, found.systems[""], strict=True):
        cut = [kept(one, at) for one in hyps]
        assert counts == evaluate(scoring.references, cut, **how).counts
    bins = found.bins[""]
    whole = evaluate(scoring.references, hyps, **how).counts
    assert (whole.hyp, whole.exact) == tuple(map(sum, list(zip(*bins, strict=True))[:2]))
