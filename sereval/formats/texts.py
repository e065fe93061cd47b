"""Texts without times or with those of an utterance: manifests, tables with a head, plain lines."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..documents.model import Document
from ..errors import SerevalError
from .build import Notes
from .file import Documents, File, quote
from .find import Head
from .records import Record, objects, of_type, strings, time, with_place
from .rows import Utterance, document_of, utterance
from .times import check_span

IDS = ("id", "ID", "utt_id", "utterance", "utterance_id", "audio_filepath", "file", "path")
"""Columns that may name the document of a row; the first that is there does."""

AUDIO = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".sph")

REFERENCES = ("text", "reference", "ref", "sentence", "transcript", "transcription")
HYPOTHESES = ("pred_text", "hypothesis", "hyp", "prediction", "predicted")


def recognise(head: Head) -> str:
    columns = head.line.replace('"', "").split("\t" if "\t" in head.line else ",")
    if not {*IDS}.isdisjoint(columns) and not {*REFERENCES, *HYPOTHESES}.isdisjoint(columns):
        return "csv"
    has_audio = head.has("audio_filepath text", "audio_filepath pred_text")
    return "manifest" if has_audio or head.has("recording_id text", "supervisions[{") else ""


def both_columns(file: File) -> tuple[str, ...]:
    """The columns of the reference and of the hypothesis, if one file has both."""
    head = Head(file)
    names = head.line.replace('"', "").split("\t" if "\t" in head.line else ",")
    known = head.keys or {*names}
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
    for line, row in file.table(delimiter=delimiter):
        with file.at(line):
            id = next((row[name] for name in IDS if row.get(name)), "")
            if not id:
                raise SerevalError(f"found no name of the row, expected one under {IDS[0]}")
            yield line, Document(id, tuple(row[_column(file, row)].split()), source=file.path)


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
    found: defaultdict[str, list[Utterance | tuple[str, ...]]] = defaultdict(list)
    lines: dict[str, int] = {}
    with file.at() as here:
        for here.line, record in objects(file):
            for name, one in _utterances(file, record):
                lines.setdefault(name, here.line)
                found[name].append(one)
    if not found:
        raise file.error("found no utterance, expected one on each line")
    for name, utterances in found.items():
        id = _id(name)
        timed = [one for one in utterances if isinstance(one, Utterance)]
        if len(timed) == len(utterances):
            yield lines[name], document_of(file, id, timed, Notes())
            continue
        texts = [one.words if isinstance(one, Utterance) else one for one in utterances]
        ends = [sum(map(len, texts[:k])) for k in range(1, len(texts))]
        words = tuple(word for text in texts for word in text)
        breaks = tuple(dict.fromkeys(end for end in ends if 0 < end < len(words)))
        yield lines[name], Document(id, words, breaks=breaks, source=file.path)


def _utterances(
    file: File, record: Record, start: int = 0
) -> Iterator[tuple[str, Utterance | tuple[str, ...]]]:
    """The utterances of an object, each with its recording."""
    if "supervisions" in record:
        begin = record.time("start") if "start" in record else 0
        for one in record.records("supervisions"):
            yield from _utterances(file, one, begin)
        return
    key = "recording_id" if "recording_id" in record else "audio_filepath"
    name, column = record.word(key), _column(file, record.values)
    words = tuple(str(of_type(record.get(column), str, record.name(column))).split())
    if record.is_absent("duration"):
        yield name, words
        return
    offset = next((key for key in ("start", "offset") if not record.is_absent(key)), None)
    begin = start + (record.time(offset) if offset else 0)
    aligned = record.values.get("alignment")
    if isinstance(aligned, dict) and "word" in aligned:
        yield name, _aligned(Record(aligned, record.name("alignment")), start)
        return
    yield name, utterance(begin, begin + record.time("duration"), words)


def _id(name: str) -> str:
    """The name of a recording, without its folder and its suffix if it is a file."""
    stem, suffix = os.path.splitext(os.path.basename(name))
    return stem if suffix.lower() in AUDIO else os.path.basename(name)


def _aligned(record: Record, start: int) -> Utterance:
    """The words of an alignment of Lhotse: each a text, a start, a duration and maybe a score."""
    words, times = [], []
    for item, where in record.items("word"):
        row = of_type(item, list, where)
        if len(row) < 3:
            raise SerevalError(f"{where}: found {len(row)} items, expected word, start, duration")
        [word] = strings(row[:1], where)
        begin = start + with_place(where, time, row[1])
        end = begin + with_place(where, time, row[2])
        with_place(where, check_span, begin, end)
        words.append(word)
        times.append((begin, end))
    return (
        Utterance(times[0][0], times[-1][1], tuple(words), times) if times else utterance(0, 0, ())
    )


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
        yield line, Document(str(line), tuple(text.split()), source=file.path)
