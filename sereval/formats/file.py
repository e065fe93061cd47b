"""A file: its format, how it is read, its text, errors with their places in it; files at a path.

The suffix of each file proposes formats, and its content decides.
"""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..documents.files import (
    COMPRESSED,
    decode,
    encoding_of,
    file_bytes,
    is_read_once,
    open_file,
    refuse_special,
)
from ..documents.model import HasId, Note, Place, changed, limited_depth, with_oddities
from ..documents.tags import SCHEMES
from ..errors import InputError, SerevalError, one_line
from .table import FORMATS, SUFFIXES, Format, lacking, listed

if TYPE_CHECKING:
    from ..documents.model import Document, Reference

Documents: TypeAlias = "Iterator[Document | Reference]"
"""The documents of a file; each is yielded at its line if the format has several in a file."""

Placed: TypeAlias = "tuple[int | None, Document | Reference]"
"""A document with its line, if it is one of several in a file."""

_D = TypeVar("_D", bound=HasId)

_LONG = r"(\S{40})\S{160,}"
"""A label, tag, key or id that is too long for a message."""

DETECT = "detect"

POLICIES: dict[str, tuple[str, ...]] = {
    "discontinuous": ("refuse", "hull", "first", "pieces"),
    "texts": ("refuse", "offsets"),
    "unlabelled": ("refuse", "drop", "keep"),
    "cells": ("refuse", "fill"),
    "ids": ("refuse", "number"),
    "crossing": ("refuse", "drop"),
    "equal": ("appearance", "GRAMMAR"),
    "marks": ("keep", "strip", "hub4"),
    "times": ("spread", "none"),
    "tags": (DETECT, *SCHEMES),
    "mentions": ("exact", "nearest"),
    "unreadable": ("error", "empty"),
    "annotator": ("one", "NAME"),
    "durations": ("refuse", "zero"),
    "segments": ("none", "FILE"),
}
"""The policies of each choice that formats leave to the reader; the first is the default.

A name in capital letters stands for the name of a list of labels, or of an annotator.
"""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How files are read; fields that :func:`sereval.read` takes too are explained there."""

    format: str | None = None
    wanted: tuple[str, ...] = tuple(FORMATS)  # formats to accept
    encoding: str = "utf-8"
    tiers: tuple[str, ...] = ()  # exact names of those of the words; none: found by their names
    policies: tuple[tuple[str, str], ...] = ()  # by name in POLICIES; others have their default
    labels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.wanted if self.format is None else (self.format, *self.wanted):
            if name not in FORMATS:
                raise InputError(f"format {quote(name)}, expected one of {', '.join(FORMATS)}")
        if self.format is not None and self.format not in self.wanted:
            raise InputError(
                f"format {quote(self.format)}{lacking(self.format)}, expected {listed(self.wanted)}"
            )
        for name, policy in self.policies:
            if name not in POLICIES:
                raise InputError(f"found {quote(name)}, expected one of {', '.join(POLICIES)}")
            is_named = name in ("annotator", "segments") or name == "equal" and self.labels
            if policy not in POLICIES[name] and not is_named:
                expected = ", ".join(f"{name}={one}" for one in POLICIES[name])
                raise InputError(f"found {quote(f'{name}={policy}')}, expected one of {expected}")

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats that a file may have."""
        return self.wanted if self.format is None else (self.format,)

    def policy(self, name: str) -> str:
        """The policy of a choice that a format leaves open."""
        return dict(self.policies).get(name, POLICIES[name][0])


DEFAULTS = ReadingOptions()
"""The format of each file from its suffix, and the default of each policy."""


