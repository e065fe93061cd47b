"""The checks of a command line that names a campaign file."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ..runs.conditions import OF_CONDITIONS, ConditionSides
from ..runs.pairs import words_of_each
from .inputs import check_paths
from .scoring import on_command_line


def check_campaign(context: click.Context, ref: str | None) -> None:
    """Refuse arguments and options that the campaign file replaces.

    Args:
        context: the context of the command.
        ref: the value of its argument REF.

    Raises:
        click.UsageError: the command line has one of them.
    """
    flags = on_command_line(context)
    found = ["REF"] if ref is not None else []
    found += [flags[key] for key in ("names", "align", "words", *OF_CONDITIONS) if key in flags]
    if found:
        raise click.UsageError(f"found {found[0]} and --campaign, expected one of them")


def check_conditions(conditions: Iterable[ConditionSides]) -> None:
    """Check the paths of each system, as ``check_paths``.

    Args:
        conditions: the conditions of the command.
    """
    for condition in conditions:
        sides, hyps = condition.sides, [*condition.systems.values()]
        for hyp, words in zip(hyps, words_of_each(sides["words"], hyps), strict=True):
            paths = (sides["ref"], hyp, sides["align"], words)
            check_paths([path for path in paths if isinstance(path, str) and path])
