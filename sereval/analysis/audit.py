"""Audit: the reasons of a score, in one row for each element of either side, and its report.

A row holds an element, its candidates, its placement, its partner and its cost. All reports of
single elements (text, tables, TextGrids, pages) are made from these rows.

In the text, errors that touch each other stand in one block: a picture, and under it a line for
every slot. In the picture the annotated words stand above the scored words; words that were spoken
at the same time share a column. The reference's tree stands above the words, the hypothesis's tree
below. Under it stand the candidates of each reference element that is listed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count, zip_longest
from typing import Any, NamedTuple, TypeAlias

from ..alignment.normalise import EXACT, equal_by
from ..documents.model import (
    Document,
    Mention,
    Reference,
    ReferenceElement,
    Span,
    Time,
    Unplaceable,
    depths,
)
from ..documents.words import sharing
from ..errors import SerevalError, one_line
from ..evaluation.evaluate import Evaluation, Mapped
from ..evaluation.report import WORDS, neutral_notes, word_rows, words_lines
from ..evaluation.settings import Settings
from ..formats.answers import LEFT, UNREADABLE
from ..mapping.best import Outcome, outcomes
from ..measures import CLASSES, Slot, decimal
from ..render.picture import (
    LEGEND,
    NARROWEST,
    Bracket,
    Column,
    heights,
    pieces,
    range_of,
    shorten,
)
from ..render.report import (
    LONGEST,
    Line,
    Look,
    Paged,
    Report,
    Reported,
    clip,
    counted,
    filled,
    located,
    paragraph,
    percent,
    row,
    rows,
    size,
    styled,
    wrapped,
)
from ..schemes.result import Account, SchemeScore, Verdict, figure_errors

AnyScore: TypeAlias = Evaluation | SchemeScore
"""A score that can be audited. It keeps the outcome of each element."""

REFERENCE, HYPOTHESIS = "reference", "hypothesis"

UNPLACEABLE = "unplaceable"
ROW_CLASSES = (*(slot.value for slot in Slot), UNPLACEABLE)

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


class SlotCase(NamedTuple):
    """A slot with its one or two rows, or an unplaceable element that does not count."""

    reference: AuditRow | None  # None: an insertion
    hypothesis: AuditRow | None  # None: a deletion

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
    def letter(self) -> str:
        """The letter of its class."""
        return UNCOUNTED if self.row.slot is None else self.row.slot.value

    @property
    def cell(self) -> tuple[str | None, str | None] | None:
        """Its row and column in the confusion matrix; ``None`` if it does not count."""
        if self.row.slot is None:
            return None
        own, other = self.reference, self.hypothesis
        return None if own is None else own.label, None if other is None else other.label


@dataclass(frozen=True)
class Audit:
    """All rows of one document, with the words of both sides.

    Args:
        id: the id of the document.
        reference_words: the words on which the reference was annotated, with times if known.
        hypothesis_words: the hypothesis's words, on which the document was scored, with times if
            known.
        cases: the rows that belong together: a case for each element of the reference in document
            order, with the unplaceable ones, then the insertions.
        exact: the indices of the pairs that precision and recall count.
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
    cases: tuple[SlotCase, ...]
    exact: tuple[tuple[int, int], ...]
    annotated: Document | Reference
    words: Settings

    @property
    def references(self) -> tuple[AuditRow, ...]:
        """The rows of the reference, in document order, with the unplaceable ones."""
        return tuple(row for row in self.rows if row.side == REFERENCE)

    @property
    def hypotheses(self) -> tuple[AuditRow, ...]:
        """The rows of the hypothesis; the position of a row is its index."""
        return tuple(row for row in self.rows if row.side == HYPOTHESIS)

    @cached_property
    def rows(self) -> tuple[AuditRow, ...]:
        """The rows of the reference, then those of the hypothesis."""
        return tuple(row for row, _ in self.with_partners())

    def only(self, wanted: Wanted) -> Audit:
        """The same with some of the cases."""
        return replace(self, cases=tuple(filter(wanted, self.cases)))

    def with_partners(self) -> list[tuple[AuditRow, AuditRow | None]]:
        """Each row with the row of its partner, or ``None``."""
        ours = [(one.reference, one.hypothesis) for one in self.cases if one.reference]
        theirs = [(one.hypothesis, one.reference) for one in self.cases if one.hypothesis]
        return [*ours, *sorted(theirs, key=lambda pair: pair[0].index)]


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

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """The rows of all documents."""
        return tuple(row for document in self.documents for row in document.rows)

    def report(self) -> Report:
        """A row for each element of either side, with its outcome."""
        return report_of(self.documents, self.score)

    def to_json(self) -> str:
        """The JSON lines that the command writes."""
        return "".join(self.report().jsonl())


