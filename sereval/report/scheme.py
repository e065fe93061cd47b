"""The score of another scheme as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ..measures.figures import Figure
from ..measures.lists import ErrorFigure, ListFigure, OrderedFigure
from ..schemes.result import Row as Figures
from ..schemes.result import SchemeScore
from .columns import Column, heads, of, texts, values
from .conlleval import render
from .csv import tidy
from .json import dumps
from .numbers import percent, rounded
from .table import Row, group_rows, lines
from .text import reading_notes


def hundredths(value: Fraction) -> str:
    """A number with two decimals.

    >>> hundredths(Fraction(3, 2))
    '1.50'
    """
    return rounded(value, 2, ())


def _ends(ends: tuple[float | None, float | None]) -> str:
    """Both ends of a range, in percent with two decimals, because ranges are narrow."""
    return f"{percent(ends[0], 2)} to {percent(ends[1], 2)}"


OUTCOMES: tuple[Column[Figure, float], ...] = tuple(
    Column(name.upper(), of(name), json=(name.upper(),))
    for name in ("cor", "inc", "par", "mis", "spu")
)
"""The counts of the other schemes."""

FIGURES = (
    *OUTCOMES,
    Column("POS", of("possible"), json=("POS",)),
    Column("ACT", of("actual"), json=("ACT",)),
    Column("P", of("precision"), percent, ("precision",)),
    Column("R", of("recall"), percent, ("recall",)),
    Column("F", Figure.f, percent, ("f1",)),
)
"""The counts and rates of the other schemes. All rows share the weight of recall in F."""

LISTS: tuple[Column[Any, float], ...] = (
    Column("TP", of("cor"), json=("TP",)),
    Column("FP", of("false_positives"), hundredths, ("FP",)),
    Column("FN", of("false_negatives"), hundredths, ("FN",)),
    *FIGURES[-3:-1],
    Column("F", lambda figure, beta: figure.f(beta), percent, ("f1",)),
)
"""The counts and rates of figures that add distances to the errors."""

ORDERED = (*LISTS, Column("in all orders", of("range"), _ends, ("f1_range",)))
"""The same, with the range of F over all orders of the hypothesis's lists."""

ERRORS: tuple[Column[Any, float], ...] = (
    *(one for one in OUTCOMES if one.name != "PAR"),
    Column("distance", of("distance"), hundredths, ("distance",)),
    Column("errors", of("errors"), hundredths, ("errors",)),
    Column("Ref", of("possible"), json=("Ref",)),
    Column("rate", of("error_rate"), percent, ("error_rate",)),
)
"""The counts of error rates."""

CLASSES = "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."

COLUMNS: dict[type[Figure], tuple[tuple[Column[Any, float], ...], int, str]] = {
    Figure: (FIGURES, len(OUTCOMES), CLASSES),
    ListFigure: (
        LISTS,
        3,
        "TP pairs; FP and FN entities without a partner, and distances of pairs.",
    ),
    OrderedFigure: (
        ORDERED,
        3,
        "TP pairs; FP and FN entities without a partner, and distances of pairs. The range: F over "
        "all orders of the hypothesis's lists.",
    ),
    ErrorFigure: (
        ERRORS,
        6,
        "COR pairs, INC one entity of each side without a partner, MIS missing, SPU spurious; "
        "errors: INC + MIS + SPU + distance of pairs.",
    ),
}
"""For each kind of figure, its columns, how many of them are counts, and their legend."""

EQUAL = 1.0
"""The weight of recall in F if recall counts as much as precision."""


def text(score: SchemeScore) -> str:
    """A table for each figure: totals, labels, documents; then notes and the signature.

    Rates are percentages. A score that counts tokens has the layout of conlleval instead.
    """
    if score.tokens:
        return "\n".join([render(score), *score.notes, str(score.signature), ""])
    rows: list[Row] = []
    legends = []
    for name, figure in (score.total or {"nothing to count": Figure()}).items():
        rows += [*_rows(name, score, type(figure)), ()]
        legends.append(COLUMNS[type(figure)][2])
    legends = list(dict.fromkeys(legends))
    return "\n".join([*lines(rows), *legends, *reading_notes(score), "", str(score.signature), ""])


def _rows(name: str, score: SchemeScore, kind: type[Figure]) -> list[Row]:
    columns = COLUMNS[kind][0]
    groups = {"": {"all": score.total}, "by label": score.labels, "by document": score.totals}
    return group_rows(
        (name, *heads(columns)),
        {heading: group for heading, group in groups.items() if group},
        lambda row: texts(columns, row.get(name, kind()), EQUAL),
    )


def as_json(score: SchemeScore) -> str:
    """The counts and rates of every figure as JSON: totals, labels, documents."""
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


def _row(row: Figures) -> dict[str, Any]:
    return {name: as_row(figure) for name, figure in row.items()}


@lru_cache(maxsize=1 << 12)  # figures with small counts occur often
def as_row(figure: Figure) -> dict[str, Any]:
    """The counts and rates of one figure, by their JSON keys."""
    return values(COLUMNS[type(figure)][0], figure, EQUAL)


def as_csv(score: SchemeScore) -> str:
    """Tidy CSV: a row for each document, label, figure and class."""
    rows: list[tuple[object, ...]] = []
    for id, labels in score.documents.items():
        for label, row in labels.items():
            for name, figure in row.items():
                columns, counts, _ = COLUMNS[type(figure)]
                rows += [
                    (id, label, name, one.name, one.number(figure, EQUAL))
                    for one in columns[:counts]
                ]
    return tidy(("document", "label", "figure", "class", "count"), rows)


FORMATS: dict[str, Callable[[SchemeScore], str]] = {"text": text, "json": as_json, "csv": as_csv}
