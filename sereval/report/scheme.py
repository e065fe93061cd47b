"""The score of another scheme: as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..errors import one_line
from ..measures.figures import Figure
from ..schemes.result import Row, SchemeScore
from .conlleval import render
from .csv import line
from .json import dumps
from .text import percent

COUNTS = ("cor", "inc", "par", "mis", "spu")


def text(score: SchemeScore) -> str:
    """One table for each figure: in all, by label, by document; rates in percent.

    A score that counts tokens is printed as conlleval prints it.
    """
    if score.tokens:
        return "\n".join([render(score), *score.notes, str(score.signature), ""])
    tables = [_cells(name, score) for name in score.total or ("nothing to count",)]
    full = [row for table in tables for row in table if len(row) > 1]
    wide = [max(map(len, column)) for column in zip(*full, strict=True)]
    lines = []
    for table in tables:
        for label, *numbers in table:  # of a heading, no numbers
            columns = [label.ljust(wide[0]), *map(str.rjust, numbers, wide[1:])]
            lines.append("  ".join(columns).rstrip())
        lines.append("")
    legend = "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."
    return "\n".join([*lines, legend, *map(one_line, score.notes), "", str(score.signature), ""])


def _cells(name: str, score: SchemeScore) -> list[tuple[str, ...]]:
    groups = [
        ("", {"all": score.total}),
        ("by label", score.labels),
        ("by document", score.totals),
    ]
    cells: list[tuple[str, ...]] = [
        (name, *map(str.upper, COUNTS), "POS", "ACT", "P", "R", "F"),
    ]
    for heading, rows in groups:
        cells += [("",), (heading,)] if heading and rows else []
        cells += [(one_line(of), *_numbers(row.get(name, Figure()))) for of, row in rows.items()]
    return cells


def _numbers(figure: Figure) -> list[str]:
    counts = [getattr(figure, count) for count in COUNTS]
    rates = (figure.precision, figure.recall, figure.f())
    return [*map(str, (*counts, figure.possible, figure.actual)), *map(percent, rates)]


def as_json(score: SchemeScore) -> str:
    """Counts and rates of every figure: in all, by label, by document."""
    totals = score.totals
    report = {
        "format": 1,
        "scheme": score.scheme,
        "signature": str(score.signature),
        "notes": score.notes,
        "figures": _row(score.total),
        **({"accuracy": score.accuracy} if score.tokens else {}),
        "labels": {label: _row(row) for label, row in score.labels.items()},
        "documents": [
            {
                "id": id,
                "figures": _row(totals[id]),
                "labels": {label: _row(row) for label, row in rows.items()},
            }
            for id, rows in score.documents.items()
        ],
    }
    return dumps(report)


def _row(row: Row) -> dict[str, Any]:
    return {name: as_row(figure) for name, figure in row.items()}


@lru_cache(maxsize=1 << 12)  # small numbers come again and again
def as_row(figure: Figure) -> dict[str, Any]:
    """Counts and rates of one figure."""
    return {
        **{count.upper(): getattr(figure, count) for count in COUNTS},
        "POS": figure.possible,
        "ACT": figure.actual,
        "precision": figure.precision,
        "recall": figure.recall,
        "f1": figure.f(),
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