_Slot: TypeAlias = tuple[Outcome | Verdict, Fraction, int | Fraction]
"""A slot with its cost and its size, as ``AuditRow`` has them."""

_Its: TypeAlias = tuple[Slot | None, int | None, Fraction, int | Fraction]
"""The slot of a row, its partner, its cost and its size."""


def audit(score: AnyScore) -> Iterator[Audit]:
    """The rows of each document of a score, in the order of the documents."""
    figure = score.rate.figure
    if isinstance(score, SchemeScore) and score.documents and not score.mapped:
        raise SerevalError(f"a score of {score.name} without a figure, expected one chosen")
    words = score.words if isinstance(score, SchemeScore) else score.settings
    for one in score.mapped:
        exact: Sequence[Span] = ()
        if isinstance(one, Account):
            placement, slots = one.placement.get(figure, ()), _verdicts(one, figure)
        else:
            placement, slots, exact = one.mapping.placement, _outcomes(one, words), one.exact
        view = _View(one, words, placement)
        cases = sorted(view.cases(slots), key=lambda case: (case.reference is None, case.row.index))
        yield Audit(
            *(view.hypothesis.id, view.ours.words, view.hypothesis, tuple(cases)),
            *(tuple((view.ours.index[r], h) for r, h in exact), view.annotated, words),
        )


def _outcomes(document: Mapped, settings: Settings) -> Iterator[_Slot]:
    """The slots of a document of an evaluation."""
    sides = document.reference, document.hypothesis
    for one in outcomes(*sides, document.mapping, settings.neutral):
        scaled = 0 if one.is_neutral else settings.costs[one.slot]
        yield one, Fraction(scaled, settings.costs.scale), int(one.slot is not Slot.INSERTION)


def _verdicts(account: Account, figure: str) -> Iterator[_Slot]:
    """The slots of a document of another scheme, in the mapping of a figure."""
    for one in account.verdicts:
        if figure in one.figures:
            errors = figure_errors(one.figures, figure)
            yield one, errors.total, errors.size


