"""What a report was made of: its command, the options that can change a digit, its inputs.

It stands in every JSON report under ``provenance``, so that ``sereval verify`` can make the report
again. Names of folders are left out: the same files give the same report, wherever they are.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from ..corpus.unread import Size
from ..errors import InputError, one_line
from ..formats.source import is_read_once
from ..report.json import with_key
from . import ARGUMENTS, FOUND
from .outputs import say_formulas, write_all
from .places import WORK, WRITTEN, file_of
from .sides import NAMES, NOTHING, SIZES, described

KEY = "provenance"
"""Where it stands in a report."""

SIDES = {"ref": "ref", "a": "ref", "hyp": "hyp", "hyps": "hyp", "b": "hyp"}
"""The side that each argument is of."""

SYMMETRIC = ("agreement",)
"""Commands with two sides, neither of which is a reference: their reports name none."""

SETTINGS = "settings"
"""Where in it the settings stand that nobody asked for."""

NO_DIGIT = {"format", *WRITTEN, *WORK}
"""Options that no digit depends on: what is written and where, and who works."""


def write_report(
    text: str, format: str, path: str, beside: Mapping[str, str | bytes] | None = None
) -> None:
    """Write a report, in JSON with what it was made of.

    Args:
        beside: what else the command writes, by path: all of it or nothing.

    Raises:
        InputError: as ``write_all``; an input that cannot be read a second time.
    """
    context = click.get_current_context()
    if format == "json":
        text = with_key(text, KEY, provenance(context))
    elif format == "text":
        text = with_origin(text, origin(context))
    write_all({**(beside or {}), path: text})
    tables = [other for name, other in (beside or {}).items() if name.lower().endswith(".csv")]
    for table in [*tables, *([text] if format == "csv" else [])]:
        say_formulas(str(table))


def with_origin(text: str, lines: Iterable[str]) -> str:
    """A report as text that says where it comes from, ahead of its last paragraph.

    >>> with_origin("SER\\n\\nSER|version:0\\n", ["settings of a.toml: --level 1"])
    'SER\\n\\nSettings of a.toml: --level 1.\\nSER|version:0\\n'
    """
    body, end, last = text.rpartition("\n\n")
    return body + end + "".join(f"{line[0].upper()}{line[1:]}.\n" for line in lines) + last


def provenance(context: click.Context) -> dict[str, Any]:
    """The command that runs, as its report keeps it.

    Returns:
        ``command``; ``options``, as they would be written on a command line; ``inputs``, for each
        argument and option that names any: ``name`` and the SHA-256 of each of its ``files``, and
        how many ``documents`` and ``elements`` a side has;
        ``settings``: the ``file`` of settings that was found unasked, if any counted, and the
        ``options`` that came from it.
    """
    options: list[str] = []
    inputs: dict[str, list[dict[str, Any]]] = {}
    found = {"file": context.meta.get(FOUND), "options": found_settings(context)}
    for parameter, values, _ in _given(context):
        files = [path for value in values if (path := file_of(parameter, value)) is not None]
        if files:
            role = SIDES.get(parameter.name or "", "")
            inputs[parameter.name or ""] = [
                _input(path) | _size(context.meta.get(SIZES, {}).get((role, path)))
                for path in files
            ]
        if parameter.name not in NO_DIGIT:
            others = [value for value in values if file_of(parameter, value) is None]
            options += _written(parameter, others)
    settings = {SETTINGS: found} if found["options"] else {}
    return {"command": context.info_name, "options": options, "inputs": inputs, **settings}


def found_settings(context: click.Context) -> list[str]:
    """The options of the command that runs that come from a file which nobody asked for."""
    if FOUND not in context.meta:
        return []
    return [
        word
        for parameter, values, source in _given(context)
        if source is ParameterSource.DEFAULT_MAP
        for word in _written(parameter, values)
    ]


def say_settings(context: click.Context) -> None:
    """A line on standard error about them."""
    for line in _said_of_settings(context):
        click.echo(f"sereval: {one_line(line)}", err=True)


def _said_of_settings(context: click.Context) -> list[str]:
    found = found_settings(context)
    return [f"settings of {context.meta[FOUND]}: {shlex.join(found)}"] if found else []


def origin(context: click.Context) -> list[str]:
    """What a report says of where it comes from, a line each: settings that nobody asked for, the
    sides, and that there is nothing to score."""
    sizes = context.meta.get(SIZES, {})
    lines = _said_of_settings(context)
    if {role for role, _ in sizes} == NAMES.keys() and context.info_name not in SYMMETRIC:
        lines += described(sizes)
    if NOTHING in context.meta:
        lines.append(context.meta[NOTHING])
    return list(map(one_line, lines))


def asked(
    command: click.Command, context: click.Context, words: Sequence[str]
) -> list[tuple[click.Parameter, list[Any]]]:
    """The parameters of a command that a command line has, with their values as they stand there.

    Raises:
        click.UsageError: it has an option that the command has not, or one without its value.
    """
    own = click.Context(command, parent=context, info_name=command.name)
    given, _, _ = command.make_parser(own).parse_args(list(words))
    found = ((one, given.get(one.name or "")) for one in command.get_params(own))
    return [
        (one, [values] if isinstance(values, str | bool) else list(values))
        for one, values in found
        if isinstance(values, bool) or (isinstance(values, str | list | tuple) and values)
    ]


def _given(
    context: click.Context,
) -> Iterator[tuple[click.Parameter, list[Any], ParameterSource]]:
    """What was given, on the command line or in a file of settings, before it was understood."""
    parser = context.command.make_parser(context)
    raw, _, _ = parser.parse_args(list(context.meta[ARGUMENTS]))
    for parameter in context.command.get_params(context):
        value, source = parameter.consume_value(context, raw)
        if source is not None and source is not ParameterSource.DEFAULT and value is not None:
            yield parameter, list(value) if isinstance(value, list | tuple) else [value], source


def _written(parameter: click.Parameter, values: Sequence[Any]) -> Iterator[str]:
    """An option as it would be written on a command line."""
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    for value in values:
        if not is_flag:
            yield from (parameter.opts[-1], str(value))
        elif value or parameter.secondary_opts:
            yield (parameter.opts if value else parameter.secondary_opts)[-1]


def _input(path: str) -> dict[str, Any]:
    """A file, or the files of a folder that are not hidden, each with its digest."""
    name = os.path.basename(os.path.normpath(path))
    if is_read_once(path):  # and it was
        return {"name": name, "files": {}}
    if not os.path.isdir(path):
        return {"name": name, "files": {name: digest(path)}}
    inside = (each for each in sorted(os.listdir(path)) if not each.startswith("."))
    places = ((each, os.path.join(path, each)) for each in inside)
    return {"name": name, "files": {one: digest(at) for one, at in places if os.path.isfile(at)}}


def digest(path: str) -> str:
    """SHA-256 of a file, in hexadecimal.

    Raises:
        InputError: it cannot be read.
    """
    import hashlib  # slow to import

    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None


def _size(size: Size | None) -> dict[str, int]:
    """How much was read of a side, where that is known."""
    return {} if size is None else {"documents": size.documents, "elements": size.elements}


def differences(kept: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Where inputs are not those of a report, a line each; what is in order has none."""
    lines = []
    for role in sorted({*kept, *found}):
        then, now = (_files(side.get(role, [])) for side in (kept, found))
        for name in sorted({*then, *now}):
            if then.get(name) != now.get(name):
                what = (
                    "is another"
                    if name in then and name in now
                    else ("is missing" if name in then else "is new")
                )
                lines.append(f"{role}: {name} {what}")
    return lines


def _files(inputs: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Digests by name of the input, if there are several of the role, and of the file."""
    several = len(inputs) > 1
    return {
        f"{k + 1}/{name}" if several else name: of_file
        for k, one in enumerate(inputs)
        for name, of_file in one["files"].items()
    }
