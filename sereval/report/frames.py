"""The values of the functions in Python as tables: data frames, and HTML for notebooks.

Rows are wide: a row for each system, document, label or slot, with its counts and rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.audit import Audits
from ..errors import SerevalError
from ..measures.slots import Costs, Counts
from .columns import COUNTS

if TYPE_CHECKING:
    from ..analysis.collate import Collation
    from ..integrations.pandas import Frame

SHOWN = 30
"""The most rows that a notebook shows."""


class FrameTable(NamedTuple):
    """A table of a value.

    Args:
        columns: their names.
        rows: the cells of each row; ``None`` is an undefined value.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


def as_frame(table: FrameTable) -> Frame:
    """A table as a data frame.

    Raises:
        SerevalError: pandas is not installed.
    """
    from ..integrations.pandas import frame  # an extra

    return frame(table.columns, table.rows)


def as_html(table: FrameTable, signature: str) -> str:
    """A table as HTML for a notebook; of a long one the first rows, then the signature.

    >>> print(as_html(FrameTable(["label", "ser"], [["loc", 0.5]]), "SER|tolerance:none"))
    <table><thead><tr><th>label</th><th>ser</th></tr></thead>
    <tbody><tr><td>loc</td><td>0.5</td></tr></tbody></table>
    <p><code>SER|tolerance:none</code></p>
    """
    head = "".join(f"<th>{escape(str(name))}</th>" for name in table.columns)
    shown = [
        "".join(f"<td>{escape(_cell(cell))}</td>" for cell in row) for row in table.rows[:SHOWN]
    ]
    body = "\n".join(f"<tr>{row}</tr>" for row in shown)
    left = len(table.rows) - len(shown)
    more = f"<p>… {left} more rows</p>\n" if left > 0 else ""
    return (
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>\n"
        f"{more}<p><code>{escape(signature)}</code></p>"
    )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return format(value, ".4g")
    return "" if value is None else str(value)


_NAMES = [column.csv or column.name for column in COUNTS]


def _values(counts: Counts, costs: Costs) -> list[Any]:
    return [column.number(counts, costs) for column in COUNTS]


def audit_table(audits: Audits) -> FrameTable:
    """A row for each element of either side, with the members of the JSON lines."""
    from .audit_tables import FIELDS, object_of

    found = [
        object_of(row, partner) for document in audits for row, partner in document.with_partners()
    ]
    return FrameTable(FIELDS, [[one[name] for name in FIELDS] for one in found])


def collated_table(collation: Collation) -> FrameTable:
    """A row for each element, with a column for each system, as in the CSV."""
    from .collate import COLUMNS, row_of

    return FrameTable(
        (*COLUMNS, *collation.systems),
        [row_of(item, collation, collation.systems) for item in collation.items],
    )


COLLATIONS: dict[str, Callable[[Any], FrameTable]] = {"element": collated_table}


# All results


class Report(NamedTuple):
    """How a kind of result is displayed and exported.

    Args:
        tables: make its tables, by what their rows are; the first is the usual one.
        as_json: makes its report, as one text or in pieces.
        chart: draws it.
        signature: gives its signature.
        as_text: makes the text that its command prints, as one text or in pieces.
    """

    tables: Mapping[str, Callable[[Any], FrameTable]]
    as_json: Callable[[Any], Iterable[str]] = str
    chart: Callable[[Any], Any] = str
    signature: Callable[[Any], str] = lambda value: str(value.signature)
    as_text: Callable[[Any], Iterable[str]] = lambda value: ""


def _late(module: str, function: str, *others: Any) -> Callable[[Any], Any]:
    """A function of another module of reports, which is imported when it is called."""

    def make(value: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), function)(value, *others)

    return make


REPORTS = {
    "Audits": Report(
        {"slot": audit_table},
        lambda value: "".join(
            import_module(".audit_tables", __package__).jsonl(value, value.score)
        ),
        _late("result_charts", "audit_figure"),
        signature=lambda value: str(value.score.signature),
        as_text=lambda value: _late("audit_text", "render", value.score)(value),
    ),
    "Collation": Report(COLLATIONS),
}
"""The report of each kind of result, by the name of its class."""


def report_of(value: object) -> Report:
    """How a result is displayed and exported.

    Args:
        value: the result.
    """
    return REPORTS[type(value).__name__]


def table_of(value: object, by: str | None = None) -> FrameTable:
    """A table of a result.

    Args:
        value: the result.
        by: what its rows are; ``None``: the first table.

    Raises:
        SerevalError: the result has no such table.
    """
    tables = report_of(value).tables
    name = next(iter(tables)) if by is None else by
    if name not in tables:
        raise SerevalError(f"argument by: found {by!r}, expected one of {', '.join(tables)}")
    return tables[name](value)
