"""Why a document got its score: one row for every element of either side.

A row says what an element is, where it could be, where it was put, what answers it and what that
costs. All that a person is shown of single elements, in text, tables, TextGrids and pages, is
made from these rows; nothing is computed a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..documents.model import Document, Reference, ReferenceElement, Time, Unplaceable
from ..errors import SerevalError
from ..evaluation.evaluate import DocumentScore
from ..evaluation.settings import Settings
from ..mapping.outcomes import outcomes
from ..measures.slots import Slot
from ..schemes.result import Account, SchemeScore
from .rates import AnyScore, FMeasure, figure_of

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
        slot: its class; ``None`` for an unplaceable element that does not count. Under another
            scheme than the definition's the class that comes nearest (see ``Verdict``).
        partner: index of the element of the other side that answers it, or ``None``.
        cost: the errors of its slot (see ``measure``): in units of the costs, 0 if a label is
            neutral; that of a pair stands with its reference element and is 0 here for its
            hypothesis element, so that costs add up.
        size: what its slot adds to that by which costs are divided, in the same way.
        starts, ends: candidate frontiers on the hypothesis's words.
        strict: strict frontiers there, or ``None``.
        placement: chosen frontiers there; ``None`` for an unplaceable element.
        why: for an unplaceable element, why it has no place and what became of it; for a mention,
            that it was not found.
        blocker: for an unplaceable element, index of the reference element that took its words.
        into: for an unplaceable element, index of the reference element it was merged into.
        figures: under another scheme, what it counts as in each figure: ``COR``, ``INC``, ``PAR``,
            ``MIS`` or ``SPU``, each in the mapping of that figure.
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
    size: int
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    strict: tuple[int, int] | None
    placement: tuple[int, int] | None
    why: str | None = None
    blocker: int | None = None
    into: int | None = None
    figures: Table[str, str] = field(default_factory=dict)

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
        annotated: the reference as given.
        words: what brought the words of both sides together.
    """

    id: str
    reference_words: Document
    hypothesis_words: Document
    rows: tuple[Row, ...]
    annotated: Document | Reference
    words: Settings

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


@dataclass(frozen=True, slots=True)
class _Slot:
    """What became of an element; ``partner`` is an index among those that were compared."""

    slot: Slot | None
    partner: int | None
    cost: Fraction
    size: int
    figures: Table[str, str] = field(default_factory=dict)


NOTHING = _Slot(None, None, Fraction(0), 0)
"""What becomes of an unplaceable element that does not count."""


@dataclass(frozen=True, slots=True)
class _Document:
    """One document of a score, whatever the scheme.

    Args:
        references, hypotheses: what became of each element, by index.
        missed: the same for the unplaceable elements that count, in their order.
        placement: chosen frontiers of each reference element; empty where none are chosen.
    """

    annotated: Document | Reference
    reference: Reference
    hypothesis: Document
    words: Settings
    references: Table[int, _Slot]
    hypotheses: Table[int, _Slot]
    missed: Sequence[_Slot]
    placement: Sequence[tuple[int, int]]


def audit(score: AnyScore) -> Iterator[Audit]:
    """The rows of each document of a score, in the order of the documents.

    Raises:
        SerevalError: a score of another scheme for which no figure was chosen.

    >>> from sereval import Document, evaluate, tree
    >>> words = ("Jacques", "Chirac")
    >>> reference = Document("d", words, tree([("pers.ind", 0, 2), ("name.first", 0, 1)]))
    >>> [document] = audit(evaluate([reference], [Document("d", words, tree([("pers", 0, 2)]))]))
    >>> [(row.side, row.label, row.slot.value, row.partner) for row in document.rows]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('reference', 'pers.ind', 'S_T', 0), ('reference', 'name.first', 'D', None),
     ('hypothesis', 'pers', 'S_T', 0)]
    """
    if isinstance(score, SchemeScore):
        if score.documents and not score.accounts:
            raise SerevalError(f"a score of {score.scheme} without a figure, expected one chosen")
        measure = figure_of(score)
        documents = (_of_account(account, score, measure) for account in score.accounts)
    else:
        documents = (_of_document(document, score.settings) for document in score.documents)
    for document in documents:
        view = _View(document)
        rows = sorted([*view.references(), *view.hypotheses()], key=_row_order)
        yield Audit(
            document.reference.id,
            view.own_words,
            document.hypothesis,
            tuple(rows),
            document.annotated,
            document.words,
        )


def _of_document(document: DocumentScore, settings: Settings) -> _Document:
    """A document under the definition's score."""
    sides = document.reference, document.hypothesis
    references, hypotheses, missed = {}, {}, []
    for o in outcomes(*sides, document.mapping, settings.neutral, settings.nearness):
        cost = o.cost(settings.costs)
        is_insertion = o.slot is Slot.INSERTION
        if o.reference is not None:
            references[o.reference] = _Slot(o.slot, o.hypothesis, cost, 1)
        elif not is_insertion:
            missed.append(_Slot(o.slot, None, cost, 1))
        if o.hypothesis is not None:
            own = cost if is_insertion else Fraction(0)
            hypotheses[o.hypothesis] = _Slot(o.slot, o.reference, own, 0)
    return _Document(
        document.annotated,
        document.reference,
        document.hypothesis,
        settings,
        references,
        hypotheses,
        missed,
        document.mapping.placement,
    )


