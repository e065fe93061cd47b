"""`campaign`, `stability` and the interval of `score`: as their commands."""

import json

import pytest
from paths import DATA, ROOT

import sereval

FEW = "panama,titanic"  # two short recordings
REF, ASR, OTHER = (str(DATA / path) for path in ("ref", "hyp/gazetteer/asr", "hyp/compromise/asr"))
TIMES = {"align": str(DATA / "align"), "words": str(DATA / "asr")}
FLAGS = ["--align", TIMES["align"], "--words", TIMES["words"]]
CAMPAIGN, GROUPS = (ROOT / "docs" / "examples" / name for name in ("campaign.toml", "groups.tsv"))


def as_returned(text):
    """A report in JSON as a function returns it."""
    report = json.loads(text)
    del report["provenance"]
    return report


def test_systems_have_the_names_of_their_paths():
    """Each hypothesis is a system, named by the part of its path that differs."""
    found = sereval.compare(REF, ASR, OTHER, by="text", documents=FEW, resamples=10)
    assert [one.name for one in found.conditions[0].systems] == ["compromise", "gazetteer"]


@pytest.mark.check
def test_a_campaign_gives_the_report_of_its_command(run):
    """A campaign of a file, with groups, is that of the command."""
    options = ["--documents", FEW, "--groups", GROUPS, "--resamples", "50", "--format", "json"]
    status, out, _ = run("compare --campaign", CAMPAIGN, *options)
    found = sereval.campaign(CAMPAIGN, groups=GROUPS, documents=FEW, resamples=50)
    assert (status, as_returned(out)) == (0, json.loads(found.to_json()))
    assert list(found.to_frame("blame_corners").columns[:3]) == ["group", "system", "condition"]
    assert len(found.to_frame("systems")) == 2 * 4
    assert "<table" in found._repr_html_()


@pytest.mark.check
def test_a_campaign_of_documents_is_that_of_their_paths():
    """A campaign in a mapping, with documents or paths, is that of its file."""
    hyp = DATA / "hyp"
    paths = {
        name: {way: str(hyp / name / way) for way in ("manual", "asr")}
        for name in ("compromise", "gazetteer")
    }
    conditions = {"manual": {}, "asr": {"words": TIMES["words"], "tolerance": 0.3}}
    by_path = {
        "reference": REF,
        "align": TIMES["align"],
        "conditions": conditions,
        "systems": paths,
    }
    read = {
        name: {way: sereval.read(path) for way, path in row.items()} for name, row in paths.items()
    }
    in_memory = {
        "reference": sereval.read(REF),
        "align": sereval.read(TIMES["align"]),
        "conditions": {
            **conditions,
            "asr": {"words": sereval.read(TIMES["words"]), "tolerance": "300ms"},
        },
        "systems": read,
    }
    groups = {"clear": ["panama"]}
    ways = {"groups": groups, "resamples": 20, "documents": FEW}
    expected = sereval.campaign(CAMPAIGN, **ways).to_json()
    for given in (by_path, in_memory):
        assert sereval.campaign(given, **ways).to_json() == expected


@pytest.mark.check
def test_stability_gives_the_report_of_its_command(run):
    """The stability of systems is that of the command."""
    flags = [*FLAGS, "--documents", FEW, "--format", "json"]
    _, out, _ = run("compare --stability --tolerance 0.3", REF, ASR, OTHER, *flags)
    found = sereval.stability(REF, ASR, OTHER, tolerance=0.3, documents=FEW, **TIMES)
    assert as_returned(out) == json.loads(found.to_json())
    columns = ["condition", "tolerance", "pairing", "unplaceable"]
    assert found.to_frame().columns[:4].tolist() == columns
