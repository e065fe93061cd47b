"""The reasons of a score: one row for every element of either side.

A row has an element, its candidates, its placement, its partner and its cost. All reports of single
elements, in text, tables, TextGrids and pages, are made from these rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from ..documents.model import Document, Reference, ReferenceElement, Time, Unplaceable, depths
from ..errors import SerevalError
from ..evaluation.evaluate import DocumentScore, Evaluation
from ..evaluation.settings import Settings
from ..mapping.outcomes import outcomes
from ..measures.slots import Slot
from ..schemes.result import Account, SchemeScore
from .rates import AnyScore, figure_of

REFERENCE, HYPOTHESIS = "reference", "hypothesis"


@dataclass(frozen=True, slots=True)
class Row:
    """One element and its outcome.

    Args:
        document: id of its document.
        side: ``reference`` or ``hypothesis``.
        index: its index among the elements of its side as annotated.
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
        parent: index of its parent on its side, ``None`` at the top.
        depth: 1 at the top.
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
    labels: tuple[str, ...]
    words: tuple[str, ...]
    span: tuple[int, int] | None
    time: Time | None
    slot: Slot | None
    partner: int | None
    cost: Fraction
    size: int
    parent: int | None = None
    depth: int = 1
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    strict: tuple[int, int] | None = None
    placement: tuple[int, int] | None = None
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
    """All rows of one document, with the words of both sides.

    Args:
        id: the document's name.
        reference_words: the words that were annotated, with times if known.
        hypothesis_words: the words that were scored on, with times if known.
        rows: reference elements in document order, unplaceable ones among them, then hypothesis
            elements in document order.
        annotated: the reference as given.
        words: the settings that say how the words of both sides were aligned.
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
    """The outcome of an element; ``partner`` is an index among the elements compared."""

    slot: Slot | None
    partner: int | None
    cost: Fraction
    size: int
    figures: Table[str, str] = field(default_factory=dict)


NOTHING = _Slot(None, None, Fraction(0), 0)
"""The outcome of an unplaceable element that does not count."""


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
        views = _views_of_scheme(score)
    else:
        views = _views(score)
    for view in views:
        rows = sorted([*view.references(), *view.hypotheses()], key=_row_order)
        yield Audit(
            view.reference.id,
            view.own_words,
            view.hypothesis,
            tuple(rows),
            view.given,
            view.words,
        )


def _views(evaluation: Evaluation) -> Iterator[_View]:
    """The documents of a score of the definition's."""
    settings = evaluation.settings
    for document in evaluation.documents:
        view = _View(document, settings, document.mapping.placement)
        sides = document.reference, document.hypothesis
        for o in outcomes(*sides, document.mapping, settings.neutral, settings.nearness):
            size = 0 if o.slot is Slot.INSERTION else 1
            view.add(o.slot, o.reference, o.hypothesis, (o.cost(settings.costs), size))
        yield view


def _views_of_scheme(score: SchemeScore) -> Iterator[_View]:
    """The documents of a score of another scheme, in the mapping of the figure looked at."""
    measure = figure_of(score)
    for account in score.accounts:
        view = _View(account, score.words, account.placement.get(measure.figure, ()))
        names = _names(account)
        for verdict in account.verdicts:
            if measure.figure in verdict.figures:
                errors = measure.errors(verdict.figures)
                whole = errors.total, errors.size
                view.add(verdict.slot, verdict.reference, verdict.hypothesis, whole, *names)
        yield view


_Names = Table[int | None, Table[str, str]]
"""By element: names of counts by figure. ``None``: those of unplaceable elements that count."""

NO_NAMES: _Names = {}
"""Those of the definition's score, which has one figure."""


