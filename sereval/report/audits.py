"""What an audit can be written as; apart from the other reports, which do not wait for these."""

from __future__ import annotations

from collections.abc import Callable

from . import audit_tables, audit_text, audit_textgrid

AUDITS: dict[str, Callable[..., str]] = {
    "text": audit_text.render,
    "jsonl": audit_tables.jsonl,
    "csv": audit_tables.csv,
}
"""What the rows of an audit can be written as: functions of audits, evaluation and filter."""

AUDIT_FILES: dict[str, Callable[..., dict[str, str]]] = {
    "textgrid": audit_textgrid.render,
}
"""The same for what makes several files: their texts by name."""
