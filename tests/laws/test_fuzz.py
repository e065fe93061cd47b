"""Nothing that is read gets anything else than a result or a refusal (see ``fuzz.py``).

Every seed is tried as it stands; then libFuzzer changes them, always in the same way. The long run
is ``python tests/support/fuzz.py all SECONDS``.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

import fuzz
import pytest

pytestmark = pytest.mark.check


def test_what_was_found_is_kept():
    """The archive has units of every target, none of which is long."""
    with zipfile.ZipFile(fuzz.SEEDS) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    assert {name.partition("/")[0] for name in sizes} == {*fuzz.targets()}
    assert max(sizes.values()) <= fuzz.KEPT_UP_TO


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
    command = [sys.executable, fuzz.__file__, "any", "-runs=2000", "-seed=1", "-timeout=600"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False)
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    assert "Done 2000 runs" in said


WRONG = {
    "a traceback": (1, "", "sereval: x\nTraceback (most recent call last):", ""),
    "output beside an error": (1, "C 1", "sereval: x.ne: bad", ""),
    "a file beside an error": (1, "", "sereval: x.ne: bad", "made"),
    "a file beside a usage error": (2, "", "Usage", "made"),
    "an input that is written over": (1, "", "sereval: x.ne: bad", "ref.ne"),
    "a line of nobody": (1, "", "bad", ""),
    "silence": (1, "", "", ""),
    "another status": (3, "", "sereval: x.ne: bad", ""),
}


@pytest.mark.parametrize("how", WRONG)
def test_the_harness_can_fail(how: str, monkeypatch: pytest.MonkeyPatch):
    """Whatever a command must not do is found."""
    status, out, err, path = WRONG[how]

    def wrong(_arguments: list[str]) -> int:
        sys.stdout.write(out)
        sys.stderr.write(err)
        if path:
            Path(path).write_text("x")
        return status

    with fuzz.place():
        fuzz.run(["check", "ref.ne", "--grammar", "quaero"])
        fuzz.run(["check", "missing.ne", "--grammar", "quaero"])
        monkeypatch.setattr("sereval.cli.main", wrong)
        with pytest.raises(AssertionError):
            fuzz.run(["check", "ref.ne", "--grammar", "quaero"])
