"""Spans of which a tree is made, where a file has them beside its text.

No tree can have two that cross. Of equal spans either can be around the other. What is done about
either is a policy of the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..model import Note, Place
from ..spans import Span, crossing, uncrossed
from .source import Source


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
