"""Nothing that is read gets anything else than a result or a refusal (see ``fuzz.py``).

Every seed is tried as it stands; then libFuzzer changes them, always in the same way. The long run
is ``python tests/fuzz.py all SECONDS``.
"""

import subprocess
import sys
from pathlib import Path

import fuzz
import pytest


@pytest.mark.parametrize("target", fuzz.targets())
def test_seeds(target: str):
    """Each seed of a target is read, or refused in one line."""
    found = list(fuzz.seeds(target))
    with fuzz.place():
        attempt = fuzz.attempt_of(target)
        for seed in found:
            attempt(seed)
    assert found


def test_a_short_run(tmp_path: Path):
    """Some thousands of changed inputs do no more."""
    pytest.importorskip("atheris", reason="atheris has no wheel for this Python")
    command = [sys.executable, fuzz.__file__, "any", "-runs=6000", "-seed=1"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False)
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    assert "Done 6000 runs" in said


def test_the_harness_can_fail():
    """A traceback, output beside an error, and an error without a place are found."""
    with fuzz.place():
        fuzz.run(["check", "ref.ne", "--grammar", "quaero"])
        fuzz.run(["check", "missing.ne", "--grammar", "quaero"])
        Path("made").touch()
        with pytest.raises(AssertionError):
            fuzz.run(["check", "missing.ne", "--grammar", "quaero"])
