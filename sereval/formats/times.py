"""Convert decimal seconds to integer milliseconds, and timed words to a document.

A decimal is rounded once, halves up, from its text, so binary fractions have no effect (definition,
section 4). Halves go up below zero too, so that a constant added to all times keeps their
differences.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, groupby
from math import floor

from ..documents.model import Time, seconds
from ..documents.words import Cut
from ..errors import SerevalError

Word = tuple[int, int, str]
"""Start and end in ms, and the word."""

LATEST = 10**9
"""The greatest distance of a time from zero, in seconds: about 31 years."""

LONGEST = 60_000
"""The longest possible word, in ms. A whole window of Whisper lasts half as long."""

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
    """The exact value of a decimal number.

    Args:
        text: a decimal, with or without an exponent; no white space, no underscore.

    Raises:
        SerevalError: another text, or an exponent of more than four digits.

    >>> number("-0.50"), number("1e3")
    (Decimal('-0.50'), Decimal('1E+3'))
    """
    if not is_number(text):
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise SerevalError(f"found {shown!r}, expected a decimal number")
    return Decimal(text)


def is_number(text: str) -> bool:
    """Whether :func:`number` takes a text.

    >>> is_number("1e3"), is_number("1_000")
    (True, False)
    """
    return _NUMBER.fullmatch(text) is not None


def milliseconds(time: str | int | Decimal, units: int = 1) -> int:
    """A time in seconds as integer milliseconds, halves up.

    Args:
        time: a decimal as text, or an exact number.
        units: the number of its units in a second, if they are others.

    Raises:
        SerevalError: not a number, not finite, or more than 10**9 s.

    >>> milliseconds("0.0005"), milliseconds("1.2344999"), milliseconds(2)
    (1, 1234, 2000)
    >>> milliseconds("-0.0005"), milliseconds("1500.5", 1000)
    (0, 1501)
    """
    if isinstance(time, str) and units == 1 and (plain := _PLAIN.fullmatch(time)):
        return int(plain[1]) * 1000 + int(plain[2].ljust(3, "0"))  # ten times as fast
    value = number(time) if isinstance(time, str) else Decimal(time)
    if not value.is_finite() or abs(value) > LATEST * units:
        raise SerevalError(f"found {value / units:.9g} s, expected a time of at most {LATEST} s")
    return floor(Fraction(value) * 1000 / units + Fraction(1, 2))


def plain_milliseconds(text: str) -> list[int] | None:
    """Times in seconds as integer milliseconds, if all have a plain form.

    The result equals that of :func:`milliseconds`, several times as fast. A number below 10**8 with
    at most three decimals is a whole number n of ms below 10**11. Converting it to a float and
    multiplying it by 1000 each add an error of less than one part in 2**52, together less than
    10**-4 ms, so that the nearest integer is n.

    Args:
        text: decimals, each with a space after it.

    Returns:
        The times; ``None`` if a number has another form, so that the caller must read each by
        itself.

    >>> plain_milliseconds("0.25 1.5 "), plain_milliseconds("0.250 1.500 ")
    ([250, 1500], [250, 1500])
    >>> plain_milliseconds("0.25 1 ")
    """
    decimals = len(text.partition(" ")[0].partition(".")[2])
    if re.fullmatch(rf"(?:[0-9]{{1,8}}\.[0-9]{{{decimals}}} )*+", text) and 0 < decimals < 4:
        return [int(number) * 10 ** (3 - decimals) for number in text.replace(".", "").split()]
    if _PLAIN_TEXT.fullmatch(text):
        return [round(1000 * float(number)) for number in text.split()]
    return None


def check_span(start: int, end: int) -> None:
    """Refuse a start and an end that no word can have.

    Args:
        start, end: in ms.

    Raises:
        SerevalError: a negative start, or an end before the start.
    """
    if start < 0:
        raise SerevalError(f"found {seconds(start)} s, expected a time that is not negative")
    if end < start:
        raise SerevalError(f"ends ({seconds(end)} s) before it starts ({seconds(start)} s)")


SPREAD = "words without times of their own, given some by their length"


def spread(widths: list[int], start: int, end: int) -> list[Time]:
    """The times of words that share a gap in proportion to their widths.

    Args:
        widths: width of each word, such as its number of characters.
        start, end: the gap, in ms.

    >>> spread([1, 3], 100, 200)
    [(100, 125), (125, 200)]
    """
    total = sum(widths) or 1
    frontiers = [
        start + (2 * (end - start) * before + total) // (2 * total)
        for before in accumulate(widths, initial=0)
    ]
    return list(zip(frontiers, frontiers[1:], strict=False))


class Moments:
    """The times of words of which only some moments have one, as in turns with ``<Sync>``.

    The words between two moments share the time between them by their length (``spread``).

    Args:
        words: the words so far; the reader adds to this list.

    Attributes:
        times: start and end of the words before ``now``, in ms.
        breaks: the frontiers at moments, in order.
        now, end: the last moment, and the end of the turn, in ms.

    >>> words: list[str] = []
    >>> moments = Moments(words)
    >>> moments.enter(1000, 3000)
    >>> words += ["Newt", "said"]
    >>> moments.advance(2000)
    >>> moments.times
    [(1000, 1500), (1500, 2000)]
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
    """The times of the words of a text, of which some stretches have times.

    The words in a stretch share its time by their length; a word may go on over several.

    Args:
        words: the words.
        stretches: of each stretch start and end in ms, first and last character.

    Returns:
        The times, and the number of words that share the time of a stretch with others.

    >>> from sereval.documents.words import cut
    >>> share(cut("à Bretagne", ()), [(0, 200, 0, 3), (200, 800, 3, 10)])
    ([(0, 100), (100, 800)], 2)
    """
    found: list[list[int]] = [[] for _ in words.words]
    shared: set[int] = set()
    for start, end, first, last in stretches:
        inside = range(bisect_right(words.ends, first), bisect_left(words.starts, last))
        if first == last or not inside:
            continue
        shared.update(inside if len(inside) > 1 else ())
        widths = [min(words.ends[k], last) - max(words.starts[k], first) for k in inside]
        for k, time in zip(inside, spread(widths, start, end), strict=True):
            found[k] += time
    return [(min(one), max(one)) for one in found], len(shared)