@dataclass(slots=True, unsafe_hash=True)
class File:
    """A file, its format, and how it is read; a reader gets it opened, with its text.

    An error inside the context of a file takes its path, and the line that is being read, if any.
    """

    path: str  # as the user named it; ``-``: standard input
    format: str = ""  # name in FORMATS
    options: ReadingOptions = DEFAULTS  # options.format is what the user named
    # of the file or of one of its lines; None: not read yet
    data: bytes | None = field(default=None, repr=False)
    # without byte order mark; empty if the format is binary
    text: str = field(default="", repr=False)
    beside: str = field(default="", repr=False)  # of the file beside it, with byte order mark
    name: str = ""  # the id of its document; empty: that of the path
    # the line that is being read; a reader may set it
    here: int | None = field(default=None, compare=False, repr=False)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, at: object) -> None:
        if isinstance(error, InputError) and error.path is None:
            raise self.error(error.message, error.line or self.here) from None
        if isinstance(error, SerevalError) and not isinstance(error, InputError):
            raise self.error(str(error), self.here) from None

    @property
    def id(self) -> str:
        """The name of the file without suffix, which is the id if it has one document."""
        if self.name:
            return self.name
        return "-" if self.path == "-" else stem_of(os.path.basename(self.path))

    def policy(self, name: str) -> str:
        """The policy of a choice that the format leaves open."""
        return self.options.policy(name)

    def hint(self, name: str) -> str:
        """The end of a message: the policies that accept what was refused."""
        ways = " or ".join(f"{name}={policy}" for policy in POLICIES[name][1:])
        return f"--read {ways} takes it"

    def lines(self) -> Iterator[str]:
        r"""The lines; ``here`` is the number of each. Only ``\n`` ends one, as in every editor."""
        for line, text in enumerate(self.text.split("\n"), 1):
            self.here = line
            yield text
        self.here = None

    def rows(self, names: str, most: int = -1) -> Iterator[list[str]]:
        """The columns of each line between white space; no empty lines, no comments (``;;``).

        Columns whose names begin with a bracket may be missing.
        """
        high = len(names.split())
        low = high - names.count("[")
        for text in self.lines():
            columns = text.split(None, most)
            if columns and columns[0][:2] != ";;":
                if not low <= len(columns) <= high:
                    raise SerevalError(f"found {len(columns)} columns, expected {names}")
                yield columns

    def table(self, *names: str, delimiter: str = ",") -> Iterator[dict[str, str]]:
        r"""The rows of a table as in CSV, by the names in its first row."""
        import csv  # few formats need it

        csv.field_size_limit(1 << 30)  # a cell may hold a transcript
        lines = (f"{text}\n" for text in self.lines())
        rows = csv.DictReader(lines, delimiter=delimiter, strict=True)
        try:
            header = rows.fieldnames or []
            if not {*names} <= {*header}:
                found, expected = quote(",".join(header)), ",".join(names)
                raise SerevalError(f"found the columns {found}, expected {expected}")
            for row in rows:
                if None in row or None in row.values():
                    expected = ",".join(header)
                    raise SerevalError(f"another number of columns, expected {expected}")
                yield row
        except csv.Error as error:
            raise self.error(f"not CSV: {error}", rows.reader.line_num) from None

    def place(self, what: str, line: int | None) -> Place:
        """The place of something, maybe on a line, for a note."""
        name = os.path.basename(self.path)
        return Place(what, one_line(name if line is None else f"{name}:{line}"), line)

    def error(self, message: str, line: int | None = None) -> InputError:
        """An error with the path and a line; the caller raises it."""
        short = re.sub(_LONG, r"\1…", one_line(message))
        return InputError(short, path=self.path, line=line)

    def documents(self) -> list[Placed]:
        """Read the documents, each with its line if the format has several in a file."""
        opened = self.opened()
        read = FORMATS[self.format].function(f"read_{self.format}")
        opened.here = None
        with opened:
            found: list[Placed] = [
                (opened.here, with_oddities(one, opened.here, self.place)) for one in read(opened)
            ]
        if not found:
            raise self.error(f"no document found, expected {FORMATS[self.format].expects}")
        if self.is_guessed:
            line, first = found[0]
            what = f"files of {suffix_of(self.path)} read as {self.format}, by their keys"
            found[0] = line, replace(first, notes=(*first.notes, Note(what, 1)))
        return [*_numbered(found)] if self.policy("ids") == "number" else found

    @property
    def is_guessed(self) -> bool:
        """Whether its content told the format, and its suffix is of another."""
        owner = SUFFIXES.get(suffix_of(self.path), self.format)
        return self.options.format is None and self.format != owner

    def each(self) -> Iterator[Placed]:
        """The documents that ``documents`` returns; of a file with lines, one line is in memory."""
        if not self.has_lines or self.is_guessed or one_line(self.id) != self.id:
            yield from self.documents()
            return
        try:
            for line, _, data in self.stream():
                yield line, self.line(data, line)
        except InputError:
            self.documents()  # the first fault of the whole file
            raise

    def stream(self) -> Iterator[tuple[int, int, bytes]]:
        """Each line that is not blank, one at a time: its number, its first byte, its bytes."""
        start, is_empty = 0, True
        with open_file(self.path) as stream:
            for line, data in enumerate(stream, 1):
                if data.removeprefix(codecs.BOM_UTF8 if line == 1 else b"").strip(b" \t\r\n"):
                    is_empty = False
                    yield line, start, data
                start += len(data)
        if is_empty:
            raise self.nothing()

    @property
    def has_lines(self) -> bool:
        """Whether each line is a document, and can be read without the others."""
        is_native = FORMATS[self.format].names == "lines" and self.policy("ids") == "refuse"
        if not is_native or is_read_once(self.path):
            return False
        with open_file(self.path) as stream:
            return encoding_of(stream.read(2), self.options.encoding) == "utf-8"

    def line(self, data: bytes, line: int) -> Document | Reference:
        """The document of one line, of a file that has lines."""
        try:
            text = decode(data, self.path, self.options.encoding)
        except InputError as error:
            raise InputError(error.message, path=self.path, line=error.line and line) from None
        if line > 1 and data.startswith(codecs.BOM_UTF8):
            text = "\ufeff" + text  # only the start of a file may have it
        read = FORMATS[self.format].function("read_line")  # of native JSON
        self.here = line
        with self:
            return with_oddities(read(self, text.removesuffix("\n")), line, self.place)

    def nothing(self) -> InputError:
        """The error for an empty file; the caller raises it."""
        expected = FORMATS[self.format].expects
        return InputError(f"the file is empty, expected {expected}", path=self.path)

    def opened(self) -> File:
        """The file with its text, and that of the file beside it if the format has two files."""
        if self.text or self.beside:
            return self
        format, encoding = FORMATS[self.format], self.options.encoding
        beside = _beside(self.path, format, encoding) if format.beside else ""
        data = file_bytes(self.path) if self.data is None else self.data
        if format.is_binary:
            text, is_empty = "", not data
        else:
            named = _DECLARED.match(data)
            encoding = named[1].decode("ascii") if named else encoding
            text = decode(data, self.path, encoding)
            is_empty = not text.strip() and not beside
        if is_empty:
            raise self.nothing()
        if one_line(self.id) != self.id:
            raise InputError(
                "the name of the file is the id of its document, expected characters that can be "
                "seen",
                path=one_line(self.path),
            )
        return replace(self, text=text, beside=beside, data=data if format.is_binary else None)


