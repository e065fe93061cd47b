"""``sereval selftest``: an installation proves itself, and a wrong report is not overlooked."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import CASES

import sereval
from sereval import __version__
from sereval.cli import prove

FEW = ("case_1", "figure_4", "mitre")
LINE = re.compile(
    r"sereval (\S+): (\d+(?: of \d+)?) cases hold(?:, 4 need sereval\[phones\])?, "
    r"sha256 ([0-9a-f]{16}), Python (\S+), .+\n"
)


@pytest.fixture
def few(tmp_path, monkeypatch):
    """A folder with few cases, which are those of the package."""
    for name in FEW:
        shutil.copytree(CASES / name, tmp_path / "cases" / name)
    monkeypatch.setattr(prove, "CASES", tmp_path / "cases")
    return tmp_path / "cases"


def test_cases_hold(few, run):
    """The line has the version, the number of commands, the digest and the Python."""
    status, out, err = run("selftest")
    reports = [json.loads((few / name / "expected.json").read_text("utf-8")) for name in FEW]
    version, held, digest, python = LINE.fullmatch(out).groups()
    assert (status, err) == (0, "")
    assert (__version__, platform.python_version()) == (version, python)
    assert str(sum(map(len, reports))) == held
    assert prove.digest(few).startswith(digest)


def test_a_wrong_report_is_named(few, run):
    """A report that differs in one figure is status 1, with its case and its command."""
    file = few / "case_1" / "expected.json"
    expected = json.loads(file.read_text("utf-8"))
    line, report = next(iter(expected.items()))
    report["counts"]["D"] += 1
    file.write_text(json.dumps(expected), "utf-8")
    before = sum(len(json.loads((few / n / "expected.json").read_text("utf-8"))) for n in FEW)
    status, out, err = run("selftest")
    assert status == 1
    assert f"{before - 1} of {before}" == LINE.fullmatch(out)[2]
    assert [f"sereval: case_1: sereval {line}: the report differs from the expected one"] == (
        err.splitlines()
    )


@pytest.mark.check
def test_installed(tmp_path):
    """An installed package proves itself outside the project, on the same files."""
    package = tmp_path / "site" / "sereval"
    shutil.copytree(Path(sereval.__file__).parent, package)
    done = subprocess.run(
        [sys.executable, "-m", "sereval", "selftest"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert prove.digest(CASES).startswith(LINE.fullmatch(done.stdout)[3])
