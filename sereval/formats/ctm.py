"""CTM of NIST: a timed word on each line, for several recordings and channels.

``file channel start duration word [confidence [type [speaker]]]``, times in seconds.
Of a group ``<ALT_BEGIN> … <ALT> … <ALT_END>`` the first alternative is read; the word ``@`` stands
for no word. The reader checks the confidence and ignores the columns after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import add

from ..documents.model import Document, Reference, Time, seconds
from ..documents.notes import count_notes
from ..errors import SerevalError
from .source import Source, quote
from .times import (
    OTHERS,
    check_seconds,
    in_order,
    is_number,
    milliseconds,
    number,
    plain_milliseconds,
)
from .utterances import check_blank, check_lengths, lines_of, lost_elements, timed
from .writers import BREAKS, WrittenFiles, exact

_TAGS = ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")
_NO_WORDS = frozenset((*_TAGS, "@"))
_UNSCORED = ("NA", "<NA>")  # how a confidence is left out when a type follows it

BLOCK = 250
"""How many lines are read at once, if they are words without alternatives."""

_Channel = tuple[str, str]


@dataclass(slots=True)
class _Group:
    """An open group of alternatives."""

    channel: _Channel
    line: int
    alternatives: int = 1


@dataclass(slots=True)
class _Builder:
    """The words that have been read of one file, by channel, in order of appearance.

    Equal words of blocks share one string (``known``), which saves memory.
    """

    source: Source
    times: dict[_Channel, list[Time]] = field(default_factory=dict)
    words: dict[_Channel, list[str]] = field(default_factory=dict)
    lines: dict[_Channel, int] = field(default_factory=dict)
    skipped: dict[_Channel, Counter[str]] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    group: _Group | None = None

    def read_block(self, line: int, rows: list[list[str]]) -> bool:
        """Read words without alternatives, column by column, three times as fast as row by row.

        Args:
            line: the line of the first row.
            rows: the columns of each line.

        Returns:
            Whether the rows were read. If not, none was, and each must be read by itself: a row is
            something else, or is wrong, or a group is open.
        """
        widths = {*map(len, rows)}
        if self.group or len(widths) > 1 or not 5 <= widths.pop() <= 8:
            return False
        files, names, starts, durations, words, *others = zip(*rows, strict=True)
        if not _NO_WORDS.isdisjoint(words) or any(file.startswith(";;") for file in {*files}):
            return False
        if others and not all(map(is_number, {*others[0]}.difference(_UNSCORED))):
            return False
        ms = plain_milliseconds(" ".join([*starts, *durations, ""]))
        if ms is None:
            return False
        times = [*zip(ms, map(add, ms, ms[len(rows) :]), strict=False)]
        at = 0
        for channel, size in _runs(files, names):
            end = at + size
            self.lines.setdefault(channel, line + at)
            self.times.setdefault(channel, []).extend(times[at:end])
            same = map(self.known.setdefault, words[at:end], words[at:end])
            self.words.setdefault(channel, []).extend(same)
            at = end
        return True

    def read_row(self, line: int, columns: list[str]) -> None:
        if not 5 <= len(columns) <= 8:
            raise SerevalError(
                f"found {len(columns)} columns, expected 5 to 8: "
                "file channel start duration word [confidence [type [speaker]]]"
            )
        channel = (columns[0], columns[1])
        self.lines.setdefault(channel, line)
        times, words = self.times.setdefault(channel, []), self.words.setdefault(channel, [])
        if self.group and self.group.channel != channel:
            raise SerevalError(
                f"found a word of {' '.join(channel)}, expected one of "
                f"{' '.join(self.group.channel)}, whose <ALT_BEGIN> on line {self.group.line} "
                "has not ended"
            )
        if columns[4] in _TAGS:
            self.read_tag(line, channel, columns)
            return
        start, duration = _time("start", columns[2]), _time("duration", columns[3])
        _check_confidence(columns)
        if columns[4] != "@" and (self.group is None or self.group.alternatives == 1):
            times.append((start, start + duration))
            words.append(columns[4])

    def read_tag(self, line: int, channel: _Channel, columns: list[str]) -> None:
        tag = columns[4]
        if columns[2:4] != ["*", "*"]:
            raise SerevalError(f"found {' '.join(columns[2:])!r}, expected '* * {tag}'")
        _check_confidence(columns)
        if tag == "<ALT_BEGIN>":
            if self.group:
                raise SerevalError(
                    f"<ALT_BEGIN> found inside the group of line {self.group.line}, "
                    "expected <ALT> or <ALT_END>"
                )
            self.group = _Group(channel, line)
            return
        if self.group is None:
            raise SerevalError(f"{tag} found, but no <ALT_BEGIN> is open")
        if tag == "<ALT>":
            self.group.alternatives += 1
            self.skipped.setdefault(channel, Counter())[OTHERS] += 1
            return
        if self.group.alternatives == 1:
            raise SerevalError(
                f"<ALT_END> found, expected an <ALT> since the <ALT_BEGIN> of line "
                f"{self.group.line}: a group has at least two alternatives"
            )
        self.group = None

    def documents(self) -> list[tuple[int | None, Document]]:
        """A document for each channel; its id is the file if the file has no other channel."""
        if self.group:
            raise self.source.error("<ALT_BEGIN> is never ended", self.group.line)
        if not self.words:
            raise self.source.error(
                "no words found, expected lines such as 'show 1 0.53 0.56 word'; a document "
                "without words is written as 'show 1 0 0 @', or in native JSON with \"words\": []"
            )
        check_seconds(
            [*chain.from_iterable(self.times.values())],
            [*chain.from_iterable(self.words.values())],
            self.source.path,
        )
        channels = Counter(file for file, _ in self.words)
        found: list[tuple[int | None, Document]] = []
        for one, words in self.words.items():
            name = one[0] if channels[one[0]] == 1 else "-".join(one)
            notes = count_notes(self.skipped.get(one, Counter()))
            document = in_order(name, self.times[one], words, self.source.path, notes)
            found.append((self.lines[one], document))
        return found


def _runs(files: Sequence[str], names: Sequence[str]) -> Iterator[tuple[_Channel, int]]:
    """The channels of rows in order, each with the number of rows before another one comes."""
    size = len(files)
    if files.count(files[0]) == size == names.count(names[0]):  # mostly, and five times as fast
        yield (files[0], names[0]), size
        return
    for channel, run in groupby(zip(files, names, strict=True)):
        yield channel, len([*run])


def _check_confidence(columns: list[str]) -> None:
    """Refuse a confidence that is no number; words and tags may have one or none."""
    if len(columns) > 5 and columns[5] not in _UNSCORED and not is_number(columns[5]):
        raise SerevalError(
            f"confidence {quote(columns[5])}, expected a number or NA; "
            "is there white space in the word?"
        )


def _time(what: str, text: str) -> int:
    try:
        time = milliseconds(text)
    except SerevalError as error:
        raise SerevalError(f"{what}: {error}") from None
    if number(text) < 0:
        raise SerevalError(f"{what} {quote(text)}, expected a time that is not negative")
    return time


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a CTM.

    Args:
        source: the file.

    Returns:
        A document for each file and channel, with the line of its first word. Its id is the file,
        or ``file-channel`` if that file has several channels. Words are in order of their starts,
        equal starts in file order.

    Raises:
        InputError: a wrong number of columns; a time that is negative or no number; a confidence
            that is no number; unbalanced alternatives; no words.

    >>> [(line, jfk)] = parse(Source("a.ctm", "a", ";; asr\\njfk 1 0.53 0.56 spent 0.0031"))
    >>> line, jfk.id, jfk.words, jfk.times
    (2, 'jfk', ('spent',), ((530, 1090),))
    """
    builder = _Builder(source)
    lines = source.text.rstrip("\n").split("\n")
    for before in range(0, len(lines), BLOCK):
        rows = [line.split() for line in lines[before : before + BLOCK]]
        if builder.read_block(before + 1, rows):
            continue
        for line, columns in enumerate(rows, before + 1):
            if not columns or columns[0].startswith(";;"):
                continue
            try:
                builder.read_row(line, columns)
            except SerevalError as error:
                raise source.error(str(error), line) from None
    return builder.documents()


# ---------------------------------------------------------------------------------------- writing


def written(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    found = exact(document)
    times = timed(found, "CTM")
    check_blank(found.id, found.id, "the id of a document")
    if found.id.startswith(";;"):
        raise SerevalError(f"{found.id}: an id that begins a comment, which no CTM can hold")
    check_lengths(found.id, times, found.words)
    for word in found.words:
        if word in (*_TAGS, "@"):
            raise SerevalError(f"{found.id}: found {quote(word)}, which no CTM can hold")
    rows = (
        (found.id, "1", seconds(start), seconds(end - start), word)
        for (start, end), word in zip(times, found.words, strict=True)
    )
    lost = {**lost_elements(found), BREAKS: len(found.breaks)}
    return WrittenFiles({".ctm": lines_of(rows)}, count_notes(lost))
