"""Numbers and places in the reports: their text, and their JSON numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..documents.model import Time, seconds
from ..measures.slots import decimal


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the singular or the plural.

    >>> counted(1, "element"), counted(2, "element")
    ('1 element', '2 elements')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def percent(rate: Fraction | float | None, digits: int = 1) -> str:
    """A rate in percent; ``n/a`` for ``None``. Only an exact 0 or 1 is shown as 0.0 or 100.0.

    >>> percent(0.12345), percent(0.0001), percent(0.99999), percent(1.00001), percent(None)
    ('12.3', '0.1', '99.9', '100.1', 'n/a')
    """
    return rounded(rate, digits, (0.0, 1.0), 100)


def rounded(
    value: Fraction | float | None, digits: int, ends: Sequence[float], scale: int = 1
) -> str:
    """A value times ``scale``, rounded; ``n/a`` for ``None``.

    Args:
        value: the exact value.
        digits: the number of decimal places.
        ends: values that the result shows only if ``value`` is exactly equal to one of them.
        scale: the factor, such as 100 for percent.

    >>> rounded(0.99996, 3, (-1.0, 0.0, 1.0)), rounded(-0.0001, 3, (-1.0, 0.0, 1.0))
    ('0.999', '-0.001')
    """
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
    """A difference of rates in percentage points, with its sign; only an exact 0 is shown as 0.0.

    >>> points(Fraction(1, 8)), points(-0.0001), points(0.0), points(None)
    ('+12.5', '-0.1', '0.0', 'n/a')
    """
    if rate is None or rate == 0:
        return percent(None if rate is None else 0.0, digits)
    return ("+" if rate > 0 else "-") + percent(abs(float(rate)), digits)


def signed(cost: Fraction) -> str:
    """An exact cost with its sign.

    >>> signed(Fraction(3, 2)), signed(Fraction(-2)), signed(Fraction(0))
    ('+1.5', '-2', '0')
    """
    return f"{'+' if cost > 0 else '-' if cost < 0 else ''}{decimal(abs(cost))}"


def chance(p: Fraction | None) -> str:
    """A p-value to four places, or ``<0.0001``; ``n/a`` for ``None``.

    >>> chance(Fraction(1, 10001)), chance(Fraction(1, 32)), chance(None)
    ('<0.0001', '0.0312', 'n/a')
    """
    if p is None:
        return "n/a"
    return "<0.0001" if p < Fraction(1, 10_000) else f"{float(p):.4f}"


def located(time: Time | None, span: tuple[int, int] | None) -> str:
    """The time of something in the recording or, without times, the numbers of its words.

    Args:
        time: start and end in ms.
        span: start and end frontier. Words are counted from 1 in the text.

    Returns:
        The text; empty if there is neither a time nor a span.

    >>> located((1000, 2500), (0, 2)), located(None, (0, 2)), located(None, (3, 4))
    ('1–2.5 s', 'words 1–2', 'word 4')
    """
    if time is not None:
        return f"{seconds(time[0])}–{seconds(time[1])} s"
    if span is None:
        return ""
    start, end = span
    return f"word {end}" if end == start + 1 else f"words {start + 1}–{end}"


def number(value: Fraction) -> int | float:
    """An exact value as a JSON number: an integer if it is whole.

    >>> number(Fraction(4, 2)), number(Fraction(1, 2))
    (2, 0.5)
    """
    return value.numerator if value.denominator == 1 else float(value)


def real(value: Fraction | None) -> float | None:
    """An exact rate as a JSON number; ``None`` if it is undefined.

    >>> real(Fraction(1, 2)), real(None)
    (0.5, None)
    """
    return None if value is None else float(value)
