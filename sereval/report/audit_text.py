"""The rows of an audit as text for the terminal.

Errors that touch each other stand in one block: a picture, and under it a line for every slot. In
the picture the annotated words stand above the scored words; words that were spoken at the same
time share a column. The reference's tree stands above the words, the hypothesis's tree below. Under
it stand the candidates of each reference element that is listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from ..analysis.audit import REFERENCE, Audit, AuditRow
from ..analysis.rates import AnyScore, classes, unplaceable
from ..errors import one_line
from ..evaluation.report import neutral_notes, reading_notes, words_lines
from ..formats.answers import LEFT, UNREADABLE
from ..measures.rates import Errors
from ..measures.slots import Slot, decimal
from ..render.cells import LONGEST, Line, clip, size, styled, wrapped
from ..render.numbers import counted, located, percent
from ..schemes.result import SchemeScore
from .brackets import (
    Bracket,
    CandidateRange,
    beside,
    draw_range,
    heights,
    lanes,
    pieces,
    place_columns,
    shorten,
    widen,
)
from .cases import UNPLACEABLE, SlotCase, candidates, counted_as
from .word_columns import columns_of

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
NARROWEST = 50
GUTTER = 8  # cells to the left of the words of a picture
RANGE = "range"
LEGEND = (
    "[word] strict frontier, word* chosen frontier; "
    "range: [ ] where it was put, < where else it may start, > where else it may end"
)


def is_error(row: AuditRow, _partner: AuditRow | None) -> bool:
    """Select the rows that are not correct: the default of the text report."""
    return row.is_error


def render(
    audits: Iterable[Audit],
    score: AnyScore,
    wanted: Wanted = is_error,
    *,
    width: int = 100,
    colour: str | None = None,
) -> Iterator[str]:
    """The selected elements by document and place, then the score of all documents and notes.

    Args:
        audits: the audits of the documents to show.
        score: the score that was audited, of all documents.
        wanted: selects the elements to list. The pictures show their neighbours too.
        width: the width of a line in cells of the terminal, at least 50.
        colour: a colour system by its name in `rich` (``standard``, ``256``, ``truecolor``);
            ``None``: plain text. Classes are always named too.

    Yields:
        The lines: the documents, then what was not read, the legend, and the score with the notes.
    """
    width = max(width, NARROWEST)
    heads = _Heads(score)
    unread: list[Line] = []
    has_ranges = False
    for audit in audits:
        lines = [
            line for block in _Page(audit, wanted, width).blocks() for line in (*block, Line())
        ]
        if lines and len(heads.of) > 1:
            lines = [*_bold(heads.document(audit.id), width), Line(), *lines]
        has_ranges = has_ranges or any(line.text.startswith(f"  {RANGE}") for line in lines)
        yield from _text(lines, colour)
        unread += map(styled, _unread(audit, width))
    yield from _text([*unread, Line()] if unread else [], colour)
    if has_ranges:
        yield from _text(
            [*(styled(text, "dim") for text in wrapped(LEGEND, width)), Line()], colour
        )
    yield from _text(_ending(heads, score, width), colour)


def _text(lines: Iterable[Line], colour: str | None) -> Iterator[str]:
    return (line.render(colour) for line in lines)


def _ending(heads: _Heads, score: AnyScore, width: int) -> list[Line]:
    """The score of all documents, the word errors, the notes and the signature."""
    notes = [] if isinstance(score, SchemeScore) else neutral_notes(score)
    return [
        *_bold(heads.all_documents(), width),
        *map(styled, words_lines(score.word_errors)),
        *(styled(one_line(note)) for note in [*notes, *reading_notes(score)]),
        styled(str(score.signature)),
    ]


def _unread(audit: Audit, width: int) -> Iterator[str]:
    """A line for each piece of the answer of a language model that was not read."""
    for note in audit.hypothesis_words.notes:
        if note.what in (LEFT, UNREADABLE):
            for place in note.places:
                yield from wrapped(one_line(f"{audit.id}: not read: {place}"), width, "  ")


def _bold(text: str, width: int) -> list[Line]:
    return [styled(part, "bold") for part in wrapped(text, width, "  ")]


class _Heads:
    """The headings: the name and the score of each document, and of all documents."""

    def __init__(self, score: AnyScore) -> None:
        self.measure, self.total = score.rate, score.errors
        self.of = dict(score.each_document())
        self.slots = {id: sum(of.values(), Counter()) for id, of in classes(score)}
        self.unplaceable = unplaceable(score)

    def document(self, id: str) -> str:
        """The heading of one document."""
        return self._head(id, self.of[id], self.slots[id], self.unplaceable[id])

    def all_documents(self) -> str:
        """The heading of all documents."""
        slots: Counter[Slot] = sum(self.slots.values(), Counter())
        return self._head("all documents", self.total, slots, sum(self.unplaceable.values()))

    def _head(self, name: str, errors: Errors, slots: Counter[Slot], number: int) -> str:
        rate = self.measure.of(errors)
        counts = ", ".join(f"{slots[slot]} {slot.value}" for slot in Slot)
        return (
            f"{one_line(name)}: {self.measure.short} "
            f"{percent(rate)} % "
            f"({self.measure.errors_are} {decimal(errors.total)} for "
            f"{decimal(Fraction(errors.size))} "
            f"{self.measure.size_is}: {counts}{f'; {number} {UNPLACEABLE}' if number else ''})"
        )


# --- blocks ---------------------------------------------------------------------------------------


@dataclass
class _Block:
    """Rows that touch each other, their first column, and the column after their last."""

    rows: list[AuditRow]
    first: int
    after: int


class _Page:
    """A document: its rows, and its words in columns."""

    def __init__(self, audit: Audit, wanted: Wanted, width: int) -> None:
        self.audit, self.width = audit, width
        self.own, self.scored = audit.reference_words, audit.hypothesis_words
        self.partner = {_key(row): other for row, other in audit.with_partners()}
        self.wanted = {_key(row) for row, other in audit.with_partners() if wanted(row, other)}
        self.same_words = not audit.words.is_projected
        self.says_where = not self.same_words or any(
            len(row.starts) != 1 or len(row.ends) != 1 for row in audit.references
        )
        self.columns = columns_of(audit)
        self.own_column = [at for at, (r, _) in enumerate(self.columns) if r is not None]
        self.scored_column = [at for at, (_, h) in enumerate(self.columns) if h is not None]

    def blocks(self) -> Iterator[list[Line]]:
        """The lines of each block that has a selected row, in order of place."""
        for block in self._gather():
            cases = self._cases(block.rows)
            if cases:
                yield [
                    *self._title(block, cases),
                    *_Picture(self, block, cases).lines(),
                    *_list(self, cases),
                ]

    def own_span(self, row: AuditRow) -> tuple[int, int] | None:
        """The columns of an element's own words: the first, and the one after the last."""
        column = self.own_column if row.side == REFERENCE else self.scored_column
        return None if row.span is None else _reach(row.span, column)

    def reach(self, row: AuditRow, *, with_range: bool = False) -> tuple[int, int] | None:
        """The columns of an element's words and of its placement: the first, one after the last.

        Args:
            row: the row of the element.
            with_range: whether to include all candidates.
        """
        spans = [self.own_span(row)]
        if row.placement is not None:
            spans.append(_reach(row.placement, self.scored_column))
        if with_range and row.starts:
            spans.append(_reach((row.starts[0], row.starts[-1] + 1), self.scored_column))
        if with_range and row.ends:
            spans.append(_reach((row.ends[0] - 1, row.ends[-1]), self.scored_column))
        return _hull(spans)

    def _gather(self) -> list[_Block]:
        """The blocks. A block joins trees, pairs, elements that block each other, and overlaps."""
        leader: dict[tuple[str, int], tuple[str, int]] = {_key(r): _key(r) for r in self.audit.rows}

        def head(key: tuple[str, int]) -> tuple[str, int]:
            while leader[key] != key:
                leader[key] = leader[leader[key]]
                key = leader[key]
            return key

        for row in self.audit.rows:
            for index in (row.parent, row.blocker, row.into):
                if index is not None:
                    leader[head(_key(row))] = head((row.side, index))
            other = self.partner[_key(row)]
            if other is not None:
                leader[head(_key(row))] = head(_key(other))
        groups: dict[tuple[str, int], list[AuditRow]] = {}
        for row in self.audit.rows:
            groups.setdefault(head(_key(row)), []).append(row)
        return _merge([self._block(rows) for rows in groups.values()])

    def _block(self, rows: list[AuditRow]) -> _Block:
        span = _hull(self.reach(row) for row in rows)
        if span is None:  # no element has a place: take the candidates
            span = _hull(self.reach(row, with_range=True) for row in rows)
        return _Block(rows, *(span or (0, 0)))

    def _cases(self, rows: Sequence[AuditRow]) -> list[SlotCase]:
        """The selected slots in order of place, outer elements first."""
        cases = []
        for row in rows:
            other = self.partner[_key(row)]
            if _key(row) not in self.wanted:
                continue
            if row.side == REFERENCE:
                cases.append(SlotCase(row, other))
            elif other is None:
                cases.append(SlotCase(None, row))

        def order(case: SlotCase) -> tuple[int, int, int, int]:
            first, after = self.reach(case.row, with_range=True) or (0, 0)
            own = self.own_span(case.row) or (first, after)
            return own[0], -own[1], case.row.depth, case.reference is None

        return sorted(cases, key=order) if len(cases) > 1 else cases

    def _title(self, block: _Block, cases: Sequence[SlotCase]) -> list[Line]:
        """The heading of a block: the document, the place, the listed classes and their cost."""
        rows = [row for case in cases for row in case.rows]
        where = located(_hull(row.time for row in rows), _hull(row.span for row in rows))
        line = Line()
        line.put(0, f"{clip(self.audit.id, self.width // 3)}  {where}", "bold")
        first, *others = (case.row.cost for case in cases)
        cost = f"cost {decimal(sum(others, first))}"
        for number, case in enumerate(cases, 1):
            after = len(line) + 2 + size(_letter(case.row)) + 2 * (number < len(cases))
            if after + 2 + size(cost) > self.width:
                line.put(len(line) + 1, "…")
                break
            line.put(len(line) + 2, _letter(case.row), STYLES[case.row.slot])
        line.put(len(line) + 2, cost)
        return [line]


