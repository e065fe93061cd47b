"""Documents that are read when their turn comes: a corpus need not fit into memory.

First only names are read: those of files, or of the lines of native JSON; files of other formats
with several documents are read to the end, and kept while they are small. Then each document is
read with its other side, worked on and forgotten, but for what comes of it. Whoever works on it
reads it too, so that what goes from process to process are places and counts.

Same as ``Loaded(paired(read(…), read(…), settings))``, with less memory.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, Generic, NamedTuple, TypeVar

from ..documents.mentions import find_mentions, is_to_be_found
from ..documents.model import Document, Note, Reference, added, renamed
from ..documents.recut import time_words
from ..errors import InputError, SerevalError, one_line
from ..formats import READERS, File, unique
from ..formats.oddities import with_oddities
from ..formats.rows import WORD
from ..formats.source import Source, decode, file_bytes, is_read_once, opened
from ..labels.relabel import Labels, labels_of
from .executor import THIS_PROCESS, Workers, each
from .pairing import Pair, emptied, matched, refuse_empty

KEPT = 4_000_000
"""Bytes of a side's files that are kept once they had to be read for the names in them; the first
of them is, whatever its size: its documents would come back all at once when it is read again."""


class Place(NamedTuple):
    """Where a line stands in a file: its number, its first byte, and how many there are."""

    line: int
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A document that has not been read.

    Args:
        id: what it is called.
        file: where it stands.
        name: what it is called there.
        side: what the file is to the user.
        place: of its line, where each line is a document.
        kept: the document, where it had to be read for its name.
    """

    id: str
    file: File
    name: str
    side: Side
    place: Place | None = None
    kept: Document | Reference | None = field(default=None, repr=False)

    def read(self) -> Document | Reference:
        """The document.

        Raises:
            InputError: as ``readers.read``.
        """
        document = self.kept or self._found()
        return document if document.id == self.id else renamed(document, self.id)

    def _found(self) -> Document | Reference:
        found: dict[str, Document | Reference]
        if self.place is not None:
            document = _read_line(self.file, self.place)
            found = {document.id: document}
        elif READERS[self.file.format].names == "file":
            found = {one.id: one for _, one in self.file.documents()}
        else:
            found = _documents(self.file)
        if self.name not in found:  # which it was when its name was read
            raise InputError(
                one_line(f"document {self.name} is no longer where it was, ")
                + "expected a file that nobody writes to meanwhile",
                path=self.file.path,
                line=None if self.place is None else self.place.line,
            )
        return found[self.name]


@lru_cache(maxsize=4)  # of either side, and the times of either
def _documents(file: File) -> dict[str, Document | Reference]:
    return {document.id: document for _, document in file.documents()}


def entries(files: Iterable[File], side: Side) -> list[Entry]:
    """The documents of files, unread.

    Raises:
        InputError: two documents with the same id; a file that had to be read and cannot be.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "show.ne")
    ...     _ = path.write_text("<name>Dol</name>", "utf-8")
    ...     [entry] = entries([File(str(path), "inline")], ("ref", folder))
    >>> entry.id, entry.file.format
    ('show', 'inline')
    """
    free = [KEPT]
    return unique(found for file in files for found in _listed(file, side, free))


def _listed(file: File, side: Side, free: list[int]) -> Iterator[tuple[str, int | None, Entry]]:
    """The documents of one file; ``free``: how many more bytes may be kept."""
    names = READERS[file.format].names
    is_once = is_read_once(file.path)
    if not is_once and names == "file":
        with opened(file.path):
            pass  # it is there
        yield file.path, None, Entry(file.id, file, file.id, side)
    elif not is_once and names == "lines" and _has_plain_lines(file.encoding):
        for name, place in _lines(file):
            yield file.path, place.line, Entry(name, file, name, side, place)
    else:
        documents = file.documents()
        is_first = free[0] == KEPT
        free[0] -= 0 if is_once else os.path.getsize(file.path)
        is_kept = is_once or is_first or free[0] >= 0
        for line, found in documents:
            kept = found if is_kept else None
            yield file.path, line, Entry(found.id, file, found.id, side, None, kept)


