"""The action of GitHub does in a shell what a runner would have it do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

yaml = pytest.importorskip("yaml")

pytestmark = pytest.mark.check

STEPS = {
    step["name"]: step
    for step in yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]
}


@pytest.mark.parametrize(("system", "status"), [("gazetteer", "0"), ("compromise", "3")])
def test_gate(system, status, tmp_path):
    """A worse score ends with the status of the gate; the report is the summary and the comment."""
    known = {**os.environ, "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": "summary"}
    (tmp_path / "sereval/bin").mkdir(parents=True)
    (tmp_path / "sereval/bin/sereval").symlink_to(Path(sys.executable).parent / "sereval")
    (tmp_path / "gh").write_text('#!/bin/sh\ncat "$5" >comment', "utf-8")
    (tmp_path / "gh").chmod(0o755)
    data = ROOT / "data"
    times = f"--align {data}/align --words {data}/asr"
    args = [
        data / "ref",
        data / "hyp/gazetteer/asr",
        *times.split(),
        "-t",
        "0.3",
        "-o",
        "report.json",
    ]
    subprocess.run(
        [Path(sys.executable).parent / "sereval", "score", *args], cwd=tmp_path, check=True
    )
    given = {
        "GITHUB_OUTPUT": "output",
        "REPORT": "report.json",
        "REFERENCE": str(data / "ref"),
        "HYPOTHESIS": str(data / "hyp" / system / "asr"),
        "ARGUMENTS": times,
        "NUMBER": "1",
        "STATUS": status,
        "PATH": f"{tmp_path}:{known['PATH']}",
    }
    done = [
        subprocess.run(
            ["bash", "-eo", "pipefail", "-c", STEPS[name]["run"]],
            cwd=tmp_path,
            env=known | given,
            check=False,
        ).returncode
        for name in ("Gate", "Comment", "Result")
    ]
    assert done == [0, 0, int(status)]
    assert (tmp_path / "output").read_text("utf-8") == f"status={status}\n"
    said = (tmp_path / "summary").read_text("utf-8")
    assert (tmp_path / "comment").read_text("utf-8") == said
    assert said.startswith(f"````text\n{'worse' if status == '3' else 'not worse'}: SER ")
