"""The score of another scheme as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from ..measures.figures import Figure
from ..measures.lists import ErrorFigure, ListFigure
from ..render.numbers import percent, rounded
from ..render.table import TextRow, group_rows, lines
from ..schemes.result import FigureRow as Figures
from ..schemes.result import SchemeScore
from ..schemes.table import SCHEMES
from .columns import (
    Column,
    heads,
    interval_line,
    interval_member,
    of,
    texts,
    values,
    words_counts,
    words_lines,
    words_member,
)
from .conlleval import render
from .csv import lines as csv_lines
from .json import pieces
from .text import reading_notes
from .views import ALL, TextView


def hundredths(value: Fraction) -> str:
    """A number with two decimals.

    >>> hundredths(Fraction(3, 2))
    '1.50'
    """
    return rounded(value, 2, ())


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

ERRORS: tuple[Column[Any, float], ...] = (
    *(one for one in OUTCOMES if one.name != "PAR"),
    Column("distance", of("distance"), hundredths, ("distance",)),
    Column("errors", of("errors"), hundredths, ("errors",)),
    Column("Ref", of("possible"), json=("Ref",)),
    Column("rate", of("error_rate"), percent, ("error_rate",)),
)
"""The counts of error rates."""

CLASSES = "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."

NEAR = "TP pairs; FP and FN entities without a partner, and distances of pairs."


class Layout(NamedTuple):
    """How figures of one kind are shown.

    Args:
        columns: the columns.
        counts: how many of them, from the left, are counts.
        legend: what they mean.
    """

    columns: tuple[Column[Any, float], ...]
    counts: int
    legend: str


COLUMNS: dict[type[Figure], Layout] = {
    Figure: Layout(FIGURES, len(OUTCOMES), CLASSES),
    ListFigure: Layout(LISTS, 3, NEAR),
    ErrorFigure: Layout(
        ERRORS,
        6,
        "COR pairs, INC one of each side without a partner, MIS missing, SPU spurious; errors: INC "
        "+ MIS + SPU + distances of pairs.",
    ),
}
"""The layout of each kind of figure."""

_KINDS: dict[str, type[Figure]] = {"slurp": ListFigure, "oi": ErrorFigure}
"""The kind of the figures of some schemes; all others have plain ones."""

EQUAL = 1.0
"""The weight of recall in F if recall counts as much as precision."""


def text(score: SchemeScore, view: TextView = ALL) -> str:
    """A table for each figure: totals, labels, documents; then notes and the signature.

    Rates are percentages. A score that counts tokens has the layout of conlleval instead.

    Args:
        score: the score.
        view: the labels and documents to show; by default all. If it leaves some out, only the
            first figure has them.
    """
    above = [f"{line}\n" for line in interval_line(score.interval)]
    if score.tokens:
        return "\n".join([*above, render(score), *score.notes, str(score.signature), ""])
    rows: list[TextRow] = []
    legends = []
    for k, (name, figure) in enumerate((score.total or {"nothing to count": Figure()}).items()):
        groups = _groups(name, score, view) if k == 0 or view.is_whole else {}
        rows += [*_rows(name, type(figure), {"": {"all": score.total}, **groups}), ()]
        legends.append(COLUMNS[type(figure)].legend)
    notes = [*dict.fromkeys(legends), *words_lines(score.word_errors), *reading_notes(score)]
    return "\n".join([*above, *lines(rows, width=view.width), *notes, "", str(score.signature), ""])


def _groups(name: str, score: SchemeScore, view: TextView) -> dict[str, Mapping[str, Figures]]:
    """The labels and documents to show; the errors of this figure are what they cost."""

    def cost(row: Figures) -> Fraction:
        return Fraction(row.get(name, Figure()).errors)

    return view.groups(score.labels, score.totals, cost)


def _rows(
    name: str, kind: type[Figure], groups: Mapping[str, Mapping[str, Figures]]
) -> list[TextRow]:
    columns = COLUMNS[kind].columns
    return group_rows(
        (name, *heads(columns)),
        {heading: group for heading, group in groups.items() if group},
        lambda row: texts(columns, row.get(name, kind()), EQUAL),
    )


def as_json(score: SchemeScore) -> Iterator[str]:
    """The counts and rates of every figure as JSON, in pieces: totals, labels, documents."""
    total = score.total
    kind = _KINDS.get(score.scheme, Figure)
    empty = {name: type(one)() for name, one in total.items()} or {
        name: kind() for name in SCHEMES[score.scheme].figures
    }
    report = {
        "format": 1,
        "scheme": score.scheme,
        "signature": str(score.signature),
        "notes": score.notes,
        **words_member(score.word_errors),
        **interval_member(score.interval),
        "figures": _row(empty | total),
        **({"accuracy": score.accuracy} if score.tokens else {}),
        "labels": {label: _row(row) for label, row in score.labels.items()},
        "documents": (
            {
                "id": id,
                "figures": _row(empty | score.total_of(id)),
                "labels": {label: _row(row) for label, row in rows.items()},
            }
            for id, rows in score.documents.items()
        ),
    }
    return pieces(report)


def _row(row: Figures) -> dict[str, Any]:
    return {name: as_row(figure) for name, figure in row.items()}


@lru_cache(maxsize=1 << 12)  # figures with small counts occur often
def as_row(figure: Figure) -> dict[str, Any]:
    """The counts and rates of one figure, by their JSON keys."""
    return values(COLUMNS[type(figure)].columns, figure, EQUAL)


def as_csv(score: SchemeScore) -> Iterator[str]:
    """Tidy CSV, row by row: a row for each document, label, figure and class.

    Rows with the figures ``WER`` and ``entity-wer`` follow, if words were compared.
    """
    rows = chain(_counts(score), words_counts(score.word_score))
    return csv_lines(("document", "label", "figure", "class", "count"), rows)


def _counts(score: SchemeScore) -> Iterator[tuple[object, ...]]:
    for id, labels in score.documents.items():
        for label, row in labels.items():
            for name, figure in row.items():
                columns, counts, _ = COLUMNS[type(figure)]
                for one in columns[:counts]:
                    yield id, label, name, one.name, one.number(figure, EQUAL)


FORMATS: dict[str, Callable[[SchemeScore], Iterable[str]]] = {
    "text": text,
    "json": as_json,
    "csv": as_csv,
}
