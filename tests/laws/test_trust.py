"""Ways in which an evaluator is known to lie, each tried on the command line.

`docs/why/trust.md` is the inventory; a test of one of its rows elsewhere is not repeated here.
"""

import json
from pathlib import Path

import pytest
from cli_files import HEARD, put
from reports import named
from tables import tables

import sereval
from sereval.cli.score import score as score_command
from sereval.schemes.table import SCHEMES, TABLE

TABLES = tables(__file__)


def native(*elements: tuple[str, int, int], id: str = "d", words: int = 6) -> str:
    """A document in native JSON."""
    listed = [{"label": label, "start": start, "end": end} for label, start, end in elements]
    return json.dumps({"id": id, "words": ["w"] * words, "elements": listed}) + "\n"


@pytest.fixture
def score(files, run):
    """Scores one native document against another, and gives the report."""

    def score(reference: str, hypothesis: str, options: str = "") -> dict:
        put("one.jsonl", reference)
        put("other.jsonl", hypothesis)
        status, out, err = run(f"score one.jsonl other.jsonl --format json {options}")
        report = json.loads(out)
        assert (status, err == "") == (
            0,
            report["counts"]["ser"] is not None,
        )  # of which it is warned
        return report

    return score


# --- documents -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["score", "audit", "compare", "agreement", "sweep --tolerance 0.1"]
)
@pytest.mark.parametrize("side", ["ref", "hyp"])
def test_no_document_is_left_out(command, side, files, run):
    """A document on one side only is an error that names it, not a smaller corpus."""
    put(f"{side}/more.ne", HEARD)
    status, out, err = run(f"{command} ref hyp")
    assert (status, out) == (1, "")
    assert "more" in err


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "evalita2011"])
def test_a_document_that_is_taken_for_empty_is_counted(scheme, files, run):
    """What --missing empty puts in the place of a document is said with the score and in JSON."""
    put("ref/more.ne", "<loc> Dol </loc>\n")
    put("ref/show.ne", "à <loc> Dol </loc>\n")
    what = "documents without a hypothesis, taken for ones in which nothing was found"
    command = f"score ref hyp --missing empty --scheme {scheme}"
    status, out, _ = run(command)
    assert status == 0
    assert f"Hypothesis: {what}: 1." in out.splitlines()
    assert what in json.dumps(json.loads(run(f"{command} --format json")[1])["notes"])


@pytest.mark.parametrize("command", ["score", "sweep", "compare", "audit"])
def test_words_that_stand_for_a_document_have_no_elements(command, files, run):
    """A missing hypothesis is empty, though the file of its words has elements, and it is said."""
    element = {"label": "loc", "start": 1, "end": 2}
    more = {"id": "more", "words": ["à", "Dol"], "elements": [element]}
    put("ref/more.jsonl", json.dumps(more))
    for folder in ("align", "words"):
        put(f"{folder}/more.jsonl", json.dumps({**more, "times": [[0, 0.2], [0.2, 0.6]]}))
    put("words/show.ctm", Path("words.ctm").read_text("utf-8"))
    sides = "ref heard --align align --words words --tolerance 0.1 --missing empty"
    status, out, err = run(f"{command} {sides}")
    assert (status, err) == (0, "")
    assert "documents without a hypothesis, taken for ones in which nothing was found: 1" in out
    more, _ = json.loads(run(f"score {sides} --format json")[1])["documents"]
    assert [1, 0] == [more[name] for name in ("D", "C")]


@pytest.mark.parametrize("scheme", ["quaero", "muc", "conll"])
def test_a_dash_is_a_name(scheme, files, run):
    """A document that is called as standard input is does not pair with any other."""
    put("one.jsonl", native(id="-") + native(id="y"))
    put("other.jsonl", native(id="x") + native(id="y"))
    status, out, err = run(f"score one.jsonl other.jsonl --scheme {scheme}")
    assert (1, "") == (status, out)
    assert "documents of the reference without a hypothesis: 1 of 2 (-)" in err


