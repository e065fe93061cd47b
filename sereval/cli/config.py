"""Files of settings: values for options that the command line leaves out.

The file is in TOML. Options at its top are for all commands; options in a table are for the command
of that name. They become defaults of the options, in click's ``default_map``. So the command line
overrides them, click checks them like the command line, and signatures show the values in use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..errors import SerevalError, nearest
from ..labels.toml import read_toml
from . import SETTINGS_FILE
from .paths import PATHS, input_file, is_name, names, needs_consent

PROJECT = Path("pyproject.toml")
"""The file with the settings, in ``[tool.sereval]``, if ``--config`` names no file."""

NONE = "none"
"""The value of ``--config`` that turns settings off."""


def defaults(
    context: click.Context, group: click.Group, path: str | None
) -> dict[str, dict[str, Any]]:
    """Defaults of options by command and parameter, from a file of settings.

    Args:
        context: click's context of ``group``, for the check of the running command's values.
        group: the group of all commands.
        path: the file; ``none``: no file; ``None``: ``pyproject.toml`` in this folder, if it has
            settings. A setting that needs consent (``paths.needs_consent``) is refused there.

    Raises:
        InputError: a key that is no option; a value that the option does not take; a setting that
            needs consent in a file that ``--config`` does not name.
    """
    if path == NONE or (path is None and not (_has_options(context, group) and PROJECT.is_file())):
        return {}
    file = PROJECT if path is None else Path(path)
    if path is None:
        context.meta[SETTINGS_FILE] = str(file)
    settings = partial(_Settings, context, group, file.parent, is_named=path is not None)

    def parse(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
        if file.name != PROJECT.name:
            return settings("").defaults(written)
        tables = written.get("tool", {})
        if "sereval" in tables:
            return settings("tool.sereval.").defaults(tables["sereval"])
        if path is not None:
            raise SerevalError("no table [tool.sereval], expected the settings there")
        return {}

    return read_toml(file, parse, decimals=str)  # decimals stay text: 0.3 is exactly 300 ms


def _has_options(context: click.Context, group: click.Group) -> bool:
    """Whether the running command has options, as most commands have."""
    command = group.get_command(context, context.invoked_subcommand or "")
    return command is None or any(isinstance(one, click.Option) for one in command.params)


class _Settings:
    """The settings of a file.

    Args:
        context: click's context of ``group``.
        group: the group of all commands.
        folder: the folder of the file; paths in the file are relative to it.
        at: the start of its keys in messages.
        is_named: whether ``--config`` names the file.
    """

    def __init__(
        self, context: click.Context, group: click.Group, folder: Path, at: str, *, is_named: bool
    ) -> None:
        self.context, self.group, self.folder, self.at = context, group, folder, at
        self.is_named = is_named
        self.options = {
            name: {
                max(one.opts, key=len).removeprefix("--"): one
                for one in command.params
                if isinstance(one, click.Option)
            }
            for name in group.list_commands(context)
            if (command := group.get_command(context, name)) is not None
        }

    def defaults(self, written: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The values of a file by command and parameter."""
        common = {key: value for key, value in written.items() if not isinstance(value, dict)}
        of_command = {key: value for key, value in written.items() if key not in common}
        known = {key for options in self.options.values() for key in options}
        self._check(common, {*known, *self.options}, "")
        self._check(of_command, self.options, "")
        for name, table in of_command.items():
            self._check(table, self.options[name], f"{name}.")
        found: dict[str, dict[str, Any]] = {}
        for name, options in self.options.items():
            found[name] = {}
            for at, table in (("", common), (f"{name}.", of_command.get(name, {}))):
                for key in table.keys() & options.keys():
                    option = options[key]
                    value = self._value(f"{self.at}{at}{key}", option, table[key])
                    if name == self.context.invoked_subcommand:
                        self._try(f"{self.at}{at}{key}", option, value)
                    found[name][option.name or ""] = value
        return found

    def _check(self, table: Mapping[str, Any], known: Iterable[str], at: str) -> None:
        for key in table:
            if key not in known:
                what = f"an option of {at[:-1]}" if at else "an option, or a command with a table"
                if key in ("tool", "sereval") and not self.at:
                    what = f"options at the top; the table [tool.sereval] belongs in {PROJECT}"
                raise SerevalError(
                    f"unknown key {self.at}{at}{key}, expected {what}{nearest(key, known)}"
                )

    def _value(self, key: str, option: click.Option, value: Any) -> Any:
        """A value as the command line would have it."""
        if option.is_flag:
            if not isinstance(value, bool):
                raise SerevalError(f"{key} is {value!r}, expected true or false")
            return value
        items = value if option.multiple and isinstance(value, list) else [value]
        for one in items:
            if isinstance(one, bool) or not isinstance(one, str | int):
                several = " or a list of them" if option.multiple else ""
                raise SerevalError(f"{key} is {one!r}, expected a string or a number{several}")
            if "\0" in str(one) or (not one and option.name in PATHS):
                raise SerevalError(
                    f"{key} is {one!r}, expected a text that is not empty and has no null character"
                )
        texts = [self._path(option, str(one)) for one in items]
        return texts if option.multiple else texts[0]

    def _path(self, option: click.Option, text: str) -> str:
        """A path, relative to the folder of the file; other values unchanged."""
        if option.name == "reading" and (grammar := input_file(option, text)) is not None:
            return f"equal={self.folder / grammar}"
        if option.name not in PATHS or text == "-":
            return text
        path = str(self.folder / text)
        if text in names(option.name) or option.name == "subset" and is_name("subset", path):
            return text
        return path

    def _try(self, key: str, option: click.Option, value: Any) -> None:
        """Check a value as the command does, so that the message names the key in the file."""
        values = value if isinstance(value, list) else [value]
        if not self.is_named and any(needs_consent(option, one) for one in values):
            raise SerevalError(
                f"{key} counts only in a file that --config names, expected "
                f"--config {PROJECT}, or {max(option.opts, key=len)} on the command line"
            )
        command = self.group.commands[self.context.invoked_subcommand or ""]
        try:
            option.process_value(click.Context(command, parent=self.context), value)
        except click.BadParameter as error:
            raise SerevalError(f"{key}: {error.message}") from None
        except SerevalError as error:
            raise SerevalError(f"{key}: {error}") from None
