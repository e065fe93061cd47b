"""Where things are: the repository, its data and test cases, and the shared corpora if any."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = ROOT / "data"
CASES = ROOT / "sereval" / "cases"
CORPORA = ROOT.parent / "shared" / "corpora"
SPEECH = CORPORA / "speech"
FORMATS = CORPORA / "formats"
