"""Trees from spans, where a file has its annotations beside its text.

Two spans of a tree cannot cross, and of two equal spans either can be the outer one. The policies
``crossing`` and ``equal`` decide what a reader does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence

from ..documents.crossing import Span, crossing, uncrossed
from ..documents.model import Element, tree
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .source import Source

DROPPED = "annotations that cross an earlier one, dropped"


Refusal = Callable[[int, int], SerevalError]
"""What is wrong with two spans that cross, by their indices; the reader knows their names."""


def without_crossings(
    source: Source,
    spans: Sequence[Span],
    places: Sequence[Place],
    *,
    what: str = DROPPED,
    refusal: Refusal | None = None,
) -> tuple[list[int], tuple[Note, ...]]:
    """Indices of the spans that are elements, by the policy ``crossing``.

    With ``drop`` a span that crosses one that was kept ahead of it is dropped, and counted.

    Args:
        source: the file, with its policy.
        spans, places: of each element, in the order in which they are kept; places are for the
            note.
        what: for the note.
        refusal: what is raised with ``refuse``; ``None``: whoever makes the tree refuses.

    Raises:
        SerevalError: two spans cross, and the policy is ``refuse``.
    """
    crossed = crossing(spans)
    is_refused = source.policy("crossing") == "refuse"
    if crossed is not None and is_refused and refusal is not None:
        raise refusal(*crossed)
    if crossed is None or is_refused:
        return list(range(len(spans))), ()
    kept = uncrossed(spans)
    lost = tuple(places[k] for k in sorted({*range(len(spans))} - {*kept}))
    return kept, (Note(what, len(lost), "crossing=drop", lost),)


def lined(found: Sequence[tuple[str, int, int, int]]) -> tuple[Element, ...]:
    """The tree of spans that do not cross, each element with its own line.

    >>> [(e.label, e.parent, e.line) for e in lined([("x", 1, 2, 7), ("y", 0, 2, 8)])]
    [('y', None, 8), ('x', 0, 7)]
    """
    elements = tree([one[:3] for one in found])
    lines = [line for _, _, _, line in sorted(found, key=lambda one: (one[1], -one[2]))]
    return tuple(
        Element(e.label, e.start, e.end, e.parent, line)
        for e, line in zip(elements, lines, strict=True)
    )


def place_at(source: Source, what: str, line: int) -> Place:
    """What stands on a line of the file."""
    return Place(what, f"{os.path.basename(source.path)}:{line}", line)


def nested(
    source: Source,
    labels: Sequence[str],
    spans: Sequence[Span],
    places: Sequence[Place],
    refusal: Refusal | None = None,
) -> tuple[list[int], tuple[Note, ...]]:
    """Indices of spans in an order that makes a tree of them, and what was chosen for it.

    Args:
        source: the file, with its policies ``crossing`` and ``equal`` and the labels of the latter.
        labels, spans, places: of each element, in the order of the file; places are for the notes.
        refusal: as for :func:`without_crossings`.

    >>> from sereval.formats import ReadingOptions
    >>> source = Source("a", "a", "", ReadingOptions(policies=(("crossing", "drop"),)))
    >>> found, [note] = nested(source, ["x", "y"], [(0, 2), (1, 3)], [
    ...     Place("T1", "a:1"), Place("T2", "a:2")])
    >>> found, str(note)
    ([0], 'annotations that cross an earlier one, dropped: 1, the first T2 at a:2')
    """
    kept, found = without_crossings(source, spans, places, refusal=refusal)
    notes = [*found]
    policy = source.policy("equal")
    if policy != "appearance":
        rank = {label: place for place, label in enumerate(source.options.labels)}
        last = len(rank)  # where labels stand that are not in the grammar
        equal = sum(n for n in Counter(spans[k] for k in kept).values() if n > 1)
        what = "annotations on the same words, nested by the grammar"
        notes += [Note(what, equal, f"equal={policy}")] if equal else []
        kept.sort(key=lambda k: rank.get(labels[k], last))
    return kept, tuple(notes)
