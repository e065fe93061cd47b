"""Alternatives: stretches of words that may be said in other words, such as 2020: twenty twenty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import SerevalError


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
    """Check the alternatives of a document.

    Args:
        alternatives: in the order of their stretches, by start and then by end; two stretches may
            share words, but not be equal.
        n: the number of words of the document.

    Raises:
        SerevalError: an empty stretch or one outside the document, stretches out of order, no
            reading, or an empty word.

    >>> check_alternatives([Alternative(0, 1, ())], 1)
    Traceback (most recent call last):
    sereval.errors.SerevalError: alternative [0, 1) has no reading, expected one or more
    """
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
