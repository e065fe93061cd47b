"""Quantiles of the beta and of Student's distribution, for bounds and intervals.

Source: the continued fraction of the incomplete beta function (Abramowitz and Stegun 1964,
26.5.8), evaluated as Lentz 1976 does.
"""

from __future__ import annotations

from functools import cache
from math import exp, lgamma, log, log1p, sqrt

TINY = 1e-300
"""Stands for 0 in a denominator."""


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function: the share of the distribution below ``x``."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or TINY)
    value, m = d, 1
    while True:
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for step in (even, odd):
            d = 1 / ((1 + step * d) or TINY)
            c = (1 + step / c) or TINY
            value *= c * d
        if value == before or m > 10_000:
            return front * value
        m += 1


def beta_quantile(share: float, a: float, b: float) -> float:
    """The place below which a share of the beta distribution lies, to the last digit."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if beta_share(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return middle


@cache
def student_quantile(share: float, freedom: float) -> float:
    """The place below which a share of Student's distribution lies."""
    if share > 0.5:
        return -student_quantile(1 - share, freedom)
    x = beta_quantile(2 * share, freedom / 2, 0.5)
    return -sqrt(freedom * (1 - x) / x)
