"""`sereval score --reference`: one hypothesis against several references."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DATA

import sereval

REF, GAZETTEER, COMPROMISE = (
    str(DATA / path) for path in ("ref", "hyp/gazetteer/manual", "hyp/compromise/manual")
)
TAGS = st.lists(st.sampled_from(["O", "B-A", "B-B"]), min_size=3, max_size=3)
SENTENCES = st.lists(st.tuples(TAGS, TAGS, TAGS), min_size=1, max_size=4)


@settings(max_examples=40)
@given(SENTENCES)
def test_each_reference_is_scored_by_itself(sentences):
    """Rates are those of single scores; the mean is theirs, and the best cost is the least."""
    ann, bob, found = (list(side) for side in zip(*sentences, strict=True))
    several = sereval.references({"ann": ann, "bob": bob}, found)
    alone = {"ann": sereval.score(ann, found), "bob": sereval.score(bob, found)}
    rates = [score.ser for score in alone.values()]
    assert [None if one is None else float(one) for one in several.rates.values()] == rates
    if None not in rates:
        assert float(several.mean) == pytest.approx(sum(rates) / 2)
    for id, errors in several.documents.items():
        best = errors[several.chosen[id]]
        others = [one for one in errors.values() if one.size == best.size]
        assert all(best.total <= one.total for one in others)
    assert several.best.total == sum(
        errors[several.chosen[id]].total for id, errors in several.documents.items()
    )


@given(SENTENCES)
def test_equal_references_change_nothing(sentences):
    """Against two equal references mean, best and either rate are the same."""
    ann, _, found = (list(side) for side in zip(*sentences, strict=True))
    several = sereval.references({"one": ann, "two": ann}, found)
    assert {several.mean, several.best_rate, *several.rates.values()} == {several.best_rate}
    assert set(several.chosen.values()) == {"one"}


@pytest.mark.parametrize("scheme", ["quaero", "muc"])
def test_the_command_and_the_function(scheme, run):
    """The report of the command is that of the function, and `verify` makes it again."""
    options = ["--scheme", scheme, "--format", "json"]
    status, out, err = run("score", REF, GAZETTEER, "--reference", COMPROMISE, *options)
    assert (status, err) == (0, "")
    report = json.loads(out)
    del report["provenance"]
    found = sereval.references({"ref": REF, "manual": COMPROMISE}, GAZETTEER, scheme=scheme)
    assert json.loads(found.to_json()) == report
    assert len(found.to_frame()) == 2 * 9
