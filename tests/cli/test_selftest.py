"""``sereval selftest``: an installation proves itself, and a wrong report is not overlooked."""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sereval
from sereval import __version__
from sereval.cli import prove

LINE = re.compile(
    r"sereval (\S+): (\d+(?: of \d+)?) cases hold(?:, 4 need sereval\[phones\])?, "
    r"sha256 ([0-9a-f]{16}), Python (\S+), .+\n"
)


def held_of(text, out, wrong=0):
    """The number of cases that hold, less those whose extra is not here, as the line says it."""
    count = text.count("\n$ ")
    held = count - wrong - (4 if "need sereval[phones]" in out else 0)
    return str(count) if held == count else f"{held} of {count}"


@pytest.fixture
def few(tmp_path, monkeypatch):
    """A folder with few cases, which are those of the package."""
    text = (prove.CASES / "schemes.txt").read_text("utf-8")
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "few.txt").write_text(text, "utf-8")
    monkeypatch.setattr(prove, "CASES", tmp_path / "cases")
    return tmp_path / "cases" / "few.txt"


def test_cases_hold(few, run, here):
    """The line has the version, the number of commands, the digest and the Python."""
    status, out, err = run("selftest --keep kept")
    version, held, digest, python = LINE.fullmatch(out).groups()
    assert (status, err) == (0, "")
    assert (__version__, platform.python_version()) == (version, python)
    assert held_of(few.read_text("utf-8"), out) == held
    assert prove.digest(few.parent).startswith(digest)
    assert ["ester", "mitre", "semeval"] == sorted(path.name for path in (here / "kept").iterdir())


def test_a_wrong_report_is_named(few, run):
    """A report that differs in one figure is status 1, with its case and its command."""
    text = few.read_text("utf-8")
    line = re.search(r"\n\$ (.*)", text)[1]
    few.write_text(text.replace("%", "‰", 1), "utf-8")
    status, out, err = run("selftest")
    assert status == 1
    assert held_of(text, out, wrong=1) == LINE.fullmatch(out)[2]
    assert [f"sereval: ester: sereval {line}: the report differs from the expected one"] == (
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
    assert prove.digest(prove.CASES).startswith(LINE.fullmatch(done.stdout)[3])
