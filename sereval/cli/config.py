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
from . import SETTINGS_FILE
from .outputs import PathText
from .parameters import input_file, names

PROJECT = Path("pyproject.toml")
"""The file with the settings, in ``[tool.sereval]``, if ``--config`` names no file."""

NONE = "none"
"""The value of ``--config`` that turns settings off."""


def defaults(
    context: click.Context, group: click.Group, path: str | None
) -> dict[str, dict[str, Any]]:
    """Defaults of the options of the running command, from a file of settings."""
    file = Path(path or PROJECT)
    if path == NONE or path is None and not file.is_file():
        return {}
    if path is None:
        context.meta[SETTINGS_FILE] = str(file)

    def parse(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
        at, table = "", written
        if file.name == PROJECT.name:
            at, table = "tool.sereval.", written.get("tool", {}).get("sereval")
            if table is None and path is not None:
                raise SerevalError("no table [tool.sereval], expected the settings there")
        return {} if table is None else _defaults(context, group, table, file, at)

    return read_toml(file, parse, decimals=str)  # decimals stay text: 0.3 is exactly 300 ms


def _defaults(
    context: click.Context, group: click.Group, written: Mapping[str, Any], file: Path, at: str
) -> dict[str, dict[str, Any]]:
    """The values of a file for the running command; keys of other commands are checked."""
    options = {
        name: {
            max(one.opts, key=len).removeprefix("--"): one
            for one in command.params
            if isinstance(one, click.Option)
        }
        for name in group.list_commands(context)
        if (command := group.get_command(context, name)) is not None
    }
    common = {key: value for key, value in written.items() if not isinstance(value, dict)}
    of_command = {key: value for key, value in written.items() if key not in common}
    _check(common, {*(key for own in options.values() for key in own), *options}, at, "")
    _check(of_command, options, at, "")
    for name, table in of_command.items():
        _check(table, options[name], at, f"{name}.")
    running = context.invoked_subcommand or ""
    own, found = options.get(running, {}), dict[str, Any]()
    for place, table in ((at, common), (f"{at}{running}.", of_command.get(running, {}))):
        for key in table.keys() & own.keys():
            found[own[key].name or ""] = _value(context, place + key, own[key], table[key], file)
    return {running: found}


def _check(table: Mapping[str, Any], known: Iterable[str], at: str, command: str) -> None:
    """Refuse keys that are no options."""
    for key in table:
        if key not in known:
            what = f"an option of {command[:-1]}" if command else "an option, or a command"
            raise SerevalError(
                f"unknown key {at}{command}{key}, expected {what}{nearest(key, known)}"
            )


def _value(context: click.Context, key: str, option: click.Option, value: Any, file: Path) -> Any:
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
        texts = [_located(option, str(one), file.parent) for one in items]
        value = texts if option.multiple else texts[0]
        if SETTINGS_FILE in context.meta and any(_reaches_out(option, one) for one in texts):
            raise SerevalError(
                f"{key} counts only in a file that --config names, expected "
                f"--config {PROJECT}, or {max(option.opts, key=len)} on the command line"
            )
    try:
        option.process_value(context, value)
    except click.BadParameter as error:
        raise SerevalError(f"{key}: {error.message}") from None
    except SerevalError as error:
        raise SerevalError(f"{key}: {error}") from None
    return value


def _located(option: click.Option, text: str, folder: Path) -> str:
    """A path, relative to the folder of the file; other values unchanged."""
    path = str(folder / text)
    if option.name == "reading" and (grammar := input_file(option, text)) is not None:
        return f"equal={folder / grammar}"
    is_path = isinstance(option.type, PathText) and text != "-"
    is_name = text in names(option.name) or option.name == "subset" and not Path(path).is_file()
    return path if is_path and not is_name else text


def _reaches_out(option: click.Option, text: str) -> bool:
    """Whether a setting names a file, opens a connection, starts processes, or lifts a limit."""
    kind = option.type
    if (
        getattr(option, "group", "") == "Work"
        or isinstance(kind, PathText)
        and kind.role != "input"
    ):
        return True
    if option.name == "measure":
        from ..alignment.normalise import SUFFIX

        return SUFFIX in text.lower()  # it may name a table of words
    return input_file(option, text) is not None
