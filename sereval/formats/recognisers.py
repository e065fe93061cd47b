"""JSON of recognisers and aligners that list words with their times.

The programs share one idea: a path leads to a list of words, and each word has a text, a start and
an end in some unit. `_PROGRAMS` has a record for each program; `RECOGNISERS` has the keys
that identify its files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from ..documents.model import Document, Time, seconds
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .records import Record, of_type, show, time, values, whole, with_place
from .times import (
    NOT_FINAL,
    OTHERS,
    UNTIMED,
    Word,
    check_span,
    document_of_words,
    fill,
    milliseconds,
    number,
    scaled,
)

CHANNELS = "channels whose words were merged by their start"
CONTROL = "tokens of control such as [_BEG_], skipped"
EVENTS = "sounds that are no words, skipped"
FAILED = "phrases that were not recognised, skipped"
ADDED = "words that are not in the transcript, skipped"


class _Clock(NamedTuple):
    """How a program writes times: in seconds times a power of ten, as a number or as text."""

    power: int = 0
    is_text: bool = False
    unit: str = ""


_SECONDS, _TEXT, _GOOGLE = _Clock(), _Clock(is_text=True), _Clock(is_text=True, unit="s")
_MILLISECONDS, _TICKS = _Clock(-3), _Clock(-7)

_WORD, _PIECE, _MARK, _SPACE, _UNTIMED = "word", "piece", "mark", "space", "untimed"
"""What an item is: a word; a piece, whose white space ends words; a mark of punctuation, which has
no time of its own; white space; a word without times. Any other text is the note of a skip."""


class _Program(NamedTuple):
    """Where a program writes its words.

    Args:
        words: path to the words. ``a[]`` is each object of a list, ``a[0]`` the first one; of names
            with ``|`` between them the first that exists counts, and ``@`` is the object itself.
        text: keys of the text, the first that exists counts.
        start, end: keys of the times, likewise.
        keys: the other keys that a word may have.
        clock: how times are written.
        kinds: what an item is, by the value of the key ``kind``; without it all are ``default``.
        has_length: whether ``end`` is a duration.
        is_stream: whether the results of one recording may follow one another in a file.
        done: a key of the file, and the only value that it may have.
        off: which setting of the program writes the times of words.
    """

    words: str
    text: tuple[str, ...] = ("word",)
    start: tuple[str, ...] = ("start",)
    end: tuple[str, ...] = ("end",)
    keys: tuple[str, ...] = ()
    clock: _Clock = _SECONDS
    kind: str = "type"
    kinds: Mapping[str, str] = {}
    default: str = _WORD
    has_length: bool = False
    is_stream: bool = False
    done: tuple[str, str] | None = None
    off: str = "word timestamps"


_PROGRAMS = {
    "AWS Transcribe": _Program(
        "results.items[]",
        ("alternatives[0].content",),
        ("start_time",),
        ("end_time",),
        ("id", "type", "speaker_label", "channel_label", "language_code")
        + ("vocabulary_filter_match", "stable"),
        _TEXT,
        kinds={"pronunciation": _WORD, "punctuation": _MARK},
        done=("status", "COMPLETED"),
    ),
    "AssemblyAI": _Program(
        "words[]",
        ("text",),
        keys=("confidence", "speaker", "channel"),
        clock=_MILLISECONDS,
        done=("status", "completed"),
    ),
    "Azure's speech service": _Program(
        "recognizedPhrases[].nBest[0].displayWords[]|words[]",
        ("displayText", "word"),
        ("offsetInTicks",),
        ("durationInTicks",),
        ("offset", "duration", "confidence"),
        _TICKS,
        has_length=True,
        off="wordLevelTimestampsEnabled",
    ),
    "Azure's speech SDK": _Program(
        "NBest[0].DisplayWords[]|Words[]",
        ("DisplayText", "Word"),
        ("Offset",),
        ("Duration",),
        ("Confidence",),
        _TICKS,
        has_length=True,
        is_stream=True,
        off="wordLevelTimestamps",
    ),
    "Azure's fast transcription": _Program(
        "phrases[].words[]",
        ("text",),
        ("offsetMilliseconds",),
        ("durationMilliseconds",),
        clock=_MILLISECONDS,
        has_length=True,
    ),
    "the BBC's words and paragraphs": _Program("words[]", ("text",), keys=("id",)),
    "Deepgram": _Program(
        "results.channels[].alternatives[0].words[]",
        ("punctuated_word", "word"),
        keys=("confidence", "speaker", "speaker_confidence", "language")
        + ("sentiment", "sentiment_score"),
    ),
    "ElevenLabs": _Program(
        "words[]",
        ("text",),
        keys=("type", "speaker_id", "logprob", "characters", "channel_index"),
        kinds={"word": _PIECE, "spacing": _SPACE, "audio_event": EVENTS},
        off='timestamps_granularity="word"',
    ),
    "Gentle": _Program(
        "words[]",
        keys=("alignedWord", "case", "startOffset", "endOffset", "phones"),
        kind="case",
        kinds={
            "success": _WORD,
            "not-found-in-audio": _UNTIMED,
            "not-found-in-transcript": ADDED,
        },
    ),
    "Google's speech service": _Program(
        "results[].alternatives[0].words[]",
        start=("startTime", "startOffset", "start_time", "start_offset"),
        end=("endTime", "endOffset", "end_time", "end_offset"),
        keys=("confidence", "speakerTag", "speakerLabel", "speaker_tag", "speaker_label"),
        clock=_GOOGLE,
        is_stream=True,
        off="enableWordTimeOffsets",
    ),
    "IBM's speech service": _Program(
        "results[].alternatives[0].timestamps[]",
        ("0",),
        ("1",),
        ("2",),
        is_stream=True,
        off="timestamps=true",
    ),
    "Rev AI": _Program(
        "monologues[].elements[]",
        ("value",),
        ("ts",),
        ("end_ts",),
        ("type", "confidence"),
        kinds={"text": _PIECE, "punct": _MARK},
    ),
    "Speechmatics": _Program(
        "results[]",
        ("alternatives[0].content",),
        ("start_time",),
        ("end_time",),
        ("type", "attaches_to", "is_eos", "channel", "volume")
        + ("written_form", "spoken_form", "entity_class"),
        kinds={"word": _WORD, "entity": _WORD, "punctuation": _MARK},
    ),
    "a pipeline of Transformers": _Program(
        "chunks[]",
        ("text",),
        ("timestamp[0]",),
        ("timestamp[1]",),
        ("language",),
        off='return_timestamps="word"',
    ),
    "whisper.cpp": _Program(
        "transcription[].tokens[]|@",
        ("text",),
        ("offsets.from",),
        ("offsets.to",),
        ("timestamps", "id", "p", "t_dtw", "speaker", "speaker_turn_next"),
        _MILLISECONDS,
        default=_PIECE,
        off="-ojf (or -ml 1 -sow)",
    ),
}

_TEXTS = ("transcript", "text", "display", "Display", "DisplayText")
_FINAL = ("isFinal", "is_final", "final")
_OF_SILENCE = frozenset(
    ("resultEndTime", "resultEndOffset", "result_end_time", "result_end_offset", "languageCode")
    + ("language_code", "channelTag", "channel_tag", "channel", "offsetInTicks", "Offset")
    + (*_TEXTS, *_FINAL)
)
"""Keys of results without any alternative."""
_STATUS = ("recognitionStatus", "RecognitionStatus")
_STEP = re.compile(r"(\w+)(\[(?:0|1)?\])?")
_ONE_WORD = ("a pipeline of Transformers", "whisper.cpp")

_Item = tuple[str, str, Time | None]
"""What it is, its text, and its time."""


RECOGNISERS = (
    ("AWS Transcribe", "jobName results"),
    ("AssemblyAI", "audio_url words"),
    ("the BBC's words and paragraphs", "words[{ paragraphs"),
    ("ElevenLabs", "language_code words"),
    ("Gentle", "transcript words"),
    ("Azure's speech service", "recognizedPhrases"),
    ("Azure's speech SDK", "NBest"),
    ("Azure's speech SDK", "RecognitionStatus Offset"),
    ("Azure's fast transcription", "combinedPhrases phrases"),
    ("Rev AI", "monologues"),
    ("whisper.cpp", "transcription"),
    ("a pipeline of Transformers", "text chunks"),
    ("Speechmatics", "format results"),
    ("Speechmatics", "job results"),
    ("IBM's speech service", "result_index results"),
    ("Google's speech service", "results[{"),
    ("Deepgram", "metadata results"),
    ("Google's speech service", "results"),
)
"""Programs and the keys that identify their files; of several that fit, the first one counts."""


def read_recogniser(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a recogniser's JSON.

    IBM's asynchronous result is a list of results beside their state.

    Args:
        source: the file; the document takes its id.

    Returns:
        One document with the words of the best alternative, in order of their starts. Marks of
        punctuation that stand alone join the word before. A note names the program, others count
        what was skipped.

    Raises:
        InputError: a file that is not JSON; keys of no program; a value that the program does not
            write; a text without the times of its words; times that are no times.

    >>> word = '{"text": "Dol", "start": 100, "end": 480, "confidence": 1}'
    >>> text = f'{{"audio_url": "a", "status": "completed", "words": [{word}]}}'
    >>> [(_, dol)] = read_recogniser(Source("a.json", text=text))
    >>> dol.words, dol.times, str(dol.notes[0])
    (('Dol',), ((100, 480),), 'words in the JSON of AssemblyAI: 1')
    """
    items: list[_Item] = []
    skipped: Counter[str] = Counter()
    names: list[str] = []
    for line, found in values(source):
        results = found if isinstance(found, list) else [found]
        for k, result in enumerate(results):
            where = f"results[{k}]" if results is found else "transcript"
            try:
                record = _inner(Record(result, where))
                names.append(_name(record))
                with_place(names[-1], _check_alone, names)
                items += with_place(names[-1], lambda one: [*_items(one, skipped)], record)
                items.append((_SPACE, " ", None))
            except SerevalError as error:
                raise source.error(str(error), line) from None
    if not names:
        raise source.error("found an empty list, expected the JSON of a recogniser")
    words = with_place(names[0], _words, items, skipped)
    if _PROGRAMS[names[0]].is_stream:
        with_place(names[0], _check_once, words)
    count = {f"words in the JSON of {names[0]}": len(words), **dict(sorted(skipped.items()))}
    return [(None, document_of_words(source.id, words, source.path, count_notes(count)))]


