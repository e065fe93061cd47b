"""``sereval schema``."""

from __future__ import annotations

import json

import click

from ..report.schemas import COMMANDS
from ..report.schemas import schema as schema_of
from .help import command
from .outputs import named_format, output_option, write


@command(
    examples=(
        "schema score",
        "schema audit",
        "schema compare -o compare.schema.json",
    )
)
@click.argument("name", metavar="COMMAND", type=click.Choice(COMMANDS))
@output_option("FILE", "Write to this file.")
def schema(*, name: str, output: str) -> None:
    """Print the JSON schema of a command's report.

    COMMAND is a command with --format json, or audit, whose schema is that of a line of --format
    jsonl. The schema of project is that of a document in sereval's own format.
    """
    named_format("json", output, ["json"])
    write(json.dumps(schema_of(name), indent=2) + "\n", output)
