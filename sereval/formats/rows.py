"""Rows of words or of utterances: CTM, RTTM and STM of NIST, SegLST, sclite's trn, Kaldi's text.

Such files have words or utterances of several recordings and channels. Where only an utterance has
a start and an end, its words share its time by their numbers of characters.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, pairwise
from operator import add
from typing import NamedTuple

from ..documents.checks import Alternative
from ..documents.files import decode, file_bytes
from ..documents.model import Document, Time, seconds
from ..errors import SerevalError
from .build import (
    UTTERANCES,
    Notes,
    check_seconds,
    check_texts,
    check_words,
    in_order,
    times_of,
    times_of_seconds,
)
from .file import Documents, File, quote
from .find import Head
from .records import Record, of_type, value, with_place
from .times import (
    OTHERS,
    SPREAD,
    check_span,
    is_number,
    milliseconds,
    plain_milliseconds,
    spread,
)

_Key = tuple[str, str]


@dataclass(slots=True)
class Channel:
    """What was read of one channel of a recording.

    Args:
        line: the line of its first row; 0: it has no row that makes a document.
        lines: the line of each word.
        cells: start, duration and text of each word, one after another.
        speakers: the speaker of each word, if the format has them.
    """

    line: int = 0
    lines: list[int] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    utterances: list[Utterance] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)


def _named(channels: dict[_Key, Channel]) -> list[tuple[str, Channel]]:
    """Channels with the id of their document: the recording, if that has no other channel."""
    found = {key: one for key, one in channels.items() if one.line}
    count = Counter(recording for recording, _ in found)
    return [
        (recording if count[recording] == 1 else f"{recording}-{channel}", one)
        for (recording, channel), one in found.items()
    ]


def _documents(file: File, channels: dict[_Key, Channel]) -> Iterator[tuple[int, Document]]:
    """A document for each channel with words."""
    found = _named(channels)
    every = [_times(file, one) for _, one in found]
    words = [word for _, one in found for word in one.cells[2::3]]
    check_seconds(file, [*chain(*every)], words)
    for (id, one), times in zip(found, every, strict=True):
        yield one.line, in_order(file, id, times, one.cells[2::3], one.notes, one.speakers)


def _times(file: File, channel: Channel) -> list[Time]:
    """The start and the end of each word, in ms."""
    starts, durations = channel.cells[::3], channel.cells[1::3]
    ms = plain_milliseconds(" ".join([*starts, *durations, ""]))
    if ms is not None:
        return [*zip(ms, map(add, ms, ms[len(starts) :]), strict=False)]
    times = []
    with file.at() as here:
        for here.line, start, duration in zip(channel.lines, starts, durations, strict=True):
            begin = with_place("start", milliseconds, start)
            end = begin + with_place("duration", milliseconds, duration)
            if end < begin and file.policy("durations") == "zero":
                channel.notes.add("durations below 0, read as 0", 1, "durations=zero")
                end = begin
            if end < begin:
                raise SerevalError(
                    f"found the duration {duration}, expected 0 or more; {file.hint('durations')}"
                )
            check_span(begin, end)
            times.append((begin, end))
    return times


# --- utterances ----------------------------------------------------------------------------------

OVERLAPPING = "utterances that overlap one before, words merged by their start"
UNKNOWN = "unknown"
"""The speaker of an utterance that is written: documents have none."""


class Utterance(NamedTuple):
    """An utterance.

    Args:
        start, end: in ms.
        words: its words.
        times: start and end of each word.
        shared: the number of words that have no time of their own.
        alternatives: what may be said instead, in frontiers of the utterance.
    """

    start: int
    end: int
    words: tuple[str, ...]
    times: Sequence[Time]
    shared: int = 0
    alternatives: Sequence[Alternative] = ()


def utterance(start: int, end: int, words: Sequence[str]) -> Utterance:
    """An utterance whose words share its time."""
    check_span(start, end)
    times = spread([len(word) for word in words], start, end)
    return Utterance(start, end, tuple(words), times, len(words))


def document_of(file: File, id: str, utterances: Sequence[Utterance], notes: Notes) -> Document:
    """The document of the utterances of a recording, in order of their starts."""
    ordered = sorted((one for one in utterances if one.words), key=lambda one: one.start)
    has_times = file.policy("times") == "spread"
    words = [
        (time, word, k, u)
        for u, one in enumerate(ordered)
        for k, (time, word) in enumerate(zip(one.times, one.words, strict=True))
    ]
    if has_times:
        words.sort(key=lambda one: one[0][0])
        notes.add(SPREAD, sum(one.shared for one in ordered))
        latest = accumulate((one.end for one in ordered), max)
        overlaps = zip(ordered[1:], latest, strict=False)
        notes.add(OVERLAPPING, sum(one.start < end for one, end in overlaps))
    alternatives = []
    has_some = any(one.alternatives for one in ordered)
    place = {(u, k): at for at, (_, _, k, u) in enumerate(words)} if has_some else {}
    for u, one in enumerate(ordered):
        for start, end, others in one.alternatives:
            at = [place[u, k] for k in range(start, end)]
            if at == [*range(at[0], at[0] + len(at))]:
                alternatives.append(Alternative(at[0], at[-1] + 1, others))
            else:  # other words are between them
                notes.add(OTHERS, len(others))
    return Document(
        id,
        tuple(word for _, word, _, _ in words),
        times=tuple(time for time, _, _, _ in words) if has_times else None,
        breaks=tuple(at for at, (_, _, k, _) in enumerate(words) if at and not k),
        source=file.path,
        notes=notes.all(),
        alternatives=tuple(sorted(alternatives)),
    )


def utterances_of(document: Document, format: str, lost: Notes) -> list[Utterance]:
    """The utterances of a document, each from its first start to the last end of its words."""
    times, words = times_of(document, format), document.words
    check_words(document, format)
    lost.add(UTTERANCES, len(words))
    return [
        Utterance(times[i][0], max(end for _, end in times[i:j]), words[i:j], times[i:j])
        for i, j in pairwise([0, *document.breaks, len(words)])
    ]


# --- CTM -----------------------------------------------------------------------------------------

BEGIN, NEXT, END = _TAGS = ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")
_AFTER = {BEGIN: (NEXT,), NEXT: (NEXT, END), END: (BEGIN,)}
"""The tags that may follow a tag; the first of a channel follows an end."""
_NO_WORDS = frozenset((*_TAGS, "@"))
_UNSCORED = ("NA", "<NA>")  # how a confidence is left out when a type follows it


class _Group(NamedTuple):
    """An open group of alternatives, and its last tag."""

    key: list[str]
    line: int
    tag: str


def read_ctm(file: File) -> Documents:
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

    * One recording and channel is a document. Its id is the recording, or `recording-CHANNEL` if
      the file has several channels of it, in capitals: `A` and `a` are one. Words are sorted.
    * Between `<ALT_BEGIN>`, `<ALT>` and `<ALT_END>`, the first alternative is taken, which may be
      empty; the others are skipped. These three markers have `*` for both times; they may have the
      columns that follow a word.
    * The word `@` means that there is no word.
    * The confidence is any number, or `NA` or `<NA>`. **No word is dropped because of its type**:
      to leave out noises or fragments, remove them from the file.

    Refused: bad times; a duration below 0, unless `--read durations=zero` reads it as 0; a
    confidence that is not a number (often the sign of a word with white space in it); groups of
    alternatives that stand inside another, have only one alternative, or extend into another
    channel.
    """
    channels: defaultdict[_Key, Channel] = defaultdict(Channel)
    group: _Group | None = None
    confidences: dict[str, int] = {}
    one, before = Channel(), ["", ""]  # rows of a channel follow one another
    with file.at() as here:
        for line, row in file.rows():
            here.line = line
            if not 5 <= len(row) <= 8:
                raise SerevalError(
                    f"found {len(row)} columns, expected 5 to 8: "
                    "file channel start duration word [confidence [type [speaker]]]"
                )
            if row[1] != before[1] or row[0] != before[0]:
                one, before = channels[row[0], row[1].upper()], row
                one.line = one.line or line
            word = row[4]
            if len(row) > 5 and row[5] not in confidences:
                confidences[row[5]] = line
            if group or word in _NO_WORDS:
                group = _after(group, line, row)
                one.notes.add(OTHERS, word == NEXT)
                if word in _NO_WORDS or (group and group.tag == NEXT):
                    continue
            one.lines.append(line)
            one.cells += row[2:5]
    _check_confidences(file, confidences)
    if group:
        raise file.error(f"{group.tag} is never ended", group.line)
    if not channels:
        raise file.error(
            "no words found, expected lines such as 'show 1 0.53 0.56 word'; a document "
            "without words is written as 'show 1 0 0 @', or in native JSON with \"words\": []"
        )
    yield from _documents(file, channels)


