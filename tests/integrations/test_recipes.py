"""Files of the forms that recipes of ESPnet, NeMo and SpeechBrain write, scored as documented."""

import json
import shlex
import subprocess
import sys

import pytest
from paths import CASES, ROOT

TEST = CASES / "slurp" / "test.jsonl"
PREDICTIONS = CASES / "slurp" / "found.jsonl"
FOUND = [json.loads(line) for line in PREDICTIONS.read_text("utf-8").splitlines()]


def figures(run, path, *options):
    """The figures of predictions; recordings without one are left out, which is a note."""
    status, out, _ = run(
        f"score --scheme slurp --missing drop --format json {TEST}", path, *options
    )
    assert status == 0
    return json.loads(out)["figures"]


@pytest.fixture
def expected(run):
    """The figures of the predictions themselves."""
    return figures(run, PREDICTIONS)


def test_espnet(here, run, expected):
    """The entity file of ESPnet is JSON lines, with an empty text in each."""
    lines = [json.dumps({"text": "", **row}) for row in FOUND]
    (here / "result_test.json").write_text("\n".join(lines) + "\n", "utf-8")
    assert figures(run, "result_test.json", "--hyp-format", "slurp") == expected


def test_speechbrain(here, run, expected):
    """The predictions of SpeechBrain are those of SLURP."""
    lines = [json.dumps({**row, "intent": "x"}) for row in FOUND]
    (here / "predictions.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert figures(run, "predictions.jsonl") == expected


@pytest.mark.check
def test_nemo(here, run, expected):
    """The manifest of NeMo has a dictionary as text; a broken one is an answer without entities."""
    rows = []
    for row in FOUND:
        own = {name: row[name] for name in ("scenario", "action", "entities")}
        text = str(own).replace(",", "|")
        rows.append({"audio_filepath": f"/data/{row['file']}", "text": "x", "pred_text": text})
    program = [sys.executable, ROOT / "docs/examples/recipes/nemo.py", "manifest.json"]

    def converted():
        manifest = "".join(json.dumps(row) + "\n" for row in rows)
        (here / "manifest.json").write_text(manifest, "utf-8")
        return subprocess.run(program, capture_output=True, check=True, encoding="utf-8")

    done = converted()
    (here / "found.jsonl").write_text(done.stdout, "utf-8")
    assert done.stderr == "0 answers that cannot be read\n"
    assert figures(run, "found.jsonl") == expected
    rows[0]["pred_text"] = "{'scenario': 'calendar'| 'ent"
    done = converted()
    assert done.stderr == "1 answers that cannot be read\n"
    assert json.loads(done.stdout.splitlines()[0])["entities"] == []


def test_the_page_names_formats_that_there_are():
    """The options of the commands on the page are those of sereval."""
    page = (ROOT / "docs/howto/recipes.md").read_text("utf-8")
    commands = [part for part in page.split("`") if part.startswith("sereval score")]
    assert len(commands) == 2
    for command in commands:
        assert shlex.split(command)[-2:] == ["--scheme", "slurp"]