class _Side:
    """One side of a document, whose elements and mentions become rows."""

    def __init__(
        self,
        name: str,  # "reference" or "hypothesis"
        compared: Reference,  # its elements on the hypothesis's words
        source: Document | None,  # has its elements as annotated; None: they were compared there
        mentions: Sequence[Mention],  # those without a place, which are numbered after its elements
        # the chosen frontiers of each element; empty: a scheme chooses none
        placement: Sequence[tuple[int, int]],
    ) -> None:
        self.name, self.compared, self.source = name, compared, source
        self.mentions, self.placement = mentions, placement
        self.words = source or Document(compared.id, compared.words, times=compared.times)
        self.index = [_source(element, r) for r, element in enumerate(compared.elements)]
        tree = source or compared
        levels = depths([element.parent for element in tree.elements])
        self.depths = dict(zip(self.index if source is None else count(), levels, strict=False))
        self.index += range(len(compared.elements), len(compared.elements) + len(mentions))
        # of each element the outcomes in another scheme, each in the mapping of its figure; of
        # those without a place
        self.figures = defaultdict[int | None, dict[str, str]](dict)

    def row(self, k: int, its: _Its) -> AuditRow:
        """The row of an element or, behind them, of a mention, which has no place."""
        elements, figures = self.compared.elements, self.figures[k]
        if k >= len(elements):
            lost = self.mentions[k - len(elements)]
            named = self.compared.id, self.name, k, (lost.label,), tuple(lost.text.split())
            why = "not found in the words"
            return AuditRow(*named, None, None, *its, why=why, figures=figures)
        element, placement = elements[k], None
        if self.placement:
            placement = self.placement[k]
        else:
            element = replace(element, starts=(), ends=(), strict=None)
        return self.element(element, self.index[k], placement, its, figures)

    def element(
        self,
        element: ReferenceElement,
        index: int,
        placement: tuple[int, int] | None,
        its: _Its,
        figures: Table[str, str],
        why: str | None = None,
        blocker: int | None = None,
        into: int | None = None,
    ) -> AuditRow:
        """The row of an element as compared, with its place and its parent as annotated."""
        parent = None if element.parent is None else self.index[element.parent]
        below = 0 if parent is None else self.depths[parent]  # of an element without an index
        span = placement
        if self.source is not None:
            own = self.source.elements[index]
            parent, span = own.parent, (own.start, own.end)
        times, time = self.words.times, None
        if times is not None and span is not None:
            time = times[span[0]][0], times[span[1] - 1][1]
        return AuditRow(
            self.compared.id,
            self.name,
            index,
            element.labels,
            () if span is None else self.words.words[slice(*span)],
            span,
            time,
            *its,
            parent=parent,
            depth=self.depths.get(index, 1 + below),
            starts=element.starts,
            ends=element.ends,
            strict=element.strict,
            placement=placement,
            why=why,
            blocker=blocker,
            into=into,
            figures=figures,
        )


