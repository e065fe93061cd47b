"""Input that nests deeper than Python's stack, beside garbage of whoever calls the package."""

import gc
import sys

import pytest
from cli_files import put

DEEP = "[" * 100_000
INPUT = {  # the file, what it says, the command that reads it, the refusal
    "records": ("x.jsonl", DEEP, "check x.jsonl --grammar quaero", "x.jsonl:1: brackets nested"),
    "values": ("x.vosk", DEEP, "convert x.vosk y.jsonl", "x.vosk:1: brackets nested"),
    "report": ("x.json", DEEP, "gate x.json ref hyp", "x.json: not JSON: brackets nested"),
    "toml": ("x.toml", f"a = {DEEP}", "score ref hyp --map x.toml", "x.toml: brackets nested"),
}


@pytest.fixture
def unraisable(monkeypatch):
    """What fails in a collection of garbage, which comes as often as it can."""
    found = []
    monkeypatch.setattr(sys, "unraisablehook", found.append)

    def finalise(phase, info, frames=100):
        """Stands for a finaliser, which calls other functions."""
        return frames and finalise(phase, info, frames - 1)

    thresholds = gc.get_threshold()
    gc.callbacks.append(finalise)
    gc.set_threshold(20, 10, 1_000_000)
    yield found
    gc.set_threshold(*thresholds)
    gc.callbacks.remove(finalise)


@pytest.mark.parametrize("kind", INPUT)
def test_no_collection_where_the_stack_ends(kind, files, run, unraisable):
    """It is one line, and no finaliser fails for want of stack, with a message of its own."""
    path, text, command, refusal = INPUT[kind]
    put(path, text)
    status, out, err = run(command)
    assert (1, "", []) == (status, out, unraisable)
    assert err.startswith(f"sereval: {refusal} too deeply, expected "), err
    assert gc.isenabled()
