"""Pairs of documents that are read one at a time, so that a corpus need not fit into memory.

``unread_pairs`` pairs the entries of references, of hypotheses and of the times of their words.
``PairStream.each`` reads each pair, works on it and keeps only the result. The process that works
on a pair also reads it, so only entries and results are sent between processes.

The results equal those of ``PairList(paired(read(…), read(…), settings))``, which needs more
memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from ..documents.model import Document, Reference
from ..documents.notes import Note, sum_notes
from ..documents.places import is_to_be_found
from ..documents.recut import time_words
from ..errors import SerevalError, meant
from ..formats import File
from ..labels.relabel import Labels, labels_of
from .entries import Entry, Side, carry
from .executor import THIS_PROCESS, Workers, each
from .pairs import MissingPolicy, Pair, empty_hypothesis, exact, in_both, match, refuse_empty

if TYPE_CHECKING:
    from .swaps import AnyDocument


class UnreadPair(NamedTuple):
    """The entries of a reference and a hypothesis with the same id.

    Args:
        reference, hypothesis: the entries of words and elements. If ``hypothesis`` is ``None``, a
            hypothesis without elements stands for it, on the words of ``hyp_times`` or, without
            these, of the reference.
        ref_times, hyp_times: the entries of the times of either side's words; ``None``: there is
            no separate file of times.
    """

    reference: Entry
    hypothesis: Entry | None
    ref_times: Entry | None = None
    hyp_times: Entry | None = None

    @property
    def id(self) -> str:
        """The id of both documents."""
        return self.reference.id

    @property
    def size(self) -> int:
        """The size of what is read."""
        return sum(entry.size for entry in self if entry is not None)


def unread_pairs(
    references: Sequence[Entry],
    hypotheses: Sequence[Entry],
    ref_times: Sequence[Entry] | None = None,
    hyp_times: Sequence[Entry] | None = None,
    *,
    missing: str = "error",
    policy: MissingPolicy | None = None,
    is_projected: bool = False,
    has_stand_ins: bool = False,
) -> list[UnreadPair]:
    """Pair the entries of two sides by id.

    Args:
        references, hypotheses: the entries of the two sides.
        ref_times, hyp_times: the entries of the times of either side's words; ``None``: there are
            no separate files of times.
        missing: the policy for a reference without a hypothesis: ``error``, ``empty`` or ``drop``.
        policy: as for ``match``.
        is_projected: whether references are projected. An empty hypothesis then needs the
            recogniser's words.
        has_stand_ins: whether the words of ``hyp_times`` stand for a missing hypothesis.

    Returns:
        The pairs in the order of their ids.

    Raises:
        SerevalError: as ``pairs.match``; a document has no times though others of its side do;
            nothing can stand for a missing hypothesis.
    """
    ours, theirs = _times(references, ref_times), _times(hypotheses, hyp_times)
    ids, known = ({one.id for one in side} for side in (references, hypotheses))
    for words in hyp_times or () if has_stand_ins else ():
        if words.id in ids and words.id not in known:
            theirs[words.id] = words

    def empty(reference: Entry) -> Entry:
        refuse_empty(reference.id, policy, is_projected=is_projected)
        return reference

    stand_ins = [words for id, words in theirs.items() if id not in known]
    every = [*hypotheses, *stand_ins]
    if missing == "drop":
        references, every = in_both(references, every)
    pairs = match(references, every, empty if missing == "empty" else None, policy)
    return [
        UnreadPair(
            reference,
            hypothesis if hypothesis.id in known else None,
            ours.get(reference.id),
            theirs.get(reference.id),
        )
        for reference, hypothesis in pairs
    ]


def _times(documents: Sequence[Entry], times: Sequence[Entry] | None) -> dict[str, Entry]:
    """The entries with the times of documents, by id.

    Raises:
        SerevalError: a document has no times.
    """
    if times is None:
        return {}
    of_id = {entry.id: entry for entry in times}
    ids = {document.id for document in documents}
    for document in documents:
        if document.id not in of_id:
            there = f"{', '.join(sorted(of_id)[:3])}{', …' if len(of_id) > 3 else ''}"
            hint = meant([document.id], of_id.keys() - ids) or f" among: {there}"
            raise SerevalError(
                f"document {document.id} has no times, expected some of that name{hint}"
            )
    return {id: of_id[id] for id in ids}


class Size(NamedTuple):
    """The size of one side.

    Args:
        documents: how many documents.
        elements: how many elements were read.
        left: how many elements are left after the changes of labels.
    """

    documents: int = 0
    elements: int = 0
    left: int = 0


def elements_in(document: Document | Reference) -> int:
    """How many elements a document has, with unplaceable elements and mentions.

    Args:
        document: a document or a reference.

    >>> from sereval.documents.model import Mention
    >>> elements_in(Document("d", ("Dol",), mentions=(Mention("loc", "Dol"),)))
    1
    """
    others = document.unplaceable if isinstance(document, Reference) else document.mentions or ()
    return len(document.elements) + len(others)


class FilePart(NamedTuple):
    """What one file of a pair adds to the notes and to the size of its side.

    Args:
        side: the role of the file.
        notes: the notes of its reader.
        size: the size of the document; 0 for a file of times.
    """

    side: Side
    notes: tuple[Note, ...] = ()
    size: Size = Size()


_P = TypeVar("_P", bound="tuple[Any, Any]")
_R = TypeVar("_R")


class PairResult(NamedTuple, Generic[_R]):
    """What a process returns after it has read a pair and worked on it.

    Args:
        value: the pair, or the result of the work on it.
        parts: the part of each file of the pair.
        labels: the labels of both sides as read.
    """

    value: _R
    parts: tuple[FilePart, ...]
    labels: frozenset[str] = frozenset()


class PairStream(Generic[_P]):
    """Pairs of documents in files; the process that works on a pair reads it.

    Args:
        pairs: the unread pairs, in the order of their ids.
        reading: reads a pair; it is sent between processes.
        spare: entries in no pair; they are read too, because they may contain errors.
        workers, watch: as in ``evaluate``.

    Attributes:
        notes: the notes of the readers, by side; complete after every pair was read.
        sizes: the size of each side; complete at the same time.
        labels: the labels of all documents as read.
    """

    def __init__(
        self,
        pairs: Sequence[UnreadPair],
        reading: Callable[[UnreadPair], PairResult[_P]],
        *,
        spare: Sequence[Entry] = (),
        workers: Workers = THIS_PROCESS,
        watch: Callable[[Sequence[UnreadPair]], Iterable[UnreadPair]] = iter,
    ) -> None:
        self.pairs, self.reading, self.spare = pairs, reading, spare
        self.workers, self.watch = workers, watch
        self.notes: dict[Side, tuple[Note, ...]] = {}
        self.sizes: dict[Side, Size] = {}
        self.labels: frozenset[str] = frozenset()

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """Read each pair, apply ``work`` to it, and yield the results in order.

        Args:
            work: a function of one pair; it is sent between processes.

        Raises:
            SerevalError: as for ``evaluate`` and ``formats.read``.
        """
        known: set[tuple[Side, str]] = set()  # several systems share the reference's documents
        results = each(
            partial(_read_and_work, reading=self.reading, work=work),
            self.pairs,
            name=attrgetter("id"),
            workers=self.workers,
            watch=self.watch,
            pack=_carry,
            size=attrgetter("size"),
        )
        for pair, result in zip(self.pairs, results, strict=True):
            self.add(result, pair.id, known)
            yield result.value
        self.read_spare()

    def add(self, result: PairResult[Any], id: str, known: set[tuple[Side, str]]) -> None:
        """Add the notes, the sizes and the labels of a pair that was read.

        Args:
            result: the result of reading the pair.
            id: the id of its documents.
            known: the side and the id of each document that was added; those of the pair are added.
        """
        for part in result.parts:
            if (part.side, id) not in known:
                known.add((part.side, id))
                self._add(part)
        self.labels |= result.labels

    def read_spare(self) -> None:
        """Read the entries in no pair."""
        for entry in self.spare:
            self._add(FilePart(entry.side, exact(entry.read()).notes))

    def _add(self, part: FilePart) -> None:
        """Add the notes and the size of a document to those of its side."""
        if part.notes:
            self.notes[part.side] = sum_notes([self.notes.get(part.side, ()), part.notes])
        size = self.sizes.get(part.side, Size())
        self.sizes[part.side] = Size(*map(sum, zip(size, part.size, strict=True)))


class PairGroups(Generic[_P]):
    """The pairs of several systems, read document by document.

    What the systems share is read once for each document: the reference, and the times of words.
    Only the documents of one group are in memory.

    Args:
        systems: the pairs of each system. The workers and the watch of the first system are used
            for all. Afterwards each system has its notes, sizes and labels, as after ``each``.
    """

    def __init__(self, systems: Sequence[PairStream[_P]]) -> None:
        self.systems = systems

    def each(self, work: Callable[[Sequence[_P]], Sequence[_R]]) -> list[list[_R]]:
        """Read the pairs of each document, apply ``work`` to them, and collect the results.

        Args:
            work: a function of the pairs of one document, one for each system that has it; it is
                sent between processes. It returns a result for each.

        Returns:
            The results of each system, in the order of its pairs.

        Raises:
            SerevalError: as for ``evaluate`` and ``formats.read``.
        """
        groups = _groups([system.pairs for system in self.systems])
        readings = [system.reading for system in self.systems]
        first = self.systems[0]
        results = each(
            partial(_read_together, readings=readings, work=work),
            groups,
            name=attrgetter("id"),
            workers=first.workers,
            watch=self._watched,
            pack=_Group.carry,
            size=attrgetter("size"),
        )
        found: list[list[_R]] = [[] for _ in self.systems]
        for group, of_group in zip(groups, results, strict=True):
            for (number, pair), result in zip(group.pairs, of_group, strict=True):
                system = self.systems[number]
                system.add(result, pair.id, set())
                found[number].append(result.value)
        for system in self.systems:
            system.read_spare()
        return found

    def _watched(self, groups: Sequence[_Group]) -> Iterator[_Group]:
        """The groups, with the progress of one pair of each."""
        pairs = [group.pairs[0][1] for group in groups]
        for group, _ in zip(groups, self.systems[0].watch(pairs), strict=True):
            yield group


def _groups(systems: Sequence[Sequence[UnreadPair]]) -> list[_Group]:
    """The pairs of each document, in the order of ids."""
    every: dict[str, list[tuple[int, UnreadPair]]] = {}
    for number, pairs in enumerate(systems):
        for pair in pairs:
            every.setdefault(pair.id, []).append((number, pair))
    return [_Group(id, tuple(pairs)) for id, pairs in sorted(every.items())]


class _Group(NamedTuple):
    """The pairs of one document, each with the number of its system."""

    id: str
    pairs: tuple[tuple[int, UnreadPair], ...]

    @property
    def size(self) -> int:
        """The size of what is read for each system."""
        return sum(pair.size for _, pair in self.pairs)

    def carry(self) -> _Group:
        """A group that can be read without its files."""
        return self._replace(pairs=tuple((number, _carry(pair)) for number, pair in self.pairs))


def _read_together(
    group: _Group,
    readings: Sequence[Callable[[UnreadPair], PairResult[_P]]],
    work: Callable[[Sequence[_P]], Sequence[_R]],
) -> list[PairResult[_R]]:
    """Read the pairs of one document and work on them; a shared entry is read once."""
    shared = Counter(entry for _, pair in group.pairs for entry in map(id, pair) if entry)
    known: dict[int, Entry] = {}

    def once(entry: Entry) -> Entry:
        if shared[id(entry)] == 1:
            return entry
        if id(entry) not in known:
            known[id(entry)] = entry.in_memory()
        return known[id(entry)]

    read = [
        readings[number](UnreadPair(once(pair[0]), *(entry and once(entry) for entry in pair[1:])))
        for number, pair in group.pairs
    ]
    values = work([result.value for result in read])
    return [
        PairResult(value, parts, labels)
        for value, (_, parts, labels) in zip(values, read, strict=True)
    ]


def joined(systems: Sequence[PairStream[_P]]) -> PairStream[_P]:
    """The pairs of several systems in one stream, one system after the other.

    Args:
        systems: streams with the same reading, workers and watch; at least one.
    """
    first = systems[0]
    return PairStream(
        [pair for system in systems for pair in system.pairs],
        first.reading,
        spare=[entry for system in systems for entry in system.spare],
        workers=first.workers,
        watch=first.watch,
    )


def _read_and_work(
    pair: UnreadPair, reading: Callable[[UnreadPair], PairResult[_P]], work: Callable[[_P], _R]
) -> PairResult[_R]:
    value, parts, labels = reading(pair)
    return PairResult(work(value), parts, labels)


def read_pair(
    pair: UnreadPair,
    labels: Labels,
    *,
    is_found: bool = True,
    max_states: int | None = None,
) -> PairResult[Pair]:
    """Read both sides of a pair, add the times of their words and change their labels.

    Args:
        pair: the unread pair.
        labels: how labels change.
        is_found: whether mentions of a hypothesis without words are found in the words of the
            reference.
        max_states: the limit of the search for them; ``None``: the usual one.

    Raises:
        InputError: a file cannot be read.
        SerevalError: times do not fit the words; the message may suggest that inputs are swapped.
    """
    read = [None if entry is None else entry.read() for entry in pair]
    try:
        reference, hypothesis = _add_times(pair, *read, is_found=is_found, max_states=max_states)
    except SerevalError as error:
        from .swaps import swap_hint  # only for this message

        hint = swap_hint(*read) if pair.hypothesis else ""
        raise SerevalError(f"{error}{hint}") from None
    [ours], [theirs] = labels.relabelled([reference], [hypothesis])
    parts = [
        FilePart(entry.side, document.notes)
        for entry, document in zip(pair, read, strict=True)
        if entry is not None and document is not None
    ]
    parts[0] = parts[0]._replace(size=Size(1, elements_in(reference), elements_in(ours)))
    if pair.hypothesis is not None:
        found = (note for note in hypothesis.notes if note.choice.startswith("mentions="))
        parts[1] = FilePart(
            pair.hypothesis.side,
            (*parts[1].notes, *found),
            Size(1, elements_in(hypothesis), elements_in(theirs)),
        )
    return PairResult(
        (ours, theirs),
        tuple(parts),
        labels_of([reference, hypothesis]),
    )


def read_tags(pair: UnreadPair, labels: Labels) -> PairResult[Pair]:
    """Read both sides of a pair for a scheme that compares tags.

    The notes of columns are left out, because the report of such a scheme has them already.

    Args:
        pair, labels: as for ``read_pair``.

    Raises:
        SerevalError: as for ``read_pair``.
    """
    result = read_pair(pair, labels, is_found=False)
    parts = [
        part._replace(notes=()) if _has_tags(entry.file) else part
        for entry, part in zip(filter(None, pair), result.parts, strict=True)
    ]
    return result._replace(parts=tuple(parts))


def _has_tags(file: File) -> bool:
    """Whether a file has columns with one level of tags."""
    from ..formats.columns import requested  # only for schemes of tags

    return file.format == "columns" and len(requested(file)) < 2


def _add_times(
    pair: UnreadPair,
    reference: AnyDocument,
    hypothesis: AnyDocument,
    ref_times: AnyDocument,
    hyp_times: AnyDocument,
    *,
    is_found: bool,
    max_states: int | None,
) -> Pair:
    """A reference and a hypothesis with the times of their words."""
    assert reference is not None  # every pair has a reference
    timed = reference if ref_times is None else time_words(exact(reference), exact(ref_times))
    if hypothesis is None:
        words = Document(reference.id, reference.words) if hyp_times is None else exact(hyp_times)
        return timed, empty_hypothesis(words)
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


def _carry(pair: UnreadPair) -> UnreadPair:
    """A pair that can be read without its files."""
    others = (entry and carry(entry) for entry in pair[1:])
    return UnreadPair(carry(pair.reference), *others)
