"""``sereval convert``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from ..documents.model import Document, Reference
from ..documents.tags import WRITABLE
from ..errors import SerevalError
from ..formats import FORMATS, WRITERS, read_all
from ..formats.paths import stem_of
from ..formats.writers import WrittenFiles, file_name
from ..integrations.convert import files_of
from ..runs.sides import reading_of
from .help import command, option
from .inputs import file_options, print_document_notes, tier_option
from .options import options
from .outputs import check_free, write, write_all, write_files
from .streams import warn

Converted = tuple[Document | Reference, WrittenFiles]
RENAMED = "names of documents, replaced by the names of their files"


target_options = options(
    option(
        "--to",
        "target_format",
        group="Files and formats",
        type=click.Choice(list(WRITERS)),
        metavar="FORMAT",
        help=f"Format of OUT; by default the suffix says it. One of {', '.join(WRITERS)}.",
    ),
    option(
        "--tags",
        group="Files and formats",
        type=click.Choice(list(WRITABLE)),
        help="Scheme of the tags in columns (by default iob2), or in tokens (by default spans).",
    ),
)


@command(examples=("convert ref/lindbergh.ne lindbergh.conll", "convert ref brat/ --to brat"))
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@file_options("IN", FORMATS, tier_option)
@target_options
def convert(
    *,
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    tags: str | None,
    **values: Any,
) -> None:
    """Convert documents to another format.

    Standard error says what the format cannot hold. IN is a file, a folder, or - for
    standard input. OUT is a file, a folder, or - for standard output. A new folder needs a / at its
    end. In a folder each document has its own file.
    """
    format = target_format or format_of(target)
    documents = read_all(source, reading_of(values, source_format, FORMATS))
    print_document_notes(source, documents)
    write_documents(documents, target, format, tags, [source])


def write_documents(
    documents: Sequence[Document | Reference],
    target: str,
    format: str,
    tags: str | None,
    sources: Sequence[str],
) -> None:
    """Write documents in a format, and print on standard error what it cannot hold.

    Args:
        documents: the documents.
        target: a file, a folder, or ``-`` for standard output.
        format: a name of ``WRITERS``.
        tags: the scheme of the tags; ``None``: the usual one of the format.
        sources: the paths that were read, which no output may replace.

    Raises:
        click.UsageError: the format has several files, and the target is none of them.
        SerevalError: a file of the format holds one document, and there are several.
    """
    is_folder = _is_folder(target)
    found = [(document, files_of(document, format, tags=tags)) for document in documents]
    lost = Counter({note.what: 0 for _, written in found for note in written.lost})
    for _, written in found:
        lost.update({note.what: note.count for note in written.lost})
    files = _in_folder(found, format) if is_folder else _in_file(found, target, format)
    names = {os.path.splitext(name)[0] for name in files}
    if format != "native" and target != "-":
        lost[RENAMED] = sum(document.id not in names for document, _ in found)
    inputs = [*sources, *_files_of(documents)]
    if target == "-":
        [text] = files.values()
        write(text, target)
    elif is_folder:
        write_files(files, target, inputs)
    else:
        beside = os.path.dirname(target)
        texts = {os.path.join(beside, name): text for name, text in files.items()}
        check_free(texts, inputs)
        write_all(texts)
    for what, count in lost.items():
        if count:
            warn(f"lost in {format}: {what}: {count}")


def names_a_folder(path: str) -> bool:
    """Whether a path ends with the separator of folders.

    >>> names_a_folder("made/"), names_a_folder("made")
    (True, False)
    """
    return path != os.path.basename(path) == ""


def _is_folder(target: str) -> bool:
    return os.path.isdir(target) or names_a_folder(target)


def format_of(target: str) -> str:
    """The format that the suffix of a target says.

    Args:
        target: a path.

    Raises:
        click.UsageError: a folder, or a suffix of no format that can be written.
    """
    suffix = os.path.splitext(target)[1].lower()
    named = (n for n, reader in FORMATS.items() if suffix in reader.suffixes and n in WRITERS)
    format = None if _is_folder(target) else next(named, None)
    if format is None:
        raise click.UsageError(
            f"{target} does not say its format, expected --to, or a suffix among "
            f"{' '.join(writer.suffix for writer in WRITERS.values())}"
        )
    return format


def _in_folder(found: Sequence[Converted], format: str) -> dict[str, str | bytes]:
    return {
        file_name(document.id, suffix): text
        for document, written in found
        for suffix, text in written.files.items()
    }


def _in_file(found: Sequence[Converted], target: str, format: str) -> dict[str, str | bytes]:
    """The files of a target that is no folder, by name: one, or several that belong together."""
    writer = WRITERS[format]
    if len(found) > 1 and not writer.holds_many:
        raise SerevalError(
            f"found {len(found)} documents, and a file of {format} holds one; expected a folder: "
            f"{target}{os.sep}"
        )
    texts: dict[str, str | bytes] = {}
    for _, written in found:
        for suffix, text in written.files.items():
            before = texts.get(suffix, "")
            if isinstance(before, str) and isinstance(text, str):  # only these hold many
                text = before + text
            texts[suffix] = text
    if len(texts) > 1 and target == "-":
        raise click.UsageError(f"{format} has {len(texts)} files, expected OUT to be one of them")
    name = os.path.basename(target)
    stem = os.path.splitext(name)[0]
    return {name if suffix == writer.suffix else stem + suffix: texts[suffix] for suffix in texts}


def _files_of(documents: Sequence[Document | Reference]) -> list[str]:
    """The paths of all files that documents were read from."""
    sources = [document.source for document in documents if document.source]
    suffixes = {one.beside for one in FORMATS.values() if one.beside}
    beside = [stem_of(path) + suffix for path in sources for suffix in sorted(suffixes)]
    return [*sources, *filter(os.path.exists, beside)]
