"""Files of settings: values for options that the command line leaves out.

The file is in TOML. Options at its top are for all commands; options in a table are for the command
of that name. They become defaults of the options, in click's ``default_map``. So the command line
overrides them, click checks them like the command line, and signatures show the values in use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from ..documents.files import read_toml
from ..errors import SerevalError, nearest
from .parameters import PathText, ReadingText, input_file, names


def defaults(context: click.Context, group: click.Group, path: str) -> dict[str, dict[str, Any]]:
    """Defaults of the options of the running command; keys of other commands are checked."""
    options = {
        name: {
            max(one.opts, key=len).removeprefix("--"): one
            for one in command.params
            if isinstance(one, click.Option)
        }
        for name in group.list_commands(context)
        if (command := group.get_command(context, name)) is not None
    }
    running, folder = context.invoked_subcommand or "", Path(path).parent

    def parse(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
        of_command = {key: value for key, value in written.items() if isinstance(value, dict)}
        common = {key: value for key, value in written.items() if key not in of_command}
        _check(common, {*(key for own in options.values() for key in own), *options}, "")
        _check(of_command, options, "")
        for name, table in of_command.items():
            _check(table, options[name], f"{name}.")
        own, found = options.get(running, {}), dict[str, Any]()
        for place, table in (("", common), (f"{running}.", of_command.get(running, {}))):
            for key in table.keys() & own.keys():
                found[own[key].name or ""] = _value(
                    context, place + key, own[key], table[key], folder
                )
        return {running: found}

    return read_toml(Path(path), parse, decimals=str)  # decimals stay text: 0.3 is exactly 300 ms


def _check(table: Mapping[str, Any], known: Iterable[str], command: str) -> None:
    """Refuse keys that are no options."""
    for key in table:
        if key not in known:
            what = f"an option of {command[:-1]}" if command else "an option, or a command"
            raise SerevalError(f"unknown key {command}{key}, expected {what}{nearest(key, known)}")


def _value(context: click.Context, key: str, option: click.Option, value: Any, folder: Path) -> Any:
    """A value as the command line would have it, which the option takes."""
    items = value if option.multiple and isinstance(value, list) else [value]
    kind: Any = bool if option.is_flag else str | int
    for one in items:
        if not isinstance(one, kind) or isinstance(one, bool) != option.is_flag:
            several = " or a list of them" if option.multiple else ""
            expected = "true or false" if option.is_flag else f"a string or a number{several}"
            raise SerevalError(f"{key} is {one!r}, expected {expected}")
        if "\0" in str(one):
            raise SerevalError(f"{key} is {one!r}, expected a text without a null character")
    if not option.is_flag:
        texts = [_located(option, str(one), folder) for one in items]
        value = texts if option.multiple else texts[0]
    try:
        option.process_value(context, value)
    except (click.BadParameter, SerevalError) as error:
        said = error.message if isinstance(error, click.BadParameter) else error
        raise SerevalError(f"{key}: {said}") from None
    return value


def _located(option: click.Option, text: str, folder: Path) -> str:
    """A path, relative to the folder of the file; other values unchanged."""
    path = str(folder / text)
    if isinstance(option.type, ReadingText) and (grammar := input_file(option, text)) is not None:
        return f"equal={folder / grammar}"
    is_path = isinstance(option.type, PathText) and text != "-"
    is_name = text in names(option.name) or option.name == "subset" and not Path(path).is_file()
    return path if is_path and not is_name else text
