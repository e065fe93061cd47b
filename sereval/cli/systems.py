"""The names of the systems of several HYPs."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from ..formats import FORMATS
from .help import option

system_option = option(
    "--system",
    "names",
    group="Files and formats",
    metavar="NAME",
    multiple=True,
    help="Name of a system, once for each HYP; by default the part of each path that differs.",
)


def system_names(paths: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """The names of systems, one for each path.

    Args:
        paths: the paths of the hypotheses.
        names: the values of ``--system``; none: names are made from the paths.

    Raises:
        click.UsageError: another number of names; an empty name, or one name for two systems.
    """
    if not names:
        return distinct_names(paths)
    if len(names) != len(paths):
        raise click.UsageError(
            f"found {len(names)} --system for {len(paths)} HYPs, expected one for each HYP"
        )
    for name in names:
        if not name or names.count(name) > 1:
            raise click.UsageError(f"found the system name {name!r}, expected different names")
    return names


def distinct_names(paths: Sequence[str]) -> list[str]:
    """A name for each path: its last component that differs from path to path.

    If there is no such component, the name joins all components that are not the same in all paths.
    The suffix of a format is left out. The name of a single path is its last component.

    Raises:
        click.UsageError: two paths are the same.

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
    different = [column for column in reversed(columns) if len(set(column)) > 1]
    names = [
        "/".join(filter(None, parts)) or backwards[0]  # a path that is the end of another
        for *parts, backwards in zip(*different, split, strict=True)
    ]
    if len(set(names)) < len(paths):
        raise click.UsageError(
            "the paths do not tell the systems apart, expected --system for each"
        )
    return names
