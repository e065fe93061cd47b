"""The options of a command that name its inputs, and the notes of the readers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from ..documents.model import Document, Reference
from ..documents.notes import Note, notes_of
from ..errors import SerevalError
from ..formats import FOUND, TIMES, ReadingOptions
from ..runs.sides import column_names, reading_policies
from .help import option
from .options import options
from .outputs import check_free
from .paths import OUTPUTS, RULES
from .streams import warn


def _format_option(
    side: str, what: str, formats: Iterable[str], others: str
) -> Callable[[Any], Any]:
    """The option that names the format of a side; ``others`` says which formats there are."""
    return option(
        f"--{side}-format",
        group="Files and formats",
        type=click.Choice(list(formats)),
        metavar="FORMAT",
        help=f"Format of {what}; by default its suffix says it. {others}",
    )


def _policies(
    _context: click.Context, _option: click.Parameter, texts: Sequence[str]
) -> ReadingOptions:
    """The reading options that the values of ``--read`` ask for."""
    try:
        return reading_policies(texts)
    except SerevalError as error:
        raise click.BadParameter(str(error)) from None


read_option = option(
    "--read",
    "reading",
    group="Files and formats",
    metavar="NAME=POLICY",
    multiple=True,
    callback=_policies,
    help="What to do where a format leaves a choice: discontinuous=hull|first, crossing=drop, "
    "equal=GRAMMAR, marks=strip, times=none, tags=SCHEME, mentions=nearest "
    "(docs/reference/formats.md). May be repeated.",
)


def _split_names(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> tuple[str, ...]:
    """The columns that the value of ``--columns`` names."""
    return column_names(text)


columns_option = option(
    "--columns",
    group="Files and formats",
    metavar="NAME,…",
    callback=_split_names,
    help="The columns of tags in files of columns, by name or by number: the levels of one tree, "
    "the outermost first; by default the last column. word=NAME is the column of the words.",
)

tier_option = option(
    "--tier",
    group="Files and formats",
    metavar="NAME",
    multiple=True,
    help="Exact name of the tier of the words. May be repeated, for the tiers of several speakers.",
)

encoding_option = option(
    "--encoding",
    group="Files and formats",
    metavar="NAME",
    default="utf-8",
    help="Encoding of all files that are read.",
)


def file_options(
    what: str, formats: Iterable[str], *others: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """The options of a command that reads files of one kind.

    Args:
        what: name of the files in ``--help``.
        formats: names of the formats that the command reads.
        others: more options, after ``--from``.
    """
    names = list(formats)
    source_format = option(
        "--from",
        "source_format",
        group="Files and formats",
        type=click.Choice(names),
        metavar="FORMAT",
        help=f"Format of {what}; by default the suffix says it. One of {', '.join(names)}.",
    )
    return options(source_format, *others, encoding_option, read_option, columns_option)


def _side_options(words: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The options of a command that reads both sides.

    Args:
        words: the option ``--words``.
    """
    return options(
        option(
            "-a", "--align", metavar="TIMES", help="File or folder with the times of REF's words."
        ),
        words,
        option(
            "--name",
            group="Files and formats",
            metavar="NAME",
            help="Name of the document, if REF and HYP have one each.",
        ),
        _format_option("ref", "REF", FOUND, f"One of {', '.join(FOUND)}."),
        _format_option("hyp", "HYP", FOUND, "As --ref-format."),
        _format_option("align", "--align", TIMES, f"One of {', '.join(TIMES)}."),
        _format_option("words", "--words", TIMES, "As --align-format."),
        tier_option,
        encoding_option,
        read_option,
        columns_option,
    )


WORDS_HELP = "File or folder with the times of HYP's words"

side_options = _side_options(option("-w", "--words", metavar="TIMES", help=f"{WORDS_HELP}."))

systems_options = _side_options(
    option(
        "-w",
        "--words",
        metavar="TIMES",
        multiple=True,
        help=f"{WORDS_HELP}: once for all HYPs, or once for each, in their order.",
    )
)


def check_paths(paths: Sequence[str]) -> None:
    """Check that standard input is read once, and that no file is written over.

    Args:
        paths: the inputs that the command names, besides files of rules and settings.

    Raises:
        click.UsageError: standard input is to be read twice, or a file to be written twice.
        InputError: a file is to be read and written.
    """
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read once only, expected one '-'")
    context = click.get_current_context()
    values = context.find_root().params | context.params
    rules = [values[name] for name in ("config", *RULES) if values.get(name) is not None]
    outputs = [values[name] for name in OUTPUTS if values.get(name) not in (None, "-")]
    if len({os.path.realpath(output) for output in outputs}) < len(outputs):
        raise click.UsageError(f"{outputs[-1]} would be written twice, expected two files")
    on_stdout = [name for name in OUTPUTS if values.get(name) == "-"]
    if len(on_stdout) > 1:
        raise click.UsageError(
            f"standard output takes one result, expected a file for --{on_stdout[-1]}"
        )
    check_free(filter(os.path.isfile, outputs), [*paths, *rules])


def print_document_notes(path: str, documents: Iterable[Document | Reference]) -> None:
    """Print the notes of the documents of a path on standard error, added up."""
    print_path_notes(path, notes_of(documents))


def print_path_notes(path: str, notes: Iterable[Note]) -> None:
    """Print notes about a path on standard error."""
    for note in notes:
        warn(f"{path}: {note}")


def print_lost_mentions(path: str, documents: Iterable[Document | Reference]) -> None:
    """Print how many mentions have no place, for commands that look only at placed elements."""
    count = sum(len(one.mentions or ()) for one in documents if isinstance(one, Document))
    if count:
        print_path_notes(path, [Note("mentions without places, left out", count)])
