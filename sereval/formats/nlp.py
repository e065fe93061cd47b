"""The ``.nlp`` files of fstalign: a word on each line, with its time and the entities around it.

``token|speaker|ts|endTs|punctuation|case|tags|wer_tags``

``wer_tags`` has the numbers of entities, whose labels are in the file ``.wer_tag.json`` beside it.
``tags`` has numbers with labels, ``['0:YEAR']``, of the words that may be said in several ways.

Source: the documentation of fstalign, and the readme of Earnings-21.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..documents.model import Document, Reference, Time, seconds, tree
from ..documents.notes import count_notes
from ..errors import SerevalError
from .build import Notes, Span, nested
from .file import File as Source
from .file import quote
from .inline import is_unreadable
from .records import Record, are_whole, load, of_type, with_place
from .rows import check_lengths, timed
from .times import UNTIMED, check_seconds, check_span, fill, milliseconds
from .writers import ALTERNATIVES, BREAKS, MENTIONS, WrittenFiles, exact

HEADER = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags", "wer_tags")
SIDECAR = ".wer_tag.json"
TAGGED = "tags of words that may be said in several ways, skipped"
UNNAMED = f"numbers in wer_tags without a {SIDECAR} that has their labels, skipped"

_LIST = re.compile(r"\[(?:'[^']+'(?:, ?'[^']+')*)?\]")
_ITEM = re.compile(r"'([^']+)'")


class _Row(NamedTuple):
    """A line: the word, its time, and the entities of both columns, by number and label."""

    line: int
    word: str
    time: Time | None
    tags: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]


class _Entity(NamedTuple):
    label: str
    start: int
    end: int


def read_nlp(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an ``.nlp`` file.

    The policies ``crossing`` and ``equal`` apply to entities. The policy ``times``: words without
    times are put between their neighbours (``spread``), or no word has times (``none``).

    Args:
        source: the file; the document takes its id. ``source.beside`` is the ``.wer_tag.json``.

    Returns:
        One document. Its elements are the entities of ``wer_tags`` if their labels are beside the
        file, else those of ``tags``. It has times if a line has some.

    Raises:
        InputError: no header; another number of fields than in the header; a start without an end;
            times out of order; an entity in two places or without a label; entities that cross.

    >>> text = "token|ts|endTs|tags\\nà|||[]\\nDol|0.5|0.9|['0:loc']"
    >>> [(_, one)] = read_nlp(Source("a.nlp", text=text))
    >>> one.words, one.times, str(one.elements[0])
    (('à', 'Dol'), ((0, 500), (500, 900)), 'loc [1, 2)')
    """
    rows = list(_rows(source))
    if not rows:
        raise source.error("no word found below the header, expected some")
    labels = _labels(source)
    notes = Notes()
    found = _entities(source, rows, labels)
    spans = [Span(*entity, rows[entity.start].line) for entity in found]
    kept = nested(source, spans, notes)
    counts = {
        TAGGED: sum(len(row.tags) for row in rows) if labels is not None else 0,
        UNNAMED: len({n for row in rows for n in row.numbers}) if labels is None else 0,
    }
    times, untimed = _times(source, rows)
    return [
        (
            None,
            Document(
                source.id,
                tuple(row.word for row in rows),
                tree((*spans[k][:3], None, spans[k].line) for k in kept),
                times,
                source=source.path,
                notes=(*count_notes({**counts, UNTIMED: untimed}), *notes.all()),
            ),
        )
    ]


# --- the lines -----------------------------------------------------------------------------------


def _rows(source: Source) -> Iterator[_Row]:
    lines = ((line, text.strip("\r")) for line, text in source.lines() if text.strip())
    number, header = next(lines, (1, ""))
    names = header.split("|")
    if "token" not in names or "tags" not in names or len({*names}) < len(names):
        raise source.error(f"found {quote(header)}, expected {'|'.join(HEADER)}", number)
    for line, text in lines:
        fields = text.split("|")
        if len(fields) != len(names):
            raise source.error(f"found {len(fields)} fields, expected {len(names)}", line)
        try:
            cells = (field.strip(" \t") for field in fields)
            yield _row(source, line, dict(zip(names, cells, strict=True)))
        except SerevalError as error:
            raise source.error(str(error), line) from None


def _row(source: Source, line: int, fields: dict[str, str]) -> _Row:
    if not fields["token"]:
        raise SerevalError("an empty token, expected a word")
    tags = []
    for item in _list("tags", fields["tags"]):
        number, colon, label = item.partition(":")
        if not number or not label or not colon:
            raise SerevalError(f"tag {quote(item)}, expected a number and a label such as 0:YEAR")
        tags.append((number, label))
    numbers = _list("wer_tags", fields.get("wer_tags") or "[]")
    start, end = fields.get("ts", ""), fields.get("endTs", "")
    time = None
    if source.policy("times") == "spread" and (start or end):
        try:
            time = with_place("ts", milliseconds, start), with_place("endTs", milliseconds, end)
            check_span(*time)
        except SerevalError as error:
            raise SerevalError(f"{error}; {source.hint('times')}") from None
    return _Row(line, fields["token"], time, tuple(tags), tuple(numbers))