class _View:
    """One scored document, from which rows are made."""

    def __init__(
        self,
        # has the annotated reference, and both sides as they were compared
        document: Mapped | Account,
        words: Settings,  # how the words of the two sides are aligned
        # the chosen frontiers of each reference element; empty: a scheme chooses none
        placement: Sequence[tuple[int, int]],
    ) -> None:
        self.hypothesis = document.hypothesis
        self.heard = sharing(self.hypothesis.times or ())
        self.annotated = annotated = document.annotated
        source = annotated if isinstance(annotated, Document) and words.is_projected else None
        mentions = annotated.mentions or ()
        self.ours = _Side(REFERENCE, document.reference, source, mentions, placement)
        exact, lost = Reference.exact(self.hypothesis), self.hypothesis.mentions or ()
        spans = [(one.start, one.end) for one in self.hypothesis.elements]
        self.theirs = _Side(HYPOTHESIS, exact, self.hypothesis, lost, spans)
        for one in document.verdicts if isinstance(document, Account) else ():
            single = {
                name: only.upper()
                for name, each in one.figures.items()
                if (only := each.only) is not None
            }
            self.theirs.figures[one.hypothesis].update(single)
            if one.slot is not Slot.INSERTION:
                self.ours.figures[one.reference].update(single)

    def cases(self, slots: Iterable[_Slot]) -> Iterator[SlotCase]:
        """The cases of all slots, and of the elements that do not count."""
        ours, unplaceable = self.ours, self.ours.compared.unplaceable
        known = [*ours.index, *(_source(one.element, -1) for one in unplaceable)]
        unknown = 1 + max(known, default=-1)  # an unplaceable element of a file has no index
        lost = list(enumerate(unplaceable, unknown))
        missed = (each for each in lost if each[1].fate == "missed")  # in the order of their slots
        for slot, cost, whole in slots:
            row = found = None
            if slot.reference is not None:
                row = ours.row(slot.reference, (slot.slot, slot.hypothesis, cost, whole))
                cost, whole = Fraction(0), 0  # a pair counts once
            elif slot.hypothesis is None:
                row = self._lost(*next(missed), (slot.slot, None, cost, whole))
            if slot.hypothesis is not None:
                its = slot.slot, None if row is None else row.index, cost, whole
                found = self.theirs.row(slot.hypothesis, its)
            yield SlotCase(row, found)
        for number, element in lost:
            if element.fate != "missed":
                yield SlotCase(self._lost(number, element, (None, None, Fraction(0), 0)), None)

    def _lost(self, number: int, lost: Unplaceable, its: _Its) -> AuditRow:
        """An unplaceable element, and why it has no place; its number if it has no index."""
        reason, blocker = self._reason(lost)
        into = None if lost.into is None else self.ours.index[lost.into]
        fates = {"dropped": "dropped", "missed": "counted as a deletion"}
        fate = fates[lost.fate] if into is None else f"merged into {self._name(into)}"
        element, why = lost.element, f"{reason}; {fate}"
        named = element, _source(element, number), None
        return self.ours.element(*named, its, self.ours.figures[None], why, blocker, into)

    def _reason(self, lost: Unplaceable) -> tuple[str, int | None]:
        if lost.blocker is not None:
            return f"its words are taken by {self._name(lost.blocker)}", lost.blocker
        during = self._words_during(lost.element)
        if during is None:
            return "no word for it", None
        if not during:
            return "no word in its time", None
        words = " ".join(self.hypothesis.words[k] for k in during)
        where = f"“{words}” {'is' if len(during) == 1 else 'are'} in its time, but"
        taker = self._taker(lost.element, during)
        if taker is None:
            return f"{where} not where it could be", None
        return f"{where} taken by {self._name(taker)}", taker

    def _words_during(self, element: ReferenceElement) -> list[int] | None:
        """The hypothesis's words that share time with an element; ``None`` without times."""
        source, index = self.ours.source, element.source
        times = self.hypothesis.times
        if source is None or source.times is None or times is None or index is None:
            return None
        own = source.elements[index]
        (start, _), (_, end) = source.times[own.start], source.times[own.end - 1]
        return [k for k, _ in self.heard((start, end))]

    def _taker(self, element: ReferenceElement, words: Sequence[int]) -> int | None:
        """The innermost placed element on these words that is no ancestor, or ``None``."""
        ours, around = self.ours, set()
        above = element.parent
        while above is not None:
            around.add(above)
            above = ours.compared.elements[above].parent
        over = [
            ours.index[r]
            for r, (start, end) in enumerate(ours.placement)
            if start <= words[-1] and words[0] < end  # most are elsewhere
            if r not in around and any(start <= k < end for k in words)
        ]
        return max(over, key=lambda index: ours.depths.get(index, 0), default=None)

    def _name(self, index: int) -> str:
        source = self.ours.source
        if source is None:
            return f"element {index}"
        element = source.elements[index]
        return f"{element.label} “{' '.join(source.words[element.start : element.end])}”"


def _source(element: ReferenceElement, default: int) -> int:
    return default if element.source is None else element.source


# The report

FORMS = {
    "elements": rows(
        *("document text", "side text", "index integer", "parent integer", "depth integer"),
        *("label text", "labels texts", "words texts", "start integer", "end integer"),
        *("start_time number s", "end_time number s", "class text", "partner integer"),
        *("partner_label text", "cost", "starts integers", "ends integers"),
        *("strict_start integer", "strict_end integer"),
        *("placed_start integer", "placed_end integer"),
        *("why text", "blocker integer", "into integer", "figures texts"),
    ),
    **WORDS,
    "case_notes": rows("kind text", "count integer"),
    "without": row("cases integer", "errors", "size", "value", "signature text"),
}
"""The tables of an audit; starts and ends are frontiers. The costs of all elements add up to the
total cost; figures are the outcomes of an element in the figures of another scheme."""

Wanted = Callable[[SlotCase], bool]
"""A predicate that selects cases."""

STYLES = {
    Slot.CORRECT: "green",
    Slot.SPAN: "yellow",
    Slot.TYPE: "dark_orange",
    Slot.SPAN_AND_TYPE: "orange_red1",
    Slot.DELETION: "bold red",
    Slot.INSERTION: "dodger_blue1",
    None: "bright_black",
}
"""The colour of each class; ``None``: an unplaceable element that does not count."""

