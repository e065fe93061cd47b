"""Words with times in JSON, of recognisers and aligners; a generator reads each program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ..documents.model import Document, Time, seconds
from ..errors import SerevalError, with_place
from .build import (
    NOT_FINAL,
    OTHERS,
    UNTIMED,
    Notes,
    Word,
    check_span,
    document_of_tiers,
    document_of_words,
    fill,
    span_of,
)
from .file import Documents, File, Head, quote, signs
from .records import Record, objects, value

Piece = tuple[str, Time | None]
"""A text and its time; white space at its ends ends words, and what has no time joins a word."""
Pieces = Iterator[Piece]


def recognise(head: Head) -> str:
    if head.has("monologues schemaVersion"):
        return "vosk"
    if head.has(*[sign for _, sign, _ in _PROGRAMS]):
        return "recogniser"
    if head.has("segments", "start end text", "start end words", "text words", "words[{"):
        return "whisper"
    if head.has("status result", "result segment-start"):
        return "kaldi"
    if head.has("result text", "alternatives", "partial"):
        return "vosk"
    return "mfa" if head.has("tiers") or {*_COLUMNS}.issubset(head.line.split(",")) else ""


# --- values --------------------------------------------------------------------------------------


def _document(file: File, read: Callable[[Record, Notes], Pieces]) -> Document:
    """The document of all results of a file."""
    notes = Notes()
    words = _joined(
        piece for one in objects(file, "transcript", "results") for piece in read(one, notes)
    )
    return document_of_words(file, words, notes)


_PARTS = {"seconds": 1, "nanos": 10**9}


def _time(one: Record, key: str, units: int) -> int:
    """A time in ms; of those that Google writes as objects a part that is 0 is left out."""
    if not isinstance(one.values.get(key), dict):
        return one.seconds(key, units)
    parts = one.record(key)
    return sum(parts.seconds(name, size) for name, size in _PARTS.items() if name in parts)


def _span(one: Record, start: str, end: str, units: int = 1) -> Time:
    """The times of a word, in ms; the end may be a duration."""
    first, last = _time(one, start, units), _time(one, end, units)
    last += first * end.lower().startswith("duration")
    return with_place(one.where, check_span, first, last)


def _words(
    records: list[Record], text: str, start: str = "start", end: str = "end", units: int = 1
) -> Pieces:
    """Words that stand alone; of several keys between blanks, the first that is there counts."""
    for one in records:
        word, first, last = (one.first(*keys.split()) for keys in (text, start, end))
        yield f" {one.word(word)} ", _span(one, first, last, units)


_TEXTS = ("transcript", "text", "display", "Display", "DisplayText")
_FINAL = ("isFinal", "is_final", "final")


def _has_text(one: Record) -> bool:
    """Whether anything was recognised."""
    return any(str(one.values[key]).strip() for key in _TEXTS if not one.is_absent(key))


def _listed(one: Record, *keys: str, off: str = "word timestamps") -> list[Record]:
    """The words under the first of the keys that has any; a text without words is refused."""
    for key in keys:
        if one.values.get(key):
            return one.records(key)
    if _has_text(one) or one.values and not any(key in one for key in (*keys, *_TEXTS)):
        names = " or ".join(f'"{key}"' for key in keys)
        raise SerevalError(
            f"{one.where}: no {names}, expected words with times: was the program run with {off}?"
        )
    return []


def _first(one: Record, key: str, notes: Notes) -> list[Record]:
    """The first of a list of alternatives, if it has any."""
    found = one.needed(key)
    notes.add(OTHERS, len(found[1:]))
    return found[:1]


def _best(results: list[Record], notes: Notes, *keys: str) -> Iterator[Record]:
    """The first alternative of each result that is final and was recognised."""
    for result in results:
        key, found = result.first(*keys), result.values.get
        if not all(found(key, "yes") for key in _FINAL):
            notes.add(NOT_FINAL)
        elif not all(found(f"{r}ecognitionStatus") in (None, "Success") for r in "rR"):
            notes.add("phrases that were not recognised, skipped")
        elif result.is_absent(key) and not _has_text(result):
            notes.add("results without words, skipped")
        else:
            yield from _first(result, key, notes)


def _kind(one: Record, key: str, *kinds: str) -> str:
    found = one.string(key)
    if found not in kinds:
        raise SerevalError(f"{one.name(key)}: found {quote(found)}, expected {', '.join(kinds)}")
    return found


def _check_done(file: Record) -> None:
    """Refuse the file of a job that has not ended."""
    if "status" in file:
        _kind(file, "status", "completed", "COMPLETED")


def _one_word(one: Record, off: str) -> str:
    """A text with the white space around it, in which there is no more of it."""
    text = one.text("text")
    if len(text.split()) > 1:
        raise SerevalError(
            f"{one.name('text')}: found {quote(text)}, expected one word: was the program run "
            f"with {off}?"
        )
    return text


def _filled(words: list[Piece], around: Time, notes: Notes) -> Iterator[Word]:
    """Words that stand alone; those without times share the gaps between the others."""
    texts, times = [text for text, _ in words], [time for _, time in words]
    notes.add(UNTIMED, times.count(None))
    for text, (start, end) in zip(texts, fill(texts, times, around), strict=True):
        yield start, end, text


# --- a generator for each program ----------------------------------------------------------------


def _aws(file: Record, notes: Notes) -> Pieces:
    _check_done(file)
    yield from _marked(_listed(file.record("results"), "items"), notes)


def _marked(items: list[Record], notes: Notes) -> Pieces:
    """Words, and marks of punctuation that join the word before or the one after."""
    kinds = "pronunciation", "word", "entity", "punctuation", "speaker_change"
    is_next = False
    for one in items:
        kind = _kind(one, "type", *kinds)
        if kind == "speaker_change":
            continue
        is_mark = kind == "punctuation"
        joins = (one.values.get("attaches_to") or "previous") if is_mark else ""
        blank = "" if is_next or joins in ("previous", "both") else " "
        best = _first(one, "alternatives", notes)
        if not best:
            raise SerevalError(f"{one.name('alternatives')}: 0 items, expected 1")
        yield (
            blank + best[0].word("content"),
            None if is_mark else _span(one, "start_time", "end_time"),
        )
        is_next = joins in ("next", "both")


def _assemblyai(file: Record, notes: Notes) -> Pieces:
    _check_done(file)
    yield from _words(_listed(file, "words"), "text", units=1000)


def _bbc(file: Record, notes: Notes) -> Pieces:
    yield from _words(_listed(file, "words"), "text")


def _elevenlabs(file: Record, notes: Notes) -> Pieces:
    for one in _listed(file, "words", off='timestamps_granularity="word"'):
        kind = _kind(one, "type", "word", "spacing", "audio_event")
        if kind == "audio_event":
            notes.add("sounds that are no words, skipped")
        elif kind == "spacing":
            yield f" {one.text('text')}", None
        else:
            yield one.text("text"), one.span()


def _gentle(file: Record, notes: Notes) -> Pieces:
    words: list[Piece] = []
    for one in _listed(file, "words"):
        case = _kind(one, "case", "success", "not-found-in-audio", "not-found-in-transcript")
        if case == "not-found-in-transcript":
            notes.add("words that are not in the transcript, skipped")
        else:
            words.append((one.word("word"), one.span() if case == "success" else None))
    for start, end, text in _filled(words, (0, 0), notes):
        yield f" {text} ", (start, end)


def _azure(file: Record, notes: Notes) -> Pieces:
    """The service's results, and the one that the SDK writes in capital letters."""
    results = file.records("recognizedPhrases") if "recognizedPhrases" in file else [file]
    keys = "displayWords", "words", "DisplayWords", "Words"
    text = "displayText word DisplayText Word"
    start, end = "offsetInTicks Offset", "durationInTicks Duration"
    for best in _best(results, notes, "nBest", "NBest"):
        words = _listed(best, *keys, off="wordLevelTimestampsEnabled")
        yield from _words(words, text, start, end, 10**7)


