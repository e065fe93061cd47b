"""Seconds, as people write them, into integer milliseconds; timed words into a document.

The decimal is taken as it stands in the file and rounded once, halves up, so that no binary
fraction ever decides a millisecond (definition, section 4). Halves go up below zero too: adding a
constant to all times never moves one of them against another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from itertools import accumulate

from ..documents.model import Document, Time, seconds
from ..documents.notes import Note
from ..errors import InputError, SerevalError

Word = tuple[int, int, str]
"""Start and end in ms, and the word."""

LATEST = 10**9
"""No time is further from zero than this, in seconds: some 31 years."""

LONGEST = 60_000
"""No spoken word takes longer than this, in ms. A whole window of Whisper's takes half of it."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_PLAIN = re.compile(r"([0-9]{1,8})\.([0-9]{1,3})")
_DURATION = re.compile(r"\s*(\S*?)\s*(ms|s)?\s*")

NOT_SECONDS = "words that last more than 60 s, as if their times were milliseconds"
UNTIMED = "words without times, put between their neighbours"
"""The notes on times of native documents, and on words that share a gap."""

NOT_FINAL = "results that are not final, skipped"
OTHERS = "alternatives after the first, skipped"
"""The notes on what a recogniser says besides its words."""


def number(text: str) -> Decimal:
    """The number that a text is, exactly.

    Args:
        text: a decimal, perhaps with an exponent; no white space, no underscore.

    Raises:
        SerevalError: anything else, and exponents of more than four digits.

    >>> number("-0.50"), number("1e3")
    (Decimal('-0.50'), Decimal('1E+3'))
    """
    if not _NUMBER.fullmatch(text):
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise SerevalError(f"found {shown!r}, expected a decimal number")
    return Decimal(text)


def milliseconds(seconds: str | int | Decimal) -> int:
    """A time in seconds as integer milliseconds, halves up.

    Args:
        seconds: the decimal as written, or a number that is exact already.

    Raises:
        SerevalError: not a number, not finite, or more than 10**9 s.

    >>> milliseconds("0.0005"), milliseconds("1.2344999"), milliseconds(2)
    (1, 1234, 2000)
    >>> milliseconds("-0.0005")
    0
    """
    if isinstance(seconds, str):
        plain = _PLAIN.fullmatch(seconds)  # what nearly all files hold, ten times as fast
        if plain:
            return int(plain[1]) * 1000 + int(plain[2].ljust(3, "0"))
        return _thousandths(number(seconds))
    return _thousandths(Decimal(seconds))


def parse_duration(text: str) -> int:
    """A duration given by a person, in ms.

    Args:
        text: seconds as a bare number, or with a unit: ``0.3``, ``0.3s``, ``300ms``.

    Raises:
        SerevalError: not a number, another unit, negative, or more than 10**9 s.

    >>> parse_duration("0.3"), parse_duration("300ms"), parse_duration("0.3 s")
    (300, 300, 300)
    """
    match = _DURATION.fullmatch(text)
    try:
        value = number(match[1] if match else text)
    except SerevalError:
        raise SerevalError(
            f"found {text!r}, expected a duration such as 0.3 (in seconds), 0.3s or 300ms"
        ) from None
    if value < 0:
        raise SerevalError(f"found {text!r}, expected a duration that is not negative")
    if match and match[2] == "ms":
        sign, digits, exponent = value.as_tuple()
        assert isinstance(exponent, int)  # it is a string for NaN and infinity only
        value = Decimal((sign, digits, exponent - 3))
    return _thousandths(value)


def check_span(start: int, end: int) -> None:
    """Refuse times, in ms, between which nothing can be said.

    Raises:
        SerevalError: a negative start, an end before it.
    """
    if start < 0:
        raise SerevalError(f"found {seconds(start)} s, expected a time that is not negative")
    if end < start:
        raise SerevalError(f"ends ({seconds(end)} s) before it starts ({seconds(start)} s)")


def spread(widths: list[int], start: int, end: int) -> list[Time]:
    """The times of words that share a gap by their widths, in whole ms.

    >>> spread([1, 3], 100, 200)
    [(100, 125), (125, 200)]
    """
    total = sum(widths)
    frontiers = [
        start + (2 * (end - start) * before + total) // (2 * total)
        for before in accumulate(widths, initial=0)
    ]
    return list(zip(frontiers, frontiers[1:], strict=False))


def too_long(times: Sequence[Time], words: Sequence[str]) -> int:
    """How many words last more than 60 s, if more than half of them do; else 0.

    Milliseconds read as seconds turn a word of 200 ms into one of 200 s. The rule looks at
    durations only: the time between words says nothing, since a recording of an hour may hold
    ten words. It asks for more than half of the words, since an aligner that fails on a few
    stretches them over minutes. A text of several words, such as an interval of a tier of
    utterances, may last 60 s for each of them. Words without length are not counted.

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


def check_seconds(words: Sequence[Word], path: str) -> None:
    """Refuse the words of a file whose times cannot be seconds.

    Raises:
        InputError: more than half of the words are ``too_long``.
    """
    found = too_long([(start, end) for start, end, _ in words], [word for _, _, word in words])
    if found:
        raise InputError(
            f"{found} of {len(words)} words last more than {LONGEST // 1000} s, expected times in "
            "seconds: are they milliseconds?",
            path=path,
        )


def timed(name: str, words: list[Word], path: str, notes: tuple[Note, ...] = ()) -> Document:
    """A document from all words of a file, which has their times in seconds.

    Args:
        name, words, path, notes: as for :func:`in_order`.

    Raises:
        InputError: the times cannot be seconds.
    """
    check_seconds(words, path)
    return in_order(name, words, path, notes)


def in_order(name: str, words: list[Word], path: str, notes: tuple[Note, ...] = ()) -> Document:
    """A document from timed words: by start time, ties in file order.

    Args:
        name: its id.
        words: ``(start, end, word)``, in ms, in file order.
        path: the file, as the user named it.
        notes: what the user is to know about the reading.

    >>> in_order("d", [(500, 800, "Budget"), (0, 300, "du")], "d.ctm").words
    ('du', 'Budget')
    """
    ordered = sorted(words, key=lambda word: word[0])
    return Document(
        name,
        tuple(word for _, _, word in ordered),
        times=tuple((start, end) for start, end, _ in ordered),
        source=path,
        notes=notes,
    )


def _thousandths(value: Decimal) -> int:
    """Quantized in one step: a product would be rounded twice where there are many digits."""
    if not value.is_finite() or abs(value) > LATEST:
        raise SerevalError(f"found {value:.9g} s, expected a time of at most {LATEST} s")
    half_up = ROUND_HALF_DOWN if value < 0 else ROUND_HALF_UP  # they name directions from zero
    return int(value.quantize(Decimal("0.001"), rounding=half_up).scaleb(3))
