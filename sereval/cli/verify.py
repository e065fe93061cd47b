"""``sereval verify``."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import click

from ..documents.files import json_of, read_text
from ..errors import InputError, SerevalError, one_line
from ..formats.file import quote
from .config import NONE
from .help import command
from .outputs import check_free, write
from .paths import WORK, input_file
from .provenance import KEY, NO_DIGIT, SETTINGS, differences, parameters_of
from .streams import warn

ABSENT = ()
"""Marks a value that one report lacks; ``None`` is the value ``null`` of JSON."""

MOST_LISTED = 10
"""The number of differences that are listed. The others are counted."""

MAKERS = ("score", "compare", "sweep", "agreement", "blame", "templates", "align", "stats")
"""Commands whose reports have a provenance."""


@command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("report", metavar="REPORT.json")
@click.argument("arguments", metavar="REF HYP...", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def verify(context: click.Context, report: str, arguments: tuple[str, ...]) -> None:
    """Make a report again and compare its values.

    REPORT.json is a report that a command wrote with --format json. After it come the inputs of
    that command: REF, HYP, --align, --words. The other options are in the report, except --jobs and
    --scheduler, which may be added.
    """
    written = read_written(report)
    kept = written[KEY]
    again = make_again(context, written, arguments, report)
    lines = [f"input {line}" for line in differences(kept["inputs"], again[KEY]["inputs"])]
    pairs = list(_compare(_all(written), _all(again)))
    lines += sorted(
        {
            f"made by version {then}, made again by version {now}"
            for place, old, new in pairs
            for then, now in [(_version(place, old), _version(place, new))]
            if then and now and then != now
        }
    )
    wrong = [
        f"{place}: {_show(old)} in the report, {_show(new)} now"
        for place, old, new in pairs
        if (type(old), _without_version(place, old)) != (type(new), _without_version(place, new))
    ]
    if wrong:
        lines += [
            *wrong[:MOST_LISTED],
            *([f"and {len(wrong) - MOST_LISTED} more"] if wrong[MOST_LISTED:] else []),
        ]
        for line in lines:
            warn(f"{report}: {line}")
        raise InputError(
            f"{len(wrong)} values do not hold, expected the values computed now", path=report
        )
    count = sum(not place.startswith(f"{KEY}.") for place, _, _ in pairs)
    write("".join(f"{one_line(line)}\n" for line in [*lines, f"all {count} values hold"]), "-")


def read_written(path: str) -> dict[str, Any]:
    """A report with its provenance.

    Raises:
        InputError: the file is not JSON, or has no complete provenance.
    """
    text = read_text(path)
    try:
        report = json_of(text)
    except SerevalError as error:
        raise InputError(str(error), path=path) from None
    if not isinstance(report, dict) or not _is_whole(report.get(KEY)):
        raise InputError(
            f"no complete {KEY!r}, expected a report that sereval wrote with --format json",
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


def make_again(
    context: click.Context,
    written: Mapping[str, Any],
    arguments: Sequence[str],
    path: str,
    *,
    makers: Collection[str] = MAKERS,
    output: str = "-",
) -> dict[str, Any]:
    """The report that the same command and options make from the inputs as they are now.

    Args:
        context: the context of the running command.
        written: the report.
        arguments: the inputs, and options about processes.
        path: the path of the report.
        makers: the commands whose reports can be made again.
        output: where the result of the running command goes.

    Raises:
        click.UsageError: as the command that made the report; other options among the arguments.
        InputError: the report is of another command, or its options are not to be trusted; the
            result would replace the report or an input.
    """
    kept = written[KEY]
    group = context.find_root().command
    assert isinstance(group, click.Group)
    name = kept["command"]
    command = group.get_command(context, name) if name in makers else None
    if command is None:
        expected = f"{'one of ' if len(makers) > 1 else ''}{', '.join(makers)}"
        raise InputError(f"command {quote(name)}, expected {expected}", path=path)
    options = _options(command, context, kept["options"], path)
    made = io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        inputs = _inputs(command, context, arguments)
        check_free(filter(os.path.isfile, [output]), [path, *inputs])
        with contextlib.redirect_stdout(made):
            group.main(
                ["--config", NONE, name, *arguments, "--format", "json"],
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
    again: dict[str, Any] = json_of(made.buffer.getvalue().decode("utf-8"))
    return again


def _options(
    command: click.Command, context: click.Context, options: Sequence[str], path: str
) -> dict[str, Any]:
    """The options of a report as settings, including those that came from a file of settings.

    A report may come from anyone, so options that read, write or connect are refused.
    """
    try:
        named = parameters_of(command, context, options)
    except click.UsageError as error:
        raise InputError(f"its options: {error.format_message()}", path=path) from None
    if "--" in options:
        raise InputError("its options include --, expected options only", path=path)
    for parameter, values in named:
        is_read = any(input_file(parameter, value) is not None for value in values)
        is_help = isinstance(parameter, click.Option) and parameter.is_eager
        if is_read or is_help or parameter.name in NO_DIGIT:
            raise InputError(
                f"its options include {parameter.opts[-1]}, expected those that can change a digit",
                path=path,
            )
    return {
        parameter.name or "": values if parameter.multiple else values[-1]
        for parameter, values in named
        if isinstance(parameter, click.Option)
    }


def _inputs(command: click.Command, context: click.Context, arguments: Sequence[str]) -> list[str]:
    """The inputs among the arguments; the others are options of processes, or refused."""
    name = context.info_name
    inputs: list[str] = []
    for parameter, values in parameters_of(command, context, arguments):
        is_read = all(input_file(parameter, value) is not None for value in values)
        if not (is_read or parameter.name in WORK):
            raise click.UsageError(
                f"{name} does not take {parameter.opts[-1]}, expected inputs, --jobs or --scheduler"
            )
        inputs += values if is_read else []
    return inputs


def _roles(command: click.Command, inputs: Mapping[str, Any]) -> str:
    """The inputs of a command as its usage line names them."""
    shown = [
        (one.opts[-1] if isinstance(one, click.Option) else one.human_readable_name.rstrip("."))
        for one in command.params
        for _ in inputs.get(one.name or "", ())
    ]
    return " ".join(shown)


def _all(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without the parts that name files."""
    aside = ("inputs", SETTINGS)
    return {**report, KEY: {name: one for name, one in report[KEY].items() if name not in aside}}


_VERSION = re.compile(r"(?<=\|version:)[^|]+")


def _version(place: str, value: Any) -> str:
    """The version in a signature; empty for other values, and for signatures without one."""
    is_signature = place.rpartition(".")[2] == "signature" and isinstance(value, str)
    found = _VERSION.search(value) if is_signature else None
    return found[0] if found else ""


def _without_version(place: str, value: Any) -> Any:
    """A value for the comparison: a signature without the number of its version."""
    version = _version(place, value)
    return value.replace(f"|version:{version}", "|version:", 1) if version else value


def _compare(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The values of two reports, place by place; ``ABSENT`` for a value that a report lacks."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({*old, *new}):
            one, other = old.get(name, ABSENT), new.get(name, ABSENT)
            yield from _compare(one, other, f"{place}.{name}".lstrip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _compare(one, other, f"{place}[{k}]")
    else:
        yield place, old, new


def _show(value: Any) -> str:
    text = "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"