_DECLARED = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']""", re.ASCII
)
"""The encoding that an XML file names."""


def _beside(path: str, format: Format, encoding: str) -> str:
    """The text of the file of the same name with another suffix; empty: it may be missing."""
    other = stem_of(path) + format.beside
    if format.folder_beside and not os.path.exists(other):
        folder, name = os.path.split(other)
        other = os.path.join(os.path.dirname(folder), format.folder_beside, name)
    if path == "-" or not os.path.exists(other):
        if format.folder_beside:
            return ""
        raise InputError(f"no {format.beside} is beside it, expected one", path=path)
    refuse_special(other)
    data = file_bytes(other)
    text = decode(data, other, encoding)
    if not text.strip():
        raise InputError("the file is empty, expected words", path=other)
    has_mark = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    is_unicode = codecs.lookup(encoding).name.startswith("utf-")
    return f"\ufeff{text}" if has_mark and is_unicode else text


def suffix_of(path: str) -> str:
    """The suffix of a file in small letters; some formats have a suffix with two dots."""
    last = os.path.splitext(path)[1].lower()
    longer = (s for s in SUFFIXES if s.count(".") > 1 and path.lower().endswith(s))
    return next(longer, last)


def stem_of(path: str) -> str:
    """A path without its suffix."""
    return path[: len(path) - len(suffix_of(path))]


def quote(text: str, limit: int = 40) -> str:
    """A piece of a file for a message: quoted, and on one line."""
    return repr(text if len(text) <= limit else text[:limit] + "…")


