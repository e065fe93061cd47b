"""An evaluation as text: one module per output, each a function of one finished evaluation.

All of them read the same properties of the same values, so they show the same digits.
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
"""Reports by name; the choices of ``--format``."""