def _azure_fast(file: Record, notes: Notes) -> Pieces:
    for phrase in file.records("phrases"):
        words = _listed(phrase, "words")
        yield from _words(words, "text", "offsetMilliseconds", "durationMilliseconds", 1000)


def _rev(file: Record, notes: Notes) -> Pieces:
    for monologue in file.records("monologues"):
        for one in _listed(monologue, "elements"):
            is_word = _kind(one, "type", "text", "punct") == "text"
            yield one.text("value"), _span(one, "ts", "end_ts") if is_word else None


def _whisper_cpp(file: Record, notes: Notes) -> Pieces:
    off = "-ojf (or -ml 1 -sow)"
    for segment in file.records("transcription"):
        for one in _listed(segment, "tokens", off=off) if "tokens" in segment else [segment]:
            text = _one_word(one, off)
            if text.startswith("[_"):
                notes.add("tokens of control such as [_BEG_], skipped")
            else:
                yield text, _span(one.record("offsets"), "from", "to", 1000)


def _transformers(file: Record, notes: Notes) -> Pieces:
    off = 'return_timestamps="word"'
    for one in _listed(file, "chunks", off=off):
        _one_word(one, off)
        times = Record.of_list(one.get("timestamp"), one.name("timestamp"), "start", "end")
        yield f" {one.word('text')} ", times.span()


