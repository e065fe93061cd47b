"""`sereval schema`: the published schemas, and reports of each format that older versions wrote."""

import json

import click
import jsonschema
import pytest
from format_cases import READ
from schemas import faults

import sereval
from sereval.cli import cli
from sereval.report.schemas import COMMANDS, schema

NATIVE = [case for case in READ if case.format == "native" and case.is_plain]


@pytest.mark.parametrize("name", COMMANDS)
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
    assert found - {*COMMANDS} <= {"convert"}
    assert {*COMMANDS} <= found


def test_a_schema_describes_every_key():
    """A report with one more key, without one, or with a value of another type does not pass."""
    report = json.loads(sereval.score([["B-A", "O"]], [["O", "B-A"]]).to_json())
    assert faults("score", report) == []
    without = {key: value for key, value in report.items() if key != "counts"}
    for wrong in ({**report, "new": 1}, without, {**report, "signature": 1.0}):
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