CONTEXT = 3  # columns of words shown on either side of a block and of a gap in it
GUTTER = 8  # cells to the left of the words of a picture
RANGE = "range"


def report_of(
    audits: Iterable[Audit],
    score: AnyScore,
    wanted: Wanted = lambda _: True,
    in_text: Wanted = lambda case: case.row.is_error,
) -> Report:
    """The report of some documents of a score, which are read once."""
    pairs = (pair for one in audits for pair in one.only(wanted).with_partners())
    tables = filled(FORMS, elements=(_row(*pair) for pair in pairs), **word_rows(score.word_errors))
    notes = [] if isinstance(score, SchemeScore) else neutral_notes(score)
    notes += map(one_line, score.notes)

    def text(look: Look) -> Iterator[str]:
        for line in _text(audits, score, in_text, notes, max(look.width, NARROWEST)):
            yield line.render(look.colour)

    return Report("audit", tables, text, score.signature, notes)


def _row(row: AuditRow, partner: AuditRow | None) -> list[Any]:
    """An element under the columns of ``elements``; times are in seconds."""
    return [
        *(row.document, row.side, row.index, row.parent, row.depth),
        *(row.label, row.labels, row.words, *place_of(row.span, row.time)),
        *(row.slot and row.slot.value, row.partner, partner and partner.label, row.cost),
        *(row.starts, row.ends, *(row.strict or (None, None)), *(row.placement or (None, None))),
        *(row.why, row.blocker, row.into),
        [f"{name}={count}" for name, count in row.figures.items()],
    ]


def place_of(span: tuple[int, int] | None, time: Time | None) -> tuple[Any, ...]:
    """The frontiers of an element, and its times in seconds."""
    times = (None if ms is None else Fraction(ms, 1000) for ms in time or (None, None))
    return (*(span or (None, None)), *times)


# The text


def _text(
    audits: Iterable[Audit], score: AnyScore, wanted: Wanted, notes: Sequence[str], width: int
) -> Iterator[Line]:
    """The documents, then what was not read, the legend, and the score with the notes."""
    *heads, (_, total) = _heads(score)
    head = dict(heads)
    unread: list[Line] = []
    has_ranges = False
    for audit in audits:
        page = _Page(audit, wanted, width)
        lines = list(_blocks(page))
        if lines and len(head) > 1:
            lines = [*paragraph(head[audit.id], width, "bold"), Line(), *lines]
        has_ranges = has_ranges or page.has_ranges
        yield from lines
        for note in audit.hypothesis_words.notes:  # of the answer of a language model
            for place in note.places if note.what in (LEFT, UNREADABLE) else ():
                unread += paragraph(f"{audit.id}: not read: {place}", width)
    yield from [*unread, Line()] if unread else []
    if has_ranges:
        yield from (*(styled(text, "dim") for text in wrapped(f"{RANGE}: {LEGEND}", width)), Line())
    yield from paragraph(total, width, "bold")
    ending = (*words_lines(score.word_errors), *map(one_line, notes), str(score.signature))
    yield from map(styled, ending)


def _heads(score: AnyScore) -> Iterator[tuple[str, str]]:
    """The heading of each document after its id, then that of all documents."""
    rate, lost = (
        score.rate,
        {one.reference.id: len(one.reference.unplaceable) for one in score.mapped},
    )
    slots = {id: sum(of.values(), Counter[Slot]()) for id, of in score.classes()}
    every = [(id, errors, slots[id], lost[id]) for id, errors in score.each_document()]
    of_all = sum(slots.values(), Counter[Slot]()), sum(lost.values())
    for name, errors, own, number in (*every, ("all documents", score.errors, *of_all)):
        counts = ", ".join(f"{own[slot]} {slot.value}" for slot in Slot)
        yield (
            name,
            f"{one_line(name)}: {rate.short} {percent(rate.of(errors))} % "
            f"({rate.errors_are} {decimal(errors.total)} for {decimal(Fraction(errors.size))} "
            f"{rate.size_is}: {counts}{f'; {number} {UNPLACEABLE}' if number else ''})",
        )


