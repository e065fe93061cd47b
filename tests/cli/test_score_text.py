"""The text of ``score``: one screen, all rows on demand, an interval, bars on a terminal."""

import json
import os
import subprocess
import sys

import pytest
from paths import DATA

TIMES = "-a align -w asr -t 0.3"
SCORE = f"score ref hyp/gazetteer/asr {TIMES} -g quaero"


@pytest.fixture(autouse=True)
def in_data(monkeypatch):
    monkeypatch.chdir(DATA)


@pytest.mark.check
def test_classes(run):
    """The costs of the classes add up to the cost, and their parts of the rate are exact."""
    out = run(SCORE)[1]
    report = json.loads(run(f"{SCORE} -f json")[1])
    lines = out.split("\n\n")[1].splitlines()
    assert ["class", "number", "cost", "of", "SER"] == lines[0].split()
    rows = {cells[0]: cells[-3:] for cells in map(str.split, lines[1:])}
    counts = report["counts"]
    assert {name: counts[name] for name in rows} == {k: int(v[0]) for k, v in rows.items()}
    assert counts["cost"] == sum(float(row[1]) for row in rows.values())
    for _, cost, part in rows.values():
        assert float(part) == pytest.approx(100 * float(cost) / counts["Ref"], abs=0.1)


@pytest.mark.check
def test_interval_is_that_of_compare(run):
    """The interval of ``score`` is the interval of ``compare``, in text and JSON."""
    options = f"{TIMES} --confidence 0.9 --resamples 200 --seed 5"
    status, out, _ = run(f"score ref hyp/gazetteer/asr {options} -f json")
    compared = json.loads(run(f"compare ref hyp/gazetteer/asr {options} -f json")[1])
    [condition] = compared["conditions"]
    found = json.loads(out)["interval"]
    assert status == 0
    [system] = compared["systems"]
    assert (system["low"], system["high"]) == (found["low"], found["high"])
    assert (condition["unit"], condition["units"]) == (found["unit"], found["units"])
    assert (0.9, 200, 5) == (found["confidence"], found["resamples"], found["seed"])
    percent = options.replace("0.9", "90")
    assert json.loads(run(f"score ref hyp/gazetteer/asr {percent} -f json")[1])["interval"] == found
    line = run(f"score ref hyp/gazetteer/asr {options}")[1].splitlines()[1]
    assert line.startswith(f"90 % interval of SER: {100 * found['low']:.1f} to ")


def on_terminal(columns):
    """What a terminal of this width gets."""
    import pty  # not on every system

    terminal, end = pty.openpty()
    known = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    words = [sys.executable, "-m", "sereval", *f"{SCORE} --confidence 95".split()]
    process = subprocess.Popen(
        words,
        stdout=end,
        stderr=subprocess.DEVNULL,
        env={**known, "TERM": "xterm", "COLUMNS": str(columns)},
    )
    os.close(end)
    found = b""
    try:
        while data := os.read(terminal, 1 << 16):
            found += data
    except OSError:  # the end of a terminal, on Linux
        pass
    os.close(terminal)
    assert process.wait() == 0
    return found.decode().replace("\r\n", "\n")


@pytest.mark.check
def test_terminal(run):
    """A terminal has bars, which are no wider than it is, and no colours."""
    plain = run(f"{SCORE} --confidence 95")[1]
    assert "█" not in plain
    for columns in (80, 140):
        text = on_terminal(columns)
        assert "\x1b" not in text
        assert "█" in text
        assert max(len(line) for line in text.splitlines() if "█" in line) <= columns
        assert " ".join(plain.split()[-16:]) == " ".join(text.split()[-16:])  # the same words