def _speechmatics(file: Record, notes: Notes) -> Pieces:
    yield from _marked(file.records("results"), notes)


def _ibm(file: Record, notes: Notes) -> Pieces:
    for best in _best(file.needed("results"), notes, "alternatives"):
        if not best.values.get("timestamps"):
            _listed(best, "timestamps", off="timestamps=true")
        else:
            rows = [
                Record.of_list(*item, "word", "start", "end") for item in best.items("timestamps")
            ]
            yield from _words(rows, "word")


def _ibm_asynchronous(file: Record, notes: Notes) -> Pieces:
    _check_done(file)
    results = file.records("results")
    if len(results) > 1:
        raise SerevalError(f"{file.name('results')}: found {len(results)} results, expected one")
    for result in results:
        yield from _ibm(result, notes)


_STARTS = "startOffset start_time start_offset startTime"


def _google(file: Record, notes: Notes) -> Pieces:
    for best in _best(file.records("results"), notes, "alternatives"):
        words = _listed(best, "words", off="enableWordTimeOffsets")
        yield from _words(words, "word", _STARTS, _STARTS.replace("start", "end"))


def _deepgram(file: Record, notes: Notes) -> Pieces:
    channels = file.record("results").needed("channels")
    notes.add(
        "channels whose words were merged by their start", len(channels) if len(channels) > 1 else 0
    )
    for best in _best(channels, notes, "alternatives"):
        yield from _words(_listed(best, "words"), "punctuated_word word")


_Generator = Callable[[Record, Notes], Pieces]

_PROGRAMS: tuple[tuple[str, str, _Generator], ...] = (
    ("AWS Transcribe", "jobName results", _aws),
    ("AssemblyAI", "audio_url words", _assemblyai),
    ("AssemblyAI", "status words", _assemblyai),
    ("AssemblyAI", "language_code confidence words", _assemblyai),
    ("the BBC's words and paragraphs", "words[{ paragraphs", _bbc),
    ("ElevenLabs", "language_code words", _elevenlabs),
    ("Gentle", "transcript words", _gentle),
    ("Azure's speech service", "recognizedPhrases", _azure),
    ("Azure's speech SDK", "NBest", _azure),
    ("Azure's speech SDK", "RecognitionStatus Offset", _azure),
    ("Azure's fast transcription", "combinedPhrases phrases", _azure_fast),
    ("Rev AI", "monologues", _rev),
    ("whisper.cpp", "transcription", _whisper_cpp),
    ("a pipeline of Transformers", "text chunks", _transformers),
    ("Speechmatics", "format results", _speechmatics),
    ("Speechmatics", "job results", _speechmatics),
    ("IBM's speech service", "result_index results", _ibm),
    ("IBM's speech service", "created updated results", _ibm_asynchronous),
    ("Google's speech service", "results[{", _google),
    ("Deepgram", "metadata results", _deepgram),
    ("Google's speech service", "results", _google),
)
"""Programs, the keys that identify their files, and their generators; the first that fits counts.

``key[{`` is a key whose value is a list of objects.
"""
_STREAMS = (_azure, _google, _ibm, _ibm_asynchronous)
"""Those of which several results may be one recording."""


