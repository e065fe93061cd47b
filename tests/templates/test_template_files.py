"""Templates: the notation that is read, and the command that scores them."""

import csv
import io
import json
from pathlib import Path

import pytest
from paths import TESTS
from tables import tables

from sereval.errors import InputError
from sereval.formats.file import File
from sereval.templates.reader import parse, read_templates

TABLES = tables(__file__)

CASES = TESTS / "templates"


# --- the notation ---------------------------------------------------------------------------------


def parsed(text, *, key=True):
    return parse([File("k", text=text)], key=key)


def test_notation_and_json_are_the_same():
    """Both notations of one document read to equal values, with all that they have."""
    assert parsed(TABLES["notation"]) == parsed(TABLES["same_in_json"])


HEAD = "<ORG-1-1> :=\n"
WRONG = [
    *TABLES["wrong"],
    ("ORG_NAME: x", None, "found 'O', expected: a template file begins", True),
    (HEAD + "A: " + "/ x " * 300, 2, "more than 200 fills in one slot", True),
    ('{"id": ' + "[" * 100_000, 1, "brackets nested too deeply", True),
]


@pytest.mark.parametrize(("text", "line", "message", "key"), WRONG)
def test_what_is_refused(text, line, message, key):
    """What a file cannot say is refused with its line, in one line."""
    with pytest.raises(InputError) as caught:
        parsed(text, key=key)
    assert message in str(caught.value)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_folders(tmp_path):
    """All files of a folder are one input, in which a document stands once."""
    (tmp_path / "a").write_text("<ORG-1-1> :=\n")
    (tmp_path / "b").write_text("<ORG-2-1> :=\n")
    (tmp_path / ".hidden").write_text("?")
    assert [d.id for d in read_templates(str(tmp_path), key=True)] == ["1", "2"]
    (tmp_path / "c").write_text("\n<ORG-1-1> :=\n")
    with pytest.raises(InputError, match=r"c:2: document '1' stands twice.*a:1"):
        read_templates(str(tmp_path), key=True)


# --- the command line -----------------------------------------------------------------------------


def test_text(run, monkeypatch):
    """The text has the listing of figure 3, its counts and its rates."""
    monkeypatch.chdir(CASES / "figure_3")
    status, out, err = run("templates key.muc response.muc")
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["cor", "POST", '"CEO"', '"CEO"'] in lines
    assert ["mis", "ORG_ALIAS", '"STAR"'] in lines
    assert ["spu", "ORG_LOCALE", "WHAMPOA"] in lines
    assert ["all", "8", "3", "4", "2", "15", "13", "61.54", "53.33", "57.14"] in lines
    _, short, _ = run("templates key.muc response.muc --no-listing")
    assert out.endswith(short)
    assert "WHAMPOA" not in short


def test_all_formats_show_the_same(run, monkeypatch):
    """The rows of the CSV add up to the counts of the JSON."""
    monkeypatch.chdir(CASES / "figures_7_and_8")
    _, rows, _ = run("templates key.muc response.muc --format csv")
    _, report, _ = run("templates key.muc response.muc --format json")
    found = list(csv.DictReader(io.StringIO(rows)))
    for name in ("COR", "INC", "MIS", "SPU"):
        assert json.loads(report)["total"][name] == sum(int(row[name]) for row in found)
    assert {row["document"] for row in found} == {"087"}


def test_standard_input(run, stdin, monkeypatch):
    """A side from standard input gives the same report."""
    monkeypatch.chdir(CASES / "figure_3")
    _, expected, _ = run("templates key.muc response.muc")
    stdin(Path("response.muc").read_text("utf-8"))
    assert run("templates key.muc -") == (0, expected, "")


def test_entropy(run, monkeypatch):
    """The table of a key, in all formats."""
    monkeypatch.chdir(CASES / "figures_7_and_8")
    status, out, _ = run("templates key.muc --entropy")
    assert status == 0
    assert ["IN_AND_OUT", "NEW_STATUS", "4", "3", "1.50", "OUT:", "2"] in [
        line.split() for line in out.splitlines()
    ]
    _, out, _ = run("templates key.muc --entropy --format json")
    slots = {row["slot"]: row for row in json.loads(out)["slots"]}
    assert slots["REL_OTHER_ORG"]["none"] == 3
    _, out, _ = run("templates key.muc --entropy --format csv")
    assert "PERSON,PER_TITLE,,2\n" in out


def test_bad_input(run, here):
    """Bad input is one line with file and line, and no result."""
    Path("k").write_text("<ORG-1-1> :=\nA: x\n")
    Path("r").write_text("<ORG-1-1> :=\nA: x / y\n")
    assert run("templates k r") == (
        1,
        "",
        "sereval: r:1: <ORG-1-1>: found alternatives in A, expected them in keys only\n",
    )
    assert run("templates k missing")[0] == 1
    Path("empty").mkdir()
    assert run("templates k empty")[0] == 1
