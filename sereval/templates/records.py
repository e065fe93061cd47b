"""Template files as JSON lines: a document a line.

``{"id": "024", "templates": [{"id": "ORG-1", "type": "ORG", "slots": {"NAME": ["STAR TV"]}}]}``.
A fill is a string, ``{"pointer": "ORG-1"}``, or ``{"any": […]}`` for alternatives; an optional slot
is ``{"optional": true, "fills": […]}``, an optional template has ``"optional": true``.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..documents.checks import limited_depth
from ..errors import SerevalError
from ..formats.records import once
from ..formats.source import SURROGATE, Source, quote
from .model import MOST_FILLS, Fill, Slot, Template, TemplateDocument, Value

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def parse(source: Source) -> list[tuple[int, TemplateDocument]]:
    """The documents of a file, each with its line.

    >>> parse(Source("k", "k", '{"id": "024", "templates": []}'))
    [(1, TemplateDocument(id='024', templates=()))]
    """
    found: list[tuple[int, TemplateDocument]] = []
    known: set[str] = set()
    for line, text in source.lines():
        if not text.strip():
            continue
        try:
            document = _document(_load(text), line)
            if document.id in known:
                raise SerevalError(f"document {quote(document.id)} stands twice, expected it once")
        except SerevalError as error:
            raise source.error(str(error), line) from None
        known.add(document.id)
        found.append((line, document))
    return found


def _load(text: str) -> Any:
    too_deep = SerevalError("brackets nested too deeply, expected a document")
    try:  # no number has a place, so that none needs to be read
        with limited_depth(too_deep):
            return json.loads(text, object_pairs_hook=once, parse_int=_Number, parse_float=_Number)
    except json.JSONDecodeError as error:
        raise SerevalError(
            f"not JSON: {error.msg} at column {error.colno}, expected a document on each line"
        ) from None


class _Number:
    """A number, where none is expected."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _document(value: Any, line: int) -> TemplateDocument:
    record = _object(value, "the line", required=("id", "templates"))
    templates = _list(record["templates"], '"templates"')
    return TemplateDocument(
        _text(record["id"], '"id"'),
        tuple(_template(each, line, f"templates[{k}]") for k, each in enumerate(templates)),
    )


def _template(value: Any, line: int, where: str) -> Template:
    record = _object(value, where, required=("id", "type", "slots"), others=("optional",))
    slots = record["slots"]
    if not isinstance(slots, dict):
        raise _unexpected(slots, f"{where}.slots", "an object")
    return Template(
        _text(record["id"], f"{where}.id"),
        _name(record["type"], f"{where}.type"),
        tuple(_slot(name, fills, f"{where}.slots") for name, fills in slots.items()),
        optional=_flag(record, where),
        line=line,
    )


def _slot(name: str, value: Any, where: str) -> Slot:
    where = f"{where}.{_name(name, where)}"
    optional = False
    if isinstance(value, dict):
        record = _object(value, where, required=("fills",), others=("optional",))
        value, optional = record["fills"], _flag(record, where)
    fills = _list(value, where)
    if not 0 < len(fills) <= MOST_FILLS:
        raise SerevalError(f"{where}: found {len(fills)} fills, expected 1 to {MOST_FILLS}")
    return Slot(name, tuple(_fill(each, f"{where}[{k}]") for k, each in enumerate(fills)), optional)


def _fill(value: Any, where: str) -> Fill:
    if isinstance(value, dict) and "any" in value:
        several = _list(_object(value, where, required=("any",))["any"], where)
        if not 0 < len(several) <= MOST_FILLS:
            raise SerevalError(
                f"{where}: found {len(several)} alternatives, expected 1 to {MOST_FILLS}"
            )
        return Fill(tuple(_value(each, where) for each in several))
    return Fill((_value(value, where),))


def _value(value: Any, where: str) -> Value:
    if isinstance(value, dict):
        record = _object(value, where, required=("pointer",))
        return Value(_text(record["pointer"], where), pointer=True)
    return Value(_text(value, where), quoted=True)


def _object(
    value: Any, where: str, *, required: tuple[str, ...], others: tuple[str, ...] = ()
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _unexpected(value, where, "an object")
    for key in value:
        if key not in (*required, *others):
            raise SerevalError(
                f"{where}: unknown key {quote(key)}, expected {', '.join((*required, *others))}"
            )
    for key in required:
        if key not in value:
            raise SerevalError(f'{where}: no "{key}"')
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _unexpected(value, where, "a list")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or SURROGATE.search(value):
        raise _unexpected(value, where, "a string that is not empty")
    return value


def _name(value: Any, where: str) -> str:
    """A type or a slot; options list them with commas and dots."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise _unexpected(value, where, "a name of letters, digits, _ and -")
    return value


def _flag(record: dict[str, Any], where: str) -> bool:
    value = record.get("optional", False)
    if not isinstance(value, bool):
        raise _unexpected(value, f"{where}.optional", "true or false")
    return value


def _unexpected(value: Any, where: str, expected: str) -> SerevalError:
    return SerevalError(f"{where}: found {quote(repr(value))}, expected {expected}")
