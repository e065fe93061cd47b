"""CSV and JSON of the Montreal Forced Aligner: the words of an alignment with their times."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from ..documents.model import Document
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .find import Head
from .records import Record, show, time, value, whole, with_place
from .tiers import SILENCE, tier_notes, word_tiers
from .times import Word, check_span, document_of_words, milliseconds

_COLUMNS = ["Begin", "End", "Label", "Type", "Speaker"]


def recognise(head: Head) -> str:
    return "mfa" if head.has("tiers") or head.line == ",".join(_COLUMNS) else ""


def read_mfa(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an alignment: JSON if the first character is a brace, else CSV.

    Args:
        source: the file; the document takes its id. ``source.options.tiers`` names the tiers (in
            CSV the types) of the words; none: ``word_tiers`` finds them by their names.

    Returns:
        One document, the words of all speakers in order of their starts.

    Raises:
        InputError: another header or number of columns; unknown keys; no such tier; times that are
            no times.

    >>> text = "Begin,End,Label,Type,Speaker\\n0.1,0.48,Dol,words,anna\\n0.1,0.2,d,phones,anna"
    >>> [(_, dol)] = read_mfa(Source("a.csv", text=text))
    >>> dol.words, dol.times
    (('Dol',), ((100, 480),))
    """
    is_json = source.text.lstrip().startswith("{")
    of_name = _read_json(source) if is_json else _read_csv(source)
    requested, tiers = source.options.tiers, list(of_name.values())
    chosen = word_tiers(list(of_name), requested)
    words = [word for k in chosen for word in tiers[k] if word[2] not in SILENCE]
    notes = tier_notes(requested, len(chosen), len(words))
    return [(None, document_of_words(source.id, words, source.path, notes))]


# --- CSV -----------------------------------------------------------------------------------------


def _read_csv(source: Source) -> dict[str, list[Word]]:
    """The words of each type."""
    rows = list(_rows(source))
    if not rows or rows[0][1] != _COLUMNS:
        found = quote(",".join(rows[0][1])) if rows else "nothing"
        raise source.error(f"found {found}, expected the header {','.join(_COLUMNS)}", 1)
    words: dict[str, list[Word]] = {}
    for line, row in rows[1:]:
        try:
            if len(row) != len(_COLUMNS):
                raise SerevalError(f"found {len(row)} columns, expected {','.join(_COLUMNS)}")
            words.setdefault(row[3], []).append(_word(row))
        except SerevalError as error:
            raise source.error(str(error), line) from None
    return words


def _word(row: list[str]) -> Word:
    start, end = (
        with_place(column, milliseconds, text)
        for column, text in zip(_COLUMNS[:2], row[:2], strict=True)
    )
    check_span(start, end)
    return start, end, row[2].strip()


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, with the first line of each."""
    lines = (line + "\n" for line in source.text.split("\n"))
    reader = csv.reader(lines, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise source.error(f"not CSV: {error}", line) from None


# --- JSON ----------------------------------------------------------------------------------------


def _read_json(source: Source) -> dict[str, list[Word]]:
    """The words of each tier."""
    record = Record(value(source), "alignment")
    record.only(("start", "end", "tiers"))
    record.span()
    tiers = Record(record.get("tiers"), record.name("tiers"))
    return {name: list(_entries(tiers, name)) for name in tiers.values}


def _entries(tiers: Record, name: str) -> Iterator[Word]:
    tier = Record(tiers.get(name), f"tier {quote(name)}")
    tier.only(("type", "entries"))
    if tier.string("type") != "interval":
        raise SerevalError(
            f"{tier.name('type')}: found {show(tier.get('type'))}, expected interval"
        )
    for item, where in tier.items("entries"):
        yield with_place(where, _entry, item)


def _entry(item: Any) -> Word:
    if not isinstance(item, list):
        raise SerevalError(f"found {show(item)}, expected a list")
    if len(item) != 3:
        raise SerevalError(f"found {len(item)} values, expected start, end and label")
    start, end = time(item[0]), time(item[1])
    check_span(start, end)
    if not isinstance(item[2], str):
        raise SerevalError(f"label {show(item[2])}, expected a string")
    return start, end, whole(item[2].strip()) if item[2].strip() else ""