def _items(record: Record, skipped: Counter[str]) -> Iterator[_Item]:
    """The items of a result, in file order."""
    name = _name(record)
    program = _PROGRAMS[name]
    if program.done and record.values.get(program.done[0], program.done[1]) != program.done[1]:
        key, expected = program.done
        found = show(record.values[key])
        raise SerevalError(f"{record.name(key)}: found {found}, expected {quote(expected)}")
    is_next = False  # whether the word goes on
    for one in _records(record, program.words.split("."), program, skipped):
        for kind, text, span in _item(name, program, one, skipped):
            joins = one.values.get("attaches_to") if kind == _MARK else None
            is_before = joins in (None, "previous", "both")
            if kind == _PIECE or (kind in (_MARK, _SPACE) and is_before) or is_next:
                yield kind, text, span
            else:
                yield kind, f" {text}", span
            is_next = joins in ("next", "both")


def _inner(record: Record) -> Record:
    """The only result of IBM's asynchronous recognition, or else the record itself."""
    results = record.values.get("results")
    if not isinstance(results, list) or not results:
        return record
    if not all(isinstance(one, dict) and "result_index" in one for one in results):
        return record
    if record.values.get("status", "completed") != "completed":
        raise SerevalError(
            f"{record.name('status')}: found {show(record.values['status'])}, expected 'completed'"
        )
    inner = record.records("results")
    if len(inner) > 1:
        raise SerevalError(f"{record.name('results')}: found {len(inner)} results, expected one")
    return inner[0]


