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


def test_sides_are_counted_as_they_were_read(here, run):
    """Before labels are left out, and without documents that stand for missing ones."""
    put("ref/e.ne", "<a> one </a> <b> two </b>")
    _, out, _ = run("score ref hyp --align align.ctm --words asr.ctm --tolerance 1 --name d")
    assert "" == out  # two documents have no one name
    command = "score ref ref --only a --jobs 2"
    kept = json.loads(run(f"{command} --format json")[1])["provenance"]["inputs"]

    assert "Reference ref: 2 documents, 3 elements; hypothesis ref:" in run(command)[1]
    assert [(2, 3)] * 2 == [
        (one["documents"], one["elements"]) for side in ("ref", "hyp") for one in kept[side]
    ]


@pytest.mark.parametrize("command", ["score", "audit"])
def test_stand_ins_are_not_counted(here, run, command):
    """A document that stands for a missing hypothesis was not read from HYP."""
    put("ref/e.ne", "<a> one </a> two")
    put("hyp/d.ne", "<a> one </a> two three")
    _, out, _ = run(f"{command} ref hyp --missing empty")

    assert "ref: 2 documents, 2 elements; hypothesis hyp: 1 document, 1 element." in out


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


def test_no_exchange_where_words_fit(here, run):
    """Times that were given twice are no exchange, whatever the other side's words are."""
    times = "[[0,500],[500,900],[900,1000]]"
    put("ref/d.jsonl", f'{{"id":"d","words":["one","two","three"],"times":{times}}}')
    (here / "ref" / "d.ne").unlink()
    put("hyp/d.ne", "<a> one </a> two three")
    _, _, err = run("score ref hyp --align align.ctm --tolerance 0.1")

    assert "times" in err
    assert "swapped" not in err


# --- misspelt ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["score", "audit", "compare --resamples 2"])
@pytest.mark.parametrize(
    ("side", "message"),
    [
        (
            "hyp",
            "document lindbergh has no hypothesis, expected one of that name; "
            "is lindbergh meant to be lindberg?",
        ),
        (
            "ref",
            "document lindberg has no hypothesis, expected one of that name; "
            "is lindberg meant to be lindbergh?",
        ),
        (
            "align",
            "document lindbergh has no times, expected some of that name; "
            "is lindbergh meant to be lindberg?",
        ),
    ],
)
def test_a_misspelt_document_is_asked_about(here, run, command, side, message):
    """The refusal names the document that is probably meant, as doctor does, and no other."""
    for name in ("berlin", "lindbergh", "zulu"):
        for folder in ("ref", "hyp"):
            put(f"{folder}/{name}.ne", "<a> one </a> two three")
        for folder in ("align", "asr"):
            lines = "".join(
                f"{name} 1 {k}.0 0.5 {w}\n" for k, w in enumerate(("one", "two", "three"))
            )
            put(f"{folder}/{name}.ctm", lines)
    for folder in ("ref", "hyp"):
        (here / folder / "d.ne").unlink()
    [right] = (here / side).glob("lindbergh.*")
    right.rename(right.with_stem("lindberg"))
    if side == "align":
        right.with_stem("lindberg").write_text("lindberg 1 0.0 0.5 one\n", "utf-8")
    options = "ref hyp"
    if side == "align":
        options += " --align align --words asr --tolerance 0.1"

    assert (1, "", f"sereval: {message}\n") == run(f"{command} {options}")
    assert message.rpartition("; ")[2] in run(f"doctor {options}")[1]


def test_names_that_are_far_are_listed(here, run):
    """Where none is near, some of those that are there are named."""
    for side, name in (("ref", "x.ne"), ("hyp", "other.ne"), ("hyp", "more.ne")):
        put(f"{side}/{name}", "<a> one </a> two three")
    _, _, err = run("score ref hyp")

    said = "document x has no hypothesis, expected one of that name among: d, more, other"
    assert f"sereval: {said}\n" == err


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


def test_nothing_in_other_formats(here, run):
    """Each side is looked through for what its format has."""
    put("a.iob", "one O\ntwo O\n")
    put("b.jsonl", '{"id": "a", "words": ["one", "two"]}\n')
    _, _, err = run("score a.iob b.jsonl")

    looked = 'tags such as B-PER in a.iob, and for objects in "elements" in b.jsonl'
    assert f"sereval: no elements on either side: looked for {looked}\n" == err


@pytest.mark.parametrize("command", ["score", "audit"])
def test_nothing_left(here, run, command):
    """Elements that labels leave out are not missing from the file."""
    put("ref/d.ne", "<b> one </b> two three")
    put("hyp/d.ne", "<a> one </a> two three")
    status, _, err = run(f"{command} ref hyp --only a")

    said = "--map, --only or --level leave none of 1 element of the reference ref"
    assert (0, f"sereval: nothing to score: {said}\n") == (status, err)


def test_nothing_found_is_no_warning(here, run):
    """A hypothesis without elements has its figures."""
    put("hyp/d.ne", "one two three")

    assert (0, "") == run("score ref hyp")[::2]
