"""A hint that two inputs are swapped, for the error that times do not fit the words."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from ..documents.model import Document, Reference
from ..documents.places import is_to_be_found
from ..documents.recut import time_words
from ..errors import SerevalError
from .pairs import exact

AnyDocument: TypeAlias = Document | Reference | None
"""A document of either side, or ``None``."""


def swap_hint(
    reference: AnyDocument, hypothesis: AnyDocument, ref_times: AnyDocument, hyp_times: AnyDocument
) -> str:
    """The hint that inputs are swapped, if the times of each side fit the other side's words.

    Args:
        reference, hypothesis: both sides of the document; ``None``: the side has none.
        ref_times, hyp_times: the times of the words of either side; ``None``: no file has them.

    Returns:
        The end of a message; empty if swapping would not help.

    >>> long, short = Document("d", ("Dol", "show")), Document("d", ("Dol",))
    >>> of_long, of_short = (replace(d, times=((0, 9),) * len(d.words)) for d in (long, short))
    >>> swap_hint(long, short, of_short, of_long)
    '; are --align and --words swapped, or REF and HYP?'
    >>> swap_hint(long, short, None, of_long), swap_hint(long, short, of_long, of_long)
    ('; are REF and HYP swapped?', '')
    """
    if _fits(_without_times(reference), ref_times) and _fits(_without_times(hypothesis), hyp_times):
        return ""  # the words fit; the error has another cause
    if not (_fits(reference, hyp_times) and _fits(hypothesis, ref_times)):
        return ""
    if ref_times is not None and hyp_times is not None:
        return "; are --align and --words swapped, or REF and HYP?"
    return "; are REF and HYP swapped?"


def _without_times(document: AnyDocument) -> AnyDocument:
    return replace(document, times=None) if isinstance(document, Document) else document


def _fits(document: AnyDocument, times: AnyDocument) -> bool:
    """Whether times fit the words of a document; true if there are no times or no words."""
    if times is None or (isinstance(document, Document) and is_to_be_found(document)):
        return True
    if document is None:
        return False
    try:
        time_words(exact(document), exact(times))
    except SerevalError:
        return False
    return True
