"""Pairs of a reference and a hypothesis with the same id, and work on each pair.

A scheme uses only ``Pairs.each``, which gives the result of a function of each pair. So a scheme
need not know whether the documents are in memory (``PairList``) or are read one pair at a time
(``unread.PairStream``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from ..documents.checks import canonical
from ..documents.model import Document, HasId, Reference
from ..documents.notes import Note, Place
from ..errors import SerevalError, meant
from .executor import THIS_PROCESS, Workers, each

Pair = tuple[Document | Reference, Document]
"""A reference and a hypothesis of the same id."""

_A = TypeVar("_A", bound=HasId)
_B = TypeVar("_B", bound=HasId)
_M = TypeVar("_M", bound=Any)  # dataclasses with ``id`` and ``notes``
_O = TypeVar("_O", bound=Any)


MissingPolicy = Callable[[str], str]
"""Names a policy for documents that only one side has, for a message."""


def match(
    references: Iterable[_A],
    hypotheses: Iterable[_B],
    empty: Callable[[_A], _B] | None,
    policy: MissingPolicy | None = None,
) -> list[tuple[_A, _B]]:
    """Pair references and hypotheses by id.

    Args:
        references, hypotheses: documents, or anything else with an ``id``.
        empty: makes a stand-in for the missing hypothesis of a reference; ``None``: a missing
            hypothesis is an error.
        policy: names the policies that a message offers; ``None``: it offers none.

    Returns:
        The pairs in the order of their ids.

    Raises:
        SerevalError: an id on one side only, or twice on one side; no reference.
    """
    left = {one.id: one for one in _unique(references, "reference")}
    right = {one.id: one for one in _unique(hypotheses, "hypothesis")}
    if not left:
        raise SerevalError("no reference document, expected at least one")
    if empty is not None:
        right |= {id: empty(one) for id, one in left.items() if id not in right}
    _check_alone(left, right, "hypothesis", policy)
    _check_alone(right, left, "reference", policy)
    return [(left[id], right[id]) for id in sorted(left)]


def _unique(documents: Iterable[_A], side: str) -> Iterator[_A]:
    seen = set()
    for document in documents:
        if document.id in seen:
            raise SerevalError(f"document {document.id} stands twice on the {side} side")
        seen.add(document.id)
        yield document


OTHER_NAME = "each side has one document; paired under different names"
UNHEARD = "documents without a hypothesis, left out"
UNASKED = "documents without a reference, left out"


def under_name(one: _O, id: str) -> _O:
    """The only document of a side, or its entry, under the id of the other side, with a note."""
    note = Note(OTHER_NAME, 1, places=(Place(f"{one.id} with {id}"),))
    return replace(one, id=id, notes=(*one.notes, note))


def in_both(references: Sequence[_M], hypotheses: Sequence[_O]) -> tuple[list[_M], list[_O]]:
    """The documents whose ids both sides have, for the policy ``missing="drop"``.

    Args:
        references, hypotheses: documents, or entries of documents.

    Returns:
        The documents of either side. If documents of a side are left out, a note on its first
        document says so.

    Raises:
        SerevalError: no id is on both sides.

    >>> from sereval.documents.model import Document
    >>> dol, rome = Document("dol", ("Dol",)), Document("rome", ("Rome",))
    >>> [first], [_] = in_both([dol, rome], [rome])
    >>> first.id, str(first.notes[0])
    ('rome', 'documents without a hypothesis, left out: 1, the first dol')
    """
    both = {one.id for one in references} & {one.id for one in hypotheses}
    if references and not both:
        raise SerevalError("no document is on both sides, expected at least one")
    return _within(references, both, UNHEARD), _within(hypotheses, both, UNASKED)


def _within(side: Sequence[_O], ids: set[str], what: str) -> list[_O]:
    """The documents with these ids, and a note on the others."""
    kept = [one for one in side if one.id in ids]
    others = sorted({one.id for one in side} - ids)
    if others and kept:
        note = Note(what, len(others), places=tuple(Place(id) for id in others))
        kept[0] = replace(kept[0], notes=(*kept[0].notes, note))
    return kept


EMPTIED = "documents without a hypothesis, taken for ones in which nothing was found"


def empty_hypothesis(words: Document) -> Document:
    """A document without elements that stands for a missing hypothesis, with a note that says so.

    Args:
        words: a document with the words, and times if there are any.

    >>> from sereval.documents.model import Element
    >>> found = empty_hypothesis(Document("d", ("Dol",), (Element("loc", 0, 1),)))
    >>> found.elements, found.notes[0].count
    ((), 1)
    """
    notes = (*words.notes, Note(EMPTIED, 1))
    return replace(words, elements=(), mentions=None, notes=notes)


def refuse_empty(id: str, policy: MissingPolicy | None, *, is_projected: bool) -> None:
    """Refuse to take a missing hypothesis as empty if the reference is projected.

    Args:
        id: the id of the document.
        policy: as for :func:`match`.
        is_projected: whether references are projected, which needs the recogniser's words.

    Raises:
        SerevalError: ``is_projected`` is true.
    """
    if is_projected:
        other = f", or {policy('drop')}" if policy else ""
        raise SerevalError(
            f"document {id} has no hypothesis, and no words to count as an empty one; "
            f"expected the recogniser's words for it{other}"
        )


def exact(document: Document | Reference) -> Document:
    """The document itself, which must not be a fuzzy reference.

    Args:
        document: a document of either side.

    Raises:
        SerevalError: it is a fuzzy reference.
    """
    if isinstance(document, Reference):
        raise SerevalError(
            f"{document.id}: found a fuzzy reference (starts and ends), "
            "expected a document with one start and end for each element"
        )
    return document


def _check_alone(
    ids: Table[str, object], others: Table[str, object], missing: str, policy: MissingPolicy | None
) -> None:
    alone = sorted(ids.keys() - others.keys())
    if not alone:
        return
    side, other = "hypothesis", "reference"
    if missing == "hypothesis":
        side, other = other, side
    if any(canonical(id) == canonical(alone[0]) for id in others):
        hint = "; one of them has its accents composed otherwise (NFC, NFD)"
    else:
        hint = meant(alone, others.keys() - ids.keys())
    if not hint and len(alone) == len(ids):
        hint = "; documents pair by name: expected equal names, or one document on each side"
    elif policy is not None:
        hint += f"; {policy('drop')} leaves {'them' if len(alone) > 1 else 'it'} out"
        if missing == "hypothesis":
            hint += f", {policy('empty')} counts all their elements as deleted"
    what = f"{len(alone)} of the {len(ids)} documents of the {side}"
    what += " has no" if len(alone) == 1 else " have no"
    if len(alone) == len(ids):
        what = f"none of the {len(ids)} documents of the {side} has a"
    if len(ids) == 1:
        what = f"the only document of the {side} has no"
    only = " only" * (len(others) == 1)
    raise SerevalError(
        f"{what} {missing} ({_first(alone)}); "
        f"the {other} has {_first(sorted(others)) or 'none'}{only}{hint}"
    )


def _first(ids: Sequence[str]) -> str:
    """The first three of some ids."""
    return ", ".join([*ids[:3], *["…"] * (len(ids) > 3)])


_P = TypeVar("_P", bound="tuple[Any, Any]")
_P_co = TypeVar("_P_co", bound="tuple[Any, Any]", covariant=True)
_R = TypeVar("_R")
_T = TypeVar("_T")
_N = TypeVar("_N")


class Pairs(Protocol[_P_co]):
    """Pairs of documents in the order of their ids, in memory or in files.

    >>> list(PairList([("Dol", "Rennes")]).each(lambda pair: len(pair[0])))
    [3]
    """

    def each(self, work: Callable[[_P_co], _R]) -> Iterator[_R]:
        """Apply ``work`` to each pair, and yield the results in order.

        Args:
            work: a function of one pair; it is sent between processes.
        """


@dataclass(frozen=True, slots=True)
class PairList(Generic[_P]):
    """Pairs of documents in memory.

    Args:
        pairs: a reference and a hypothesis of one id each, in the order of their ids.
        workers: the processes or the cluster that do the work.
        watch: wraps the pairs in an iterator that shows progress.

    >>> from sereval.documents.model import Document
    >>> pair = Document("d", ("Dol",)), Document("d", ("Dol",))
    >>> list(PairList([pair]).each(lambda pair: len(pair[0].words)))
    [1]
    """

    pairs: Sequence[_P]
    workers: Workers = THIS_PROCESS
    watch: Callable[[Sequence[_P]], Iterable[_P]] = iter

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """The result of ``work`` on each pair, in order."""
        return each(
            work,
            self.pairs,
            name=document_id,
            workers=self.workers,
            watch=self.watch,
            size=_words,
        )


class WithNotes(Generic[_P, _N]):
    """Pairs that collect the notes of each pair while ``each`` works on it.

    Args:
        pairs: the pairs.
        notes_of: gives the notes of a pair; it is sent between processes.

    Attributes:
        notes: the notes of each pair so far, in order.
    """

    def __init__(self, pairs: Pairs[_P], notes_of: Callable[[_P], _N]) -> None:
        self.pairs, self.notes_of = pairs, notes_of
        self.notes: list[_N] = []

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """The result of ``work`` on each pair, in order."""
        both = partial(_with_notes, work=work, notes_of=self.notes_of)
        for found, notes in self.pairs.each(both):
            self.notes.append(notes)
            yield found


def _with_notes(pair: _P, work: Callable[[_P], _R], notes_of: Callable[[_P], _N]) -> tuple[_R, _N]:
    return work(pair), notes_of(pair)


def once_each(
    items: Iterable[_T], key: Callable[[_T], object], make: Callable[[_T], _R]
) -> list[_R]:
    """Make a value for each item; items with equal keys share one value.

    Args:
        items: the items, of which there should be few: each key is compared with each other.
        key: gives the part of an item on which its value depends.
        make: makes the value of an item.

    >>> made = []
    >>> once_each([1, 3, 2], lambda item: item % 2, lambda item: made.append(item) or item), made
    ([1, 1, 2], [1, 2])
    """
    known: list[tuple[object, _R]] = []
    found = []
    for item in items:
        own = key(item)
        same = [value for other, value in known if other == own]
        if not same:
            same = [make(item)]
            known.append((own, same[0]))
        found.append(same[0])
    return found


def document_id(pair: tuple[Any, Any]) -> str:
    """The id of both sides of a pair."""
    name: str = pair[0].id
    return name


def _words(pair: tuple[Any, Any]) -> int:
    """The number of words of both sides; templates have none."""
    return sum(len(getattr(side, "words", ())) for side in pair)
