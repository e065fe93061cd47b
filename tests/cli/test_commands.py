"""The command line: statuses, what is printed where, what is written and what is not."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_files import (
    HYPOTHESIS,
    REFERENCE,
    everything,
    put,
)
from paths import ROOT


def figures(found):
    """What a command did and printed, less what a report says it was made of."""
    status, out, err = found
    out = re.sub(r"^Reference .*\n", "", out, flags=re.MULTILINE)
    if out.startswith("{"):
        report = json.loads(out)
        del report["provenance"]
        out = json.dumps(report, ensure_ascii=False)
    return status, out, err


# --- files, folders, standard input and output ----------------------------------------------------


def test_module_is_the_command_line(files, run):
    """``python -m sereval`` in a process of its own does what ``main`` does."""
    command = "score ref - --hyp-format inline --format json"
    done = subprocess.run(
        [sys.executable, "-m", "sereval", *command.split()],
        input=HYPOTHESIS.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    expected = figures(run("score ref hyp --format json"))
    assert figures((done.returncode, done.stdout.decode("utf-8"), done.stderr.decode())) == expected


@pytest.mark.parametrize("format", ["text", "json", "csv"])
@pytest.mark.parametrize(
    ("text", "command"),
    [
        (REFERENCE, "score - hyp --ref-format inline"),
        (HYPOTHESIS, "score ref - --hyp-format inline"),
        (HYPOTHESIS, "score ref/show.ne - --hyp-format inline"),
    ],
)
def test_standard_input_is_a_file(text, command, format, files, run, stdin):
    """A dash for REF or HYP gives the same bytes as the file; the other side gives the name."""
    expected = figures(run(f"score ref hyp --format {format}"))
    stdin(text)
    assert figures(run(f"{command} --format {format}")) == expected
    assert expected[0] == 0


@pytest.mark.parametrize("format", ["text", "json", "csv"])
def test_output_file(format, files, run):
    """A file gets the bytes of stdout, replaces an older one, and a dash is stdout."""
    command = f"score ref hyp --format {format}"
    _, expected, _ = run(command)
    put("result", "older and longer\n" * 1000)
    before = everything(files)
    assert run(f"{command} -o result")[:2] == (0, "")
    assert Path("result").read_bytes() == expected.encode("utf-8")
    assert everything(files).keys() == before.keys()
    assert run(f"{command} -o -") == (0, expected, "")


def test_a_file_is_a_folder_of_one(files, run):
    """Files and folders of the same documents give the same report."""
    put(
        "all.jsonl",
        '{"id":"show","words":["à","Dol"],"elements":[{"label":"loc","start":1,"end":2}]}',
    )
    expected = figures(run("score ref hyp"))
    assert figures(run("score ref/show.ne hyp/show.ne")) == expected
    assert figures(run("score ref all.jsonl")) == expected
    assert expected[0] == 0


def test_interrupt(files, monkeypatch, run):
    """An interrupt is status 130 and a word on stderr, no traceback."""

    class Interrupted(io.BytesIO):
        def read(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    status, out, err = run("score - hyp --ref-format inline -o result")
    assert (status, out, err.strip()) == (130, "", "sereval: interrupted")
    assert not Path("result").exists()
