"""Whatever is skipped, dropped, merged, made up or renamed is said: by every scheme, with the score
as text and in its JSON, with how many there were."""

import json
import unicodedata
from pathlib import Path

import pytest
from cli_files import put
from tables import tables

from sereval.cli import main
from sereval.schemes.table import SCHEMES

TABLES = tables(__file__)

TEXT = "Ada à Dol"
FILES = {
    **TABLES["files"],
    **{f"{name}.txt": TEXT for name in ("pieces", "crossing", "equal", "relations")},
    "composed.ne": unicodedata.normalize("NFD", TABLES["files"]["ref.ne"]),
}
SAID = TABLES["said"]


@pytest.fixture
def said(here, run):
    """What a score says under its table, and the notes of its JSON, as lines."""
    for name, text in FILES.items():
        put(name, text)

    def said(command):
        status, out, err = run(command)
        if status == 1 and "outermost or innermost" in err:
            command += " --elements outermost"
            status, out, err = run(command)
        assert status == 0, err
        notes = json.loads(run(f"{command} --format json")[1])["notes"]
        return out.splitlines(), notes

    return said


@pytest.mark.parametrize("kind", SAID)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_is_said(scheme, kind, said):
    """One line under the score, and one in JSON, say what was done and to how many."""
    hypothesis, expected = SAID[kind]
    for places in said(f"score ref.ne {hypothesis} --name d --scheme {scheme}"):
        lines = [line for line in places if line.startswith(f"Hypothesis: {expected}")]
        assert len(lines) == 1, places


@pytest.mark.parametrize(("name", "text"), TABLES["timed"].items())
def test_a_tier_that_is_asked_for_is_in_the_signature(name, text, here, run):
    """Times of another tier give another score, which does not look like the same one."""
    put(name, text)
    put("ref.ne", "<loc> à </loc> Dol\n")
    put("hyp.jsonl", '{"id":"d","words":["à","Dol"],"times":[[0,0.2],[0.2,1]],"elements":[]}')
    command = f"score ref.ne hyp.jsonl --align {name} --tolerance 0 --name d --format json"
    for tier in ("words", "by hand"):
        assert main([*command.split(), "--tier", tier, "-o", "out.json"]) == 0
        report = json.loads(Path("out.json").read_text("utf-8"))
        assert f"|reference read:tier={tier}|" in report["signature"]
        assert "Reference: words of the tier that was asked for: 2." in report["notes"]
    assert "tier" not in json.loads(run(command)[1])["signature"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tags_out_of_place_are_said(scheme, said):
    """Tags that their scheme does not allow are counted, with the places of the first."""
    command = f"score ref.ne tags.iob --name d --scheme {scheme} --read tags=iob2"
    for places in said(command):
        [line] = [line for line in places if "allow where they stand" in line]
        assert ": 2, the first" in line or ": 2." in line, line
