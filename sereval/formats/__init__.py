"""Read files of every format into documents, and write documents in some formats.

`FORMATS` is the table of formats, `ReadingOptions` says how files are read, and `read` reads them.
Every reader is strict: it refuses what it cannot read with an `InputError` that has file and line,
and a note counts everything that it leaves out.
"""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import IO, Any, TypeVar

from ..documents.checks import canonical
from ..documents.model import Document, Element, HasId, Reference, ReferenceElement
from ..documents.notes import Note, Place
from ..errors import InputError, SerevalError, one_line
from .paths import UNKNOWN_FORMAT, files_at, refuse_special, stem_of, suffix_of
from .registry import ANNOTATIONS, FORMATS, FOUND, TIMES, WORDS, WRITERS, Format, ParsedDocuments
from .source import (
    DEFAULTS,
    POLICIES,
    ReadingOptions,
    Source,
    decode,
    file_bytes,
    is_read_once,
    open_file,
    quote,
)
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
    "parse",
    "parse_duration",
    "read",
    "read_all",
    "read_each",
    "unique",
]

_D = TypeVar("_D", bound=HasId)


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
        encoding: encoding of the files. A byte order mark at the start is dropped; in a TextGrid,
            one of UTF-16 overrides this argument.
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
        return read_all(path, options)
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
    format, is_guessed = options.format, False
    if format is None and path != "-":
        [(_, format, is_guessed)] = files_at(path, options)
    format = format or _format_of_keys(text, options.encoding)
    if path == "-" and FORMATS[format].beside and not FORMATS[format].is_beside_optional:
        raise InputError(f"the format {format} has two files, expected a path", path=path)
    found = File(path, format, options, is_guessed, text, id).documents()
    return list(unique((path, line, document) for line, document in found))


def _format_of_keys(data: bytes, encoding: str) -> str:
    """The format of a text in JSON, by its keys."""
    from .guess import format_of, keys_of
    from .native import has_keys

    try:
        keys = keys_of(io.BytesIO(data), encoding)
    except (LookupError, ValueError):
        keys = set()
    found = format_of(keys) or ("native" if keys and has_keys(keys) else None)
    if found is None:
        raise InputError("the format of a text, expected one such as format='inline'", path="-")
    return found


def read_all(path: str | os.PathLike[str], options: ReadingOptions) -> list[Document | Reference]:
    """All documents at a path, as :func:`read` returns them.

    Args:
        path: as for :func:`read`.
        options: how the files are read.

    Raises:
        InputError: as :func:`read`.
    """
    return list(read_each(path, options))


def read_each(
    path: str | os.PathLike[str], options: ReadingOptions
) -> Iterator[Document | Reference]:
    """The documents that :func:`read_all` returns, one at a time.

    Of a file in native JSON one document is in memory, of any other file all of its documents.

    Args:
        path, options: as for :func:`read_all`.

    Raises:
        InputError: as :func:`read`, when the document is reached.
    """
    found = files(path, options)
    return unique((file.path, line, document) for file in found for line, document in file.each())


def files(path: str | os.PathLike[str], options: ReadingOptions = DEFAULTS) -> Iterator[File]:
    """The files that :func:`read` reads; of files in JSON only the first keys have been read.

    Args:
        path: as for :func:`read`.
        options: how the files are read.

    Raises:
        InputError: a fault in the path; no file.

    >>> [file.format for file in files("a.ctm")]
    ['ctm']
    """
    for place, format, is_guessed in files_at(os.fspath(path), options):
        yield File(place, format, options, is_guessed)


