"""The demo of the README, as a reader runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

pytestmark = pytest.mark.check

PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorial" / "recording.md")
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as the top of the project is after ``make demo``, apart from what it has made."""
    place = tmp_path_factory.mktemp("project")
    for name in ("data", "docs", "tests", "sereval"):
        (place / name).symlink_to(ROOT / name)
    (place / "build" / "demo").mkdir(parents=True)
    return place


def in_shell(line, folder):
    """Run a line in a shell where ``sereval`` is a command."""
    known = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env={**known, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_demo(folder):
    """The demo fits on a screen: rates, whose errors, misheard names, the page, how to go on."""
    done = in_shell(f"{sys.executable} data/demo.py", folder)
    lines = done.stdout.splitlines()
    page = re.search(r"open (\S+) in a browser", done.stdout)[1]
    assert (done.returncode, done.stderr) == (0, "")
    assert len(lines) <= 30
    assert (folder / page).is_file()
    assert re.search(r"^ +12\.5  errors that misheard words add$", done.stdout, re.MULTILINE)
    assert 3 == sum(" recognised as " in line for line in lines)
    for way in (". .venv/bin/activate", "uv tool install .", "pipx install ."):
        assert way in done.stdout
        assert all(way in page.read_text("utf-8") for page in PAGES)
