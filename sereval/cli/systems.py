"""The names of the systems that several HYPs come from."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from ..formats import FORMATS

system_option = click.option(
    "--system",
    "names",
    metavar="NAME",
    multiple=True,
    help="Name of a system, once for each HYP; by default what tells their paths apart.",
)


def system_names(paths: Sequence[str], given: Sequence[str]) -> Sequence[str]:
    """The names given by the user, or else by the paths."""
    if not given:
        return distinct_names(paths)
    if len(given) != len(paths):
        raise click.UsageError(
            f"found {len(given)} times --system for {len(paths)} HYPs, expected it for each"
        )
    for name in given:
        if not name or given.count(name) > 1:
            raise click.UsageError(f"found the system name {name!r}, expected different names")
    return given


def distinct_names(paths: Sequence[str]) -> list[str]:
    """What tells paths apart: the last of their components that differs from path to path.

    Where no single component does, all that are not the same everywhere. A suffix that names a
    format is left out. One path has the name of its last component.

    Raises:
        UsageError: two paths are the same.

    >>> distinct_names(["hyp/crf/asr", "hyp/gaz/asr/"]), distinct_names(["a/crf.ne"])
    (['crf', 'gaz'], ['crf'])
    >>> distinct_names(["crf/asr", "crf/manual", "gaz/asr"])
    ['crf/asr', 'crf/manual', 'gaz/asr']
    """
    split = [os.path.normpath(path).split(os.sep)[::-1] for path in paths]
    for backwards in split:
        stem, suffix = os.path.splitext(backwards[0])
        if any(suffix.lower() in reader.suffixes for reader in FORMATS.values()):
            backwards[0] = stem
    longest = max(map(len, split))
    columns = list(zip(*([*b, *[""] * (longest - len(b))] for b in split), strict=True))
    for column in columns:  # from the last component on
        if all(column) and len(set(column)) == len(paths):
            return list(column)
    telling = [column for column in reversed(columns) if len(set(column)) > 1]
    names = [
        "/".join(filter(None, parts)) or backwards[0]  # a path that is the end of another
        for *parts, backwards in zip(*telling, split, strict=True)
    ]
    if len(set(names)) < len(paths):
        raise click.UsageError(
            "the paths do not tell the systems apart, expected --system for each"
        )
    return names
