"""`sereval schema`: the published schemas, and reports of each format that older versions wrote."""

import json

import click
import jsonschema
import pytest
from format_cases import READ
from paths import TESTS
from schemas import faults

import sereval
from sereval.analysis.gate import FORMATS
from sereval.cli import cli
from sereval.report.schemas import SCHEMAS, schema

KEPT = sorted((TESTS / "cli" / "reports").glob("format_*/*.json"))
NATIVE = [case for case in READ if case.format == "native" and case.is_plain]
INPUTS = {
    "score": {"score": "ref heard --align align --words words.ctm"},
    "sweep": {"sweep": "ref heard --align align --words words.ctm"},
    "blame": {"blame": "ref hyp heard --align align --words words.ctm"},
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_a_schema(name, run):
    """The command prints a schema of the dialect that it names, with the format in its id."""
    status, out, err = run("schema", name)
    assert (status, err, json.loads(out)) == (0, "", schema(name))
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"].startswith(f"urn:sereval:schema:{name}")


def test_an_unknown_name_is_refused():
    """The message names the nearest command, and all that have a schema."""
    expected = "command is 'scores', the nearest known is score, expected one of score, "
    with pytest.raises(sereval.SerevalError) as refused:
        schema("scores")
    assert str(refused.value).startswith(expected)


def test_every_command_with_json_has_a_schema():
    """A command that writes JSON is described; documents and drawings are no reports."""
    context = click.Context(cli)
    found = {
        name
        for name in cli.list_commands(context)
        for option in cli.get_command(context, name).params
        if option.name == "format" and {"json", "jsonl"} & {*getattr(option.type, "choices", ())}
    }
    assert found - SCHEMAS.keys() <= {"convert"}
    assert SCHEMAS.keys() <= found


def test_a_schema_describes_every_key():
    """A report with one more key, without one, or with a value of another type does not pass."""
    report = json.loads(sereval.score([["B-A", "O"]], [["O", "B-A"]]).to_json())
    assert faults("score", report) == []
    without = {key: value for key, value in report.items() if key != "counts"}
    for wrong in ({**report, "new": 1}, without, {**report, "ser": "1.0"}, {**report, "format": 2}):
        assert faults("score", wrong) != []


@pytest.mark.parametrize("case", NATIVE, ids=lambda case: case.title)
def test_documents_have_the_schema_of_project(case, here, run):
    """Native files, exact and fuzzy, are described as they are written, and as they are read."""
    case.put(here)
    for line in filter(str.strip, case.text.split("\n")):
        assert faults("project", json.loads(line)) == []
    status, out, _ = run("", *case.line)
    assert status == 0
    for line in out.rstrip("\n").split("\n"):
        assert faults("project", json.loads(line)) == []


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_reports_of_each_format_are_still_read(path, files, run):
    """A report that an older version wrote has its schema, and `verify` and `gate` read it."""
    report = json.loads(path.read_text("utf-8"))
    command = report["provenance"]["command"]
    assert faults(command, report) == []
    read = INPUTS.get(path.stem, {}).get(command, "ref hyp")
    status, out, err = run(f"verify {path} {read}")
    assert (status, err.splitlines()[1:]) == (0, [])
    assert out.endswith("values hold\n")
    if command == "score" and "measures" not in report:
        status, out, _ = run(f"gate {path} {read}")
        assert status == 0
        assert out.startswith("not worse: ")


def test_each_format_has_reports():
    """Reports of each format that a gate reads are kept."""
    assert {f"format_{number}" for number in FORMATS} == {path.parent.name for path in KEPT}


def test_a_gate_refuses_reports_of_unknown_formats():
    """A report that a newer version wrote is refused in one line."""
    gold = [["B-A"]]
    newer = {**json.loads(sereval.score(gold, gold).to_json()), "format": 2}
    with pytest.raises(sereval.SerevalError, match="a report of the format 2, expected 1"):
        sereval.gate(newer, gold, gold)