def _key(row: AuditRow) -> tuple[str, int]:
    return row.side, row.index


def _hull(spans: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    """The least start and the greatest end of some spans; ``None`` if there is no span."""
    found = [span for span in spans if span is not None]
    if len(found) < 2:
        return found[0] if found else None
    starts, ends = zip(*found, strict=True)
    return min(starts), max(ends)


def _letter(row: AuditRow) -> str:
    return UNPLACEABLE if row.slot is None else row.slot.value


def _reach(span: tuple[int, int], column: Sequence[int]) -> tuple[int, int] | None:
    """The columns of a span of words: the first, and the one after the last."""
    return (column[span[0]], column[span[1] - 1] + 1) if span[0] < span[1] else None


def _merge(blocks: list[_Block]) -> list[_Block]:
    """Join blocks that share a column; in order of place."""
    merged: list[_Block] = []
    for block in sorted(blocks, key=lambda block: (block.first, block.after)):
        if merged and block.first < merged[-1].after:
            merged[-1].rows += block.rows
            merged[-1].after = max(merged[-1].after, block.after)
        else:
            merged.append(block)
    return merged


# --- pictures -------------------------------------------------------------------------------------


class _Picture:
    """The words of a block in columns, with both trees and the ranges of the listed elements."""

    def __init__(self, page: _Page, block: _Block, cases: Sequence[SlotCase]) -> None:
        self.page, self.block = page, block
        self.upper = self._bars(REFERENCE)
        self.lower = self._bars("hypothesis")
        listed = [case.reference for case in cases if case.reference is not None]
        self.ranged = [row for row in listed if row.placement and page.says_where]
        spans = [page.reach(row, with_range=True) for row in listed]
        self.inside = _hull([(block.first, block.after), *spans]) or (0, 0)
        first = max(self.inside[0] - CONTEXT, 0)
        after = min(self.inside[1] + CONTEXT, len(page.columns))
        self.columns = self._without_long_stretches(range(first, after))
        self.texts = {at: self._words(at) for at in self.columns}
        sizes = {at: max(2, *map(size, texts)) for at, texts in self.texts.items()}
        self.sizes = widen((*self.upper, *self.lower), sizes)

    def _bars(self, side: str) -> list[Bracket]:
        rows = [row for row in self.block.rows if row.side == side]
        height = heights({row.index: row.parent for row in rows})
        bars = []
        for row in rows:
            span = self.page.own_span(row)
            if span is not None:
                name = f"{clip(row.label)} {_letter(row)}"
                bars.append(Bracket(*span, name, STYLES[row.slot], height[row.index]))
        return bars

    def _words(self, at: int) -> tuple[str, str]:
        if at < 0:
            return "…", "…"
        r, h = self.page.columns[at]
        own = "" if r is None else clip(self.page.own.words[r])
        return own, "" if h is None else clip(self.page.scored.words[h])

    def _without_long_stretches(self, every: range) -> list[int]:
        """The columns to show; a negative one stands for a gap far from all brackets and ranges."""
        inside = range(*self.inside)
        if len(inside) <= CONTEXT:
            return list(every)  # no stretch is long
        near: set[int] = set()
        ends = [edge for bar in (*self.upper, *self.lower) for edge in (bar.first, bar.after - 1)]
        for row in self.ranged:
            first, after = self.page.reach(row, with_range=True) or (0, 0)
            ends += [first, after - 1]
        for edge in ends:
            near.update(range(edge - CONTEXT, edge + CONTEXT + 1))
        return list(shorten(every, lambda at: at not in near and at in inside, CONTEXT))

    def lines(self) -> Iterator[Line]:
        """The lines of the picture, cut into pieces that fit the width."""
        found = pieces(self.columns, self.sizes, self.page.width - GUTTER)
        upper, lower = self._over(self.upper, found), self._over(self.lower, found)
        for number, piece in enumerate(found):
            if number:
                yield Line()
            yield from self._piece(piece, upper[number], lower[number])

    def _over(
        self, brackets: Iterable[Bracket], found: Sequence[Sequence[int]]
    ) -> list[list[Bracket]]:
        """The brackets over each piece."""
        over: list[list[Bracket]] = [[] for _ in found]
        last = [*accumulate((max(piece) for piece in found), max)]
        for bracket in brackets:
            first, after = (bisect_left(last, at) for at in (bracket.first, bracket.after - 1))
            for own in over[first : after + 1]:
                own.append(bracket)
        return over

    def _piece(
        self, piece: Sequence[int], upper: Sequence[Bracket], lower: Sequence[Bracket]
    ) -> Iterator[Line]:
        place = place_columns(piece, GUTTER, self.sizes)
        above = self._lanes(upper, place)[::-1]  # the greatest height comes first
        below = self._lanes(lower, place)
        if self.page.same_words:
            words = [self._word_line(1, place)]
            first, last = [*above, *words][0], [*words, *below][-1]
        else:
            words = [first, last] = [self._word_line(0, place), self._word_line(1, place)]
        first.put(2, "ref")
        if first is not last:
            last.put(2, "hyp")
        yield from [*above, *words, *below]
        for row in self.ranged:
            yield from self._range(row, place)

    def _word_line(self, side: int, place: dict[int, int]) -> Line:
        line = Line()
        for at, cell in place.items():
            inside = self.block.first <= at < self.block.after
            line.put(cell, self.texts[at][side], "" if inside else "dim")
        return line

    def _lanes(self, brackets: Sequence[Bracket], place: dict[int, int]) -> list[Line]:
        """A line for each height, from the words on."""
        found = lanes(brackets, place, self.sizes)
        return [found[height] for height in sorted(found)]

    def _range(self, row: AuditRow, place: dict[int, int]) -> Iterator[Line]:
        """The candidates of a reference element under the scored words, and the chosen ones."""
        assert row.placement is not None
        style = STYLES[row.slot]
        each = CandidateRange(row.label, style, row.starts, row.ends, *row.placement)
        marks: dict[int, str] = {}
        for k, is_behind, sign in each.marks():
            at = self.page.scored_column[k]
            if at in place:
                marks[place[at] + (self.sizes[at] - 1 if is_behind else 0)] = sign
        if not marks:
            return
        line = Line()
        line.put(2, RANGE)
        draw_range(line, marks, style)
        name = f"{clip(row.label)} {_letter(row)}"
        cell, text = beside(name, marks, self.page.width, GUTTER)
        for inside in (at + 1 for at, sign in marks.items() if sign == "["):
            after = inside + size(name)
            if after <= self.page.width and not any(inside <= mark < after for mark in marks):
                cell, text = inside, name
        line.put(cell, text, style)
        yield line


# --- lists ----------------------------------------------------------------------------------------


def _list(page: _Page, cases: Sequence[SlotCase]) -> Iterator[Line]:
    """A line for each slot: class, cost, labels, words and notes."""
    labels = [_labels(case) for case in cases]
    letters = max(size(_letter(case.row)) for case in cases)
    costs = max(size(decimal(case.row.cost)) for case in cases)
    label_size = min(max(map(size, labels)), page.width // 2)
    for case, label in zip(cases, labels, strict=True):
        line = Line()
        line.put(2, _letter(case.row), STYLES[case.row.slot])
        line.put(4 + letters, decimal(case.row.cost))
        indent = 6 + letters + costs
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
        words, *more = wrapped(_words(case), page.width - at)
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
    ours = "" if case.reference is None else "|".join(map(clip, case.reference.labels))
    theirs = "" if case.hypothesis is None else clip(case.hypothesis.label)
    return f"{ours} → {theirs}" if ours and theirs else ours or theirs


def _words(case: SlotCase) -> str:
    """The words of both sides; once, if they are the same."""
    sides = [_quote(row.words) for row in case.rows]
    return " → ".join(dict.fromkeys(sides))


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
    if page.says_where and row.is_error and (row.starts or row.ends or row.why):
        yield (
            f"may start at {_candidates(page, row, side=0)}; "
            f"end after {_candidates(page, row, side=1)}"
        )
    is_shifted = row.slot in (Slot.SPAN, Slot.SPAN_AND_TYPE) and row.placement is not None
    if case.hypothesis is not None and is_shifted:
        yield _shift(row, case.hypothesis)
    if row.why is not None:
        yield row.why if row.slot is None else f"{UNPLACEABLE}: {row.why}"


def _candidates(page: _Page, row: AuditRow, side: int) -> str:
    words = []
    for k, is_strict, is_chosen in candidates(row, side):
        word = clip(page.scored.words[k - side])
        words.append(f"{f'[{word}]' if is_strict else word}{'*' if is_chosen else ''}")
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
