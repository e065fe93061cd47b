"""Spans of which a tree is made, where a file has them beside its text.

Spans cross that overlap, and neither is inside the other: no tree can have both. Of equal spans
either can be around the other. What is done about either is a policy of the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..model import Note, Place
from .source import Source

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


def nested(
    source: Source, labels: Sequence[str], spans: Sequence[Span], places: Sequence[Place]
) -> tuple[list[int], tuple[Note, ...]]:
    """Indices of spans in an order that makes a tree of them, and what was chosen for it.

    Args:
        source: its policies ``crossing`` (but for ``refuse``, which is the reader's to say where)
            and ``equal``, and the labels of the latter.
        labels, spans, places: of each, in the order of the file; places are for the notes.

    >>> source = Source("a", "a", "", policies={"crossing": "drop"})
    >>> found, [note] = nested(source, ["x", "y"], [(0, 2), (1, 3)], [
    ...     Place("T1", "a:1"), Place("T2", "a:2")])
    >>> found, str(note)
    ([0], 'annotations that cross an earlier one, dropped: 1, the first T2 at a:2')
    """
    kept = list(range(len(spans)))
    notes: list[Note] = []
    if source.policy("crossing") == "drop" and crossing(spans) is not None:
        kept = uncrossed(spans)
        lost = tuple(places[k] for k in sorted({*range(len(spans))} - {*kept}))
        what = "annotations that cross an earlier one, dropped"
        notes.append(Note(what, len(lost), "crossing=drop", lost))
    policy = source.policy("equal")
    if policy != "appearance":
        rank = {label: place for place, label in enumerate(source.labels)}
        last = len(rank)  # where labels stand that are not in the grammar
        equal = sum(n for n in Counter(spans[k] for k in kept).values() if n > 1)
        what = "annotations on the same words, nested by the grammar"
        notes += [Note(what, equal, f"equal={policy}")] if equal else []
        kept.sort(key=lambda k: rank.get(labels[k], last))
    return kept, tuple(notes)
