"""Why a document got its score: one row for every element of either side.

A row says what an element is, where it could be, where it was put, what answers it and what that
costs. All that a person is shown of single elements, in text, tables, TextGrids and pages, is
made from these rows; nothing is computed a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .evaluate import DocumentScore, Evaluation
from .model import Document, ReferenceElement, Time, Unplaceable
from .outcomes import outcomes
from .score import Slot

REFERENCE, HYPOTHESIS = "reference", "hypothesis"


@dataclass(frozen=True, slots=True)
class Row:
    """One element and what became of it.

    Args:
        document: id of its document.
        side: ``reference`` or ``hypothesis``.
        index: its index among the elements of its side as annotated.
        parent: index of its parent there, ``None`` at the top.
        depth: 1 at the top.
        labels: accepted labels, its own first; a hypothesis element has one.
        words: its words: those of the clean transcript for a reference element where that is
            known, else those of the hypothesis under its placement.
        span: ``(start, end)`` frontiers on the words of its own side.
        time: when it was spoken, ``(start, end)`` in ms on its own side; ``None`` without times.
        slot: its class; ``None`` for an unplaceable element that does not count.
        partner: index of the element of the other side that answers it, or ``None``.
        cost: of its slot, in units of the costs, 0 if a label is neutral; that of a pair stands
            with its reference element and is 0 here for its hypothesis element, so that costs
            add up.
        starts, ends: candidate frontiers on the hypothesis's words.
        strict: strict frontiers there, or ``None``.
        placement: chosen frontiers there; ``None`` for an unplaceable element.
        why: for an unplaceable element, why it has no place and what became of it.
        blocker: for an unplaceable element, index of the reference element that took its words.
        into: for an unplaceable element, index of the reference element it was merged into.
    """

    document: str
    side: str
    index: int
    parent: int | None
    depth: int
    labels: tuple[str, ...]
    words: tuple[str, ...]
    span: tuple[int, int] | None
    time: Time | None
    slot: Slot | None
    partner: int | None
    cost: Fraction
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    strict: tuple[int, int] | None
    placement: tuple[int, int] | None
    why: str | None = None
    blocker: int | None = None
    into: int | None = None

    @property
    def label(self) -> str:
        """Its own label."""
        return self.labels[0]

    @property
    def is_error(self) -> bool:
        """Whether it is anything but correct; an unplaceable element is."""
        return self.slot is not Slot.CORRECT


@dataclass(frozen=True, slots=True)
class Audit:
    """All rows of one document, with the words they speak of.

    Args:
        id: the document's name.
        reference_words: the words that were annotated, with times if known.
        hypothesis_words: the words that were scored on, with times if known.
        rows: reference elements in document order, unplaceable ones among them, then hypothesis
            elements in document order.
    """

    id: str
    reference_words: Document
    hypothesis_words: Document
    rows: tuple[Row, ...]

    @property
    def references(self) -> tuple[Row, ...]:
        """The rows of the reference side."""
        return tuple(row for row in self.rows if row.side == REFERENCE)

    @property
    def hypotheses(self) -> tuple[Row, ...]:
        """The rows of the hypothesis side; position is index."""
        return tuple(row for row in self.rows if row.side == HYPOTHESIS)

    def with_partners(self) -> Iterator[tuple[Row, Row | None]]:
        """Every row with the row of the other side that answers it, or ``None``."""
        others = {
            REFERENCE: {row.index: row for row in self.hypotheses},
            HYPOTHESIS: {row.index: row for row in self.references},
        }
        for row in self.rows:
            yield row, None if row.partner is None else others[row.side][row.partner]


def audit(evaluation: Evaluation) -> Iterator[Audit]:
    """The rows of each document of an evaluation, in the order of the documents.

    >>> from sereval import Document, evaluate, tree
    >>> words = ("Jacques", "Chirac")
    >>> reference = Document("d", words, tree([("pers.ind", 0, 2), ("name.first", 0, 1)]))
    >>> [document] = audit(evaluate([reference], [Document("d", words, tree([("pers", 0, 2)]))]))
    >>> [(row.side, row.label, row.slot.value, row.partner) for row in document.rows]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('reference', 'pers.ind', 'S_T', 0), ('reference', 'name.first', 'D', None),
     ('hypothesis', 'pers', 'S_T', 0)]
    """
    for document in evaluation.documents:
        yield _audit(document, evaluation)


def _audit(document: DocumentScore, evaluation: Evaluation) -> Audit:
    view = _View(document, evaluation)
    rows = [*view.references(), *view.hypotheses()]
    return Audit(
        document.id, view.own_words, document.hypothesis, tuple(sorted(rows, key=_row_order))
    )


def _row_order(row: Row) -> tuple[bool, int]:
    return row.side == HYPOTHESIS, row.index


class _View:
    """One scored document, as its rows see it."""

    def __init__(self, document: DocumentScore, evaluation: Evaluation) -> None:
        self.document = document
        self.reference = document.reference
        self.costs = evaluation.settings.costs
        self.neutral = evaluation.settings.neutral
        annotated = document.annotated
        projected = evaluation.settings.is_projected
        self.annotated = annotated if projected and isinstance(annotated, Document) else None
        self.own_words = self.annotated or Document(
            document.id, self.reference.words, times=self.reference.times
        )
        slots = outcomes(self.reference, document.hypothesis, document.mapping, self.neutral)
        self.of_reference = {o.reference: o for o in slots if o.reference is not None}
        self.of_hypothesis = {o.hypothesis: o for o in slots if o.hypothesis is not None}
        self.index = [_source(element, r) for r, element in enumerate(self.reference.elements)]
        if self.annotated is None:  # by index as annotated
            levels = depths([element.parent for element in self.reference.elements])
            self.depths = dict(zip(self.index, levels, strict=True))
        else:
            self.depths = dict(enumerate(depths([e.parent for e in self.annotated.elements])))

    def references(self) -> Iterator[Row]:
        for r, element in enumerate(self.reference.elements):
            outcome = self.of_reference[r]
            yield self._row(
                element,
                self.index[r],
                slot=outcome.slot,
                is_neutral=outcome.is_neutral,
                partner=outcome.hypothesis,
                placement=self.document.mapping.placement[r],
            )
        known = [*self.index, *(_source(lost.element, -1) for lost in self.reference.unplaceable)]
        unknown = 1 + max(known, default=-1)  # for what a file says was taken out, nobody's index
        for number, lost in enumerate(self.reference.unplaceable):
            why, blocker = self._lost(lost)
            yield self._row(
                lost.element,
                _source(lost.element, unknown + number),
                slot=Slot.DELETION if lost.fate == "missed" else None,
                is_neutral=lost.element.label in self.neutral,
                why=why,
                blocker=blocker,
                into=None if lost.into is None else self.index[lost.into],
            )

    def _row(
        self,
        element: ReferenceElement,
        index: int,
        *,
        slot: Slot | None,
        is_neutral: bool,
        partner: int | None = None,
        placement: tuple[int, int] | None = None,
        why: str | None = None,
        blocker: int | None = None,
        into: int | None = None,
    ) -> Row:
        parent = None if element.parent is None else self.index[element.parent]
        span = placement
        if self.annotated is not None:
            own = self.annotated.elements[index]
            parent, span = own.parent, (own.start, own.end)
        return Row(
            document=self.document.id,
            side=REFERENCE,
            index=index,
            parent=parent,
            depth=self.depths[index] if index in self.depths else self._below(element.parent),
            labels=element.labels,
            words=() if span is None else self.own_words.words[slice(*span)],
            span=span,
            time=_time(self.own_words, span),
            slot=slot,
            partner=partner,
            cost=self._cost(slot, is_neutral=is_neutral),
            starts=element.starts,
            ends=element.ends,
            strict=element.strict,
            placement=placement,
            why=why,
            blocker=blocker,
            into=into,
        )

    def _cost(self, slot: Slot | None, *, is_neutral: bool) -> Fraction:
        if slot is None or is_neutral:
            return Fraction(0)
        return Fraction(self.costs[slot], self.costs.scale)

    def _below(self, parent: int | None) -> int:
        """Depth of an element that only a file knows, under a placed one."""
        return 1 if parent is None else 1 + self.depths[self.index[parent]]

    def hypotheses(self) -> Iterator[Row]:
        hypothesis = self.document.hypothesis
        levels = depths([element.parent for element in hypothesis.elements])
        for h, element in enumerate(hypothesis.elements):
            outcome = self.of_hypothesis[h]
            span = element.start, element.end
            own_slot = outcome.slot if outcome.slot is Slot.INSERTION else None
            yield Row(
                document=self.document.id,
                side=HYPOTHESIS,
                index=h,
                parent=element.parent,
                depth=levels[h],
                labels=(element.label,),
                words=hypothesis.words[slice(*span)],
                span=span,
                time=_time(hypothesis, span),
                slot=outcome.slot,
                partner=None if outcome.reference is None else self.index[outcome.reference],
                cost=self._cost(own_slot, is_neutral=outcome.is_neutral),
                starts=(element.start,),
                ends=(element.end,),
                strict=span,
                placement=span,
            )

    def _lost(self, lost: Unplaceable) -> tuple[str, int | None]:
        """Why an element has no place and what became of it; whose words it would have had."""
        reason, blocker = self._reason(lost)
        if lost.fate == "merged" and lost.into is not None:
            return f"{reason}; merged into {self._named(self.index[lost.into])}", blocker
        fates = {"dropped": "dropped", "missed": "counted as a deletion"}
        return f"{reason}; {fates[lost.fate]}", blocker

    def _reason(self, lost: Unplaceable) -> tuple[str, int | None]:
        if lost.blocker is not None:
            return f"its words are taken by {self._named(lost.blocker)}", lost.blocker
        during = self._words_during(lost.element)
        if during is None:
            return "no word for it", None
        if not during:
            return "no word in its time", None
        words = " ".join(self.document.hypothesis.words[k] for k in during)
        is_or_are = "is" if len(during) == 1 else "are"
        taker = self._taker(lost.element, during)
        if taker is None:
            return f"“{words}” {is_or_are} in its time, but not where it could be", None
        named = self._named(taker)
        return f"“{words}” {is_or_are} in its time, but taken by {named}", taker

    def _words_during(self, element: ReferenceElement) -> list[int] | None:
        """The hypothesis's words that share time with an element; ``None`` without times."""
        times = self.document.hypothesis.times
        if self.annotated is None or times is None or element.source is None:
            return None
        own = self.annotated.elements[element.source]
        spoken = _time(self.annotated, (own.start, own.end))
        if spoken is None:
            return None
        start, end = spoken
        return [k for k, (a, b) in enumerate(times) if max(a, start) < min(b, end)]

    def _taker(self, element: ReferenceElement, words: Sequence[int]) -> int | None:
        """The innermost placed element over one of these words that is not around the element."""
        around = set()
        above = element.parent
        while above is not None:
            around.add(above)
            above = self.reference.elements[above].parent
        over = [
            self.index[r]
            for r, (start, end) in enumerate(self.document.mapping.placement)
            if r not in around and any(start <= k < end for k in words)
        ]
        return max(over, key=lambda index: self.depths.get(index, 0), default=None)

    def _named(self, index: int) -> str:
        if self.annotated is None:
            return f"element {index}"
        element = self.annotated.elements[index]
        words = " ".join(self.annotated.words[element.start : element.end])
        return f"{element.label} “{words}”"


def depths(parents: Sequence[int | None]) -> list[int]:
    """How deep each element is nested, 1 at the top; each after its parent.

    >>> depths([None, 0, 1, None])
    [1, 2, 3, 1]
    """
    found: list[int] = []
    for parent in parents:
        found.append(1 if parent is None else 1 + found[parent])
    return found


def _source(element: ReferenceElement, otherwise: int) -> int:
    return otherwise if element.source is None else element.source


def _time(document: Document, span: tuple[int, int] | None) -> Time | None:
    if document.times is None or span is None:
        return None
    return document.times[span[0]][0], document.times[span[1] - 1][1]
