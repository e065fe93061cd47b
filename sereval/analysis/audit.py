"""Audit: the reasons of a score, in one row for each element of either side.

A row holds an element, its candidates, its placement, its partner and its cost. All reports of
single elements (text, tables, TextGrids, pages) are made from these rows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from ..documents.model import (
    Document,
    Mention,
    Reference,
    ReferenceElement,
    Time,
    Unplaceable,
    depths,
)
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..evaluation.totals import Evaluation, Mapped
from ..mapping.best import outcomes
from ..measures.figures import figure_errors
from ..measures.slots import CLASSES, Slot
from ..render.chart import ERRORS, bars
from ..render.report import Paged, Report, Reported
from ..schemes.result import Account, SchemeScore
from .rates import AnyScore

REFERENCE, HYPOTHESIS = "reference", "hypothesis"

UNPLACEABLE = "unplaceable"

UNCOUNTED = "U"
"""The class letter of unplaceable elements that do not count."""

NAMES = {
    **{slot.value: name for slot, name in CLASSES.items()},
    UNCOUNTED: "unplaceable, not counted",
}
"""The names of the classes by letter, in the order of the reports."""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One element and its outcome.

    Args:
        document: the id of its document.
        side: ``reference`` or ``hypothesis``.
        index: its index among the elements of its side as annotated.
        labels: the accepted labels, its own first; a hypothesis element has one.
        words: its words. A reference element that was annotated on other words than the
            hypothesis's has those words, otherwise the hypothesis's words under its placement.
        span: its ``(start, end)`` frontiers on the words of its own side.
        time: its ``(start, end)`` in ms on its own side; ``None`` without times.
        slot: the class of its slot; ``None`` for an unplaceable element that does not count. Under
            another scheme than the definition's, the nearest class (see ``Verdict``).
        partner: the index of the element of the other side paired with it, or ``None``.
        cost: the errors of its slot (see ``rates``): for the slot error rate the cost, which is 0
            if a label is neutral. The cost of a pair is in the row of its reference element, and
            is 0 in the row of its hypothesis element, so that costs add up.
        size: the part of its slot in the denominator of the rate, assigned to rows as the cost is.
        parent: the index of its parent on its side; ``None`` at the top.
        depth: its depth in the tree, 1 at the top.
        starts, ends: its candidate frontiers on the hypothesis's words.
        strict: its strict frontiers on the hypothesis's words, or ``None``.
        placement: its chosen frontiers on the hypothesis's words; ``None``: it is unplaceable.
        why: for an unplaceable element, the reason why it has no place, and its fate; for a
            mention, the note that its words were not found.
        blocker: for an unplaceable element, the index of the reference element on its words.
        into: for an unplaceable element, the index of the reference element it was merged into.
        figures: under another scheme, its outcome in each figure: ``COR``, ``INC``, ``PAR``,
            ``MIS`` or ``SPU``, each in the mapping of that figure.

    >>> from sereval import audit
    >>> row, _ = audit([["B-PER", "O"]], [["B-LOC", "O"]]).rows
    >>> row.slot.value, float(row.cost), row.span, row.partner
    ('S_T', 0.5, (0, 1), 0)
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
    size: int | Fraction
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
        """Whether it is not correct. An unplaceable element is an error."""
        return self.slot is not Slot.CORRECT


@dataclass(frozen=True, slots=True)
class Audit:
    """All rows of one document, with the words of both sides.

    Args:
        id: the id of the document.
        reference_words: the words on which the reference was annotated, with times if known.
        hypothesis_words: the hypothesis's words, on which the document was scored, with times if
            known.
        rows: the reference elements in document order, with the unplaceable ones, then the
            hypothesis elements in document order.
        annotated: the reference before projection.
        words: the settings of the alignment between the words of the two sides.

    >>> from sereval import audit
    >>> [document] = audit([["B-PER", "O"]], [["B-LOC", "O"]]).documents
    >>> [(row.label, partner.label) for row, partner in document.with_partners()]
    [('PER', 'LOC'), ('LOC', 'PER')]
    """

    id: str
    reference_words: Document
    hypothesis_words: Document
    rows: tuple[AuditRow, ...]
    annotated: Document | Reference
    words: Settings

    @property
    def references(self) -> tuple[AuditRow, ...]:
        """The rows of the reference side."""
        return tuple(row for row in self.rows if row.side == REFERENCE)

    @property
    def hypotheses(self) -> tuple[AuditRow, ...]:
        """The rows of the hypothesis side; the position of a row is its index."""
        return tuple(row for row in self.rows if row.side == HYPOTHESIS)

    def with_partners(self) -> Iterator[tuple[AuditRow, AuditRow | None]]:
        """Each row with the row of its partner, or ``None``."""
        others = {
            REFERENCE: {row.index: row for row in self.hypotheses},
            HYPOTHESIS: {row.index: row for row in self.references},
        }
        for row in self.rows:
            yield row, None if row.partner is None else others[row.side][row.partner]


@dataclass(frozen=True, slots=True)
class SlotCase:
    """A slot, or an unplaceable element that does not count: a pair has two rows and is one case.

    Args:
        reference: the reference's row, ``None`` for an insertion.
        hypothesis: the hypothesis's row, ``None`` for a deletion.
    """

    reference: AuditRow | None
    hypothesis: AuditRow | None

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """The row of each side that has an element in this case."""
        return tuple(row for row in (self.reference, self.hypothesis) if row is not None)

    @property
    def row(self) -> AuditRow:
        """The reference's row, or the hypothesis's for an insertion: the row with the cost."""
        row = self.reference or self.hypothesis
        assert row is not None
        return row

    @property
    def name(self) -> str:
        """The name of the case in its document: ``r12``, or ``h7`` for an insertion."""
        return f"{'h' if self.reference is None else 'r'}{self.row.index}"

    @property
    def letter(self) -> str:
        """The letter of its class."""
        return UNCOUNTED if self.row.slot is None else self.row.slot.value

    @property
    def is_unplaceable(self) -> bool:
        """Whether its element has no place, whether it counts or not."""
        return self.row.why is not None

    @property
    def cell(self) -> tuple[str | None, str | None] | None:
        """Its row and column in the confusion matrix; ``None`` if it does not count."""
        if self.letter == UNCOUNTED:
            return None
        sides = (self.reference, self.hypothesis)
        own, other = (None if row is None else row.label for row in sides)
        return own, other


def cases(document: Audit) -> list[SlotCase]:
    """The cases of a document: a case for each reference element, then the insertions."""
    hypotheses = document.hypotheses
    answered = [
        SlotCase(row, None if row.partner is None else hypotheses[row.partner])
        for row in document.references
    ]
    return answered + [SlotCase(None, row) for row in hypotheses if row.slot is Slot.INSERTION]


def counted_as(row: AuditRow) -> str:
    """The outcome of an element in each figure of a scheme."""
    return ", ".join(f"{name} {count}" for name, count in row.figures.items())


@dataclass(frozen=True, slots=True, repr=False)
class Audits(Paged, Reported):
    """The audits of all documents of a score.

    Args:
        score: the score.
        documents: the audit of each document, in the order of the documents.

    >>> from sereval import audit
    >>> found = audit([["B-PER"], ["O"]], [["B-LOC"], ["O"]])
    >>> found.score.ser, len(found.documents), len(found.rows)
    (0.5, 2, 2)
    """

    score: AnyScore
    documents: tuple[Audit, ...]

    def __iter__(self) -> Iterator[Audit]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """The rows of all documents."""
        return tuple(row for document in self.documents for row in document.rows)

    def report(self) -> Report:
        """A row for each element of either side, with its outcome."""
        from .audit_report import report_of  # which needs this class

        return report_of(self.documents, self.score)

    def to_json(self) -> str:
        """The JSON lines that the command writes."""
        return "".join(self.report().jsonl())

    def plot(self) -> Any:
        """The errors of each label by class as a figure of ``matplotlib``.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        rows: dict[str, list[Fraction]] = {}
        for row in self.rows:
            costs = rows.setdefault(row.label, [Fraction(0)] * len(ERRORS))
            for at, slots in enumerate(ERRORS.values()):
                costs[at] += row.cost if row.slot in slots else 0
        return bars("Cost of the errors", [*ERRORS], rows)


