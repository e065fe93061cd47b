"""The time line of a document: where everything stands, before anything is drawn.

After the paper's figure 4. From top to bottom: the reference tree, the reference's words, time,
the tolerance windows with the candidate frontiers, the hypothesis's words, the hypothesis tree.
Everything has a place on one long scale, which is then cut into *pieces* where no element, no pair
and no word stands in the way, and pieces are put together to *lines* of some ten seconds. A
browser may break a line between two pieces, so that it fits on a screen of any width. On the same
words there is one row of words, and no windows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ...audit import Audit, Row
from ...model import Document, Time, seconds
from .cases import Case, cases
from .scale import Need, Scale, one_by_one, spread, text_width

WORD, LABEL, LETTER = 13.5, 11.0, 9.5  # sizes of letters, in px
GAP = 9.0  # after a word
BAR, LEVEL = 16, 19  # height of a bar, and from one to the next
WORDS_HEIGHT, AXIS_HEIGHT, LANE_HEIGHT = 22, 13, 18
MOST_LETTERS = 34  # of a word or label in the drawing; all of it stands below and in its title
PIECE = 110.0  # least width of a piece, in px
LINE_MS, PAUSE_LINE_MS, PAUSE_MS = 11_000, 6_000, 500
LINE_WIDTH, UTTERANCE_WIDTH = 2200.0, 500.0  # the same without times


@dataclass(frozen=True, slots=True)
class Word:
    """A word at its place; ``whole`` is the full text where ``text`` is cut short."""

    x: int
    width: int
    text: str
    whole: str | None
    in_element: bool


@dataclass(frozen=True, slots=True)
class Bar:
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


@dataclass(frozen=True, slots=True)
class Ribbon:
    """What joins the two bars of a pair: left and right ends, and heights, of both."""

    reference: tuple[int, int, int]
    hypothesis: tuple[int, int, int]
    letter: str
    case: str


@dataclass(frozen=True, slots=True)
class Window:
    """Where in time a tag may sit: its own time and the tolerance on either side."""

    x: int
    left: int
    right: int
    is_start: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A candidate frontier among the hypothesis's words."""

    x: int
    is_start: bool
    is_strict: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis; whole seconds are named."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the drawing; all places count from its left."""

    width: int
    reference_words: tuple[Word, ...]
    hypothesis_words: tuple[Word, ...]
    references: tuple[Bar, ...]
    hypotheses: tuple[Bar, ...]
    ribbons: tuple[Ribbon, ...]
    windows: tuple[Window, ...]
    marks: tuple[Mark, ...]
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Some seconds of a document: pieces side by side, and the cases that lie there.

    Args:
        time: in ms, ``None`` without times.
        words: numbers of the first and last word, for a title without times.
        heights: of the two trees, in bars.
    """

    pieces: tuple[Piece, ...]
    cases: tuple[Case, ...]
    time: Time | None
    words: tuple[int, int]
    heights: tuple[int, int]


@dataclass(slots=True)
class _Drawn:
    """An element while it is being placed."""

    row: Row
    case: Case
    time: Time
    height: int = 1


@dataclass(slots=True)
class _Side:
    """One side's words and elements, in time."""

    words: Sequence[str]
    times: Sequence[Time]
    drawn: list[_Drawn] = field(default_factory=list)


