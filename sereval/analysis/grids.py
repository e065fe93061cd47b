"""The points of a sweep: tolerances in time or in words, extent tolerances, or confidences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ..documents.model import seconds
from ..errors import SerevalError
from ..projection.project import LONGEST, parse_duration
from ..schemes.measure import Measure
from ..schemes.options import InWords, Value

MOST_POINTS = 1001
"""The most points of a sweep."""

MOST_WORDS = 999
"""The greatest tolerance in words."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What changes from point to point of a sweep."""

    name: str  # of the setting that changes, as headings and keys of reports have it
    # "s": points in ms; "w": tolerances in words; empty: numbers of words of another setting
    unit: str

    def text(self, point: int) -> str:
        """A point as signatures and options write it; one in time is in seconds."""
        return seconds(point) if self.unit == "s" else f"{point}{self.unit}"

    def span(self, first: int, last: int, before: str = "from", between: str = "to") -> str:
        """Two points in a sentence, or one, with their unit."""
        name = "" if self.name == TIME.name else f"{self.name} "
        shown = f"{before} {name}{self.text(first)} {between} {self.text(last)}"
        if first == last:
            shown = f"at {name}{self.text(first)}"
        return f"{shown} s" if self.unit == "s" else shown

    def grid_text(self, points: Sequence[int]) -> str:
        """All points as a signature writes them; equal points always give the same text."""
        steps = {after - before for before, after in pairwise(points)}
        if len(steps) == 1:
            return ":".join(map(self.text, (points[0], points[-1], *steps)))
        return ",".join(map(self.text, points))

    def along(
        self, measures: Sequence[Measure], points: Sequence[int]
    ) -> dict[Measure, list[Measure]]:
        """Measures, and each at each point."""
        if not any(one.family.takes(self.name) for one in measures):
            names = ", ".join(map(str, measures))
            raise SerevalError(f"no {self.name} changes {names}, expected another measure")
        for one in measures:
            if self.name in one.given:
                raise SerevalError(f"measure {one}, expected it without {self.name}")
        values: list[Value] = [(at, at) if self.unit == "s" else InWords(at) for at in points]
        return {one: [one.beside({self.name: value}) for value in values] for one in measures}


TIME = Axis("tolerance", "s")
WORDS = Axis("tolerance", "w")
EXTENT = Axis("extent", "")


def axis_of(points: Sequence[int]) -> Axis:
    """The axis of some tolerances."""
    return WORDS if isinstance(points[0], InWords) else TIME


def grid(text: str) -> tuple[int, ...]:
    """Parse tolerances from ``START:STOP:STEP`` or from a list.

    Args:
        text: numbers in seconds, or with the unit ``ms`` or ``s``; or numbers of words, with the
            unit ``w``. STOP is included where a step reaches it.

    Returns:
        Tolerances in ms, or in words, increasing.

    Raises:
        SerevalError: the text has neither form; a number is not a whole number of ms or of words;
            the step is less than 1 ms or one word; STOP is before START; the list does not
            increase; there are more than ``MOST_POINTS`` tolerances.

    >>> grid("0:0.1:0.05"), grid("0,100ms,0.3"), grid("0w:2w:1w")
    ((0, 50, 100), (0, 100, 300), (0, 1, 2))
    """
    if text.rstrip().endswith("w"):
        return tuple(map(InWords, _points(text, _words, WORDS.text)))
    found = _points(text, _whole, seconds)
    if found[-1] > LONGEST:
        raise SerevalError(f"found {text!r}, expected at most {LONGEST // 1000} s")
    return found


def extents(text: str) -> tuple[int, ...]:
    """Parse extent tolerances from ``START:STOP:STEP`` or from a list."""
    return _points(text, _number, EXTENT.text)


class Confidences(NamedTuple):
    """Thresholds of confidence: increasing, none for all that occur; and as signatures write them.

    >>> confidences("0:1:0.50"), confidences("all")
    (Confidences(points=(0.0, 0.5, 1.0), text='0:1:0.5'), Confidences(points=(), text='all'))
    """

    points: tuple[float, ...]
    text: str


def confidences(text: str) -> Confidences:
    """Parse thresholds from ``all``, ``START:STOP:STEP`` or a list."""
    if text.strip() == "all":
        return Confidences((), "all")
    found = _points(text, _millionths, lambda one: f"{one / MILLION:g}")
    shown = (":" if ":" in text else ",").join(
        f"{_millionths(part, 0) / MILLION:g}" for part in re.split("[:,]", text)
    )
    return Confidences(tuple(one / MILLION for one in found), shown)


MILLION = 10**6


def _millionths(text: str, least: int) -> int:
    """Parse a decimal from 0 to 1."""
    bare = text.strip()
    found = int(Decimal(bare) * MILLION) if re.fullmatch(r"[01](\.[0-9]{1,6})?", bare) else -1
    if not least <= found <= MILLION:
        raise SerevalError(f"found {bare!r}, expected all, or decimals from 0 to 1 such as 0.5")
    return found


def _points(
    text: str, parse: Callable[[str, int], int], shown: Callable[[int], str]
) -> tuple[int, ...]:
    """The points of a range or of a list."""
    if ":" not in text:
        points = tuple(parse(part, 0) for part in text.split(","))
        for before, after in pairwise(points):
            if after <= before:
                raise SerevalError(
                    f"found {shown(after)} after {shown(before)}, expected an increasing list"
                )
    else:
        parts = text.split(":")
        if len(parts) != 3:
            raise SerevalError(
                f"found {text!r}, expected START:STOP:STEP such as 0:1:0.05, "
                "or a list such as 0,0.1,0.3"
            )
        start, stop = parse(parts[0], 0), parse(parts[1], 0)
        step = parse(parts[2], 1)
        if stop < start:
            raise SerevalError(f"found {text!r}, expected a stop that is not before the start")
        points = tuple(range(start, stop + 1, step)[: MOST_POINTS + 1])
    if len(points) > MOST_POINTS:
        raise SerevalError(f"found {text!r}, expected at most {MOST_POINTS} tolerances")
    return points


def _whole(text: str, least: int) -> int:
    """Parse a duration in ms, without rounding: a rounded step would move all later points."""
    rounded = parse_duration(text)
    bare = text.strip()
    unit = 1 if bare.endswith("ms") else 1000
    exact = Fraction(Decimal(bare.removesuffix("ms").removesuffix("s").strip())) * unit
    if exact < least:
        raise SerevalError(f"found a step of {text.strip()!r}, expected 1 ms (0.001) or more")
    if exact != rounded:
        raise SerevalError(f"found {text.strip()!r}, expected whole milliseconds")
    return rounded


def _words(text: str, least: int) -> int:
    """Parse a number of words with its unit."""
    bare = text.strip()
    if not bare.endswith("w"):
        raise SerevalError(f"found {bare!r}, expected a number of words such as 1w")
    return _number(bare.removesuffix("w"), least)


def _number(text: str, least: int) -> int:
    """Parse a number of words."""
    bare = text.strip()
    if not re.fullmatch(r"[0-9]{1,3}", bare) or int(bare) < least:
        expected = f"a whole number of words from {least} to {MOST_WORDS}"
        raise SerevalError(f"found {bare!r}, expected {expected}")
    return int(bare)
