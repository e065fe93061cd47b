"""Write TextGrids of Praat, from intervals or from documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..documents.model import Document, Reference, depths, seconds
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import quote
from .inline import is_unreadable
from .tiers import SILENCE
from .utterances import check_lengths
from .writers import ALTERNATIVES, BREAKS, MENTIONS, MOMENTS, SHOWN, WrittenFiles, exact


class WrittenInterval(NamedTuple):
    """A text over a stretch of time, in ms."""

    start: int
    end: int
    text: str


WrittenTier = tuple[str, Sequence[WrittenInterval]]
"""A name, and intervals in order; they do not overlap, and each has a length."""

NO_LENGTH = "no length"


def write_textgrid(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    found = exact(document)
    check_lengths(found.id, found.times or (), found.words)
    lost = {
        SHOWN: len(found.elements),
        MENTIONS: len(found.mentions or ()),
        ALTERNATIVES: len(found.alternatives),
        BREAKS: len(found.breaks),
        MOMENTS: sum(start == end for start, end in found.times or ()),
    }
    return WrittenFiles({".TextGrid": write(found)}, count_notes(lost))


def write(document: Document) -> str:
    """A document as the text of a TextGrid; readers take its words and times from it.

    The words are on the tier ``words`` or, if they overlap, on the tiers ``1 - words``, ``2 -
    words`` and so on. The elements of each depth are on tiers of their own, which the reader
    ignores. A word without length gets 1 ms.

    Args:
        document: a document with words and times.

    Raises:
        SerevalError: no times, a negative time, or no words; a word that reads as silence or has
            white space around it.

    >>> text = write(Document("d", ("Dol",), times=((0, 480),)))
    >>> 'text = "Dol"' in text
    True
    """
    if document.times is None or not document.words:
        raise SerevalError(f"{document.id}: no words with times, which a TextGrid needs")
    if document.times[0][0] < 0:
        raise SerevalError(
            f"{document.id}: word 0 starts at {seconds(document.times[0][0])} s, expected no time "
            "before that of the recording"
        )
    for label in (element.label for element in document.elements):
        if is_unreadable(label):
            raise SerevalError(f"{document.id}: label {quote(label)}, expected no control in it")
    for word in document.words:
        if word.strip() != word or word in SILENCE or is_unreadable(word):
            raise SerevalError(
                f"{document.id}: word {quote(word)}, expected none that a TextGrid has as silence "
                "or with white space around it"
            )
    pairs = list(zip(document.times, document.words, strict=True))
    words = [WrittenInterval(start, max(end, start + 1), word) for (start, end), word in pairs]
    lanes = _lanes(words)
    names = ["words"] if len(lanes) == 1 else [f"{k} - words" for k in range(1, len(lanes) + 1)]
    return text_of([*zip(names, lanes, strict=True), *_element_tiers(document, words)])


def _element_tiers(document: Document, words: Sequence[WrittenInterval]) -> Iterator[WrittenTier]:
    """The tiers of the elements, by depth."""
    nesting = depths([element.parent for element in document.elements])
    levels: list[list[WrittenInterval]] = [[] for _ in range(max(nesting, default=0))]
    for depth, element in zip(nesting, document.elements, strict=True):
        inside = words[element.start : element.end]
        levels[depth - 1].append(
            WrittenInterval(inside[0].start, max(word.end for word in inside), element.label)
        )
    for depth, level in enumerate(levels):
        yield from apart(f"elements {depth}", level)


def apart(name: str, intervals: Iterable[WrittenInterval]) -> Iterator[WrittenTier]:
    """Tiers for intervals: always one, and more where intervals overlap.

    Args:
        name: name of the first tier; the others have a number after it.
        intervals: intervals in any order; those without length get 1 ms on tiers of their own.

    >>> both = [WrittenInterval(0, 20, "a"), WrittenInterval(10, 30, "b")]
    >>> [tier for tier, _ in apart("slots", both)]
    ['slots', 'slots (2)']
    """
    ordered = sorted(intervals)
    moments = [one._replace(end=one.start + 1) for one in ordered if one.start == one.end]
    yield from _number_tiers(name, _lanes(one for one in ordered if one.start < one.end) or [[]])
    yield from _number_tiers(f"{name} ({NO_LENGTH})", _lanes(moments))


def _lanes(intervals: Iterable[WrittenInterval]) -> list[list[WrittenInterval]]:
    """Intervals in order of their starts, each in the first lane that has room for it."""
    lanes: list[list[WrittenInterval]] = []
    for interval in intervals:
        for lane in lanes:
            if lane[-1].end <= interval.start:
                lane.append(interval)
                break
        else:
            lanes.append([interval])
    return lanes


def _number_tiers(name: str, lanes: Sequence[Sequence[WrittenInterval]]) -> Iterator[WrittenTier]:
    for number, lane in enumerate(lanes, 1):
        yield name if number == 1 else f"{name} ({number})", lane


def text_of(tiers: Sequence[WrittenTier]) -> str:
    """The text of a TextGrid.

    Args:
        tiers: the tiers; each is filled with empty intervals from the first time to the last.

    >>> text_of([("words", [WrittenInterval(0, 480, "Dol")])]).count("IntervalTier")
    1
    """
    every = [interval for _, lane in tiers for interval in lane]
    start = min((interval.start for interval in every), default=0)
    start = min(start, 0)  # the start of the recording
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
        filled = list(_fill(lane, start, end))
        lines += [
            f"    item [{number}]:",
            '        class = "IntervalTier"',
            f"        name = {_quote(name)}",
            f"        xmin = {seconds(start)}",
            f"        xmax = {seconds(end)}",
            f"        intervals: size = {len(filled)}",
        ]
        for place, interval in enumerate(filled, 1):
            lines += [
                f"        intervals [{place}]:",
                f"            xmin = {seconds(interval.start)}",
                f"            xmax = {seconds(interval.end)}",
                f"            text = {_quote(interval.text)}",
            ]
    return "\n".join([*lines, ""])


def _fill(lane: Iterable[WrittenInterval], start: int, end: int) -> Iterator[WrittenInterval]:
    """Intervals from start to end, with empty ones in the gaps."""
    before = start
    for interval in lane:
        if before < interval.start:
            yield WrittenInterval(before, interval.start, "")
        yield interval
        before = interval.end
    if before < end:
        yield WrittenInterval(before, end, "")


def _quote(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
