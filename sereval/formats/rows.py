"""Rows of words or utterances: CTM, RTTM, STM, SegLST, trn, Kaldi's text, manifests, tables.

Such files have words or utterances of several recordings and channels. Where only an utterance has
a start and an end, its words share its time by their numbers of characters.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, pairwise
from operator import add
from sys import intern
from typing import NamedTuple

from ..documents.model import Alternative, Document, Time, seconds
from ..documents.words import spread
from ..errors import SerevalError, with_place
from .build import (
    OTHERS,
    SPREAD,
    UTTERANCES,
    Notes,
    check_seconds,
    check_span,
    check_texts,
    check_words,
    in_order,
    is_number,
    milliseconds,
    plain_milliseconds,
    span_of,
    times_of,
    times_of_seconds,
)
from .file import Documents, File, Head, quote
from .records import Record, objects, of_type, value

IDS = ("id", "ID", "utt_id", "utterance", "utterance_id", "audio_filepath", "file", "path")
"""Columns that may name the document of a row; the first that is there does."""

AUDIO = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".sph")

REFERENCES = ("text", "reference", "ref", "sentence", "transcript", "transcription")
HYPOTHESES = ("pred_text", "hypothesis", "hyp", "prediction", "predicted")


def recognise(head: Head) -> str:
    if os.path.basename(head.file.path) == "text":  # as Kaldi and ESPnet call it
        return "kalditext"
    lines = [text for line in head.text.splitlines()[:100] if (text := line.strip())]
    spoken = [line for line in lines if not line.startswith(";;")]
    if spoken and all(map(_TRN.fullmatch, spoken)):
        return "trn"
    columns = _head(head)
    if not {*IDS}.isdisjoint(columns) and not {*REFERENCES, *HYPOTHESES}.isdisjoint(columns):
        return "csv"
    if head.has(
        *("audio_filepath text", "audio_filepath pred_text", "recording_id text", "supervisions[{")
    ):
        return "manifest"
    return "seglst" if head.has("session_id words") else ""


_TRN = re.compile(r".*\([^\s()]+\)")
"""An utterance in the format trn."""


def _head(head: Head) -> list[str]:
    """The columns that the first line of a table names."""
    return head.line.replace('"', "").split("\t" if "\t" in head.line else ",")


@dataclass(slots=True)
class Channel:
    """What was read of one channel of a recording."""

    line: int | None = None  # of its first row
    lines: list[int | None] = field(default_factory=list)  # of each word
    # of each word, in seconds as they are written
    starts: list[str] = field(default_factory=list)
    durations: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)  # of each word, if the format has them
    utterances: list[Utterance] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)


class Channels(dict[tuple[str, str], Channel]):
    """The channels of a file, by recording and name."""

    def at(self, line: int | None, recording: str, name: str = "") -> Channel:
        """A channel that has a row on this line."""
        return self.setdefault((recording, name.upper()), Channel(line))

    def named(self) -> list[tuple[str, Channel]]:
        """Each with the id of its document: the recording, if that has no other channel."""
        count = Counter(recording for recording, _ in self)
        return [
            (recording if count[recording] == 1 else f"{recording}-{name}", one)
            for (recording, name), one in self.items()
        ]

    def documents(self, file: File) -> Documents:
        """A document of the utterances of each channel."""
        for id, one in self.named():
            file.here = one.line
            yield document_of(file, id, one.utterances, one.notes)


def _documents(file: File, channels: Channels) -> Documents:
    """A document of the words of each channel."""
    found = channels.named()
    every = [_times(file, one) for _, one in found]
    words = [word for _, one in found for word in one.words]
    check_seconds([*chain(*every)], words)
    for (id, one), times in zip(found, every, strict=True):
        turns = pairwise(sorted(range(len(one.speakers)), key=lambda k: times[k][0]))
        firsts = [after for k, after in turns if one.speakers[k] != one.speakers[after]]
        file.here = one.line
        yield in_order(file, id, [*map(intern, one.words)], times, one.notes, firsts)


def _times(file: File, channel: Channel) -> list[Time]:
    """The start and the end of each word, in ms."""
    starts, durations = channel.starts, channel.durations
    distinct = dict.fromkeys(durations)  # durations recur
    ms = plain_milliseconds(" ".join([*starts, *distinct, ""]))
    if ms is not None:
        length_of = dict(zip(distinct, ms[len(starts) :], strict=True))
        return [*zip(ms, map(add, ms, map(length_of.__getitem__, durations)), strict=False)]
    times = []
    for file.here, start, duration in zip(channel.lines, starts, durations, strict=True):
        begin = with_place("start", milliseconds, start)
        length = with_place("duration", milliseconds, duration)
        if length < 0:
            if file.policy("durations") != "zero":
                raise SerevalError(
                    f"found the duration {duration}, expected 0 or more; {file.hint('durations')}"
                )
            channel.notes.add("durations below 0, read as 0", 1, "durations=zero")
            length = 0
        times.append(check_span(begin, begin + length))
    file.here = None
    return times


# --- utterances ----------------------------------------------------------------------------------

UNKNOWN = "unknown"
"""The speaker of an utterance that is written: documents have none."""


class Utterance(NamedTuple):
    """An utterance."""

    start: int  # in ms, like ``end``; 0: no time
    end: int
    words: Sequence[str]
    times: Sequence[Time] | None  # of each word; None: no time
    shared: int = 0  # number of words without a time of their own
    alternatives: Sequence[Alternative] = ()  # in frontiers of the utterance


def utterance(
    start: int, end: int, words: Sequence[str], alternatives: Sequence[Alternative] = ()
) -> Utterance:
    """An utterance whose words share its time."""
    check_span(start, end)
    times = spread([len(word) for word in words], start, end)
    return Utterance(start, end, words, times, len(words), alternatives)


def document_of(file: File, id: str, utterances: Sequence[Utterance], notes: Notes) -> Document:
    """The document of utterances, by their starts if all have a time."""
    found = [one for one in utterances if one.words]
    is_timed = all(one.times is not None for one in utterances)
    times = None
    if is_timed:
        found.sort(key=lambda one: one.start)
    if is_timed and file.policy("times") == "spread":
        times = [time for one in found for time in one.times or ()]
        notes.add(SPREAD, sum(one.shared for one in found))
        latest = accumulate((one.end for one in found), max)
        overlaps = zip(found[1:], latest, strict=False)
        notes.add(
            "utterances that overlap one before, words merged by their start",
            sum(one.start < end for one, end in overlaps),
        )
    firsts = [*accumulate((len(one.words) for one in found), initial=0)]
    alternatives = [
        Alternative(first + start, first + end, readings)
        for first, one in zip(firsts, found, strict=False)
        for start, end, readings in one.alternatives
    ]
    words = [word for one in found for word in one.words]
    return in_order(file, id, words, times, notes, firsts, alternatives=alternatives)


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


_Row = tuple[int | None, list[str]]


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
    channels, before = Channels(), ["", ""]  # rows of a channel follow one another
    group: _Row | None = None  # the last tag of alternatives that have not ended
    confidences = {*_UNSCORED}
    for row in file.rows("file channel start duration word [confidence [type [speaker]]]"):
        if row[1] != before[1] or row[0] != before[0]:
            one, before = channels.at(file.here, row[0], row[1]), row
            lines, words = one.lines.append, one.words.append  # bound once: it is faster
            starts, durations = one.starts.append, one.durations.append
        word = row[4]
        if len(row) > 5 and row[5] not in confidences:
            if not is_number(row[5]):
                raise SerevalError(
                    f"confidence {quote(row[5])}, expected a number or NA; is there white "
                    "space in the word?"
                )
            confidences.add(row[5])
        if group or word in _NO_WORDS:
            group = _after(group, file.here, row)
            one.notes.add(OTHERS, word == NEXT)
            if word in _NO_WORDS or (group and group[1][4] == NEXT):
                continue
        lines(file.here)
        starts(row[2])
        durations(row[3])
        words(word)
    if group:
        raise file.error(f"{group[1][4]} is never ended", group[0])
    yield from _documents(file, channels)


def _after(group: _Row | None, line: int | None, row: list[str]) -> _Row | None:
    """The last tag of the alternatives that are open after a row."""
    word, before = row[4], group[1] if group else [*row[:4], END]
    is_tag = word in _TAGS
    is_right = word in _AFTER[before[4]] and row[2:4] == ["*", "*"] or not is_tag
    if not is_right or row[:2] != before[:2]:
        of = f" after the {before[4]} of line {group[0]}" if group else ""
        raise SerevalError(
            f"found {' '.join(row)!r}{of}, expected '* * {BEGIN}', '* * {NEXT}' and '* * {END}' in "
            "this order, in one channel"
        )
    if not is_tag:
        return group
    return None if word == END else (line, row)


def write_ctm(document: Document, _: Notes) -> str:
    times = times_of_seconds(document, "CTM")
    check_texts(document.id, "CTM", [document.id], r"\s|^;;")
    check_words(document, "CTM", rf"\s|^(?:{'|'.join(_NO_WORDS)})$")
    return "".join(
        f"{document.id} 1 {seconds(start)} {seconds(end - start)} {word}\n"
        for (start, end), word in zip(times, document.words, strict=True)
    )


# --- RTTM ----------------------------------------------------------------------------------------

RTTM = "type file channel start duration orthography subtype speaker confidence [lookahead]"
STM = "file channel speaker start end [words]"
"""The columns of files of turns."""

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
    channels, turns = Channels(), 0
    for kind, *row in file.rows(RTTM):
        one = channels.at(file.here, row[0], row[1])
        if kind != WORD:
            one.notes.add(f"rows of {kind}, skipped")
            turns += kind == TURN
            continue
        if row[4] == NOTHING:
            raise SerevalError(f"{WORD} without a word, expected one in column 6")
        one.lines.append(file.here)
        one.starts.append(row[2])
        one.durations.append(row[3])
        one.words.append(row[4])
        one.speakers.append(row[6])
    spoken = Channels({key: one for key, one in channels.items() if one.words})
    if turns and not spoken:
        raise SerevalError(f"{turns} turns of speakers but no word found, expected rows of {WORD}")
    yield from _documents(file, spoken)


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
    channels = Channels()
    for columns in file.rows(STM, most=5):
        recording, name, _, start, end, text = [*columns, ""][:6]
        one = channels.at(file.here, recording, name)
        span = span_of(start=start, end=end)
        if text.startswith("<") and not _LABEL.match(text):
            shown = quote(text.split()[0])
            raise SerevalError(f"found {shown}, expected a label such as <o,f0,male>")
        text = _LABEL.sub("", text, count=1).strip()
        if text == _IGNORE:
            one.notes.add("utterances that are not to be scored, skipped")
        else:
            one.utterances.append(utterance(*span, *said(text)))
    yield from channels.documents(file)


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
    for text in file.lines():
        text = text.strip()
        if text and not text.startswith(";;"):
            heard, _, id = text.removesuffix(")").rpartition("(")
            if not text.endswith(")") or id.split() != [id]:
                raise SerevalError("no id found, expected one at the end, as in 'words (ada-1)'")
            words, found = said(heard)
            yield Document(id.lower(), tuple(words), source=file.path, alternatives=tuple(found))


def said(text: str) -> tuple[list[str], list[Alternative]]:
    """The words of a text, and what may be said instead; the first with a word is among them."""
    words: list[str] = []
    alternatives: list[Alternative] = []
    for k, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
        if k % 2 == 0:
            if "{" in part or "}" in part:
                shown = quote(text.strip())
                raise SerevalError(f"{shown}: a brace without its other one, or in another")
            words += part.split()
            continue
        readings = re.split(r"(?:^|\s)/(?:\s|$)", part)
        if len(readings) == 1:
            shown = quote("{" + part + "}")
            raise SerevalError(f"found {shown}, expected ' / ' between alternatives")
        found = [tuple(word for word in one.split() if word != "@") for one in readings]
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
    without words is one in which nothing is said. A file with another name than `text` must end in
    `.kalditext`, or its format must be named.

    `--read segments=PATH` names Kaldi's file `segments` (`ada-1 show 0.5 2.0`). A recording is then
    a document, and its words share the times of their utterances as in an [STM](#stm).
    """
    path, channels = file.policy("segments"), Channels()
    other = replace(file, path=path, data=None, text="")
    places = {} if path == "none" else _segments(other.opened())
    for text in file.lines():
        if not text.strip():
            continue
        id, *words = text.split()
        if path == "none":
            yield Document(id, tuple(words), source=file.path)
            continue
        if id not in places:
            raise SerevalError(f"utterance {quote(id)} is not in {path}, expected it there")
        recording, start, end = places[id]
        one = channels.at(file.here, recording)
        one.utterances.append(utterance(start, end, words))
        one.notes.add("utterances with the times of segments", 1, "segments=FILE")
    yield from channels.documents(file)


