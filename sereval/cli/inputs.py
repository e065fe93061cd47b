"""The inputs of a command: the options that name and select them, their pairs, the readers' notes.

``systems_of`` finds the documents of both sides and pairs them without reading them. After the
scoring, ``check_read`` checks the labels and prints the notes of the readers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..corpus.corpus import Corpus
from ..corpus.entries import Side
from ..documents.model import Document, Note, Reference, notes_of, sum_notes
from ..errors import SerevalError, nearest
from ..formats import FORMATS as FILES
from ..formats import FOUND, POLICIES, TIMES, WORDS, File, ReadingOptions
from ..runs.scoring import Hooks
from ..runs.sides import FORMATS, column_names, reading_policies
from .help import option
from .options import options
from .outputs import check_free, with_progress
from .paths import OUTPUTS, RULES
from .provenance import keep_selection, keep_sizes
from .streams import warn

_D = TypeVar("_D", Document, Document | Reference)

system_option = option(
    "--system",
    "names",
    group="Files and formats",
    metavar="NAME",
    multiple=True,
    help="Name of a system, once for each HYP; by default the part of each path that differs.",
)


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


_CHOICES = (
    f"{name}={'SCHEME' if name == 'tags' else '|'.join(others)}"
    for name, (_, *others) in POLICIES.items()
    if name != "unreadable"  # it has an option of its own
)

read_option = option(
    "--read",
    "reading",
    group="Files and formats",
    metavar="NAME=POLICY",
    multiple=True,
    callback=_policies,
    help="What to do where a format leaves a choice: "
    f"{', '.join(_CHOICES)} (docs/reference/formats.md). May be repeated.",
)


unreadable_option = option(
    "--unreadable",
    group="Files and formats",
    type=click.Choice(POLICIES["unreadable"]),
    default=POLICIES["unreadable"][0],
    help="What to do with an answer of a language model that cannot be read: refuse it (error), or "
    "take it as an empty one (empty), which is counted.",
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
        common=True,
        group="Files and formats",
        type=click.Choice(names),
        metavar="FORMAT",
        help=f"Format of {what}; by default the suffix says it. One of {', '.join(names)}.",
    )
    return options(
        source_format, *others, encoding_option, read_option, unreadable_option, columns_option
    )


def _side_options(
    words: Callable[[Any], Any], formats: Sequence[str] = FOUND
) -> Callable[[Any], Any]:
    """The options of a command that reads both sides.

    Args:
        words: the option ``--words``.
        formats: names of the formats that both sides may have.
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
            help="Name for the document, if REF and HYP have one each; by default REF's.",
        ),
        _format_option("ref", "REF", formats, f"One of {', '.join(formats)}."),
        _format_option("hyp", "HYP", formats, "As --ref-format."),
        _format_option("align", "--align", TIMES, f"One of {', '.join(TIMES)}."),
        _format_option("words", "--words", TIMES, "As --align-format."),
        tier_option,
        encoding_option,
        read_option,
        unreadable_option,
        columns_option,
    )


WORDS_HELP = "File or folder with the times of HYP's words"

_words_option = option("-w", "--words", metavar="TIMES", help=f"{WORDS_HELP}.")
side_options = _side_options(_words_option)
side_options_of_words = _side_options(_words_option, WORDS)

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


def with_notes_told(path: str, documents: Iterable[_D]) -> Iterator[_D]:
    """Pass the documents of a path on; after the last, print their notes as above."""
    notes: tuple[Note, ...] = ()
    for document in documents:
        if document.notes:
            notes = sum_notes([notes, document.notes])
        yield document
    print_path_notes(path, notes)


def print_path_notes(path: str, notes: Iterable[Note]) -> None:
    """Print notes about a path on standard error."""
    for note in notes:
        warn(f"{path}: {note}")


def print_lost_mentions(path: str, count: int) -> None:
    """Print how many mentions have no place, for commands that look only at placed elements."""
    if count:
        print_path_notes(path, [Note("mentions without places, left out", count)])


