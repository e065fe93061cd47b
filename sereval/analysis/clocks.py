"""The clocks of two sides: how late the words of a hypothesis are, and whether that grows.

The two texts are aligned word by word, without times (``align_text``). For each word
common to both sides, the *lateness* is the start in the hypothesis less the start in the reference.
The *offset* is the median lateness. The *drift* is the slope of the resistant line, which joins the
medians of time and lateness in the first third of the words and in the last third. Wrongly aligned
words do not move either figure as long as they are few.

Source: Tukey, Exploratory Data Analysis, 1977, chapter 10 (the resistant line).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median_low

from ..alignment.blocks import CORRECT, UNIT
from ..alignment.text import align_text
from ..documents.model import Document

OFFSET = DRIFT = 100
"""The least offset, and the least drift over a document, that are findings, in ms."""
LEAST_OFFSET, LEAST_DRIFT = 5, 30
"""The least number of common words from which an offset, or a drift, is computed."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A comparison of the hypothesis's times in one document with the reference's.

    Args:
        id: the id of the document.
        words: the number of words of the shorter side.
        same: the number of words common to both sides.
        begin: the lateness at the first common word according to the resistant line, in ms.
        offset: the median lateness, in ms.
        drift: the growth of the lateness, in ms for each ms.
        span: the time from the first common word to the last, in ms.
        apart: the absolute differences between starts, and between ends, of the common words, in
            ms, in increasing order.
    """

    id: str
    words: int
    same: int
    begin: int = 0
    offset: int = 0
    drift: Fraction = Fraction(0)
    span: int = 0
    apart: tuple[int, ...] = field(default=(), repr=False)

    @property
    def change(self) -> int:
        """The drift over the whole document, in ms."""
        return round(self.drift * self.span)

    @property
    def drifts(self) -> bool:
        """Whether the drift is a finding."""
        return abs(self.change) >= DRIFT


def clock(reference: Document, hypothesis: Document) -> Clock | None:
    """Compare the times of the words that two documents have in common."""
    if reference.times is None or hypothesis.times is None:
        return None
    blocks = align_text(reference.words, hypothesis.words, UNIT).blocks
    same = [(b.ref[0], b.hyp[0]) for b in blocks if b.op == CORRECT]
    words = min(len(reference.words), len(hypothesis.words))
    if len(same) < LEAST_OFFSET:
        return Clock(reference.id, words, len(same))
    times = [(reference.times[i], hypothesis.times[k]) for i, k in same]
    late = [(ours[0], theirs[0] - ours[0]) for ours, theirs in times]
    drift = _slope(late)
    first, last = late[0][0], late[-1][0]
    return Clock(
        reference.id,
        words,
        len(same),
        round(median_low([lateness - drift * (at - first) for at, lateness in late])),
        median_low([lateness for _, lateness in late]),
        drift,
        last - first,
        tuple(sorted(abs(b - a) for pair in times for a, b in zip(*pair, strict=True))),
    )


def _slope(points: Sequence[tuple[int, int]]) -> Fraction:
    """The slope of the resistant line through points sorted by their first number."""
    third = len(points) // 3
    if len(points) < LEAST_DRIFT:
        return Fraction(0)
    (left, low), (right, high) = (
        (median_low([x for x, _ in part]), median_low([y for _, y in part]))
        for part in (points[:third], points[-third:])
    )
    return Fraction(high - low, right - left) if right > left else Fraction(0)


def differences(clocks: Iterable[Clock]) -> Counter[int]:
    """How often each difference between times of the same words occurs."""
    found = Counter[int]()
    for each in clocks:
        found.update(each.apart)
    return found


def at_share(numbers: Counter[int], share: Fraction) -> int:
    """The least of some numbers such that this share of them does not exceed it."""
    place = -(-share.numerator * numbers.total() // share.denominator)
    below = 0
    for number in sorted(numbers):
        below += numbers[number]
        if below >= place:
            return number
    raise AssertionError("no numbers")  # the caller has some