def _names(account: Account) -> tuple[_Names, _Names]:
    """What the elements of either side count as, each figure in its own mapping."""
    of_reference: dict[int | None, dict[str, str]] = {}
    of_hypothesis: dict[int | None, dict[str, str]] = {}
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
    """One scored document, as its rows see it.

    Args:
        document: its annotated reference, and both sides as they were compared.
        words: how the words of both sides were aligned.
        placement: chosen frontiers of each reference element; empty where none are chosen.
    """

    def __init__(
        self,
        document: DocumentScore | Account,
        words: Settings,
        placement: Sequence[tuple[int, int]],
    ) -> None:
        self.given, self.words, self.placement = document.annotated, words, placement
        self.reference, self.hypothesis = document.reference, document.hypothesis
        self.of_reference: dict[int, _Slot] = {}
        self.of_hypothesis: dict[int, _Slot] = {}
        self.missed: list[_Slot] = []  # of the unplaceable elements that count, in their order
        given = document.annotated
        self.annotated = given if words.is_projected and isinstance(given, Document) else None
        self.own_words = self.annotated or Document(
            self.reference.id, self.reference.words, times=self.reference.times
        )
        self.index = [_source(element, r) for r, element in enumerate(self.reference.elements)]
        if self.annotated is None:  # by index as annotated
            levels = depths([element.parent for element in self.reference.elements])
            self.depths = dict(zip(self.index, levels, strict=True))
        else:
            self.depths = dict(enumerate(depths([e.parent for e in self.annotated.elements])))

    def add(
        self,
        slot: Slot | None,
        reference: int | None,
        hypothesis: int | None,
        whole: tuple[Fraction, int],
        of_reference: _Names = NO_NAMES,
        of_hypothesis: _Names = NO_NAMES,
    ) -> None:
        """Add a slot.

        Args:
            reference, hypothesis: its elements; neither: an unplaceable element that counts.
            whole: what it adds to the errors, and to what these are divided by.
            of_reference, of_hypothesis: what the elements of either side count as.
        """
        names = of_reference.get(reference, {})
        if reference is not None:
            self.of_reference[reference] = _Slot(slot, hypothesis, *whole, names)
        elif hypothesis is None:
            self.missed.append(_Slot(slot, None, *whole, names))
        if hypothesis is not None:
            own = whole if reference is None else (Fraction(0), 0)
            names = of_hypothesis.get(hypothesis, {})
            self.of_hypothesis[hypothesis] = _Slot(slot, reference, *own, names)

    def references(self) -> Iterator[Row]:
        placement = self.placement
        for r, element in enumerate(self.reference.elements):
            yield self._row(
                element if placement else replace(element, starts=(), ends=(), strict=None),
                self.index[r],
                self.of_reference[r],
                placement=placement[r] if placement else None,
            )
        known = [*self.index, *(_source(lost.element, -1) for lost in self.reference.unplaceable)]
        unknown = 1 + max(known, default=-1)  # for what a file says was taken out, nobody's index
        missed = iter(self.missed)
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
            **self._shared(REFERENCE, index, its, span),
            labels=element.labels,
            words=() if span is None else self.own_words.words[slice(*span)],
            parent=parent,
            depth=self.depths[index] if index in self.depths else self._below(element.parent),
            starts=element.starts,
            ends=element.ends,
            strict=element.strict,
            placement=placement,
            why=why,
            blocker=blocker,
            into=into,
        )

    def _shared(
        self, side: str, index: int, its: _Slot, span: tuple[int, int] | None
    ) -> dict[str, Any]:
        """What the rows of both sides have alike."""
        words, partner = self.own_words, its.partner
        if side == HYPOTHESIS:
            words = self.hypothesis
            partner = None if partner is None else self.index[partner]
        return {
            "document": self.reference.id,
            "side": side,
            "index": index,
            "span": span,
            "time": _time(words, span),
            "slot": its.slot,
            "partner": partner,
            "cost": its.cost,
            "size": its.size,
            "figures": its.figures,
        }

    def _below(self, parent: int | None) -> int:
        """Depth of an element that only a file knows, under a placed one."""
        return 1 if parent is None else 1 + self.depths[self.index[parent]]

    def hypotheses(self) -> Iterator[Row]:
        hypothesis, slots = self.hypothesis, self.of_hypothesis
        levels = depths([element.parent for element in hypothesis.elements])
        for h, element in enumerate(hypothesis.elements):
            span = element.start, element.end
            yield Row(
                **self._shared(HYPOTHESIS, h, slots[h], span),
                labels=(element.label,),
                words=hypothesis.words[slice(*span)],
                parent=element.parent,
                depth=levels[h],
                starts=(element.start,),
                ends=(element.end,),
                strict=span,
                placement=span,
            )
        for k, mention in enumerate(hypothesis.mentions or (), len(levels)):
            yield Row(
                **self._shared(HYPOTHESIS, k, slots[k], None),
                labels=(mention.label,),
                words=tuple(mention.text.split()),
                why="not found in the words",
            )

    def _lost(self, lost: Unplaceable) -> tuple[str, int | None]:
        """The reason and the fate of an unplaceable element, and the element in its place."""
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
        words = " ".join(self.hypothesis.words[k] for k in during)
        is_or_are = "is" if len(during) == 1 else "are"
        taker = self._taker(lost.element, during)
        if taker is None:
            return f"“{words}” {is_or_are} in its time, but not where it could be", None
        named = self._named(taker)
        return f"“{words}” {is_or_are} in its time, but taken by {named}", taker

    def _words_during(self, element: ReferenceElement) -> list[int] | None:
        """The hypothesis's words that share time with an element; ``None`` without times."""
        times = self.hypothesis.times
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
            for r, (start, end) in enumerate(self.placement)
            if r not in around and any(start <= k < end for k in words)
        ]
        return max(over, key=lambda index: self.depths.get(index, 0), default=None)

    def _named(self, index: int) -> str:
        if self.annotated is None:
            return f"element {index}"
        element = self.annotated.elements[index]
        words = " ".join(self.annotated.words[element.start : element.end])
        return f"{element.label} “{words}”"


def _source(element: ReferenceElement, otherwise: int) -> int:
    return otherwise if element.source is None else element.source


def _time(document: Document, span: tuple[int, int] | None) -> Time | None:
    if document.times is None or span is None:
        return None
    return document.times[span[0]][0], document.times[span[1] - 1][1]
