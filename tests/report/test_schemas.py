"""`sereval schema`: the published schemas, and reports of each format that older versions wrote."""

import json

import click
from schemas import faults

import sereval
from sereval.cli import cli
from sereval.report.schemas import COMMANDS


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
