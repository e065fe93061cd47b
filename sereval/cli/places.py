"""Which arguments and options name files, so that a shell completes them as such."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

PLACES = {
    "align",
    "words",
    "label_map",
    "campaign",
    "grammar",
    "output",
    "aligned",
    "plot",
    "collate",
    "audio",
}
"""Options whose value is a path, by the name of their parameter; so is every argument.
``--grammar`` is one unless it names a grammar that comes along."""


class Place(click.types.StringParamType):
    """A path as it was written; what is wrong with it is said by whoever opens it."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text of a path; an empty one is a slip, such as a variable that was never set."""
        if value == "":
            self.fail("found an empty name, expected a file", param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What the shell finds on the disk, and the names that are known here.

        The disk comes first: bash, as click makes it complete, forgets what came before a file.
        """
        from ..grammar import bundled  # which nothing else here needs

        names = bundled() if param.name == "grammar" else ()
        known = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *known]

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:
        """What click says after the name of an option that has to be given."""
        from ..grammar import bundled

        if param.name != "grammar":
            return None
        return f"Expected a TOML file or one of: {', '.join(bundled())}."


def with_places(command: click.Command) -> click.Command:
    """The command, with paths where it takes paths."""
    for parameter in command.params:
        is_place = isinstance(parameter, click.Argument) or parameter.name in PLACES
        if is_place and parameter.type is click.STRING:
            parameter.type = Place()
    return command
