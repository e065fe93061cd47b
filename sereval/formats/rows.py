"""CTM and RTTM of NIST: rows of timed words, for several recordings and channels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import add
from sys import intern
from typing import NamedTuple

from ..documents.model import Document, Reference, Time, seconds
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File, quote
from .records import with_place
from .times import (
    OTHERS,
    check_seconds,
    check_span,
    in_order,
    is_number,
    milliseconds,
    number,
    plain_milliseconds,
)
from .utterances import check_blank, check_lengths, lines_of, lost_elements, timed
from .writers import BREAKS, WrittenFiles, exact

_Key = tuple[str, str]


@dataclass(slots=True)
class Channel:
    """The words of a channel of a recording, in the order of the file.

    Args:
        line: the line of its first row; 0: none that counts.
        speakers: the speaker of each word, if the format has them.
        skipped: counts for notes.
    """

    line: int = 0
    words: list[str] = field(default_factory=list)
    times: list[Time] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def _documents(file: File, channels: dict[_Key, Channel]) -> Iterator[tuple[int, Document]]:
    """A document for each channel; its id is the recording if that has no other channel."""
    found = {key: one for key, one in channels.items() if one.line}
    times = [time for one in found.values() for time in one.times]
    check_seconds(times, [*chain.from_iterable(one.words for one in found.values())], file.path)
    channels_of = Counter(recording for recording, _ in found)
    for (recording, channel), one in found.items():
        id = recording if channels_of[recording] == 1 else f"{recording}-{channel}"
        notes = count_notes(one.skipped)
        yield one.line, in_order(id, one.times, one.words, file.path, notes, one.speakers)


# --- CTM -----------------------------------------------------------------------------------------

BEGIN, NEXT, END = _TAGS = ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")
_NO_WORDS = frozenset((*_TAGS, "@"))
_UNSCORED = ("NA", "<NA>")  # how a confidence is left out when a type follows it

BLOCK = 250
"""How many lines are read at once, if they are words without alternatives."""


class _Group(NamedTuple):
    """An open group of alternatives."""

    key: _Key
    line: int
    alternatives: int = 1


def read_ctm(file: File) -> Iterator[tuple[int, Document]]:
    """
    ```ctm
    ;; recording channel start duration word [confidence [type [speaker]]]
    show 1 167.30 0.32 recevrons 0.93
    show 1 167.62 0.31 Benoît    NA   lex
    show 1 * * <ALT_BEGIN>
    show 1 167.93 0.34 magie
    show 1 * * <ALT>
    show 1 167.93 0.49 Magimel
    show 1 * * <ALT_END>
    ```

    NIST's format of words with times: one word on each line, in columns separated by white space.
    Blank lines and lines that begin with `;;` are comments.

    * One recording and channel is a document. Its id is the recording, or `recording-channel` if
      the file has several channels of it. Words are sorted.
    * Between `<ALT_BEGIN>`, `<ALT>` and `<ALT_END>`, the first alternative is taken, which may be
      empty; the others are skipped. These three markers have `*` for both times; they may have the
      columns that follow a word.
    * The word `@` means that there is no word.
    * The confidence is any number, or `NA` or `<NA>`. **No word is dropped because of its type**:
      to leave out noises or fragments, remove them from the file.

    Refused: bad times; a confidence that is not a number (often the sign of a word with white space
    in it); groups of alternatives that stand inside another, have only one alternative, or extend
    into another channel.
    """
    channels: defaultdict[_Key, Channel] = defaultdict(Channel)
    group: _Group | None = None
    lines = file.text.rstrip("\n").split("\n")
    with file.at() as here:
        for before in range(0, len(lines), BLOCK):
            rows = [line.split() for line in lines[before : before + BLOCK]]
            if group is None and _add_block(channels, before + 1, rows):
                continue
            for here.line, row in enumerate(rows, before + 1):
                if row and not row[0].startswith(";;"):
                    group = _add_row(channels, here.line, row, group)
    if group:
        raise file.error("<ALT_BEGIN> is never ended", group.line)
    if not channels:
        raise file.error(
            "no words found, expected lines such as 'show 1 0.53 0.56 word'; a document "
            "without words is written as 'show 1 0 0 @', or in native JSON with \"words\": []"
        )
    yield from _documents(file, channels)


def _add_block(channels: defaultdict[_Key, Channel], line: int, rows: list[list[str]]) -> bool:
    """Add rows column by column, three times as fast as row by row.

    Returns:
        Whether they were added. If not, none was: a row is no word alone, or is wrong.
    """
    widths = {*map(len, rows)}
    if len(widths) > 1 or not 5 <= widths.pop() <= 8:
        return False
    recordings, names, starts, durations, words, *others = zip(*rows, strict=True)
    if not _NO_WORDS.isdisjoint(words) or any(one.startswith(";;") for one in {*recordings}):
        return False
    if others and not all(map(is_number, {*others[0]}.difference(_UNSCORED))):
        return False
    ms = plain_milliseconds(" ".join([*starts, *durations, ""]))
    if ms is None:
        return False
    times = [*zip(ms, map(add, ms, ms[len(rows) :]), strict=False)]
    at = 0
    for key, size in _runs(recordings, names):
        one = channels[key]
        one.line = one.line or line + at
        one.times += times[at : at + size]
        one.words += map(intern, words[at : at + size])  # equal words share one string
        at += size
    return True


def _runs(recordings: Sequence[str], names: Sequence[str]) -> Iterator[tuple[_Key, int]]:
    """The channels of rows in order, each with the number of rows before another one comes."""
    size = len(names)
    if recordings.count(recordings[0]) == size == names.count(names[0]):  # five times as fast
        yield (recordings[0], names[0]), size
        return
    for key, run in groupby(zip(recordings, names, strict=True)):
        yield key, len([*run])


def _add_row(
    channels: defaultdict[_Key, Channel], line: int, row: list[str], group: _Group | None
) -> _Group | None:
    """Add a row; the result is the group of alternatives that is open after it."""
    if not 5 <= len(row) <= 8:
        raise SerevalError(
            f"found {len(row)} columns, expected 5 to 8: "
            "file channel start duration word [confidence [type [speaker]]]"
        )
    recording, name, start, duration, word, *others = row
    key, one = (recording, name), channels[recording, name]
    one.line = one.line or line
    if group and group.key != key:
        raise SerevalError(
            f"found a word of {recording} {name}, expected one of {' '.join(group.key)}, whose "
            f"<ALT_BEGIN> on line {group.line} has not ended"
        )
    is_tag = word in _TAGS
    if is_tag and (start, duration) != ("*", "*"):
        raise SerevalError(f"found {' '.join(row[2:])!r}, expected '* * {word}'")
    begin, length = (0, 0) if is_tag else (_time("start", start), _time("duration", duration))
    if others and others[0] not in _UNSCORED and not is_number(others[0]):
        raise SerevalError(
            f"confidence {quote(others[0])}, expected a number or NA; "
            "is there white space in the word?"
        )
    if is_tag:
        one.skipped[OTHERS] += word == NEXT
        return _after(word, _Group(key, line), group)
    if word != "@" and (group is None or group.alternatives == 1):
        one.times.append((begin, begin + length))
        one.words.append(word)
    return group


def _after(tag: str, new: _Group, group: _Group | None) -> _Group | None:
    """The group that is open after a tag."""
    if tag == BEGIN:
        if group:
            raise SerevalError(
                f"<ALT_BEGIN> found inside the group of line {group.line}, expected <ALT> or "
                "<ALT_END>"
            )
        return new
    if group is None:
        raise SerevalError(f"{tag} found, but no <ALT_BEGIN> is open")
    if tag == NEXT:
        return group._replace(alternatives=group.alternatives + 1)
    if group.alternatives == 1:
        raise SerevalError(
            f"<ALT_END> found, expected an <ALT> since the <ALT_BEGIN> of line {group.line}: a "
            "group has at least two alternatives"
        )
    return None


def _time(what: str, text: str) -> int:
    found = with_place(what, milliseconds, text)
    if number(text) < 0:
        raise SerevalError(f"{what} {quote(text)}, expected a time that is not negative")
    return found


def write_ctm(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    found = exact(document)
    times = timed(found, "CTM")
    check_blank(found.id, found.id, "the id of a document")
    if found.id.startswith(";;"):
        raise SerevalError(f"{found.id}: an id that begins a comment, which no CTM can hold")
    check_lengths(found.id, times, found.words)
    for word in found.words:
        if word in _NO_WORDS:
            raise SerevalError(f"{found.id}: found {quote(word)}, which no CTM can hold")
    rows = (
        (found.id, "1", seconds(start), seconds(end - start), word)
        for (start, end), word in zip(times, found.words, strict=True)
    )
    lost = {**lost_elements(found), BREAKS: len(found.breaks)}
    return WrittenFiles({".ctm": lines_of(rows)}, count_notes(lost))


# --- RTTM ----------------------------------------------------------------------------------------

WORD, TURN, NOTHING = "LEXEME", "SPEAKER", "<NA>"
TYPES = (
    *("SEGMENT", "NOSCORE", "NO_RT_METADATA", WORD, "NON-LEX", "NON-SPEECH", "FILLER", "EDIT"),
    *("SU", "IP", "CB", "A/P", TURN, "SPKR-INFO"),
)


def read_rttm(file: File) -> Iterator[tuple[int, Document]]:
    """
    ```rttm
    SPEAKER show 1 167.30 1.72 <NA> <NA> ada <NA> <NA>
    LEXEME show 1 167.30 0.32 recevrons lex ada 0.93
    LEXEME show 1 167.62 0.31 Benoît lex ada <NA>
    ```

    NIST's format of speaker turns. Its rows of the type `LEXEME` are words with times. Comments,
    documents and times are as in a [CTM](#ctm). Words are sorted. Where the speaker changes, a
    boundary of utterances stands. No word is dropped because of its subtype. Rows of other types
    are skipped, and a note counts those of each type.

    Refused: a file without a `LEXEME` row, as diarisation systems write them (the message counts
    the turns); bad times.
    """
    channels: defaultdict[_Key, Channel] = defaultdict(Channel)
    with file.at() as here:
        for here.line, (kind, *row) in file.rows():
            if kind not in TYPES:
                raise SerevalError(
                    f"found the type {quote(kind)}, expected one of {', '.join(TYPES)}"
                )
            if len(row) not in (8, 9):
                raise SerevalError(
                    f"found {len(row) + 1} columns, expected 9 or 10: type file channel start "
                    "duration orthography subtype speaker confidence [lookahead]"
                )
            recording, name, start, duration, word, _, speaker, *_ = row
            one = channels[recording, name]
            if kind != WORD:
                one.skipped[f"rows of {kind}, skipped"] += 1
                continue
            if word == NOTHING:
                raise SerevalError(f"{WORD} without a word, expected one in column 6")
            begin = with_place("start", milliseconds, start)
            end = begin + with_place("duration", milliseconds, duration)
            check_span(begin, end)
            one.line = one.line or here.line
            one.times.append((begin, end))
            one.words.append(word)
            one.speakers.append(speaker)
    if not any(one.line for one in channels.values()):
        turns = sum(one.skipped[f"rows of {TURN}, skipped"] for one in channels.values())
        what = f"{turns} turns of speakers but no word" if turns else "no word"
        raise file.error(f"{what} found, expected rows such as {WORD} show 1 0.5 0.4 Dol lex ada 1")
    yield from _documents(file, channels)
