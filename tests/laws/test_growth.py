"""How the work of readers, schemes and reports grows: in proportion to what they read.

Work is the number of calls of functions, Python's and those in C. It is the same in each run, so
nothing here depends on a clock. ``pytest -s -m long tests/laws/test_growth.py`` prints the table.
"""

import cProfile
import json
import math
import sys
from importlib import import_module

import pytest
from paths import ROOT

from sereval import read
from sereval.cli import main

sys.path.append(str(ROOT / "bench"))
FILES = import_module("growth").FILES

pytestmark = pytest.mark.long

MOST = 1.15
"""The largest exponent: twice the size takes at most 2.22 times the work."""

WORDS = dict.fromkeys(("ne", "iob", "jsonl", "ctm", "stm", "seglst", "tokens"), 1000000)
"""Words of the largest file, for formats that are quick to read; of others a tenth."""


def work(function, *arguments):
    """The number of calls that a function makes."""
    profile = cProfile.Profile()
    profile.enable()
    result = function(*arguments)
    profile.disable()
    assert not isinstance(result, int) or result == 0  # the status of a command
    return sum(entry.callcount for entry in profile.getstats())


def check(name, works, unit):
    """Print the work of two doublings, and assert that it grows in proportion."""
    exponents = [math.log2(b / a) for a, b in zip(works, works[1:], strict=False)]
    shown = " ".join(f"{exponent:.3f}" for exponent in exponents)
    sys.stdout.write(f"\n{name:44} {works[-1] / unit:8.1f} calls, exponents {shown}")
    assert max(exponents) <= MOST


@pytest.mark.parametrize("suffix", FILES)
def test_readers(suffix, tmp_path):
    """Of each format, files of n, 2 n and 4 n words in one document."""
    most = WORDS.get(suffix, 100_000)
    works = []
    for size in (most // 4, most // 2, most):
        path = tmp_path / f"d{size}.{suffix}"
        path.write_text(FILES[suffix](size), "utf-8")
        if suffix == "ann":
            path.with_suffix(".txt").write_text("w a b " * (size // 3), "utf-8")
        works.append(work(read, path))
    check(suffix, works, most)


ELEMENTS = 100_000
"""Elements of the largest reference, with ten words each; a tenth of it for slow commands."""

SLOW = ("compare", "align", "blame", "audit", "sweep", "project", "doctor", "evalita")
"""Commands, and parts of their options, that take more than a second for a thousand elements."""

SCHEMES = (
    *("score R H --scheme quaero", "score R H --scheme quaero-lne", "score R H --scheme mitre"),
    *("score R H --scheme muc", "score R H --scheme semeval2013", "score R H --scheme slue"),
    "score R H --scheme conll --elements outermost",
    "score R H --scheme evalita2011 --elements outermost",
)
"""The schemes whose work is not that of all pairs of texts of a document, as ``oi`` and ``nerval``
define it."""

REPORTS = (
    *("score R H --format json", "score R H --format csv", "score R A --tolerance 0.6"),
    *("score R A --by text", "score R A --measure WER", "audit R H", "audit R H --format jsonl"),
    *("audit R H --format csv", "sweep R A --tolerance 0,0.6", "compare R H A --by text"),
    *("compare R H O --unit document", "compare R H O --stability", "agreement R H"),
    *("blame R H A --tolerance 0.6", "project R A --tolerance 0.6", "doctor R H", "align R A"),
)


def document(id, size, side):
    """A document with so many elements, of which every second is inside another.

    Args:
        id: of the document.
        size: the number of elements of the reference.
        side: ``R``, the reference; ``H`` and ``O``, hypotheses on its words; ``A``, one on others.
    """
    elements = []
    for k in range(size // 2):
        if side in "HA" and k % 5 == 0 or side == "O" and k % 6 == 0:
            continue
        label = "x" if side != "R" and k % 7 == 0 else "abcdefgh"[k % 8]
        end = 20 * k + (2 if side != "R" and k % 11 == 0 else 3)
        elements.append({"label": label, "start": 20 * k, "end": end})
        elements.append({"label": "in", "start": 20 * k, "end": 20 * k + 1})
    words = [
        f"v{k % 97}" if side == "A" and k % 9 == 0 else f"w{k % 997}" for k in range(10 * size)
    ]
    times = [[k, k + 0.5] for k in range(10 * size)]
    return json.dumps({"id": id, "words": words, "times": times, "elements": elements})


def write(path, size, number, side):
    """A file of so many elements in so many documents."""
    with open(path, "w", encoding="utf-8") as file:
        for k in range(number):
            file.write(document(f"d{k:06d}", size // number, side) + "\n")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Writes the files of a size, once each."""
    folder = tmp_path_factory.mktemp("growth")

    def path(size, number, side):
        found = folder / f"{size}-{number}-{side}.jsonl"
        if not found.exists():
            write(found, size, number, side)
        return str(found)

    return path


@pytest.mark.parametrize("per_document", [None, 100], ids=["one", "many"])
@pytest.mark.parametrize("command", [*SCHEMES, *REPORTS])
def test_commands(command, per_document, corpora, tmp_path, capsys):
    """Each scheme and each report on n and 2 n elements, in one document and in many."""
    most = ELEMENTS // 10 if any(name in command for name in SLOW) else ELEMENTS
    works = []
    for size in (most // 2, most):
        number = 1 if per_document is None else size // per_document
        words = [
            corpora(size, number, word) if word in ("R", "H", "O", "A") else word
            for word in command.split()
        ]
        works.append(work(main, [*words, "--output", str(tmp_path / "report")]))
    with capsys.disabled():
        check(f"{command} {'one' if per_document is None else 'many'}", works, most)