@dataclass(frozen=True, slots=True)
class File:
    """A file, its format, and how it is read.

    Args:
        path: path of the file, ``-`` for standard input.
        format: name of its format in ``FORMATS``.
        options: how it is read; ``options.format`` is the format that the user named.
        is_guessed: whether the format was found by the keys of the file and its suffix has another.
        data: bytes of the file or of one of its lines; ``None``: not read yet.
        name: the id of its document; empty: that of the path.
    """

    path: str
    format: str
    options: ReadingOptions = DEFAULTS
    is_guessed: bool = False
    data: bytes | None = field(default=None, repr=False)
    name: str = ""

    @property
    def id(self) -> str:
        """The name of the file without suffix, which is the id if it has one document."""
        if self.name:
            return self.name
        return "-" if self.path == "-" else stem_of(os.path.basename(self.path))

    def documents(self) -> ParsedDocuments:
        """Read the documents, each with its line if the format has several in a file.

        Raises:
            InputError: a fault in the file.
        """
        parsed = FORMATS[self.format].parse(self.source())
        found = [(line, with_oddities(document, line)) for line, document in parsed]
        if not self.is_guessed or not found:
            return found
        (line, first), *rest = found
        suffix = suffix_of(self.path)
        note = Note(f"files of {suffix} taken for {self.format}, by their keys", 1)
        return [(line, replace(first, notes=(*first.notes, note))), *rest]

    def each(self) -> Iterator[tuple[int | None, Document | Reference]]:
        """The documents that ``documents`` returns; of a file with lines, one line is in memory.

        Raises:
            InputError: as ``documents``, when the document is reached.
        """
        if not self.has_lines or self.is_guessed or one_line(self.id) != self.id:
            yield from self.documents()
            return
        count = 0
        try:
            with open_file(self.path) as stream:
                for line, data in enumerate(stream, 1):
                    if not is_blank(data, line):
                        yield line, self.line(data, line)
                        count += 1
        except InputError:
            self.documents()  # the first fault of the whole file
            raise
        if not count:
            raise self.nothing()

    @property
    def has_lines(self) -> bool:
        """Whether each line is a document, and can be read without the others."""
        is_native = FORMATS[self.format].names == "lines"
        return is_native and not is_read_once(self.path) and _keeps_ascii(self.options.encoding)

    def line(self, data: bytes, line: int) -> Document | Reference:
        """The document of one line, of a file that has lines.

        Args:
            data: the bytes of the line.
            line: its number, from 1.

        Raises:
            InputError: a fault in the line.
        """
        from . import native  # only if there are such files

        try:
            text = decode(data, self.path, self.options.encoding)
        except InputError as error:
            raise InputError(error.message, path=self.path, line=error.line and line) from None
        if line > 1 and data.startswith(codecs.BOM_UTF8):
            text = "\ufeff" + text  # only the start of a file may have it
        source = Source(self.path, self.id, "", self.options)
        return with_oddities(native.parse_line(text.removesuffix("\n"), line, source), line)

    def nothing(self) -> InputError:
        """The error for an empty file; the caller raises it."""
        expected = FORMATS[self.format].expects
        return InputError(f"the file is empty, expected {expected}", path=self.path)

    def source(self) -> Source:
        """Its text, and the text of the file beside it if the format has two files.

        Raises:
            InputError: a file that cannot be read or decoded, or is empty; a name with characters
                that no id may have.
        """
        format, encoding = FORMATS[self.format], self.options.encoding
        beside = _beside(self.path, format, encoding) if format.beside else ""
        data = file_bytes(self.path, "a document") if self.data is None else self.data
        text = ""
        if not format.is_binary:
            text = decode(data, self.path, format.encoding(data) or encoding, utf16=format.utf16)
        if not text.strip() and not beside and not (format.is_binary and data):
            raise self.nothing()
        if one_line(self.id) != self.id:
            raise InputError(
                "the name of the file is the id of its document, expected characters that can be "
                "seen",
                path=one_line(self.path),
            )
        return Source(
            self.path, self.id, text, self.options, beside, data if format.is_binary else b""
        )


_PLAIN = ("ascii", "utf-8", "iso8859-1", "iso8859-15", "cp1252")


def _keeps_ascii(encoding: str) -> bool:
    """Whether an encoding keeps ASCII, so that lines can be split before they are decoded."""
    try:
        return codecs.lookup(encoding).name in _PLAIN
    except (LookupError, ValueError):
        return False  # reading the file raises the error


def is_blank(data: bytes, line: int) -> bool:
    """Whether a line of a file of lines has no document.

    Args:
        data: the bytes of the line.
        line: its number, from 1; only the first may begin with a byte order mark.
    """
    data = data.removeprefix(codecs.BOM_UTF8) if line == 1 else data
    return not data.strip(b" \t\r\n")


