"""The reports: finished scores and analyses come in, the text of their files goes out.

Each module writes one kind of result in the formats that ``--format`` offers. All formats of a
result read the same values, so they show the same digits. ``page`` writes HTML.
"""

from __future__ import annotations

from collections.abc import Callable

from ..evaluation.totals import Score
from . import csv, json, text

RENDERERS: dict[str, Callable[[Score], str]] = {
    "text": text.render,
    "json": json.render,
    "csv": csv.render,
}
"""The reports of an evaluation, by the names that ``--format`` accepts."""