# --- native JSON lines ---------------------------------------------------------------------------

_ID = re.compile(rb'[ \t\r]*\{[ \t\r]*"id"[ \t\r]*:[ \t\r]*("(?:[^"\\\x00-\x1f]|\\.)*")')
_PLAIN = ("ascii", "utf-8", "iso8859-1", "iso8859-15", "cp1252")


def _has_plain_lines(encoding: str) -> bool:
    """Whether the byte of a line end is a line end, and ASCII is ASCII."""
    try:
        return codecs.lookup(encoding).name in _PLAIN
    except (LookupError, ValueError):
        return False  # whoever reads the file says so


def _lines(file: File) -> Iterator[tuple[str, Place]]:
    """Name and place of each document; a line is read only where its name does not come first."""
    start, places = 0, list[Place]()
    with opened(file.path) as stream:
        for line, data in enumerate(stream, 1):
            place = Place(line, start, len(data))
            start += len(data)
            data = data.removeprefix(codecs.BOM_UTF8) if line == 1 else data
            if data.strip(b" \t\r\n"):
                places.append(place)
                try:
                    yield _name(file, data, place), place
                except InputError:
                    for earlier in places:  # the first line that is wrong is named
                        _read_line(file, earlier)
                    raise
    if not places:
        raise file.nothing()


def _name(file: File, data: bytes, place: Place) -> str:
    found = _ID.match(data)
    if found is not None:
        try:
            name = json.loads(found[1].decode(file.encoding))
        except ValueError:  # whoever reads the line says what is wrong
            name = ""
        if name and one_line(name) == name:
            return str(name)
    return _parse_line(file, data, place.line).id


def _read_line(file: File, place: Place) -> Document | Reference:
    return _parse_line(file, _line_bytes(file, place), place.line)


def _line_bytes(file: File, place: Place) -> bytes:
    if file.data is not None:  # of this line alone
        return file.data
    with opened(file.path) as stream:
        stream.seek(place.start)
        return stream.read(place.size)


def _parse_line(file: File, data: bytes, line: int) -> Document | Reference:
    from ..formats import native  # for those who have files of it

    try:
        text = decode(data, file.path, file.encoding)
    except InputError as error:
        raise InputError(error.message, path=file.path, line=error.line and line) from None
    source = Source(file.path, file.id, "", policies=dict(file.policies))
    return with_oddities(native.parse_line(text.removesuffix("\n"), line, source), line)


# --- sides ---------------------------------------------------------------------------------------


class Size(NamedTuple):
    """How much one side holds.

    Args:
        documents: how many. elements: in them, as they were read.
        left: those that were left once labels had become what they are to be.
    """

    documents: int = 0
    elements: int = 0
    left: int = 0

    def plus(self, elements: int, left: int) -> Size:
        """The same with one more document."""
        return Size(self.documents + 1, self.elements + elements, self.left + left)


def elements_in(document: Document | Reference) -> int:
    """How many elements a document has: placed, unplaceable, or mentioned without a place.

    >>> from sereval.documents.mention import Mention
    >>> elements_in(Document("d", ("Dol",), mentions=(Mention("loc", "Dol"),)))
    1
    """
    others = document.unplaceable if isinstance(document, Reference) else document.mentions or ()
    return len(document.elements) + len(others)


