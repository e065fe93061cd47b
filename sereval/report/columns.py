"""The columns of the reports: one list for all reports that show the same counts.

A new figure of ``score`` is one more entry of ``COUNTS``. It then stands in the report as text, in
the JSON, on the page, in notebooks, and in the CSV and JSON of a sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from ..measures.slots import Costs, Counts, Slot, decimal
from .numbers import number, percent

T = TypeVar("T")
S = TypeVar("S")


class Column(NamedTuple, Generic[T, S]):
    """A column of the reports.

    Args:
        name: the heading.
        value: computes the value of a row. It takes the row and what all rows share, such as the
            costs.
        text: formats the value for text and for the page.
        json: the keys that lead to the value in the JSON of a row, the outermost first; empty: the
            JSON does not have the value.
        csv: the name in CSV; empty: the heading.
        reports: the reports that show the column. It has no effect on JSON and the CSV of a sweep.
    """

    name: str
    value: Callable[[T, S], Any]
    text: Callable[[Any], str] = str
    json: tuple[str, ...] = ()
    csv: str = ""
    reports: tuple[str, ...] = ("text", "page")

    def number(self, row: T, setting: S) -> int | float | None:
        """The value of a row as a JSON or CSV number; ``None`` if it is undefined."""
        value = self.value(row, setting)
        return number(value) if isinstance(value, Fraction) else value


def heads(columns: Iterable[Column[T, S]]) -> tuple[str, ...]:
    """The headings of columns.

    >>> heads(IN_TEXT[:4])
    ('Ref', 'Hyp', 'C', 'S_S')
    """
    return tuple(column.name for column in columns)


def texts(columns: Iterable[Column[T, S]], row: T, setting: S) -> list[str]:
    """The cells of a row as text.

    >>> texts(IN_TEXT[:3], Counts(C=1, D=1, hyp=1), Costs())
    ['2', '1', '1']
    """
    return [column.text(column.value(row, setting)) for column in columns]


def values(columns: Iterable[Column[T, S]], row: T, setting: S) -> dict[str, Any]:
    """The JSON object of a row: numbers by key, nested as the columns say.

    >>> values(COUNTS, Counts(S_S=1, hyp=1), Costs())["exact"]["recall"]
    0.0
    """
    found: dict[str, Any] = {}
    for column in columns:
        if column.json:
            *groups, name = column.json
            place = found
            for group in groups:
                place = place.setdefault(group, {})
            place[name] = column.number(row, setting)
    return found


def of(attribute: str) -> Callable[[Any, Any], Any]:
    """A ``value`` of a column that reads an attribute of the row."""
    value = attrgetter(attribute)
    return lambda row, _: value(row)


PAGE = ("page",)

COUNTS: tuple[Column[Counts, Costs], ...] = (
    Column("Ref", of("ref"), json=("counts", "Ref")),
    Column("Hyp", of("hyp"), json=("counts", "Hyp")),
    *(Column(slot.value, of(slot.value), json=("counts", slot.value)) for slot in Slot),
    Column("unplaceable", of("unplaceable"), json=("counts", "unplaceable"), reports=()),
    Column("cost", lambda counts, costs: counts.cost(costs), decimal, ("counts", "cost")),
    Column("exact_C", of("exact"), json=("exact", "C"), reports=()),
    Column("SER", lambda counts, costs: counts.ser(costs), percent, ("ser",)),
    Column("P", of("precision"), percent, ("exact", "precision"), csv="precision"),
    Column("R", of("recall"), percent, ("exact", "recall"), csv="recall"),
    Column("F1", of("f1"), percent, ("exact", "f1")),
)
"""The counts and rates of the definition, in the order of the text report."""

IN_TEXT = tuple(column for column in COUNTS if "text" in column.reports)
ON_PAGE = tuple(column for column in COUNTS if "page" in column.reports)
