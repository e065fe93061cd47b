"""The parts of which the JSON schemas of the reports consist.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from .columns import Column

Schema: TypeAlias = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}


def or_null(schema: Schema) -> Schema:
    """A value that may be undefined.

    Args:
        schema: the value if it is defined.
    """
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return {**schema, "type": [kinds, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(items: Schema, length: int | None = None) -> Schema:
    """A list.

    Args:
        items: each of its values.
        length: the number of them; ``None``: any.

    >>> list_of(WHOLE)
    {'type': 'array', 'items': {'type': 'integer'}}
    """
    ends = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": items, **ends}


def table_of(values: Schema) -> Schema:
    """An object with any keys.

    Args:
        values: each of its values.
    """
    return {"type": "object", "additionalProperties": values}


def members(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these keys and no others.

    Args:
        required: the keys that it always has.
        optional: the keys that it may have.
    """
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": sorted(required),
        "additionalProperties": False,
    }


def either(*schemas: Schema) -> Schema:
    """A value that one of these schemas describes, or several.

    Args:
        schemas: the schemas.
    """
    return {"anyOf": list(schemas)}


RATE = or_null(NUMBER)
ENDS = list_of(RATE, 2)
SPAN = or_null(list_of(WHOLE, 2))
NOTES = table_of(table_of(WHOLE))
SENTENCES = list_of(TEXT)


def columns_of(columns: Iterable[Column[Any, Any]], row: Any, setting: Any) -> dict[str, Schema]:
    """The members that columns make in the JSON of a row.

    Args:
        columns: the columns.
        row: a row in which nothing is counted: rates are undefined.
        setting: what all rows share.
    """
    found: dict[str, Any] = {}
    for column in columns:
        if column.json:
            *groups, name = column.json
            place = found
            for group in groups:
                place = place.setdefault(group, members({}))["properties"]
            place[name] = _type_of(column.value(row, setting))
    for group in found.values():
        if "properties" in group:
            group["required"] = sorted(group["properties"])
    return found


def _type_of(value: object) -> Schema:
    if isinstance(value, tuple):
        return ENDS
    return WHOLE if isinstance(value, int) else RATE if value is None else NUMBER


_INPUT = members({"name": TEXT, "files": table_of(TEXT)}, {"documents": WHOLE, "elements": WHOLE})
_PROVENANCE = members(
    {"command": TEXT, "options": SENTENCES, "inputs": table_of(list_of(_INPUT))},
    {"settings": members({"file": TEXT, "options": SENTENCES})},
)


def report_of(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, format: int = 1
) -> Schema:
    """A report: it has the number of its format, and as output of a command its provenance.

    Args:
        required, optional: its other members.
        format: the number of its format.
    """
    return members(
        {"format": {"const": format}, **required}, {**(optional or {}), "provenance": _PROVENANCE}
    )
