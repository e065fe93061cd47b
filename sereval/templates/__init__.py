"""Information extraction templates of MUC-6: read, align, score.

Source: Kehler, Bear and Appelt, *The Need for Accurate Alignment in Natural Language System
Evaluation*, Computational Linguistics 27(2), 2001. ``docs/templates.md`` has the rules.
"""

from __future__ import annotations

from .align import ALGORITHMS, CRITERIA, TABLE_1, align
from .entropy import SlotValues, slot_values
from .model import Fill, Slot, SlotNames, Template, TemplateDocument, Value
from .reader import read_templates
from .score import MISSING, UNSCORED, TemplateScore, TemplateSettings, score_templates

__all__ = [
    "ALGORITHMS",
    "CRITERIA",
    "MISSING",
    "TABLE_1",
    "UNSCORED",
    "Fill",
    "Slot",
    "SlotNames",
    "SlotValues",
    "Template",
    "TemplateDocument",
    "TemplateScore",
    "TemplateSettings",
    "Value",
    "align",
    "read_templates",
    "score_templates",
    "slot_values",
]
