"""The score of another scheme as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ..measures.figures import Figure
from ..schemes.result import Row as Figures
from ..schemes.result import SchemeScore
from .columns import Column, heads, of, texts, values
from .conlleval import render
from .csv import tidy
from .json import dumps
from .numbers import percent
from .table import Row, group_rows, lines
from .text import reading_notes
from .views import ALL, View
from .words import words_lines, words_member

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

EQUAL = 1.0
"""The weight of recall in F if recall counts as much as precision."""


def text(score: SchemeScore, view: View = ALL, beside: Sequence[str] = ()) -> str:
    """A table for each figure: totals, labels, documents; then notes and the signature.

    Rates are percentages. A score that counts tokens has the layout of conlleval instead.

    Args:
        score: the score.
        view: the labels and documents to show; by default all. If it leaves some out, only the
            first figure has them.
        beside: lines about the score, to stand above the tables.
    """
    above = [*beside, ""] if beside else []
    if score.tokens:
        return "\n".join([*above, render(score), *score.notes, str(score.signature), ""])
    rows: list[Row] = []
    for k, name in enumerate(score.total or ("nothing to count",)):
        groups = _groups(name, score, view) if k == 0 or view.is_whole else {}
        rows += [*_rows(name, {"": {"all": score.total}, **groups}), ()]
    legend = "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."
    notes = [legend, *words_lines(score.word_errors), *reading_notes(score)]
    return "\n".join([*above, *lines(rows, width=view.width), *notes, "", str(score.signature), ""])


def _groups(name: str, score: SchemeScore, view: View) -> dict[str, Mapping[str, Figures]]:
    """The labels and documents to show; the errors of this figure are what they cost."""

    def cost(row: Figures) -> Fraction:
        figure = row.get(name, Figure())
        return Fraction(figure.mis + figure.spu + 2 * figure.inc + figure.par)

    return view.groups(score.labels, score.totals, cost)


def _rows(name: str, groups: Mapping[str, Mapping[str, Figures]]) -> list[Row]:
    return group_rows(
        (name, *heads(FIGURES)),
        {heading: group for heading, group in groups.items() if group},
        lambda row: texts(FIGURES, row.get(name, Figure()), EQUAL),
    )


def as_json(score: SchemeScore) -> str:
    """The counts and rates of every figure as JSON: totals, labels, documents."""
    totals = score.totals
    report = {
        "format": 1,
        "scheme": score.scheme,
        "signature": str(score.signature),
        "notes": score.notes,
        **words_member(score.word_errors),
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
    return values(FIGURES, figure, EQUAL)


def as_csv(score: SchemeScore) -> str:
    """Tidy CSV: a row for each document, label, figure and class."""
    rows: list[tuple[object, ...]] = []
    for id, labels in score.documents.items():
        for label, row in labels.items():
            for name, figure in row.items():
                place = id, label, name
                rows += [(*place, one.name, one.value(figure, EQUAL)) for one in OUTCOMES]
    return tidy(("document", "label", "figure", "class", "count"), rows)


FORMATS: dict[str, Callable[[SchemeScore], str]] = {"text": text, "json": as_json, "csv": as_csv}
