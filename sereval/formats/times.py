"""Convert decimal seconds to integer milliseconds, and timed words to a document.

A decimal is rounded once, halves up, from its text, so binary fractions have no effect (definition,
section 4). Halves go up below zero too, so that a constant added to all times keeps their
differences.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor

from ..documents.model import Time, seconds
from ..documents.words import Cut
from ..errors import SerevalError, with_place
from .file import quote

Word = tuple[int, int, str]
"""Start and end in ms, and the word."""

LATEST = 10**9
"""The greatest distance of a time from zero, in seconds: about 31 years."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_PLAIN = re.compile(r"([0-9]{1,8})\.([0-9]{1,3})")
_PLAIN_TEXT = re.compile(r"(?:[0-9]{1,8}\.[0-9]{1,3} )*+")

NOT_SECONDS = "words that last more than 60 s, as if their times were milliseconds"
UNTIMED = "words without times, put between their neighbours"
"""Texts of notes on the times of native documents, and on words that share a gap."""

NOT_FINAL = "results that are not final, skipped"
OTHERS = "alternatives after the first, skipped"
"""Texts of notes on parts of a recogniser's output that are not read."""


def number(text: str) -> Decimal:
    """The exact value of a decimal number."""
    if not is_number(text):
        raise SerevalError(f"found {quote(text)}, expected a decimal number")
    return Decimal(text)


def is_number(text: str) -> bool:
    """Whether :func:`number` takes a text."""
    return _NUMBER.fullmatch(text) is not None


def milliseconds(time: str | int | Decimal, units: int = 1) -> int:
    """A time in seconds as integer milliseconds, halves up."""
    if isinstance(time, str) and units == 1 and (plain := _PLAIN.fullmatch(time)):
        return int(plain[1]) * 1000 + int(plain[2].ljust(3, "0"))  # ten times as fast
    value = number(time) if isinstance(time, str) else Decimal(time)
    if not value.is_finite() or abs(value) > LATEST * units:
        raise SerevalError(f"found {value / units:.9g} s, expected a time of at most {LATEST} s")
    return floor(Fraction(value) * 1000 / units + Fraction(1, 2))


def plain_milliseconds(text: str) -> list[int] | None:
    """Times in seconds as integer milliseconds, if all have a plain form."""
    if not _PLAIN_TEXT.fullmatch(text):
        return None
    return [round(1000 * float(number)) for number in text.split()]


def span_of(**texts: str) -> Time:
    """The time of a word, from texts in seconds by the names that messages give them."""
    return check_span(*(with_place(name, milliseconds, text) for name, text in texts.items()))


def check_span(start: int, end: int) -> Time:
    """The start and the end of a word, if one can have them."""
    if start < 0:
        raise SerevalError(f"found {seconds(start)} s, expected a time that is not negative")
    if end < start:
        raise SerevalError(f"ends ({seconds(end)} s) before it starts ({seconds(start)} s)")
    return start, end


SPREAD = "words without times of their own, given some by their length"


def spread(widths: list[int], start: int, end: int) -> list[Time]:
    """The times of words that share a gap in proportion to their widths."""
    total = sum(widths) or 1
    frontiers = [
        start + (2 * (end - start) * before + total) // (2 * total)
        for before in accumulate(widths, initial=0)
    ]
    return [*pairwise(frontiers)]


class Moments:
    """The times of words of which only some moments have one, as in turns with ``<Sync>``.

    Args:
        words: the words so far; the reader adds to this list.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.times: list[Time] = []
        self.breaks: list[int] = []
        self.now = self.end = 0

    def enter(self, start: int, end: int) -> None:
        """Begin a turn."""
        self.end = end
        self.advance(start)

    def advance(self, time: int) -> None:
        """Go on to a moment, which is not before the last one or after the turn."""
        if not self.now <= time <= self.end:
            raise SerevalError(
                f"time {seconds(time)} s, expected {seconds(self.now)} s (the time before) "
                f"to {seconds(self.end)} s (the end of the turn)"
            )
        widths = [len(word) for word in self.words[len(self.times) :]]
        self.times += spread(widths, self.now, time)
        self.now = time
        if self.words and self.breaks[-1:] != [len(self.words)]:
            self.breaks.append(len(self.words))


def share(words: Cut, stretches: Iterable[tuple[int, int, int, int]]) -> tuple[list[Time], int]:
    """The times of the words of a text, of which some stretches have times."""
    found: list[list[int]] = [[] for _ in words.words]
    shared: set[int] = set()
    for start, end, first, last in stretches:
        inside = range(bisect_right(words.ends, first), bisect_left(words.starts, last))
        if first == last:
            continue
        shared.update(inside if len(inside) > 1 else ())
        widths = [min(words.ends[k], last) - max(words.starts[k], first) for k in inside]
        for k, time in zip(inside, spread(widths, start, end), strict=True):
            found[k] += time
    return [(min(one), max(one)) for one in found], len(shared)


def fill(texts: Sequence[str], times: Sequence[Time | None], around: Time) -> list[Time]:
    """The times of all words; words without times share the gap between the others by length."""
    found: list[Time] = []
    before, end = around
    known = [(k, time) for k, time in enumerate(times) if time is not None]
    last = max(end, known[-1][1][1] if known else before)
    for k, (start, end) in (*known, (len(times), (last, last))):
        if gap := [len(text) for text in texts[len(found) : k]]:
            found += spread(gap, min(before, start), start)
        found.append((start, end))
        before = end
    return found[:-1]
