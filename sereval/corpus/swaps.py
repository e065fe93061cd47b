"""Whether sides were swapped, asked when the times of a document do not fit its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from ..documents.mentions import is_to_be_found
from ..documents.model import Document, Reference
from ..documents.recut import time_words
from ..errors import SerevalError
from .pairing import exact

AnyDocument: TypeAlias = Document | Reference | None
"""A document of either side; ``None``: there is none."""


def swapped(
    reference: AnyDocument, hypothesis: AnyDocument, ref_times: AnyDocument, hyp_times: AnyDocument
) -> str:
    """Whether times that do not fit the words of a document fit those of its other side.

    Args:
        reference, hypothesis: both sides of the document.
        ref_times, hyp_times: the times given for either side; ``None``: none were.

    Returns:
        The end of a message; empty where an exchange would not help.

    >>> long, short = Document("d", ("Dol", "show")), Document("d", ("Dol",))
    >>> of_long, of_short = (replace(d, times=((0, 9),) * len(d.words)) for d in (long, short))
    >>> swapped(long, short, of_short, of_long)
    '; are --align and --words swapped, or REF and HYP?'
    >>> swapped(long, short, None, of_long), swapped(long, short, of_long, of_long)
    ('; are REF and HYP swapped?', '')
    """
    if _fits(_untimed(reference), ref_times) and _fits(_untimed(hypothesis), hyp_times):
        return ""  # it is not the words that do not fit
    if not (_fits(reference, hyp_times) and _fits(hypothesis, ref_times)):
        return ""
    if ref_times is not None and hyp_times is not None:
        return "; are --align and --words swapped, or REF and HYP?"
    return "; are REF and HYP swapped?"


def swaps(*sides: Iterable[Document | Reference]) -> Callable[[str], str]:
    """What ``swapped`` says of a document by its id; ``sides``: in the order of its arguments."""
    of_id = [{one.id: one for one in side} for side in sides]
    return lambda id: swapped(*(side.get(id) for side in of_id))


def _untimed(document: AnyDocument) -> AnyDocument:
    return replace(document, times=None) if isinstance(document, Document) else document


def _fits(document: AnyDocument, times: AnyDocument) -> bool:
    """Whether a document can take times; where none are given, and without words, it can."""
    if times is None or (isinstance(document, Document) and is_to_be_found(document)):
        return True
    if document is None:
        return False
    try:
        time_words(exact(document), exact(times))
    except SerevalError:
        return False
    return True