def _check_confidences(file: File, confidences: dict[str, int]) -> None:
    """Refuse a confidence that is no number; each has the line where it is first."""
    for text, line in confidences.items():
        if text not in _UNSCORED and not is_number(text):
            raise file.error(
                f"confidence {quote(text)}, expected a number or NA; is there white space in the "
                "word?",
                line,
            )


def _after(group: _Group | None, line: int, row: list[str]) -> _Group | None:
    """The group that is open after a row."""
    key, times, word = row[:2], row[2:4], row[4]
    if group and group.key != key:
        raise SerevalError(
            f"found a word of {' '.join(key)}, expected one of {' '.join(group.key)}, whose "
            f"{group.tag} on line {group.line} has not ended"
        )
    if word not in _TAGS:
        return group
    if times != ["*", "*"]:
        raise SerevalError(f"found {' '.join(row[2:])!r}, expected '* * {word}'")
    expected = _AFTER[group.tag if group else END]
    if word not in expected:
        of = f" after the {group.tag} of line {group.line}" if group else ""
        raise SerevalError(f"found {word}{of}, expected {' or '.join(expected)}")
    return None if word == END else _Group(key, line, word)


def write_ctm(document: Document, _: Notes) -> str:
    times = times_of_seconds(document, "CTM")
    check_texts(document.id, "CTM", [document.id], r"\s|^;;")
    check_words(document, "CTM", rf"\s|^(?:{'|'.join(_NO_WORDS)})$")
    return "".join(
        f"{document.id} 1 {seconds(start)} {seconds(end - start)} {word}\n"
        for (start, end), word in zip(times, document.words, strict=True)
    )


