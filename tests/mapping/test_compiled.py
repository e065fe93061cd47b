"""The compiled search: a build that is asked for, with the same results."""

from __future__ import annotations

import ast
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sereval

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
TIMED = f"--align {DATA}/align --words {DATA}/asr"
PAIR = f"{DATA}/ref {DATA}/hyp/gazetteer/asr"

COMMANDS = [
    *(f"score {PAIR} {TIMED} --tolerance {tolerance} --format json" for tolerance in (0, 0.3, 2)),
    f"score {PAIR} {TIMED} --tolerance 2 --max-states 100",
    f"score {PAIR} {TIMED} --tolerance 0.5 --scheme quaero-lne --format json",
    f"score {PAIR} {TIMED} --tolerance 0.5 --scheme semeval2013 --format json",
    f"score {PAIR} {TIMED} --tolerance 0.5 --pairing half --neutral name --format json",
    f"audit {PAIR} {TIMED} --tolerance 1 --format jsonl",
    f"sweep {PAIR} {TIMED} --tolerance 0:1:0.5 --format json",
]


def compiled_modules() -> tuple[str, ...]:
    """The modules that setup.py names."""
    for statement in ast.parse((ROOT / "setup.py").read_text("utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "COMPILED":
            names: tuple[str, ...] = ast.literal_eval(statement.value)
            return names
    raise AssertionError("setup.py has no COMPILED")


def run(command: str, at: Path) -> tuple[int, bytes, bytes]:
    """The status and the output of a command of the package in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "sereval", *shlex.split(command)],
        env={**os.environ, "PYTHONPATH": str(at)},
        cwd=DATA,
        capture_output=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_setup_names_modules_of_the_mapping():
    """Each module that a compiled build compiles is a room of the mapping."""
    rooms = {path.stem for path in (Path(sereval.__file__).parent / "mapping").glob("*.py")}
    assert {*compiled_modules()} - rooms == set()


def test_an_installation_is_pure_unless_asked():
    """Without SEREVAL_COMPILE the build has no extension, and looks for no compiler."""
    kept = {name: of for name, of in os.environ.items() if name != "SEREVAL_COMPILE"}
    lines = "import setuptools, runpy; setuptools.setup = lambda **given: print(sorted(given)); "
    lines += "runpy.run_path('setup.py')"
    done = subprocess.run(
        [sys.executable, "-c", lines], env=kept, cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.long
def test_compiled_and_pure_search_give_the_same_bytes(tmp_path):
    """Reports, refusals and statuses do not depend on whether the search is compiled."""
    pytest.importorskip("mypyc")
    for folder in ("sereval", "grammars"):
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tmp_path)
    built = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        env={**os.environ, "SEREVAL_COMPILE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    found = {path.name.partition(".")[0] for path in (tmp_path / "sereval/mapping").glob("*.so")}
    assert {*compiled_modules()} == found
    for command in COMMANDS:
        assert run(command, ROOT) == run(command, tmp_path), command