def unique(found: Iterable[tuple[str, int | None, _D]]) -> Iterator[_D]:
    """Pass documents on, if their ids are unique.

    Args:
        found: file, line and document of each; a line may be ``None``.

    Raises:
        InputError: two documents have the same id.
    """
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
        yield document


def _beside(path: str, format: Format, encoding: str) -> str:
    """The text of the file of the same name with another suffix; empty: it may be missing.

    It keeps its byte order mark, which annotations beside it may count.
    """
    suffix = format.beside
    other = stem_of(path) + suffix
    if path == "-" or not os.path.exists(other):
        if format.is_beside_optional:
            return ""
        if path == "-":
            raise InputError(f"no {suffix} is beside it, expected a file", path="standard input")
        raise InputError(f"no {os.path.basename(other)} is beside it, expected one", path=path)
    refuse_special(other)
    data = file_bytes(other, "a text")
    text = decode(data, other, encoding)
    if not text.strip():
        raise InputError("the file is empty, expected words", path=other)
    has_mark = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    is_unicode = codecs.lookup(encoding).name.startswith("utf-")
    return f"\ufeff{text}" if has_mark and is_unicode else text


_UNSEEN = "a blank at an end, a character that cannot be seen, or accents not composed (NFC)"
LABELS = f"elements whose label has {_UNSEEN}"
IDS = f"documents whose id has {_UNSEEN}"
TWICE = "elements inside one of the same label on the same words"
"""Texts of the notes; ``sereval doctor`` names the place of each thing that they count."""

_Any = TypeVar("_Any", Document, Document | Reference)


def with_oddities(document: _Any, line: int | None = None) -> _Any:
    """The document with notes on odd labels, an odd id and repeated elements.

    Args:
        document: a document as its reader made it.
        line: line of the document, if its file has several.

    >>> dol = Document("d", ("Dol",), (Element("loc ", 0, 1), Element("loc ", 0, 1, 0)))
    >>> for note in with_oddities(dol).notes:
    ...     print(note)
    elements whose label has a blank at an end, a character that cannot be seen, or accents not \
composed (NFC): 2, the first 'loc ' at d
    elements inside one of the same label on the same words: 1, the first loc  [0, 1) at d
    """
    found: tuple[Note, ...] = tuple(_notes(document, line))
    return replace(document, notes=(*document.notes, *found)) if found else document


def _notes(document: Document | Reference, line: int | None) -> Iterator[Note]:
    if is_odd(document.id):
        yield Note(IDS, 1, places=(_place(document, ascii(document.id), line),))
    elements = document.elements
    odd = {label for element in elements for label in element.labels if is_odd(label)}
    if odd:
        found = [(label, e) for e in elements for label in e.labels if label in odd]
        first = dict(reversed(found))
        places = (_place(document, ascii(label), _line(e, line)) for label, e in first.items())
        yield Note(LABELS, len(found), places=tuple(places))
    again = [e for e in elements if e.parent is not None and _kind(e) == _kind(elements[e.parent])]
    if again:
        shown = (_place(document, _show(element), _line(element, line)) for element in again)
        yield Note(TWICE, len(again), places=tuple(shown))


def _show(element: Element | ReferenceElement) -> str:
    return one_line(str(element) if isinstance(element, Element) else "/".join(element.labels))


@lru_cache(maxsize=4096)
def is_odd(name: str) -> bool:
    """Whether a name has outer blanks, invisible characters or accents that are not composed."""
    try:
        return name != name.strip() or not name.isprintable() or canonical(name) != name
    except SerevalError:  # too many accents on one letter
        return True


def _kind(element: Element | ReferenceElement) -> Hashable:
    if isinstance(element, Element):
        return element.label, element.start, element.end
    return element.labels, element.starts, element.ends


def _line(element: Element | ReferenceElement, line: int | None) -> int | None:
    return (element.line if isinstance(element, Element) else None) or line


def _place(document: Document | Reference, what: str, line: int | None) -> Place:
    file = os.path.basename(document.source or document.id)
    return Place(what, one_line(file if line is None else f"{file}:{line}"), line)
