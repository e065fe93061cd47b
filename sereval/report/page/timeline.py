"""The time line of a document: the place of each word, element, pair and candidate in the drawing.

It follows figure 4 of the paper. From top to bottom stand the reference tree, the reference's
words, the time, the tolerance windows with the candidates, the hypothesis's words and the
hypothesis tree. Everything has a place on one long scale. The scale is cut into *pieces* at places
where no element, no pair and no word is cut through. Pieces are joined to *lines* of some ten
seconds; a browser may break a line between two pieces, so a line fits any screen. If both sides
have the same words, there is one row of words and no windows. If words without times were aligned,
aligned words stand below each other, and there are no windows either.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple

from ...analysis.audit import Audit, Row
from ...documents.model import Document, Time
from ...evaluation.settings import ByWords
from ..brackets import heights
from ..cases import NAMES, Case, candidates, cases
from .scale import Need, Scale, in_step, one_by_one, spread, text_width

WORD, LABEL, LETTER = 13.5, 11.0, 9.5  # font sizes, in px
GAP = 9.0  # after a word
BAR, LEVEL = 16, 19  # height of a bar (as in page.css), distance from one bar to the next
WORDS_HEIGHT, AXIS_HEIGHT, LANE_HEIGHT = 22, 13, 18
MOST_LETTERS = 34  # of a word or label in the drawing; its title has the full text
PIECE = 150.0  # least width of a piece, in px
LINE_MS, PAUSE_LINE_MS, PAUSE_MS = 11_000, 6_000, 500
LINE_WIDTH, UTTERANCE_WIDTH = 2200.0, 500.0  # the same in px, without times


class Word(NamedTuple):
    """A word at its place; ``whole`` is the full text if ``text`` is cut."""

    x: int
    width: int
    text: str
    whole: str | None
    in_element: bool


class Bar(NamedTuple):
    """An element at its place in the tree of its side; ``height`` is 1 next to the words."""

    x: int
    width: int
    height: int
    label: str
    title: str
    letter: str
    anchor: str
    case: str
    is_placed: bool


class Ribbon(NamedTuple):
    """The ribbon between the bars of a pair: left end, right end and height of each bar."""

    reference: tuple[int, int, int]
    hypothesis: tuple[int, int, int]
    letter: str
    case: str

    @property
    def x(self) -> int:
        """Its left end on the reference side."""
        return self.reference[0]


class Window(NamedTuple):
    """The window of a tag: the place of its time, and of the tolerance on either side."""

    x: int
    left: int
    right: int
    is_start: bool


class Mark(NamedTuple):
    """A candidate among the frontiers of the hypothesis."""

    x: int
    is_start: bool
    is_strict: bool
    is_chosen: bool


class Tick(NamedTuple):
    """A mark on the axis; ``text`` is its time, or empty."""

    x: int
    text: str


class Fold(NamedTuple):
    """A break of the axis, in the middle of a stretch that is drawn narrower."""

    x: int
    lasts: str


@dataclass(slots=True)
class Piece:
    """A part of the drawing; all places in it are measured from the left end of the document."""

    x: int
    width: int
    reference_words: list[Word] = field(default_factory=list)
    hypothesis_words: list[Word] = field(default_factory=list)
    references: list[Bar] = field(default_factory=list)
    hypotheses: list[Bar] = field(default_factory=list)
    ribbons: list[Ribbon] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    ticks: list[Tick] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)

    @property
    def heights(self) -> tuple[int, int]:
        """The heights of the two trees, in bars."""
        return (
            max((bar.height for bar in self.references), default=0),
            max((bar.height for bar in self.hypotheses), default=0),
        )


class Line(NamedTuple):
    """Some seconds of a document.

    Args:
        pieces: the pieces, side by side.
        cases: the cases that begin in the line.
        time: start and end in ms; ``None`` without times.
        words: the numbers of the first and the last word of the hypothesis in the line; if it has
            none, the last number is the smaller one.
    """

    pieces: tuple[Piece, ...]
    cases: tuple[Case, ...]
    time: Time | None
    words: tuple[int, int]

    @property
    def height(self) -> int:
        """The height of both trees together, in bars."""
        return sum(
            max((piece.heights[side] for piece in self.pieces), default=0) for side in (0, 1)
        )


@dataclass(slots=True)
class _Element:
    """An element with its place in time and its height."""

    row: Row
    case: Case
    time: Time
    height: int = 1


@dataclass(slots=True)
class _Side:
    """The words and elements of a side. Every word has a time, but ``words`` may be empty."""

    words: Sequence[str]
    times: Sequence[Time]
    elements: list[_Element] = field(default_factory=list)

    @property
    def visible(self) -> Iterator[tuple[str, Time]]:
        """The words that are drawn on this side, with their times."""
        return zip(self.words, self.times, strict=False)


class TimeLine:
    """The time line of a document; :meth:`lines` gives its drawing.

    Args:
        document: the audit of the document.
        anchor: the beginning of the anchors of its elements.
    """

    def __init__(self, document: Audit, anchor: str) -> None:
        settings = document.words
        self.anchor, self.tolerance = anchor, settings.tolerance
        self.cases = cases(document)
        left, right = document.reference_words, document.hypothesis_words
        self.is_projected = settings.is_projected
        known = [document.times is not None for document in (left, right)]
        self.is_timed = all(known) if self.is_projected else any(known)
        if self.is_projected:
            own, scored = _both_times(left, right, settings.through)
            self.reference, self.hypothesis = _Side(left.words, own), _Side(right.words, scored)
        else:
            times = _times(left if right.times is None else right)
            self.reference = _Side((), times)
            self.hypothesis = _Side(right.words, times)
        self.sides = self.reference, self.hypothesis
        self.starts = [start for start, _ in self.hypothesis.times]
        self.utterances = {
            side.times[k][0]
            for side, document in zip(self.sides, (left, right), strict=True)
            for k in document.breaks
            if k < len(side.times)
        }
        self._draw()
        self.scale = Scale(
            [
                Need(time, text_width(short(word), WORD) + GAP)
                for side in self.sides
                for word, time in side.visible
            ],
            [
                Need(element.time, _bar_width(element))
                for side in self.sides
                for element in side.elements
            ],
        )

    def _draw(self) -> None:
        """Compute the time and the height of every element."""
        for case in self.cases:
            for side, row in zip(self.sides, (case.reference, case.hypothesis), strict=True):
                span = None if row is None else _span(row, len(side.times))
                if row is not None and span is not None:
                    time = side.times[span[0]][0], side.times[span[1] - 1][1]
                    side.elements.append(_Element(row, case, time))
        for side in self.sides:
            side.elements.sort(key=lambda element: element.row.index)
            _stack(side.elements)

    # ------------------------------------------------------------------------------- cutting

    def lines(self) -> list[Line]:
        """The lines of the drawing, in order of time."""
        if not self.scale.knots:
            return [Line((), tuple(self.cases), None, (1, 0))] if self.cases else []
        in_order = self._in_order()
        places = [place for place, _ in in_order]
        cuts = self._cuts()
        pieces = self._pieces(cuts)
        found = []
        for low, high in pairwise([0, *self._line_ends(cuts)]):
            first = 0 if low == 0 else bisect_left(places, cuts[low])
            last = len(places) if high == len(cuts) - 1 else bisect_left(places, cuts[high])
            inside = tuple(case for _, case in in_order[first:last])
            found.append(self._line(pieces[low:high], (cuts[low], cuts[high]), inside))
        return found

    def _in_order(self) -> list[tuple[float, Case]]:
        """The cases by place, with their places; at one place, reference elements come first."""
        begins: dict[str, float] = {}
        for side in reversed(self.sides):
            for element in side.elements:
                begins[element.case.name] = self.scale(element.time[0])
        where = [(begins.get(case.name, 0.0), case) for case in self.cases]
        return sorted(where, key=lambda w: (w[0], w[1].reference is None, w[1].row.index))

    def _cuts(self) -> list[float]:
        """The places where the drawing is cut, with both ends; pieces have a least width."""
        places, knots = self.scale.places, self.scale.knots
        blocked = [0] * (len(places) + 1)
        for start, end in self._uncuttable():
            inside = self.scale.inside(start, end)
            if inside:
                blocked[inside.start] += 1
                blocked[inside.stop] -= 1
        begins = {start for side in self.sides for start, _ in side.times}
        cuts = [0.0]
        for place, knot, depth in zip(places, knots, accumulate(blocked), strict=False):
            if not depth and place - cuts[-1] >= PIECE and knot in begins:
                cuts.append(place)
        if len(cuts) > 1 and places[-1] - cuts[-1] < PIECE / 2:
            cuts.pop()
        return [*cuts, places[-1] + 1]

    def _uncuttable(self) -> Iterator[tuple[float, float]]:
        """The stretches that must not be cut: the text of each word, the elements of each case."""
        hulls: dict[str, list[int]] = {}
        for side in self.sides:
            for element in side.elements:
                hulls.setdefault(element.case.name, []).extend(element.time)
            for word, (start, _) in side.visible:
                place = self.scale(start)
                yield place, place + text_width(short(word), WORD)
        for times in hulls.values():
            yield self.scale(min(times)), self.scale(max(times))

    def _line_ends(self, cuts: Sequence[float]) -> list[int]:
        """The cuts that end a line: it is long enough, or less long before a pause or utterance."""
        spoken = sorted([*self.reference.times, *self.hypothesis.times])
        by_pause = self.is_projected and self.is_timed
        starts = [start for start, _ in spoken]
        ends, begun = [], 0
        for k in range(1, len(cuts) - 1):
            at = self.scale.time(cuts[k])
            before = bisect_left(starts, at)
            pause = at - max((end for _, end in spoken[max(0, before - 8) : before]), default=at)
            rests = pause >= PAUSE_MS if by_pause else at in self.utterances
            if self._is_full(cuts[begun], cuts[k], rests=rests):
                ends.append(k)
                begun = k
        return [*ends, len(cuts) - 1]

    def _is_full(self, left: float, right: float, *, rests: bool) -> bool:
        if not self.is_timed:
            return right - left >= (UTTERANCE_WIDTH if rests else LINE_WIDTH)
        lasts = self.scale.time(right) - self.scale.time(left)
        return lasts >= (PAUSE_LINE_MS if rests else LINE_MS) or right - left >= LINE_WIDTH

    def _line(
        self, pieces: Sequence[Piece], ends: tuple[float, float], inside: tuple[Case, ...]
    ) -> Line:
        left, right = self.scale.time(ends[0]), self.scale.time(ends[1] - 1)
        words = bisect_left(self.starts, left) + 1, bisect_left(self.starts, right)
        return Line(tuple(pieces), inside, (left, right) if self.is_timed else None, words)

    # ------------------------------------------------------------------------------- drawing

    def _pieces(self, cuts: Sequence[float]) -> list[Piece]:
        """The pieces between the cuts, with all that is drawn in them."""
        edges = [round(cut) for cut in cuts]
        pieces = [Piece(left, right - left) for left, right in pairwise(edges)]

        def at(x: int) -> Piece:
            return pieces[min(max(bisect_right(edges, x) - 1, 0), len(pieces) - 1)]

        for name, things in self._things():
            for thing in things:
                getattr(at(thing.x), name).append(thing)
        for window in self._windows():
            first, last = bisect_right(edges, window.left), bisect_left(edges, window.right)
            for piece in pieces[max(first - 1, 0) : last]:
                piece.windows.append(_clip(window, piece))
        return pieces

    def _things(self) -> Iterator[tuple[str, Iterator[Word | Bar | Ribbon | Mark | Tick | Fold]]]:
        """All that is drawn within one piece, by the attribute of :class:`Piece` that takes it."""
        yield "reference_words", self._words(self.reference)
        yield "hypothesis_words", self._words(self.hypothesis)
        yield "references", self._bars(self.reference)
        yield "hypotheses", self._bars(self.hypothesis)
        yield "ribbons", self._ribbons()
        yield "marks", self._marks()
        yield "ticks", self._ticks()
        yield "folds", self._folds()

    def _words(self, side: _Side) -> Iterator[Word]:
        owners = self.sides if not self.is_projected else (side,)
        inside = _coverage([d.time for owner in owners for d in owner.elements], side.times)
        for (word, (start, end)), in_element in zip(side.visible, inside, strict=False):
            x, right = round(self.scale(start)), round(self.scale(end))
            text = short(word)
            yield Word(x, right - x, text, word if text != word else None, in_element)

    def _bars(self, side: _Side) -> Iterator[Bar]:
        for element in side.elements:
            x, right = (round(self.scale(time)) for time in element.time)
            row, case = element.row, element.case
            yield Bar(
                x,
                right - x,
                element.height,
                _label(row),
                f"{' | '.join(row.labels)} “{' '.join(row.words)}”: "
                f"{case.letter} {NAMES[case.letter]}{f', {row.why}' if row.why else ''}",
                case.letter,
                f"{self.anchor}-{row.side[0]}{row.index}",
                case.name,
                row.why is None,
            )

    def _ribbons(self) -> Iterator[Ribbon]:
        """The ribbons of pairs. Long ones come first, so that short ones lie on top of them."""
        ends = {}
        for side in self.sides:
            for element in side.elements:
                left, right = (round(self.scale(time)) for time in element.time)
                ends[element.row.side, element.row.index] = (left, right, element.height)
        pairs = [
            Ribbon(ends[r.side, r.index], ends[h.side, h.index], case.letter, case.name)
            for case in self.cases
            if (r := case.reference) is not None and (h := case.hypothesis) is not None
        ]
        return iter(sorted(pairs, key=lambda pair: pair.reference[0] - pair.reference[1]))

    def _windows(self) -> Iterator[Window]:
        """A window for each time at which a reference element starts or ends."""
        if self.tolerance is None:
            return
        tags = {
            (element.time[side], side) for element in self.reference.elements for side in (0, 1)
        }
        for time, side in sorted(tags):
            around = time - self.tolerance[side], time + self.tolerance[side]
            left, right = (round(self.scale(edge)) for edge in around)
            yield Window(round(self.scale(time)), left, right, side == 0)

    def _marks(self) -> Iterator[Mark]:
        """The candidates of all reference elements, each once for starts and once for ends."""
        found: dict[tuple[bool, int], tuple[bool, bool]] = {}
        for element in self.reference.elements if self.is_projected else ():
            for side in (0, 1):
                for k, is_strict, is_chosen in candidates(element.row, side):
                    strict, chosen = found.get((side == 0, k), (False, False))
                    found[side == 0, k] = (strict or is_strict, chosen or is_chosen)
        times = self.hypothesis.times
        for (is_start, k), flags in sorted(found.items()):
            time = times[k][0] if is_start else times[k - 1][1]
            yield Mark(round(self.scale(time)) - (not is_start), is_start, *flags)

    def _ticks(self) -> Iterator[Tick]:
        """A tick for each half second with room; full seconds with more room show their time."""
        if not self.is_timed:
            return
        named = last = -100
        for half in self._halves():
            x = round(self.scale(half * 500))
            if x - last < 10:
                continue
            last = x
            is_named = half % 2 == 0 and x - named >= 44
            named = x if is_named else named
            yield Tick(x, clock(half * 500, 0) if is_named else "")

    def _halves(self) -> Iterator[int]:
        """The half seconds outside of folds, counted from 0."""
        knots, folds = self.scale.knots, {*self.scale.folds}
        for before, after in pairwise([*knots, knots[-1] + 1]):
            end = before + 1 if (before, after) in folds else after
            yield from range(-(-before // 500), -(-end // 500))

    def _folds(self) -> Iterator[Fold]:
        """The breaks of the axis, if there are times."""
        for before, after in self.scale.folds if self.is_timed else ():
            middle = (self.scale(before) + self.scale(after)) / 2
            yield Fold(round(middle), clock(after - before, 0))


def clock(ms: int, digits: int = 1) -> str:
    """A time as minutes and seconds.

    >>> clock(167300), clock(3_600_000, 0)
    ('2:47.3', '60:00')
    """
    unit = 10 ** (3 - digits)
    minutes, rest = divmod((ms + unit // 2) // unit, 60_000 // unit)
    whole, part = divmod(rest, 10**digits)
    return f"{minutes}:{whole:02d}" + (f".{part:0{digits}d}" if digits else "")


def short(text: str) -> str:
    """A text cut to the length that a drawing has room for.

    >>> short("loc")
    'loc'
    """
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def _label(row: Row) -> str:
    return short("|".join(row.labels))


def _bar_width(element: _Element) -> float:
    """The width that a bar needs for its label and its class, in px."""
    letter = text_width(element.case.letter, LETTER)
    return text_width(_label(element.row), LABEL) + letter + 18


def _times(document: Document) -> list[Time]:
    return spread(document.times) if document.times is not None else one_by_one(len(document.words))


def _both_times(
    left: Document, right: Document, through: ByWords | None
) -> tuple[list[Time], list[Time]]:
    """The times of both sides if their words differ: from the documents, or from the alignment."""
    if left.times is not None and right.times is not None:
        return spread(left.times), spread(right.times)
    assert through is not None  # a tolerance needs times
    return in_step(through.align(left.words, right.words).blocks)


def _span(row: Row, n: int) -> tuple[int, int] | None:
    """The words over which an element is drawn; without words, the words between its candidates."""
    if row.span is not None or not n:
        return row.span
    start, end = row.strict or (min(row.starts, default=0), max(row.ends, default=0))
    start = min(start, n - 1)
    return start, min(max(end, start + 1), n)


def _stack(elements: Sequence[_Element]) -> None:
    """Compute the height of each element: 1 next to the words, else 1 above the highest below it.

    An element without words has no place in the tree. It stands above all elements it overlaps.
    """
    above = heights({d.row.index: d.row.parent for d in elements if d.row.span is not None})
    for element in elements:
        element.height = 1 + above.get(element.row.index, 0)
    for loose in (d for d in elements if d.row.span is None):
        loose.height = 1 + max(
            (d.height for d in elements if d is not loose and _overlap(d.time, loose.time)),
            default=0,
        )


def _overlap(one: Time, other: Time) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _coverage(elements: Sequence[Time], words: Sequence[Time]) -> list[bool]:
    """Whether each word begins within an element."""
    starts = [start for start, _ in words]
    steps = [0] * (len(words) + 1)
    for start, end in elements:
        steps[bisect_left(starts, start)] += 1
        steps[bisect_left(starts, end)] -= 1
    return [depth > 0 for depth in accumulate(steps[:-1])]


def _clip(window: Window, piece: Piece) -> Window:
    """The part of a window that lies in a piece."""
    left, right = max(window.left, piece.x), min(window.right, piece.x + piece.width)
    return Window(window.x, left, right, window.is_start)