def _numbered(
    found: Sequence[Placed],
) -> Iterator[Placed]:
    """The documents, where an id that was there before has the number of its turn."""
    taken = {document.id for _, document in found}
    turns: Counter[str] = Counter()
    for line, document in found:
        id = document.id
        turns[id] += 1
        if turns[id] > 1:
            names = (f"{id}-{turn}" for turn in count(turns[id]))
            new = next(name for name in names if name not in taken)
            taken.add(new)
            note = Note("documents of an id that was there before, numbered", 1, "ids=number")
            document = changed(document, id=new, notes=(*document.notes, note))
        yield line, document


# --- the files at a path --------------------------------------------------------------------------

UNKNOWN_FORMAT = "name its format"
"""The end of a message about a path whose format is unknown."""

_OF_DATA_SETS = ("dataset_info.json", "state.json")
"""Files that Hugging Face's ``datasets`` writes beside those of the data."""

COMPRESSING = (".gz", ".zip", ".bz2", ".xz", ".zst")

PLAIN = ".txt"
"""The suffix of plain texts; a file whose suffix no format has may be one."""

CHUNK = 1 << 18
"""Number of bytes of a file that ``Head.text`` has."""


def signs(value: dict[str, Any]) -> set[str]:
    """The keys of an object; ``key[{`` too if its value is a list of objects."""
    lists = (key for key, one in value.items() if isinstance(one, list) and one)
    return {*value, *(f"{key}[{{" for key in lists if isinstance(value[key][0], dict))}


def as_object(value: Any) -> Any:
    """A pair ``[text, {…}]`` of spaCy's training data as an object; any other value as it is."""
    match value:
        case [str(text), dict(others)]:
            return {**others, "text": text}
    return value


class Head:
    """The beginning of a file, which can be read twice; a module recognises its formats by it."""

    def __init__(self, file: File) -> None:
        self.file = file

    def read(self, *, is_line: bool = False, size: int = -1) -> str:
        """The first characters, without byte order mark; empty if they cannot be read."""
        data = self.file.data
        try:
            with open_file(self.file.path) if data is None else BytesIO(data) as stream:
                found = stream.readline() if is_line else stream.read(size)
            encoding = encoding_of(found, self.file.options.encoding)
            return found.decode(encoding, "ignore").removeprefix("\ufeff")
        except (InputError, LookupError, UnicodeError, ValueError):
            return ""  # the reader will report the fault

    @cached_property
    def text(self) -> str:
        return self.read(size=CHUNK)

    @cached_property
    def line(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0].rstrip("\r")

    @cached_property
    def keys(self) -> set[str]:
        """The ``signs`` of the first object in JSON, on the first line or on several."""
        import json  # few files need it

        for is_line in (True, False):
            text = self.read(is_line=is_line).lstrip()
            try:
                with limited_depth(SerevalError("brackets nested too deeply")):
                    value, _ = json.JSONDecoder().raw_decode(text)
            except (ValueError, SerevalError):
                continue
            first = as_object(value)
            first = as_object(first[0]) if isinstance(first, list) and first else first
            return signs(first) if isinstance(first, dict) else set()
        return set()

    def has(self, *signs: str) -> bool:
        """Whether all keys of one of the signs are there, each some keys between blanks."""
        return any(self.keys.issuperset(sign.split()) for sign in signs)


def files(path: str | os.PathLike[str], options: ReadingOptions = DEFAULTS) -> Iterator[File]:
    """The files that :func:`sereval.read` reads; only their beginnings have been read."""
    path = os.fspath(path)
    if os.path.isdir(path):
        yield from _in_folder(path, options)
    elif path == "-" and options.format is None:
        raise InputError(f"standard input has no suffix: {UNKNOWN_FORMAT}", path=path)
    else:
        yield File(path, _format(path, options), options)


