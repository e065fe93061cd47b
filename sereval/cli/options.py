"""The options of the commands, as click declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import click

from ..errors import SerevalError
from ..runs.options import FILES, OPTIONS, WRITTEN, options_of
from ..schemes.options import Option
from .parameters import GroupedOption, OutputPath, PathText

PATHS = ("FILE", "PATH", "TIMES", "GRAMMAR", "NAME|FILE", "LIST")
"""The placeholders of options whose value is a path."""

Options = tuple[GroupedOption, ...]


def _parsed(parse: Callable[[Any], Any]) -> Callable[[Any, Any, Any], Any]:
    """The callback of an option that parses its text; an error becomes one of usage."""

    def callback(_context: click.Context, _option: click.Parameter, text: Any) -> Any:
        try:
            return None if text is None else parse(text)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def option(
    *names: str,
    type: Any = None,
    choices: Iterable[str] = (),
    least: int | None = None,
    parse: Callable[[Any], Any] | None = None,
    metavar: str | None = None,
    **attributes: Any,
) -> GroupedOption:
    """An option of a command; its value is a text that ``parse`` takes."""
    if choices:
        type = click.Choice([*choices])
    elif type is None and metavar is not None:
        type = PathText() if metavar in PATHS else str
    if least is not None:
        parse = Option("", "", "", "", least=least).value_of
    callback = None if parse is None else _parsed(parse)
    return GroupedOption(names, type=type, metavar=metavar, callback=callback, **attributes)


def choice_option(*names: str, choices: Sequence[str], **attributes: Any) -> GroupedOption:
    """An option with a choice of values, of which the first is the default."""
    return option(*names, choices=choices, default=choices[0], **attributes)


def run_options(command: str) -> Options:
    """The options of runs that a command takes."""
    return tuple(map(_declared, options_of(command).values()))


def _declared(one: Option) -> GroupedOption:
    return option(
        *filter(None, (one.letter, one.on_command_line)),
        one.name,
        group=one.group,
        common=one.is_common,
        type=OutputPath() if one.name in WRITTEN else None,
        choices=one.choices,
        least=one.least,
        parse=one.parse,
        metavar=one.metavar,
        default=one.default,
        is_flag=one.is_flag,
        multiple=one.is_multiple,
        help=one.help,
    )


def source_format(what: str, formats: Iterable[str]) -> GroupedOption:
    """The option that names the format of the only files that a command reads."""
    known = [*formats]
    return option(
        *("--from", "source_format"),
        group=FILES,
        common=True,
        choices=known,
        metavar="FORMAT",
        help=f"Format of {what}; by default the suffix says it. One of {', '.join(known)}.",
    )


speakers_option = _declared(OPTIONS["speakers"])

# Selection

document_option = option(
    *("--document", "documents"),
    common=True,
    group="Selection",
    metavar="ID",
    multiple=True,
    help="Show this document only. May be repeated.",
)
label_option = partial(
    option,
    *("--label", "labels"),
    group="Selection",
    common=True,
    metavar="LABEL",
    multiple=True,
)

# Output


def output_options(
    formats: Sequence[str],
    help: str = "Format of the result.",
    metavar: str = "FILE",
    output_help: str = "Write the result to this file, in the format of its suffix; by default, to "
    "standard output.",
) -> Options:
    """The options ``--format`` and ``--output``, whose suffix names the format."""
    table = option(
        "--table",
        group="Output",
        metavar="NAME",
        help="The table that csv has, by its name in the JSON; by default the first.",
    )
    return (
        choice_option("-f", "--format", choices=formats, help=help),
        *([table] if "csv" in formats else []),
        output_option(metavar, output_help),
        *(PAGE_OPTIONS if "html" in formats else ()),
    )


def output_option(metavar: str, help: str) -> GroupedOption:
    """The option ``--output``."""
    return option(
        *("-o", "--output"),
        type=OutputPath(),
        default="-",
        show_default=False,
        metavar=metavar,
        help=help,
    )


PAGE_OPTIONS: Options = (
    option(
        "--audio",
        group="Output",
        type=PathText("link"),
        metavar="DIR",
        help="Folder of recordings for html: ID.wav, .flac, .mp3, .ogg, .m4a.",
    ),
    option(
        "--embed",
        group="Output",
        is_flag=True,
        help="Put the recordings of --audio into the page, as they are, instead of links to them.",
    ),
    option(
        "--split",
        group="Output",
        metavar="N",
        least=1,
        help="For html of a large corpus: pages of N documents each and an index, in the folder of "
        "-o.",
    ),
)
