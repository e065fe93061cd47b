"""A corpus: pairs of documents with the same id, each read in its turn from an entry.

An *entry* has the name of a document and its place in a file, before the document is read. In most
formats the document has the name of its file. In native JSON each line has a name. Other files with
several documents are read to the end for the names; while they are small, their documents stay in
memory.

A *corpus* has the pairs of one system or several. ``Corpus.each`` reads the pairs of a document,
one for each system, works on them and keeps only the result, so a corpus need not fit into memory.
The process that works on a document also reads it, so only entries and results are sent between
processes. Documents in memory are entries too.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain
from operator import add
from sys import intern
from typing import Any, NamedTuple, TypeVar

from ..documents.files import is_read_once, open_file
from ..documents.model import (
    Document,
    Note,
    Place,
    Reference,
    canonical,
    changed,
    check_names,
    is_to_be_found,
    sum_notes,
)
from ..documents.words import time_words
from ..errors import InputError, Problems, SerevalError, UsageFault, meant, one_line
from ..formats import FORMATS, File, unique
from ..labels import SIDES, Labels, labels_of
from .workers import Watch, each

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


_R = TypeVar("_R")

Pair = tuple[Document | Reference, Document]
"""A reference and a hypothesis of the same id."""

OTHER_NAME = "each side has one document; paired under different names"
UNHEARD = "documents without a hypothesis, left out"
UNASKED = "documents without a reference, left out"
EMPTIED = "documents without a hypothesis, taken for ones in which nothing was found"


class UnreadPair(NamedTuple):
    """The entries of a reference and a hypothesis with the same id."""

    reference: Entry
    # None: one without elements, on the words of hyp_times or, without these, of the reference
    hypothesis: Entry | None
    ref_times: Entry | None = None  # None: there is no separate file of times
    hyp_times: Entry | None = None


UnreadDocument = tuple[str, dict[str, UnreadPair]]
"""The id of a document, and its pair of each system that has it."""


class Size(NamedTuple):
    """The size of a side."""

    documents: int = 0
    words: int = 0
    elements: int = 0  # as read
    left: int = 0  # elements left by the changes of labels
    labels: frozenset[str] = frozenset()  # of the elements left


ALTERED = "words other than the reference's, paired by position"


class FilePart(NamedTuple):
    """What one file of a pair adds to the notes and to the size of its side; its labels as read."""

    side: Side
    notes: tuple[Note, ...] = ()
    size: Size = Size()
    labels: frozenset[str] = frozenset()


ReadPair = tuple[Pair, list[FilePart]]
"""A pair that was read, and the part of each of its files."""

PairReader = Callable[[UnreadPair], ReadPair]


@dataclass(eq=False, repr=False)
class Corpus:
    """The documents of systems on the same references."""

    systems: Mapping[str, Sequence[UnreadPair]]  # by name; one system may have no name
    reading: PairReader  # is sent between processes
    jobs: int = 1
    # wraps the documents in an iterator that shows progress
    watch: Watch[UnreadDocument] = iter
    # raises a SerevalError about a pair that was read; is sent between processes
    check: Callable[[Pair], object] = bool
    # found by the readers, as sizes and labels are, when the documents were read
    notes: dict[Side, tuple[Note, ...]] = field(default_factory=dict)
    sizes: dict[Side, Size] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()

    @property
    def documents(self) -> list[UnreadDocument]:
        """The pairs of each document, in the order of ids."""
        every: dict[str, dict[str, UnreadPair]] = {}
        for name, pairs in self.systems.items():
            for pair in pairs:
                every.setdefault(pair.reference.id, {})[name] = pair
        return sorted(every.items())

    @property
    def entries(self) -> Iterator[Entry]:
        """Everything that is read."""
        for pairs in self.systems.values():
            yield from (entry for pair in pairs for entry in pair if entry is not None)

    def each(self, work: Callable[[Pair], _R]) -> Iterator[tuple[str, _R]]:
        """Read documents, work on each pair, and yield the name of its system with the result."""
        if not self.systems:
            raise SerevalError("nothing to score, expected at least one system")
        # after a refused document the others are read too, so that all problems are told
        known: set[tuple[Side, str]] = set()  # systems share the reference's documents
        self.notes, self.sizes, self.labels = {}, {}, frozenset()
        documents, done = self.documents, 0
        of_each = partial(each, name=lambda one: one[0], jobs=self.jobs, size=_size)
        results = of_each(
            partial(_read_and_work, reading=self.reading, work=work), documents, watch=self.watch
        )
        try:
            for (id, pairs), (values, parts) in zip(documents, results, strict=True):
                for part in parts:
                    self.labels |= part.labels  # systems in memory share a side
                    if (part.side, id) in known:
                        continue
                    known.add((part.side, id))
                    if part.notes:
                        before = self.notes.get(part.side, ())
                        self.notes[part.side] = sum_notes([before, part.notes])
                    size = self.sizes.get(part.side, Size())
                    counts = map(add, size[:-1], part.size[:-1])
                    labels = size.labels | part.size.labels
                    self.sizes[part.side] = Size._make([*counts, labels])
                yield from zip(pairs, values, strict=True)
                done += 1
        except UsageFault:
            raise
        except SerevalError as first:
            reads = partial(_problem, reading=self.reading, check=self.check)
            others = chain.from_iterable(of_each(reads, documents[done + 1 :]))
            raise Problems.of([first, *others]) from None

    def by_system(self, work: Callable[[Pair], _R]) -> dict[str, list[_R]]:
        """The results of each system, in the order of its documents; ``work`` as for ``each``."""
        found: dict[str, list[_R]] = {name: [] for name in self.systems}
        for name, result in self.each(work):
            found[name].append(result)
        return found


class Scorer(NamedTuple):
    """How a corpus is scored."""

    work: Callable[[Pair], Any]  # what is found in a pair; is sent between processes
    # the score of a system, from what was found in its documents
    score: Callable[[Sequence[Any]], Any]

    def scores(self, corpus: Corpus) -> dict[str, Any]:
        """The score of each system of a corpus."""
        return {name: self.score(found) for name, found in corpus.by_system(self.work).items()}

    def of(self, pairs: Iterable[Pair]) -> Any:
        """The score of pairs in memory."""
        return self.score([*map(self.work, pairs)])


def together(scorers: Iterable[Scorer]) -> Scorer:
    """A scorer that reads documents once for several; its score is the list of theirs."""
    works, scores = zip(*scorers, strict=True)

    def each_score(found: Sequence[Sequence[Any]]) -> list[Any]:
        columns = zip(*found, strict=True)
        return [score(column) for score, column in zip(scores, columns, strict=True)]

    return Scorer(partial(_each_work, works=works), each_score)


def _each_work(pair: Pair, works: Sequence[Callable[[Pair], Any]]) -> list[Any]:
    return [work(pair) for work in works]


def _size(document: UnreadDocument) -> int:
    """The size of what is read for each system."""
    return sum(entry.size for pair in document[1].values() for entry in pair if entry is not None)


def _read_and_work(
    document: UnreadDocument,
    reading: PairReader,
    work: Callable[[Pair], _R],
) -> tuple[list[_R], list[FilePart]]:
    """Read the pairs of one document and work on them; an entry that is shared is read once."""
    pairs: Collection[UnreadPair] = document[1].values()
    if len(pairs) > 1:
        known: dict[int, Entry] = {}
        for entry in chain.from_iterable(pairs):
            if entry is not None and id(entry) not in known:
                known[id(entry)] = entry._replace(kept=entry.read(), notes=())
        pairs = [UnreadPair._make(known.get(id(entry)) for entry in pair) for pair in pairs]
    read = [*map(reading, pairs)]
    return [work(pair) for pair, _ in read], [part for _, parts in read for part in parts]


def _problem(
    document: UnreadDocument,
    reading: PairReader,
    check: Callable[[Pair], object],
) -> list[SerevalError]:
    """Why a document is refused, if it is; nothing is scored."""
    try:
        for pair in document[1].values():
            check(reading(pair)[0])
    except SerevalError as error:
        return [error]
    return []


def elements_in(document: Document | Reference) -> int:
    """How many elements a document has, with unplaceable elements and mentions."""
    return sum(map(len, (document.elements, document.unplaceable, document.mentions or ())))


def read_pair(
    pair: UnreadPair,
    labels: Labels,
    *,
    is_found: bool = True,
    max_states: int | None = None,
    by_position: bool = False,
    has_tags: bool = False,
) -> ReadPair:
    """Read both sides of a pair, add the times of their words and change their labels."""
    # a scheme that compares tags has no use for what a reader says of their elements
    read = [None if entry is None else entry.read() for entry in pair]
    reference, hypothesis = _add_times(pair, read, is_found=is_found, max_states=max_states)
    altered = altered_words(reference, hypothesis) if by_position else []
    if altered:
        notes = (*hypothesis.notes, *altered)
        hypothesis = replace(hypothesis, words=reference.words, notes=notes)
    ours, theirs = labels.relabel(reference), labels.relabel(hypothesis, "hypothesis")
    parts = [
        FilePart(entry.side, () if has_tags and _has_one_column(entry.file) else document.notes)
        for entry, document in zip(pair, read, strict=True)
        if entry is not None and document is not None
    ]
    found = (note for note in hypothesis.notes if note.choice.startswith("mentions="))
    sides = (reference, ours, ()), (hypothesis, theirs, (*found, *altered))
    for k, (before, after, notes) in enumerate(sides[: 1 + (pair.hypothesis is not None)]):
        counts = len(before.words), elements_in(before), elements_in(after)
        parts[k] = FilePart(
            parts[k].side,
            (*parts[k].notes, *notes),
            Size(1, *counts, labels_of([after])),
            labels_of([before]),
        )
    return (ours, theirs), parts


def altered_words(reference: Document | Reference, hypothesis: Document) -> list[Note]:
    """A note on the words of a hypothesis that are not those of the reference at their places."""
    sides = exact(reference), hypothesis
    sizes = [(len(side.words), len(side.breaks)) for side in sides]
    if sizes[0] != sizes[1]:
        (ours, our_breaks), (theirs, their_breaks) = sizes
        raise SerevalError(
            f"{reference.id}: found {theirs} words in {their_breaks + 1} sentences, expected the "
            f"reference's {ours} in {our_breaks + 1}, to be paired by position"
        )
    pairs = zip(reference.words, hypothesis.words, strict=True)
    count = sum(ours != theirs for ours, theirs in pairs)
    return [Note(ALTERED, count)] if count else []


def _has_one_column(file: File) -> bool:
    """Whether a file of columns is read for one column of tags."""
    from ..formats.columns import requested  # only for schemes of tags

    return file.format == "columns" and len(requested(file)) < 2


def _add_times(
    pair: UnreadPair,
    read: Sequence[Document | Reference | None],
    *,
    is_found: bool,
    max_states: int | None,
) -> Pair:
    """A reference and a hypothesis with the times of their words."""
    reference, hypothesis, ref_times, hyp_times = read
    assert reference is not None  # every pair has a reference
    timed = reference if ref_times is None else time_words(exact(reference), exact(ref_times))
    if hypothesis is None:
        words = Document(reference.id, reference.words) if hyp_times is None else exact(hyp_times)
        notes = (*words.notes, Note(EMPTIED, 1))
        return timed, replace(words, elements=(), mentions=None, notes=notes)
    theirs = exact(hypothesis)
    if is_to_be_found(theirs) and (hyp_times is not None or is_found):
        assert pair.hypothesis is not None  # the hypothesis was read from it
        from ..documents.mentions import find_mentions  # only if there are such hypotheses

        return timed, find_mentions(
            theirs,
            timed if hyp_times is None else exact(hyp_times),
            by=pair.hypothesis.file.options.policy("mentions"),
            whose="reference" if hyp_times is None else "hypothesis",
            max_states=max_states,
        )
    return timed, theirs if hyp_times is None else time_words(theirs, exact(hyp_times))


# --- pairs ---------------------------------------------------------------------------------------


def unread_pairs(
    references: Sequence[Entry],
    hypotheses: Sequence[Entry],
    ref_times: Sequence[Entry] | None = None,
    hyp_times: Sequence[Entry] | None = None,
    *,
    missing: str = "error",
    offers_missing: bool = False,
    is_projected: bool = False,
    has_stand_ins: bool = False,
) -> list[UnreadPair]:
    """Pair the entries of two sides by id, in the order of ids."""
    ours, theirs = _times(references, ref_times), _times(hypotheses, hyp_times)
    left, right = _by_id(references, "reference"), _by_id(hypotheses, "hypothesis")
    if not left:
        raise SerevalError("no reference document, expected at least one")
    if has_stand_ins:
        theirs |= {one.id: one for one in hyp_times or () if one.id in left.keys() - right.keys()}
    heard: dict[str, Entry | None] = dict.fromkeys([*right, *theirs])
    if missing == "drop":
        both = left.keys() & heard.keys()
        if not both:
            raise SerevalError("no document is on both sides, expected at least one")
        left, right = _within(left, both, UNHEARD), _within(right, both, UNASKED)
        heard = dict.fromkeys(both)
    for id in left.keys() - heard.keys() if missing == "empty" else ():
        if is_projected:
            other = ", or --missing drop" if offers_missing else ""
            raise SerevalError(
                f"document {id} has no hypothesis, and no words to count as an empty one; "
                f"expected the recogniser's words for it{other}"
            )
        heard[id] = None
    drop = "; --missing drop leaves them out" if offers_missing else ""
    empty = drop and f"{drop}, --missing empty counts all their elements as deleted"
    check_alone(left, heard, SIDES, empty, BY_NAME)
    check_alone(heard, left, SIDES[::-1], drop, BY_NAME)
    return [
        UnreadPair(left[id], right.get(id), ours.get(id), theirs.get(id)) for id in sorted(left)
    ]


def _times(documents: Sequence[Entry], times: Sequence[Entry] | None) -> dict[str, Entry]:
    """The entries with the times of documents, by id; each document must have some."""
    if times is None:
        return {}
    of_id = {entry.id: entry for entry in times}
    ids = {document.id for document in documents}
    for document in documents:
        if document.id not in of_id:
            hint = meant([document.id], of_id.keys() - ids) or f" among: {_first(sorted(of_id))}"
            raise SerevalError(
                f"document {document.id} has no times, expected some of that name{hint}"
            )
    return {id: of_id[id] for id in ids}


def _by_id(entries: Sequence[Entry], side: str) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for one in entries:
        if one.id in found:
            raise SerevalError(f"document {one.id} stands twice on the {side} side")
        found[one.id] = one
    return found


def _within(side: dict[str, Entry], ids: Set[str], what: str) -> dict[str, Entry]:
    """The documents with these ids, the first with a note on the others."""
    kept = {id: one for id, one in side.items() if id in ids}
    others = sorted(side.keys() - kept.keys())
    if others and kept:
        first, entry = next(iter(kept.items()))
        note = Note(what, len(others), places=tuple(map(Place, others)))
        kept[first] = entry._replace(notes=(*entry.notes, note))
    return kept


def under_name(entry: Entry, id: str) -> Entry:
    """The only document of a side under the id of the other side, with a note."""
    note = Note(OTHER_NAME, 1, places=(Place(f"{entry.id} with {id}"),))
    return entry._replace(id=id, notes=(*entry.notes, note))


def exact(document: Document | Reference) -> Document:
    """The document itself, which must not be a fuzzy reference."""
    if isinstance(document, Reference):
        raise SerevalError(
            f"{document.id}: found a fuzzy reference (starts and ends), "
            "expected a document with one start and end for each element"
        )
    return document


BY_NAME = "; documents pair by name: expected equal names, or one document on each side"


def check_alone(
    ids: Mapping[str, object],
    others: Mapping[str, object],
    sides: Sequence[str],
    ways: str,
    if_all: str,
) -> None:
    """Refuse documents that only the first of two sides has; the hints are for some or for all."""
    alone = sorted(ids.keys() - others.keys())
    if not alone:
        return
    if any(canonical(id) == canonical(alone[0]) for id in others):
        hint = "; one of them has its accents composed otherwise (NFC, NFD)"
    else:
        hint = meant(alone, others.keys() - ids.keys())
    hint += ways if hint or len(alone) < len(ids) else if_all
    side, other = sides
    raise SerevalError(
        f"documents of the {side} without a {other}: {len(alone)} of {len(ids)} "
        f"({_first(alone)}); the {other} has {_first(sorted(others)) or 'none'}{hint}"
    )


def _first(ids: Sequence[str]) -> str:
    """The first three of some ids."""
    return ", ".join([*ids[:3], *["…"] * (len(ids) > 3)])
