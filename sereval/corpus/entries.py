"""Entries: the names of documents and their places in files, before the documents are read.

In most formats the document has the name of its file. In native JSON each line has a name.
Other files with several documents are read to the end for the names; while they are small, their
documents stay in memory.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from ..documents.files import is_read_once, open_file
from ..documents.model import Document, Note, Reference, changed, check_names
from ..errors import InputError, Problems, SerevalError, one_line
from ..formats import FORMATS, File, unique

KEPT = 4_000_000
"""The most bytes of a side's files that stay in memory after they were read for their names. The
limit holds for the files of documents and, apart from these, for the lines of native JSON. The
first file of documents stays in memory at any size, because a second read would need as much."""


IN_MEMORY = File("", "json")
"""Where documents in memory seem to stand: JSON holds all that a document can have."""

Side = tuple[str, str]
"""The role of files, such as ``ref``, and the path that the user named."""


class LinePlace(NamedTuple):
    """The place of a line in a file."""

    line: int  # from 1
    start: int  # the offset of its first byte
    size: int  # in bytes
    data: bytes | None = None  # its bytes, if they stay in memory


class Entry(NamedTuple):
    """A document that has not been read."""

    id: str
    file: File
    name: str  # of the document in the file
    side: Side  # the role of the file
    place: LinePlace | None = None  # of its line, in a format with one document on each line
    # the document, if it was read for its name and stays in memory
    kept: Document | Reference | None = None
    notes: tuple[Note, ...] = ()  # added to those that the reader gives the document

    @property
    def size(self) -> int:
        """The size of the document: bytes of its line or its file, or its words if it was read."""
        if self.place is not None:
            return self.place.size
        if self.kept is not None:
            return len(self.kept.words)
        try:
            return os.path.getsize(self.file.path)
        except OSError:  # reading it raises the error
            return 0

    def read(self) -> Document | Reference:
        """Read the document."""
        document = self.kept
        if document is None:
            found: dict[str, Document | Reference]
            if self.place is not None:
                document = _read_line(self.file, self.place)
                found = {document.id: document}
            elif FORMATS[self.file.format].names == "file":
                found = {one.id: one for _, one in self.file.documents()}
            else:
                found = _documents(self.file)
            if self.name not in found:  # the file has changed since its names were read
                raise InputError(
                    one_line(f"document {self.name} is no longer in the file, ")
                    + "expected a file that does not change during the run",
                    path=self.file.path,
                    line=None if self.place is None else self.place.line,
                )
            document = found[self.name]
        if self.notes:
            document = replace(document, notes=(*document.notes, *self.notes))
        if document.id == self.id:
            return document
        check_names(self.id, ())
        return changed(document, id=self.id)


@lru_cache(maxsize=4)  # for each side, and for the times of each
def _documents(file: File) -> dict[str, Document | Reference]:
    return {document.id: document for _, document in file.documents()}


def have_same_output(one: Sequence[Entry | None], other: Sequence[Entry | None]) -> bool:
    """Whether two systems gave the same words, elements and tags in every document."""

    def output(entry: Entry | None) -> object:
        document = entry and entry.read()
        return document, getattr(document, "tags", None)

    return len(one) == len(other) and all(
        a is b or output(a) == output(b) for a, b in zip(one, other, strict=True)
    )


def entries(files: Iterable[File], side: Side, kept: int = KEPT) -> list[Entry]:
    """List the documents of files without reading them."""
    _documents.cache_clear()  # a file may have changed since an earlier run
    free = {"documents": kept, "lines": kept}
    found: list[tuple[str, int | None, Entry]] = []
    errors: list[SerevalError] = []
    for file in files:
        try:
            found += _list_documents(file, side, free, is_first=free["documents"] == kept)
        except SerevalError as error:
            errors.append(error)
    if errors:
        raise Problems.of(errors)
    return list(unique(found))


def in_memory(
    documents: Iterable[Document | Reference], role: str, file: File = IN_MEMORY
) -> list[Entry]:
    """Entries of documents that need not be read."""
    return [Entry(one.id, file, one.id, (role, ""), kept=one) for one in documents]


def _list_documents(
    file: File, side: Side, free: dict[str, int], *, is_first: bool
) -> Iterator[tuple[str, int | None, Entry]]:
    """The documents of one file; ``free``: how many bytes of these and of lines may be kept."""
    names = FORMATS[file.format].names
    is_once = is_read_once(file.path)
    if not is_once and names == "file":
        with open_file(file.path):
            pass  # the file exists
        yield file.path, None, Entry(file.id, file, file.id, side)
    elif file.has_lines:
        free["lines"] -= os.path.getsize(file.path)
        for name, place in _lines(file, is_kept=free["lines"] >= 0):
            yield file.path, place.line, Entry(name, file, name, side, place)
    else:
        documents = file.documents()
        free["documents"] -= 0 if is_once else os.path.getsize(file.path)
        is_kept = is_once or is_first or free["documents"] >= 0
        for line, found in documents:
            kept = found if is_kept else None
            yield file.path, line, Entry(found.id, file, found.id, side, None, kept)


# --- native JSON lines ---------------------------------------------------------------------------

_ID = re.compile(rb'[ \t\r]*\{[ \t\r]*"id"[ \t\r]*:[ \t\r]*("(?:[^"\\\x00-\x1f]|\\.)*")')


def _lines(file: File, *, is_kept: bool) -> Iterator[tuple[str, LinePlace]]:
    """The name and the place of each document; a line is parsed only if its id is not first."""
    try:
        for line, start, data in file.stream():
            place = LinePlace(line, start, len(data), data if is_kept else None)
            yield _name(file, data, place), place
    except InputError:
        file.documents()  # the first fault of the whole file
        raise


def _name(file: File, data: bytes, place: LinePlace) -> str:
    start = len(codecs.BOM_UTF8) if place.line == 1 and data.startswith(codecs.BOM_UTF8) else 0
    found = _ID.match(data, start)
    if found is not None:
        import json  # only if there are such files

        try:
            name = json.loads(found[1].decode(file.options.encoding))
        except ValueError:  # parsing the line raises the error
            name = ""
        if name and one_line(name) == name:
            return intern(name)  # both sides have it
    return file.line(data, place.line).id


def _read_line(file: File, place: LinePlace) -> Document | Reference:
    data = place.data
    if data is None:
        with open_file(file.path) as stream:
            stream.seek(place.start)
            data = stream.read(place.size)
    return file.line(data, place.line)