def _of_account(account: Account, score: SchemeScore, measure: FMeasure) -> _Document:
    """A document under another scheme, in the mapping of the figure that is looked at."""
    of_reference, of_hypothesis = _names(account)
    references, hypotheses, missed = {}, {}, []
    for v in account.verdicts:
        if measure.figure not in v.figures:
            continue
        errors = measure.errors(v.figures)
        whole, part = (errors.total, errors.size), (Fraction(0), 0)
        if v.reference is not None:
            figures = of_reference[v.reference]
            references[v.reference] = _Slot(v.slot, v.hypothesis, *whole, figures)
        elif v.hypothesis is None:
            missed.append(_Slot(v.slot, None, *whole, of_reference[None]))
        if v.hypothesis is not None:
            own = whole if v.reference is None else part
            figures = of_hypothesis[v.hypothesis]
            hypotheses[v.hypothesis] = _Slot(v.slot, v.reference, *own, figures)
    return _Document(
        account.annotated,
        account.reference,
        account.hypothesis,
        score.words,
        references,
        hypotheses,
        missed,
        account.placement.get(measure.figure, ()),
    )


_Names = dict[int | None, dict[str, str]]
"""By element: names of counts by figure. ``None``: those of unplaceable elements that count."""


def _names(account: Account) -> tuple[_Names, _Names]:
    """What the elements of either side count as, each figure in its own mapping."""
    of_reference: _Names = {}
    of_hypothesis: _Names = {}
    for verdict in account.verdicts:
        single = {
            name: only.upper()
            for name, figure in verdict.figures.items()
            if (only := figure.only) is not None
        }
        if verdict.slot is not Slot.INSERTION:
            of_reference.setdefault(verdict.reference, {}).update(single)
        if verdict.hypothesis is not None:
            of_hypothesis.setdefault(verdict.hypothesis, {}).update(single)
    return of_reference, of_hypothesis


def _row_order(row: Row) -> tuple[bool, int]:
    return row.side == HYPOTHESIS, row.index


class _View:
    """One scored document, as its rows see it."""

    def __init__(self, document: _Document) -> None:
        self.document = document
        self.reference = document.reference
        annotated = document.annotated
        projected = document.words.is_projected
        self.annotated = annotated if projected and isinstance(annotated, Document) else None
        self.own_words = self.annotated or Document(
            self.reference.id, self.reference.words, times=self.reference.times
        )
        self.index = [_source(element, r) for r, element in enumerate(self.reference.elements)]
        if self.annotated is None:  # by index as annotated
            levels = depths([element.parent for element in self.reference.elements])
            self.depths = dict(zip(self.index, levels, strict=True))
        else:
            self.depths = dict(enumerate(depths([e.parent for e in self.annotated.elements])))

    def references(self) -> Iterator[Row]:
        placement = self.document.placement
        for r, element in enumerate(self.reference.elements):
            yield self._row(
                element if placement else replace(element, starts=(), ends=(), strict=None),
                self.index[r],
                self.document.references[r],
                placement=placement[r] if placement else None,
            )
        known = [*self.index, *(_source(lost.element, -1) for lost in self.reference.unplaceable)]
        unknown = 1 + max(known, default=-1)  # for what a file says was taken out, nobody's index
        missed = iter(self.document.missed)
        for number, lost in enumerate(self.reference.unplaceable):
            why, blocker = self._lost(lost)
            yield self._row(
                lost.element,
                _source(lost.element, unknown + number),
                next(missed) if lost.fate == "missed" else NOTHING,
                why=why,
                blocker=blocker,
                into=None if lost.into is None else self.index[lost.into],
            )

    def _row(
        self,
        element: ReferenceElement,
        index: int,
        its: _Slot,
        *,
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
            document=self.reference.id,
            side=REFERENCE,
            index=index,
            parent=parent,
            depth=self.depths[index] if index in self.depths else self._below(element.parent),
            labels=element.labels,
            words=() if span is None else self.own_words.words[slice(*span)],
            span=span,
            time=_time(self.own_words, span),
            slot=its.slot,
            partner=its.partner,
            cost=its.cost,
            size=its.size,
            starts=element.starts,
            ends=element.ends,
            strict=element.strict,
            placement=placement,
            why=why,
            blocker=blocker,
            into=into,
            figures=its.figures,
        )

    def _below(self, parent: int | None) -> int:
        """Depth of an element that only a file knows, under a placed one."""
        return 1 if parent is None else 1 + self.depths[self.index[parent]]

    def hypotheses(self) -> Iterator[Row]:
        hypothesis = self.document.hypothesis
        levels = depths([element.parent for element in hypothesis.elements])
        for h, element in enumerate(hypothesis.elements):
            its = self.document.hypotheses[h]
            span = element.start, element.end
            yield Row(
                document=self.reference.id,
                side=HYPOTHESIS,
                index=h,
                parent=element.parent,
                depth=levels[h],
                labels=(element.label,),
                words=hypothesis.words[slice(*span)],
                span=span,
                time=_time(hypothesis, span),
                slot=its.slot,
                partner=None if its.partner is None else self.index[its.partner],
                cost=its.cost,
                size=its.size,
                starts=(element.start,),
                ends=(element.end,),
                strict=span,
                placement=span,
                figures=its.figures,
            )
        for k, mention in enumerate(hypothesis.mentions or (), len(levels)):
            its = self.document.hypotheses[k]
            yield Row(
                document=self.reference.id,
                side=HYPOTHESIS,
                index=k,
                parent=None,
                depth=1,
                labels=(mention.label,),
                words=tuple(mention.text.split()),
                span=None,
                time=None,
                slot=its.slot,
                partner=None,
                cost=its.cost,
                size=its.size,
                starts=(),
                ends=(),
                strict=None,
                placement=None,
                why="not found in the words",
                figures=its.figures,
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
            for r, (start, end) in enumerate(self.document.placement)
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