def read_recogniser(file: File) -> Documents:
    """
    ```recogniser
    {"metadata": {"channels": 1}, "results": {"channels": [{"alternatives": [{"words": [
      {"word": "recevrons", "start": 167.3, "end": 167.62, "punctuated_word": "Recevrons"},
      {"word": "benoît", "start": 167.62, "end": 167.93, "punctuated_word": "Benoît."}]}]}]}}
    ```

    The keys of the file say which program wrote it. A note names the program and counts its words.

    | program | words | text | start and end |
    |---|---|---|---|
    | AWS Transcribe | `results.items` | `content` | `start_time`, `end_time`: seconds, as text |
    | AssemblyAI | `words` | `text` | `start`, `end`: milliseconds |
    | Azure, batch transcription | `recognizedPhrases`, `nBest`, `displayWords` or else `words` \
| `displayText` or `word` | `offsetInTicks`, `durationInTicks`: 100 ns |
    | Azure, detailed results of the SDK | `NBest`, `DisplayWords` or else `Words` \
| `DisplayText` or `Word` | `Offset`, `Duration`: 100 ns |
    | Azure, fast transcription | `phrases`, `words` | `text` \
| `offsetMilliseconds`, `durationMilliseconds` |
    | the BBC's words and paragraphs | `words` | `text` | `start`, `end`: seconds |
    | Deepgram | `results.channels`, `alternatives`, `words` | `punctuated_word` or else `word` \
| `start`, `end`: seconds |
    | ElevenLabs | `words` of the types `word` and `spacing` | `text` | `start`, `end`: seconds |
    | Gentle | `words` | `word` | `start`, `end`: seconds |
    | Google, version 1 or 2 | `results`, `alternatives`, `words` | `word` \
| `startTime` or `startOffset`, …: text such as `1.5s`, or `seconds` and `nanos` |
    | IBM, also asynchronous | `results`, `alternatives`, `timestamps` | first item \
| second and third item: seconds |
    | Rev AI | `monologues`, `elements` | `value` | `ts`, `end_ts`: seconds |
    | Speechmatics | `results` | `content` | `start_time`, `end_time`: seconds |
    | Transformers, pipeline of speech recognition | `chunks` | `text` | `timestamp`: seconds |
    | whisper.cpp, `-ojf`, or `-oj -ml 1` | `transcription`, `tokens` | `text` \
| `offsets`: milliseconds |

    * The words are those of the program's transcript, sorted, also those of several channels.
      **Marks of punctuation** that stand apart, without times of their own, join the word before
      (Speechmatics says in `attaches_to` which word; one at the start joins the word after). The
      pieces of ElevenLabs, Rev AI and whisper.cpp are joined up to the next white space; the word
      lasts from the start of its first piece to the end of the last.
    * Of alternatives the first is taken. Skipped: other alternatives, results that are not final,
      phrases that were not recognised, sounds that are no words (`audio_event`), tokens of control
      (`[_BEG_]`), and words that Gentle heard but that are not in the transcript.
    * Words that Gentle did not find in the audio share the gap between their neighbours, as in
      [Whisper](#whisper) files.
    * Several results of Azure's SDK, of Google or of IBM may follow one another, or stand in a
      list: they are one recording. Other programs have one result a file.
    * Everything beside the words, their texts and their times is ignored.

    Refused: a text without the times of its words, with the setting of the program that writes
    them; chunks or segments of several words; a job that has not ended (`status`); a result with
    neither words nor the keys of a silent one; a result that repeats the words of those before it,
    as Google's do with the numbers of speakers; bad times.
    """
    notes, pieces = Notes(), list[Piece]()
    names: list[str] = []
    for record in objects(file, "transcript", "results"):
        name, _, read = _program_of(record)
        names.append(name)
        if len(names) > 1 and (name != names[0] or read not in _STREAMS):
            raise SerevalError(
                f"{name}: found 2 results, the first of {names[0]}, expected one a file"
            )
        pieces += [*with_place(name, list, read(record, notes)), (" ", None)]
    if not names:
        raise SerevalError("found an empty list, expected the JSON of a recogniser")
    words = with_place(name, _joined, pieces)
    if read in _STREAMS:
        with_place(name, _check_once, words)
    notes.add(f"words in the JSON of {name}", len(words))
    yield document_of_words(file, words, notes)


def _program_of(record: Record) -> tuple[str, str, _Generator]:
    keys = signs(record.values)
    found = next((row for row in _PROGRAMS if keys.issuperset(row[1].split())), None)
    if found is None:
        shown, names = sorted(record.values)[:4], dict.fromkeys(name for name, *_ in _PROGRAMS)
        raise SerevalError(
            f"{record.where}: keys ({', '.join(shown)}) of no recogniser, expected those of "
            f"{', '.join(names)}"
        )
    return found