def _segments(file: File) -> dict[str, tuple[str, int, int]]:
    """The recording, the start and the end of each utterance of Kaldi's file ``segments``."""
    found = {}
    with file:
        for row in file.rows("utterance recording start end"):
            found[row[0]] = row[1], *span_of(start=row[2], end=row[3])
    return found


# --- SegLST --------------------------------------------------------------------------------------


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
    channels = Channels()
    for k, item in enumerate(of_type(value(file), list, "the file")):
        record = Record(item, f"utterance {k}")
        id = record.string("session_id")
        words = record.text("words").split()
        start, end = record.seconds("start_time"), record.seconds("end_time")
        found = with_place(record.where, utterance, start, end, words)
        channels.at(None, id).utterances.append(found)
    yield from channels.documents(file)


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


# --- tables and manifests ------------------------------------------------------------------------


def both_columns(file: File) -> tuple[str, ...]:
    """The columns of the reference and of the hypothesis, if one file has both."""
    head = Head(file)
    known = head.keys or {*_head(head)}
    found = [next((one for one in each if one in known), "") for each in (REFERENCES, HYPOTHESES)]
    return tuple(found) if all(found) else ()


def read_csv(file: File) -> Documents:
    """
    ```csv
    id,reference,hypothesis
    ada-1,"recevrons Benoît Magimel",recevrons Benoît magie
    ```

    Tables with a head, as in CSV, or with tabs between columns (`.tsv`). Each row is a document,
    and its words stand between blanks. It has the name under `id` (or `utt_id`, `utterance`,
    `file`, `path`). Its words are in the column that `--columns` names, or else the first of
    `text`, `reference`, `ref`, `sentence`, `transcript`, `transcription`, `pred_text`,
    `hypothesis`, `hyp`, `prediction` and `predicted`. `sereval score FILE --measure WER` scores a
    file with a column of each side. Other columns are ignored.
    """
    delimiter = "\t" if "\t" in file.text.partition("\n")[0] else ","
    for row in file.table(delimiter=delimiter):
        id = next((row[name] for name in IDS if row.get(name)), "")
        if not id:
            raise SerevalError(f"found no name of the row, expected one under {IDS[0]}")
        yield Document(id, tuple(row[_column(file, row)].split()), source=file.path)