class Drawing:
    """A document in time; its ``lines`` are what the page shows.

    Args:
        document: its rows.
        anchor: what the anchors of its elements begin with.
        tolerance: of starts and ends, in ms; ``None`` on the same words.
    """

    def __init__(self, document: Audit, anchor: str, tolerance: tuple[int, int] | None) -> None:
        self.anchor, self.tolerance = anchor, tolerance
        self.cases = cases(document)
        left, right = document.reference_words, document.hypothesis_words
        self.is_projected = tolerance is not None
        self.is_timed = self.is_projected or left.times is not None or right.times is not None
        if self.is_projected:
            self.reference = _Side(left.words, _times(left))
            self.hypothesis = _Side(right.words, _times(right))
        else:
            times = _times(left if right.times is None else right)
            self.reference = _Side((), times)
            self.hypothesis = _Side(right.words, times)
        self.breaks = {*left.breaks, *right.breaks}
        self._draw()
        sides = (self.reference, self.hypothesis)
        self.scale = Scale(
            [
                Need(time, text_width(_short(word), WORD) + GAP)
                for side in sides
                for word, time in zip(side.words, side.times, strict=False)
            ],
            [Need(drawn.time, _bar_width(drawn)) for side in sides for drawn in side.drawn],
        )

    def _draw(self) -> None:
        """Find the time and the height of every element."""
        for case in self.cases:
            for side, row in ((self.reference, case.reference), (self.hypothesis, case.hypothesis)):
                span = None if row is None else _span(row, len(side.times))
                if row is not None and span is not None:
                    time = side.times[span[0]][0], side.times[span[1] - 1][1]
                    side.drawn.append(_Drawn(row, case, time))
        for side in (self.reference, self.hypothesis):
            side.drawn.sort(key=lambda drawn: drawn.row.index)
            _stack(side.drawn)

    # ------------------------------------------------------------------------------- cutting

    def lines(self) -> list[Line]:
        """The drawing from left to right, cut."""
        in_order = self._in_order()
        if not self.scale.knots:
            return [Line((), tuple(self.cases), None, (0, 0), (0, 0))] if self.cases else []
        found = []
        cuts = self._cuts()
        ends = self._line_ends(cuts)
        places = [place for place, _ in in_order]
        for low, high in pairwise([0, *ends]):
            left, right = cuts[low], cuts[high]
            first = 0 if low == 0 else bisect_left(places, left)
            last = len(places) if high == ends[-1] else bisect_left(places, right)
            inside = tuple(case for _, case in in_order[first:last])
            found.append(self._line(cuts[low : high + 1], inside))
        return found

    def _in_order(self) -> list[tuple[float, Case]]:
        """Cases with their places, as one meets them: reference elements first where they tie."""
        begins: dict[str, float] = {}
        for side in (self.hypothesis, self.reference):
            for drawn in side.drawn:
                begins[drawn.case.name] = self.scale(drawn.time[0])
        where = [(begins.get(case.name, 0.0), case) for case in self.cases]
        return sorted(where, key=lambda w: (w[0], w[1].reference is None, w[1].row.index))

    def _cuts(self) -> list[float]:
        """Places at which nothing is cut through, the two ends included, not too close."""
        scale = self.scale
        blocked = [0] * (len(scale.places) + 1)
        for start, end in self._uncuttable():
            inside = scale.inside(start, end)
            if inside:
                blocked[inside.start] += 1
                blocked[inside.stop] -= 1
        begins = {start for side in (self.reference, self.hypothesis) for start, _ in side.times}
        cuts, depth = [0.0], 0
        for k, place in enumerate(scale.places):
            depth += blocked[k]
            if not depth and place - cuts[-1] >= PIECE and scale.knots[k] in begins:
                cuts.append(place)
        end = scale.places[-1]
        if len(cuts) > 1 and end - cuts[-1] < PIECE / 2:
            cuts.pop()
        return [*cuts, end + 1.0]

    def _uncuttable(self) -> Iterator[tuple[float, float]]:
        """Elements, from the first to the last place of a pair, and what words take to be read."""
        hulls: dict[str, list[int]] = {}
        for side in (self.reference, self.hypothesis):
            for drawn in side.drawn:
                hulls.setdefault(drawn.case.name, []).extend(drawn.time)
            for word, (start, _) in zip(side.words, side.times, strict=False):
                place = self.scale(start)
                yield place, place + text_width(_short(word), WORD)
        for times in hulls.values():
            yield self.scale(min(times)), self.scale(max(times))

    def _line_ends(self, cuts: Sequence[float]) -> list[int]:
        """Which cuts end a line: where it is long enough, sooner at a pause or a new utterance."""
        times = self.hypothesis.times
        utterances = {times[k][0] for k in self.breaks if 0 < k < len(times)}
        spoken = sorted([*self.reference.times, *self.hypothesis.times])
        starts = [start for start, _ in spoken]
        ends, begun = [], 0
        for k in range(1, len(cuts) - 1):
            at = self.scale.time(cuts[k])
            before = bisect_left(starts, at)
            pause = at - max((end for _, end in spoken[max(0, before - 8) : before]), default=at)
            if self._is_full(cuts[begun], cuts[k], at in utterances, pause):
                ends.append(k)
                begun = k
        return [*ends, len(cuts) - 1]

    def _is_full(self, left: float, right: float, ends_utterance: bool, pause: int) -> bool:  # noqa: FBT001
        if not self.is_timed:
            return right - left >= (UTTERANCE_WIDTH if ends_utterance else LINE_WIDTH)
        lasts = self.scale.time(right) - self.scale.time(left)
        if right - left >= LINE_WIDTH or lasts >= LINE_MS:
            return True
        return lasts >= PAUSE_LINE_MS and (pause >= PAUSE_MS or ends_utterance)

    # ------------------------------------------------------------------------------- drawing

    def _line(self, cuts: Sequence[float], inside: tuple[Case, ...]) -> Line:
        pieces = tuple(self._piece(left, right) for left, right in pairwise(cuts))
        heights = tuple(
            max((bar.height for piece in pieces for bar in bars(piece)), default=0)
            for bars in (lambda piece: piece.references, lambda piece: piece.hypotheses)
        )
        left, right = self.scale.time(cuts[0]), self.scale.time(cuts[-1] - 1)
        starts = [start for start, _ in self.hypothesis.times]
        words = bisect_left(starts, left) + 1, max(1, bisect_left(starts, right))
        time = (left, right) if self.is_timed else None
        return Line(pieces, inside, time, words, (heights[0], heights[1]))

    def _piece(self, left: float, right: float) -> Piece:
        low, high = self.scale.time(left), self.scale.time(right)
        return Piece(
            width=round(right) - round(left),
            reference_words=tuple(self._words(self.reference, left, right)),
            hypothesis_words=tuple(self._words(self.hypothesis, left, right)),
            references=tuple(self._bars(self.reference, left, right)),
            hypotheses=tuple(self._bars(self.hypothesis, left, right)),
            ribbons=tuple(self._ribbons(left, right)),
            windows=tuple(self._windows(left, right)),
            marks=tuple(self._marks(left, right)),
            ticks=tuple(self._ticks(low, high, left)) if self.is_timed else (),
        )
