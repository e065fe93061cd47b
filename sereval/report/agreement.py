"""Agreement between two annotators, for people and for programs."""

from __future__ import annotations

from typing import Any

from ..analysis.agreement import Agreement, Annotations, agreement, by_label
from ..errors import one_line
from ..evaluation.signature import Signature
from .json import dumps, notes
from .text import lost, read, rounded

COLUMNS = ("A", "B", "correct", "substituted", "void", "S", "pi", "kappa", "F")


def text(evaluation: Annotations, *, places: int, is_open: bool) -> str:
    """Over all labels, then each alone; coefficients from -1 to 1."""
    rows = {"all": agreement(evaluation, places=places, is_open=is_open)}
    rows |= by_label(evaluation, places=places, is_open=is_open)
    cells = [("", *COLUMNS), *((one_line(name), *_cells(row)) for name, row in rows.items())]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join([name.ljust(wide[0]), *map(str.rjust, numbers, wide[1:])]).rstrip()
        for name, *numbers in cells
    )
    signature = str(_signature(evaluation, places, is_open=is_open))
    return "\n".join([*lines, "", f"{lost(evaluation)}.", *read(evaluation), signature, ""])


def as_json(evaluation: Annotations, *, places: int, is_open: bool) -> str:
    """The same as JSON; undefined coefficients are ``null``."""
    rows = by_label(evaluation, places=places, is_open=is_open)
    report = {
        "format": 1,
        "signature": str(_signature(evaluation, places, is_open=is_open)),
        **_figures(agreement(evaluation, places=places, is_open=is_open)),
        "unplaceable": evaluation.counts.unplaceable,
        "labels": {label: _figures(row) for label, row in rows.items()},
        **notes(evaluation),
    }
    return dumps(report)


FORMATS = {"text": text, "json": as_json}
"""What ``--format`` offers."""


def _signature(evaluation: Annotations, places: int, *, is_open: bool) -> Signature:
    kind = "open" if is_open else "closed"
    own = [("agreement", None), ("places", str(places)), ("substitutions", kind)]
    return Signature([*own, *evaluation.signature])


def _figures(row: Agreement) -> dict[str, Any]:
    return {
        "counts": {
            "A": row.a,
            "B": row.b,
            "correct": row.correct,
            "substituted": row.substituted,
            "void_void": row.void_void,
        },
        "S": row.s,
        "pi": row.pi,
        "kappa": row.kappa,
        "F": row.f,
    }


def _cells(row: Agreement) -> list[str]:
    counts = (row.a, row.b, row.correct, row.substituted, row.void_void)
    rates = (row.s, row.pi, row.kappa, row.f)
    return [*map(str, counts), *(rounded(rate, 3, (-1.0, 0.0, 1.0)) for rate in rates)]