class _Page:
    """A document of the text: its rows, and the columns of its words."""

    def __init__(self, audit: Audit, wanted: Wanted, width: int) -> None:
        self.audit, self.wanted, self.width = audit, wanted, width
        self.rows = {(row.side, row.index): row for row in audit.rows}
        self.says_where = audit.words.is_projected or any(
            len(row.starts) != 1 or len(row.ends) != 1 for row in audit.references
        )
        self.has_ranges = False  # in what was drawn so far
        self.columns = columns_of(audit)
        self.own, self.scored = (
            [at for at, pair in enumerate(self.columns) if pair[side] is not None]
            for side in (0, 1)
        )

    def own_span(self, row: AuditRow) -> tuple[int, int] | None:
        """The columns of an element's own words: the first, and the one after the last."""
        return _reach(row.span, self.own if row.side == REFERENCE else self.scored)

    def reach(self, row: AuditRow) -> tuple[int, int] | None:
        """The columns of an element's words and of its placement."""
        return _hull([self.own_span(row), _reach(row.placement, self.scored)])

    def full_reach(self, row: AuditRow) -> tuple[int, int] | None:
        """The same with those of all candidates."""
        starts = (row.starts[0], row.starts[-1] + 1) if row.starts else None
        ends = (row.ends[0] - 1, row.ends[-1]) if row.ends else None
        return _hull([self.reach(row), *(_reach(one, self.scored) for one in (starts, ends))])

    def order(self, case: SlotCase) -> tuple[int, ...]:
        """The order of cases: by place, outer elements first."""
        row = case.row
        first, after = self.own_span(row) or self.full_reach(row) or (0, 0)
        return first, -after, row.depth, case.reference is None, row.index

    def block(self, case: SlotCase) -> tuple[int, int]:
        """The columns of a case and of what is on its words: parents, blockers, what took it in."""
        linked = [
            self.rows[row.side, index]
            for row in case.rows
            for index in (row.parent, row.blocker, row.into)
            if index is not None
        ]
        # a case without a place has candidates
        span = _hull(map(self.reach, (*case.rows, *linked)))
        return span or _hull(map(self.full_reach, case.rows)) or (0, 0)


def _reach(span: tuple[int, int] | None, column: Sequence[int]) -> tuple[int, int] | None:
    """The columns of a span of words: the first, and the one after the last."""
    if span is None or span[0] >= span[1]:
        return None
    return column[span[0]], column[span[1] - 1] + 1


