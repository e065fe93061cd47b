"""Strata of a score."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import in_ms, scorings

from sereval import evaluate
from sereval.analysis.strata import PROPERTIES, strata
from sereval.measures import Counts


@pytest.mark.check
@settings(max_examples=60)
@given(scorings(), st.sets(st.sampled_from("ab")))
def test_strata_add_up(scoring, neutral):
    """Those of each property have the sum of the score; those by label are its labels."""
    score = evaluate(
        scoring.references,
        scoring.hypotheses,
        tolerance=in_ms(scoring.tolerance),
        unplaceable=scoring.unplaceable,
        costs=scoring.costs,
        pairing=scoring.pairing,
        neutral=neutral,
    )
    by_label = {"label": lambda _: lambda row: row.label}
    found = strata(score, {**PROPERTIES, **by_label}).counts
    assert found["label"] == score.labels
    assert all(Counts.sum(own.values()) == score.counts for own in found.values())