def fill(
    texts: Sequence[str], times: Sequence[Time | None], around: Callable[[], Time]
) -> list[Time]:
    """The times of all words; words without times share the gap between the others by length.

    Args:
        texts: the words.
        times: ``(start, end)`` of each word in ms; ``None`` where it is unknown.
        around: gives the span that holds all words; called only if the first or last has no time.

    >>> fill(["a", "bcd", "e"], [(0, 100), None, (300, 400)], lambda: (0, 400))
    [(0, 100), (100, 300), (300, 400)]
    """
    found: list[Time] = []
    for is_untimed, group in groupby(range(len(times)), lambda k: times[k] is None):
        run = list(group)
        if not is_untimed:
            found += [time for k in run if (time := times[k])]
            continue
        later = times[run[-1] + 1] if run[-1] + 1 < len(times) else None
        before = found[-1][1] if found else around()[0]
        after = later[0] if later else max(before, around()[1])
        found += spread([len(texts[k]) for k in run], min(before, after), after)
    return found


def too_long(times: Sequence[Time], words: Sequence[str]) -> int:
    """The number of words that last more than 60 s, if they are more than half of all; else 0.

    Milliseconds read as seconds turn a word of 200 ms into one of 200 s. The rule uses durations
    only: a recording of an hour may have ten words, so that the time between words means nothing.
    It requires more than half of the words, because an aligner that fails on a few words stretches
    them over minutes. A text of several words, such as an utterance, may last 60 s for each word.
    Words without length do not count.

    Args:
        times: start and end of each word, in ms.
        words: the words.

    >>> too_long([(250_000, 1_100_000), (2_000_000, 2_000_200)], ["du", "Budget"])
    0
    >>> too_long([(250_000, 1_100_000), (1_100_000, 1_100_000)], ["du", "Budget"])
    1
    """
    lengths = [end - start for start, end in times]
    if max(lengths, default=0) <= LONGEST:
        return 0
    pairs = zip(lengths, words, strict=False)
    counted = [(ms, len(word.split())) for ms, word in pairs if ms]
    found = sum(ms > LONGEST * max(pieces, 1) for ms, pieces in counted)
    return found if 2 * found > len(counted) else 0