class Unread(NamedTuple):
    """A document of the reference or of a hypothesis that is read when its turn comes.

    Args:
        entry: words and elements.
        times: of its words, where they stand in another file.
        is_emptied: whether it is a reference whose words stand for a missing hypothesis.
        is_heard: whether it is what a recogniser heard, which stands for a missing hypothesis.
    """

    entry: Entry
    times: Entry | None = None
    is_emptied: bool = False
    is_heard: bool = False

    @property
    def id(self) -> str:
        """The document's name."""
        return self.entry.id

    @property
    def is_stand_in(self) -> bool:
        """Whether it stands for a missing hypothesis."""
        return self.is_emptied or self.is_heard

    def read(self, said: list[Said]) -> Document | Reference:
        """The document.

        Args:
            said: what its files had to say is put there.
        """
        document = annotated(self.entry)
        if self.is_emptied:
            return emptied(Document(document.id, document.words))
        said.append((self.entry.side, document.notes))
        if self.is_heard:
            return emptied(exact(document))
        if self.times is None:
            return document
        timed = exact(annotated(self.times))
        said.append((self.times.side, timed.notes))
        if is_to_be_found(document):
            return self.found(exact(document), timed, "hypothesis", said)
        return time_words(exact(document), timed)

    def found(
        self, document: Document, words: Document | Reference, whose: str, said: list[Said]
    ) -> Document:
        """The document with its mentions put on words; ``whose``: as for ``find_mentions``."""
        by = dict(self.entry.file.policies).get("mentions", "exact")
        placed = find_mentions(document, words, by=by, whose=whose)
        own = tuple(note for note in placed.notes if note.choice.startswith("mentions="))
        said.append((self.entry.side, own))
        return placed


Side = tuple[str, str]
"""What files are to the user, such as ``ref``, and the path that was given for them."""

Said = tuple[Side, tuple[Note, ...]]
"""Notes of a file, with the side that it is of."""


def annotated(entry: Entry) -> Document | Reference:
    """A document of elements, read."""
    document = entry.read()
    assert isinstance(document, Document | Reference)  # tags are read by who asks for them
    return document


def exact(document: Document | Reference) -> Document:
    """A document that is no fuzzy reference.

    Raises:
        SerevalError: it is one.
    """
    if isinstance(document, Reference):
        raise SerevalError(
            f"{document.id}: found a fuzzy reference (starts and ends), "
            "expected a document with one start and end for each element"
        )
    return document


UnreadPair = tuple[Unread, Unread]

Elements = tuple[tuple[int, int], tuple[int, int]]
"""Of either side of a pair how many elements it has: as read, and as left by the labels."""

_P = TypeVar("_P", bound="tuple[Any, Any]")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Opened(Generic[_P]):
    """A pair that was read.

    Args:
        pair: as it is to be scored.
        said: what its files had to say.
        labels: of both sides as read, where something is to become of labels.
        elements: how many either side has, as read and as left by the labels.
    """

    pair: _P
    said: tuple[Said, ...]
    labels: frozenset[str]
    elements: Elements


class _Done(NamedTuple, Generic[_R]):
    """What comes back from whoever read a pair and worked on it."""

    found: _R
    said: tuple[Said, ...]
    labels: frozenset[str]
    elements: Elements


