"""Entities without places: JSON lines, each with the labels and texts of a document."""

from __future__ import annotations

from typing import Any

from ..documents.model import Document, Mention
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .find import Head
from .records import Record, each_line, whole


def recognise(head: Head) -> str:
    return "mentions" if head.has("id mentions") else ""


def read_mentions(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of mentions, without words.

    Args:
        source: the file.

    Returns:
        A document for each line, with the line.

    Raises:
        InputError: a line that is not JSON; an unknown key; a mention that is no label and text.

    >>> text = '{"id": "d", "mentions": [["loc", "Dol"]]}'
    >>> [(line, show)] = read_mentions(Source("a.mentions.jsonl", text=text))
    >>> show.id, show.words, show.mentions
    ('d', (), (Mention(label='loc', text='Dol'),))
    """

    def document(record: Record, _: int) -> Document:
        record.where = f"document {quote(record.string('id'))}"
        record.only(("id", "mentions"))
        return Document(record.string("id"), (), source=source.path, mentions=mentions(record))

    return each_line(source, document)


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
