"""Trees from the spans that a file annotates.

Two spans of a tree cannot cross, and of two equal spans either can be the outer one. The policies
``crossing`` and ``equal`` decide what a reader does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..documents import characters
from ..documents.characters import Characters, Stretch, document_of_text
from ..documents.crossing import Span, crossing, uncrossed
from ..documents.model import Document
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .file import File as Source

DROPPED = "annotations that cross an earlier one, dropped"

Refusal = Callable[[int, int], SerevalError]
"""The error for two spans that cross, from their indices."""


def without_crossings(
    source: Source,
    spans: Sequence[Span],
    place: Callable[[int], Place],
    *,
    what: str = DROPPED,
    refusal: Refusal | None = None,
) -> tuple[list[int], tuple[Note, ...]]:
    """Indices of the spans that become elements, by the policy ``crossing``.

    The policy ``drop`` drops each span that crosses one that was kept before it.

    Args:
        source: the file, with its policy.
        spans: frontiers of each span; earlier spans are kept before later ones.
        place: the place of a span, from its index, for the note.
        what: text of the note.
        refusal: makes the error of the policy ``refuse``; ``None``: the caller refuses crossing
            spans when it makes the tree.

    Returns:
        The indices, in order, and a note of the dropped spans if there are any.

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
    lost = tuple(place(k) for k in sorted({*range(len(spans))} - {*kept}))
    return kept, (Note(what, len(lost), "crossing=drop", lost),)


def place_at(source: Source, what: str, line: int) -> Place:
    """The place of something on a line of the file."""
    return Place(what, f"{os.path.basename(source.path)}:{line}", line)


def annotate_text(
    source: Source,
    id: str,
    text: str,
    stretches: Sequence[Stretch],
    place: Callable[[int], Place],
    refusal: Refusal,
    *,
    tokens: Sequence[Characters] | None = None,
    notes: tuple[Note, ...] = (),
) -> Document:
    """A document from a text and the annotations beside it, by the policies of their file.

    Args:
        source: the file, with its policies ``crossing`` and ``equal``.
        id: name of the document.
        text: all of the text.
        stretches: the annotations, in the order of the file.
        place: the place of an annotation, from its index, for notes.
        refusal: makes the error for two annotations that cross.
        tokens: the words of the text; ``None``: what white space separates.
        notes: notes of the reader, which come first.

    Raises:
        SerevalError: as :func:`sereval.documents.characters.document_of_text`; crossing
            annotations, by policy.

    >>> from sereval.formats import ReadingOptions
    >>> source = Source("a", options=ReadingOptions(policies=(("crossing", "drop"),)))
    >>> both = [Stretch("x", 0, 6), Stretch("y", 3, 10)]
    >>> place, refusal = lambda k: Place(f"T{k}", "a:1"), lambda *_: ValueError()
    >>> found = annotate_text(source, "a", "in Dol now", both, place, refusal)
    >>> [str(element) for element in found.elements], str(found.notes[0])
    (['x [0, 2)'], 'annotations that cross an earlier one, dropped: 1, the first T1 at a:1')
    """
    chosen: list[Note] = []

    def nest(spans: Sequence[characters.LabelSpan]) -> list[int]:
        kept, found = nested(source, spans, place, refusal)
        chosen.extend(found)
        return kept

    made = document_of_text(id, text, stretches, tokens=tokens, source=source.path, nest=nest)
    return replace(made, notes=(*notes, *chosen))


def nested(
    source: Source,
    spans: Sequence[characters.LabelSpan],
    place: Callable[[int], Place],
    refusal: Refusal,
) -> tuple[list[int], tuple[Note, ...]]:
    """Indices of the spans that become elements, by the policies ``crossing`` and ``equal``.

    Args:
        source, place, refusal: as for :func:`without_crossings`.
        spans: label, start and end of each span.

    Returns:
        The indices; of equal spans the outer one comes first. And notes on what was chosen.

    Raises:
        SerevalError: two spans cross, and the policy is ``refuse``.
    """
    labels, bare = [label for label, *_ in spans], [(start, end) for _, start, end in spans]
    kept, dropped = without_crossings(source, bare, place, refusal=refusal)
    return kept, (*dropped, *_nest_equal(source, labels, bare, kept))


def _nest_equal(
    source: Source, labels: Sequence[str], spans: Sequence[Span], kept: list[int]
) -> tuple[Note, ...]:
    """Sort the kept spans by the policy ``equal``: of equal spans the outer one comes first."""
    policy = source.policy("equal")
    if policy == "appearance":
        return ()
    rank = {label: place for place, label in enumerate(source.options.labels)}
    last = len(rank)  # for labels that the grammar does not have
    kept.sort(key=lambda k: rank.get(labels[k], last))
    equal = sum(n for n in Counter(spans[k] for k in kept).values() if n > 1)
    what = "annotations on the same words, nested by the grammar"
    return (Note(what, equal, f"equal={policy}"),) if equal else ()
