"""TextGrids of Praat: words with their times are read; documents and audits are written.

Praat reads only the free-standing numbers, quoted strings and ``<flags>`` of a text file, in order,
and skips everything else (``xmin =``, ``intervals [1]:``, comments after ``!``), so that the long
and the short format are the same to it. The reader does the same. The `textgrid` package writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from types import SimpleNamespace
from typing import NamedTuple

from ..documents.model import Document, depths, seconds
from ..errors import SerevalError
from .build import (
    ANYTHING,
    EDGE,
    MOMENTS,
    SHOWN,
    SILENCE,
    Notes,
    Word,
    check_words,
    document_of_tiers,
    milliseconds,
    number,
    times_of_seconds,
)
from .file import Documents, File, quote

_VALUE = re.compile(
    r'"(?P<string>[^"]*(?:""[^"]*)*)"|(?P<unended>")|!.*|'
    r'(?P<number>[+-]?\.?[0-9][^\s"]*)|(?P<flag><\w+>)(?![^\s"])|[^\s"]+'
)
_SLACK = Decimal("0.00001")
"""Differences below this are none: the last digits of equal times may differ in a file."""


_SIZE = "[0-9]{1,9}"
CHRONOLOGICAL = "Praat chronological TextGrid text file"
"""The first value of a file that Praat saved in the order of time."""


class _Interval(NamedTuple):
    start: Decimal
    end: Decimal
    text: str
    line: int | None


class _Tier(NamedTuple):
    """A tier; what it consists of is an ``interval`` or a ``point``. Points are not kept."""

    what: str
    name: str
    intervals: list[_Interval]


def read_textgrid(file: File) -> Documents:
    """
    ```textgrid
    File type = "ooTextFile"
    Object class = "TextGrid"

    xmin = 0
    xmax = 1.5
    tiers? <exists>
    size = 1
    item []:
        item [1]:
            class = "IntervalTier"
            name = "words"
            xmin = 0
            xmax = 1.5
            intervals: size = 3
            intervals [1]:
                xmin = 0
                xmax = 0.25
                text = ""
            intervals [2]:
                xmin = 0.25
                xmax = 0.8
                text = "dit"
            intervals [3]:
                xmin = 0.8
                xmax = 1.5
                text = "oui"
    ```

    Text files of Praat, long as here, short or chronological, in UTF-8 or in the encoding of
    `--encoding`. A byte order mark of UTF-16 takes precedence over the option.

    Accepted:

    * the tier `words` or `word`, in small or capital letters, or all tiers `SPEAKER - words` and
      `SPEAKER - word`; without these, WebMAUS' `ORT-MAU`, or else its `ORT`, in capitals; any other
      tier by its exact name (`--tier NAME`);
    * a dialogue: the words of the tiers of several speakers, or of several named tiers, which must
      all exist (`--tier Anna --tier Bo`, in Python `tier=["Anna", "Bo"]`), are sorted, even if they
      overlap; ties are in the order of the tiers; a note counts the tiers;
    * any number of other tiers, of intervals or of points, which are ignored;
    * gaps between intervals; intervals without length, which are words if they have a text;
    * quotes (doubled), line breaks and any other characters in a text. White space around it is
      dropped; the rest is one word, whatever it holds.

    Intervals with the text `sp`, `sil` or `<eps>`, in small letters, or without text, are silence.
    The words `<unk>` and `spn`, which an aligner writes for a word that it does not know, match any
    word.

    Refused:

    * sizes that differ from the content, and anything after the end;
    * a word tier that is missing, present twice (as `words` and `word`, or twice for one speaker),
      or made of points; the message lists the tiers;
    * intervals that end before they start, overlap or are out of order (differences below 0.00001 s
      are ignored, since programs write them);
    * Praat's binary files.
    """
    tiers = _Scan(file).tiers()
    file.here = None
    names = (tier.name + " (points)" * (tier.what == "point") for tier in tiers)
    words = [(name, _words(file, tier.intervals)) for name, tier in zip(names, tiers, strict=True)]
    yield document_of_tiers(file, words, Notes())


def _words(file: File, intervals: Sequence[_Interval]) -> Iterator[Word]:
    """The words of a tier, whose intervals must be in order, without overlap."""
    before = None
    for start, end, text, file.here in intervals:
        if end < start:
            raise SerevalError(f"interval ends ({end} s) before it starts ({start} s)")
        if before is not None and before - start >= _SLACK:
            raise SerevalError(
                f"interval starts ({start} s) before the one ahead ends ({before} s), "
                "expected intervals in order, without overlap"
            )
        before = end
        yield milliseconds(start), milliseconds(end), text.strip()
    file.here = None


class _Scan:
    """The values of a file in their order; the methods take the next ones, or refuse them."""

    def __init__(self, file: File) -> None:
        self.file, self.values = file, _values(file.text)

    def take(self, kinds: str, expected: str, pattern: str = "(?s:.*)") -> str:
        """The text of the next value, which is of one of some kinds."""
        found, text, self.file.here = next(self.values)
        if found not in kinds.split() or not re.fullmatch(pattern, text):
            said = {"end": "the file ends", "unended": 'found " that is never closed'}
            what = said.get(found, f"found the {found} {quote(text)}")
            raise SerevalError(f"{what}, expected {expected}")
        return text

    def time(self, expected: str) -> Decimal:
        """The next value, a time in seconds."""
        text = self.take("number", expected)
        milliseconds(text)  # refuses what is no time
        return number(text)

    def bounds(self, of: str) -> tuple[Decimal, Decimal]:
        return self.time(f"the start {of} (xmin)"), self.time(f"the end {of} (xmax)")

    def tiers(self) -> list[_Tier]:
        """The tiers of the file."""
        header = 'File type = "ooTextFile"; is this a TextGrid, saved from Praat as text?'
        found = self.take("string", header, f"ooTextFile( short)?|{CHRONOLOGICAL}")
        if is_chronological := found == CHRONOLOGICAL:
            self.bounds("of the file")
        else:
            self.take("string", 'Object class = "TextGrid"', "TextGrid")
            self.bounds("of the file")
            self.take("flag", "<exists>: a file with tiers", "<exists>")
        size, hint = int(self.take("number", "the number of tiers", _SIZE)), ""
        tiers: list[_Tier] = []
        for k in range(1, size + 1):
            which = f"tier {k} of {size}"
            expected = f'the class of {which}, "IntervalTier" or "TextTier"{hint}'
            kind = self.take("string", expected, "IntervalTier|TextTier")
            name = self.take("string", f"the name of {which}")
            of = f"tier {quote(name)}"
            self.bounds(f"of {of}")
            tier = _Tier("point" if kind == "TextTier" else "interval", name, [])
            tiers.append(tier)
            if not is_chronological:
                what = f"the number of {tier.what}s of {of}"
                parts = int(self.take("number", what, _SIZE))
                for part in range(1, parts + 1):
                    self.part(tier, f"of {tier.what} {part} of {parts} in {of}")
                hint = f"; is the size of {of} too small?"
        while is_chronological and (
            at := self.take("number end", "the number of a tier", f"{_SIZE}|")
        ):
            if not 1 <= int(at) <= size:
                raise SerevalError(f"found tier {at}, expected one of 1 to {size}")
            tier = tiers[int(at) - 1]
            self.part(tier, "of an interval" if tier.what == "interval" else "of a point")
        if not is_chronological:
            self.take("end", f"the end of the file{hint}")
        return tiers

    def part(self, tier: _Tier, of: str) -> None:
        """The next interval of a tier, or a point, which is not kept."""
        if tier.what == "point":
            self.time(f"the time {of}")
            self.take("string", f"the mark {of}")
        else:
            start, end = self.bounds(of)
            line = self.file.here
            text = self.take("string", f"the text {of}")
            tier.intervals.append(_Interval(start, end, text, line))


def _values(text: str) -> Iterator[tuple[str, str, int]]:
    """The kind, the text and the line of each value, and of the end."""
    line = last = 1
    at = 0
    for match in _VALUE.finditer(text):
        kind = match.lastgroup
        if kind is not None:  # no comment or another word
            line = last + text.count("\n", at, match.start())
            at = match.end()
            last = line + match[0].count("\n")
            yield kind, match[kind].replace('""', '"'), line
    while True:
        yield "end", "", last


# ---------------------------------------------------------------------------------------- writing


class WrittenInterval(NamedTuple):
    """A text over a stretch of time, in ms."""

    start: int
    end: int
    text: str


WrittenTier = tuple[str, Sequence[WrittenInterval]]
"""A name, and intervals in order; they do not overlap, and each has a length."""


def write_textgrid(document: Document, lost: Notes) -> str:
    """The file of a document with words and times, and notes on what no reader takes from it."""
    times = times_of_seconds(document, "a TextGrid")
    silence = "|".join(f"^{text}$" for text in SILENCE)
    check_words(document, "TextGrid", f"{EDGE}|{silence}", ANYTHING)
    pairs = zip(times, document.words, strict=True)
    words = [WrittenInterval(start, max(end, start + 1), word) for (start, end), word in pairs]
    lost.add(SHOWN, len(document.elements))
    lost.add(MOMENTS, sum(start == end for start, end in times))
    lanes = _lanes(words)
    names = ["words"] if len(lanes) == 1 else [f"{k} - words" for k in range(1, len(lanes) + 1)]
    tiers = [*zip(names, lanes, strict=True), *_element_tiers(document, words)]
    return text_of(tiers)


def _element_tiers(document: Document, words: Sequence[WrittenInterval]) -> Iterator[WrittenTier]:
    """The tiers of the elements, by depth."""
    levels: dict[int, list[WrittenInterval]] = {}
    nesting = depths([element.parent for element in document.elements])
    for depth, element in zip(nesting, document.elements, strict=True):
        own = words[element.start : element.end]
        interval = WrittenInterval(own[0].start, max(word.end for word in own), element.label)
        levels.setdefault(depth - 1, []).append(interval)
    for depth, level in sorted(levels.items()):
        yield from apart(f"elements {depth}", level)


def apart(name: str, intervals: Iterable[WrittenInterval]) -> Iterator[WrittenTier]:
    """Tiers for intervals: always one, and more where intervals overlap."""
    ordered = sorted(intervals)
    moments = [one._replace(end=one.start + 1) for one in ordered if one.start == one.end]
    lanes = _lanes(one for one in ordered if one.start < one.end) or [[]]
    for own, of_own in ((name, lanes), (f"{name} (no length)", _lanes(moments))):
        for number_, lane in enumerate(of_own, 1):
            yield own if number_ == 1 else f"{own} ({number_})", lane


def _lanes(intervals: Iterable[WrittenInterval]) -> list[list[WrittenInterval]]:
    """Intervals in order of their starts, each in the first lane that has room for it."""
    lanes: list[list[WrittenInterval]] = []
    for interval in intervals:
        room = (lane for lane in lanes if lane[-1].end <= interval.start)
        lane = next(room, None)
        if lane is None:
            lanes.append(lane := [])
        lane.append(interval)
    return lanes


def text_of(tiers: Sequence[WrittenTier]) -> str:
    """The text of a TextGrid."""
    import textgrid

    def time(ms: int) -> Decimal:
        return Decimal(seconds(ms))

    every = [interval for _, lane in tiers for interval in lane]
    start = time(min([0, *(one.start for one in every)]))
    end = time(max([1, *(one.end for one in every)]))
    grid = textgrid.TextGrid(minTime=start, maxTime=end)
    for name, lane in tiers:
        tier = textgrid.IntervalTier(name, start, end)
        tier.intervals = [textgrid.Interval(time(s), time(e), text) for s, e, text in lane]
        grid.append(tier)
    parts: list[str] = []
    grid.write(SimpleNamespace(write=parts.append, close=parts.copy))  # as to an open file
    return "".join(parts)
