"""The formats of an audit. They have a module of their own because they are slow to import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from . import audit_tables, audit_text, audit_textgrid

AUDITS: dict[str, Callable[..., Iterator[str]]] = {
    "text": audit_text.render,
    "jsonl": audit_tables.jsonl,
    "csv": audit_tables.csv,
}
"""The formats of one text, by name: functions of the audits, the score and the filter, which return
the text in pieces."""

AUDIT_FILES: dict[str, Callable[..., Iterable[tuple[str, str]]]] = {
    "textgrid": audit_textgrid.render,
}
"""The formats of several files, by name; the functions return the name and text of each file."""
