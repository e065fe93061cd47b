"""Scan a TextGrid: the values in the text of a Praat file, with their lines.

Praat reads only the free-standing numbers, quoted strings and ``<flags>`` of a text file, in order,
and skips everything else (``xmin =``, ``intervals [1]:``, comments after ``!``), so that the long
and the short format are the same to it. This scan does the same. It also checks what the `textgrid`
package does not: the declared sizes are right, and nothing follows the last tier.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, NoReturn

from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .times import milliseconds, number

_TOKEN = re.compile(
    r'"(?P<string>[^"]*(?:""[^"]*)*)"|(?P<unended>")|!.*|'
    r'(?P<number>[+-]?\.?[0-9][^\s"]*)|(?P<flag><\w+>)(?![^\s"])|[^\s"]+'
)


class Token(NamedTuple):
    """A string, a number, a flag or an unclosed quote, with its first and last line."""

    kind: str
    text: str
    line: int
    last: int

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 40 else self.text[:40] + "…"
        if self.kind == "unended":
            return f"{shown} that is never closed"
        return f'"{shown}"' if self.kind == "string" else shown


class PraatInterval(NamedTuple):
    """An interval as in the file: its times in s, and its text."""

    start: Decimal
    end: Decimal
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier; ``intervals`` is empty for tiers of points.

    Args:
        name: its name, with doubled quotes undoubled.
        is_points: whether its marks are points in time.
        start: its ``xmin``, in s.
        end: its ``xmax``, in s.
        intervals: the intervals in file order.
        lines: first and last line of its content in the file.
    """

    name: str
    is_points: bool
    start: Decimal
    end: Decimal
    intervals: tuple[PraatInterval, ...]
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """A TextGrid: its extent in s, and its tiers in file order."""

    start: Decimal
    end: Decimal
    tiers: tuple[Tier, ...]


class _Cursor:
    """A place in the tokens of a file; its methods take the next token or raise an error."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = _tokens(source)
        self.place = 0

    def fail(self, expected: str) -> NoReturn:
        if self.place < len(self.tokens):
            token = self.tokens[self.place]
            raise self.source.error(f"found {token}, expected {expected}", token.line)
        line = self.tokens[-1].last if self.tokens else 1
        raise self.source.error(f"the file ends, expected {expected}", line)

    def take(self, kind: str, expected: str, pattern: str = "") -> Token:
        token = self.tokens[self.place] if self.place < len(self.tokens) else None
        if token is None or token.kind != kind:
            self.fail(expected)
        if pattern and not re.fullmatch(pattern, token.text):
            self.fail(expected)
        self.place += 1
        return token

    def time(self, expected: str) -> tuple[Decimal, int]:
        token = self.take("number", expected)
        try:
            value = number(token.text)
            milliseconds(token.text)  # refuses what is no time
        except SerevalError as error:
            raise self.source.error(str(error), token.line) from None
        return value, token.line

    def size(self, of: str) -> Token:
        return self.take("number", f"the number of {of}", "[0-9]{1,9}")


def scan(source: Source) -> Grid:
    """All tiers of a TextGrid in text format, long or short.

    Args:
        source: the file.

    Raises:
        InputError: a file that is not a TextGrid; a wrong size; a value that is missing or of
            another kind; an unclosed string.

    >>> short = '"ooTextFile" "TextGrid" 0 1 <exists> 1 "IntervalTier" "w" 0 1 1 0 1 "a "" b"'
    >>> scan(Source("a.TextGrid", text=short)).tiers[0].intervals[0].text
    'a " b'
    """
    cursor = _Cursor(source)
    _header(cursor)
    start, _ = cursor.time("the start of the file (xmin)")
    end, _ = cursor.time("its end (xmax)")
    cursor.take("flag", "<exists>: a file with tiers", "<exists>")
    size = cursor.size("tiers")
    tiers: list[Tier] = []
    for k in range(1, int(size.text) + 1):
        tiers.append(_tier(cursor, f"tier {k} of {size.text}", tiers))
    if cursor.place < len(cursor.tokens):
        cursor.fail(f"the end of the file{_too_small(tiers)}")
    return Grid(start, end, tuple(tiers))


def _header(cursor: _Cursor) -> None:
    expected = 'File type = "ooTextFile"; is this a TextGrid, saved from Praat as text?'
    cursor.take("string", expected, "ooTextFile( short)?")
    cursor.take("string", 'Object class = "TextGrid"', "TextGrid")


def _tier(cursor: _Cursor, which: str, before: list[Tier]) -> Tier:
    expected = f'the class of {which}, "IntervalTier" or "TextTier"{_too_small(before)}'
    kind = cursor.take("string", expected, "IntervalTier|TextTier")
    name = cursor.take("string", f"the name of {which}").text
    start, _ = cursor.time(f"the start of tier {quote(name)} (xmin)")
    end, _ = cursor.time(f"the end of tier {quote(name)} (xmax)")
    is_points = kind.text == "TextTier"
    what = "points" if is_points else "intervals"
    size = cursor.size(f"{what} of tier {quote(name)}")
    intervals: list[PraatInterval] = []
    for k in range(1, int(size.text) + 1):
        which = f"{what[:-1]} {k} of {size.text} in tier {quote(name)}"
        if is_points:
            _point(cursor, which)
        else:
            intervals.append(_interval(cursor, which))
    last = cursor.tokens[cursor.place - 1].last
    return Tier(name, is_points, start, end, tuple(intervals), (kind.line, last))


def _too_small(tiers: list[Tier]) -> str:
    return f"; is the size of tier {quote(tiers[-1].name)} too small?" if tiers else ""


def _interval(cursor: _Cursor, which: str) -> PraatInterval:
    start, line = cursor.time(f"the start of {which} (xmin)")
    end, _ = cursor.time(f"the end of {which} (xmax)")
    return PraatInterval(start, end, cursor.take("string", f"the text of {which}").text, line)


def _point(cursor: _Cursor, which: str) -> None:
    cursor.time(f"the time of {which}")
    cursor.take("string", f"the mark of {which}")


def _tokens(source: Source) -> list[Token]:
    tokens = []
    line, at = 1, 0
    for match in _TOKEN.finditer(source.text):
        kind = match.lastgroup
        if kind is None:  # a comment or another word
            continue
        start, end = match.span()
        line, at = line + source.text.count("\n", at, start), start
        text, last = match[kind], line
        if kind == "string":
            text, last = text.replace('""', '"'), line + source.text.count("\n", start, end)
        tokens.append(Token(kind, text, line, last))
    return tokens
