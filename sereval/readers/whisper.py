"""JSON of Whisper and its descendants: segments of words with times.

Whisper and faster-whisper write a ``word``, whisper-timestamped a ``text``; WhisperX leaves out the
times of words that its aligner has no letters for, numbers above all. Such words are spread
between their neighbours, and a note of the document says how many there are.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ..errors import SerevalError
from ..model import Document, Note, Time
from .records import Record, typed, value
from .source import Source, quote
from .times import Word, spread, timed

_FILE = (
    *("text", "segments", "language", "word_segments", "speech_activity", "language_probs"),
    *("language_probability", "all_language_probs", "duration", "duration_after_vad"),
    *("transcription_options", "vad_options"),
)
_SEGMENT = (
    *("id", "seek", "start", "end", "text", "words", "tokens", "temperature", "avg_logprob"),
    *("compression_ratio", "no_speech_prob", "confidence", "speaker", "chars"),
)
_WORD = ("word", "text", "start", "end", "probability", "confidence", "score", "speaker")

_OFF = "expected words with times: was the recogniser run without word timestamps?"


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file of Whisper's.

    Args:
        source: the file; the document takes its id.

    Returns:
        One document, words in order of their start. Words without times share the gap between
        their neighbours, or the ends of their segment, by their number of characters.

    Raises:
        InputError: not one JSON value, keys that none of the programs writes, a segment with a
            text but without words, times that are no times.

    >>> text = '{"segments": [{"words": [{"word": " Dol", "start": 0.1, "end": 0.48}]}]}'
    >>> [(_, dol)] = parse(Source("a.json", "a", text))
    >>> dol.words, dol.times
    (('Dol',), ((100, 480),))
    """
    found = value(source)
    try:
        return [(None, _document(found, source))]
    except SerevalError as error:
        raise source.error(str(error)) from None


def _document(found: Any, source: Source) -> Document:
    record = Record({"segments": found} if isinstance(found, list) else found, "transcript")
    record.only(_FILE)
    words: list[Word] = []
    guessed = 0
    for item, where in record.items("segments"):
        segment = Record(item, where)
        texts, times = _segment(segment)
        guessed += times.count(None)
        spans = _filled(segment, texts, times)
        words += [(*span, text) for span, text in zip(spans, texts, strict=True)]
    if not words:
        _check_silent(record, "segments")
    note = Note("words without times, put between their neighbours", guessed)
    return timed(source.id, words, source.path, (note,) if guessed else ())


def _segment(record: Record) -> tuple[list[str], list[Time | None]]:
    record.only(_SEGMENT)
    if record.is_absent("words"):
        _check_silent(record, "words")
        return [], []
    words = record.records("words")
    if not words:
        _check_silent(record, "words")
    return [_text(word) for word in words], [_time(word) for word in words]


def _check_silent(record: Record, key: str) -> None:
    """Without words there is no text either."""
    text = (
        "" if record.is_absent("text") else typed(record.values["text"], str, record.name("text"))
    )
    if text.strip():
        raise SerevalError(f'{record.where}: "text" {quote(text)} but no "{key}", {_OFF}')


def _text(record: Record) -> str:
    record.only(_WORD)
    if "word" in record and "text" in record:
        raise SerevalError(f'{record.where}: "word" and "text", expected one of them')
    return record.word("text" if "text" in record else "word")


def _time(record: Record) -> Time | None:
    return None if record.is_absent("start") and record.is_absent("end") else record.span()


def _filled(segment: Record, texts: list[str], times: list[Time | None]) -> list[Time]:
    """The times of a segment's words, with those between neighbours where there are none."""
    found: list[Time] = []
    for is_untimed, group in groupby(range(len(times)), lambda k: times[k] is None):
        run = list(group)
        if not is_untimed:
            found += [time for k in run if (time := times[k])]
            continue
        later = times[run[-1] + 1] if run[-1] + 1 < len(times) else None
        before = found[-1][1] if found else segment.span()[0]
        after = later[0] if later else max(before, segment.span()[1])
        found += spread([len(texts[k]) for k in run], min(before, after), after)
    return found
