"""The two sides of a report: how much was read of each, whether they were exchanged, and a warning
where there is nothing to score."""

import json

import pytest
from cli_files import put

from sereval.schemes.table import SCHEMES

INLINE = "inline tags <label> … </label>"


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


@pytest.mark.check
def test_sides_are_counted_as_they_were_read(here, run):
    """Before labels are left out, whoever reads them."""
    put("ref/e.ne", "<a> one </a> <b> two </b>")
    kept = json.loads(run("score ref ref --only a --jobs 2 --format json")[1])["provenance"]

    assert [(2, 3)] * 2 == [
        (one["documents"], one["elements"]) for side in kept["inputs"].values() for one in side
    ]


def test_each_system_is_counted(here, run):
    """A report in JSON has the documents and elements of each HYP."""
    put("other/d.ne", "<a> one </a> <b> two </b> three")
    put("same/d.ne", "one two three")
    for command in ("compare ref other same --resamples 2", "sweep ref other same"):
        times = "--align align.ctm --words align.ctm --tolerance 0,1" * command.startswith("sweep")
        kept = json.loads(run(f"{command} {times} --format json")[1])["provenance"]["inputs"]
        assert [2, 0] == [one["elements"] for one in kept["hyps"]]


# --- exchanged -----------------------------------------------------------------------------------

BOTH = "; are --align and --words swapped, or REF and HYP?\n"
SIDES = "; are REF and HYP swapped?\n"


@pytest.mark.parametrize(
    ("sides", "times", "question"),
    [
        ("ref hyp", "--align asr.ctm --words align.ctm", BOTH),
        ("hyp ref", "--align align.ctm --words asr.ctm", BOTH),
        ("hyp ref", "--align align.ctm", SIDES),
        ("hyp ref", "--words asr.ctm", SIDES),
        ("ref hyp", "--align asr.ctm --words asr.ctm", ""),
        ("ref ref", "--align asr.ctm --words align.ctm", ""),
        ("hyp hyp", "--align align.ctm", ""),
    ],
)
@pytest.mark.parametrize("command", ["score", "audit", "sweep", "compare"])
def test_an_exchange_is_asked_about_if_it_would_help(here, run, command, sides, times, question):
    """The refusal ends with a question only where the times fit the words of the other side."""
    status, out, err = run(f"{command} {sides} {times} --tolerance 0.1")

    assert (1, "") == (status, out)
    assert err.endswith(question)
    assert bool(question) == ("swapped" in err)


def test_doctor_asks_too(here, run):
    """With what scoring would be refused for."""
    _, out, _ = run("doctor hyp ref --align align.ctm --words asr.ctm --tolerance 0.1")

    assert 2 == out.count(BOTH.rstrip("\n"))


# --- misspelt ------------------------------------------------------------------------------------


# --- nothing to score ----------------------------------------------------------------------------


COMMANDS = (
    *(f"score ref hyp --scheme {scheme}" for scheme in SCHEMES),
    *("audit ref hyp", "agreement ref hyp", "compare ref hyp --resamples 2"),
    "compare ref hyp --stability",
    "sweep ref hyp --align align.ctm --words align.ctm --tolerance 0,1",
    "blame ref hyp hyp --by text --resamples 2",
)
"""Everything that scores REF and HYP."""


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_on_either_side(here, run, command):
    """A warning says what was looked for, and the status is 0 all the same."""
    for side in ("ref", "hyp"):
        put(f"{side}/d.ne", "one two three")
    status, out, err = run(command)

    said = f"no elements on either side: looked for {INLINE} in ref and hyp"
    assert (0, 1) == (status, err.count(f"sereval: {said}\n"))
    assert f"N{said[1:]}." in out


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_in_the_reference(here, run, command):
    """It is said how many elements the hypothesis has."""
    put("ref/d.ne", "one two three")
    put("hyp/d.ne", "<a> one </a> two three")
    status, _, err = run(command)

    said = f"no elements in the reference: looked for {INLINE} in ref; the hypothesis hyp has 1"
    assert (0, 1) == (status, err.count(f"sereval: {said}\n"))