class Streamed(Generic[_P]):
    """Pairs of documents that are read when their turn comes, by whoever works on them.

    Args:
        pairs: of unread documents, each of one id.
        reading: reads a pair; it goes from process to process.
        spare: what no document needs; read all the same, since it may be wrong.
        workers, watch: as in ``evaluate``.
    """

    def __init__(
        self,
        pairs: Sequence[UnreadPair],
        reading: Callable[[UnreadPair], Opened[_P]],
        *,
        spare: Sequence[Entry] = (),
        workers: Workers = THIS_PROCESS,
        watch: Callable[[Sequence[UnreadPair]], Iterable[UnreadPair]] = iter,
    ) -> None:
        self.pairs, self.reading, self.spare = pairs, reading, spare
        self.workers, self.watch = workers, watch
        self.said: dict[Side, tuple[Note, ...]] = {}
        self.sizes: dict[Side, Size] = {}
        self.labels: frozenset[str] = frozenset()

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order.

        What the files had to say is then in ``said``, how much they hold in ``sizes``; in
        ``labels`` are those of all documents as they were read, where something is to become of
        labels.

        Raises:
            SerevalError: as ``evaluate``, and as ``readers.read``.
        """
        known: set[tuple[Side, str]] = set()  # a reference is every system's
        counted: set[tuple[Side, str]] = set()
        for pair, done in zip(self.pairs, self._all(work), strict=True):
            for one, elements in zip(pair, done.elements, strict=True):
                side, place = one.entry.side, (one.entry.side, one.id)
                if not one.is_stand_in and place not in counted:
                    counted.add(place)
                    self.sizes[side] = self.sizes.get(side, Size()).plus(*elements)
            self._hear((side, notes) for side, notes in done.said if (side, _id(pair)) not in known)
            known.update((side, _id(pair)) for side, _ in done.said)
            self.labels |= done.labels
            yield done.found
        self._hear((entry.side, exact(annotated(entry)).notes) for entry in self.spare)

    def _all(self, work: Callable[[_P], _R]) -> Iterator[_Done[_R]]:
        whole = partial(_worked, reading=self.reading, work=work)
        return each(
            whole, self.pairs, name=_id, workers=self.workers, watch=self.watch, pack=_carried
        )

    def _hear(self, said: Iterable[Said]) -> None:
        for side, notes in said:
            self.said[side] = added([self.said.get(side, ()), notes])


def _worked(
    pair: UnreadPair, reading: Callable[[UnreadPair], Opened[_P]], work: Callable[[_P], _R]
) -> _Done[_R]:
    found = reading(pair)
    told = tuple((side, notes) for side, notes in found.said if notes)
    return _Done(work(found.pair), told, found.labels, found.elements)


def unread_pairs(
    references: Iterable[Unread], hypotheses: Iterable[Unread], *, missing: str, is_projected: bool
) -> list[UnreadPair]:
    """Those of the same id, in the order of the ids.

    Args:
        missing: a reference without a hypothesis is an ``error``, or counts as ``empty``.
        is_projected: whether a missing hypothesis would need the words that were recognised.

    Raises:
        SerevalError: as ``pairing.matched``; a missing hypothesis that nothing can stand for.
    """

    def stand_in(reference: Unread) -> Unread:
        refuse_empty(reference.id, is_projected=is_projected)
        return Unread(reference.entry, is_emptied=True)

    return matched(references, hypotheses, stand_in if missing == "empty" else None)


def read_pair(pair: UnreadPair, labels: Labels) -> Opened[Pair]:
    """Read both sides of a pair; what is to be found in words is found there."""
    said: list[Said] = []
    reference, hypothesis = _read(pair, said)
    if is_to_be_found(hypothesis) and pair[1].times is None:
        hypothesis = pair[1].found(hypothesis, reference, "reference", said)
    return _relabelled(reference, hypothesis, labels, said)


def read_as_given(pair: UnreadPair, labels: Labels) -> Opened[Pair]:
    """Read both sides of a pair, for whoever asks for no places."""
    said: list[Said] = []
    return _relabelled(*_read(pair, said), labels, said)


def read_tags(pair: UnreadPair, labels: Labels) -> Opened[Pair]:
    """Read both sides of a pair for a scheme of tags, whose report says how they were read."""
    said: list[Said] = []
    reference, hypothesis = _read(pair, said)
    of_columns = {one.entry.side for one in pair if _has_tags(one.entry.file)}
    said = [(side, notes) for side, notes in said if side not in of_columns]
    return _relabelled(reference, hypothesis, labels, said)


def _has_tags(file: File) -> bool:
    """Whether a file has columns of which no levels of trees were asked for."""
    asked = [name for name in file.columns if not name.startswith(WORD)]
    return file.format == "columns" and len(asked) < 2


def _read(pair: UnreadPair, said: list[Said]) -> Pair:
    """Both sides of a pair; times that do not fit may be those of the other side.

    Raises:
        SerevalError: as ``Unread.read``.
    """
    try:
        return pair[0].read(said), exact(pair[1].read(said))
    except InputError:
        raise
    except SerevalError as error:
        raise SerevalError(f"{error}{_swapped(pair)}") from None


def _swapped(pair: UnreadPair) -> str:
    """The same as :func:`swapped` of a pair, of which nothing else may be wrong."""
    if any(one.is_stand_in for one in pair):
        return ""
    parts = (*(one.entry for one in pair), *(one.times for one in pair))
    try:
        return swapped(*(None if part is None else annotated(part) for part in parts))
    except InputError:
        return ""


_Side = Document | Reference | None


def swapped(reference: _Side, hypothesis: _Side, aligned: _Side, heard: _Side) -> str:
    """Whether times that do not fit the words of a document fit those of its other side.

    Args:
        reference, hypothesis: both sides of the document.
        aligned, heard: the times given for either side; ``None``: none were.

    Returns:
        The end of a message; empty where an exchange would not help.

    >>> long, short = Document("d", ("Dol", "show")), Document("d", ("Dol",))
    >>> of_long, of_short = (replace(d, times=((0, 9),) * len(d.words)) for d in (long, short))
    >>> swapped(long, short, of_short, of_long)
    '; are --align and --words swapped, or REF and HYP?'
    >>> swapped(long, short, None, of_long), swapped(long, short, of_long, of_long)
    ('; are REF and HYP swapped?', '')
    """
    if _fits(_untimed(reference), aligned) and _fits(_untimed(hypothesis), heard):
        return ""  # it is not the words that do not fit
    if not (_fits(reference, heard) and _fits(hypothesis, aligned)):
        return ""
    if aligned is not None and heard is not None:
        return "; are --align and --words swapped, or REF and HYP?"
    return "; are REF and HYP swapped?"


def swaps(*sides: Iterable[Document | Reference]) -> Callable[[str], str]:
    """What ``swapped`` says of a document by its id; ``sides``: in the order of its arguments."""
    of_id = [{one.id: one for one in side} for side in sides]
    return lambda id: swapped(*(side.get(id) for side in of_id))


def _untimed(document: _Side) -> _Side:
    return replace(document, times=None) if isinstance(document, Document) else document


def _fits(document: _Side, times: _Side) -> bool:
    """Whether a document can take times; where none are given, and without words, it can."""
    if times is None or (isinstance(document, Document) and is_to_be_found(document)):
        return True
    if document is None:
        return False
    try:
        time_words(exact(document), exact(times))
    except SerevalError:
        return False
    return True


def _relabelled(
    reference: Document | Reference, hypothesis: Document, labels: Labels, said: Iterable[Said]
) -> Opened[Pair]:
    found = labels_of([reference, hypothesis]) if labels.is_asked else frozenset()
    [ours], [theirs] = labels.relabelled([reference], [hypothesis])
    return Opened(
        (ours, theirs),
        tuple(said),
        found,
        (
            (elements_in(reference), elements_in(ours)),
            (elements_in(hypothesis), elements_in(theirs)),
        ),
    )


def _id(pair: UnreadPair) -> str:
    return pair[0].id


def _carried(pair: UnreadPair) -> UnreadPair:
    """A pair that can be scored where none of its files are."""
    reference, hypothesis = (
        one._replace(entry=_kept(one.entry), times=None if one.times is None else _kept(one.times))
        for one in pair
    )
    return reference, hypothesis


def _kept(entry: Entry) -> Entry:
    """An entry with its bytes, or read where those would not be enough."""
    reader = READERS[entry.file.format]
    if entry.kept is not None:
        return entry
    if entry.place is not None:
        data = _line_bytes(entry.file, entry.place)
    elif reader.names == "file" and not reader.beside:
        data = file_bytes(entry.file.path, "a document")
    else:
        return replace(entry, kept=entry.read())
    return replace(entry, file=replace(entry.file, data=data))
