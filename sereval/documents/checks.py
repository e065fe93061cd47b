"""Checks of values from outside: names, frontiers, numbers, nesting, alternatives."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import combining, normalize

from ..errors import SerevalError, one_line

if TYPE_CHECKING:
    from .model import Element


MOST_DIGITS = 15
"""The most characters of a whole number in a file; no index, line or offset needs more."""


def whole_number(digits: str) -> int:
    """Read a whole number of a file."""
    if len(digits) > MOST_DIGITS:
        raise SerevalError(f"found {digits[:MOST_DIGITS]}…, expected a smaller number")
    return int(digits)


MOST_MARKS = 1_000
"""The most combining marks on one letter; no script needs more than three or four."""


def canonical(text: str) -> str:
    """A text with its accents composed in one way (NFC)."""
    if len(text) > MOST_MARKS and not text.isascii():
        marks = 0
        for c in text:
            marks = marks + 1 if combining(c) else 0
            if marks > MOST_MARKS:
                begins = one_line(text[:10])
                raise SerevalError(
                    f"a letter of {begins!r}… has more than {MOST_MARKS} combining marks, "
                    "expected fewer"
                )
    return normalize("NFC", text)


@contextmanager
def limited_depth(refusal: SerevalError) -> Iterator[None]:
    """A context for code that recurses as deep as its input is nested."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    except RecursionError:
        raise refusal from None
    finally:
        if is_on:
            gc.enable()


def check_names(id: str, words: Sequence[str]) -> None:
    """Refuse an id or a word that is empty or no string, and words that are no tuple."""
    if not isinstance(id, str) or not id:
        raise SerevalError(f"a document has the id {id!r}, expected a text that is not empty")
    if not isinstance(words, tuple):
        raise SerevalError(f"{id}: words in a {type(words).__name__}, expected a tuple")
    if all(words) and {*map(type, words)} <= {str}:
        return
    for k, word in enumerate(words):
        if not isinstance(word, str) or not word:
            raise SerevalError(f"{id}: word {k} is {word!r}, expected a text that is not empty")


def check_whole(numbers: Iterable[object], what: str) -> None:
    """Refuse a frontier or a time that is not an integer, such as a float or a bool."""
    for number in numbers:
        if type(number) is not int:
            raise SerevalError(f"{what} {number!r}, expected an integer")


def checked_span(span: Any) -> Sequence[Any]:
    """A span as it is, if it is ``(label, start, end)``, which more may follow."""
    is_list = isinstance(span, tuple | list)
    if is_list and 3 <= len(span) <= 6 and type(span[1]) is type(span[2]) is int:
        return span  # type: ignore[no-any-return]
    is_first = is_list and span and isinstance(span[0], int)
    offsets = "; from_offsets takes (start, end, label) in characters" if is_first else ""
    raise SerevalError(
        f"found {cut_short(span)}, expected (label, start, end) in words, such as ('LOC', 0, 2)"
        f"{offsets}"
    )


def cut_short(value: object) -> str:
    """A value of a user as a message shows it: on one line, of at most 60 characters."""
    shown = " ".join(repr(value).split())
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def check_increasing(frontiers: Sequence[int], low: int, high: int, what: str) -> None:
    """Refuse frontiers that are no increasing tuple within ``low`` to ``high``."""
    if not isinstance(frontiers, tuple):
        raise SerevalError(f"{what}: a {type(frontiers).__name__}, expected a tuple of frontiers")
    check_whole(frontiers, f"{what} at")
    before = low - 1
    for k in frontiers:
        if not low <= k <= high:
            inside = f"frontiers from {low} to {high}" if low <= high else "none, there is no room"
            raise SerevalError(f"{what} at {k}, expected {inside}")
        if k <= before:
            again = "stands twice" if k == before else f"comes after {before}"
            raise SerevalError(f"{what} at {k}, which {again}; expected increasing frontiers")
        before = k


# Alternatives


class Alternative(NamedTuple):
    """A stretch of words with other readings.

    Args:
        start, end: the frontiers of the stretch.
        readings: what may be said in place of its words, each reading as words, in order of
            preference; in a reading without words nothing is said.

    >>> Alternative(3, 4, (("twenty", "twenty"), ("two", "thousand", "twenty"))).readings[0]
    ('twenty', 'twenty')
    """

    start: int
    end: int
    readings: tuple[tuple[str, ...], ...]


def check_alternatives(alternatives: Sequence[Alternative], n: int) -> None:
    """Check the alternatives of a document."""
    last = (-1, -1)
    for start, end, readings in alternatives:
        what = f"alternative [{start}, {end})"
        if not 0 <= start < end <= n:
            raise SerevalError(f"{what}, expected words within 0..{n}")
        if (start, end) <= last:
            raise SerevalError(f"{what} after [{last[0]}, {last[1]}), expected them in order")
        if not readings:
            raise SerevalError(f"{what} has no reading, expected one or more")
        if not all(all(reading) for reading in readings):
            raise SerevalError(f"{what} has a reading with an empty word, expected words")
        last = (start, end)


def check_element(element: Element, n: int) -> None:
    """Refuse an element without a label, without words, or outside the words of a document."""
    if not isinstance(element.label, str) or not element.label:
        raise SerevalError(f"element {element} has no label")
    check_whole((element.start, element.end), "an element has the frontier")
    if element.start >= element.end:
        raise SerevalError(f"element {element} is empty")
    if element.start < 0 or element.end > n:
        raise SerevalError(f"element {element} is outside the {n} words")


def disorder(sibling: Element, element: Element) -> str:
    """The message for an element that starts before the sibling ahead of it ends."""
    if element.end <= sibling.start:
        return f"element {element} comes after {sibling}, expected document order; see tree()"
    inside = sibling.start <= element.start and element.end <= sibling.end
    around = element.start <= sibling.start and sibling.end <= element.end
    if inside or around:
        return f"elements {sibling} and {element} overlap as siblings, expected one in the other"
    return f"elements {sibling} and {element} cross"


# Crossing spans: two spans cross if they overlap and neither contains the other.

Span = tuple[int, int]
"""The frontiers ``(start, end)`` of words."""


def crossing(spans: Sequence[Span]) -> tuple[int, int] | None:
    """Indices of two spans that cross, in order of their starts; ``None``: no spans cross."""
    around: list[int] = []
    for k in sorted(range(len(spans)), key=lambda k: (spans[k][0], -spans[k][1])):
        start, end = spans[k]
        while around and spans[around[-1]][1] <= start:
            around.pop()
        if around and spans[around[-1]][1] < end:
            return around[-1], k
        around.append(k)
    return None


def uncrossed(spans: Sequence[Span]) -> list[int]:
    """Indices of the spans that cross no span kept before them, in order."""
    kept: list[int] = []
    furthest: dict[int, int] = {}  # the largest end of the kept spans, by start
    earliest: dict[int, int] = {}  # the smallest start of the kept spans, by end
    for k, (start, end) in enumerate(spans):
        inside = range(start + 1, end)
        if any(furthest.get(p, end) > end or earliest.get(p, start) < start for p in inside):
            continue
        kept.append(k)
        furthest[start] = max(furthest.get(start, end), end)
        earliest[end] = min(earliest.get(end, start), start)
    return kept