@dataclass(frozen=True, slots=True)
class _Slot:
    """The outcome of an element; ``partner`` is an index among the elements compared."""

    slot: Slot | None
    partner: int | None
    cost: Fraction
    size: int | Fraction
    figures: Table[str, str] = field(default_factory=dict)


NOTHING = _Slot(None, None, Fraction(0), 0)
"""The outcome of an unplaceable element that does not count."""


def audit(score: AnyScore) -> Iterator[Audit]:
    """The rows of each document of a score, in the order of the documents."""
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
            view.annotated,
            view.words,
        )


def _views(evaluation: Evaluation) -> Iterator[_View]:
    """The views of the documents of an evaluation."""
    settings = evaluation.settings
    for document in evaluation.mapped:
        view = _View(document, settings, document.mapping.placement)
        sides = document.reference, document.hypothesis
        for o in outcomes(*sides, document.mapping, settings.neutral):
            size = 0 if o.slot is Slot.INSERTION else 1
            view.add(o.slot, o.reference, o.hypothesis, (o.cost(settings.costs), size))
        yield view


def _views_of_scheme(score: SchemeScore) -> Iterator[_View]:
    """The views of the documents of another scheme, in the mapping of the chosen figure."""
    figure = score.rate.figure
    for account in score.accounts:
        view = _View(account, score.words, account.placement.get(figure, ()))
        names = _names(account)
        for verdict in account.verdicts:
            if figure in verdict.figures:
                errors = figure_errors(verdict.figures, figure)
                sums = errors.total, errors.size
                view.add(verdict.slot, verdict.reference, verdict.hypothesis, sums, *names)
        yield view


