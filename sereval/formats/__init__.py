"""Read files of every format into documents, and write documents in some formats.

`FORMATS` is the table of formats, `ReadingOptions` says how files are read, and `read` reads them.
Every reader is strict: it refuses what it cannot read with an `InputError` that has file and line,
and a note counts everything that it leaves out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

from ..documents.model import Document, Reference
from ..errors import InputError, SerevalError, one_line
from .file import POLICIES, File, ReadingOptions, files, recognised, unique
from .table import ANNOTATIONS, FORMATS, FOUND, TIMES, WORDS, WRITERS

__all__ = [
    "ANNOTATIONS",
    "FORMATS",
    "FOUND",
    "POLICIES",
    "TIMES",
    "WORDS",
    "WRITERS",
    "File",
    "ReadingOptions",
    "files",
    "parse",
    "read",
    "read_each",
    "unique",
]


def read(
    path: str | os.PathLike[str] | IO[Any],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    tier: str | Sequence[str] | None = None,
    wanted: Sequence[str] | None = None,
    policies: Mapping[str, str] | None = None,
    labels: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> list[Document | Reference]:
    """All documents of a file, of the files in a folder, or of standard input.

    Args:
        path: a file, an open file, a folder, or ``-`` for standard input. In a folder, the files
            with the suffix of a wanted format are read, in order of their names; hidden files,
            folders and files with other suffixes are not.
        format: name of the format; ``None``: the suffix of each file tells its format.
        encoding: encoding of the files. A byte order mark at the start is dropped; one of UTF-16
            overrides this argument.
        tier: exact name of the tier of the words, or names, one for each speaker; no effect on
            formats without tiers.
        wanted: names of the formats to accept; ``None``: all.
        policies: name and policy of each choice that a format leaves open; see ``POLICIES``.
        labels: labels in the order of nesting, the outermost first, for the policy ``equal``. The
            policy then has the name of this list, such as the name of a grammar.
        columns: columns of tags in files of columns, by name or by number from 1, the outermost
            first; none: the last column. ``word=NAME`` names the column of the words.

    Returns:
        Documents in the order of the files. If a format has one document for each file, its id is
        the name of the file without suffix (``-`` for standard input).

    Raises:
        InputError: a fault in the path, the arguments or the files; two documents with the same
            id; no file to read.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "show.ne").write_text("<name>Dol</name>, 12", "utf-8")
    ...     [show] = read(folder)
    >>> show.id, show.words, show.elements[0].label
    ('show', ('Dol', ',', '12'), 'name')
    """
    options = ReadingOptions(
        format,
        tuple(FORMATS if wanted is None else wanted),
        encoding,
        (tier,) if isinstance(tier, str) else tuple(tier or ()),
        tuple(sorted((policies or {}).items())),
        tuple(labels),
        tuple(columns),
    )
    if isinstance(path, str | os.PathLike):
        return list(read_each(path, options))
    if not hasattr(path, "read"):
        raise SerevalError(
            f"found {type(path).__name__}, expected a path or an open file; parse takes a text"
        )
    name = getattr(path, "name", "-")
    name = name if isinstance(name, str) else "-"
    try:
        text = path.read()
    except (OSError, ValueError) as error:  # closed, or text in another encoding
        raise InputError(str(error), path=one_line(name)) from None
    return _parsed(text, options, name)


def parse(
    text: str | bytes,
    format: str | None = None,
    *,
    id: str = "-",
    encoding: str = "utf-8",
    policies: Mapping[str, str] | None = None,
    columns: Sequence[str] = (),
) -> list[Document | Reference]:
    """All documents of a text in memory, as :func:`read` returns those of a file.

    Args:
        text: what a file would hold.
        format: name of the format; ``None``: JSON, whose keys tell its format.
        id: the id of the document, if the format has one document for each file.
        encoding, policies, columns: as for :func:`read`; a ``str`` needs no encoding.

    Raises:
        InputError: a fault in the text or the arguments; the format has two files.

    >>> [document] = parse("<loc> Dol </loc>", "inline")
    >>> document.elements
    (Element(label='loc', start=0, end=1, parent=None),)
    """
    if not isinstance(text, str | bytes):
        raise SerevalError(f"found {type(text).__name__}, expected a text; read takes a path")
    chosen = tuple(sorted((policies or {}).items()))
    options = ReadingOptions(
        format, tuple(FORMATS), encoding, policies=chosen, columns=tuple(columns)
    )
    return _parsed(text, options, "-", id)


def _parsed(
    text: str | bytes, options: ReadingOptions, path: str, id: str = ""
) -> list[Document | Reference]:
    """The documents of the text of a file that is open, or of no file (``-``)."""
    if isinstance(text, str):
        text, options = text.encode("utf-8", "surrogatepass"), replace(options, encoding="utf-8")
    file = File(path, "", options, text, name=id)
    if path == "-":
        format = options.format or recognised(file, ".json")
    else:
        format = next(files(path, options)).format
    if not format:
        raise InputError("the format of a text, expected one such as format='inline'", path=path)
    found = replace(file, format=format).documents()
    return list(unique((path, line, document) for line, document in found))


def read_each(
    path: str | os.PathLike[str], options: ReadingOptions
) -> Iterator[Document | Reference]:
    """The documents that :func:`read` returns, one at a time.

    Of a file in native JSON one document is in memory, of any other file all of its documents.

    Args:
        path: as for :func:`read`.
        options: how the files are read.

    Raises:
        InputError: as :func:`read`, when the document is reached.
    """
    found = files(path, options)
    return unique((file.path, line, document) for file in found for line, document in file.each())
