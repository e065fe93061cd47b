"""Crossing spans: two spans cross if they overlap and neither contains the other."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]
"""The frontiers ``(start, end)`` of words."""


def crossing(spans: Sequence[Span]) -> tuple[int, int] | None:
    """Indices of two spans that cross, in order of their starts; ``None``: no spans cross.

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
    """Indices of the spans that cross no span kept before them, in order.

    The result is the same as if each span were compared with all spans kept before it; the search
    looks only at the frontiers inside the span.

    >>> uncrossed([(0, 2), (1, 3), (0, 3)])
    [0, 2]
    """
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
