"""JSON of Whisper and its descendants: segments of words with times.

The key of a word is ``word`` for Whisper and faster-whisper, ``text`` for whisper-timestamped.
WhisperX leaves out the times of words without letters that its aligner has, mostly numbers, and the
words of segments that it could not align. Such words share the time between their neighbours, and
a note counts them. OpenAI's ``verbose_json`` has the words beside the segments.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..documents.model import Document, Time
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .records import Record, of_type, value
from .times import UNTIMED, Word, document_of_words, fill

_FILE = (
    *("text", "segments", "language", "word_segments", "speech_activity", "language_probs"),
    *("language_probability", "all_language_probs", "duration", "duration_after_vad"),
    *("transcription_options", "vad_options", "task", "words", "usage"),
    *("x_groq", "ori_dict", "regroup_history", "nonspeech_sections", "info"),
)
_SEGMENT = (
    *("id", "seek", "start", "end", "text", "words", "tokens", "temperature", "avg_logprob"),
    *("compression_ratio", "no_speech_prob", "confidence", "speaker", "chars"),
)
_WORD = (
    *("word", "text", "start", "end", "probability", "confidence", "score", "speaker"),
    "tokens",
)

EMPTY = "words without a letter, skipped"

_OFF = "expected words with times: was the recogniser run without word timestamps?"


def read_whisper(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file of Whisper.

    Args:
        source: the file; the document takes its id.

    Returns:
        One document, with words in order of their starts. Words without times share the gap
        between their neighbours, or up to the ends of their segment, by their numbers of
        characters. If other segments have words, a segment without words gets the words of its
        text, without times.

    Raises:
        InputError: a file that is not one JSON value; keys that none of the programs writes; a
            text without words in any segment; times that are no times.

    >>> text = '{"segments": [{"words": [{"word": " Dol", "start": 0.1, "end": 0.48}]}]}'
    >>> [(_, dol)] = read_whisper(Source("a.json", text=text))
    >>> dol.words, dol.times
    (('Dol',), ((100, 480),))
    """
    words, notes = _read(value(source))
    return [(None, document_of_words(source.id, words, source.path, count_notes(notes)))]


def _read(found: Any) -> tuple[list[Word], Counter[str]]:
    """The words, and the numbers of words with estimated times and of skipped words."""
    record = Record({"segments": found} if isinstance(found, list) else found, "transcript")
    record.only(_FILE)
    if not record.is_absent("words"):
        return _of_words(record)
    segments = [Record(*item) for item in record.items("segments")]
    has_words = any(segment.values.get("words") for segment in segments)
    words: list[Word] = []
    guessed = empty = 0
    for segment in segments:
        texts, times, skipped = _segment(segment, has_words=has_words)
        empty += skipped
        guessed += times.count(None)
        spans = fill(texts, times, segment.span)
        words += [(*span, text) for span, text in zip(spans, texts, strict=True)]
    if not words and not empty:
        _check_silent(record, "segments")
    return words, Counter({EMPTY: empty, UNTIMED: guessed})


def _of_words(record: Record) -> tuple[list[Word], Counter[str]]:
    """The words of a file that has them beside the segments; each has times."""
    for segment in record.records("segments"):
        segment.only(_SEGMENT)
        if not segment.is_absent("words"):
            raise SerevalError(
                f'{segment.where}: "words", expected them here or beside the segments'
            )
    records = record.records("words")
    texts, skipped = _texts(records)
    if not texts:
        _check_silent(record, "words")
    spans = [one.span() for one in records if _word(one)]
    words = [(*span, text) for span, text in zip(spans, texts, strict=True)]
    return words, Counter({EMPTY: skipped})


def _segment(record: Record, *, has_words: bool) -> tuple[list[str], list[Time | None], int]:
    """The words of a segment with their times, and the number of empty words.

    Args:
        has_words: whether any segment has words; then a segment without words was not aligned.
    """
    record.only(_SEGMENT)
    if record.is_absent("words"):
        _check_silent(record, "words")
        return [], [], 0
    records = record.records("words")
    if not records and has_words:
        texts = _text_of(record).split()
        return texts, [None] * len(texts), 0
    if not records:
        _check_silent(record, "words")
    texts, skipped = _texts(records)
    return texts, [_time(one) for one in records if _word(one)], skipped


def _texts(records: list[Record]) -> tuple[list[str], int]:
    """The words that are not empty, and the number of empty ones."""
    texts = [_word(record) for record in records]
    kept = [text for text in texts if text]
    return kept, len(texts) - len(kept)


def _text_of(record: Record) -> str:
    """The text of a segment or a file; empty if it has none."""
    if record.is_absent("text"):
        return ""
    return str(of_type(record.values["text"], str, record.name("text")))


def _check_silent(record: Record, key: str) -> None:
    """Refuse a text without words."""
    text = _text_of(record)
    if text.strip():
        raise SerevalError(f'{record.where}: "text" {quote(text)} but no "{key}", {_OFF}')


def _word(record: Record) -> str:
    record.only(_WORD)
    if "word" in record and "text" in record:
        raise SerevalError(f'{record.where}: "word" and "text", expected one of them')
    key = "text" if "text" in record else "word"
    return str(of_type(record.get(key), str, record.name(key))).strip() and record.word(key)


def _time(record: Record) -> Time | None:
    return None if record.is_absent("start") and record.is_absent("end") else record.span()
