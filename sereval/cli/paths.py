"""Arguments and options that name files, and settings that need the user's consent."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

import click
from click.shell_completion import CompletionItem

SOURCES = ("align", "words", "alternatives", "references")
"""Options that name files with data to be scored; so do the arguments."""

RULES = ("campaign", "label_map", "grammar", "normalise", "biasing", "subset", "groups", "given")
"""Options that may name a file of rules, of words, of documents or of an alignment."""

OUTPUTS = ("output", "aligned", "plot", "collate")
"""Options that name a file to be written."""

WORK = ("jobs", "scheduler", "max_states", "max_placements")
"""Options that choose the processes that work, and limit them. They change no result."""

PATHS = {*SOURCES, *RULES, *OUTPUTS, "audio"}
"""Options whose value is a path, by the name of their parameter, unless it is one of ``names``."""


def names(option: str | None) -> Collection[str]:
    """The values of an option that are no paths.

    >>> names("normalise")[0], names("label_map")
    ('letters', ())
    """
    if option == "grammar":
        from ..labels.grammar import bundled_grammars  # slow

        return bundled_grammars()
    if option == "normalise":
        from ..alignment.normalise import NORMALISATIONS  # slow

        return (*NORMALISATIONS,)
    return ()


def is_name(option: str | None, text: str) -> bool:
    """Whether the value of an option is no path, but a name that needs no file.

    Args:
        option: the name of its parameter.
        text: the value.

    >>> is_name("normalise", "exact"), is_name("subset", "d1,d2")
    (True, True)
    """
    return text in names(option) or option == "subset" and not os.path.isfile(text)


def input_file(parameter: click.Parameter, value: Any) -> str | None:
    """The input file that a value of a parameter names; ``None``: it names none.

    Recordings (``--audio``) are no input: the page links to them, and nothing reads them.
    """
    from ..labels.grammar import bundled_grammars  # only for commands, not for --version

    name, path = parameter.name, str(value)
    if name == "reading":
        what, _, path = path.partition("=")
        is_file = what == "equal" and path != "appearance" and path not in bundled_grammars()
    else:
        is_path = isinstance(parameter, click.Argument) or name in (*SOURCES, *RULES)
        is_file = is_path and not is_name(name, path)
    return path if is_file else None


def needs_consent(option: click.Option, value: Any) -> bool:
    """Whether a setting does more than say how the data is read and scored.

    Such a setting names a file, opens a connection, starts processes, or lifts a limit of memory or
    time.
    """
    if option.name in (*OUTPUTS, *WORK, "audio"):
        return True
    if option.name in ("measure", "measures"):
        from ..alignment.normalise import SUFFIX

        return SUFFIX in str(value).lower()  # it may name a table of words
    return input_file(option, value) is not None


class PathText(click.types.StringParamType):
    """The type of an option or argument that is a path. The code that opens it checks the path."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text of a path; an empty one is refused, such as a shell variable without a value."""
        if value == "":
            self.fail("found an empty name, expected a file", param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The files that the shell finds, then the names of grammars or normalisations.

        Files come first: click's completion for bash drops what precedes them.
        """
        known = [CompletionItem(name) for name in names(param.name) if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *known]

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:
        """The text that click prints after the name of a required option."""
        from ..labels.grammar import bundled_grammars

        if param.name != "grammar":
            return None
        return f"Expected a TOML file or one of: {', '.join(bundled_grammars())}."


def with_paths(command: click.Command) -> click.Command:
    """The command, with ``PathText`` as the type of its arguments and options that are paths."""
    for parameter in command.params:
        is_path = isinstance(parameter, click.Argument) or parameter.name in PATHS
        if is_path and parameter.type is click.STRING:
            parameter.type = PathText()
    return command
