"""`sereval score --reference`: one hypothesis against several references."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DATA

import sereval
from sereval import SerevalError

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


def test_a_document_without_elements():
    """No errors is the best share, also where a reference has no element."""
    several = sereval.references({"a": [["O"]], "b": [["B-A"]]}, [["O"]])
    assert several.chosen == {"0": "a"}
    several = sereval.references({"a": [["O"]], "b": [["B-A"]]}, [["B-B"]])
    assert several.chosen == {"0": "b"}


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


def test_text_and_csv(files, run):
    """The text has a row for each reference, mean and best; the CSV a row for each document."""
    status, out, err = run("score ref heard --reference hyp --by text")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:5]] == ["ref", "hyp", "mean", "best"]
    _, out, _ = run("score ref heard --reference hyp --by text --format csv")
    assert out.splitlines()[0] == "document,reference,value,errors,size,best"
    assert len(out.splitlines()) == 1 + 2
    _, out, _ = run("score ref heard --reference hyp --by text --format csv --table references")
    assert [line.split(",")[0] for line in out.splitlines()] == ["reference", "ref", "hyp"]


def test_what_is_refused(files, run):
    """One reference, other documents, and what has no effect are refused."""
    gold = [["B-A"]]
    with pytest.raises(SerevalError, match="found one reference, expected two or more"):
        sereval.references({"a": gold}, gold)
    one, two = ([sereval.from_tags(None, ["B-A"], id=id) for id in ids] for ids in ("a", "ab"))
    with pytest.raises(SerevalError, match="b is only in y, expected it in all"):
        sereval.References({"x": sereval.score(one, one), "y": sereval.score(two, two)})
    with pytest.raises(SerevalError, match="found 'conll', expected one of quaero"):
        sereval.references({"a": gold, "b": gold}, gold, scheme="conll")
    for option in ("--measure F1", "--confidence 0.9"):
        status, _, err = run(f"score ref hyp --reference hyp {option}")
        assert status == 2
        assert "has no effect with --reference, expected one of them" in err


def test_a_scheme_of_tags_has_no_best(files, run):
    """Schemes that do not classify elements are refused."""
    status, _, err = run("score ref hyp --reference hyp --scheme slurp")
    assert status == 2
    assert "expected them without --scheme slurp" in err
