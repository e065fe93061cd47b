"""The kinds of values in the JSON of reports, as JSON schemas; ``schemas`` is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from .columns import Column

Schema: TypeAlias = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}


def or_null(schema: Schema) -> Schema:
    """A value that may be undefined."""
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return {**schema, "type": [kinds, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def rows(items: Schema, length: int | None = None) -> Schema:
    """A list of such values, of this length if one is given."""
    ends = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": items, **ends}


def table(values: Schema) -> Schema:
    """An object with any keys."""
    return {"type": "object", "additionalProperties": values}


def record(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": sorted(required),
        "additionalProperties": False,
    }


def either(*schemas: Schema) -> Schema:
    """A value of one of these kinds."""
    return {"anyOf": list(schemas)}


RATE = or_null(NUMBER)
ENDS = rows(RATE, 2)
SPAN = or_null(rows(WHOLE, 2))
NOTES = table(table(WHOLE))
SENTENCES = rows(TEXT)


def of_columns(columns: Iterable[Column[Any, Any]], row: Any, setting: Any) -> dict[str, Schema]:
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
                place = place.setdefault(group, record({}))["properties"]
            place[name] = _type_of(column.value(row, setting))
    for group in found.values():
        if "properties" in group:
            group["required"] = sorted(group["properties"])
    return found


def _type_of(value: object) -> Schema:
    if isinstance(value, tuple):
        return ENDS
    return WHOLE if isinstance(value, int) else RATE if value is None else NUMBER
