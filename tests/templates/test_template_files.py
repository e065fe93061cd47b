"""Templates: the notation that is read, and the command that scores them."""

import csv
import io
import json
from pathlib import Path

import pytest
from paths import TESTS

from sereval.errors import InputError
from sereval.formats.source import Source
from sereval.templates.reader import parse, read_templates

CASES = TESTS / "templates"


# --- the notation ---------------------------------------------------------------------------------

NOTATION = """\
<ORG-93-01-1> :=
  ORG_NAME: "A \\"B\\" / C"
  ORG_ALIAS: / "A"
             / "B"
             "C"
  ORG_LOCALE:
     New York CITY / TIER 1/2
<IO-93-01-2> :=
  OBJ_STATUS: OPTIONAL
  ORG: <ORG-93-01-1> / <ORG-93-01-3>
<ORG-93-01-3> :=
"""
SAME_IN_JSON = {
    "id": "93-01",
    "templates": [
        {
            "id": "ORG-93-01-1",
            "type": "ORG",
            "slots": {
                "ORG_NAME": ['A "B" / C'],
                "ORG_ALIAS": {"optional": True, "fills": [{"any": ["A", "B"]}, "C"]},
                "ORG_LOCALE": [{"any": ["New York CITY", "TIER 1/2"]}],
            },
        },
        {
            "id": "IO-93-01-2",
            "type": "IO",
            "optional": True,
            "slots": {"ORG": [{"any": [{"pointer": "ORG-93-01-1"}, {"pointer": "ORG-93-01-3"}]}]},
        },
        {"id": "ORG-93-01-3", "type": "ORG", "slots": {}},
    ],
}


def parsed(text, *, key=True):
    return parse([Source("k", "k", text)], key=key)


def test_notation_and_json_are_the_same():
    """Both notations of one document read to equal values, with all that they have."""
    assert parsed(NOTATION) == parsed(json.dumps(SAME_IN_JSON))


HEAD = "<ORG-1-1> :=\n"
WRONG = (  # file, line, message, whether it is a key
    ("ORG_NAME: x", None, "found 'O', expected: a template file begins", True),
    ("<ORG-1-1>", 1, "found '<ORG-1-1>', expected: a template file begins", True),
    ("<ORG-1> :=", 1, "found 'ORG-1', expected <TYPE-DOCUMENT-NUMBER>", True),
    (HEAD + '"x"', 2, "found '\"x\"', expected a slot such as ORG_NAME:", True),
    (HEAD + "A:\nB: x", 3, "slot A before this line has no fill", True),
    (HEAD + "A:", 1, "slot A before this line has no fill", True),
    (HEAD + "A: x\nA: y", 3, "slot A stands twice in <ORG-1-1>", True),
    (HEAD + 'A: "x', 2, "expected a string that is not empty", True),
    (HEAD + 'A: ""', 2, "expected a string that is not empty", True),
    (HEAD + 'A: "x" "y"', 2, "found '\"y\"' behind a fill, expected / or the end", True),
    (HEAD + 'A: "x" /', 2, "found '', expected a string, a pointer", True),
    (HEAD + "A:\n/ x", 3, "found / before the first fill of A", True),
    (HEAD + "A: x > y", 2, "found 'x > y', expected a string", True),
    (HEAD + "A: <ORG-1", 2, "found '<ORG-1', expected <TYPE", True),
    (HEAD + "A: <ORG-1-2>", 1, "A points at <ORG-1-2>, expected a template of the same", True),
    (HEAD + "A: <ORG-2-1>\n<ORG-2-1> :=", 1, "A points at <ORG-2-1>", True),
    (HEAD + "OBJ_STATUS: MAYBE", 2, "found 'MAYBE' in OBJ_STATUS, expected OPTIONAL", True),
    (HEAD + HEAD, 2, "<ORG-1-1> stands twice", True),
    (HEAD + "<ORG-2-1> :=\n<ORG-1-2> :=", 3, "document '1' goes on after another", True),
    (HEAD + "A: " + "/ x " * 300, 2, "more than 200 fills in one slot", True),
    ("".join(f"<ORG-1-{k}> :=\n" for k in range(501)), 1, "501 templates, expected at", True),
    (HEAD + "A: x / y", 1, "found alternatives in A, expected them in keys only", False),
    (HEAD + "A: / y", 1, "found / before the first fill of A, expected it in keys", False),
    (HEAD + "OBJ_STATUS: OPTIONAL", 1, "found an optional template in a response", False),
    ("{", 1, "the line ends inside a JSON value", True),
    ("{x}", 1, "not JSON", True),
    ('{"id": " ", "templates": []}', 1, "found ' ', expected a word", True),
    ('{"id": "1", "templates": []}\n' * 2, 2, "document '1' stands twice", True),
    ('{"id": "1"}', 1, 'document: no "templates"', True),
    ('{"id": 1, "templates": []}', 1, 'document: "id": found 1, expected a string', True),
    ('{"id": "1", "id": "2"}', 1, "key 'id' stands twice", True),
    (
        '{"id": "1", "templates": [1e999]}',
        1,
        '"templates"[0]: found 1e999, expected an',
        True,
    ),
    ('{"id": ' + "[" * 100_000, 1, "brackets nested too deeply", True),
    ('{"id": "1", "templates": [{"id": "a", "type": "A B", "slots": {}}]}', 1, "a name", True),
    (
        '{"id": "1", "templates": [{"id": "a", "type": "A", "slots": {"S": []}}]}',
        1,
        "0 fills",
        True,
    ),
    (
        '{"id": "1", "templates": [{"id": "a", "type": "A", "slots": {"S": [{"set": "x"}]}}]}',
        1,
        '"slots": "S"[0]: unknown key \'set\', expected pointer',
        True,
    ),
)


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
    for name in ("cor", "inc", "mis", "spu"):
        total = sum(int(row["count"]) for row in found if row["class"] == name)
        assert json.loads(report)["counts"][name.upper()] == total
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
    assert "PERSON,PER_TITLE,3,0.0,,2\n" in out


USAGE = (
    "templates key.muc",
    "templates key.muc response.muc --entropy",
    "templates - -",
    "templates key.muc response.muc --beta nan",
    "templates key.muc response.muc --beta -1",
    "templates key.muc response.muc --low-entropy A,,B",
    "templates key.muc --entropy --criterion restrictive",
    "templates key.muc --entropy --no-listing",
)


@pytest.mark.parametrize("command", USAGE)
def test_usage(run, monkeypatch, command):
    """What makes no sense is a usage error."""
    monkeypatch.chdir(CASES / "figure_3")
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert "Error" in err


def test_bad_input(run, tmp_path, monkeypatch):
    """Bad input is one line with file and line, and no result."""
    monkeypatch.chdir(tmp_path)
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
