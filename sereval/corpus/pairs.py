"""Pairs of a reference and a hypothesis with the same id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, TypeVar

from ..documents.checks import canonical
from ..documents.model import Document, Note, Place, Reference, tree
from ..documents.tags import document_of_tags
from ..errors import SerevalError, meant
from .entries import Entry, in_memory

Pair = tuple[Document | Reference, Document]
"""A reference and a hypothesis of the same id."""

_R = TypeVar("_R")

OTHER_NAME = "each side has one document; paired under different names"
UNHEARD = "documents without a hypothesis, left out"
UNASKED = "documents without a reference, left out"
CUT = "documents of a file without marks between them, cut where the reference's end"
EMPTIED = "documents without a hypothesis, taken for ones in which nothing was found"


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
    _check_alone(left, heard, "hypothesis", offers_missing=offers_missing)
    _check_alone(heard, left, "reference", offers_missing=offers_missing)
    return [
        UnreadPair(left[id], right.get(id), ours.get(id), theirs.get(id)) for id in sorted(left)
    ]


def cut_as(
    references: Sequence[Entry], hypotheses: Sequence[Entry], *, by_position: bool = False
) -> Sequence[Entry]:
    """The parts of the only hypothesis, if it has the words of all references one after another.

    Args:
        by_position: whether as many words are enough.
    """
    if (
        len(references) < 2
        or len(hypotheses) != 1
        or hypotheses[0].id in {e.id for e in references}
    ):
        return hypotheses
    [entry], whole = hypotheses, exact(hypotheses[0].read())
    texts = [one.read().words for one in references]
    size = sum(map(len, texts))
    if size != len(whole.words):
        return hypotheses
    if not by_position and [*chain(*texts)] != [*whole.words]:
        raise SerevalError(
            f"{entry.id}: found one document with as many words as all references, but others, "
            "expected the same, to be cut where the references end; or --altered-words position"
        )
    ends = [*accumulate(map(len, texts), initial=0)]
    parts = in_memory(
        [_part(whole, one.id, *span) for one, span in zip(references, pairwise(ends), strict=True)],
        entry.side[0],
        entry.file,
    )
    first, *others = (part._replace(side=entry.side) for part in parts)
    notes = (*whole.notes, Note(CUT, len(parts)))
    return [first._replace(notes=notes), *others]


def _part(whole: Document, id: str, start: int, end: int) -> Document:
    """The words from one frontier to another as a document."""
    words, times = whole.words[start:end], whole.times and whole.times[start:end]
    breaks = tuple(k - start for k in whole.breaks if start < k < end)
    if whole.tags is not None:  # a phrase ends where its document does
        tags = replace(whole.tags, tags=whole.tags.tags[start:end], breaks=breaks)
        tags = replace(tags, elements=document_of_tags(id, words, tags).elements)
        return Document(id, words, tags.elements, times, breaks, whole.source, tags=tags)
    inside = [one for one in whole.elements if one.start < end and start < one.end]
    for element in inside:
        if element.start < start or element.end > end:
            raise SerevalError(f"{whole.id}: {element} is not within the words of document {id}")
    elements = tree(
        (e.label, e.start - start, e.end - start, None, e.line, e.confidence) for e in inside
    )
    return Document(id, words, elements, times, breaks, whole.source)


def _times(documents: Sequence[Entry], times: Sequence[Entry] | None) -> dict[str, Entry]:
    """The entries with the times of documents, by id; each document must have some."""
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
        kept[first] = noted(entry, Note(what, len(others), places=tuple(map(Place, others))))
    return kept


def noted(entry: Entry, note: Note) -> Entry:
    """An entry whose document has another note."""
    return entry._replace(notes=(*entry.notes, note))


def under_name(entry: Entry, id: str) -> Entry:
    """The only document of a side under the id of the other side, with a note."""
    place = Place(f"{entry.id} with {id}")
    return noted(entry, Note(OTHER_NAME, 1, places=(place,)))._replace(id=id)


def empty_hypothesis(words: Document) -> Document:
    """A document without elements that stands for a missing hypothesis, with a note."""
    notes = (*words.notes, Note(EMPTIED, 1))
    return replace(words, elements=(), mentions=None, notes=notes)


def exact(document: Document | Reference) -> Document:
    """The document itself, which must not be a fuzzy reference."""
    if isinstance(document, Reference):
        raise SerevalError(
            f"{document.id}: found a fuzzy reference (starts and ends), "
            "expected a document with one start and end for each element"
        )
    return document


def _check_alone(
    ids: Mapping[str, object], others: Mapping[str, object], missing: str, *, offers_missing: bool
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
    elif offers_missing:
        hint += f"; --missing drop leaves {'them' if len(alone) > 1 else 'it'} out"
        if missing == "hypothesis":
            hint += ", --missing empty counts all their elements as deleted"
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


def apart(pairs: Sequence[Pair], work: Callable[[Pair], _R]) -> list[_R]:
    """What a function finds in each pair of a document: the work of systems that share nothing."""
    return [work(pair) for pair in pairs]