# --- RTTM ----------------------------------------------------------------------------------------

WORD, TURN, NOTHING = "LEXEME", "SPEAKER", "<NA>"


def read_rttm(file: File) -> Documents:
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
    turns = 0
    with file.at() as here:
        for line, (kind, *row) in file.rows():
            here.line = line
            if len(row) not in (8, 9):
                raise SerevalError(
                    f"found {len(row) + 1} columns, expected 9 or 10: type file channel start "
                    "duration orthography subtype speaker confidence [lookahead]"
                )
            one = channels[row[0], row[1].upper()]
            if kind != WORD:
                one.notes.add(f"rows of {kind}, skipped")
                turns += kind == TURN
                continue
            if row[4] == NOTHING:
                raise SerevalError(f"{WORD} without a word, expected one in column 6")
            one.line = one.line or line
            one.lines.append(line)
            one.cells += row[2:5]
            one.speakers.append(row[6])
    if not any(one.line for one in channels.values()):
        what = f"{turns} turns of speakers but no word" if turns else "no word"
        raise file.error(f"{what} found, expected rows such as {WORD} show 1 0.5 0.4 Dol lex ada 1")
    yield from _documents(file, channels)


# --- STM -----------------------------------------------------------------------------------------

_LABEL = re.compile(r"^<[^\s>]*>")
_IGNORE = "IGNORE_TIME_SEGMENT_IN_SCORING"


