"""Documents as Praat TextGrids, to be opened beside the recording.

The tiers, from the top: the reference's words, its elements by depth and under them their classes,
the scored words, the hypothesis's elements and their classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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


def render(audits: Iterable[Audit], _: Evaluation, wanted: Wanted = everything) -> dict[str, str]:
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
    safe = re.sub(r'^\.|[%/\\:*?"<>|\x00-\x1f\x7f]', lambda found: f"%{ord(found[0]):02X}", id)
    return f"{one_line(safe)}.TextGrid"


def textgrid(audit: Audit, wanted: Wanted = everything) -> str:
    """One document in Praat's long text format.

    Raises:
        SerevalError: a side has no times.
    """
    tiers: list[Tier] = []
    shown = [row for row, partner in audit.with_partners() if wanted(row, partner)]
    for side, words, name, document in (
        (REFERENCE, "words", "ref", audit.reference_words),
        (HYPOTHESIS, "asr", "hyp", audit.hypothesis_words),
    ):
        tiers += _apart(words, _words(document, side))
        rows = [row for row in shown if row.side == side and row.time is not None]
        for depth in sorted({row.depth for row in rows}):
            level = [row for row in rows if row.depth == depth]
            tiers += _apart(f"{name} {depth}", _elements(level, lambda row: "|".join(row.labels)))
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


def _elements(rows: Iterable[Row], text: Callable[[Row], str]) -> list[Interval]:
    return [Interval(*row.time, text(row)) for row in rows if row.time is not None]


def _class(row: Row) -> str:
    """Its letter; an unplaceable one that counts is ``D unplaceable``."""
    letter = [] if row.slot is None else [row.slot.value]
    return " ".join([*letter, *([] if row.why is None else [LOST])])


def _apart(name: str, intervals: Iterable[Interval]) -> Iterator[Tier]:
    """Tiers that hold all intervals: the first always, further ones as they are needed."""
    lanes: list[list[Interval]] = [[]]
    moments: list[list[Interval]] = []
    for interval in sorted(intervals):
        if interval.start == interval.end:
            _add(moments, interval._replace(end=interval.start + 1))
        else:
            _add(lanes, interval)
    yield from _numbered(name, lanes)
    yield from _numbered(f"{name} ({NO_LENGTH})", moments)


def _add(lanes: list[list[Interval]], interval: Interval) -> None:
    """Put an interval into the first lane that has room after its last one."""
    for lane in lanes:
        if not lane or lane[-1].end <= interval.start:
            lane.append(interval)
            return
    lanes.append([interval])


def _numbered(name: str, lanes: Sequence[Sequence[Interval]]) -> Iterator[Tier]:
    for number, lane in enumerate(lanes, 1):
        yield name if number == 1 else f"{name} ({number})", lane


def _written(tiers: Sequence[Tier]) -> str:
    """The file: every tier from the first time of all to the last, gaps as empty intervals."""
    every = [interval for _, lane in tiers for interval in lane]
    start = min((interval.start for interval in every), default=0)
    start = min(start, 0)  # that of the recording
    end = max((interval.end for interval in every), default=start + 1)
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        f"xmin = {seconds(start)}",
        f"xmax = {seconds(end)}",
        "tiers? <exists>",
        f"size = {len(tiers)}",
        "item []:",
    ]
    for number, (name, lane) in enumerate(tiers, 1):
        filled = list(_filled(lane, start, end))
        lines += [
            f"    item [{number}]:",
            '        class = "IntervalTier"',
            f"        name = {_quoted(name)}",
            f"        xmin = {seconds(start)}",
            f"        xmax = {seconds(end)}",
            f"        intervals: size = {len(filled)}",
        ]
        for place, interval in enumerate(filled, 1):
            lines += [
                f"        intervals [{place}]:",
                f"            xmin = {seconds(interval.start)}",
                f"            xmax = {seconds(interval.end)}",
                f"            text = {_quoted(interval.text)}",
            ]
    return "\n".join([*lines, ""])


def _filled(lane: Iterable[Interval], start: int, end: int) -> Iterator[Interval]:
    """Intervals from start to end, with empty ones where nothing is."""
    before = start
    for interval in lane:
        if before < interval.start:
            yield Interval(before, interval.start, "")
        yield interval
        before = interval.end
    if before < end:
        yield Interval(before, end, "")


def _quoted(text: str) -> str:
    """A string as Praat writes it; what would end the line is escaped."""
    doubled = one_line(text).replace('"', '""')
    return f'"{doubled}"'
