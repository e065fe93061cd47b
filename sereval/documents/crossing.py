"""Spans that cross: they overlap, and neither is inside the other; no tree can have both."""

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

    Same as comparing each with all that were kept; only the places inside it are looked at.

    >>> uncrossed([(0, 2), (1, 3), (0, 3)])
    [0, 2]
    """
    kept: list[int] = []
    furthest: dict[int, int] = {}  # the end of what is kept, by start
    earliest: dict[int, int] = {}  # the start, by end
    for k, (start, end) in enumerate(spans):
        inside = range(start + 1, end)
        if any(furthest.get(p, end) > end or earliest.get(p, start) < start for p in inside):
            continue
        kept.append(k)
        furthest[start] = max(furthest.get(start, end), end)
        earliest[end] = min(earliest.get(end, start), start)
    return kept
