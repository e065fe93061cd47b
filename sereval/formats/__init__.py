"""Reading files of every format into documents.

`FORMATS` is the table of formats, `ReadingOptions` says how files are read, and `read` is the way
in. Every reader is strict: what it cannot take is an `InputError` with file and line, and nothing
is left out in silence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..documents.model import Document, Named, Reference
from ..documents.notes import Note
from ..errors import InputError, one_line
from .oddities import with_oddities
from .paths import UNKNOWN_FORMAT, files_at, refuse_special, suffix_of
from .registry import ANNOTATIONS, FORMATS, FOUND, TIMES, WORDS, WRITERS, Parsed
from .source import DEFAULTS, POLICIES, ReadingOptions, Source, decode, file_bytes, quote
from .times import milliseconds, parse_duration

__all__ = [
    "ANNOTATIONS",
    "FORMATS",
    "FOUND",
    "POLICIES",
    "TIMES",
    "UNKNOWN_FORMAT",
    "WORDS",
    "WRITERS",
    "File",
    "ReadingOptions",
    "files",
    "milliseconds",
    "parse_duration",
    "read",
    "read_all",
    "unique",
]

_D = TypeVar("_D", bound=Named)


def read(
    path: str | os.PathLike[str],
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
        path: a file; a folder, of which the files with a suffix of a wanted format are read, by
            name, while hidden files, folders and other suffixes are passed over; or ``-``.
        format: name of the format; ``None``: each file's suffix says it.
        encoding: of the files. A byte order mark at the start is accepted and dropped; one of
            UTF-16 in a TextGrid goes before this.
        tier: exact name of the tier that holds the words, or names, one for each speaker; without
            effect where there are none.
        wanted: names of the formats that make sense here; ``None``: all.
        policies: what to do where a format leaves a choice, by name; see ``POLICIES``.
        labels: from the outermost in, for the policy ``equal``, which then has any name.
        columns: of files of columns, those of the tags, by name or number from 1, the outermost
            first; none: the last one. ``word=NAME`` among them is the column of the words.

    Returns:
        Documents in the order found. Where a file has one document, its name without suffix is
        the id (``-`` for standard input).

    Raises:
        InputError: whatever is wrong with the path, the arguments or the files; two documents
            with the same id; nothing to read.

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
    return read_all(path, options)


def read_all(path: str | os.PathLike[str], options: ReadingOptions) -> list[Document | Reference]:
    """All documents at a path, as :func:`read`, which makes the options of its arguments.

    Raises:
        InputError: as :func:`read`.
    """
    found = files(path, options)
    return unique(
        (file.path, line, document) for file in found for line, document in file.documents()
    )


def files(path: str | os.PathLike[str], options: ReadingOptions = DEFAULTS) -> Iterator[File]:
    """The files that :func:`read` reads, unread but for what tells the format of JSON.

    Args:
        path: as for :func:`read`.
        options: how they are read.

    Raises:
        InputError: whatever is wrong with the path; no file.

    >>> [file.format for file in files("a.ctm")]
    ['ctm']
    """
    for place, format, is_guessed in files_at(os.fspath(path), options):
        yield File(place, format, options, is_guessed)


@dataclass(frozen=True, slots=True)
class File:
    """A file and how it is to be read.

    Args:
        path: of the file, ``-`` for standard input.
        format: its name in ``FORMATS``.
        options: how it is read; their ``format`` is what the user named.
        is_guessed: whether its keys told the format, and its suffix said another.
        data: its bytes, or those of one of its lines, where they were read already.
    """

    path: str
    format: str
    options: ReadingOptions = DEFAULTS
    is_guessed: bool = False
    data: bytes | None = field(default=None, repr=False)

    @property
    def id(self) -> str:
        """The id of its document, where it has one: its name without suffix."""
        return "-" if self.path == "-" else os.path.splitext(os.path.basename(self.path))[0]

    def documents(self) -> Parsed:
        """What stands in it, read now; each document with its line where the format has many."""
        parsed = FORMATS[self.format].parse(self.source())
        found = [(line, with_oddities(document, line)) for line, document in parsed]
        if not self.is_guessed or not found:
            return found
        (line, first), *rest = found
        suffix = suffix_of(self.path)
        note = Note(f"files of {suffix} taken for {self.format}, by their keys", 1)
        return [(line, replace(first, notes=(*first.notes, note))), *rest]

    def nothing(self) -> InputError:
        """What is wrong if it is empty, to be raised by the caller."""
        expected = FORMATS[self.format].expects
        return InputError(f"the file is empty, expected {expected}", path=self.path)

    def source(self) -> Source:
        """Its text, and that of the file beside it where the format has two.

        Raises:
            InputError: a file that cannot be read or decoded, or is empty; a name that is no id.
        """
        format, encoding = FORMATS[self.format], self.options.encoding
        beside = _beside(self.path, format.beside, encoding) if format.beside else ""
        data = file_bytes(self.path, "a document") if self.data is None else self.data
        text = decode(data, self.path, format.encoding(data) or encoding, utf16=format.utf16)
        if not text.strip() and not beside:
            raise self.nothing()
        if one_line(self.id) != self.id:
            raise InputError(
                "the name of the file is the id of its document, expected characters that can be "
                "seen",
                path=one_line(self.path),
            )
        return Source(self.path, self.id, text, self.options, beside)


def unique(found: Iterable[tuple[str, int | None, _D]]) -> list[_D]:
    """Documents, given with their files and lines, of which no two have the same id.

    Raises:
        InputError: two have.
    """
    documents: list[_D] = []
    places: dict[str, str] = {}
    for place, line, document in found:
        if document.id in places:
            raise InputError(
                one_line(f"document {quote(document.id)} stands twice, expected ids to be ")
                + f"unique; the first is in {places[document.id]}",
                path=place,
                line=line,
            )
        places[document.id] = place if line is None else f"{place}:{line}"
        documents.append(document)
    return documents


def _beside(path: str, suffix: str, encoding: str) -> str:
    """The text of the file of the same name with another suffix."""
    if path == "-":
        raise InputError(f"no {suffix} is beside it, expected a file", path="standard input")
    other = os.path.splitext(path)[0] + suffix
    if not os.path.exists(other):
        raise InputError(f"no {os.path.basename(other)} is beside it, expected one", path=path)
    refuse_special(other)
    text = decode(file_bytes(other, "a text"), other, encoding)
    if not text.strip():
        raise InputError("the file is empty, expected words", path=other)
    return text
