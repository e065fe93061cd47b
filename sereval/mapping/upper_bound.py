"""What a perfect tagger would reach on the recogniser's words.

The projected reference is written out as a hypothesis: each element where its tags belong, under
its own label. Scored against the reference it comes from, all that is left are the elements that
the words have no place for. That is the share of a system's errors that its recogniser made
inevitable, by the rules of the score itself.

Source: Bartalesi Lenzi, Speranza and Sprugnoli, EVALITA 2011, section 2.3, where the tags of the
gold standard are shifted onto the aligned transcription.
"""

from __future__ import annotations

from ..documents.model import Document, Element, Reference
from .best import best_mapping
from .search import MAX_STATES


def upper_bound(projected: Reference, max_states: int = MAX_STATES) -> Document:
    """The projected reference as a hypothesis: its own labels, at the placement of least shift.

    Args:
        projected: as ``project`` and ``project_aligned`` give it; it has a placement.
        max_states: how many states the search of a cluster may come upon.

    Returns:
        A document on the same words with an element for each placed one, in the same tree. Every
        tag is at its strict frontier where all of them can be, else at the candidates that lie
        least far from those in all.

    Scored against ``projected`` it has no error but a deletion for each element that was counted
    as missed: an SER of 0 under ``drop``, the share of missed elements under ``miss``.

    >>> from sereval.documents.model import ReferenceElement
    >>> magimel = ReferenceElement(("name.last",), (2,), (3, 4, 5), strict=(2, 4))
    >>> upper_bound(Reference("show", ("et", "Benoît", "magie", "mais", "l'"), (magimel,))).elements
    (Element(label='name.last', start=2, end=4, parent=None),)
    """
    bare = Document(projected.id, projected.words, times=projected.times)
    placement = best_mapping(projected, bare, max_states=max_states).placement
    elements = tuple(
        Element(element.label, start, end, element.parent)
        for element, (start, end) in zip(projected.elements, placement, strict=True)
    )
    return Document(projected.id, projected.words, elements, times=projected.times)
