"""Numbers and places in the reports: their text, and their JSON numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..documents.model import Time, seconds
from ..measures.slots import decimal


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the singular or the plural."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def percent(rate: Fraction | float | None, digits: int = 1) -> str:
    """A rate in percent; ``n/a`` for ``None``. Only an exact 0 or 1 is shown as 0.0 or 100.0."""
    return rounded(rate, digits, (0.0, 1.0), 100)


def rounded(
    value: Fraction | float | None, digits: int, ends: Sequence[float], scale: int = 1
) -> str:
    """A value times ``scale``, rounded; ``n/a`` for ``None``."""
    if value is None:
        return "n/a"
    value = float(value)
    shown = round(scale * value, digits)
    least = 10.0**-digits
    for end in ends:
        if shown == scale * end and value != end:
            shown += least if value > end else -least
    return f"{shown:.{digits}f}"


def points(rate: Fraction | float | None, digits: int = 1) -> str:
    """A difference of rates in percentage points, with its sign; only an exact 0 is 0.0."""
    if rate is None or rate == 0:
        return percent(None if rate is None else 0.0, digits)
    return ("+" if rate > 0 else "-") + percent(abs(float(rate)), digits)


def signed(cost: Fraction) -> str:
    """An exact cost with its sign."""
    return f"{'+' if cost > 0 else '-' if cost < 0 else ''}{decimal(abs(cost))}"


def chance(p: Fraction | None) -> str:
    """A p-value to four places, or ``<0.0001``; ``n/a`` for ``None``."""
    if p is None:
        return "n/a"
    return "<0.0001" if p < Fraction(1, 10_000) else f"{float(p):.4f}"


def located(time: Time | None, span: tuple[int, int] | None) -> str:
    """The time of something in the recording or, without times, the numbers of its words."""
    if time is not None:
        return f"{seconds(time[0])}–{seconds(time[1])} s"
    if span is None:
        return ""
    start, end = span
    return f"word {end}" if end == start + 1 else f"words {start + 1}–{end}"


def number(value: Fraction) -> int | float:
    """An exact value as a JSON number: an integer if it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def real(value: Fraction | None) -> float | None:
    """An exact rate as a JSON number; ``None`` if it is undefined."""
    return None if value is None else float(value)
