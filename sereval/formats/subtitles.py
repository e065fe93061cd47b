"""Subtitles: SubRip (SRT) and WebVTT, with the times of words where they have them.

Source: the recommendation "WebVTT: The Web Video Text Tracks Format" of the W3C.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby, pairwise
from typing import NamedTuple

from ..documents.model import Document, Time, seconds
from ..documents.words import cut
from ..errors import SerevalError
from .build import MOMENTS, NO_WORD, Notes, check_span, check_words, share, times_of
from .file import Documents, File, quote
from .rows import Utterance, document_of, utterances_of

SKIPPED = "notes, styles and regions, skipped"
OVERLAPS = "words that overlap the one before, put into cues of their own"

_TIME = r"(?:([0-9]{1,9}):)?([0-9]{2}):([0-9]{2})[.,]([0-9]{3})"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_BEGINS = re.compile(rf".*-->|\s*{_TIME}")
"""How the first line of a cue begins, whose times may be wrong."""

_MARK = re.compile(f"<{_TIME}>")
_PARTS = re.compile(r"<[^<>]*>|\{\\[^{}]*\}|[^<{]+|[<{]")
_TAG = re.compile("<[^<>]*>")
_BESIDE = ("NOTE", "STYLE", "REGION")
_NUMBER = re.compile(r"\s*[0-9]+\s*")

_WEBVTT = re.compile(r"</?(?:c|i|b|u|v|ruby|rt|lang)(?:[.\s][^<>]*)?>")
_SUBRIP = re.compile(r"(?i:</?(?:b|i|u|s|font)(?:\s[^<>]*)?>)|\{\\[^{}]*\}")
"""The tags of style of a kind of file."""


class _Cue(NamedTuple):
    """A cue: its line, start and end in ms, and the lines of its text."""

    line: int | None
    start: int
    end: int
    lines: list[str]

    @property
    def bare(self) -> str:
        """Its text without any tag or white space."""
        return "".join(_TAG.sub("", " ".join(self.lines)).split())


def read_webvtt(file: File) -> Documents:
    r"""
    ```webvtt
    WEBVTT

    00:02:47.300 --> 00:02:48.270
    <v Ada>recevrons <00:02:47.620>Benoît <00:02:47.930>Magimel

    00:02:48.400 --> 00:02:49.020
    vingt ans
    ```

    WebVTT, and SubRip (`.srt`), which has numbers before its cues and commas in its times:

    ```subrip
    1
    00:02:47,300 --> 00:02:48,270
    recevrons Benoît Magimel
    ```

    A file that begins with `WEBVTT` is WebVTT, whatever its suffix. Each cue begins with a boundary
    of utterances. Cues are sorted. One without words leaves no trace. A line with `-->` begins a
    cue, also without a blank line before it; in SubRip the line before is the number of the cue, in
    WebVTT it is text.

    * **Marks of time** in a cue of WebVTT give times to its words: a word lasts from the mark (or
      the start of the cue) before it to the mark (or the end of the cue) after it. White space ends
      a word, marks and tags do not, so a word may have marks inside. Words between the same two
      marks share the time, and so do the words of a cue without marks. With `--read times=none`, no
      word has times.
    * **Rolling captions.** In a file with marks, the first of two lines of a cue is skipped if it
      has no mark and repeats the last line of the cue before. YouTube writes such cues, whose
      second line may be blank.
    * The words of **cues that overlap** are merged by their start, as in an [STM](#stm).
    * Tags of style and voice (`<v Ada>`, `<c.yellow>`, `<i>`, `<lang fr>`; in SubRip `<font …>`,
      `<i>`, `{\an8}`), `NOTE`, `STYLE` and `REGION` are skipped. In WebVTT `&lt;`, `&amp;` and
      other references stand for characters; in SubRip other text between `<` and `>` is a word.

    Refused: bad times; marks of time that go back or lie outside their cue; cues that repeat
    a text and underline its words in turn, as Whisper's option `highlight_words` writes them.
    """
    style = _WEBVTT if file.text.startswith("WEBVTT") else _SUBRIP
    notes = Notes()
    cues = [*_cues(file, style, notes)]
    file.here = None
    if not cues:
        raise SerevalError("no cue found, expected lines such as 00:00:01,000 --> 00:00:02,000")
    _check_highlights(file, cues)
    if any(_MARK.search(line) for cue in cues for line in cue.lines):
        cues = [*_unrepeated(cues, notes)]
    utterances = [_utterance(file, cue, style, notes) for cue in cues]
    file.here = None
    notes.add(NO_WORD, not any(one.words for one in utterances))
    yield document_of(file, file.id, utterances, notes)


read_subrip = read_webvtt

# --- the cues ------------------------------------------------------------------------------------


def _blocks(file: File) -> Iterator[list[tuple[int, str]]]:
    """The lines between empty lines, with their numbers; lines of blanks are part of a cue."""
    lines = ((k, text.rstrip("\r")) for k, text in enumerate(file.text.split("\n"), 1))
    for _, group in groupby(lines, lambda line: bool(line[1])):
        if block := [*dropwhile(lambda line: not line[1].strip(), group)]:
            yield block


def _cues(file: File, style: re.Pattern[str], notes: Notes) -> Iterator[_Cue]:
    is_webvtt = style is _WEBVTT
    for k, block in enumerate(_blocks(file)):
        is_head = is_webvtt and k == 0
        is_beside = is_webvtt and block[0][1].split()[0] in _BESIDE
        starts = [at for at, (_, line) in enumerate(block) if _BEGINS.match(line)]
        if is_head and starts[:1] == [0]:
            del starts[0]  # the title of the file
        before = block[: starts[0]] if starts else block
        if is_beside and before:
            notes.add(SKIPPED)
        elif not is_head and (before[1:] or not starts):
            _times(file, *before[-1])  # raises
        is_numbered = not is_webvtt and before and _NUMBER.fullmatch(before[0][1])
        for start, end in pairwise([*starts, len(block)]):
            times, lines = _times(file, *block[start]), block[start + 1 : end]
            if is_numbered and end < len(block) and lines and _NUMBER.fullmatch(lines[-1][1]):
                del lines[-1]  # of the next cue
            yield _Cue(file.here, *times, [line for _, line in lines])


def _times(file: File, line: int, text: str) -> Time:
    """The times of a cue, in its first line."""
    file.here, found = line, _TIMING.fullmatch(text)
    if found is None:
        raise SerevalError(
            f"found {quote(text)}, expected times such as 00:00:01.000 --> 00:00:02.000"
        )
    return check_span(_milliseconds(found.groups()[:4]), _milliseconds(found.groups()[4:]))


def _milliseconds(parts: Sequence[str | None]) -> int:
    hours, minutes, rest, ms = (int(part or 0) for part in parts)
    return ((hours * 60 + minutes) * 60 + rest) * 1000 + ms


def _check_highlights(file: File, cues: Sequence[_Cue]) -> None:
    """Refuse cues that repeat a text and underline its words in turn, as Whisper writes them."""
    for one, other in pairwise(cues):
        is_underlined = any("<u>" in line for line in (*one.lines, *other.lines))
        if is_underlined and one.lines != other.lines and one.bare == other.bare:
            file.here = other.line
            raise SerevalError(
                "a cue repeats the text of the one before and underlines another word, expected "
                "each word once: Whisper's JSON has the times of words"
            )


def _unrepeated(cues: list[_Cue], notes: Notes) -> Iterator[_Cue]:
    """The cues without first lines that repeat the last line before."""
    last = ""
    for cue in cues:
        lines = [line for line in cue.lines if line.strip()]
        is_rolled = len(cue.lines) > 1 and lines and not _MARK.search(lines[0])
        if is_rolled and cue._replace(lines=lines[:1]).bare == last:
            notes.add("lines that repeat the cue before, skipped")
            del lines[0]
        last = cue._replace(lines=lines[-1:]).bare or last
        yield cue._replace(lines=lines)


def _utterance(file: File, cue: _Cue, style: re.Pattern[str], notes: Notes) -> Utterance:
    """The words of a cue, with their times."""
    file.here = cue.line
    text, marks = _text(cue, style, notes)
    marks = [(cue.start, 0), *marks, (cue.end, len(text))]
    times = [time for time, _ in marks]
    if times != sorted(times):
        shown = ", ".join(map(seconds, times[1:-1]))
        raise SerevalError(
            f"marks of time at {shown} s, expected them to rise from {seconds(cue.start)} s to "
            f"{seconds(cue.end)} s"
        )
    words = cut(text, ())
    stretches = [(start, end, first, last) for (start, first), (end, last) in pairwise(marks)]
    return Utterance(cue.start, cue.end, words.words, *share(words, stretches))


def _text(cue: _Cue, style: re.Pattern[str], notes: Notes) -> tuple[str, list[tuple[int, int]]]:
    """The text of a cue without tags, and its marks of time with their places in it."""
    text = ""
    marks: list[tuple[int, int]] = []
    for part in _PARTS.findall(" \n".join(cue.lines)):
        if style is _WEBVTT and (mark := _MARK.fullmatch(part)):
            marks.append((_milliseconds(mark.groups()), len(text)))
        elif style.fullmatch(part):
            notes.add("tags of style and voice, skipped")
        elif style is _WEBVTT and part.startswith("<"):
            raise SerevalError(
                f"found {quote(part)}, expected a tag of WebVTT, or &lt; for the sign"
            )
        else:
            text += html.unescape(part) if style is _WEBVTT else part
    return text, marks


# ---------------------------------------------------------------------------------------- writing


def write_webvtt(document: Document, lost: Notes) -> str:
    """The file of a document in WebVTT, and notes on what it does not hold."""
    times = times_of(document, "WebVTT")
    check_words(document, "WebVTT", rf"\s|^{_TIME}")
    spans = [(start, max(end, start + 1)) for start, end in times]
    overlaps = {k for k in range(1, len(spans)) if spans[k][0] < spans[k - 1][1]}
    frontiers = sorted({0, len(spans), *document.breaks, *overlaps})
    cues = (
        _cue(spans[first:last], document.words[first:last]) for first, last in pairwise(frontiers)
    )
    lost.add(OVERLAPS, len(overlaps - {*document.breaks}))
    lost.add(MOMENTS, sum(start == end for start, end in times))
    return "WEBVTT\n\n" + "\n".join(cues)


def _cue(times: Sequence[Time], words: Sequence[str]) -> str:
    """The lines of a cue whose words do not overlap."""
    first, *rest = (html.escape(word, quote=False) for word in words)
    text = first
    for ((_, before), (start, _)), word in zip(pairwise(times), rest, strict=True):
        pause = f"<{_clock(before)}>" if before < start else ""
        text += f"{pause} <{_clock(start)}>{word}"
    return f"{_clock(times[0][0])} --> {_clock(times[-1][1])}\n{text}\n"


def _clock(ms: int) -> str:
    rest, ms = divmod(ms, 1000)
    minutes, rest = divmod(rest, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}.{ms:03}"


def write_subrip(document: Document, lost: Notes) -> str:
    """The text of a document in SubRip, a cue for each utterance."""
    check_words(document, "SubRip", rf"\s|-->|^{_TIME}|{_SUBRIP.pattern}")
    cues = []
    for number, one in enumerate(utterances_of(document, "SubRip", lost), 1):
        times = f"{_clock(one.start)} --> {_clock(one.end)}".replace(".", ",")
        cues.append(f"{number}\n{times}\n{' '.join(one.words)}\n")
    return "\n".join(cues)
