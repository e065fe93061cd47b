"""Provenance: the command of a report, its options that can change a digit, and its inputs.

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
"""The key of the provenance in a report."""

SIDES = {"ref": "ref", "a": "ref", "hyp": "hyp", "hyps": "hyp", "b": "hyp"}
"""The side of each argument."""

SYMMETRIC = ("agreement",)
"""Commands whose two sides are alike: their reports call neither of them a reference."""

SETTINGS = "settings"
"""The key, in the provenance, of settings from a file that the command line does not name."""

NO_DIGIT = {"format", *WRITTEN, *WORK}
"""Options that change no digit: what is written, where, and by which processes."""


def write_report(
    text: str, format: str, path: str, beside: Mapping[str, str | bytes] | None = None
) -> None:
    """Write a report; one in JSON gets its provenance.

    Args:
        beside: other outputs of the command, by path; either all of them are written or none.

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
    """A report as text with the lines of ``origin`` ahead of its last paragraph.

    >>> with_origin("SER\\n\\nSER|version:0\\n", ["settings of a.toml: --level 1"])
    'SER\\n\\nSettings of a.toml: --level 1.\\nSER|version:0\\n'
    """
    body, end, last = text.rpartition("\n\n")
    return body + end + "".join(f"{line[0].upper()}{line[1:]}.\n" for line in lines) + last


def provenance(context: click.Context) -> dict[str, Any]:
    """The provenance of the running command.

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
    for parameter, values, _ in _parameters_in_use(context):
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
    """The options of the running command that come from a file the command line does not name."""
    if FOUND not in context.meta:
        return []
    return [
        word
        for parameter, values, source in _parameters_in_use(context)
        if source is ParameterSource.DEFAULT_MAP
        for word in _written(parameter, values)
    ]


def say_settings(context: click.Context) -> None:
    """Name these options on standard error."""
    for line in _settings_lines(context):
        click.echo(f"sereval: {one_line(line)}", err=True)


def _settings_lines(context: click.Context) -> list[str]:
    found = found_settings(context)
    return [f"settings of {context.meta[FOUND]}: {shlex.join(found)}"] if found else []


def origin(context: click.Context) -> list[str]:
    """The lines of a report about its origin: settings from a file that the command line does not
    name, the sizes of the sides, and a warning if there is nothing to score."""
    sizes = context.meta.get(SIZES, {})
    lines = _settings_lines(context)
    if {role for role, _ in sizes} == NAMES.keys() and context.info_name not in SYMMETRIC:
        lines += described(sizes)
    if NOTHING in context.meta:
        lines.append(context.meta[NOTHING])
    return list(map(one_line, lines))


def parameters_of(
    command: click.Command, context: click.Context, words: Sequence[str]
) -> list[tuple[click.Parameter, list[Any]]]:
    """The parameters that a command line gives to a command, with their values as text.

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


def _parameters_in_use(
    context: click.Context,
) -> Iterator[tuple[click.Parameter, list[Any], ParameterSource]]:
    """Parameters from the command line or a file of settings, with their values as text."""
    parser = context.command.make_parser(context)
    raw, _, _ = parser.parse_args(list(context.meta[ARGUMENTS]))
    for parameter in context.command.get_params(context):
        value, source = parameter.consume_value(context, raw)
        if source is not None and source is not ParameterSource.DEFAULT and value is not None:
            yield parameter, list(value) if isinstance(value, list | tuple) else [value], source


def _written(parameter: click.Parameter, values: Sequence[Any]) -> Iterator[str]:
    """An option in the form of the command line."""
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    for value in values:
        if not is_flag:
            yield from (parameter.opts[-1], str(value))
        elif value or parameter.secondary_opts:
            yield (parameter.opts if value else parameter.secondary_opts)[-1]


def _input(path: str) -> dict[str, Any]:
    """The digest of a file, or of each file of a folder that is not hidden."""
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
    """The number of documents and elements of a side, where it is known."""
    return {} if size is None else {"documents": size.documents, "elements": size.elements}


def differences(kept: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """The differences between the inputs of a report and those found now, a line each."""
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
    """Digests by name of the file, after the number of the input where a role has several."""
    several = len(inputs) > 1
    return {
        f"{k + 1}/{name}" if several else name: of_file
        for k, one in enumerate(inputs)
        for name, of_file in one["files"].items()
    }
