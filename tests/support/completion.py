"""The table of ``sereval/cli/completion.json``, made from the commands."""

import json

import click

from sereval.cli import COMMANDS, cli, completion


def _record(parameter):
    """The record of a parameter: its names, then what differs from an option with a free value."""
    found = {"names": [*parameter.opts, parameter.name]}
    if isinstance(parameter, click.Argument):
        found["names"] = [parameter.name]
    elif parameter.secondary_opts:
        found["names"] = ["/".join([*parameter.opts, *parameter.secondary_opts]), parameter.name]
    if parameter.type.name in ("path", "boolean"):
        found["values"] = {"path": "path", "boolean": "flag"}[parameter.type.name]
    if isinstance(parameter.type, click.Choice):
        found["values"] = [*parameter.type.choices]
    for key, usual in (("is_flag", False), ("multiple", False), ("nargs", 1), ("help", None)):
        if getattr(parameter, key, usual) != usual:
            found[key] = getattr(parameter, key)
    return found


def table():
    """The table, from the declarations of all commands."""
    context = click.Context(cli)
    return {
        name: [_record(one) for one in cli.get_command(context, name).params]
        for name in sorted(COMMANDS)
    }


def write():
    """Write the table, with a line for each parameter."""
    commands = [
        f"{json.dumps(name)}: [\n"
        + ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
        + "\n]"
        for name, records in table().items()
    ]
    with open(completion.TABLE, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(commands) + "\n}\n")
