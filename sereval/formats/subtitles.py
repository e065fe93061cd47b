"""Subtitles: SubRip (SRT) and WebVTT, with the times of words where they have them.

A cue has a start and an end. Marks of time inside a cue of WebVTT, ``<00:00:01.200>``, give times
to its words. Whisper's option ``highlight_words`` repeats the cue for each of its words, which it
underlines. In other cues words share the time of the cue, as in an STM.

Source: the recommendation "WebVTT: The Web Video Text Tracks Format" of the W3C.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from ..documents.model import Document, Reference, Time, seconds
from ..documents.notes import count_notes
from ..errors import InputError, SerevalError
from .file import File as Source
from .file import quote
from .times import NO_WORD, SPREAD, check_span, spread
from .utterances import Utterance, document_of, lost_elements, timed
from .writers import MOMENTS, WrittenFiles, exact

TAGS = "tags of style and voice, skipped"
REPEATED = "lines that repeat the cue before, skipped"
PAUSES = "cues that repeat a text without an underlined word, skipped"
SKIPPED = "notes, styles and regions, skipped"
OVERLAPS = "words that overlap the one before, put into cues of their own"

_TIME = r"(?:([0-9]{2,9}):)?([0-9]{2}):([0-9]{2})[.,]([0-9]{3})"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_BEGINS = {
    "WebVTT": re.compile(r".*-->"),
    "SubRip": re.compile(rf"[\s0-9:.,]*[0-9]\s*-->|\s*{_TIME}\W{{1,5}}{_TIME}"),
}
"""How the first line of a cue begins; its times may be wrong."""
_MARK = re.compile(f"<{_TIME}>")
_STYLES = {
    "WebVTT": re.compile(r"</?(?:c|i|b|u|v|ruby|rt|lang)(?:[.\s][^<>]*)?>"),
    "SubRip": re.compile(r"</?(?:b|i|u|s|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}", re.IGNORECASE),
}
_PARTS = re.compile(r"<[^<>]*>|\{\\[^{}]*\}|[^<{]+|[<{]")
_UNDERLINED = re.compile(r"<u>(.*?)</u>")
_BESIDE = ("NOTE", "STYLE", "REGION")


class _Cue(NamedTuple):
    """A cue: its line, start and end in ms, and the lines of its text."""

    line: int
    start: int
    end: int
    lines: tuple[str, ...]


class _Piece(NamedTuple):
    """A part of a word between two marks of time."""

    word: int
    width: int
    mark: int


def read_webvtt(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file of subtitles.

    The policy ``times``: words without times of their own share the time between two marks, or of
    their cue, by their numbers of characters (``spread``), or no word has times (``none``).

    Args:
        source: the file, which is WebVTT if it begins with ``WEBVTT``, else SubRip.

    Returns:
        One document. Words are in order of their starts, and each cue begins with a break.

    Raises:
        InputError: a block without times; an end before its start; marks of time out of order; a
            tag that WebVTT does not have; no cue.

    >>> text = "WEBVTT\\n\\n00:01.000 --> 00:02.000\\nà <00:01.250>Dol"
    >>> [(_, one)] = read_webvtt(Source("a.vtt", text=text))
    >>> one.words, one.times
    (('à', 'Dol'), ((1000, 1250), (1250, 2000)))
    """
    program = "WebVTT" if source.text.startswith("WEBVTT") else "SubRip"
    skipped: Counter[str] = Counter()
    cues = list(_cues(source, program, skipped))
    if not cues:
        raise source.error("no cue found, expected lines such as 00:00:01,000 --> 00:00:02,000")
    is_highlighted = _is_highlighted(cues)
    if not is_highlighted and any(_MARK.search(line) for cue in cues for line in cue.lines):
        cues = _unrepeated(cues, skipped)
    utterances: list[Utterance] = []
    for group in _repeated(cues) if is_highlighted else ([cue] for cue in cues):
        try:
            if is_highlighted:
                utterances += _underlined(group, program, skipped)
            else:
                utterances.append(_utterance(group[0], program, skipped))
        except SerevalError as error:
            raise source.located(error, group[0].line) from None
    skipped[NO_WORD] = int(not any(one.words for one in utterances))
    if source.policy("times") == "none":
        del skipped[SPREAD]
    return [(None, document_of(source, source.id, utterances, skipped))]


def is_cue(text: str) -> bool:
    """Whether a line of SubRip begins a cue.

    >>> is_cue("00:01 --> 00:02"), is_cue("A --> B")
    (True, False)
    """
    return _BEGINS["SubRip"].match(text) is not None


def is_style(word: str) -> bool:
    """Whether a reader of SubRip would take a word, or a part of it, for a tag.

    >>> is_style("a<i>"), is_style("<unk>")
    (True, False)
    """
    return any(_STYLES["SubRip"].fullmatch(part) for part in _PARTS.findall(word))