def _column(file: File, known: Sequence[str] | dict[str, str]) -> str:
    """The column of the words: the one that is asked for, or the first that may be."""
    asked = file.options.columns or (*REFERENCES, *HYPOTHESES)
    found = next((name for name in asked if name in known), None)
    if found is None or len(file.options.columns) > 1:
        there = ", ".join(map(quote, known))
        raise SerevalError(f"found the columns {there}; expected one with words: --columns NAME")
    return found


def read_manifest(file: File) -> Documents:
    """
    ```manifest
    {"audio_filepath": "show.wav", "offset": 0.5, "duration": 1.5, "text": "recevrons Benoît"}
    {"audio_filepath": "show.wav", "offset": 2.0, "duration": 0.5, "text": "vingt ans"}
    ```

    Manifests of NeMo, one utterance on each line, and those of Lhotse: supervisions, and cuts with
    their supervisions. A recording is a document, named after its file or its `recording_id`; each
    of its utterances begins with a boundary. Words share the time of their utterance as in an
    [STM](#stm); those of Lhotse have their own in `alignment`, `word`. An utterance without
    `duration` leaves its recording without times. The words are under `text`; `--columns pred_text`
    reads those of a recogniser, and `sereval score FILE --measure WER` scores them against `text`.
    Other keys are ignored.
    """
    channels = Channels()
    for record in objects(file):
        for name, one in _utterances(file, record):
            channels.at(file.here, name).utterances.append(one)
    for made in channels.documents(file):
        stem, suffix = os.path.splitext(os.path.basename(made.id))
        yield replace(made, id=stem + suffix * (suffix.lower() not in AUDIO))