def _check_once(words: list[Word]) -> None:
    """Refuse results of which one repeats the words of those before it."""
    for (start, end, text), count in Counter(words).items():
        if count > 1 and end > start:
            raise SerevalError(
                f"{quote(text)} stands twice at {seconds(start)} s, expected each word once: does "
                "the last result repeat all words, with the numbers of speakers?"
            )


def _joined(pieces: Iterable[Piece]) -> list[Word]:
    """The words: pieces without white space between them; marks alone join the word beside them."""
    words: list[Word] = []
    ahead = ""  # a text that no word has yet
    for run in _runs(pieces):
        text = "".join(bare for bare, _ in run)
        times = [time for bare, time in run if bare and time]
        if times:
            words.append((times[0][0], max(end for _, end in times), ahead + text))
            ahead = ""
        elif words:
            words[-1] = (*words[-1][:2], words[-1][2] + text)
        else:
            ahead += text
    if ahead:
        raise SerevalError(f"{quote(ahead)} has no times, expected a word beside it")
    return words


def _runs(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces between white space, without it."""
    run: list[Piece] = []
    for text, time in pieces:
        if run and text[:1].isspace():
            yield run
            run = []
        run.append((text.strip(), time))
        if text[-1:].isspace():
            yield run
            run = []
    yield run


# --- Whisper -------------------------------------------------------------------------------------


def read_whisper(file: File) -> Documents:
    """
    ```whisper
    {"text": " recevrons Benoît,", "language": "fr", "segments": [
      {"id": 0, "start": 0.0, "end": 1.36, "text": " recevrons Benoît,", "words": [
        {"word": " recevrons", "start": 0.0, "end": 0.62, "probability": 0.97},
        {"word": " Benoît,", "start": 0.62, "end": 1.36, "probability": 0.8}]}]}
    ```

    The JSON of Whisper, faster-whisper (an object as above, `{"segments": […], "info": …}`, or the
    list of segments alone), WhisperX, whisper-timestamped and stable-ts, over any number of lines.
    The files must have word timestamps: `--word_timestamps True` in Whisper.

    * OpenAI's service writes `words` beside the segments (`response_format=verbose_json` with the
      granularity `word`); then these are the words.
    * The text of a word is under `word` or `text`. White space around it is dropped. Punctuation
      stays as the recogniser wrote it, and so do marks such as `[*]`. Words are sorted.
    * **Words without times**, which WhisperX writes for numbers, are put between their neighbours.
      A run of such words shares the time from the end of the word before to the start of the word
      after. At the ends of a segment, the segment's own times take the place of the missing
      neighbour. If the neighbours overlap, the words have no length. If a segment has an empty
      list of words and other segments have words, the words of its text are placed in the same way.
    * Words of white space only are skipped; all other keys are ignored.

    Refused: a segment with a text but without words; bad times.
    """
    found, notes, every = value(file), Notes(), list[Word]()
    record = Record({"segments": found} if isinstance(found, list) else found, "transcript")
    is_beside = not record.is_absent("words")
    segments = [record] if is_beside else [Record(*one) for one in record.items("segments")]
    has_words = any(one.values.get("words") for one in segments)
    for segment in segments:
        if has_words and segment.values.get("words") == []:  # it was not aligned
            words: list[Piece] = [(text, None) for text in segment.text("text").split()]
        else:
            pairs = [_whisper_word(one) for one in _listed(segment, "words")]
            words = [pair for pair in pairs if pair[0]]
            notes.add("words without a letter, skipped", len(pairs) - len(words))
        is_timed = all(time for _, time in words)
        every += _filled(words, (0, 0) if is_timed else segment.span(), notes)
    if not has_words:
        _listed(record, "segments")  # refuses a text without words
    yield document_of_words(file, every, notes)


def _whisper_word(word: Record) -> Piece:
    text = word.text(word.first("word", "text")).strip()
    is_untimed = not text or word.is_absent("start") and word.is_absent("end")
    return text, None if is_untimed else word.span()


# --- Vosk ----------------------------------------------------------------------------------------


def read_vosk(file: File) -> Documents:
    """
    ```vosk
    {"result": [{"start": 167.3, "end": 167.62, "word": "recevrons"}], "text": "recevrons"}
    {"result": [{"start": 167.93, "end": 168.27, "word": "magie"}], "text": "magie"}
    ```

    The results of Vosk: objects one after another over any number of lines, or lists of them, which
    are one document. They must have the times of words (`SetWords(True)`). Words are sorted.

    * Of an object with `alternatives`, the first is taken; the others are skipped.
    * An object with only an empty `text` holds no words. An object with `partial` and no `text` is
      an early version of a later result: it is skipped.
    * `vosk-transcriber -t json` writes one object with `monologues`, whose `terms` are the words.

    Refused: a `text` without `result`, bad times.
    """
    yield _document(file, _vosk)


def _vosk(record: Record, notes: Notes) -> Pieces:
    if "monologues" in record:
        terms = [term for one in record.records("monologues") for term in one.records("terms")]
        yield from _words(terms, "text")
    elif "partial" in record and "text" not in record:
        notes.add(NOT_FINAL)
    else:
        found = _first(record, "alternatives", notes) if "alternatives" in record else [record]
        for best in found:
            yield from _words(_listed(best, "result", off="SetWords(True)"), "word")


# --- Kaldi ---------------------------------------------------------------------------------------


def read_kaldi(file: File) -> Documents:
    """
    ```kaldi
    {"status": 0, "segment-start": 167.0, "result": {"final": true, "hypotheses": [
      {"transcript": "recevrons Benoît.", "word-alignment": [
        {"word": "recevrons", "start": 0.3, "length": 0.32},
        {"word": "Benoît", "start": 0.62, "length": 0.31}]}]}}
    ```

    The messages of kaldi-gstreamer-server, one after another over any number of lines, or lists of
    them. The words are those of `word-alignment` of the first hypothesis of each final result,
    sorted. Their times count from `segment-start`. Results that are not final and other hypotheses
    are skipped. Phones and the transcript with its punctuation are ignored.

    Refused: a `transcript` without `word-alignment`, a result without `segment-start`, bad times.
    """
    yield _document(file, _kaldi)


def _kaldi(message: Record, notes: Notes) -> Pieces:
    results = [] if message.is_absent("result") else [message.record("result")]
    for best in _best(results, notes, "hypotheses"):
        for one in _listed(best, "word-alignment", off="word alignments"):
            start = message.time("segment-start") + one.time("start")
            end = start + one.time("length")
            yield f" {one.word('word')} ", with_place(one.where, check_span, start, end)


# --- the Montreal Forced Aligner -----------------------------------------------------------------

_COLUMNS = ("Begin", "End", "Label", "Type")


def read_mfa(file: File) -> Documents:
    """
    ```mfa
    Begin,End,Label,Type,Speaker
    0.25,0.8,dit,words,anna
    0.25,0.4,d,phones,anna
    0.8,1.5,oui,words,anna
    ```

    The Montreal Forced Aligner's `--output_format csv` as above, and its `--output_format json`,
    which sereval recognises by the opening brace:

    ```mfa
    {"start": 0, "end": 1.5, "tiers": {"anna - words": {"type": "interval", "entries": [
      [0.25, 0.8, "dit"], [0.8, 1.5, "oui"]]},
      "anna - phones": {"type": "interval", "entries": []}}}
    ```

    The words are the rows of type `words`, or the entries of the tier `words` or of the tiers
    `SPEAKER - words`; other types or tiers by name, as in a [TextGrid](#textgrid). The words of all
    speakers are sorted. Silence and unknown words follow the rules of TextGrids. Other types and
    tiers are checked, but not used. Other columns and keys are ignored.

    Refused: a file without a tier of words, tiers of anything but intervals, bad times.
    """
    is_json = file.text.lstrip().startswith("{")
    tiers = _mfa_json(file) if is_json else _mfa_csv(file)
    yield document_of_tiers(file, [*tiers.items()], Notes())


def _mfa_csv(file: File) -> dict[str, list[Word]]:
    """The words of each type."""
    words: dict[str, list[Word]] = {}
    for one in file.table(*_COLUMNS):
        time = span_of(Begin=one["Begin"], End=one["End"])
        words.setdefault(one["Type"], []).append((*time, one["Label"].strip()))
    return words


def _mfa_json(file: File) -> dict[str, list[Word]]:
    """The words of each tier."""
    record = Record(value(file), "alignment")
    tiers = record.record("tiers")
    words: dict[str, list[Word]] = {}
    for name, found in tiers.values.items():
        tier = Record(found, f"tier {quote(name)}")
        _kind(tier, "type", "interval")
        entries = (Record.of_list(*item, "start", "end", "label") for item in tier.items("entries"))
        words[name] = [(*one.span(), one.text("label").strip()) for one in entries]
    return words
