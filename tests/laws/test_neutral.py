"""Neutral labels: elements that cost nothing on either side, paired or not, and still count."""

import csv
import io
import json

import pytest
from cli_files import put


@pytest.fixture(autouse=True)
def _folder(here):
    put("ref/d.ne", "<noisy> a b </noisy> <loc> c </loc> d")
    put("hyp/d.ne", "a b <loc> c </loc> <bad> d </bad>")


def test_score(run):
    """`score --neutral`, once and twice; the reports say how many errors it was."""
    for options, cost, note in [
        ("", 2, None),
        ("--neutral noisy", 1, "1 error with a neutral label, at no cost."),
        ("--neutral noisy --neutral bad", 0, "2 errors with a neutral label, at no cost."),
    ]:
        status, out, err = run(f"score ref hyp {options} --format json")
        report = json.loads(out)
        assert (status, err, report["counts"]["cost"]) == (0, "", cost)
        assert sum(n or 0 for name, n in report["counts"].items() if "neutral" in name) == 2 - cost
        _, text, _ = run(f"score ref hyp {options}")
        assert (note in text.splitlines()) if note else "neutral" not in text


def test_audit(run):
    """`audit --neutral`: the rows of neutral slots cost 0, in all formats."""
    _, out, _ = run("audit ref hyp --neutral noisy --format csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, text, _ = run("audit ref hyp --neutral noisy")
    _, page, _ = run("audit ref hyp --neutral noisy --format html")

    assert [row["cost"] for row in rows] == ["0", "0", "0", "1"]
    assert "(cost 1 for 2 reference elements: 1 C, 0 S_S, 0 S_T, 0 S_ST, 1 D, 1 I)" in text
    assert "1 error with a neutral label, at no cost." in page
