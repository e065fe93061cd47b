"""The options of the commands, as click declares them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from ..errors import SerevalError
from ..runs.options import FILES
from ..schemes.options import Option
from .parameters import FIRST, OutputPath, PathText

PATHS = ("FILE", "PATH", "TIMES", "GRAMMAR", "NAME|FILE", "LIST")
"""The placeholders of options whose value is a path."""


class DeclaredOption(click.Option):
    """An option of a command; one with a letter stands in the first group of ``--help``."""

    def __init__(self, one: Option, type: Any = None) -> None:
        if type is None and not one.is_flag:
            type = PathText() if one.metavar in PATHS else str
        super().__init__(
            [*filter(None, (one.letter, one.on_command_line)), one.name],
            type=click.Choice(one.choices) if one.choices else type,
            metavar=one.metavar,
            default=bool(one.default) if one.is_flag else one.default,
            is_flag=one.is_flag,
            multiple=one.is_multiple,
            help=one.help,
        )
        self.declared = one
        self.group = FIRST if one.letter else one.group
        self.is_common = bool(one.letter) or one.is_common  # shown in the short help

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The value that the option makes of its text; an error becomes one of usage."""
        found = super().process_value(ctx, value)
        try:
            return self.declared.value_of(found)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None


def source_format(what: str, formats: Iterable[str]) -> Option:
    """The option that names the format of the only files that a command reads."""
    known = (*formats,)
    return Option(
        "source_format",
        flag="--from",
        group=FILES,
        is_common=True,
        choices=known,
        metavar="FORMAT",
        help=f"Format of {what}; by default the suffix says it. One of {', '.join(known)}.",
    )


# Selection

DOCUMENTS = Option(
    "documents",
    flag="--document",
    is_common=True,
    group="Selection",
    metavar="ID",
    is_multiple=True,
    help="Show this document only. May be repeated.",
)
LABELS = Option(
    "labels",
    flag="--label",
    is_common=True,
    group="Selection",
    metavar="LABEL",
    is_multiple=True,
    help="Show only elements with this label or whose partner has it. May be repeated.",
)

# Output


def output_options(
    formats: Sequence[str],
    help: str = "Format of the result.",
    metavar: str = "FILE",
    output_help: str = "Write the result to this file, in the format of its suffix; by default, to "
    "standard output.",
) -> Iterator[Option | click.Option]:
    """The options ``--format`` and ``--output``, whose suffix names the format."""
    yield Option("format", letter="-f", choices=(*formats,), default=formats[0], help=help)
    if "csv" in formats:
        yield Option(
            "table",
            group="Output",
            metavar="NAME",
            help="The table that csv has, by its name in the JSON; by default the first.",
        )
    yield output_option(metavar, output_help)
    if "html" in formats:
        yield from PAGE_OPTIONS


def output_option(metavar: str, help: str) -> click.Option:
    """The option ``--output``."""
    one = Option("output", letter="-o", default="-", metavar=metavar, help=help)
    found = DeclaredOption(one, OutputPath())
    found.show_default = False
    return found


PAGE_OPTIONS = (
    DeclaredOption(
        Option(
            "audio",
            group="Output",
            metavar="DIR",
            help="Folder of recordings for html: ID.wav, .flac, .mp3, .ogg, .m4a.",
        ),
        PathText("link"),
    ),
    Option(
        "embed",
        group="Output",
        is_flag=True,
        help="Put the recordings of --audio into the page, as they are, instead of links to them.",
    ),
    Option(
        "split",
        group="Output",
        metavar="N",
        least=1,
        help="For html of a large corpus: pages of N documents each and an index, in the folder of "
        "-o.",
    ),
)
