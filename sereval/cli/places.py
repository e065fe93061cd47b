"""Which arguments and options name files, and which do more than say how a score is computed."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

MEASURED = ("align", "words")
"""Options that name what is measured, besides the arguments."""

RULES = ("campaign", "label_map", "grammar")
"""Options that may name a file of rules."""

WRITTEN = ("output", "aligned", "plot", "collate")
"""Options that name a file to be written."""

WORK = ("jobs", "scheduler", "max_states")
"""Options that say who works, and how long: no digit depends on them."""

PLACES = {*MEASURED, *RULES, *WRITTEN, "audio"}
"""Options whose value is a path, by the name of their parameter; so is every argument.
``--grammar`` is one unless it names a grammar that comes along."""


def file_of(parameter: click.Parameter, value: Any) -> str | None:
    """The file that a value of a parameter names to be read; ``None`` where it names none.

    The audio is not among them: a page links to it, and nothing reads it.
    """
    from ..labels.grammar import bundled  # which nothing else here needs

    name, path = parameter.name, str(value)
    if name == "reading":
        what, _, path = path.partition("=")
        is_file = what == "equal" and path != "appearance" and path not in bundled()
    elif name == "grammar":
        is_file = path not in bundled()
    else:
        is_file = isinstance(parameter, click.Argument) or name in (*MEASURED, *RULES)
    return path if is_file else None


def reaches_out(option: click.Option, value: Any) -> bool:
    """Whether a setting does more than say how the measured files are read and scored.

    It writes a file, opens a connection, starts processes, lifts a limit of memory and time, or
    reads a file that is not measured.
    """
    if option.name in (*WRITTEN, *WORK, "audio"):
        return True
    return option.name not in MEASURED and file_of(option, value) is not None


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
        from ..labels.grammar import bundled  # which nothing else here needs

        names = bundled() if param.name == "grammar" else ()
        known = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *known]

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:
        """What click says after the name of an option that has to be given."""
        from ..labels.grammar import bundled

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