def _name(record: Record) -> str:
    """The program that writes the keys of a file."""
    lists = (key for key, one in record.values.items() if isinstance(one, list) and one)
    keys = {*record.values, *(f"{k}[{{" for k in lists if isinstance(record.values[k][0], dict))}
    for name, sign in RECOGNISERS:
        if {*sign.split()} <= keys:
            return name
    shown = ", ".join(sorted(record.values)[:4])
    raise SerevalError(
        f"{record.where}: keys ({shown}) of no recogniser, expected those of {', '.join(_PROGRAMS)}"
    )


def _check_alone(names: list[str]) -> None:
    """Refuse several results in a file, unless they may belong to one recording."""
    first = _PROGRAMS[names[0]]
    if len(names) > 1 and not (first.is_stream and names[-1] == names[0]):
        raise SerevalError(
            f"found {len(names)} results, the first of {names[0]}, expected one a file"
        )


def _check_once(words: list[Word]) -> None:
    """Refuse results of which one repeats the words of those before it."""
    seen: set[Word] = set()
    for start, end, text in words:
        if end > start and (start, end, text) in seen:
            raise SerevalError(
                f"{quote(text)} stands twice at {seconds(start)} s, expected each word once: does "
                "the last result repeat all words, with the numbers of speakers?"
            )
        seen.add((start, end, text))


