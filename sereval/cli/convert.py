"""``sereval convert``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import click

from ..documents.model import Document, Reference
from ..documents.tags import WRITABLE
from ..errors import SerevalError, one_line
from ..formats import FORMATS, WRITERS, ReadingOptions, read_all
from ..formats.writers import WrittenFiles, file_name
from ..integrations.convert import converted
from .inputs import columns_option, encoding_option, read_option, say, tier_option
from .outputs import check_free, write, write_all, write_files

Converted = tuple[Document | Reference, WrittenFiles]
RENAMED = "names of documents, now those of their files"


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--from",
    "of_source",
    type=click.Choice(list(FORMATS)),
    help="Format of IN; by default the suffix says it.",
)
@click.option(
    "--to",
    "of_target",
    type=click.Choice(list(WRITERS)),
    help="Format of OUT; by default the suffix says it.",
)
@click.option(
    "--tags",
    type=click.Choice(list(WRITABLE)),
    help="Scheme of the tags in columns, iob2 by default.",
)
@tier_option
@encoding_option
@read_option
@columns_option
def convert(
    *,
    source: str,
    target: str,
    of_source: str | None,
    of_target: str | None,
    tags: str | None,
    tier: tuple[str, ...],
    encoding: str,
    reading: ReadingOptions,
    columns: tuple[str, ...],
) -> None:
    """Write the documents of IN in another format, and say what is lost.

    IN is a file, a folder, or - for standard input; OUT a file, a folder, which is there already
    or has a / at its end, or - for standard output. In a folder each document has its own file.
    """
    is_folder = os.path.isdir(target) or names_a_folder(target)
    format = of_target or _format_of(target, is_folder=is_folder)
    how = replace(reading, format=of_source, encoding=encoding, tiers=tier, columns=columns)
    documents = read_all(source, how)
    say(source, documents)
    found = [(document, converted(document, format, tags=tags)) for document in documents]
    lost = Counter({note.what: 0 for _, written in found for note in written.lost})
    for _, written in found:
        lost.update({note.what: note.count for note in written.lost})
    files = _in_folder(found, format) if is_folder else _in_file(found, target, format)
    names = {os.path.splitext(name)[0] for name in files}
    if format != "native" and target != "-":
        lost[RENAMED] = sum(document.id not in names for document, _ in found)
    if target == "-":
        [text] = files.values()
        write(text, target)
    elif is_folder:
        write_files(files, target, _inputs(source, documents))
    else:
        beside = os.path.dirname(target)
        texts = {os.path.join(beside, name): text for name, text in files.items()}
        check_free(texts, _inputs(source, documents))
        write_all(texts)
    for what, count in lost.items():
        if count:
            click.echo(one_line(f"sereval: lost in {format}: {what}: {count}"), err=True)


def names_a_folder(path: str) -> bool:
    """Whether a path ends as those of folders do, in the way of the system.

    >>> names_a_folder("made/"), names_a_folder("made")
    (True, False)
    """
    return path != os.path.basename(path) == ""


def _format_of(target: str, *, is_folder: bool) -> str:
    """The format that the suffix of OUT says."""
    suffix = os.path.splitext(target)[1].lower()
    named = (n for n, reader in FORMATS.items() if suffix in reader.suffixes and n in WRITERS)
    format = None if is_folder else next(named, None)
    if format is None:
        raise click.UsageError(
            f"{target} does not say its format, expected --to, or a suffix among "
            f"{' '.join(writer.suffix for writer in WRITERS.values())}"
        )
    return format


def _in_folder(found: Sequence[Converted], format: str) -> dict[str, str]:
    return {
        file_name(document.id, suffix): text
        for document, written in found
        for suffix, text in written.files.items()
    }


def _in_file(found: Sequence[Converted], target: str, format: str) -> dict[str, str]:
    """The only file, or the files that stand beside it, by name."""
    writer = WRITERS[format]
    if len(found) > 1 and not writer.holds_many:
        raise SerevalError(
            f"found {len(found)} documents, and a file of {format} holds one; expected a folder: "
            f"{target}{os.sep}"
        )
    texts: dict[str, str] = {}
    for _, written in found:
        for suffix, text in written.files.items():
            texts[suffix] = texts.get(suffix, "") + text
    if len(texts) > 1 and target == "-":
        raise click.UsageError(f"{format} has {len(texts)} files, expected OUT to be one of them")
    name = os.path.basename(target)
    stem = os.path.splitext(name)[0]
    return {name if suffix == writer.suffix else stem + suffix: texts[suffix] for suffix in texts}


def _inputs(source: str, documents: Sequence[Document | Reference]) -> list[str]:
    """All that was read: nothing of it is written over."""
    sources = [document.source for document in documents if document.source]
    beside = [os.path.splitext(path)[0] + FORMATS["brat"].beside for path in sources]
    return [source, *sources, *filter(os.path.exists, beside)]
