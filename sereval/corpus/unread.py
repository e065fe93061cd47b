"""Pairs of documents that are read when their turn comes: a corpus need not fit into memory.

``unread_pairs`` puts the entries of a reference, of a hypothesis and of the times of their words
together. ``PairStream.each`` reads each pair, works on it and forgets it but for the result. The
process that works on a pair reads it too, so only places and results go from process to process.

The result is that of ``PairList(paired(read(…), read(…), settings))``, with less memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from ..documents.mentions import find_mentions, is_to_be_found
from ..documents.model import Document, Note, Reference, added
from ..documents.recut import time_words
from ..errors import SerevalError, meant
from ..formats import File
from ..formats.rows import WORD
from ..labels.relabel import Labels, labels_of
from .entries import Entry, Side, carried
from .executor import THIS_PROCESS, Workers, each
from .pairing import Pair, emptied, exact, matched, refuse_empty

if TYPE_CHECKING:
    from .swaps import AnyDocument


class UnreadPair(NamedTuple):
    """The parts of a reference and a hypothesis of one id, unread.

    Args:
        reference, hypothesis: words and elements. Without a hypothesis an empty one stands for it,
            on the words of ``hyp_times``, or else on those of the reference.
        ref_times, hyp_times: times of the words of either side; ``None``: no other file has them.
    """

    reference: Entry
    hypothesis: Entry | None
    ref_times: Entry | None = None
    hyp_times: Entry | None = None

    @property
    def id(self) -> str:
        """The name of both documents."""
        return self.reference.id


def unread_pairs(
    references: Sequence[Entry],
    hypotheses: Sequence[Entry],
    ref_times: Sequence[Entry] | None = None,
    hyp_times: Sequence[Entry] | None = None,
    *,
    missing: str = "error",
    is_projected: bool = False,
    has_stand_ins: bool = False,
) -> list[UnreadPair]:
    """The documents of two sides, paired by their ids, in the order of the ids.

    Args:
        references, hypotheses: the two sides.
        ref_times, hyp_times: times of the words of either; ``None``: no other files have them.
        missing: a reference without a hypothesis is an ``error``, or counts as ``empty``.
        is_projected: whether references are projected, for which those words are not enough that
            a missing hypothesis would share with its reference.
        has_stand_ins: whether the words of ``hyp_times`` stand for a missing hypothesis.

    Raises:
        SerevalError: as ``pairing.matched``; a document without times among those that were given;
            a missing hypothesis that nothing can stand for.
    """
    ours, theirs = _times(references, ref_times), _times(hypotheses, hyp_times)
    ids, known = ({one.id for one in side} for side in (references, hypotheses))
    for words in hyp_times or () if has_stand_ins else ():
        if words.id in ids and words.id not in known:
            theirs[words.id] = words

    def empty(reference: Entry) -> Entry:
        refuse_empty(reference.id, is_projected=is_projected)
        return reference

    stand_ins = [words for id, words in theirs.items() if id not in known]
    pairs = matched(references, [*hypotheses, *stand_ins], empty if missing == "empty" else None)
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
    """The times of documents, by id.

    Raises:
        SerevalError: times are given, and a document has none.
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
    """How much one side holds.

    Args:
        documents: how many. elements: in them, as they were read.
        left: those that were left once labels had become what they are to be.
    """

    documents: int = 0
    elements: int = 0
    left: int = 0


def elements_in(document: Document | Reference) -> int:
    """How many elements a document has: placed, unplaceable, or mentioned without a place.

    >>> from sereval.documents.mention import Mention
    >>> elements_in(Document("d", ("Dol",), mentions=(Mention("loc", "Dol"),)))
    1
    """
    others = document.unplaceable if isinstance(document, Reference) else document.mentions or ()
    return len(document.elements) + len(others)


class Part(NamedTuple):
    """What one document of a side adds to what is reported of the side.

    Args:
        notes: of its readers.
        size: of one document; of times, nothing.
    """

    side: Side
    notes: tuple[Note, ...] = ()
    size: Size = Size()


_P = TypeVar("_P", bound="tuple[Any, Any]")
_R = TypeVar("_R")


class PairResult(NamedTuple, Generic[_R]):
    """What comes back from the process that read a pair, and maybe worked on it.

    Args:
        value: the pair; after the work its result.
        parts: of each file of the pair.
        labels: of both sides as read, where the labels are to be changed.
    """

    value: _R
    parts: tuple[Part, ...]
    labels: frozenset[str] = frozenset()


