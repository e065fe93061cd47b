"""The score of another scheme: as text, JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..errors import one_line
from ..figures import Figure
from ..scheme import Row, SchemeScore
from .csv import line
from .text import percent

COUNTS = ("cor", "inc", "par", "mis", "spu")


def text(score: SchemeScore) -> str:
    """One table for each figure: over all labels, then by label; rates in percent."""
    tables = [_cells(name, score) for name in score.total or ("nothing to count",)]
    wide = [
        max(map(len, column)) for column in zip(*(row for t in tables for row in t), strict=True)
    ]
    lines = []
    for table in tables:
        for label, *numbers in table:
            columns = [label.ljust(wide[0]), *map(str.rjust, numbers, wide[1:])]
            lines.append("  ".join(columns))
        lines.append("")
    legend = "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."
    return "\n".join([*lines, legend, *map(one_line, score.notes), "", score.signature, ""])


def _cells(name: str, score: SchemeScore) -> list[tuple[str, ...]]:
    rows = {"all": score.total, **score.labels}
    cells = [(name, *map(str.upper, COUNTS), "POS", "ACT", "P", "R", "F")]
    for label, row in rows.items():
        figure = row.get(name, Figure())
        counts = [getattr(figure, count) for count in COUNTS]
        rates = (figure.precision, figure.recall, figure.f())
        numbers = [*map(str, (*counts, figure.possible, figure.actual)), *map(percent, rates)]
        cells.append((one_line(label), *numbers))
    return cells


def as_json(score: SchemeScore) -> str:
    """Counts and rates of every figure: in all, by label, by document."""
    report = {
        "format": 1,
        "scheme": score.scheme,
        "signature": score.signature,
        "notes": score.notes,
        "figures": _row(score.total),
        **({"accuracy": score.accuracy} if score.tokens else {}),
        "labels": {label: _row(row) for label, row in score.labels.items()},
        "documents": [
            {"id": id, "labels": {label: _row(row) for label, row in rows.items()}}
            for id, rows in score.documents.items()
        ],
    }
    return json.dumps(report, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _row(row: Row) -> dict[str, Any]:
    return {
        name: {
            **{count.upper(): getattr(figure, count) for count in COUNTS},
            "POS": figure.possible,
            "ACT": figure.actual,
            "precision": figure.precision,
            "recall": figure.recall,
            "f1": figure.f(),
        }
        for name, figure in row.items()
    }


def as_csv(score: SchemeScore) -> str:
    """Tidy: one row for each document, label, figure and count."""
    rows = [line(("document", "label", "figure", "class", "count"))]
    for id, labels in score.documents.items():
        for label, row in labels.items():
            for name, figure in row.items():
                rows += [line((id, label, name, c.upper(), getattr(figure, c))) for c in COUNTS]
    return "".join(rows)


FORMATS: dict[str, Callable[[SchemeScore], str]] = {"text": text, "json": as_json, "csv": as_csv}
"""What ``--format`` offers."""
