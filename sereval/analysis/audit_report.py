"""The report of an audit: a row for each element, and the errors as text.

Errors that touch each other stand in one block: a picture, and under it a line for every slot. In
the picture the annotated words stand above the scored words; words that were spoken at the same
time share a column. The reference's tree stands above the words, the hypothesis's tree below. Under
it stand the candidates of each reference element that is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Any, TypeAlias

from ..alignment.blocks import Block
from ..alignment.normalise import EXACT, equal_by
from ..documents.model import Document, Time
from ..errors import one_line
from ..evaluation.report import WORDS, neutral_notes, reading_notes, word_rows, words_lines
from ..formats.answers import LEFT, UNREADABLE
from ..measures.slots import Slot, decimal
from ..render.picture import (
    LEGEND,
    NARROWEST,
    Bracket,
    Column,
    Picture,
    Range,
    heights,
    pieces,
    range_of,
    shorten,
)
from ..render.report import Look, Report, filled, row, rows
from ..render.text import LONGEST, Line, clip, counted, located, percent, size, styled, wrapped
from ..schemes.result import SchemeScore
from .audit import (
    HYPOTHESIS,
    REFERENCE,
    UNPLACEABLE,
    Audit,
    AuditRow,
    SlotCase,
    cases,
    counted_as,
)
from .rates import AnyScore

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

Wanted = Callable[[AuditRow, AuditRow | None], bool]
"""A predicate that selects rows. It takes a row and its partner; both must get the same answer."""

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


def everything(_row: AuditRow, _partner: AuditRow | None) -> bool:
    """Select all rows."""
    return True


def is_error(row: AuditRow, _partner: AuditRow | None) -> bool:
    """Select the rows that are not correct: the default of the text report."""
    return row.is_error


def report_of(
    audits: Iterable[Audit],
    score: AnyScore,
    wanted: Wanted = everything,
    in_text: Wanted = is_error,
) -> Report:
    """The report of some documents of a score, which are read once."""
    pairs = (pair for one in audits for pair in one.with_partners() if wanted(*pair))
    tables = filled(FORMS, elements=(_row(*pair) for pair in pairs), **word_rows(score.word_errors))
    notes = [] if isinstance(score, SchemeScore) else neutral_notes(score)
    notes += reading_notes(score)

    def text(look: Look) -> Iterator[str]:
        for line in _text(audits, score, in_text, notes, max(look.width, NARROWEST)):
            yield line.render(look.colour)

    return Report("audit", tables, text, score.signature, notes)


def _row(row: AuditRow, partner: AuditRow | None) -> list[Any]:
    """An element under the columns of ``elements``; times are in seconds."""
    time = row.time or (None, None)
    return [
        *(row.document, row.side, row.index, row.parent, row.depth),
        *(row.label, row.labels, row.words, *(row.span or (None, None))),
        *(None if ms is None else Fraction(ms, 1000) for ms in time),
        *(row.slot and row.slot.value, row.partner, partner and partner.label, row.cost),
        *(row.starts, row.ends, *(row.strict or (None, None)), *(row.placement or (None, None))),
        *(row.why, row.blocker, row.into),
        [f"{name}={count}" for name, count in row.figures.items()],
    ]


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
        lines = list(_blocks(_Page(audit, wanted, width)))
        if lines and len(head) > 1:
            lines = [*_bold(head[audit.id], width), Line(), *lines]
        has_ranges = has_ranges or any(line.text.startswith(f"  {RANGE}") for line in lines)
        yield from lines
        unread += _unread(audit, width)
    yield from [*unread, Line()] if unread else []
    if has_ranges:
        legend = f"[word] strict frontier, word* chosen frontier; {RANGE}: {LEGEND}"
        yield from (*(styled(text, "dim") for text in wrapped(legend, width)), Line())
    yield from _bold(total, width)
    ending = (*words_lines(score.word_errors), *map(one_line, notes), str(score.signature))
    yield from map(styled, ending)


def _heads(score: AnyScore) -> Iterator[tuple[str, str]]:
    """The heading of each document after its id, then that of all documents."""
    rate, lost = score.rate, score.unplaceable
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


def _unread(audit: Audit, width: int) -> Iterator[Line]:
    """A line for each piece of the answer of a language model that was not read."""
    for note in audit.hypothesis_words.notes:
        for place in note.places if note.what in (LEFT, UNREADABLE) else ():
            text = one_line(f"{audit.id}: not read: {place}")
            yield from map(styled, wrapped(text, width, "  "))


def _bold(text: str, width: int) -> list[Line]:
    return [styled(part, "bold") for part in wrapped(text, width, "  ")]


class _Page:
    """A document of the text: its rows, and the columns of its words."""

    def __init__(self, audit: Audit, wanted: Wanted, width: int) -> None:
        self.audit, self.wanted, self.width = audit, wanted, width
        self.rows = {(row.side, row.index): row for row in audit.rows}
        self.says_where = audit.words.is_projected or any(
            len(row.starts) != 1 or len(row.ends) != 1 for row in audit.references
        )
        self.columns = columns_of(audit)
        self.own, self.scored = (
            [at for at, pair in enumerate(self.columns) if pair[side] is not None]
            for side in (0, 1)
        )

    def is_listed(self, case: SlotCase) -> bool:
        """Whether a case is selected."""
        return self.wanted(case.row, case.hypothesis if case.reference else None)

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
        ((page.block(case), case) for case in cases(page.audit)), key=lambda each: each[0]
    ):
        if blocks and first < blocks[-1][1]:
            start, end, own = blocks.pop()
            blocks.append((start, max(end, after), [*own, case]))
        else:
            blocks.append((first, after, [case]))
    for first, after, own in blocks:
        listed = sorted(filter(page.is_listed, own), key=lambda case: _order(page, case))
        if listed:
            yield _title(page, listed)
            yield from _picture(page, range(first, after), own, listed)
            yield from _list(page, listed)
            yield Line()


def _order(page: _Page, case: SlotCase) -> tuple[int, ...]:
    """The order of cases: by place, outer elements first."""
    row = case.row
    first, after = page.own_span(row) or page.full_reach(row) or (0, 0)
    return first, -after, row.depth, case.reference is None, row.index


def _title(page: _Page, listed: Sequence[SlotCase]) -> Line:
    """The heading of a block: the document, the place, the listed classes and their cost."""
    every = [row for case in listed for row in case.rows]
    where = located(_hull(row.time for row in every), _hull(row.span for row in every))
    line = styled(f"{clip(page.audit.id, page.width // 3)}  {where}", "bold")
    cost = f"cost {decimal(sum((case.row.cost for case in listed), Fraction(0)))}"
    for number, case in enumerate(listed, 1):
        letter = _letter(case.row)
        after = len(line) + 2 + size(letter) + 2 * (number < len(listed))
        if after + 2 + size(cost) > page.width:
            line.put(len(line) + 1, "…")
            break
        line.put(len(line) + 2, letter, STYLES[case.row.slot])
    line.put(len(line) + 2, cost)
    return line


# Pictures


def _picture(
    page: _Page, block: range, own: Sequence[SlotCase], listed: Sequence[SlotCase]
) -> Iterator[Line]:
    """The words of a block, with both trees and the ranges of the listed elements."""
    above, below = (_brackets(page, own, side) for side in (REFERENCE, HYPOTHESIS))
    references = [case.reference for case in listed if case.reference is not None]
    ranged = [row for row in references if row.placement and page.says_where]
    reaches = [page.full_reach(row) for row in references]
    first, after = _hull([(block.start, block.stop), *reaches]) or (0, 0)
    edges = [(bracket.first, bracket.after) for bracket in (*above, *below)]
    edges += filter(None, map(page.full_reach, ranged))
    ends = chain.from_iterable((start, end - 1) for start, end in edges)
    near = {at + by for at in ends for by in range(-CONTEXT, CONTEXT + 1)}
    shown = range(max(first - CONTEXT, 0), min(after + CONTEXT, len(page.columns)))
    columns = [
        Column(at, _words(page, at), "" if at in block else "dim")
        for at in shorten(shown, lambda at: at not in near and first <= at < after, CONTEXT)
    ]
    ranges = [_range(page, row) for row in ranged]
    for number, piece in enumerate(
        pieces(Picture(columns, above, below, ranges), GUTTER, page.width)
    ):
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


def _brackets(page: _Page, own: Sequence[SlotCase], side: str) -> list[Bracket]:
    every = [row for case in own for row in case.rows if row.side == side]
    height = heights({row.index: row.parent for row in every})
    return [
        Bracket(*span, _name(row), STYLES[row.slot], height[row.index])
        for row in every
        if (span := page.own_span(row)) is not None
    ]


def _name(row: AuditRow) -> str:
    return f"{clip(row.label)} {_letter(row)}"


def _range(page: _Page, row: AuditRow) -> Range:
    assert row.placement is not None
    places = row.starts, row.ends
    return range_of(_name(row), STYLES[row.slot], places, row.placement, page.scored)


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
    labels = [_labels(case) for case in listed]
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
        words, *more = wrapped(_quoted(case), page.width - at)
        line.put(at, words)
        notes = list(_notes(page, case))
        if notes and not more and len(line) + 2 + size(notes[0]) <= page.width:
            line.put(len(line) + 2, notes.pop(0))
        yield line
        for note in notes:
            more += wrapped(note, page.width - indent - 2, "  ")
        for text in more:
            line = Line()
            line.put(indent + 2, text)
            yield line


def _labels(case: SlotCase) -> str:
    sides = ["|".join(map(clip, row.labels)) for row in case.rows]
    return " → ".join(sides)


def _quoted(case: SlotCase) -> str:
    """The words of both sides; once, if they are the same."""
    return " → ".join(dict.fromkeys(_quote(row.words) for row in case.rows))


def _quote(words: Sequence[str]) -> str:
    clipped = [clip(word) for word in words]
    if len(clipped) > 12:
        clipped = [*clipped[:6], "…", *clipped[-5:]]
    return f"“{' '.join(clipped)}”" if clipped else ""


def _notes(page: _Page, case: SlotCase) -> Iterator[str]:
    """The outcomes in other schemes, the candidates, the shift, why there is no place."""
    row = case.reference
    if row is None:
        if case.row.why is not None:
            yield case.row.why
        return
    if row.figures:
        yield counted_as(row)
    if case.hypothesis is not None:
        yield from _equal_by(page, row, case.hypothesis)
    if page.says_where and row.is_error and (row.starts or row.ends or row.why):
        start, end = (_candidates(page, row, side) for side in (0, 1))
        yield f"may start at {start}; end after {end}"
    is_shifted = row.slot in (Slot.SPAN, Slot.SPAN_AND_TYPE) and row.placement is not None
    if case.hypothesis is not None and is_shifted:
        yield _shift(row, case.hypothesis)
    if row.why is not None:
        yield row.why if row.slot is None else f"{UNPLACEABLE}: {row.why}"


def _equal_by(page: _Page, row: AuditRow, hypothesis: AuditRow) -> Iterator[str]:
    """The rules by which the texts of both are equal as values."""
    settings = page.audit.words
    of_words = (settings.through or settings).normalise
    form = settings.texts if settings.texts != EXACT else of_words
    forms = [" ".join(form.forms(one.words).texts) for one in (row, hypothesis)]
    if forms[0] == forms[1]:
        rules = equal_by(form.name, " ".join(row.words), " ".join(hypothesis.words))
        yield from [f"equal by {', '.join(rules)}"] if rules else []


def _candidates(page: _Page, row: AuditRow, side: int) -> str:
    words = []
    for k in (row.starts, row.ends)[side]:
        word = clip(page.audit.hypothesis_words.words[k - side])
        word = f"[{word}]" if row.strict and row.strict[side] == k else word
        words.append(f"{word}*" if row.placement and row.placement[side] == k else word)
    return " | ".join(words) or "nowhere"


def _shift(row: AuditRow, hypothesis: AuditRow) -> str:
    """By how many words a hypothesis element misses the chosen placement."""
    assert row.placement is not None
    assert hypothesis.span is not None
    parts = []
    for what, put, found in zip(("starts", "ends"), row.placement, hypothesis.span, strict=True):
        by = abs(put - found)
        if by:
            parts.append(f"{what} {counted(by, 'word')} {'early' if found < put else 'late'}")
    return f"hypothesis {' and '.join(parts)}"


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
    return align_columns(words.through.align_documents(own, scored).blocks)


def align_columns(blocks: Iterable[Block]) -> list[WordColumn]:
    """The words of aligned blocks in columns: word by word from the start of each block."""
    return [pair for block in blocks for pair in zip_longest(range(*block.ref), range(*block.hyp))]


def by_time(own: Document, scored: Document) -> list[WordColumn]:
    """The words of two timed documents in columns."""
    ours, theirs = own.times or (), scored.times or ()
    found: list[WordColumn] = []
    i = j = 0
    for r, h in [*_partners(ours, theirs), (len(ours), len(theirs))]:
        if i < r and j < h:
            alone = [(ours[k][0], False, k) for k in range(i, r)]
            alone += [(theirs[k][0], True, k) for k in range(j, h)]
            found += [(None, k) if is_theirs else (k, None) for _, is_theirs, k in sorted(alone)]
        elif i < r:
            found += [(k, None) for k in range(i, r)]
        elif j < h:
            found += [(None, k) for k in range(j, h)]
        found.append((r, h))
        i, j = r + 1, h + 1
    return found[:-1]


def _partners(ours: Sequence[Time], theirs: Sequence[Time]) -> list[tuple[int, int]]:
    """Pairs of words that share most time with each other, in increasing order on both sides."""
    best = [-1] * len(ours)  # for each word: the word of theirs with which it shares most time
    back = [-1] * len(theirs)  # the same for each word of theirs
    longest = [0] * len(theirs)  # the time that a word of theirs shares with that word
    first = 0
    for i, (start, end) in enumerate(ours):
        while first < len(theirs) and theirs[first][1] <= start:
            first += 1
        most = 0
        for k in range(first, len(theirs)):
            begin, until = theirs[k]
            if begin >= end:
                break
            shared = (end if end < until else until) - (start if start > begin else begin)
            if shared > most:
                most, best[i] = shared, k
            if shared > longest[k]:
                longest[k], back[k] = shared, i
    return [(i, k) for i, k in enumerate(best) if k >= 0 and back[k] == i]