# --- the path to the words -----------------------------------------------------------------------


def _records(
    record: Record, path: list[str], program: _Program, skipped: Counter[str]
) -> Iterator[Record]:
    """The words at the end of a path."""
    if _is_skipped(record, skipped):
        return
    step, *rest = path
    if not rest:
        yield from _list(record, step, program)
        return
    key, brackets = _split(step)
    if not brackets:
        found = [Record(record.get(key), record.name(key))]
    elif record.is_absent(key) and brackets == "[0]" and not _text_of(record):
        if not _OF_SILENCE & record.values.keys():
            shown = ", ".join(sorted(record.values)[:4]) or "none"
            raise SerevalError(f'{record.where}: keys ({shown}), expected "{key}" with words')
        found = []
    else:
        record.get(key)
        found = record.records(key)
    if brackets == "[0]":
        skipped[OTHERS] += max(len(found) - 1, 0)
        del found[1:]
    if key == "channels" and len(found) > 1:
        skipped[CHANNELS] += len(found)
    for one in found:
        yield from _records(one, rest, program, skipped)


def _is_skipped(record: Record, skipped: Counter[str]) -> bool:
    """Whether a result is not final, or its phrase was not recognised."""
    if any(record.values.get(key) is False for key in _FINAL):
        skipped[NOT_FINAL] += 1
        return True
    if any(record.values.get(key, "Success") != "Success" for key in _STATUS):
        skipped[FAILED] += 1
        return True
    return False


def _list(record: Record, step: str, program: _Program) -> list[Record]:
    """The words of the first list that exists."""
    for option in step.split("|"):
        key, _ = _split(option) if option != "@" else ("", "")
        if not key:
            return [record]
        if record.values.get(key) == [] and _text_of(record):
            break
        if not record.is_absent(key):
            return [_as_record(*item) for item in record.items(key)]
    if _text_of(record) or (record.values and not any(key in record for key in _TEXTS)):
        raise SerevalError(
            f"{record.where}: no {_named(step)}, expected words with times: was the program run "
            f"with {program.off}?"
        )
    return []


def _named(step: str) -> str:
    return " or ".join(f'"{_split(option)[0]}"' for option in step.split("|") if option != "@")


def _text_of(record: Record) -> str:
    """The text of what a recogniser recognised; empty if it is silent or has none."""
    found = (record.values[key] for key in _TEXTS if not record.is_absent(key))
    return next((one.strip() if isinstance(one, str) else show(one) for one in found), "")


def _split(step: str) -> tuple[str, str]:
    """The key of a step and its brackets."""
    found = _STEP.fullmatch(step)
    assert found is not None  # the paths are those of this module
    return found[1], found[2] or ""


def _as_record(value: Any, where: str) -> Record:
    """An object, or a list as an object whose keys are its places."""
    if isinstance(value, list):
        value = {str(k): one for k, one in enumerate(value)}
    return Record(value, where)


# --- a word --------------------------------------------------------------------------------------


def _item(name: str, program: _Program, record: Record, skipped: Counter[str]) -> Iterator[_Item]:
    """An item of a list of words; none if it is skipped."""
    record.only(_known(name))
    kind = program.default
    if program.kinds:
        found = record.string(program.kind)
        if found not in program.kinds:
            expected = ", ".join(program.kinds)
            where = record.name(program.kind)
            raise SerevalError(f"{where}: found {quote(found)}, expected {expected}")
        kind = program.kinds[found]
    text = _text(name, program, record, skipped)
    if program.default == _PIECE and text.startswith("[_"):
        kind = CONTROL
    if kind not in (_WORD, _PIECE, _MARK, _SPACE, _UNTIMED):
        skipped[kind] += 1
        return
    yield kind, text, _span(program, record) if kind in (_WORD, _PIECE) else None


@cache
def _steps(key: str) -> tuple[str, ...]:
    """The keys and places on the path to a value."""
    return tuple(re.findall(r"\w+", key))


