"""Template files as JSON lines, one document on each line.

``{"id": "024", "templates": [{"id": "ORG-1", "type": "ORG", "slots": {"NAME": ["STAR TV"]}}]}``.
A fill is a string, ``{"pointer": "ORG-1"}``, or ``{"any": […]}`` for alternatives. An optional slot
is ``{"optional": true, "fills": […]}``; an optional template has ``"optional": true``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import SerevalError
from ..formats.file import File, quote
from ..formats.records import Record, each_line, show
from .model import MOST_FILLS, Fill, Template, TemplateDocument, TemplateSlot, Value

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def parse(source: File) -> Iterator[tuple[int, TemplateDocument]]:
    """The documents of a file, each with its line.

    Raises:
        InputError: a line is not a document, with the line.

    >>> list(parse(File("k", text='{"id": "024", "templates": []}')))
    [(1, TemplateDocument(id='024', templates=()))]
    """
    for line, record in each_line(source):
        with source.at(line):
            yield line, _document(record, line)


def _document(record: Record, line: int) -> TemplateDocument:
    record.only(("id", "templates"))
    templates = [_template(Record(*each), line) for each in record.items("templates")]
    return TemplateDocument(_text(record, "id"), tuple(templates))


def _template(record: Record, line: int) -> Template:
    record.only(("id", "type", "slots", "optional"))
    slots = Record(record.get("slots"), record.name("slots"))
    return Template(
        _text(record, "id"),
        _name(record.string("type"), record.name("type")),
        tuple(_slot(slots, name) for name in slots.values),
        optional=_is_optional(record),
        line=line,
    )


def _slot(slots: Record, name: str) -> TemplateSlot:
    """A slot: a list of fills, or an object that can also say that the slot is optional."""
    _name(name, slots.where)
    if not isinstance(slots.values[name], dict):
        return TemplateSlot(name, _fills(slots, name, "fills"))
    record = Record(slots.values[name], slots.name(name))
    record.only(("fills", "optional"))
    return TemplateSlot(name, _fills(record, "fills", "fills"), _is_optional(record))


def _fills(record: Record, key: str, what: str) -> tuple[Fill, ...]:
    return tuple(_fill(*each) for each in _some(record, key, what))


def _fill(value: Any, where: str) -> Fill:
    if isinstance(value, dict) and "any" in value:
        record = Record(value, where)
        record.only(("any",))
        return Fill(tuple(_value(*each) for each in _some(record, "any", "alternatives")))
    return Fill((_value(value, where),))


def _value(value: Any, where: str) -> Value:
    """A string, or a pointer, which is an object."""
    is_pointer = isinstance(value, dict)
    record = Record(value if is_pointer else {"pointer": value}, where)
    record.only(("pointer",))
    return Value(_text(record, "pointer"), pointer=is_pointer, quoted=not is_pointer)


def _some(record: Record, key: str, what: str) -> list[tuple[Any, str]]:
    """The items of a list, with their names for messages; the list has 1 to ``MOST_FILLS``."""
    items = list(record.items(key))
    if not 0 < len(items) <= MOST_FILLS:
        raise SerevalError(
            f"{record.name(key)}: found {len(items)} {what}, expected 1 to {MOST_FILLS}"
        )
    return items


def _text(record: Record, key: str) -> str:
    text = record.string(key)
    if not text.strip():
        raise SerevalError(f"{record.name(key)}: found {quote(text)}, expected a word")
    return text


def _name(text: str, where: str) -> str:
    """The name of a type or a slot. Options separate such names with commas and dots."""
    if not NAME.fullmatch(text):
        raise SerevalError(
            f"{where}: found {quote(text)}, expected a name of letters, digits, _ and -"
        )
    return text


def _is_optional(record: Record) -> bool:
    value = record.values.get("optional", False)
    if not isinstance(value, bool):
        raise SerevalError(
            f"{record.name('optional')}: found {show(value)}, expected true or false"
        )
    return value
