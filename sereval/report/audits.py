"""The formats of an audit. They have a module of their own because they are slow to import."""

from __future__ import annotations

from collections.abc import Callable

from . import audit_tables, audit_text, audit_textgrid

AUDITS: dict[str, Callable[..., str]] = {
    "text": audit_text.render,
    "jsonl": audit_tables.jsonl,
    "csv": audit_tables.csv,
}
"""The formats of one text, by name: functions of the audits, the score and the filter."""

AUDIT_FILES: dict[str, Callable[..., dict[str, str]]] = {
    "textgrid": audit_textgrid.render,
}
"""The formats of several files, by name; the functions return the text of each file."""