@cache
def _known(name: str) -> tuple[str, ...]:
    """The keys that a word of a program may have."""
    program = _PROGRAMS[name]
    paths = (*program.text, *program.start, *program.end)
    return (*dict.fromkeys(_steps(path)[0] for path in paths), *program.keys)


def _text(name: str, program: _Program, record: Record, skipped: Counter[str]) -> str:
    """The text of an item; white space around it counts in pieces only."""
    value, where = _value(record, program.text, skipped)
    text = str(of_type(value, str, where))
    if text:
        whole(text, f"{where}: ")
    if name in _ONE_WORD and len(text.split()) > 1:
        raise SerevalError(
            f"{where}: found {quote(text)}, expected one word: was the program run with "
            f"{program.off}?"
        )
    has_space = program.default == _PIECE or _PIECE in program.kinds.values()
    if not text.strip() and not has_space:
        raise SerevalError(f"{where}: found {quote(text)}, expected a word")
    return text if has_space else text.strip()


def _span(program: _Program, record: Record) -> Time:
    """The start and the end of an item, in ms."""
    start = _time(program.clock, *_value(record, program.start))
    end = _time(program.clock, *_value(record, program.end))
    if program.has_length:
        end += start
    with_place(record.where, check_span, start, end)
    return start, end


def _value(
    record: Record, keys: tuple[str, ...], skipped: Counter[str] | None = None
) -> tuple[Any, str]:
    """The value at the first path that exists, and its place for messages."""
    paths = [_steps(key) for key in keys]
    steps = next((path for path in paths if path[0] in record), paths[0])
    value, where = record.get(steps[0]), record.name(steps[0])
    for step in steps[1:]:
        if step.isdigit():
            found = of_type(value, list, where)
            if int(step) >= len(found):
                raise SerevalError(f"{where}: {len(found)} items, expected {int(step) + 1}")
            if skipped is not None:
                skipped[OTHERS] += len(found) - 1
            value, where = found[int(step)], f"{where}[{step}]"
        else:
            inner = Record(value, where)
            value, where = inner.get(step), inner.name(step)
    return value, where


def _time(clock: _Clock, value: Any, where: str) -> int:
    """A time in ms, rounded once, halves up."""
    if clock.is_text:
        text = str(of_type(value, str, where))
        if not text.endswith(clock.unit):
            raise SerevalError(f"{where}: found {quote(text)}, expected seconds such as '1.5s'")
        return with_place(where, milliseconds, text.removesuffix(clock.unit))
    if not isinstance(value, int | bytes) or isinstance(value, bool):
        raise SerevalError(f"{where}: found {show(value)}, expected a number")
    if not clock.power:
        return with_place(where, time, value)
    exact = with_place(where, number, value.decode()) if isinstance(value, bytes) else value
    return with_place(where, milliseconds, scaled(Decimal(exact), clock.power))


# --- from items to words -------------------------------------------------------------------------


class _Run(NamedTuple):
    """Items without white space between them."""

    text: str
    times: list[Time]
    is_untimed: bool


def _words(items: list[_Item], skipped: Counter[str]) -> list[Word]:
    """The words of all items: runs between white space, of which those without times are marks."""
    texts: list[str] = []
    times: list[Time | None] = []
    before = ""
    for run in _runs(items):
        if run.times or run.is_untimed:
            texts.append(before + run.text)
            last = max((end for _, end in run.times), default=0)
            times.append((run.times[0][0], last) if run.times else None)
            before = ""
        elif texts:
            texts[-1] += run.text
        else:
            before += run.text
    if before:
        raise SerevalError(f"{quote(before)} has no times, expected a word beside it")
    skipped[UNTIMED] += times.count(None)
    return [
        (*span, text) for span, text in zip(fill(texts, times, lambda: (0, 0)), texts, strict=True)
    ]


def _runs(items: list[_Item]) -> Iterator[_Run]:
    text, times, is_untimed = "", list[Time](), False
    for kind, piece, span in (*items, (_SPACE, " ", None)):
        if piece[:1].isspace() or kind == _SPACE:
            if text:
                yield _Run(text, times, is_untimed)
            text, times, is_untimed = "", [], False
        text += piece.strip()
        if span is not None and piece.strip():
            times.append(span)
        is_untimed |= kind == _UNTIMED
        if piece[-1:].isspace() and text:
            yield _Run(text, times, is_untimed)
            text, times, is_untimed = "", [], False