def _list(column: str, text: str) -> list[str]:
    if not _LIST.fullmatch(text):
        raise SerevalError(f"{column} {quote(text)}, expected a list such as ['0', '3']")
    return _ITEM.findall(text)


def _times(source: Source, rows: Sequence[_Row]) -> tuple[tuple[Time, ...] | None, int]:
    """The times of all words, and the number of those put between others."""
    timed = [row for row in rows if row.time is not None]
    if not timed:
        return None, 0
    latest = 0
    for row in timed:
        start, end = row.time or (0, 0)
        if start < latest:
            raise source.error(
                f"starts at {seconds(start)} s, before the word ahead of it ({seconds(latest)} s); "
                f"{source.hint('times')}",
                row.line,
            )
        latest = start
    check_seconds([row.time for row in timed if row.time], [row.word for row in timed], source.path)
    last = max(end for row in timed for end in (row.time or ()))
    found = fill([row.word for row in rows], [row.time for row in rows], lambda: (0, last))
    return tuple(found), len(rows) - len(timed)


# --- the entities --------------------------------------------------------------------------------


def _labels(source: Source) -> dict[str, str] | None:
    """The labels of the numbers in ``wer_tags``; ``None``: no file beside has them."""
    if not source.beside:
        return None
    try:
        found = of_type(load(source.beside.removeprefix("\ufeff")), dict, "the file")
        return {key: Record(one, key).string("entity_type") for key, one in found.items()}
    except SerevalError as error:
        raise source.error(f"{source.id}{SIDECAR}: {error}") from None


def _entities(source: Source, rows: Sequence[_Row], labels: dict[str, str] | None) -> list[_Entity]:
    """The entities, in the order of their first words, then of their tags."""
    found: dict[str, _Entity] = {}
    for k, row in enumerate(rows):
        try:
            tags = row.tags if labels is None else [(n, _label(n, labels)) for n in row.numbers]
            for number, label in tags:
                entity = found.get(number, _Entity(label, k, k))
                if entity.label != label or entity.end != k:
                    raise SerevalError(
                        f"entity {number} is {label} here, expected {entity.label} as before"
                        if entity.label != label
                        else f"entity {number} stands in two places, expected its words in one"
                    )
                found[number] = entity._replace(end=k + 1)
        except SerevalError as error:
            raise source.error(str(error), row.line) from None
    return list(found.values())


def _label(number: str, labels: dict[str, str]) -> str:
    if number not in labels:
        raise SerevalError(f"entity {number} has no label in the {SIDECAR} beside, expected one")
    return labels[number]


# ---------------------------------------------------------------------------------------- writing


def write_nlp(document: Document | Reference) -> WrittenFiles:
    """The two files of a document, and notes on what they do not hold."""
    found = exact(document)
    _check(found)
    numbers: list[list[str]] = [[] for _ in found.words]
    for number, element in enumerate(found.elements):
        for k in range(element.start, element.end):
            numbers[k].append(str(number))
    times = found.times or [None] * len(found.words)
    rows = (
        "|".join((word, "0", *_clock(time), "", _case(word), "[]", str(of_word)))
        for word, time, of_word in zip(found.words, times, numbers, strict=True)
    )
    labels = {str(k): {"entity_type": one.label} for k, one in enumerate(found.elements)}
    lost = {
        MENTIONS: len(found.mentions or ()),
        ALTERNATIVES: len(found.alternatives),
        BREAKS: len(found.breaks),
    }
    return WrittenFiles(
        {
            ".nlp": "".join(f"{row}\n" for row in ("|".join(HEADER), *rows)),
            SIDECAR: json.dumps(labels, ensure_ascii=False, indent=1) + "\n",
        },
        count_notes(lost),
    )


def _check(document: Document) -> None:
    """Refuse what no ``.nlp`` can hold."""
    if not document.words:
        raise SerevalError(f"{document.id}: no word, expected at least one")
    for word in document.words:
        if "|" in word or word.split() != [word] or is_unreadable(word):
            raise SerevalError(
                f"{document.id}: word {quote(word)}, expected no | and no white space in it"
            )
    if document.times is not None:
        check_lengths(document.id, timed(document, "NLP"), document.words)
    if not are_whole([element.label for element in document.elements]):
        raise SerevalError(f"{document.id}: half of a surrogate pair in a label, expected none")


def _clock(time: Time | None) -> tuple[str, str]:
    return ("", "") if time is None else (seconds(time[0]), seconds(time[1]))


def _case(word: str) -> str:
    """The case of a word: lower, upper (also digits), upper first letter, or mixed."""
    if word == word.upper():
        return "CA"
    if word == word.lower():
        return "LC"
    return "UC" if word == word[0].upper() + word[1:].lower() else "MC"
