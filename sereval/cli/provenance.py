"""Provenance: the command of a report, the options that can change its result, and its inputs.

Every report in JSON has its provenance under ``provenance``; ``sereval gate`` scores with the same
options again. A provenance has no names of folders, so the same files give the same report in
every folder. This module also keeps the sizes of the sides for the report, and warns if there is
nothing to score.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from ..corpus.corpus import Size
from ..corpus.entries import Side
from ..documents.files import is_read_once
from ..errors import InputError, one_line
from ..formats import FORMATS
from ..render.numbers import counted
from ..render.report import PLAIN, Look, Report
from . import ARGUMENTS, SETTINGS_FILE
from .outputs import Result, Text, in_format, pieces_of, suffix_of, warning_of_formulas, write_all
from .paths import OUTPUTS, WORK, input_file
from .streams import on_screen, print_notes, visible, warn

KEY = "provenance"
"""The key of the provenance in a report."""

SIDES = {
    "ref": "ref",
    "a": "ref",
    "references": "ref",
    "hyp": "hyp",
    "hyps": "hyp",
    "b": "hyp",
    "others": "hyp",
    "manual": "hyp",
    "recognised": "hyp",
}
"""The side of each argument."""

SYMMETRIC = ("agreement",)
"""Commands without a reference: both sides are annotations of equal rank."""

SETTINGS = "settings"
"""The key, in the provenance, of settings from a file that ``--config`` does not name."""

NO_DIGIT = {"format", "show", "table", *OUTPUTS, *WORK}
"""Options that change no result: they choose outputs and processes."""


def write_report(
    report: Report,
    format: str,
    path: str,
    beside: Mapping[str, Result] | None = None,
    on_terminal: Callable[[str], str] | None = None,
    look: Look = PLAIN,
) -> None:
    """Write a report, with its provenance if it is JSON; for CSV print its notes.

    Args:
        report: the report.
        format: ``text``, ``json``, ``jsonl`` or ``csv``.
        path: the path of the report; ``-``: standard output.
        beside: other outputs of the command, by path.
        on_terminal: what to show of the report if standard output is a terminal; ``None``: the
            report, without control characters, and a text no wider than the terminal.
        look: how the text looks.

    Raises:
        InputError: an output cannot be written, or an input cannot be read a second time.
    """
    context = click.get_current_context()
    on_terminal = on_terminal or (on_screen if format == "text" else visible)
    kept = provenance(context) if format == "json" else None
    text = in_format(report, format, look, kept)
    if format == "text":
        text = with_origin(text, origin(context))
    if format == "csv":
        print_notes(report.notes)
    with warning_of_formulas() as passed:
        results = {
            name: one if isinstance(one, bytes) or suffix_of(name) != "csv" else passed(one)
            for name, one in (beside or {}).items()
        }
        write_all({**results, path: passed(text) if format == "csv" else text}, on_terminal)


def with_origin(text: Text, lines: Iterable[str]) -> Iterator[str]:
    """A report as text with the lines of ``origin`` at the start of its last paragraph.

    Args:
        text: the report. Its last piece contains the whole last paragraph.
        lines: the lines to add.

    >>> list(with_origin("SER\\n\\nSER|version:0\\n", ["settings of a.toml: --level 1"]))
    ['SER\\n\\nSettings of a.toml: --level 1.\\nSER|version:0\\n']
    """
    before = ""
    for piece in pieces_of(text):
        if before:
            yield before
        before = piece
    body, end, last = before.rpartition("\n\n")
    yield body + end + "".join(f"{line[0].upper()}{line[1:]}.\n" for line in lines) + last


def provenance(context: click.Context) -> dict[str, Any]:
    """The provenance of the running command.

    Returns:
        ``command``: its name. ``options``: its options in the form of the command line. ``inputs``:
        for each argument and option that names files, the ``name`` of each path, the SHA-256 of its
        ``files``, and for a side the numbers of its ``documents`` and ``elements``. ``settings``:
        the ``file`` of settings that ``--config`` does not name, and the ``options`` from it, if
        there are any.
    """
    options: list[str] = []
    inputs: dict[str, list[dict[str, Any]]] = {}
    found = {"file": context.meta.get(SETTINGS_FILE), "options": found_settings(context)}
    for parameter, values, _ in _parameters_in_use(context):
        files = [path for value in values if (path := input_file(parameter, value)) is not None]
        if files:
            role = SIDES.get(parameter.name or "", "")
            inputs[parameter.name or ""] = [
                _input(path, context.meta.get(SIZES, {}).get((role, path))) for path in files
            ]
        if parameter.name not in NO_DIGIT:
            others = [value for value in values if input_file(parameter, value) is None]
            options += _words_of(parameter, others)
    settings = {SETTINGS: found} if found["options"] else {}
    return {"command": context.info_name, "options": options, "inputs": inputs, **settings}


def found_settings(context: click.Context) -> list[str]:
    """The options of the running command from a settings file that ``--config`` does not name."""
    if SETTINGS_FILE not in context.meta:
        return []
    return [
        word
        for parameter, values, source in _parameters_in_use(context)
        if source is ParameterSource.DEFAULT_MAP
        for word in _words_of(parameter, values)
    ]


def print_settings(context: click.Context) -> None:
    """Print the options of ``found_settings`` on standard error."""
    for line in _settings_lines(context):
        warn(line)


def _settings_lines(context: click.Context) -> list[str]:
    found = found_settings(context)
    return [f"settings of {context.meta[SETTINGS_FILE]}: {shlex.join(found)}"] if found else []


def origin(context: click.Context) -> list[str]:
    """The lines of a report about its origin.

    They give the settings from a file that ``--config`` does not name, how many documents the user
    selected, the sizes of the sides, and the warning that there is nothing to score.
    """
    sizes = context.meta.get(SIZES, {})
    lines = _settings_lines(context)
    if SELECTION in context.meta:
        lines.append(context.meta[SELECTION])
    if {role for role, _ in sizes} == NAMES.keys() and context.info_name not in SYMMETRIC:
        lines += size_lines(sizes)
    if WARNING in context.meta:
        lines.append(context.meta[WARNING])
    return list(map(one_line, lines))


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


def _words_of(parameter: click.Parameter, values: Sequence[Any]) -> Iterator[str]:
    """An option in the form of the command line."""
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    for value in values:
        if not is_flag:
            yield from (parameter.opts[-1], str(value))
        elif value or parameter.secondary_opts:
            yield (parameter.opts if value else parameter.secondary_opts)[-1]


def _input(path: str, size: Size | None) -> dict[str, Any]:
    """An input: the digests of a file or of the files of a folder that are not hidden, its size."""
    name = os.path.basename(os.path.normpath(path))
    places: dict[str, str] = {}
    if os.path.isdir(path):
        inside = (each for each in sorted(os.listdir(path)) if not each.startswith("."))
        found = ((each, os.path.join(path, each)) for each in inside)
        places = {each: place for each, place in found if os.path.isfile(place)}
    elif not is_read_once(path):  # a pipe was read already
        places = {name: path}
    files = {each: digest(place) for each, place in places.items()}
    counts = {} if size is None else {"documents": size.documents, "elements": size.elements}
    return {"name": name, "files": files} | counts


def digest(path: str) -> str:
    """The SHA-256 of a file, in hexadecimal.

    Raises:
        InputError: the file cannot be read.
    """
    import hashlib  # slow to import

    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None


# The sizes of the sides

SIZES = "sereval.sizes"
"""The key, in the context, of the size of each side, in the order of ``NAMES``."""

WARNING = "sereval.warning"
"""The key, in the context, of the warning that there is nothing to score."""

SELECTION = "sereval.selection"
"""The key, in the context, of the sentence about selected documents."""

NAMES = {"ref": "reference", "hyp": "hypothesis"}
"""The names, in reports, of the sides that have elements."""


def keep_sizes(sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]) -> None:
    """Keep the sizes of the sides for the report, and warn if there is nothing to score.

    Args:
        sizes: the size of each side; files of times are left out.
        formats: gives the formats of the files of a side.
    """
    context = click.get_current_context()
    own = sorted((one for one in sizes if one[0] in NAMES), key=lambda one: [*NAMES].index(one[0]))
    kept = context.meta[SIZES] = {side: sizes[side] for side in own}
    warning = nothing_to_score(kept, formats)
    if warning:
        context.meta[WARNING] = warning
        warn(warning)


def keep_selection(path: str, selected: int, documents: int) -> None:
    """Keep a sentence for the report about the documents that the user selected.

    Args:
        path: the path of the reference.
        selected: the number of the documents that are scored.
        documents: the number of the documents of the reference.
    """
    found = f"scored {selected} of {counted(documents, 'document')} of {path} (--documents)"
    click.get_current_context().meta[SELECTION] = found


def nothing_to_score(
    sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]
) -> str | None:
    """The warning that no reference has an element; ``None`` if one has.

    Args:
        sizes: the size of each side.
        formats: gives the formats of the files of a side; the warning says how they mark elements.

    >>> sizes = {("ref", "a.ne"): Size(1), ("hyp", "b.ne"): Size(1)}
    >>> nothing_to_score(sizes, lambda side: ["inline"])
    'no elements on either side: looked for inline tags <label> … </label> in a.ne and b.ne'
    """
    references, hypotheses = (
        {side: size for side, size in sizes.items() if side[0] == role} for role in NAMES
    )
    if any(size.left for size in references.values()):
        return None
    paths = " and ".join(map(_path, references))
    number = sum(size.elements for size in references.values())
    if number:
        return (
            "nothing to score: --map, --only or --level leave none of "
            f"{counted(number, 'element')} of the reference {paths}"
        )
    if not any(size.elements for size in hypotheses.values()):
        return f"no elements on either side: {_marks_of(sizes, formats)}"
    others = ", ".join(f"{_path(side)} has {size.elements}" for side, size in hypotheses.items())
    return (
        f"no elements in the reference: {_marks_of(references, formats)}; the hypothesis {others}"
    )


def _marks_of(sides: Iterable[Side], formats: Callable[[Side], Iterable[str]]) -> str:
    """How elements are marked in the files of these sides, and the paths of the sides."""
    places: dict[str, list[str]] = {}
    for side in sides:
        found = sorted({FORMATS[one].elements for one in formats(side)})
        paths = places.setdefault(" or ".join(found), [])
        paths += [] if _path(side) in paths else [_path(side)]
    return "looked for " + ", and for ".join(
        f"{what} in {', '.join(of[:-1])}{' and ' * (len(of) > 1)}{of[-1]}"
        for what, of in places.items()
    )


def size_lines(sizes: Mapping[Side, Size]) -> list[str]:
    """The sizes of the sides as sentences: one line for two sides, else a line each.

    >>> size_lines({("ref", "a.ne"): Size(1, 2, 2), ("hyp", "-"): Size(1, 1, 1)})
    ['reference a.ne: 1 document, 2 elements; hypothesis standard input: 1 document, 1 element']
    """
    lines = [
        f"{NAMES[side[0]]} {_path(side)}: {counted(size.documents, 'document')}, "
        f"{counted(size.elements, 'element')}"
        for side, size in sizes.items()
    ]
    return ["; ".join(lines)] if len(lines) == len(NAMES) else lines


def _path(side: Side) -> str:
    return "standard input" if side[1] == "-" else side[1]