def test_a_document_without_hypothesis_costs(score):
    """A document in which nothing was found counts with all its deletions."""
    both = native(("a", 0, 1)) + native(("a", 0, 1), id="e")
    report = score(both, native(("a", 0, 1)) + native(id="e"))
    assert (report["counts"]["D"], report["counts"]["f1"]) == (1, 2 / 3)


# --- elements ------------------------------------------------------------------------------------


def test_right_words_in_the_wrong_place_are_wrong(score):
    """Spans are compared, not texts: the same words elsewhere are no match."""
    counts = score(native(("a", 0, 1)), native(("a", 3, 4)))["counts"]
    assert (counts["C"], counts["D"], counts["I"]) == (0, 1, 1)


@pytest.mark.parametrize(
    "text",
    ["a O\n#2 B-X\nb O\n", "TOKEN\tNE-COARSE-LIT\na\tO\n#2\tB-X\nb\tO\n"],
    ids=["conll", "hipe"],
)
def test_a_hash_is_a_word(text, files, run):
    """A token that begins with the sign of a comment stays a token."""
    put("one.iob", text)
    status, out, _ = run("score one.iob one.iob --format json")
    assert (status, json.loads(out)["counts"]["C"]) == (0, 1)


OPTIONS = TABLES["options"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_option_is_without_effect(scheme, files, run):
    """What a scheme has no part for is refused, whatever it is, and nothing is scored."""
    known = {name for one in TABLE for name in one.options}
    assert known - {"figure"} == {*OPTIONS}  # which score has not
    options = {option.name: option.opts[-1] for option in score_command.params}
    put("given.tsv", "a\tO\t\ta\tO\n")
    for name, value in OPTIONS.items():
        if SCHEMES[scheme].takes(name):
            continue
        asked = f"{options[name]} {value}".strip()
        status, out, err = run(f"score ref hyp --scheme {scheme} {asked}")
        assert (2, "") == (status, out), asked
        assert f"{options[name]} " in err, asked
        assert not Path("out").exists()


# --- figures -------------------------------------------------------------------------------------


@pytest.mark.check
def test_nothing_is_rounded_to_perfect(files, run):
    """One error in ten thousand is not 0.0 %, and an F1 under 1 is not 100.0 %."""
    elements = [("a", k, k + 1) for k in range(10_000)]
    put("one.jsonl", native(*elements, words=10_000))
    put("other.jsonl", native(*elements[1:], words=10_000))
    _, out, _ = run("score one.jsonl other.jsonl")
    total = next(line for line in out.splitlines() if line.startswith("all "))
    assert out.startswith("SER 0.1 %")
    assert total.split()[-4:] == ["0.1", "100.0", "99.9", "99.9"]
    _, out, _ = run("agreement one.jsonl other.jsonl --places 20000")
    total = next(line for line in out.splitlines() if line.startswith("all "))
    assert total.split()[-4:] == ["0.999"] * 4


def test_the_mapping_is_no_greedy_one(score):
    """The element that shares a word first is not taken if that costs more."""
    report = score(native(("a", 0, 3), ("a", 3, 5)), native(("a", 2, 5)))
    assert (
        report["counts"] == score(native(("a", 3, 5), ("a", 0, 3)), native(("a", 2, 5)))["counts"]
    )
    report = score(native(("P", 0, 2), ("L", 2, 4)), native(("L", 1, 3)))
    assert (report["counts"]["S_S"], report["counts"]["D"]) == (1, 1)
    assert named(report, "labels")["L"]["S_S"] == 1


def test_times_are_decimals(files, run):
    """0.29 s is 290 ms and 1.001 s is 1001 ms, not what binary fractions make of them."""
    assert (28, 1000) == (int(0.29 / 0.01), int(1.001 * 1000))
    put("words.ctm", "show 1 0.29 0.29 à\nshow 1 1.001 1.004 d'\nshow 1 8.033 0.0005 or\n")
    status, out, _ = run("convert words.ctm words.jsonl")
    assert (status, out) == (0, "")
    [document] = sereval.read("words.jsonl")
    assert document.times == ((290, 580), (1001, 2005), (8033, 8034))