def read_stm(file: File) -> Documents:
    """
    ```stm
    ;; recording channel speaker start end [<label>] words
    show 1 ada 167.30 168.27 <o,f0,female> recevrons Benoît magie
    show 1 bo 168.40 169.02 { vingt / 20 } ans
    ```

    NIST's format of utterances: one on each line, in columns separated by white space. Blank lines
    and lines that begin with `;;` are comments.

    * One recording and channel is a document, named as in a [CTM](#ctm). Each utterance begins with
      a boundary of utterances. Utterances are sorted. One without words leaves no trace.
    * Words share the time of their utterance. With `--read times=none`, they have no times.
    * The words of **utterances that overlap** are merged by their start, and a note counts such
      utterances. With `--read times=none`, the words of an utterance stay together.
    * Alternatives `{ vingt / 20 }` are as in [trn](#trn); those whose words an overlapping
      utterance parts are skipped, and counted. Parentheses are part of their words.
    * An utterance whose words are `IGNORE_TIME_SEGMENT_IN_SCORING` is skipped.

    Refused: bad times; a label with white space in it; braces that stand in others, or have one
    alternative.
    """
    channels: defaultdict[_Key, Channel] = defaultdict(Channel)
    with file.at() as here:
        for here.line, columns in file.rows(most=5):
            if len(columns) < 5:
                raise SerevalError(
                    f"found {len(columns)} columns, expected at least 5: "
                    "file channel speaker start end [<label>] words"
                )
            recording, name, _, start, end, text = [*columns, ""][:6]
            one = channels[recording, name.upper()]
            one.line = one.line or here.line
            span = with_place("start", milliseconds, start), with_place("end", milliseconds, end)
            if text.startswith("<") and not _LABEL.match(text):
                shown = quote(text.split()[0])
                raise SerevalError(f"found {shown}, expected a label such as <o,f0,male>")
            text = _LABEL.sub("", text, count=1).strip()
            if text == _IGNORE:
                one.notes.add("utterances that are not to be scored, skipped")
                continue
            words, alternatives = said(text)
            found = utterance(*span, words)
            one.utterances.append(found._replace(alternatives=alternatives))
    if not channels:
        raise file.error("no utterance found, expected lines such as 'show 1 ada 0.5 2.1 words'")
    for id, one in _named(channels):
        yield one.line, document_of(file, id, one.utterances, one.notes)


def readings(text: str) -> Iterator[list[tuple[str, ...]]]:
    """The words of a text, or what stands in the place of alternatives ``{ a / b }``."""
    for k, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
        found = re.split(r"(?:^|\s)/(?:\s|$)", part)
        if k % 2 == 0:
            if "{" in part or "}" in part:
                shown = quote(text.strip())
                raise SerevalError(f"{shown}: a brace without its other one, or in another")
            for word in part.split():
                yield [(word,)]
        elif len(found) == 1:
            shown = quote("{" + part + "}")
            raise SerevalError(f"found {shown}, expected ' / ' between alternatives")
        else:
            yield [tuple(word for word in one.split() if word != "@") for one in found]


def write_stm(document: Document, lost: Notes) -> str:
    utterances = utterances_of(document, "STM", lost)
    check_texts(document.id, "STM", [document.id], r"\s|^;;")
    lines = []
    for one in utterances:
        text = " ".join(one.words)
        check_texts(document.id, "STM", [text], rf"[{{}}]|^{_IGNORE}$")
        label = "<o> " if text.startswith("<") else ""  # keeps a first word such as <unk> a word
        times = f"{seconds(one.start)} {seconds(one.end)}"
        lines.append(f"{document.id} 1 {UNKNOWN} {times} {label}{text}\n")
    return "".join(lines)


# --- transcripts without times -------------------------------------------------------------------


def read_trn(file: File) -> Documents:
    """
    ```trn
    SO FAR THIS YEAR THE { INDUSTRY'S / INDUSTRY } SLIDE HAS { @ / ALWAYS } BEEN APPARENT (4T0C0203)
    ```

    The transcripts that sclite scores: an utterance on each line, and its id between parentheses at
    the end. Blank lines and lines that begin with `;;` are comments. Each utterance is a document;
    **ids are put in small letters**, because sclite compares them without case.

    * Of the [alternatives](normalise.md#alternatives) between braces, the first with a word is in
      the words of the document, and the others are what may be said instead: word errors are those
      of the closest. `@` stands for no word.
    * Other parentheses are part of their words.

    Refused: a line without an id; braces that stand in others, or have one alternative.
    """
    with file.at() as here:
        for here.line, text in file.lines():
            text = text.strip()
            if text and not text.startswith(";;"):
                heard, _, id = text.removesuffix(")").rpartition("(")
                if not text.endswith(")") or id.split() != [id]:
                    raise SerevalError(
                        "no id found, expected one at the end, as in 'words (ada-1)'"
                    )
                words, found = said(heard)
                name, own = id.lower(), tuple(words)
                yield here.line, Document(name, own, source=file.path, alternatives=tuple(found))