class PairStream(Generic[_P]):
    """Pairs of documents that are read when their turn comes, in the process that works on them.

    Args:
        pairs: unread, in the order of their ids.
        reading: reads a pair; it goes from process to process.
        spare: entries that no pair needs; they are read all the same, since they may be wrong.
        workers, watch: as in ``evaluate``.

    Attributes:
        notes: of the readers, by side; complete when every pair was read.
        sizes: how much each side holds.
        labels: of all documents as they were read, where labels are to be changed.
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
        """What ``work`` makes of each pair, in order.

        Raises:
            SerevalError: as ``evaluate``, and as ``formats.read``.
        """
        known: set[tuple[Side, str]] = set()  # systems share the documents of a reference
        results = each(
            partial(_worked, reading=self.reading, work=work),
            self.pairs,
            name=_id,
            workers=self.workers,
            watch=self.watch,
            pack=_carried,
        )
        for pair, result in zip(self.pairs, results, strict=True):
            for part in result.parts:
                if (part.side, pair.id) not in known:
                    known.add((part.side, pair.id))
                    self._add(part)
            self.labels |= result.labels
            yield result.value
        for entry in self.spare:
            self._add(Part(entry.side, exact(entry.read()).notes))

    def _add(self, part: Part) -> None:
        """Add what was read of a document to what its side holds."""
        if part.notes:
            self.notes[part.side] = added([self.notes.get(part.side, ()), part.notes])
        size = self.sizes.get(part.side, Size())
        self.sizes[part.side] = Size(*map(sum, zip(size, part.size, strict=True)))


def joined(systems: Sequence[PairStream[_P]]) -> PairStream[_P]:
    """The pairs of several systems that are read alike, one system after the other."""
    first = systems[0]
    return PairStream(
        [pair for system in systems for pair in system.pairs],
        first.reading,
        spare=[entry for system in systems for entry in system.spare],
        workers=first.workers,
        watch=first.watch,
    )


def _id(pair: UnreadPair) -> str:
    return pair.id


def _worked(
    pair: UnreadPair, reading: Callable[[UnreadPair], PairResult[_P]], work: Callable[[_P], _R]
) -> PairResult[_R]:
    value, parts, labels = reading(pair)
    return PairResult(work(value), parts, labels)


def read_pair(pair: UnreadPair, labels: Labels, *, is_found: bool = True) -> PairResult[Pair]:
    """Read both sides of a pair, with the times of their words and the labels asked for.

    Args:
        is_found: whether mentions without places are found in the words of the reference, where
            the hypothesis has no others.

    Raises:
        InputError: a file that cannot be read.
        SerevalError: times that do not fit; the message asks if sides are swapped.
    """
    read = [None if entry is None else entry.read() for entry in pair]
    try:
        reference, hypothesis = _timed(pair, *read, is_found=is_found)
    except SerevalError as error:
        from .swaps import swapped  # for this message

        hint = swapped(*read) if pair.hypothesis else ""
        raise SerevalError(f"{error}{hint}") from None
    [ours], [theirs] = labels.relabelled([reference], [hypothesis])
    parts = [
        Part(entry.side, document.notes)
        for entry, document in zip(pair, read, strict=True)
        if entry is not None and document is not None
    ]
    parts[0] = parts[0]._replace(size=Size(1, elements_in(reference), elements_in(ours)))
    if pair.hypothesis is not None:
        found = (note for note in hypothesis.notes if note.choice.startswith("mentions="))
        parts[1] = Part(
            pair.hypothesis.side,
            (*parts[1].notes, *found),
            Size(1, elements_in(hypothesis), elements_in(theirs)),
        )
    return PairResult(
        (ours, theirs),
        tuple(parts),
        labels_of([reference, hypothesis]) if labels.is_asked else frozenset(),
    )


def read_tags(pair: UnreadPair, labels: Labels) -> PairResult[Pair]:
    """Read both sides of a pair for a scheme of tags; its report has all notes of columns.

    Raises:
        SerevalError: as ``read_pair``.
    """
    result = read_pair(pair, labels, is_found=False)
    parts = [
        part._replace(notes=()) if _has_tags(entry.file) else part
        for entry, part in zip(filter(None, pair), result.parts, strict=True)
    ]
    return result._replace(parts=tuple(parts))


def _has_tags(file: File) -> bool:
    """Whether a file has columns, of which no levels of a tree were asked for."""
    asked = [name for name in file.options.columns if not name.startswith(WORD)]
    return file.format == "columns" and len(asked) < 2


def _timed(
    pair: UnreadPair,
    reference: AnyDocument,
    hypothesis: AnyDocument,
    ref_times: AnyDocument,
    hyp_times: AnyDocument,
    *,
    is_found: bool,
) -> Pair:
    """A reference and a hypothesis with their times, from the documents of a pair's parts."""
    assert reference is not None  # every pair has one
    timed = reference if ref_times is None else time_words(exact(reference), exact(ref_times))
    if hypothesis is None:
        words = Document(reference.id, reference.words) if hyp_times is None else exact(hyp_times)
        return timed, emptied(words)
    theirs = exact(hypothesis)
    if is_to_be_found(theirs) and (hyp_times is not None or is_found):
        assert pair.hypothesis is not None  # it was read
        by = pair.hypothesis.file.options.policy("mentions")
        if hyp_times is None:
            return timed, find_mentions(theirs, timed, by=by, whose="reference")
        return timed, find_mentions(theirs, exact(hyp_times), by=by, whose="hypothesis")
    return timed, theirs if hyp_times is None else time_words(theirs, exact(hyp_times))


def _carried(pair: UnreadPair) -> UnreadPair:
    """A pair that can be scored where none of its files are."""
    others = (entry and carried(entry) for entry in pair[1:])
    return UnreadPair(carried(pair.reference), *others)
