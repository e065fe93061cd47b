"""The types of arguments and options that name files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..errors import InputError


def names(option: str | None) -> Collection[str]:
    """The values of an option that are no paths, although it takes paths."""
    if option == "grammar":
        from ..labels.grammar import bundled_grammars  # slow

        return bundled_grammars()
    if option == "normalise":
        from ..alignment.normalise import NORMALISATIONS  # slow

        return (*NORMALISATIONS,)
    return ()


class PathText(click.types.StringParamType):
    """The type of an argument or option that is a path; the code that opens it checks the path.

    Args:
        role: ``input``; ``output``; or ``link``, of what a page links to and nothing reads.
    """

    name = "path"

    def __init__(self, role: str = "input") -> None:
        self.role = role

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text of a path; an empty one is refused, such as a shell variable without a value."""
        if value == "":
            self.fail("found an empty name, expected a file", param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The files that the shell finds, then the names of grammars or normalisations."""
        known = [CompletionItem(name) for name in names(param.name) if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *known]

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:
        """The text that click prints after the name of a required option."""
        known = names(param.name)
        return f"Expected a TOML file or one of: {', '.join(known)}." if known else None

    def file_of(self, option: str | None, text: str) -> str | None:
        """The input file that a value names; ``None``: it names none."""
        is_name = text in names(option) or option == "subset" and not os.path.isfile(text)
        return None if is_name or self.role != "input" else text


class OutputPath(PathText):
    """The type of an option that names a file to be written, which is checked before any work.

    Args:
        suffixes: the suffixes that select a format; none: any suffix is allowed.
    """

    def __init__(self, suffixes: Iterable[str] = ()) -> None:
        super().__init__("output")
        self.suffixes = suffixes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, whose folder exists."""
        path = super().convert(value, param, ctx)
        if self.suffixes and suffix_of(path) not in self.suffixes:
            expected = ", ".join(self.suffixes)
            self.fail(f"found {path!r}, expected a suffix among {expected}", param, ctx)
        if path != "-" and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise InputError("no such folder, expected one to write to", path=os.path.dirname(path))
        return path


def suffix_of(path: str) -> str:
    """The suffix of a path, in lower case and without its dot."""
    return os.path.splitext(path)[1].removeprefix(".").lower()


class ReadingText(click.types.StringParamType):
    """The type of ``--read``, one of whose policies names a grammar."""

    def file_of(self, option: str | None, text: str) -> str | None:
        """The file of a grammar that a policy names."""
        what, _, path = text.partition("=")
        is_file = what == "equal" and path not in ("appearance", *names("grammar"))
        return path if is_file else None


def input_file(parameter: click.Parameter, value: Any) -> str | None:
    """The input file that a value of a parameter names; ``None``: it names none."""
    kind = parameter.type
    if isinstance(kind, PathText | ReadingText):
        return kind.file_of(parameter.name, str(value))
    return None
