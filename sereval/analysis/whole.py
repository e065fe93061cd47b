"""Whole numbers of any size in arrays: sums of units that are resampled exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm
from typing import TYPE_CHECKING, Any

from ..measures.rates import RateSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]  # 64 bits, or Python's integers where those are too few

Whole = tuple[int, int]
"""The sums of a unit as whole numbers."""


def whole(systems: Mapping[str, Sequence[RateSums]]) -> dict[str, list[Whole]]:
    """The sums of all units of all systems, multiplied by one number that makes them whole."""
    every = {number.denominator for sums in systems.values() for pair in sums for number in pair}
    scale = lcm(*every)
    return {
        name: [(int(above * scale), int(below * scale)) for above, below in sums]
        for name, sums in systems.items()
    }


def numbers(rows: Sequence[Sequence[int]]) -> Numbers:
    """An array of whole numbers, which are Python's where they could exceed 64 bits."""
    import numpy as np

    greatest = max((abs(number) for row in rows for number in row), default=0)
    return np.array(rows, dtype=np.int64 if greatest < 1 << 62 else object)


def product(times: Numbers, table: Numbers) -> Numbers:
    """The product of two matrices of whole numbers, exactly."""
    import numpy as np

    most = int(times.sum(axis=1).max(initial=1))
    bits = 53 - max(1, most).bit_length()
    greatest = int(np.abs(table).max(initial=0))
    often = times.astype(np.float64)
    if greatest < 1 << bits:
        product: Numbers = (often @ table.astype(np.float64)).astype(np.int64)
        return product
    left, place, total = table.astype(object), 0, np.zeros((len(times), table.shape[1]), object)
    while np.any(left != 0):
        digit = left % (1 << bits)
        is_last = np.all((left == digit) | (left == digit - (1 << bits)))
        digit, left = (left, left * 0) if is_last else (digit, left >> bits)
        part = (often @ digit.astype(np.float64)).astype(np.int64).astype(object)
        total, place = total + (part << place), place + bits
    return total