def _in_folder(path: str, options: ReadingOptions) -> Iterator[File]:
    """The files of wanted formats; a suffix that no format owns counts if the content is known."""
    try:
        entries = sorted(os.listdir(path))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    there, is_empty = frozenset(entries), True
    known = {
        suffix
        for name in options.formats
        for suffix in FORMATS[name].suffixes + FORMATS[name].shared
    }
    found = [
        entry
        for entry in entries
        if not entry.startswith(".")
        and entry != "dataset_dict.json"
        and not (entry in _OF_DATA_SETS and any(one.endswith(".arrow") for one in entries))
        and not os.path.isdir(os.path.join(path, entry))
        and not _stands_beside(entry, there)
    ]
    named = [entry for entry in found if suffix_of(entry) in known]
    # if no file has a suffix of the format that the user names, all may be of it
    for entry in named or (found if options.format else []):
        place, suffix = os.path.join(path, entry), suffix_of(entry)
        refuse_special(place)
        is_named = options.format and suffix in known or SUFFIXES.get(suffix) in options.formats
        if is_named or recognised(File(place, "", options)) in options.formats:
            is_empty = False
            yield File(place, _format(place, options), options)
    if is_empty:
        kinds = Counter(map(suffix_of, found))
        shown = (
            f"{number} {quote(suffix)}{lacking(SUFFIXES.get(suffix, ''))}"
            for suffix, number in kinds.most_common(4)
        )
        which = ", which has " * bool(kinds) + ", ".join(shown)
        raise InputError(
            f"no file to read in this folder{which}; folders in it are not looked into; "
            f"expected {listed(options.formats)}"
            + (f"; or {UNKNOWN_FORMAT}" if found and not options.format else ""),
            path=path,
        )


def _format(path: str, options: ReadingOptions) -> str:
    """The format of a file: the one that the user names, its content has, or its suffix tells."""
    if options.format is not None:
        return options.format
    suffix, names = suffix_of(path), options.formats
    owner = SUFFIXES.get(suffix, "")
    found = recognised(File(path, "", options)) or owner
    if found not in names and os.path.exists(path):
        if not is_read_once(path) and suffix in COMPRESSING:
            raise InputError(COMPRESSED, path=path)
        message = f"suffix {quote(suffix)}" if found == owner else f"its content is that of {found}"
        message += lacking(found)
        raise InputError(f"{message}, expected {listed(names)}; or {UNKNOWN_FORMAT}", path=path)
    return found or names[0]  # opening a missing file fails


def recognised(file: File, suffix: str = "") -> str:
    """The format that a file with a suffix of several formats has by its content; empty: none."""
    suffix = suffix or suffix_of(file.path)
    if not any(suffix in one.suffixes + one.shared for one in FORMATS.values()):
        suffix = PLAIN
    claims = [one for one in FORMATS.values() if suffix in one.suffixes + one.shared]
    is_shared = any(suffix in one.shared for one in claims)
    if not is_shared or file.data is None and is_read_once(file.path):
        return ""
    head = Head(file)
    claims.sort(key=lambda one: suffix in one.shared)  # the owner is asked first
    for one in {one.module: one for one in claims}.values():  # the owner's module is loaded first
        recognise = one.function("recognise")
        name: str = recognise(head) if recognise else ""
        if name:
            return name
    is_native = head.has("id words", "id elements")  # with a key too many, as its reader says
    if suffix in SUFFIXES and head.keys and not is_native:
        plain = sorted(key for key in head.keys if not key.endswith("[{"))
        shown = ", ".join(plain[:4]) + ", …" * (len(plain) > 4)
        names = ", ".join(one.name for one in claims if one.name in file.options.wanted)
        raise file.error(
            f"its keys ({shown}) are those of no format, expected those of {names}; or "
            f"{UNKNOWN_FORMAT}"
        )
    return ""


def _stands_beside(entry: str, entries: Container[str]) -> bool:
    """Whether a file is not a document, but stands beside one of another format."""
    return any(
        entry.endswith(one.beside) and entry.removesuffix(one.beside) + suffix in entries
        for one in FORMATS.values()
        if one.beside
        for suffix in one.suffixes
    )


def unique(found: Iterable[tuple[str, int | None, _D]]) -> Iterator[_D]:
    """Pass documents on, if their ids are unique."""
    places: dict[str, str] = {}
    for place, line, document in found:
        if document.id in places:
            raise InputError(
                one_line(f"document {quote(document.id)} stands twice, expected ids to be ")
                + f"unique; the first is in {places[document.id]}"
                + ("; --read ids=number takes it" * places[document.id].startswith(f"{place}:")),
                path=place,
                line=line,
            )
        places[document.id] = place if line is None else f"{place}:{line}"
        yield document
