"""The checks of a command line that names a campaign file."""

from __future__ import annotations

import click

from ..runs.conditions import OF_CONDITIONS
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