def said(text: str) -> tuple[list[str], list[Alternative]]:
    """The words of a text, and what may be said instead; the first with a word is among them."""
    words: list[str] = []
    alternatives: list[Alternative] = []
    for found in readings(text):
        taken = next(filter(None, found), ())
        others = tuple(one for one in dict.fromkeys(found) if one != taken)
        if taken and others:
            alternatives.append(Alternative(len(words), len(words) + len(taken), others))
        words += taken
    return words, alternatives


def read_kalditext(file: File) -> Documents:
    """
    ```kalditext
    ada-1 recevrons Benoît
    ada-2 vingt ans
    ```

    Kaldi's file `text`: an utterance on each line, its id and its words. Each is a document; one
    without words is one in which nothing is said. The file has no suffix, so its format must be
    named, unless it ends in `.kalditext`.

    `--read segments=PATH` names Kaldi's file `segments` (`ada-1 show 0.5 2.0`). A recording is then
    a document, and its words share the times of their utterances as in an [STM](#stm).
    """
    path = file.policy("segments")
    places = {} if path == "none" else _segments(replace(file, path=path, data=None))
    found: defaultdict[str, list[Utterance]] = defaultdict(list)
    lines: dict[str, int] = {}
    with file.at() as here:
        for here.line, text in file.lines():
            if not text.strip():
                continue
            id, *words = text.split()
            if path == "none":
                yield here.line, Document(id, tuple(words), source=file.path)
                continue
            if id not in places:
                raise SerevalError(f"utterance {quote(id)} is not in {path}, expected it there")
            recording, start, end = places[id]
            lines.setdefault(recording, here.line)
            found[recording].append(utterance(start, end, words))
    for recording, utterances in found.items():
        notes = Notes()
        notes.add("utterances with the times of segments", len(utterances), "segments=FILE")
        yield lines[recording], document_of(file, recording, utterances, notes)


def _segments(file: File) -> dict[str, tuple[str, int, int]]:
    """The recording, the start and the end of each utterance of Kaldi's file ``segments``."""
    found = {}
    opened = replace(file, text=decode(file_bytes(file.path), file.path, file.options.encoding))
    with file.at() as here:
        for here.line, row in opened.rows():
            if len(row) != 4:
                raise SerevalError(
                    f"found {len(row)} columns, expected utterance, recording, start and end"
                )
            start, end = (with_place("time", milliseconds, one) for one in row[2:])
            check_span(start, end)
            found[row[0]] = row[1], start, end
    return found


# --- SegLST --------------------------------------------------------------------------------------


def recognise(head: Head) -> str:
    return "seglst" if head.has("session_id words") else ""


def read_seglst(file: File) -> Documents:
    """
    ```seglst
    [{"session_id": "show", "speaker": "ada", "start_time": 167.3, "end_time": 168.27,
      "words": "recevrons Benoît magie"},
     {"session_id": "show", "start_time": "168.4", "end_time": "169.02", "words": "vingt ans"}]
    ```

    The JSON list of utterances of the CHiME challenges and of meeteval. One `session_id` is a
    document; times are numbers, or text with a number. All else is as in an [STM](#stm), but words
    stand as they are. Other keys are ignored.

    Refused: words that are not one text; bad times.
    """
    found: defaultdict[str, list[Utterance]] = defaultdict(list)
    for k, item in enumerate(of_type(value(file), list, "the file")):
        record = Record(item, f"utterance {k}")
        id = record.string("session_id")
        words = record.string("words").split() if record.values.get("words") != "" else []
        start, end = _seconds(record, "start_time"), _seconds(record, "end_time")
        found[id].append(with_place(record.where, utterance, start, end, words))
    if not found:
        raise file.error("found an empty list, expected utterances")
    for id, utterances in found.items():
        yield None, document_of(file, id, utterances, Notes())


def _seconds(record: Record, key: str) -> int:
    """A time in ms, from a number of seconds, which may be text."""
    found = record.get(key)
    is_text = isinstance(found, str)
    return with_place(record.name(key), milliseconds, found) if is_text else record.time(key)


def write_seglst(document: Document, lost: Notes) -> str:
    utterances = utterances_of(document, "SegLST", lost)
    rows = (
        {
            "session_id": document.id,
            "speaker": UNKNOWN,
            "start_time": one.start / 1000,
            "end_time": one.end / 1000,
            "words": " ".join(one.words),
        }
        for one in utterances
    )
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{text}\n]\n"
