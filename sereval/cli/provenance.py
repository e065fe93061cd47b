"""Provenance: the command of a report, the options that can change its result, and its inputs.

Every report in JSON has its provenance under ``provenance``; ``sereval gate`` scores with the same
options again. A provenance has no names of folders, so the same files give the same report in
every folder. A report as text has its origin: the sizes of its sides, and what limits them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from filecmp import cmp, cmpfiles
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..corpus.corpus import Size
from ..corpus.entries import Side
from ..documents.files import is_read_once, open_file
from ..errors import meant, one_line
from ..formats import FORMATS
from ..render.text import counted
from . import SETTINGS_FILE
from .parameters import input_file

if TYPE_CHECKING:
    from .line import Line

NO_DIGIT = {"format", "show", "table"}
"""Options that change no result, besides those of outputs and processes."""


def provenance(line: Line) -> dict[str, Any]:
    """The provenance of a command."""
    options: list[str] = []
    inputs: dict[str, list[dict[str, Any]]] = {}
    sizes = {path: size for (_, path), size in line.sizes.items()}
    for parameter, values, _ in line.in_use():
        is_side = isinstance(parameter, click.Argument)
        files = [path for value in values if (path := input_file(parameter, value)) is not None]
        if files:
            known = sizes if is_side else {}
            inputs[parameter.name or ""] = [_input(path, known.get(path)) for path in files]
        if not _changes_nothing(parameter):
            options += _words_of(parameter, [v for v in values if input_file(parameter, v) is None])
    found: dict[str, Any] = {"command": line.click.info_name, "options": options, "inputs": inputs}
    if line.settings:
        found["settings"] = {"file": line.click.meta[SETTINGS_FILE], "options": line.settings}
    return found


def _changes_nothing(parameter: click.Parameter) -> bool:
    return (
        getattr(parameter.type, "role", "") == "output"
        or parameter.name in NO_DIGIT
        or getattr(parameter, "group", "") == "Work"
    )


def found_settings(line: Line) -> list[str]:
    """The options of the command from a settings file that ``--config`` does not name."""
    return [
        word
        for parameter, values, source in line.in_use()
        if source is ParameterSource.DEFAULT_MAP
        for word in _words_of(parameter, values)
    ]


def origin(line: Line) -> list[str]:
    """The lines of a report about its origin."""
    lines = [line.told]
    # both sides of an agreement are annotations of equal rank, and none a reference
    if {role for role, _ in line.sizes} == NAMES.keys() and line.click.info_name != "agreement":
        sizes = [
            f"{NAMES[side[0]]} {_path(side)}: {counted(size.documents, 'document')}, "
            f"{counted(size.elements, 'element')}"
            for side, size in line.sizes.items()
        ]
        lines += ["; ".join(sizes)] if len(sizes) == len(NAMES) else sizes
    return [*map(one_line, filter(None, [*lines, line.warning]))]


def _words_of(parameter: click.Parameter, values: Sequence[Any]) -> Iterator[str]:
    """An argument, or an option in the form of the command line."""
    for value in values:
        if not isinstance(parameter, click.Option):
            yield str(value)
        elif not parameter.is_flag:
            yield from (parameter.opts[-1], str(value))
        elif value or parameter.secondary_opts:
            yield (parameter.opts if value else parameter.secondary_opts)[-1]


def typed(line: Line, without: Collection[str] = ()) -> Iterator[str]:
    """The arguments and options that were typed, but for outputs, processes and some others."""
    for parameter, values, source in line.in_use():
        is_typed = source is ParameterSource.COMMANDLINE and not _changes_nothing(parameter)
        if is_typed and parameter.name not in without:
            yield from _words_of(parameter, values)


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
    import hashlib  # slow to import

    files = {}
    for each, place in places.items():
        with open_file(place) as file:
            files[each] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    counts = {} if size is None else {"documents": size.documents, "elements": size.elements}
    return {"name": name, "files": files} | counts


NAMES = {"ref": "reference", "hyp": "hypothesis"}
"""The names, in reports, of the sides that have elements."""


def nothing_to_score(sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]) -> str:
    """The warning that no reference has an element; empty if one has."""
    own = {side: size for side, size in sizes.items() if side[0] == "ref"}
    marks = sorted({FORMATS[one].elements for side in own for one in formats(side)} - {""})
    if not marks or any(size.left for size in own.values()):
        return ""  # words alone were scored, or there is an element
    paths = " and ".join(map(_path, own))
    number = sum(size.elements for size in own.values())
    if number:
        return (
            "nothing to score: --map, --only or --level leave none of "
            f"{counted(number, 'element')} of the reference {paths}"
        )
    others = (
        f"{_path(side)} has {size.elements}" for side, size in sizes.items() if side not in own
    )
    return (
        f"no elements in the reference: looked for {' or '.join(marks)} in {paths}; "
        f"the hypothesis {', '.join(others)}"
    )


def traps(sizes: Mapping[Side, Size], *, has_both: bool) -> Iterator[str]:
    """What is hardly meant: a side without words, the reference as hypothesis, other labels."""
    # if has_both, a file may hold the tags of both sides
    for (role, path), size in sizes.items():
        if size.documents and not size.words + size.elements:
            yield f"no words in the {NAMES[role]} {path}"
    references, hypotheses = (
        {side: size for side, size in sizes.items() if side[0] == role} for role in NAMES
    )
    for reference, ours in references.items():
        for hypothesis, theirs in hypotheses.items():
            paths = f"the hypothesis {_path(hypothesis)}", f"the reference {_path(reference)}"
            if not has_both and _are_same(reference[1], hypothesis[1]):
                yield f"{paths[0]} is byte for byte {paths[1]}"
            if ours.labels and theirs.labels and ours.labels.isdisjoint(theirs.labels):
                pairs = meant(sorted(theirs.labels), ours.labels)
                yield f"{paths[0]} shares no label with {paths[1]}{pairs}; rename them with --map"


def _are_same(one: str, other: str) -> bool:
    """Whether two files have the same bytes, or two folders the same files."""
    if not os.path.isdir(one) or not os.path.isdir(other):
        return os.path.isfile(one) and os.path.isfile(other) and cmp(one, other, shallow=False)
    names = os.listdir(one)
    same, *_ = cmpfiles(one, other, names, shallow=False)
    return {*same} == {*names} == {*os.listdir(other)}


def _path(side: Side) -> str:
    return "standard input" if side[1] == "-" else side[1]
