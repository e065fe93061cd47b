"""The two sides of a report: how much was read of each, whether they were exchanged, and a warning
where there is nothing to score."""

import pytest
from cli_files import put

from sereval.schemes.table import SCHEMES


@pytest.fixture
def here(here):
    """A folder with both sides of a document, manual and heard, and the times of either."""
    put("ref/d.ne", "<a> one </a> two three")
    put("hyp/d.ne", "<a> one </a> tree")
    for name, words in (("align", "one two three"), ("asr", "one tree")):
        lines = [f"d 1 {k}.0 0.5 {word}\n" for k, word in enumerate(words.split())]
        put(f"{name}.ctm", "".join(lines))
    return here


# --- their sizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", SCHEMES)
def test_reports_name_both_sides(here, run, scheme):
    """In one line of the last paragraph, ahead of the signature, under every scheme."""
    put("hyp/d.ne", "<a> one </a> <b> two </b> three")
    for side in ("ref", "hyp"):
        put(f"{side}/e.ne", "one")
    _, out, err = run(f"score ref hyp --scheme {scheme}")

    said = "Reference ref: 2 documents, 1 element; hypothesis hyp: 2 documents, 2 elements."
    assert "" == err
    assert [said] == [line for line in out.splitlines() if "hypothesis hyp" in line]
    assert said in out.rpartition("\n\n")[2]


# --- exchanged -----------------------------------------------------------------------------------


# --- misspelt ------------------------------------------------------------------------------------


# --- nothing to score ----------------------------------------------------------------------------
