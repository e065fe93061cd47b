"""Where things are: the repository, its data and test cases, and the shared corpora if any."""

import atexit
import shutil
import tempfile
from pathlib import Path

from sereval.cli import prove
from sereval.cli.prove import sessions, steps_of

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = ROOT / "data"
CORPORA = ROOT.parent / "shared" / "corpora"
SPEECH = CORPORA / "speech"
FORMATS = CORPORA / "formats"


def unpacked(folder: Path) -> Path:
    """A folder with the files of each session of a folder, as ``selftest --keep`` writes them."""
    here = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, here)
    for file in folder.glob("*.txt"):
        for name, steps in sessions(steps_of(file.read_text("utf-8"))).items():
            for step in steps:
                if step.sign == "==":
                    step.put(here / name)
    return here


CASES = unpacked(prove.CASES)
