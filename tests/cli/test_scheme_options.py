"""Schemes on the command line: what belongs to which, and what nobody may overlook."""

import csv
import io
import json
from pathlib import Path

import pytest
from cli_files import put

from sereval.cli import main

COLUMNS = "il O\ndi O\nDavide B-PER\nRebellin I-PER\n"
FLAT = "serie <org> A </org> o <org> B </org> di calcio\n"


@pytest.fixture
def columns(here):
    """Two column files of one document each, and a reference with a word that is not heard."""
    put("a.iob", COLUMNS)
    put("b.iob", COLUMNS.replace("I-PER", "O"))
    put("ref/d.ne", FLAT)
    put("hyp/d.ne", "serie <org> A </org> o di calcio\n")
    return here


@pytest.mark.parametrize("scheme", ["conll", "evalita2011", "mitre", "quaero"])
def test_no_input_is_written_over(scheme, columns, run):
    """Whatever the scheme, a report never takes the place of a file that was read for it."""
    status, out, err = run(f"score a.iob b.iob --name d --scheme {scheme} -o a.iob")
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert Path("a.iob").read_text("utf-8") == COLUMNS


@pytest.mark.parametrize("scheme", ["conll", "evalita2011", "mitre", "quaero", "semeval2013"])
def test_one_name_for_both(scheme, columns, run):
    """``--name`` brings two files of one document together under every scheme."""
    assert run(f"score a.iob b.iob --scheme {scheme}")[0] == 1
    assert run(f"score a.iob b.iob --scheme {scheme} --name d")[0] == 0


def test_dropped_elements_are_told(columns, run):
    """An element that has no place on the words is told by every scheme that projects."""
    told = "1 unplaceable reference element: 1 dropped."
    for command in ("score", "score --scheme semeval2013", "agreement"):
        name, *options = command.split()
        status, out, _ = run(" ".join([name, "ref", "hyp", "--by", "text", *options]))
        assert status == 0
        assert told in out.splitlines()


def test_upper_bound(columns, run):
    """What a perfect tagger would reach misses the elements without a place, unless told not to."""
    rates = []
    for policy in ("", "--unplaceable drop"):
        _, out, _ = run(f"score ref hyp --by text --upper-bound {policy} --format json")
        rates.append(json.loads(out)["ser"])
    assert rates == [0.5, 0.0]


def test_trees_are_told(columns, run):
    """A scheme that knows no nesting says how many elements it took for flat ones."""
    put("tree/d.ne", "<func> maire <pers> Chirac </pers> </func>\n")
    put("flat/d.ne", "maire <pers> Chirac </pers>\n")
    _, out, _ = run("score tree flat --scheme mitre --format json")
    assert json.loads(out)["notes"] == [
        "1 elements are inside others; the paper has no nested elements. "
        "Outer ones are paired first."
    ]
    assert main(["score", "tree", "flat", "--scheme", "conll"]) == 1


def test_a_missing_hypothesis_is_in_the_signature(columns, run):
    """That missing hypotheses count as empty ones can change digits: the signature says so."""
    put("ref/e.ne", FLAT)
    for scheme in ("mitre", "semeval2013"):
        _, out, _ = run(f"score ref hyp --by text --scheme {scheme} --missing error --format json")
        assert out == ""
        put("hyp/e.ne", "serie A\n")
        _, out, _ = run(f"score ref hyp --by text --scheme {scheme} --missing empty --format json")
        assert "|missing:empty|" in json.loads(out)["signature"]
        Path("hyp/e.ne").unlink()


def test_nothing_to_count(columns, run):
    """Without any element the table says so."""
    put("none/d.ne", "a b\n")
    _, out, _ = run("score none none --scheme semeval2013")
    assert out.startswith("nothing to count")


def test_by_document(run, tmp_path):
    """The text has a row for each document, and these add up."""
    for side in ("r", "h"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.ne").write_text("<x> a </x> b\n")
    (tmp_path / "r/b.ne").write_text("<x> a </x> <y> b </y>\n")
    (tmp_path / "h/b.ne").write_text("<x> a </x> b\n")
    _, out, _ = run(f"score {tmp_path}/r {tmp_path}/h --scheme semeval2013")
    strict = [line.split() for line in out.split("\n\nexact")[0].splitlines()]
    rows = {row[0]: [int(n) for n in row[1:8]] for row in strict[1:] if len(row) == 11}
    at = strict.index(["by", "document"])
    assert [row[0] for row in strict[at + 1 :]] == ["a", "b"]
    assert rows["all"] == [2, 0, 0, 1, 0, 3, 2]
    assert rows["all"] == [m + n for m, n in zip(rows["a"], rows["b"], strict=True)]
    _, out, _ = run(f"score {tmp_path}/r {tmp_path}/h --scheme semeval2013 --format json")
    assert [each["figures"]["strict"]["COR"] for each in json.loads(out)["documents"]] == [1, 1]


@pytest.mark.parametrize("scheme", ["muc", "mitre", "semeval2013", "conll"])
def test_csv_has_the_figures_of_json(scheme, columns, run):
    """Each count of the JSON report stands in one row of the CSV, and nothing else does."""
    options = " --by text" if scheme in ("muc", "mitre", "semeval2013") else ""
    folders = "a.iob b.iob --name d" if scheme == "conll" else "ref hyp"
    command = f"score {folders} --scheme {scheme}{options} --format"
    report = json.loads(run(f"{command} json")[1])
    head, *rows = csv.reader(io.StringIO(run(f"{command} csv")[1]))
    assert head == ["document", "label", "figure", "class", "count"]
    assert sorted(rows) == sorted(
        [document["id"], label, name, count, str(figure[count])]
        for document in report["documents"]
        for label, figures in document["labels"].items()
        for name, figure in figures.items()
        for count in ("COR", "INC", "PAR", "MIS", "SPU")
    )
