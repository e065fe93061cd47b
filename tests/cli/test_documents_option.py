"""`--documents`: a part of a larger reference, in every command that scores."""

import json

import pytest
from cli_files import put

WORDS = "<loc> Dol </loc> à <pers> Ada </pers>\n"
COMMANDS = {
    "score": "score ref hyp",
    "measures": "score ref hyp --measure SER,WER,entity-WER",
    "conll": "score ref hyp --scheme conll",
    "compare": "compare ref hyp --resamples 5",
    "sweep": "sweep ref hyp --align t --words t --tolerance 0,0.1",
    "blame": "blame ref hyp hyp --by text --resamples 5",
}


@pytest.fixture
def here(here):
    """Three documents in the reference, two in the hypothesis, one of them bad."""
    for name in ("a", "b", "c"):
        put(f"ref/{name}.ne", WORDS)
        put(f"t/{name}.ctm", f"{name} 1 0 0.2 Dol\n{name} 1 0.2 0.2 à\n{name} 1 0.4 0.2 Ada\n")
    put("hyp/a.ne", WORDS)
    put("hyp/b.ne", "<loc> Dol </loc> à Ada\n")
    put("list.txt", "b\n\n a \n")
    return here


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_part_is_scored(here, run, command):
    """Without it the hypothesis lacks a document; a file and ids give one report."""
    status, out, err = run(command)
    assert (1, "") == (status, out)
    assert "has no hypothesis (c)" in err
    status, out, err = run(f"{command} --documents a,b --format json")
    assert (0, "") == (status, err)
    _, of_file, _ = run(f"{command} --documents list.txt --format json")
    ours, theirs = json.loads(out), json.loads(of_file)
    assert ours.pop("provenance")["options"] != theirs.pop("provenance")["options"]
    assert ours == theirs
    assert "|documents:2-" in out


def test_a_part_is_said(here, run):
    """In the report as text: how many documents of which reference."""
    for command in ("score ref hyp", "audit ref hyp", "compare ref hyp --resamples 5"):
        status, out, _ = run(f"{command} --documents b")
        assert status == 0
        assert "Scored 1 of 3 documents of ref (--documents).\n" in out
    assert "SER 50.0 %" in run("score ref hyp --documents b")[1]


def test_no_document_of_the_id(here, run):
    """An id that the reference lacks, and one that the hypothesis lacks, are one line."""
    said = "sereval: ref: no document 'd', expected some of a, b, c\n"
    assert (1, "", said) == run("score ref hyp --documents a,d")
    status, out, err = run("score ref hyp --documents a,c")
    assert (1, "", 1) == (status, out, err.count("\n"))
    assert "has no hypothesis (c)" in err
    assert 0 == run("score ref hyp --documents a,c --missing empty")[0]


def test_a_list_without_ids(here, run):
    """An empty list, or an empty id, is refused."""
    put("none.txt", "\n")
    for text in ("none.txt", "a,,b"):
        status, out, err = run(f"score ref hyp --documents {text}")
        assert (1, "", 1) == (status, out, err.count("\n"))
        assert f"found '{text}', expected ids of documents" in err


def test_what_is_left_out_is_not_read(here, run):
    """The other documents may hold errors."""
    put("ref/c.ne", "<loc> Dol\n")
    assert 0 == run("score ref hyp --documents a --align t --words t --tolerance 0.1")[0]


def test_the_list_of_a_settings_file(here, run):
    """A file is relative to the settings file; a pyproject.toml may name ids, but no file."""
    put("rules/set.toml", 'documents = "own.txt"\n')
    put("rules/own.txt", "b\n")
    assert "Scored 1 of 3" in run("--config rules/set.toml score ref hyp")[1]
    put("pyproject.toml", '[tool.sereval]\ndocuments = "list.txt"\n')
    status, out, err = run("score ref hyp")
    assert (1, "") == (status, out)
    assert "tool.sereval.documents counts only in a file that --config names" in err
    put("pyproject.toml", '[tool.sereval]\ndocuments = "a"\n')
    assert "Scored 1 of 3" in run("score ref hyp")[1]


def test_a_report_of_a_part_is_gated(here, run):
    """Ids are in the report; a file is an input, and is given again."""
    for text, again in (("a,b", ""), ("list.txt", "--documents list.txt")):
        run(f"score ref hyp --documents {text} --format json -o report.json")
        status, out, err = run(f"gate report.json ref hyp {again}")
        assert (0, "") == (status, err)
        assert "not worse" in out