_Names = Table[int | None, Table[str, str]]
"""The outcome of each element by figure. The key ``None`` is for missed unplaceable elements."""

NO_NAMES: _Names = {}
"""The outcomes in an evaluation, which has one figure."""


def _names(account: Account) -> tuple[_Names, _Names]:
    """The outcomes of the elements of either side, each figure in its own mapping."""
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


def _row_order(row: AuditRow) -> tuple[bool, int]:
    return row.side == HYPOTHESIS, row.index


class _View:
    """One scored document, from which rows are made.

    Args:
        document: the annotated reference, and both sides as they were compared.
        words: the settings of the alignment between the words of the two sides.
        placement: the chosen frontiers of each reference element; empty where a scheme chooses
            none.
    """

    def __init__(
        self,
        document: Mapped | Account,
        words: Settings,
        placement: Sequence[tuple[int, int]],
    ) -> None:
        self.annotated, self.words, self.placement = document.annotated, words, placement
        self.reference, self.hypothesis = document.reference, document.hypothesis
        self.of_reference: dict[int, _Slot] = {}
        self.of_hypothesis: dict[int, _Slot] = {}
        self.missed: list[_Slot] = []  # of the unplaceable elements that count, in their order
        annotated = document.annotated
        self.source = None
        if words.is_projected and isinstance(annotated, Document):
            self.source = annotated  # projected onto the hypothesis's words
        self.own_words = self.source or Document(
            self.reference.id, self.reference.words, times=self.reference.times
        )
        self.index = [_source(element, r) for r, element in enumerate(self.reference.elements)]
        if self.source is None:  # by index as annotated
            levels = depths([element.parent for element in self.reference.elements])
            self.depths = dict(zip(self.index, levels, strict=True))
        else:
            self.depths = dict(enumerate(depths([e.parent for e in self.source.elements])))

    def add(
        self,
        slot: Slot | None,
        reference: int | None,
        hypothesis: int | None,
        sums: tuple[Fraction, int | Fraction],
        of_reference: _Names = NO_NAMES,
        of_hypothesis: _Names = NO_NAMES,
    ) -> None:
        """Add a slot."""
        names = of_reference.get(reference, {})
        if reference is not None:
            self.of_reference[reference] = _Slot(slot, hypothesis, *sums, names)
        elif hypothesis is None:
            self.missed.append(_Slot(slot, None, *sums, names))
        if hypothesis is not None:
            own = sums if reference is None else (Fraction(0), 0)
            names = of_hypothesis.get(hypothesis, {})
            self.of_hypothesis[hypothesis] = _Slot(slot, reference, *own, names)

    def references(self) -> Iterator[AuditRow]:
        mentions = isinstance(self.annotated, Document) and self.annotated.mentions or ()
        for k, mention in enumerate(mentions, len(self.reference.elements)):
            if k in self.of_reference:  # the scheme compares mentions
                yield self._mention(REFERENCE, mention, k, self.of_reference[k])
        placement = self.placement
        for r, element in enumerate(self.reference.elements):
            yield self._row(
                element if placement else replace(element, starts=(), ends=(), strict=None),
                self.index[r],
                self.of_reference[r],
                placement=placement[r] if placement else None,
            )
        known = [*self.index, *(_source(lost.element, -1) for lost in self.reference.unplaceable)]
        unknown = 1 + max(known, default=-1)  # an unplaceable element of a file has no index
        missed = iter(self.missed)
        for number, lost in enumerate(self.reference.unplaceable):
            why, blocker = self._fate(lost)
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
    ) -> AuditRow:
        parent = None if element.parent is None else self.index[element.parent]
        span = placement
        if self.source is not None:
            own = self.source.elements[index]
            parent, span = own.parent, (own.start, own.end)
        return AuditRow(
            **self._common_fields(REFERENCE, index, its, span),
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

    def _common_fields(
        self, side: str, index: int, its: _Slot, span: tuple[int, int] | None
    ) -> dict[str, Any]:
        """The fields that are made alike for rows of both sides."""
        words, partner = self.own_words, its.partner
        if side == HYPOTHESIS:
            words = self.hypothesis
            if partner is not None and partner < len(self.index):  # others are mentions
                partner = self.index[partner]
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
        """The depth of an element without an index, under a placed parent."""
        return 1 if parent is None else 1 + self.depths[self.index[parent]]

    def hypotheses(self) -> Iterator[AuditRow]:
        hypothesis, slots = self.hypothesis, self.of_hypothesis
        levels = depths([element.parent for element in hypothesis.elements])
        for h, element in enumerate(hypothesis.elements):
            span = element.start, element.end
            yield AuditRow(
                **self._common_fields(HYPOTHESIS, h, slots[h], span),
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
            yield self._mention(HYPOTHESIS, mention, k, slots[k])

    def _mention(self, side: str, mention: Mention, index: int, its: _Slot) -> AuditRow:
        """The row of a mention, which has no place."""
        return AuditRow(
            **self._common_fields(side, index, its, None),
            labels=(mention.label,),
            words=tuple(mention.text.split()),
            why="not found in the words",
        )

    def _fate(self, lost: Unplaceable) -> tuple[str, int | None]:
        """Why an element is unplaceable, its fate, and the index of the element on its words."""
        reason, blocker = self._reason(lost)
        if lost.fate == "merged" and lost.into is not None:
            return f"{reason}; merged into {self._name(self.index[lost.into])}", blocker
        fates = {"dropped": "dropped", "missed": "counted as a deletion"}
        return f"{reason}; {fates[lost.fate]}", blocker

    def _reason(self, lost: Unplaceable) -> tuple[str, int | None]:
        if lost.blocker is not None:
            return f"its words are taken by {self._name(lost.blocker)}", lost.blocker
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
        named = self._name(taker)
        return f"“{words}” {is_or_are} in its time, but taken by {named}", taker

    def _words_during(self, element: ReferenceElement) -> list[int] | None:
        """The hypothesis's words that share time with an element; ``None`` without times."""
        times = self.hypothesis.times
        if self.source is None or times is None or element.source is None:
            return None
        own = self.source.elements[element.source]
        spoken = _time(self.source, (own.start, own.end))
        if spoken is None:
            return None
        start, end = spoken
        starts, ends = self._starts_and_ends
        near = range(bisect_right(ends, start), bisect_left(starts, end))
        return [k for k in near if max(times[k][0], start) < min(times[k][1], end)]

    @cached_property
    def _starts_and_ends(self) -> tuple[list[int], list[int]]:
        """The start of each word of the hypothesis, and the latest end of it and those before."""
        times = self.hypothesis.times or ()
        return [start for start, _ in times], [*accumulate((end for _, end in times), max)]

    def _taker(self, element: ReferenceElement, words: Sequence[int]) -> int | None:
        """The innermost placed element on these words that is no ancestor, or ``None``."""
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

    def _name(self, index: int) -> str:
        if self.source is None:
            return f"element {index}"
        element = self.source.elements[index]
        words = " ".join(self.source.words[element.start : element.end])
        return f"{element.label} “{words}”"


def _source(element: ReferenceElement, default: int) -> int:
    return default if element.source is None else element.source


def _time(document: Document, span: tuple[int, int] | None) -> Time | None:
    if document.times is None or span is None:
        return None
    return document.times[span[0]][0], document.times[span[1] - 1][1]
