"""`sereval blame`: its report in each format, campaigns, and input that is refused."""

import csv
import io
import json
from fractions import Fraction

import pytest
from paths import DATA, ROOT

GAZETTEER = [DATA / "ref", DATA / "hyp/gazetteer/manual", DATA / "hyp/gazetteer/asr"]
TIMES = ["--align", DATA / "align", "--words", DATA / "asr", "--tolerance", "0.3"]
FEW = ["--resamples", "20"]
CAMPAIGN = ROOT / "docs" / "examples" / "campaign.toml"


@pytest.mark.check
def test_the_csv_has_every_case(run):
    """A row for each element and insertion; the costs of either words add up to the corner's."""
    _, out, _ = run("blame", *GAZETTEER, *TIMES, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [1051, 16, 30] == [
        sum(row["side"] == side for row in rows) for side in ("reference", "manual", "recognised")
    ]
    assert Fraction("300.5") == sum(Fraction(row["manual_cost"]) for row in rows)
    assert Fraction("431.5") == sum(Fraction(row["recognised_cost"]) for row in rows)
    assert sum(row["group"] == "lost" for row in rows) == 125


@pytest.mark.check
def test_a_campaign_has_a_row_for_each_system(run):
    """Each system on each recogniser's words: the figures of a run of its own."""
    status, out, _ = run("blame", "--campaign", CAMPAIGN, *FEW)
    assert status == 0
    rows = [line.split() for line in out.splitlines() if line.startswith("compromise ")]
    assert rows[0] == ["compromise", "asr", "55.9", "44.0", "11.9", "0.0", "23.2", "20.1"]
    assert (rows[1][:4], rows[1][-3:]) == (
        ["compromise", "asr", "50.0", "6.0"],
        ["141", "12", "75.7"],
    )
    assert "gazetteer/manual: 9 documents" in out
    assert "compromise/asr: 9 documents" in out
    _, alone, _ = run("blame", *GAZETTEER, *TIMES, *FEW, "--format", "json")
    _, both, _ = run("blame", "--campaign", CAMPAIGN, *FEW, "--format", "json")
    [found] = [one for one in json.loads(both)["corners"] if one["system"] == "gazetteer"]
    assert found == {"system": "gazetteer", "condition": "asr", **json.loads(alone)["corners"]}
    _, cases, _ = run("blame", "--campaign", CAMPAIGN, "--format", "csv")
    systems = [row["system"] for row in csv.DictReader(io.StringIO(cases))]
    assert systems == sorted(systems)
    assert {*systems} == {"compromise", "gazetteer"}