# --- the cues ------------------------------------------------------------------------------------


def _blocks(source: Source) -> Iterator[list[tuple[int, str]]]:
    """The lines between empty lines, with their numbers."""
    block: list[tuple[int, str]] = []
    for number, text in (*source.lines(), (0, "")):
        line = text.rstrip("\r")
        if line.strip() or (line and block):  # a line of blanks is part of a cue
            block.append((number, line))
        elif block:
            yield block
            block = []


def _cues(source: Source, program: str, skipped: Counter[str]) -> Iterator[_Cue]:
    for k, block in enumerate(_blocks(source)):
        is_head = program == "WebVTT" and k == 0
        is_beside = program == "WebVTT" and block[0][1].split()[0] in _BESIDE
        begins = _TIMING if is_beside else _BEGINS[program]
        starts = [at for at, (_, line) in enumerate(block) if begins.match(line)]
        if is_head and starts[:1] == [0]:
            del starts[0]  # the title of the file
        before = block[: starts[0]] if starts else block
        if is_beside and before:
            skipped[SKIPPED] += 1
        elif before[1:] and not is_head:
            raise _no_times(source, *before[1])
        elif not starts and not is_head:
            raise _no_times(source, *block[0])
        is_numbered = program == "SubRip" and bool(before) and _is_number(before[0])
        for start, end in pairwise([*starts, len(block)]):
            lines = block[start:end]
            if is_numbered and end < len(block) and len(lines) > 1 and _is_number(lines[-1]):
                del lines[-1]  # of the next cue
            yield _cue_of(source, lines)


def _cue_of(source: Source, lines: Sequence[tuple[int, str]]) -> _Cue:
    """A cue from its lines, of which the first has its times."""
    number, text = lines[0]
    times = _TIMING.fullmatch(text)
    if times is None:
        raise _no_times(source, number, text)
    start, end = _milliseconds(times.groups()[:4]), _milliseconds(times.groups()[4:])
    try:
        check_span(start, end)
    except SerevalError as error:
        raise source.error(str(error), number) from None
    return _Cue(number, start, end, tuple(line for _, line in lines[1:]))


def _no_times(source: Source, number: int, text: str) -> InputError:
    return source.error(
        f"found {quote(text)}, expected times such as 00:00:01.000 --> 00:00:02.000", number
    )


def _is_number(line: tuple[int, str]) -> bool:
    """Whether a line is the number of a cue."""
    return re.fullmatch(r"\s*[0-9]+\s*", line[1]) is not None


def _milliseconds(parts: Sequence[str | None]) -> int:
    hours, minutes, rest, ms = (int(part or 0) for part in parts)
    return ((hours * 60 + minutes) * 60 + rest) * 1000 + ms


def _bare(text: str) -> str:
    """A text without any tag."""
    return " ".join(re.sub("<[^<>]*>", "", text).split())


def _is_highlighted(cues: Sequence[_Cue]) -> bool:
    """Whether cues repeat a text and underline its words in turn, as Whisper writes them."""
    texts = [" ".join(cue.lines) for cue in cues]
    return any(
        one != other and "<u>" in one + other and _bare(one) == _bare(other)
        for one, other in pairwise(texts)
    )


def _repeated(cues: Sequence[_Cue]) -> list[list[_Cue]]:
    """The cues, those that follow one another with the same text together."""
    return [[*group] for _, group in groupby(cues, lambda cue: _bare(" ".join(cue.lines)))]


def _underlined(group: list[_Cue], program: str, skipped: Counter[str]) -> list[Utterance]:
    """The utterances of cues with one text; each word has the time of its cue."""
    text, _, _ = _words(group[0], program, Counter())
    found = [Utterance(0, 0, (), ())]
    for cue in group:
        under = _UNDERLINED.findall(" ".join(cue.lines))
        if len(under) > 1:
            raise InputError(f"{len(under)} underlined words, expected one in a cue", line=cue.line)
        skipped[PAUSES] += not under
        if not under:
            continue
        one = _utterance(cue._replace(lines=tuple(under)), program, skipped)
        last = found[-1]
        if "".join(last.words) == "".join(text):  # said again
            found.append(one)
        else:
            times = (*(last.times or ()), *(one.times or ()))
            start = last.start if last.words else one.start
            found[-1] = Utterance(start, one.end, last.words + one.words, times)
    if any("".join(one.words) != "".join(text) for one in found):
        raise SerevalError(
            f"the underlined words are not those of {quote(' '.join(text))}, expected each in a cue"
        )
    return found