def _utterances(file: File, record: Record, start: int = 0) -> Iterator[tuple[str, Utterance]]:
    """The utterances of an object, each with its recording."""
    if "supervisions" in record:
        begin = record.time("start") if "start" in record else 0
        for one in record.records("supervisions"):
            yield from _utterances(file, one, begin)
        return
    name = record.word(record.first("recording_id", "audio_filepath"))
    words = record.text(_column(file, record.values)).split()
    if record.is_absent("duration"):
        yield name, Utterance(0, 0, words, None)
        return
    offset = record.first("start", "offset")
    begin = start + (0 if record.is_absent(offset) else record.time(offset))
    aligned = record.values.get("alignment")
    if isinstance(aligned, dict) and "word" in aligned:
        yield name, _aligned(record.record("alignment"), start)
    else:
        yield name, utterance(begin, begin + record.time("duration"), words)


def _aligned(record: Record, start: int) -> Utterance:
    """The words of an alignment of Lhotse: each a text, a start, a duration and maybe a score."""
    words: list[str] = []
    times: list[Time] = []
    for item in record.items("word"):
        one = Record.of_list(*item, "word", "start", "duration")
        begin = start + one.time("start")
        times.append(with_place(one.where, check_span, begin, begin + one.time("duration")))
        words.append(one.string("word"))
    return Utterance(*(times[0][0], times[-1][1]) if times else (0, 0), words, times)


def read_lines(file: File) -> Documents:
    """
    ```lines
    recevrons Benoît Magimel
    vingt ans
    ```

    Plain text, a document on each line, named by its number. The format must be named:
    `--ref-format lines --hyp-format lines`.
    """
    for line, text in enumerate(file.text.rstrip("\n").split("\n"), 1):
        file.here = line
        yield Document(str(line), tuple(text.split()), source=file.path)
