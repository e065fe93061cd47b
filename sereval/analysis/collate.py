"""Collation: the outcome of each element for each system, for the correction of the reference.

Where all systems agree against the reference, the reference may be wrong. Such elements come first.

Source: Galibert et al., IJCNLP 2011, section 5: "It also makes it possible to merge all systems
outputs in an evaluation and collate the errors to help correct the reference".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, zip_longest
from typing import Any, NamedTuple

from ..documents.model import Document, Reference, Time
from ..evaluation.settings import Signature, joint
from ..measures.slots import Slot
from ..render.report import Column, Paged, Report, Reported, Table, rows
from .audit import HYPOTHESIS, AnyScore, Audit, AuditRow, audit
from .rates import paired_words, positions

CONTEXT = 4  # words on either side of an element

AGREEMENTS = {
    "other label": "every system gives it the same other label",
    "other span": "every system gives it the same other span",
    "missed": "every system misses it",
    "all wrong": "every system is wrong, not all in the same way",
    "some wrong": "some systems are wrong",
    "no place": "no system's words have a place for it; it does not count",
    "correct": "every system is right",
}
"""The outcomes of a reference element over all systems, the most suspicious first."""

UNANIMOUS = ("other label", "other span", "missed")
"""The outcomes in which all systems agree against the reference."""


FORMS = {
    "elements": rows(
        *("condition text", "side text", "agreement text", "document text", "element integer"),
        *("first_word integer", "last_word integer", "start number s", "end number s"),
        *("labels texts", "before texts", "words texts", "after texts", "signature text"),
    )
}
"""The table of collated elements, which has a further column for each system."""


@dataclass(frozen=True, slots=True)
class CollatedAnswer:
    """The outcome of an element for one system."""

    slot: Slot | None  # None: the element is unplaceable and does not count
    label: str | None = None  # of the hypothesis element; None: a deletion
    words: tuple[str, ...] = ()  # of the hypothesis element; empty: a deletion
    # start and end of the hypothesis element: in ms through time, in characters on the same words,
    # in reference words where words were aligned without times
    place: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CollatedItem:
    """An element and its outcome for each system."""

    side: str  # "reference", or "hypothesis" for an insertion
    document: str
    # its position in the document: the index of a reference element, or the place of an insertion,
    # as CollatedAnswer has it
    place: tuple[int, ...]
    labels: tuple[str, ...]  # those accepted; an insertion has one
    # frontiers on the reference's words, or on the hypothesis's words for an insertion through
    # time; None: it has no words
    span: tuple[int, int] | None
    words: tuple[str, ...]
    before: tuple[str, ...]  # the words before it
    after: tuple[str, ...]  # the words after it
    time: Time | None  # start and end in ms
    # by system; of an insertion, only systems that have the element
    answers: Mapping[str, CollatedAnswer]
    agreement: str  # a key of AGREEMENTS; of an insertion, the number of systems that made it
    is_unanimous: bool  # all systems agree against the reference


@dataclass(frozen=True, slots=True, repr=False)
class Collation(Paged, Reported):
    """The collated elements of one condition.

    Args:
        name: the name of the condition.
        signature: the joint signature of all systems.
        systems: the names of the systems, in order.
        references: the reference elements in the order of ``AGREEMENTS``, then of documents and
            elements.
        insertions: the insertions; first those that most systems made, then by document and place.

    >>> from sereval import collate
    >>> found = collate([["B-PER", "O"]], {"crf": [["B-LOC", "B-LOC"]]})
    >>> [item.labels for item in found.references], [item.labels for item in found.insertions]
    ([('PER',)], [('LOC',)])
    """

    name: str
    signature: Signature
    systems: tuple[str, ...]
    references: tuple[CollatedItem, ...]
    insertions: tuple[CollatedItem, ...]

    def report(self) -> Report:
        """A row for each element, with a column for each system."""
        return report_of([self])

    @property
    def items(self) -> tuple[CollatedItem, ...]:
        """All items, the unanimous ones first: there the reference may be wrong."""
        every = (*self.references, *self.insertions)
        return tuple(sorted(every, key=lambda item: not item.is_unanimous))


def report_of(collations: Sequence[Collation]) -> Report:
    """A row for each element, correct ones too, with a column for each system."""
    systems = sorted({system for one in collations for system in one.systems})
    table = FORMS["elements"]
    every = (
        (*_fields(item, one), *(_field(item, s) for s in systems))
        for one in collations
        for item in one.items
    )
    own = Table((*table.columns, *(Column(system, "text") for system in systems)), every)
    signed = "; ".join(str(one.signature) for one in collations)
    return Report("compare", {"elements": own}, lambda _: (), signed)


def _fields(item: CollatedItem, collation: Collation) -> tuple[Any, ...]:
    """The fields of an item under the columns of ``elements``."""
    first, last = (None, None) if item.span is None else (item.span[0] + 1, item.span[1])
    return (
        *(collation.name, item.side, item.agreement, item.document),
        None if item.side == HYPOTHESIS else item.place[0],
        *(first, last),
        *(None if ms is None else Fraction(ms, 1000) for ms in item.time or (None, None)),
        *(item.labels, item.before, item.words, item.after, str(collation.signature)),
    )


def _field(item: CollatedItem, system: str) -> str | None:
    answer = item.answers.get(system)
    if answer is None:
        return None
    letter = "unplaceable" if answer.slot is None else answer.slot.value
    if answer.label is None:
        return letter
    return f'{letter} {answer.label} "{" ".join(answer.words)}"'


def collate(name: str, evaluations: Mapping[str, AnyScore]) -> Collation:
    """Collate the systems of one condition."""
    scores = dict(sorted(evaluations.items()))
    references: list[CollatedItem] = []
    insertions: list[CollatedItem] = []
    for views in zip(*(audit(score) for score in scores.values()), strict=True):
        views_of = {system: _SystemRows(view) for system, view in zip(scores, views, strict=True)}
        annotated = views[0].annotated
        references += _references(views_of, annotated)
        words = None if views[0].words.is_projected else annotated
        found = _insertions(views_of, words)
        insertions += sorted(found, key=lambda item: (item.place, item.labels))
    most_first = [_made_by(number, len(scores)) for number in range(len(scores), 0, -1)]
    return Collation(
        name,
        joint(score.signature for score in scores.values()),
        tuple(scores),
        tuple(sorted(references, key=lambda item: list(AGREEMENTS).index(item.agreement))),
        tuple(sorted(insertions, key=lambda item: most_first.index(item.agreement))),
    )


class _SystemRows:
    """The rows of one document for one system, and the places of its words."""

    def __init__(self, rows: Audit) -> None:
        self.rows = rows
        self.hypotheses = rows.hypotheses
        self.references = {row.index: row for row in rows.references}
        self.times = rows.hypothesis_words.times if rows.words.is_projected else None
        self.offsets = positions(rows.hypothesis_words.words)
        self.paired: list[int] | None = None
        if self.times is None and rows.words.through is not None:
            words = rows.annotated.words, rows.hypothesis_words.words
            self.paired = paired_words(rows.words.through.align(*words))

    def place(self, row: AuditRow) -> tuple[int, int]:
        """The place of a hypothesis element; it does not depend on word boundaries."""
        start, end = row.span or (0, 0)
        if self.times is not None:
            return self.times[start][0], self.times[end - 1][1]
        if self.paired is not None:
            return self.paired[start], self.paired[end - 1] + 1
        return self.offsets[start], self.offsets[end]

    def answer(self, row: AuditRow) -> CollatedAnswer:
        """The slot of a row and the hypothesis element in it."""
        own: AuditRow | None = row
        if row.side != HYPOTHESIS:
            own = None if row.partner is None else self.hypotheses[row.partner]
        if own is None:
            return CollatedAnswer(row.slot)
        return CollatedAnswer(row.slot, own.label, own.words, self.place(own))


def _references(
    views: Mapping[str, _SystemRows], annotated: Document | Reference
) -> Iterator[CollatedItem]:
    """The reference elements of one document, on its own words."""
    one = next(iter(views.values()))
    is_timed = all(view.times is not None for view in views.values())
    for index, row in one.references.items():
        answers = {system: view.answer(view.references[index]) for system, view in views.items()}
        document, span = one.rows.reference_words, row.span
        if isinstance(annotated, Document):
            document, element = annotated, annotated.elements[index]
            span = element.start, element.end
        agreement = _agreement(list(answers.values()), is_timed=is_timed)
        unanimous = agreement in UNANIMOUS
        item = _item(row, document, span, (index,), answers, agreement, is_unanimous=unanimous)
        if isinstance(annotated, Reference) and span is not None:  # other words may be scored
            place = one.offsets[span[0]], one.offsets[span[1]]
            item = replace(item, span=_words(annotated, place))
        yield item


def _agreement(answers: Sequence[CollatedAnswer], *, is_timed: bool) -> str:
    """The key of ``AGREEMENTS`` that describes the answers of all systems."""
    slots = {answer.slot for answer in answers}
    if slots <= {Slot.CORRECT, None}:
        return "correct" if Slot.CORRECT in slots else "no place"
    if slots == {Slot.DELETION}:
        return "missed"
    if slots <= {Slot.TYPE, Slot.SPAN_AND_TYPE} and len({a.label for a in answers}) == 1:
        return "other label"
    if slots == {Slot.SPAN}:
        places = {a.place for a in answers if a.place is not None}
        if len(places) == 1 or is_timed and _is_same(*places):
            return "other span"
    return "some wrong" if slots & {Slot.CORRECT, None} else "all wrong"


def _insertions(
    views: Mapping[str, _SystemRows], reference: Document | Reference | None
) -> Iterator[CollatedItem]:
    """The insertions of one document: one item for each label at each place."""
    is_timed = all(view.times is not None for view in views.values())
    of_label: dict[str, dict[tuple[int, int], dict[str, list[AuditRow]]]] = {}
    for system, view in views.items():
        for row in view.hypotheses:
            of_place = of_label.setdefault(row.label, {}).setdefault(view.place(row), {})
            of_place.setdefault(system, []).append(row)
    for _, places in sorted(of_label.items()):
        found = [
            _Placed(place, rows)
            for place, same in sorted(places.items())
            for rows in _repetitions(same)
        ]
        for group in _join(found) if is_timed else [[one] for one in found]:
            rows = {s: (one.place, row) for one in group for s, row in sorted(one.rows.items())}
            made = {s: place for s, (place, row) in rows.items() if row.slot is Slot.INSERTION}
            if made:
                first = min(made, key=lambda system: (made[system], system))
                place, row = rows[first]
                item = _item(
                    row,
                    views[first].rows.hypothesis_words,
                    row.span,
                    place,
                    {s: views[s].answer(rows[s][1]) for s in views if s in rows},
                    _made_by(len(made), len(views)),
                    is_unanimous=len(made) == len(views),
                )
                yield item if reference is None else replace(item, span=_words(reference, place))


class _Placed(NamedTuple):
    """Elements of a label at exactly one place: the row of each system that has one."""

    place: tuple[int, int]
    rows: Mapping[str, AuditRow]


def _repetitions(same: Mapping[str, Sequence[AuditRow]]) -> Iterator[dict[str, AuditRow]]:
    """The first element of each system at a place, then the second ones; insertions come first."""
    ordered = (
        sorted(rows, key=lambda row: row.slot is not Slot.INSERTION) for rows in same.values()
    )
    for layer in zip_longest(*ordered):
        yield {system: row for system, row in zip(same, layer, strict=True) if row is not None}


def _join(found: Sequence[_Placed]) -> list[list[_Placed]]:
    """Group elements of different systems: any two of a group are the same through time."""
    overlaps = []
    for k, one in enumerate(found):
        for m in range(k + 1, len(found)):
            other = found[m]
            if other.place[0] > one.place[1]:
                break
            if _is_same(one.place, other.place) and not one.rows.keys() & other.rows.keys():
                overlaps.append((-_overlap(one.place, other.place), k, m))
    group_of = {k: [k] for k in range(len(found))}
    for _, k, m in sorted(overlaps):
        ours, theirs = group_of[k], group_of[m]
        both = [found[n] for n in (*ours, *theirs)]
        systems = [system for one in both for system in one.rows]
        if len(set(systems)) == len(systems) and _is_same(*(one.place for one in both)):
            ours += theirs
            group_of.update(dict.fromkeys(theirs, ours))
    return [[found[n] for n in group] for k, group in group_of.items() if group[0] == k]


def _is_same(*places: tuple[int, int]) -> bool:
    """Whether any two of the stretches of time share at least half of the longer one."""
    return all(2 * _overlap(one, other) >= 1 for one, other in combinations(places, 2))


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> Fraction:
    """The overlap of two stretches of time as a share of the longer one; below 0 if disjoint."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    longer = max(one[1] - one[0], other[1] - other[0])
    return Fraction(shared, longer) if longer else Fraction(one == other)


def _words(document: Document | Reference, place: tuple[int, int]) -> tuple[int, int]:
    """The frontiers of the words around a place in characters."""
    offsets = positions(document.words)
    return bisect_right(offsets, place[0]) - 1, bisect_left(offsets, place[1])


def _made_by(number: int, systems: int) -> str:
    """The agreement of an insertion that so many systems made."""
    return f"made by {number} of {systems}"


def _item(
    row: AuditRow,
    document: Document,
    span: tuple[int, int] | None,
    place: tuple[int, ...],
    answers: Mapping[str, CollatedAnswer],
    agreement: str,
    *,
    is_unanimous: bool,
) -> CollatedItem:
    start, end = span or (0, 0)
    words = document.words
    return CollatedItem(
        row.side,
        row.document,
        place,
        row.labels,
        span,
        words[start:end],
        words[max(0, start - CONTEXT) : start],
        words[end : end + CONTEXT] if span else (),
        row.time,
        answers,
        agreement,
        is_unanimous,
    )