def _unrepeated(cues: list[_Cue], skipped: Counter[str]) -> list[_Cue]:
    """The cues without first lines that repeat the last line before.

    YouTube's captions have them, in cues of two lines, of which one may be blank.
    """
    found: list[_Cue] = []
    last = ""
    for cue in cues:
        lines = [line for line in cue.lines if line.strip()]
        is_rolled = len(cue.lines) > 1 and lines and not _MARK.search(lines[0])
        if is_rolled and _bare(lines[0]) == last:
            skipped[REPEATED] += 1
            del lines[0]
        last = _bare(lines[-1]) if lines else last
        found.append(cue._replace(lines=tuple(lines)))
    return found


# --- the words of a cue --------------------------------------------------------------------------


def _utterance(cue: _Cue, program: str, skipped: Counter[str]) -> Utterance:
    """The words of a cue, with their times."""
    words, pieces, marks = _words(cue, program, skipped)
    segments = list(pairwise([cue.start, *marks, cue.end]))
    for start, end in segments:
        if end < start:
            raise SerevalError(
                f"a mark of time out of order at {seconds(end if end in marks else start)} s, "
                f"expected them to rise from {seconds(cue.start)} s to {seconds(cue.end)} s"
            )
    spans: list[list[int]] = [[] for _ in words]
    shared: set[int] = set()
    for k, (start, end) in enumerate(segments):
        inside = [piece for piece in pieces if piece.mark == k]
        shared |= {piece.word for piece in inside if len(inside) > 1}
        parts = spread([piece.width for piece in inside], start, end) if inside else []
        for piece, time in zip(inside, parts, strict=True):
            spans[piece.word] += time
    skipped[SPREAD] += len(shared)
    times = tuple((min(span), max(span)) for span in spans)
    return Utterance(cue.start, cue.end, tuple(words), times)


def _words(
    cue: _Cue, program: str, skipped: Counter[str]
) -> tuple[list[str], list[_Piece], list[int]]:
    """The words of a cue, their pieces, and its marks of time."""
    words: list[str] = []
    pieces: list[_Piece] = []
    marks: list[int] = []
    is_open = False  # whether the next text goes on with the last word
    for part in _PARTS.findall(" \n".join(cue.lines)):
        if program == "WebVTT" and (mark := _MARK.fullmatch(part)):
            marks.append(_milliseconds(mark.groups()))
        elif _STYLES[program].fullmatch(part):
            skipped[TAGS] += 1
        else:
            text = _plain(part, program)
            for k, run in enumerate(text.split()):
                if k or not is_open or text[:1].isspace():
                    words.append("")
                words[-1] += run
                pieces.append(_Piece(len(words) - 1, len(run), len(marks)))
            is_open = not text[-1:].isspace() and (bool(text.split()) or is_open)
    return words, pieces, marks


def _plain(part: str, program: str) -> str:
    """The text of a part, which in WebVTT has references such as ``&amp;``."""
    if program != "WebVTT":
        return part
    if part.startswith("<"):
        raise SerevalError(f"found {quote(part)}, expected a tag of WebVTT, or &lt; for the sign")
    return html.unescape(part)


# ---------------------------------------------------------------------------------------- writing


def write_webvtt(document: Document | Reference) -> WrittenFiles:
    """The file of a document in WebVTT, and notes on what it does not hold.

    A mark of time stands where a word begins, and where it ends before the next one begins.
    """
    found = exact(document)
    times = timed(found, "WebVTT")
    spans = [(start, max(end, start + 1)) for start, end in times]
    overlaps = {k for k in range(1, len(spans)) if spans[k][0] < spans[k - 1][1]}
    frontiers = sorted({0, len(spans), *found.breaks, *overlaps})
    cues = (_cue(spans[first:last], found.words[first:last]) for first, last in pairwise(frontiers))
    lost = {
        **lost_elements(found),
        OVERLAPS: len(overlaps - {*found.breaks}),
        MOMENTS: sum(start == end for start, end in times),
    }
    return WrittenFiles({".vtt": "WEBVTT\n\n" + "\n".join(cues)}, count_notes(lost))


def _cue(times: Sequence[Time], words: Sequence[str]) -> str:
    """The lines of a cue whose words do not overlap."""
    text = _escaped(words[0])
    for ((_, before), (start, _)), word in zip(pairwise(times), words[1:], strict=True):
        pause = f"<{clock(before)}>" if before < start else ""
        text += f"{pause} <{clock(start)}>{_escaped(word)}"
    return f"{clock(times[0][0])} --> {clock(times[-1][1])}\n{text}\n"


def _escaped(word: str) -> str:
    return html.escape(word, quote=False)


def clock(ms: int) -> str:
    """A time as WebVTT has it.

    >>> clock(3_723_004)
    '01:02:03.004'
    """
    rest, ms = divmod(ms, 1000)
    minutes, rest = divmod(rest, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}.{ms:03}"
