"""Entities without places: JSON lines, each with the labels and texts of a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..documents.model import Document, Mention
from ..errors import SerevalError
from .file import File, quote
from .find import Head
from .records import Record, load, whole


def recognise(head: Head) -> str:
    return "mentions" if head.has("id mentions") else ""


def read_mentions(file: File) -> Iterator[tuple[int | None, Document]]:
    """
    ```mentions
    {"id": "show1", "mentions": [["pers", "Ada Byron"], {"label": "loc", "text": "Paris"}]}
    ```

    JSON lines, each with the `id` and the `mentions` of a document: labels and texts without
    places.
    """
    with file.at() as here:
        for here.line, text in file.lines():
            if text.strip(" \t\r"):
                record = Record(load(text), "document")
                id = record.string("id")
                record.where = f"document {quote(id)}"
                record.only(("id", "mentions"))
                yield here.line, Document(id, (), source=file.path, mentions=mentions(record))


def mentions(record: Record) -> tuple[Mention, ...]:
    """The mentions of a document: pairs, or objects with ``label`` and ``text``."""
    return tuple(_mention(item, where) for item, where in record.items("mentions"))


def _mention(item: Any, where: str) -> Mention:
    if isinstance(item, list):
        if len(item) != 2 or not all(isinstance(part, str) for part in item):
            raise SerevalError(f"{where}: expected two texts, the label and the words")
        item = dict(zip(("label", "text"), item, strict=True))
    record = Record(item, where)
    record.only(("label", "text"))
    return Mention(whole(record.word("label"), f"{where}: "), record.word("text"))
