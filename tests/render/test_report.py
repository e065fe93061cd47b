"""Reports: JSON, CSV, data frames and schema come from the same tables."""

import csv
import io
import json
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.errors import SerevalError
from sereval.render.report import Report, Reported, filled, row, rows, schema

FORMS = {
    "labels": rows("label text", "count integer", "rate number s", "words texts", "more integer?"),
    "total": row("count integer", "isdone boolean"),
    "long": rows("label text")._replace(kind="detail"),
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
RATES = st.none() | st.fractions(0, 1)
ROWS = st.lists(st.tuples(TEXTS, st.integers(), RATES, st.lists(TEXTS), st.none() | st.just(3)))
TOTALS = st.lists(st.tuples(st.integers(), st.booleans()), max_size=1)


def report(labels=(), total=()):
    """A report with these rows."""
    tables = filled(FORMS, labels=labels, total=total, long=[("x",)])
    return Report("show", tables, lambda look: ["a", "b"], "S|x:1", ["a note"])


@pytest.mark.check
@given(ROWS, TOTALS)
def test_json_has_every_value(labels, total):
    """A table of one row is an object, any other a list; it has the schema that the forms make."""
    found = json.loads("".join(report(labels, total).json({"options": ["-x"]})))
    jsonschema.validate(found, schema("show", [FORMS]))
    assert [[*one.values()][:2] for one in found["labels"]] == [[*one[:2]] for one in labels]
    for one, values in zip(found["labels"], labels, strict=True):
        assert one["rate"] == (None if values[2] is None else float(values[2]))
        assert one.get("more") == values[4]
    expected = [{"count": count, "isdone": isdone} for count, isdone in total]
    assert found["total"] == (expected[0] if total else None)
    assert (found["signature"], found["notes"]) == ("S|x:1", ["a note"])
    assert found["provenance"] == {"options": ["-x"]}
    assert "long" not in found


@given(ROWS)
def test_csv_and_frame_have_the_rows_of_json(labels):
    """Under the same names; the first table unless another is named."""
    found = json.loads("".join(report(labels).json()))["labels"]
    text = "".join(report(labels).csv())
    read = [*csv.DictReader(io.StringIO(text, newline=""))]
    assert [one["label"] for one in read] == [one["label"] for one in found]
    assert [int(one["count"]) for one in read] == [one["count"] for one in found]
    frame = type("Found", (Reported,), {"report": lambda _: report(labels)})().to_frame()
    assert frame["words"].tolist() == [one["words"] for one in found]
    assert ("more" in frame) == ("more" in read[0] if read else False)
    assert [*report().csv("long")] == ["label\n", "x\n"]


def test_an_unknown_table_is_refused():
    """The message names the nearest, and all."""
    expected = "no table 'totl', the nearest known is total, expected one of labels, total, long"
    with pytest.raises(SerevalError, match=expected):
        report().csv("totl")


def test_other_values_are_no_report():
    """A schema refuses a key that the columns lack, and a column that the report lacks."""
    found = json.loads("".join(report([("a", 1, Fraction(1, 2), ["w"], None)]).json()))
    jsonschema.validate(found, schema("show", [FORMS]))
    [one] = found["labels"]
    for wrong in (one | {"new": 1}, {"label": "a"}, one | {"count": "1"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(found | {"labels": [wrong]}, schema("show", [FORMS]))


def test_a_result_shows_itself():
    """As text, in one line of at most 200 characters, in a notebook."""

    class Result(Reported):
        def report(self):
            rows = [(f"<{k}>", k, Fraction(1, 3), ["w"], None) for k in range(40)]
            return report(rows)._replace(signature="S" * 300)

    found = Result()
    assert str(found) == "a\nb"
    assert len(repr(found)) <= 200
    html = found._repr_html_()
    assert html.count("<tr>") == 1 + 30
    assert "&lt;0&gt;</td><td>0</td><td>0.3333</td><td>w</td>" in html
    assert "10 more rows" in html
