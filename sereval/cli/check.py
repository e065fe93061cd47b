"""``sereval check``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..errors import one_line
from ..grammar import load
from ..readers import read
from .inputs import ANNOTATIONS, columns_option, encoding_option, exact, read_option, say
from .outputs import write


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--grammar", metavar="GRAMMAR", required=True, help="A bundled grammar, or a TOML file."
)
@click.option("--strict", is_flag=True, help="Fail if there is any violation.")
@click.option(
    "--from",
    "format",
    type=click.Choice(ANNOTATIONS),
    help="Format of the files; by default the suffix says it.",
)
@encoding_option
@read_option
@columns_option
def check(
    *,
    files: Sequence[str],
    grammar: str,
    strict: bool,
    format: str | None,
    encoding: str,
    reading: dict[str, Any],
    columns: Sequence[str],
) -> None:
    """List where annotated FILES break a grammar."""
    rules = load(grammar)
    found: list[str] = []
    for path in files:
        documents = exact(
            read(
                path,
                format=format,
                encoding=encoding,
                wanted=ANNOTATIONS,
                columns=columns,
                **reading,
            )
        )
        say(path, documents)
        found += (
            f"{document.source}:{violation.line}: {violation.message}"
            for document in documents
            for violation in rules.violations(document)
        )
    if found and strict:
        for line in found:
            click.echo(f"sereval: {one_line(line)}", err=True)
        raise click.exceptions.Exit(1)
    write("".join(f"{one_line(line)}\n" for line in found), "-")
