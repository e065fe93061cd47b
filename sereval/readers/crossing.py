"""Spans that cross: they overlap, and neither is inside the other. No tree can have both."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]


def crossing(spans: Sequence[Span]) -> tuple[int, int] | None:
    """Indices of two spans that cross, the one that starts first ahead, if any do.

    >>> crossing([(0, 2), (1, 3), (0, 3)]), crossing([(0, 2), (2, 3), (0, 1)])
    ((0, 1), None)
    """
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
    """Indices of the spans that cross none of those kept before them, in order.

    >>> uncrossed([(0, 2), (1, 3), (0, 3)])
    [0, 2]
    """
    kept: list[int] = []
    for k, (start, end) in enumerate(spans):
        others = (spans[other] for other in kept)
        if not any(a < start < b < end or start < a < end < b for a, b in others):
            kept.append(k)
    return kept
