"""``sereval verify``."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ..errors import InputError, SerevalError, one_line
from ..formats.records import report as read_report
from ..formats.source import decode, file_bytes, quote
from .config import NONE
from .outputs import write
from .places import WORK, file_of
from .provenance import KEY, NO_DIGIT, SETTINGS, differences, parameters_of

NOTHING = ()
"""Stands for an absent value, which ``null`` is not."""

SHOWN = 10
"""How many differences are listed; the others are counted."""

MAKERS = ("score", "compare", "sweep", "agreement", "templates")
"""The commands whose reports have a provenance."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("report", metavar="REPORT.json")
@click.argument("arguments", metavar="REF HYP...", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def verify(context: click.Context, report: str, arguments: tuple[str, ...]) -> None:
    """Make a report again, and say whether its digits hold.

    REPORT.json is what a command wrote with --format json; after it comes what that command was
    given to read: REF, HYP, --align, --words. The other options stand in the report, but for who
    is to do the work: --jobs, --scheduler.
    """
    written = _read(report)
    kept = written[KEY]
    again = _made_again(context, kept, arguments, report)
    lines = [f"input {line}" for line in differences(kept["inputs"], again[KEY]["inputs"])]
    pairs = list(_compared(_all(written), _all(again)))
    lines += sorted(
        {
            f"made by version {then}, made again by version {now}"
            for place, old, new in pairs
            for then, now in [(_version(place, old), _version(place, new))]
            if then and now and then != now
        }
    )
    wrong = [
        f"{place}: {_shown(old)}, again {_shown(new)}"
        for place, old, new in pairs
        if (type(old), _unversioned(place, old)) != (type(new), _unversioned(place, new))
    ]
    if wrong:
        lines += [*wrong[:SHOWN], *([f"and {len(wrong) - SHOWN} more"] if wrong[SHOWN:] else [])]
        for line in lines:
            click.echo(one_line(f"sereval: {report}: {line}"), err=True)
        raise InputError(
            f"{len(wrong)} values do not hold, expected those found again", path=report
        )
    count = sum(not place.startswith(f"{KEY}.") for place, _, _ in pairs)
    write("".join(f"{one_line(line)}\n" for line in [*lines, f"all {count} values hold"]), "-")


def _read(path: str) -> dict[str, Any]:
    """A report with its provenance.

    Raises:
        InputError: no JSON, or a report without provenance.
    """
    text = decode(file_bytes(path, "a report in JSON"), path, "utf-8")
    try:
        report = read_report(text)
    except SerevalError as error:
        raise InputError(str(error), path=path) from None
    if not isinstance(report, dict) or not _is_whole(report.get(KEY)):
        raise InputError(
            f"it does not say what it was made of, expected a report of --format json with {KEY!r}",
            path=path,
        )
    return report


def _is_whole(kept: Any) -> bool:
    if not isinstance(kept, dict):
        return False
    options, inputs = kept.get("options"), kept.get("inputs")
    return (
        isinstance(kept.get("command"), str)
        and isinstance(options, list)
        and all(isinstance(option, str) for option in options)
        and isinstance(inputs, dict)
        and all(
            isinstance(one, dict) and isinstance(one.get("files"), dict)
            for of_role in inputs.values()
            for one in (of_role if isinstance(of_role, list) else [None])
        )
    )


def _made_again(
    context: click.Context, kept: Mapping[str, Any], arguments: Sequence[str], path: str
) -> dict[str, Any]:
    """The report that the same command and options make of the files that are read now."""
    group = context.find_root().command
    assert isinstance(group, click.Group)
    name = kept["command"]
    command = group.get_command(context, name) if name in MAKERS else None
    if command is None:
        raise InputError(f"command {quote(name)}, expected one of {', '.join(MAKERS)}", path=path)
    options = _options(command, context, kept["options"], path)
    with tempfile.TemporaryDirectory(prefix="sereval-") as folder:
        output = os.path.join(folder, "again.json")
        line = ["--config", NONE, name, *arguments]
        try:
            _check_arguments(command, context, arguments)
            group.main(
                [*line, "--format", "json", "--output", output],
                prog_name="sereval",
                standalone_mode=False,
                default_map={name: options},
            )
        except click.UsageError as error:
            usage = error.format_message().rstrip(".")
            raise click.UsageError(
                f"{usage}; {path} was made by {name}, which read {_roles(command, kept['inputs'])}",
                context,
            ) from None
        return _read(output)


def _options(
    command: click.Command, context: click.Context, options: Sequence[str], path: str
) -> dict[str, Any]:
    """The options of a report as settings, since some of them may come from a file of settings.

    A report comes from anywhere: its options write nothing, read nothing and ask nobody.
    """
    try:
        given = parameters_of(command, context, options)
    except click.UsageError as error:
        raise InputError(f"its options: {error.format_message()}", path=path) from None
    if "--" in options:
        raise InputError("its options have --, expected options alone", path=path)
    for parameter, values in given:
        is_read = any(file_of(parameter, value) is not None for value in values)
        if is_read or _is_help(parameter) or parameter.name in NO_DIGIT:
            raise InputError(
                f"its options have {parameter.opts[-1]}, expected those alone that change a digit",
                path=path,
            )
    return {
        parameter.name or "": values if parameter.multiple else values[-1]
        for parameter, values in given
        if isinstance(parameter, click.Option)
    }


def _check_arguments(
    command: click.Command, context: click.Context, arguments: Sequence[str]
) -> None:
    """Refuse options that stand in the report: only inputs and workers are named again."""
    for parameter, values in parameters_of(command, context, arguments):
        is_read = all(file_of(parameter, value) is not None for value in values)
        if not (is_read or parameter.name in WORK):
            raise click.UsageError(
                f"{parameter.opts[-1]} is not taken here, expected what is read, or who works"
            )


def _is_help(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and parameter.is_eager


def _roles(command: click.Command, inputs: Mapping[str, Any]) -> str:
    """The inputs of a command under the names of its usage."""
    shown = [
        (one.opts[-1] if isinstance(one, click.Option) else one.human_readable_name.rstrip("."))
        for one in command.params
        for _ in inputs.get(one.name or "", ())
    ]
    return " ".join(shown)


def _all(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without the names of its files."""
    aside = ("inputs", SETTINGS)
    return {**report, KEY: {name: one for name, one in report[KEY].items() if name not in aside}}


_VERSION = re.compile(r"(?<=\|version:)[^|]+")


def _is_signature(place: str) -> bool:
    return place.rpartition(".")[2] == "signature"


def _version(place: str, value: Any) -> str:
    """The version in a signature; empty if it has none, or the value is no signature."""
    found = _VERSION.search(value) if _is_signature(place) and isinstance(value, str) else None
    return found[0] if found else ""


def _unversioned(place: str, value: Any) -> Any:
    """A value as it is compared: a signature without the number of its version."""
    version = _version(place, value)
    return value.replace(f"|version:{version}", "|version:", 1) if version else value


def _compared(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Each value of two reports with its place; ``NOTHING`` stands for one that is absent."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({*old, *new}):
            one, other = old.get(name, NOTHING), new.get(name, NOTHING)
            yield from _compared(one, other, f"{place}.{name}".lstrip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _compared(one, other, f"{place}[{k}]")
    else:
        yield place, old, new


def _shown(value: Any) -> str:
    text = "nothing" if value is NOTHING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"
