"""An evaluation as text: one module per output, each a function of one finished evaluation.

All of them read the same properties of the same values, so they show the same digits.
"""

from __future__ import annotations

from collections.abc import Callable

from ..totals import Score
from . import audit_tables, audit_text, audit_textgrid, csv, json, projection, text

RENDERERS: dict[str, Callable[[Score], str]] = {
    "text": text.render,
    "json": json.render,
    "csv": csv.render,
}
"""Reports by name; the choices of ``--format``."""

PROJECTIONS: dict[str, Callable[[projection.Projected], str]] = {
    "json": projection.native,
    "text": projection.render,
    "aref": projection.aref,
}
"""What a projected reference can be written as."""

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
