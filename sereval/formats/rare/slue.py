"""The tables of SLUE VoxPopuli: a recording on each line, with its text and its entities."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...documents.model import Document
from ...errors import SerevalError
from ..build import Notes, Span, document_of_annotations
from ..file import File, quote
from ..find import Head

TEXTS = {"normalized_ner": "normalized_text", "raw_ner": "raw_text"}
"""The columns of entities, each with the column of their text; the first one is read by default."""

_ITEM = re.compile(r"\[(?:'([^']*)'|\"([^\"]*)\"), ?([0-9]{1,9}), ?([0-9]{1,9})\]")
_LIST = re.compile(rf"\[(?:{_ITEM.pattern}(?:, ?{_ITEM.pattern})*)?\]")


def recognise(head: Head) -> str:
    columns = head.line.split("\t")
    return "slue" if columns[0] == "id" and not TEXTS.keys().isdisjoint(columns) else ""


def read_slue(file: File) -> Iterator[tuple[int, Document]]:
    """
    ```slue
    id\tnormalized_text\tnormalized_ner
    20131007-PLENARY-19_2\tin july twenty twelve\t[['DATE', 3, 18]]
    20131007-PLENARY-19_3\tthank you\tNone
    ```

    The tables of SLUE VoxPopuli. The first line names the columns, tabs separate them, and quotes
    are as in CSV. Each line is a document with its `id`. `normalized_ner` has the entities of
    `normalized_text`: label, first character and length. `--columns raw_ner` reads those of
    `raw_text` instead. Other columns are ignored. Entities cut words. SLUE's own preparation
    removes punctuation and merges labels; here `--map` does the latter.
    """
    name, *others = file.options.columns or [*TEXTS][:1]
    if others or name not in TEXTS:
        found = ", ".join(file.options.columns)
        raise file.error(f"columns {found}, expected one of {', '.join(TEXTS)}", 1)
    names, is_empty = ("id", TEXTS[name], name), True
    with file.at() as here:
        for here.line, row in file.table(*names, delimiter="\t"):
            is_empty = False
            yield here.line, _document(file, here.line, *(row[column] for column in names))
        here.line = None
        if is_empty:
            raise SerevalError("no line found below the header, expected some")


def _document(file: File, line: int, id: str, text: str, entities: str) -> Document:
    if not id:
        raise SerevalError("no id, expected that of the recording")
    if entities not in ("", "None") and not _LIST.fullmatch(entities):
        raise SerevalError(f"found {quote(entities)}, expected a list such as [['GPE', 17, 5]]")
    spans = [
        Span(one or other, int(start), int(start) + int(length), line)
        for one, other, start, length in _ITEM.findall(entities)
    ]
    if not all(span.label for span in spans):
        raise SerevalError(f"found {quote(entities)}, expected a label for each entity")
    notes = Notes()
    for name in file.options.columns:
        notes.add(f"entities of column {name}", len(spans), f"columns={name}")
    return document_of_annotations(file, id, text, spans, notes)
