"""`sereval compare --campaign`: what the recognisers cost, and groups of documents."""

import json
import re

import pytest
from cli_files import put
from paths import DATA, ROOT

CAMPAIGN = ROOT / "docs" / "examples" / "campaign.toml"
GROUPS = ROOT / "docs" / "examples" / "groups.tsv"
FEW = ["--resamples", "30"]
IDENTICAL = re.compile("sereval: the hypothesis ref is byte for byte the reference ref\n")
"""What is said of the system that is the reference."""

SAID = "mister <pers> Ada </pers> went to <loc> Dol </loc>\n"
ON_SAID = "mister <pers> Ada </pers> went to Dol\n"
HEARD = "mister <pers> Eda </pers> went to <loc> Dol </loc>\n"
FILE = """
reference = "ref"
[conditions.manual]
[conditions.first]
by = "text"
[conditions.second]
by = "text"
[systems.crf]
manual = "hyp"
first = "heard"
second = "ref"
[systems.gaz]
manual = "ref"
second = "hyp"
[systems.new]
first = "heard"
"""


@pytest.fixture
def here(here):
    """Three documents, on which three systems were run; some lack some of the words."""
    for name in ("a", "b", "c"):
        put(f"ref/{name}.ne", SAID)
        put(f"hyp/{name}.ne", ON_SAID)
        put(f"heard/{name}.ne", HEARD if name == "a" else SAID)
    put("c.toml", FILE)
    put("g.tsv", "a\tnews\nb\ttalk\nb\tnews\n")
    return here


def as_json(run, *words):
    """The report of a command in JSON, without its provenance."""
    status, out, err = run(*words, "--format", "json")
    assert (0, "") == (status, IDENTICAL.sub("", err))
    report = json.loads(out)
    del report["provenance"]
    return report


def of(report, table, **names):
    """The rows of a table with these names, without them."""
    return [
        {name: cell for name, cell in row.items() if name not in names}
        for row in report[table]
        if all(row.get(name) == value for name, value in names.items())
    ]


def test_each_recogniser_has_its_cost(here, run):
    """Of each system that was run on manual words too: the figures of blame, and of words."""
    report = as_json(run, "compare --campaign c.toml", *FEW)
    found = report["blame_corners"]
    assert [("crf", "first"), ("crf", "second"), ("gaz", "second")] == [
        (one["system"], one["condition"]) for one in found
    ]
    first, second, gaz = found
    assert first["manual"] == 3
    assert [0, 3] == [second["recognised"], gaz["recognised"]]
    alone = as_json(run, "blame ref hyp heard --by text", *FEW)
    names = {"system": "crf", "condition": "first"}
    assert of(report, "blame_corners", **names) == [alone["corners"]]
    [words] = of(report, "blame_words", **names)
    assert words == alone["words"]
    assert {"S": 1, "D": 0, "I": 0, "reference": 15}.items() <= words.items()


def test_a_group_is_a_run_with_its_documents(here, run):
    """All figures of a group are those of `--documents` with its ids, signatures too."""
    for options in ("", "--scheme quaero-lne"):
        command = f"compare --campaign c.toml {options}"
        report = as_json(run, command, "--groups", "g.tsv", *FEW)
        tables = [name for name, rows in report.items() if isinstance(rows, list) and rows]
        tables = [name for name in tables if name not in ("groups", "identical", "notes")]
        whole = as_json(run, command, *FEW)
        assert all(of(report, name, group=None) == whole[name] for name in tables)
        for group in report["groups"]:
            ids = ",".join(group["documents"])
            own = as_json(run, command, "--documents", ids, *FEW)
            assert all(of(report, name, group=group["group"]) == own[name] for name in tables)


@pytest.mark.check
def test_the_bundled_campaign(run):
    """Nine recordings in two groups: the columns of the report in text."""
    status, out, _ = run("compare --campaign", CAMPAIGN, "--groups", GROUPS, *FEW)
    assert status == 0
    assert {path.stem for path in (DATA / "ref").iterdir()} == {
        line.split("\t")[0] for line in GROUPS.read_text("utf-8").splitlines()
    }
    assert "compromise  asr     55.9           44.0      11.9      0.0   23.2      20.1\n" in out
    assert out.count("What the recognisers cost") == 3
    assert " in no group" not in out