def _hull(spans: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    """The least start and the greatest end of some spans; ``None`` if there is no span."""
    found = [span for span in spans if span is not None]
    return (min(found)[0], max(end for _, end in found)) if found else None


def _letter(row: AuditRow) -> str:
    return UNPLACEABLE if row.slot is None else row.slot.value


def _blocks(page: _Page) -> Iterator[Line]:
    """The lines of each block that has a selected case, in order of place."""
    blocks: list[tuple[int, int, list[SlotCase]]] = []
    for (first, after), case in sorted(
        ((page.block(case), case) for case in page.audit.cases), key=lambda each: each[0]
    ):
        if blocks and first < blocks[-1][1]:
            start, end, own = blocks.pop()
            blocks.append((start, max(end, after), [*own, case]))
        else:
            blocks.append((first, after, [case]))
    for first, after, own in blocks:
        listed = sorted(filter(page.wanted, own), key=page.order)
        if listed:
            yield from _title(page, listed)
            yield from _picture(page, range(first, after), own, listed)
            yield from _list(page, listed)
            yield Line()


def _title(page: _Page, listed: Sequence[SlotCase]) -> list[Line]:
    """The heading of a block: the document, the place, the listed classes and their cost."""
    every = [row for case in listed for row in case.rows]
    where = located(_hull(row.time for row in every), _hull(row.span for row in every))
    letters = "  ".join(_letter(case.row) for case in listed)
    cost = decimal(sum((case.row.cost for case in listed), Fraction(0)))
    text = f"{clip(page.audit.id, page.width // 3)}  {where}  {letters}  cost {cost}"
    return paragraph(text, page.width, "bold")


# Pictures


def _picture(
    page: _Page, block: range, own: Sequence[SlotCase], listed: Sequence[SlotCase]
) -> Iterator[Line]:
    """The words of a block, with both trees and the ranges of the listed elements."""
    brackets: dict[str, list[Bracket]] = {REFERENCE: [], HYPOTHESIS: []}
    for side, drawn in brackets.items():
        every = [one for case in own for one in case.rows if one.side == side]
        height = heights({one.index: one.parent for one in every})
        for one in every:
            if (span := page.own_span(one)) is not None:
                drawn.append(Bracket(*span, _name(one), STYLES[one.slot], height[one.index]))
    above, below = brackets.values()
    references = [case.reference for case in listed if case.reference is not None]
    ranged = [row for row in references if row.placement and page.says_where]
    ranges = [
        range_of(_name(row), STYLES[row.slot], (row.starts, row.ends), row.placement, page.scored)
        for row in ranged
        if row.placement
    ]
    reaches = [page.full_reach(row) for row in references]
    first, after = _hull([(block.start, block.stop), *reaches]) or (0, 0)
    edges = [bracket[:2] for bracket in (*above, *below)]
    edges += filter(None, map(page.full_reach, ranged))
    ends = [end for start, after in edges for end in (start, after - 1)]
    near = {at + by for at in ends for by in range(-CONTEXT, CONTEXT + 1)}
    shown = range(max(first - CONTEXT, 0), min(after + CONTEXT, len(page.columns)))
    columns = [
        Column(at, _words(page, at), "" if at in block else "dim")
        for at in shorten(shown, lambda at: at not in near and first <= at < after, CONTEXT)
    ]
    page.has_ranges |= bool(ranged)
    for number, piece in enumerate(pieces(columns, GUTTER, page.width, above, below, ranges)):
        if number:
            yield Line()
        if page.audit.words.is_projected:
            top, bottom = piece.words
        else:
            top, bottom = [*piece.above, *piece.words][0], [*piece.words, *piece.below][-1]
        top.put(2, "ref")
        if top is not bottom:
            bottom.put(2, "hyp")
        for line in piece.ranges:
            line.put(2, RANGE)
        yield from (*piece.above, *piece.words, *piece.below, *piece.ranges)


def _name(row: AuditRow) -> str:
    return f"{clip(row.label)} {_letter(row)}"


def _words(page: _Page, at: int) -> list[str]:
    """The words of a column, once if both sides have the same words."""
    sides = [page.audit.reference_words, page.audit.hypothesis_words]
    ends = page.columns[at] if at >= 0 else (None, None)
    gap = "" if at >= 0 else "…"
    texts = [gap if k is None else clip(one.words[k]) for one, k in zip(sides, ends, strict=True)]
    return texts if page.audit.words.is_projected else texts[1:]


# Lists


def _list(page: _Page, listed: Sequence[SlotCase]) -> Iterator[Line]:
    """A line for each slot: class, cost, labels, words and notes."""
    labels = [" → ".join("|".join(map(clip, row.labels)) for row in case.rows) for case in listed]
    letters = max(size(_letter(case.row)) for case in listed)
    costs = max(size(decimal(case.row.cost)) for case in listed)
    indent = 6 + letters + costs
    label_size = min(max(map(size, labels)), page.width // 2)
    for case, label in zip(listed, labels, strict=True):
        line = Line()
        line.put(2, _letter(case.row), STYLES[case.row.slot])
        line.put(4 + letters, decimal(case.row.cost))
        *above, label = wrapped(label, page.width - indent, "  ")
        for text in above:
            line.put(indent, text)
            yield line
            line = Line()
        line.put(indent, label)
        at = max(len(line), indent + label_size) + 2
        if at + LONGEST > page.width:
            yield line
            line, at = Line(), indent + 2
        quoted = dict.fromkeys(_quote(row.words) for row in case.rows)  # once, if they are the same
        words, *more = wrapped(" → ".join(quoted), page.width - at)
        line.put(at, words)
        notes = list(_notes(page, case))
        if notes and not more and len(line) + 2 + size(notes[0]) <= page.width:
            line.put(len(line) + 2, notes.pop(0))
        yield line
        for note in notes:
            more += wrapped(note, page.width - indent - 2, "  ")
        yield from (styled(text, at=indent + 2) for text in more)


def _quote(words: Sequence[str]) -> str:
    clipped = [clip(word) for word in words]
    if len(clipped) > 12:
        clipped = [*clipped[:6], "…", *clipped[-5:]]
    return f"“{' '.join(clipped)}”" if clipped else ""


def _notes(page: _Page, case: SlotCase) -> Iterator[str]:
    """The outcomes in other schemes, the shift, why there is no place."""
    row, found = case
    if row is None:
        if case.row.why is not None:
            yield case.row.why
        return
    if row.figures:
        yield counted_as(row)
    if found is not None:
        settings = page.audit.words
        of_words = (settings.through or settings).normalise
        form = settings.texts if settings.texts != EXACT else of_words
        forms = [" ".join(form.forms(one.words).texts) for one in (row, found)]
        texts = (" ".join(one.words) for one in (row, found))
        if forms[0] == forms[1] and (rules := equal_by(form.name, *texts)):
            yield f"equal by {', '.join(rules)}"
    is_shifted = row.slot in (Slot.SPAN, Slot.SPAN_AND_TYPE)
    if is_shifted and found is not None and found.span and row.placement:
        parts = (
            f"{what} {counted(abs(put - at), 'word')} {'early' if at < put else 'late'}"
            for what, put, at in zip(("starts", "ends"), row.placement, found.span, strict=True)
            if at != put
        )
        yield f"hypothesis {' and '.join(parts)}"
    if row.why is not None:
        yield row.why if row.slot is None else f"{UNPLACEABLE}: {row.why}"


# Words in columns, reference above hypothesis

WordColumn: TypeAlias = tuple[int | None, int | None]
"""The index of a word of each side, spoken at the same time; ``None``: no word of that side."""


def columns_of(audit: Audit) -> list[WordColumn]:
    """The words of an audited document in columns, by time or by the word alignment."""
    own, scored, words = audit.reference_words, audit.hypothesis_words, audit.words
    if not words.is_projected:
        return [(k, k) for k in range(len(own.words))]
    if words.through is None or own.times is not None and scored.times is not None:
        return by_time(own, scored)
    blocks = words.through.align_documents(own, scored).blocks  # word by word from their starts
    return [pair for block in blocks for pair in zip_longest(range(*block.ref), range(*block.hyp))]


def by_time(own: Document, scored: Document) -> list[WordColumn]:
    """The words of two timed documents in columns."""
    ours, theirs = own.times or (), scored.times or ()
    found: list[WordColumn] = []
    i = j = 0
    for r, h in [*_partners(ours, theirs), (len(ours), len(theirs))]:
        if i < r or j < h:
            alone = [(ours[k][0], False, k) for k in range(i, r)]
            alone += [(theirs[k][0], True, k) for k in range(j, h)]
            found += [(None, k) if is_theirs else (k, None) for _, is_theirs, k in sorted(alone)]
        found.append((r, h))
        i, j = r + 1, h + 1
    return found[:-1]


def _partners(ours: Sequence[Time], theirs: Sequence[Time]) -> list[tuple[int, int]]:
    """Pairs of words that share most time with each other, in increasing order on both sides."""
    best = [-1] * len(ours)  # for each word: the word of theirs with which it shares most time
    back = [-1] * len(theirs)  # the same for each word of theirs
    longest = [0] * len(theirs)  # the time that a word of theirs shares with that word
    for i, those in enumerate(map(sharing(theirs), ours)):
        most = 0
        for k, shared in those:
            if shared > most:
                most, best[i] = shared, k
            if shared > longest[k]:
                longest[k], back[k] = shared, i
    return [(i, k) for i, k in enumerate(best) if k >= 0 and back[k] == i]
