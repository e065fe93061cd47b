"""The tables of SLUE VoxPopuli: a recording on each line, with its text and its entities.

``normalized_ner`` has a list such as ``[['GPE', 17, 5]]``: label, first character and length.

Source: slue-toolkit, which prepares these tables.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from ..documents.model import Document
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .find import Head
from .offsets import AnnotatedText, documents_of, mark_of
from .utf16 import Utf16Text

TEXTS = {"normalized_ner": "normalized_text", "raw_ner": "raw_text"}
"""The columns of entities, each with the column of their text; the first one is read by default."""

_ITEM = re.compile(r"\[(?:'([^']*)'|\"([^\"]*)\"), ?([0-9]{1,9}), ?([0-9]{1,9})\]")
_LIST = re.compile(rf"\[(?:{_ITEM.pattern}(?:, ?{_ITEM.pattern})*)?\]")
_NONE = ("", "None")


def recognise(head: Head) -> str:
    columns = head.line.split("\t")
    is_slue = columns[0] == "id" and {*columns} & {"raw_ner", "normalized_ner"}
    return "slue" if is_slue else ""


def read_slue(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a table of SLUE VoxPopuli.

    The policies ``crossing`` and ``equal`` apply to entities.

    Args:
        source: the file. Its option ``columns`` may name the other column of entities, ``raw_ner``.

    Returns:
        A document for each line, with the line; its id is in the column ``id``.

    Raises:
        InputError: a header without the columns; another number of fields than in it; a list of
            entities in another form; an entity outside its text; entities that cross.

    >>> text = "id\\tnormalized_text\\tnormalized_ner\\na\\tin dol\\t[['GPE', 3, 3]]"
    >>> [(_, one)] = read_slue(Source("a.slue", text=text))
    >>> one.id, one.words, str(one.elements[0])
    ('a', ('in', 'dol'), 'GPE [1, 2)')
    """
    rows = list(_rows(source))
    if not rows:
        raise source.error("no line found below the header, expected some")
    return documents_of(source, rows)


def _rows(source: Source) -> Iterator[AnnotatedText]:
    lines = csv.reader((f"{text}\n" for _, text in source.lines()), delimiter="\t", strict=True)
    line = 1
    header: list[str] = []
    columns = [0, 0, 0]
    try:
        for row in lines:
            if not header:
                header, columns = row, _columns(source, row)
            elif row and len(row) != len(header):
                raise SerevalError(f"found {len(row)} fields, expected {len(header)}")
            elif row:
                yield _annotated(source, line, *(row[k] for k in columns))
            line = lines.line_num + 1
    except csv.Error as error:
        raise source.error(f"not a table with tabs: {error}", line) from None
    except SerevalError as error:
        raise source.located(error, line) from None


def _columns(source: Source, header: list[str]) -> list[int]:
    """The places of the id, the text and the entities."""
    requested = source.options.columns or tuple(TEXTS)[:1]
    if len(requested) > 1 or requested[0] not in TEXTS:
        raise SerevalError(f"columns {', '.join(requested)}, expected one of {', '.join(TEXTS)}")
    names = ("id", TEXTS[requested[0]], requested[0])
    missing = [name for name in names if header.count(name) != 1]
    if missing:
        raise SerevalError(
            f"no column {quote(missing[0])}, expected the columns {', '.join(names)}"
        )
    return [header.index(name) for name in names]


def _annotated(source: Source, line: int, id: str, text: str, entities: str) -> AnnotatedText:
    if not id:
        raise SerevalError("no id, expected that of the recording")
    if entities not in _NONE and not _LIST.fullmatch(entities):
        raise SerevalError(f"found {quote(entities)}, expected a list such as [['GPE', 17, 5]]")
    whole = Utf16Text(text)
    labels, marks = [], []
    for one, other, start, length in _ITEM.findall(entities):
        label = one or other
        if not label:
            raise SerevalError(f"found {quote(entities)}, expected a label for each entity")
        span = int(start), int(start) + int(length)
        labels.append(label)
        marks.append(mark_of(whole, span, None, label, Place(label, f"{source.path}:{line}", line)))
    notes = tuple(
        Note(f"entities of column {name}", len(marks), f"columns={name}")
        for name in source.options.columns
        if marks
    )
    return AnnotatedText(id, whole, tuple(labels), tuple(marks), notes, line)
