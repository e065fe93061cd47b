"""The ``.nlp`` files of fstalign, and the alternatives of entities beside them.

Source: the documentation of fstalign; Del Rio et al., Interspeech 2021, and the readme of
Earnings-21.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..documents.files import read_text
from ..documents.model import Alternative, Document, Time
from ..documents.words import Span
from ..errors import InputError, SerevalError, reason
from .build import (
    UNTIMED,
    Notes,
    check_seconds,
    document_of_spans,
    fill,
    span_of,
)
from .file import Documents, File, quote
from .records import Record, load, of_type, value

HEADER = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags", "wer_tags")
SIDECAR = ".wer_tag.json"
NORM, NLP = SUFFIXES = (".norm.json", ".nlp")
"""The suffixes of the two files of alternatives."""

_TAG, _NUMBER = "'([^':]+):([^']+)'", "'([^']+)'"
"""An item of the two columns of entities."""


class _Row(NamedTuple):
    """A line: the word, its start and end, and the entities of both columns."""

    line: int | None
    word: str
    time: tuple[str, str]
    tags: list[tuple[str, str]]
    numbers: list[str]


def read_nlp(file: File) -> Documents:
    """
    ```nlp
    token|speaker|ts|endTs|punctuation|case|tags|wer_tags
    recevrons|1|167.30|167.62||LC|[]|[]
    Benoît|1|167.62|167.93||UC|['0:PERSON']|[]
    Magimel|1|167.93|168.27|.|UC|['0:PERSON']|[]
    ```

    The `.nlp` files of fstalign and of the Earnings-21 and Earnings-22 corpora: a token on each
    line, with fields between `|`, which the first line names.

    * **Entities.** `wer_tags` has the numbers of entities, such as `['4', '7']`. If a file
      `ID.wer_tag.json` beside `ID.nlp`, or in `../wer_tags`, has their labels
      (`{"4": {"entity_type": "PERSON"}, …}`), they are the elements, and the `tags` are skipped.
      Without such a file, the elements are the `tags`, numbers with labels. A note counts the
      entities that have no label; they are skipped.
      In Earnings-21, `tags` has mostly the entities with several readings; empty, it has none.
    * **Times.** `ts` and `endTs` are seconds. If no line has a `ts`, the document has no times. If
      some lines have none, their words are put between their neighbours as in [Whisper](#whisper)
      files, and counted. With `--read times=none` the times are not read.
    * Words stand as they are, and so do marks such as `<laugh>`. Lines without a token are skipped
      and counted. Punctuation, case and other columns are ignored.

    Refused: an entity whose lines do not follow one another, or that has two labels; times out of
    order or bad.
    """
    every = [*_rows(file)]
    rows = [row for row in every if row.word]
    if not rows:
        raise SerevalError("no word found below the header, expected some")
    notes, words = Notes(), [row.word for row in rows]
    notes.add("lines without a token, skipped", len(every) - len(rows))
    if file.beside:
        rows = _labelled(file, rows, notes)
    else:
        numbers = len({number for row in rows for number in row.numbers})
        what = f"numbers in wer_tags without a {SIDECAR} that has their labels, skipped"
        notes.add(what, numbers)
    found: list[Time | None] = [None] * len(rows)
    if file.policy("times") == "spread":
        for k, row in enumerate(rows):
            file.here, (start, end) = row.line, row.time
            try:
                found[k] = span_of(ts=start, endTs=end) if start else None
            except SerevalError as error:
                raise SerevalError(f"{error}; {file.hint('times')}") from None
        file.here = None
    times = None
    if known := [time for time in found if time is not None]:
        check_seconds(known, [word for word, time in zip(words, found, strict=True) if time])
        times = fill(words, found, (0, max(end for _, end in known)))
        notes.add(UNTIMED, len(rows) - len(known))
    spans = [*_entities(file, rows).values()]
    yield document_of_spans(file, file.id, words, spans, notes, times)


# --- the lines -----------------------------------------------------------------------------------


def _rows(file: File) -> Iterator[_Row]:
    """The rows below the header."""
    lines = (text.strip("\r") for text in file.lines() if text.strip())
    header = next(lines, "")
    names = header.split("|")
    if "token" not in names or "tags" not in names or len({*names}) < len(names):
        raise SerevalError(f"found {quote(header)}, expected {'|'.join(HEADER)}")
    for text in lines:
        cells = [cell.strip(" \t") for cell in text.split("|")]
        if len(cells) != len(names):
            raise SerevalError(f"found {len(cells)} fields, expected {len(names)}")
        fields = dict(zip(names, cells, strict=True))
        tags = _items("tags", fields["tags"] or "[]", _TAG)
        numbers = _items("wer_tags", fields.get("wer_tags") or "[]", _NUMBER)
        time = fields.get("ts", ""), fields.get("endTs", "")
        yield _Row(file.here, fields["token"], time, tags, numbers)


def _items(column: str, text: str, item: str) -> list[Any]:
    if not re.fullmatch(rf"\[(?:{item}(?:, ?{item})*)?\]", text):
        example = "['0:YEAR']" if item == _TAG else "['0', '3']"
        raise SerevalError(f"{column} {quote(text)}, expected a list such as {example}")
    return re.findall(item, text)


def _labelled(file: File, rows: Sequence[_Row], notes: Notes) -> list[_Row]:
    """The rows with the entities of ``wer_tags``, whose labels are in the file beside."""
    try:
        found = of_type(load(file.beside.removeprefix("\ufeff")), dict, "the file")
        labels = {key: Record(one, key).string("entity_type") for key, one in found.items()}
    except SerevalError as error:
        raise SerevalError(f"{file.id}{SIDECAR}: {error}") from None
    skipped = sum(len(row.tags) for row in rows)
    notes.add("tags of words that may be said in several ways, skipped", skipped)
    unknown = {number for row in rows for number in row.numbers} - labels.keys()
    notes.add(f"entities without a label in the {SIDECAR} beside, skipped", len(unknown))
    return [
        row._replace(tags=[(one, labels[one]) for one in row.numbers if one in labels])
        for row in rows
    ]


def _entities(file: File, rows: Sequence[_Row]) -> dict[str, Span]:
    """The entities by number, in the order of their first words."""
    found: dict[str, Span] = {}
    for k, row in enumerate(rows):
        file.here = row.line
        for number, label in row.tags:
            entity = found.get(number, Span(label, k, k, row.line))
            if entity.label != label:
                raise SerevalError(
                    f"entity {number} is {label} here, expected {entity.label} as before"
                )
            if entity.end != k:
                raise SerevalError(
                    f"entity {number} stands in two places, expected its words in one"
                )
            found[number] = entity._replace(end=k + 1)
    file.here = None
    return found


# --- alternatives --------------------------------------------------------------------------------


def norm_files(paths: Iterable[str]) -> dict[tuple[str, str], str]:
    """The files of alternatives at some paths: other readings of the entities of Earnings-21."""
    found: dict[tuple[str, str], str] = {}
    for path in paths:
        files = [one for one in _files(path) if one.endswith(SUFFIXES)]
        if not files:
            raise InputError(f"no file of alternatives, expected {NORM} or {NLP}", path=path)
        for file in files:
            suffix = next(one for one in SUFFIXES if file.endswith(one))
            key = os.path.basename(file).removesuffix(suffix), suffix
            if found.get(key, file) != file:
                raise InputError(f"found {found[key]} too, expected one of them", path=file)
            found[key] = file
    return found


def _files(path: str) -> list[str]:
    try:
        return [os.path.join(path, name) for name in sorted(os.listdir(path))]
    except NotADirectoryError:
        return [path]
    except OSError as error:
        raise InputError(reason(error, path), path=path) from None


def alternatives_of(
    document: Document, files: dict[tuple[str, str], str]
) -> tuple[Alternative, ...]:
    """The alternatives of a document; entities in none of its words are passed over."""
    opened = []
    for suffix in SUFFIXES:
        path = files.get((document.id, suffix))
        if path is None and suffix == NLP and str(document.source).endswith(NLP):
            path = document.source  # the reference itself
        if path is None:
            raise SerevalError(
                f"{document.id}: no file {document.id}{suffix} among the alternatives, "
                f"expected one {NORM} and one {NLP} for each document"
            )
        opened.append(File(path, text=read_text(path)))
    norm, nlp = opened
    with norm:
        entities = _norm_entities(norm)
    with nlp:
        spans = _entities(nlp, _of_document(nlp, document))
    found: dict[tuple[int, int], dict[tuple[str, ...], None]] = {}
    for number, span in spans.items():
        if number in entities:
            label, readings = entities[number]
            if label != span.label:
                raise nlp.error(
                    f"entity {number} is {span.label}, expected {label} of its readings", span.line
                )
            found.setdefault((span.start, span.end), {}).update(dict.fromkeys(readings))
    return tuple(Alternative(*span, tuple(found[span])) for span in sorted(found))


def _norm_entities(file: File) -> dict[str, tuple[str, list[tuple[str, ...]]]]:
    """The class of each entity, by number, and its readings."""
    found = {}
    for number, one in of_type(value(file), dict, "the file").items():
        record = Record(one, f"entity {number}")
        candidates = record.records("candidates")
        if not candidates:
            raise SerevalError(f"{record.where}: no candidate, expected one or more")
        readings = [candidate.strings("verbalization") for candidate in candidates]
        found[number] = record.string("class"), readings
    return found


def _of_document(file: File, document: Document) -> list[_Row]:
    """The rows of the words of a document, without those of marks that it lacks."""
    found: list[_Row] = []
    words = document.words
    for row in _rows(file):
        there = words[len(found)] if len(found) < len(words) else None
        if row.word == there:
            found.append(row)
        elif not re.fullmatch("<.*>", row.word) and re.search(r"[^\W_]", row.word):
            expected = "no more word" if there is None else repr(there)
            raise file.error(
                f"found the word {row.word!r}, expected {expected} of {document.id}", row.line
            )
    if len(found) < len(words):
        raise SerevalError(f"the words end before {words[len(found)]!r} of {document.id}")
    return found
