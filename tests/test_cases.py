"""Scores of whole command lines, from files to JSON, with figures computed by hand.

Each folder in ``cases/`` has files and ``args``. There a line with ``#`` explains (the first one
says why the case exists), a line with ``=`` has the figures that follow from the definition for the
command above it, and any other line is a command, run inside the folder. ``expected.json`` has the
whole reports by command; ``python tests/test_cases.py --write`` rewrites it, but never the figures.
"""

import contextlib
import io
import json
import shlex
import sys
from fractions import Fraction
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sereval import __version__
from sereval.cli import main

CASES = Path(__file__).with_name("cases")
FOLDERS = sorted(folder for folder in CASES.iterdir() if folder.is_dir())


def commands(folder):
    """Commands of a case with the figures under each, in the order of ``args``."""
    found = []
    for line in (folder / "args").read_text("utf-8").splitlines():
        if line.startswith("="):
            found[-1][1].append(dict(figure.split("=") for figure in line[1:].split()))
        elif line and not line.startswith("#"):
            found.append((line, []))
    return [(command, *figures) for command, figures in found]


def arguments(command):
    return [*shlex.split(command), "--format", "json"]


def without_version(report):
    """The report with a signature that is the same in all versions of the package."""
    signature, version = report["signature"].split("|version:")
    assert version == __version__
    return report | {"signature": signature}


def exact(text):
    """A rate as written by hand, ``1.5/3``; ``None`` for ``undefined``."""
    if text == "undefined":
        return None
    cost, slots = text.split("/")
    return float(Fraction(cost) / Fraction(slots))


def computed(figures):
    """Figures of a line of ``args``; a class that it does not name has no slot."""
    zero = dict.fromkeys(("C", "S_S", "S_T", "S_ST", "D", "I", "unplaceable"), 0)
    counts = zero | {name: float(n) for name, n in figures.items() if name not in ("exact", "ser")}
    return counts, int(figures["exact"]), exact(figures["ser"])


def counted(figures):
    """What the figures of another scheme count, such as ``type.COR``; what is 0 is not named."""
    return {
        f"{name}.{count}": figure[count]
        for name, figure in figures.items()
        for count in ("COR", "INC", "PAR", "MIS", "SPU")
        if figure[count]
    }


def test_there_are_cases():
    """The folders of cases are found, and each of them says first why it exists."""
    assert len(FOLDERS) >= 15
    for folder in FOLDERS:
        first = (folder / "args").read_text("utf-8").split("\n")[0]
        assert first.startswith("# "), folder.name
        assert first.endswith("."), folder.name


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(folder, monkeypatch, capsys):
    """Every command gives the figures computed by hand, and the whole report as recorded."""
    monkeypatch.chdir(folder)
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    assert [command for command, *_ in commands(folder)] == list(expected)
    for command, *figures in commands(folder):
        [by_hand] = figures
        status = main(arguments(command))
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        report = without_version(json.loads(out))
        if "figures" in report:
            assert {name: int(n) for name, n in by_hand.items()} == counted(report["figures"])
        else:
            counts = report["counts"]
            assert (counts, report["exact"]["C"], report["ser"]) == computed(by_hand)
        assert report == expected[command]


def write():
    """Record what the commands give now."""
    for folder in FOLDERS:
        reports = {}
        for command, *_ in commands(folder):
            out = io.TextIOWrapper(io.BytesIO(), "utf-8")
            with contextlib.chdir(folder), contextlib.redirect_stdout(out):
                status = main(arguments(command))
            if status:
                sys.exit(f"{folder.name}: {command}: status {status}")
            reports[command] = without_version(json.loads(out.buffer.getvalue()))
        text = json.dumps(reports, ensure_ascii=False, indent=1) + "\n"
        (folder / "expected.json").write_text(text, "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/test_cases.py --write")
    write()
