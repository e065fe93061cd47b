"""The scale from time to place on the page, which both sides share.

Speech runs from left to right, and words and labels need room to be read. So the scale is piecewise
linear: each stretch of time is wide enough for the words and labels in it, and long silence is
drawn narrower. Both sides have the same scale, so words below each other were spoken at the same
time. A word of a minute or more is drawn narrower too. Without times each word lasts one unit;
the words of an aligned block share the units of its longer side.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from ...alignment.blocks import Block
from ...documents.model import Time

BASE = 0.06
"""The least width of a millisecond of speech, in px."""
SILENCE = 40.0
"""The greatest width of a stretch without words, in px."""
LONG = 60_000
"""The least duration of a silence or a word at which the axis may be broken, in ms."""
UNIT = 1000
"""The duration of a word without a time, in ms."""

_NARROW = frozenset("ijlftrI.,:;'’|!()[]{}-` ·1")
_WIDE = frozenset("mwMW@%—…œæ")


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """The width of a character in em in a wide system font, because too much room does no harm."""
    if unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"}:
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.2
    if character in _NARROW:
        return 0.42
    if character in _WIDE:
        return 1.0
    return 0.74 if character.isupper() else 0.63


@lru_cache(maxsize=65536)
def text_width(text: str, size: float) -> float:
    """The approximate width of a text in px, for a font size in px.

    >>> text_width("Benoît", 10) > text_width("il", 10)
    True
    """
    return size * sum(map(_advance, text))


def spread(times: Sequence[Time]) -> list[Time]:
    """Times of words in ms, changed so that no two overlap and none is empty.

    A word that overlaps the next ends where the next begins. An empty word lasts 1 ms.

    >>> spread([(0, 300), (200, 500), (500, 500), (500, 700)])
    [(0, 200), (200, 500), (500, 501), (501, 700)]
    """
    starts: list[int] = []
    for start, _ in times:
        starts.append(start if not starts else max(start, starts[-1] + 1))
    following = [*starts[1:], None] if starts else []
    return [
        (start, max(start + 1, end if after is None else min(end, after)))
        for start, (_, end), after in zip(starts, times, following, strict=True)
    ]


def one_by_one(count: int) -> list[Time]:
    """Times for words without times: each word lasts one unit.

    >>> one_by_one(2)
    [(0, 1000), (1000, 2000)]
    """
    return [(UNIT * k, UNIT * k + UNIT) for k in range(count)]


def in_step(blocks: Iterable[Block]) -> tuple[list[Time], list[Time]]:
    """Times for the aligned words of two sides without times: the words of a block share its time.

    A block lasts one unit for each word of its longer side. The words of its other side divide that
    time equally.

    >>> in_step([Block((0, 0), (0, 1), "insertion"), Block((0, 2), (1, 2), "substitution")])
    ([(1000, 2000), (2000, 3000)], [(0, 1000), (1000, 3000)])
    """
    both: tuple[list[Time], list[Time]] = ([], [])
    at = 0
    for block in blocks:
        counts = [end - start for start, end in (block.ref, block.hyp)]
        lasts = UNIT * max(counts)
        for times, count in zip(both, counts, strict=True):
            edges = [at + lasts * k // max(count, 1) for k in range(count + 1)]
            times += pairwise(edges)
        at += lasts
    return both


class Need(NamedTuple):
    """The least width of a stretch of time, in px."""

    time: Time
    width: float


class Scale:
    """The place of each time on the page.

    Args:
        words: the needs of the words of both sides. Their starts and ends are the knots.
        elements: the needs of the elements; each begins and ends at a knot.

    Attributes:
        folds: the stretches between two knots that last a minute or more and are drawn narrower
            than speech.

    >>> scale = Scale([Need((0, 100), 50), Need((100, 200), 20)], [Need((0, 200), 140)])
    >>> scale(0), scale(100), scale(150), scale(200)
    (0.0, 100.0, 120.0, 140.0)
    """

    def __init__(self, words: Sequence[Need], elements: Iterable[Need]) -> None:
        self.knots = sorted({t for need in words for t in need.time})
        self._index = {time: k for k, time in enumerate(self.knots)}
        widths = _widths(self._index, self.knots, words)
        for need in sorted(elements, key=lambda need: need.time[1] - need.time[0]):
            first, last = (self._index[t] for t in need.time)
            now = sum(widths[first:last])
            if now < need.width:
                widths[first:last] = [w * need.width / now for w in widths[first:last]]
        self.places = list(accumulate(widths, initial=0.0))
        self.folds = [
            (before, after)
            for (before, after), width in zip(pairwise(self.knots), widths, strict=True)
            if after - before >= LONG and width < BASE * (after - before)
        ]

    def __call__(self, time: int) -> float:
        """The place of a time in px; a time outside all words has the place of the nearest word."""
        k = bisect_right(self.knots, time) - 1
        if k < 0:
            return 0.0
        if k == len(self.knots) - 1:
            return self.places[-1]
        low, high = self.knots[k], self.knots[k + 1]
        return self.places[k] + (self.places[k + 1] - self.places[k]) * (time - low) / (high - low)

    def time(self, place: float) -> int:
        """The time of a place, in ms: the inverse of a call."""
        if not self.knots:
            return 0
        k = min(max(bisect_right(self.places, place) - 1, 0), max(len(self.knots) - 2, 0))
        if len(self.knots) == 1:
            return self.knots[0]
        wide = self.places[k + 1] - self.places[k]
        part = (place - self.places[k]) / wide if wide else 0.0
        return round(self.knots[k] + part * (self.knots[k + 1] - self.knots[k]))

    def inside(self, start: float, end: float) -> range:
        """The indices of the knots that lie strictly between two places."""
        return range(bisect_right(self.places, start + 0.01), bisect_left(self.places, end - 0.01))


def _widths(index: dict[int, int], knots: Sequence[int], words: Sequence[Need]) -> list[float]:
    """The width between neighbouring knots that gives every word its room."""
    lasts = [after - before for before, after in pairwise(knots)]
    widths = [min(BASE * ms, SILENCE) for ms in lasts]
    for need in words:
        first, last = (index[t] for t in need.time)
        lasting = need.time[1] - need.time[0]
        rate = max(need.width / lasting, BASE if lasting < LONG else 0)
        for k in range(first, last):
            widths[k] = max(widths[k], rate * lasts[k])
    return widths