# From the paths of a command to pairs of documents

_R = TypeVar("_R")


def _read(corpora: Sequence[Corpus]) -> None:
    """After all documents were read, check the options and print warnings and the readers' notes.

    The sizes of the sides are kept for the report.

    Raises:
        click.UsageError: an option has no effect on the files.
    """
    check_effect(files_of(corpora))
    warn_of_grammar(frozenset().union(*(corpus.labels for corpus in corpora)))
    sizes = {side: size for corpus in corpora for side, size in corpus.sizes.items()}
    keep_sizes(sizes, lambda side: _formats(side, corpora))
    print_reading_notes(corpora)


def files_of(corpora: Iterable[Corpus]) -> Iterator[File]:
    """The files of all documents, once for each document."""
    return (entry.file for corpus in corpora for entry in corpus.entries)


def check_effect(files: Iterable[File]) -> None:
    """Refuse options of the command line that say how to read, and have no effect on the files.

    Args:
        files: all files that are read.

    Raises:
        click.UsageError: no file has a format that the option is for.
    """
    context, found = click.get_current_context(), {file.format for file in files}
    asked = {
        option.name: option.opts[-1]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }
    asked.pop("tags", None)  # of convert, which writes tags
    if "reading" in asked:
        policies = dict(context.params["reading"].policies)
        asked |= {name: f"--read {name}" for name in ("tags", "unreadable") if name in policies}
    for name in asked:
        known = [one.name for one in FILES.values() if name in one.options]
        if known and found.isdisjoint(known):
            raise click.UsageError(
                f"{asked[name]} has no effect on files of {', '.join(sorted(found))}, expected "
                f"files of {', '.join(known)}"
            )


def warn_of_grammar(labels: Iterable[str]) -> None:
    """Warn if the grammar of the command has none of the labels of the documents."""
    values, found = click.get_current_context().params, sorted(labels)
    grammar = values.get("grammar")
    if grammar is None or values.get("label_map") is not None or not found:
        return
    from ..labels.grammar import load_grammar  # slow

    known = load_grammar(grammar)
    if not {*known.types, *known.components} & {*found}:
        more = ", …" if len(found) > 3 else ""
        warn(f"grammar {grammar} has none of the labels found: {', '.join(found[:3])}{more}")


def print_reading_notes(corpora: Sequence[Corpus]) -> None:
    """Print the notes of the readers on standard error, by side; of shared files only once."""
    notes = {side: own for corpus in reversed(corpora) for side, own in corpus.notes.items()}
    sides = dict.fromkeys(side for corpus in corpora for side in corpus.notes)
    for side in sorted(sides, key=lambda side: list(FORMATS).index(side[0])):
        print_path_notes(side[1], notes[side])


def _formats(side: Side, corpora: Iterable[Corpus]) -> set[str]:
    """The formats of the files of one side, but for files of times without documents."""
    return {
        entry.file.format for corpus in corpora for entry in corpus.entries if entry.side == side
    }


# Selected documents and labels

document_option = option(
    "--document",
    "documents",
    common=True,
    group="Selection",
    metavar="ID",
    multiple=True,
    help="Show this document only. May be repeated.",
)


def label_option(help: str) -> Callable[[Any], Any]:
    """The option ``--label``, which may be repeated."""
    return option(
        "--label",
        "labels",
        group="Selection",
        common=True,
        metavar="LABEL",
        multiple=True,
        help=help,
    )


def warn_of_unknown(requested: Iterable[str], labels: Iterable[str]) -> bool:
    """Warn of labels that no element has, and return whether there are any.

    Args:
        requested: labels.
        labels: the labels of all elements.
    """
    known = set(labels)
    unknown = [label for label in requested if label not in known]
    for label in unknown:
        warn(f"no element has the label {label!r}{nearest(label, known)}")
    return bool(unknown)


HOOKS = Hooks(with_progress, keep_selection, check_paths, _read)
"""What the command line does while documents are found and scored."""
