"""The upper bound: the hypothesis of a perfect tagger on the recogniser's words.

The projected reference is written as a hypothesis: each element at its placement, under its own
label. Scored against the reference that it comes from, its only errors are the elements that have
no place on the recogniser's words. They are the errors that the recogniser makes inevitable.

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
        projected: a reference from ``project`` or ``project_aligned``, which has a placement.
        max_states: how many states the search of a cluster may visit.

    Returns:
        A document on the same words with the elements of ``projected``, in the same tree. All tags
        are at their strict frontiers if that is a placement. Otherwise they are at the placement
        with the least sum of distances from the strict frontiers.

        Scored against ``projected``, its only errors are deletions of missed elements: the SER is 0
        under ``drop``, and the share of missed elements under ``miss``.

    Raises:
        SerevalError: the search reaches its limit.

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
