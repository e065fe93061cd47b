"""The parameters of each command for the completion of a shell, without the command's module.

A shell asks for a completion each time its user presses the tab key, and the modules of a command
take longer to load than all other work of such a request. So ``completion.json`` lists the
parameters of all commands. ``tests/support/golden.py`` writes this table from the commands
themselves, and a test compares the two.
"""

from __future__ import annotations

import json
import os
from typing import Any

import click

from .help import Command
from .paths import PathText

TABLE = os.path.join(os.path.dirname(__file__), "completion.json")
"""The file of the table: for each command, a record of each parameter, in the order of
declaration. A record has the words of the declaration (``names``), and what differs from an
option with one free value."""


def command(name: str) -> click.Command | None:
    """A command that has its parameters and does nothing; ``None``: there is no such command."""
    with open(TABLE, encoding="utf-8") as file:
        records = json.load(file).get(name)
    if records is None:
        return None
    return Command(name, params=[_parameter(**record) for record in records])


def _parameter(
    names: list[str], *, values: list[str] | str = "any", **attributes: Any
) -> click.Parameter:
    """A parameter by its record: a path, one of several values, or any text."""
    kind = click.Choice(values) if isinstance(values, list) else _TYPES[values]
    is_option = names[0].startswith("-")
    return (click.Option if is_option else click.Argument)(names, type=kind, **attributes)


_TYPES: dict[str, Any] = {"any": click.STRING, "flag": click.BOOL, "path": PathText()}
"""The types of parameters whose values the table does not list."""
