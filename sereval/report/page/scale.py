"""The scale from time to place on the page, which both sides share.

Speech runs from left to right, but words need room to be read, and their labels too. So the scale
is piecewise linear: a stretch of time is as wide as the widest thing in it asks for, silence is
folded, and both sides go through the same scale, so that what stands below each other was spoken at
the same time. A word of a minute and more is folded as silence is. Without times each word lasts
one unit; where the words of two sides were aligned, those that answer each other share theirs.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from ...alignment.blocks import Block
from ...documents.model import Time

BASE = 0.06
"""Least width of a ms in which somebody speaks, in px."""
SILENCE = 40.0
"""Most width of a stretch without words, in px."""
LONG = 60_000
"""How many ms a silence or a word lasts at least, for the axis to be broken there."""
UNIT = 1000
"""How long a word without a time lasts, in ms."""

_NARROW = frozenset("ijlftrI.,:;'’|!()[]{}-` ·1")
_WIDE = frozenset("mwMW@%—…œæ")


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """Width of a character in em, that of a wide system font: too much room is better."""
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
    """About how wide a text is, in px, for letters of a size in px.

    >>> text_width("Benoît", 10) > text_width("il", 10)
    True
    """
    return size * sum(map(_advance, text))


def spread(times: Sequence[Time]) -> list[Time]:
    """Times in which every word takes some time of its own, in order, in ms.

    Words that overlap end where the next begins; empty ones last a millisecond.

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
    """Times that stand for none: each word lasts one unit."""
    return [(UNIT * k, UNIT * k + UNIT) for k in range(count)]


def in_step(blocks: Iterable[Block]) -> tuple[list[Time], list[Time]]:
    """Times that stand for none, of both sides: a block's words stand together.

    A block lasts a unit for each word of its longer side, which the words of the other share.

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


@dataclass(frozen=True, slots=True)
class Need:
    """That a stretch of time be at least so wide, in px."""

    time: Time
    width: float


class Scale:
    """Where a time lies on the page.

    Args:
        words: what every word needs, both sides together; only these make knots.
        elements: what elements need; each begins and ends with words.

    Attributes:
        folds: stretches between two knots that last a minute and more and are drawn narrower than
            speech. Only their ends are marked in time.

    >>> scale = Scale([Need((0, 100), 50), Need((100, 200), 20)], [Need((0, 200), 140)])
    >>> scale(0), scale(100), scale(150), scale(200)
    (0.0, 100.0, 120.0, 140.0)
    """

    def __init__(self, words: Sequence[Need], elements: Iterable[Need]) -> None:
        self.knots = sorted({t for need in words for t in need.time})
        self._index = {time: k for k, time in enumerate(self.knots)}
        widths = _needed(self._index, self.knots, words)
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
        """Place of a time in px; outside of all words, that of the nearest."""
        k = bisect_right(self.knots, time) - 1
        if k < 0:
            return 0.0
        if k == len(self.knots) - 1:
            return self.places[-1]
        low, high = self.knots[k], self.knots[k + 1]
        return self.places[k] + (self.places[k + 1] - self.places[k]) * (time - low) / (high - low)

    def time(self, place: float) -> int:
        """The time of a place, the other way round."""
        if not self.knots:
            return 0
        k = min(max(bisect_right(self.places, place) - 1, 0), max(len(self.knots) - 2, 0))
        if len(self.knots) == 1:
            return self.knots[0]
        wide = self.places[k + 1] - self.places[k]
        part = (place - self.places[k]) / wide if wide else 0.0
        return round(self.knots[k] + part * (self.knots[k + 1] - self.knots[k]))

    def inside(self, start: float, end: float) -> range:
        """The knots that lie between two places, without those on them."""
        return range(bisect_right(self.places, start + 0.01), bisect_left(self.places, end - 0.01))


def _needed(index: dict[int, int], knots: Sequence[int], words: Sequence[Need]) -> list[float]:
    """The width between each two knots that gives every word its own."""
    lasts = [after - before for before, after in pairwise(knots)]
    widths = [min(BASE * ms, SILENCE) for ms in lasts]
    for need in words:
        first, last = (index[t] for t in need.time)
        lasting = need.time[1] - need.time[0]
        rate = max(need.width / lasting, BASE if lasting < LONG else 0)
        for k in range(first, last):
            widths[k] = max(widths[k], rate * lasts[k])
    return widths
