"""Documents as Praat TextGrids, to be opened beside the recording.

The tiers, from the top: the reference's words, its elements by depth and under them their classes,
the scored words, the hypothesis's elements and their classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..audit import HYPOTHESIS, REFERENCE, Audit, Row
from ..errors import SerevalError, one_line
from ..evaluate import Evaluation
from ..model import Document, seconds
from .audit_tables import everything
from .audit_text import LOST, Wanted


class Interval(NamedTuple):
    """A text over a stretch of time, in ms."""

    start: int
    end: int
    text: str


Tier = tuple[str, Sequence[Interval]]
"""A name, and intervals in order, without overlap and none of them empty."""

NO_LENGTH = "no length"


def render(
    audits: Iterable[Audit], _: Evaluation, wanted: Wanted = everything
) -> dict[str, str]:
    """A TextGrid for each document, by file name.

    Praat has no overlapping and no empty intervals. What overlaps the interval ahead of it goes
    to a further tier, ``asr (2)``; what begins and ends at one time is shown as 1 ms on a tier of
    its own, ``asr (no length)``. So nothing is lost, and every other interval has its own times.

    Args:
        wanted: the elements that are shown; the words always are.

    Raises:
        SerevalError: a side has no times.
    """
    return {file_name(audit.id): textgrid(audit, wanted) for audit in audits}


def file_name(id: str) -> str:
    """The file of a document: its id, with what no file name can hold as ``%`` and hexadecimals.

    >>> file_name("émission 1"), file_name("../a")
    ('émission 1.TextGrid', '%2E.%2Fa.TextGrid')
    """
    safe = re.sub(
        r'^\.|[%/\\:*?"<>|]|[^\w\W]|[\x00-\x1f\x7f]',
        lambda found: f"%{ord(found[0]):02X}",
        id,
    )
    return f"{one_line(safe)}.TextGrid"


def textgrid(audit: Audit, wanted: Wanted = everything) -> str:
    """One document in Praat's long text format.

    Raises:
        SerevalError: a side has no times.
    """
    tiers: list[Tier] = []
    shown = [row for row, partner in audit.with_partners() if wanted(row, partner)]
    for side, name, document in (
        (REFERENCE, "ref", audit.reference_words),
        (HYPOTHESIS, "hyp", audit.hypothesis_words),
    ):
        tiers += _apart("words" if side == REFERENCE else "asr", _words(document, side))
        rows = [row for row in shown if row.side == side]
        for depth in range(1, 1 + max((row.depth for row in rows), default=0)):
            level = [row for row in rows if row.depth == depth and row.time is not None]
            tiers += _apart(f"{name} {depth}", _elements(level, _label))
            tiers += _apart(f"class {name} {depth}", _elements(level, _class))
    return _written(tiers)


def _words(document: Document, side: str) -> list[Interval]:
    if document.times is None:
        raise SerevalError(
            f"{document.id}: the {side} has no times, a TextGrid needs those of both sides"
        )
    return [
        Interval(*time, word) for time, word in zip(document.times, document.words, strict=True)
    ]
