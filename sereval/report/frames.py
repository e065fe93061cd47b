"""The values of the functions in Python as tables: data frames, and HTML for notebooks.

Rows are wide: a row for each system, document, label or slot, with its counts and rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.audit import Audits
from ..analysis.campaign import Campaign
from ..analysis.rates import Rate, by_document, rate_of
from ..analysis.resampling import Resampling
from ..analysis.stability import AXES
from ..documents.model import seconds
from ..errors import SerevalError
from ..measures.slots import Costs, Counts
from ..render.numbers import number, real
from .columns import COUNTS
from .stability import criterion_names

if TYPE_CHECKING:
    from ..analysis.blame import Blame
    from ..analysis.collate import Collation
    from ..analysis.compare import Comparison
    from ..analysis.stability import Stability
    from ..analysis.sweep import Sweep
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


# Comparisons


def _systems(comparison: Comparison) -> FrameTable:
    from .compare import _figures as figures

    rows = [
        {
            "condition": condition.name,
            "system": system.name,
            **figures(system),
            "low": system.interval.low,
            "high": system.interval.high,
        }
        for condition in comparison.conditions
        for system in condition.systems
    ]
    return _of_rows(rows)


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> FrameTable:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return FrameTable(columns, [[row.get(name) for name in columns] for row in rows])


def _pairs(comparison: Comparison) -> Iterator[tuple[dict[str, Any], Any, Rate]]:
    for condition in comparison.conditions:
        for pair in condition.differences:
            names = {"condition": condition.name, "first": pair.first, "second": pair.second}
            yield names, pair, condition.measure


def _key(comparison: Comparison, measure: Rate) -> str:
    """The name of the column of a rate; with several measures all stand in one column."""
    return measure.key if comparison.has_one_measure else "value"


def _differences(comparison: Comparison) -> FrameTable:
    return _of_rows(
        [
            {
                **names,
                _key(comparison, measure): real(pair.rate),
                "low": pair.interval.low,
                "high": pair.interval.high,
                "p": None if pair.test is None else float(pair.test.p),
                "holm": real(pair.holm),
            }
            for names, pair, measure in _pairs(comparison)
        ]
    )


def _by_label(comparison: Comparison) -> FrameTable:
    return _of_rows(
        [
            {
                **names,
                "label": one.label,
                measure.errors_are: number(one.total),
                **dict(zip(measure.classes, map(number, (one.D, one.I, one.S)), strict=True)),
            }
            for names, pair, measure in _pairs(comparison)
            for one in pair.labels
        ]
    )


def _by_document(comparison: Comparison) -> FrameTable:
    rows = []
    for condition in comparison.conditions:
        for system in condition.systems:
            measure = condition.measure
            for id, errors in by_document(system.evaluation).items():
                rate = real(rate_of(measure, errors))
                names = {"condition": condition.name, "system": system.name, "document": id}
                rows.append({**names, _key(comparison, measure): rate})
    return _of_rows(rows)


COMPARISONS: dict[str, Callable[[Any], FrameTable]] = {
    "system": _systems,
    "pair": _differences,
    "label": _by_label,
    "document": _by_document,
}


def _with_groups(table: Callable[[Any], FrameTable]) -> Callable[[Campaign], FrameTable]:
    """A table of the comparison of a campaign, then of those of its groups.

    With groups, the first column names the group; it is empty for all documents.
    """

    def of_campaign(campaign: Campaign) -> FrameTable:
        if not campaign.groups:
            return table(campaign)
        parts = {name: table(part) for name, part in {"": campaign, **campaign.groups}.items()}
        columns = parts[""].columns
        rows = [[name, *row] for name, part in parts.items() for row in part.rows]
        return FrameTable(["group", *columns], rows)

    return of_campaign


def _costs_of_recognisers(campaign: Campaign) -> FrameTable:
    rows = _corners({str(k): one.blame.corners for k, one in enumerate(campaign.blames)}, "k")
    names = [(one.system, one.condition) for one in campaign.blames]
    found = [[*own, *row[1:]] for own, row in zip(names, rows.rows, strict=True)]
    return FrameTable(["system", "condition", *rows.columns[1:]], found)


def _of_comparison(table: Callable[[Any], FrameTable]) -> Callable[[Campaign], FrameTable]:
    return lambda campaign: table(campaign.comparison)


CAMPAIGNS: dict[str, Callable[[Any], FrameTable]] = {
    **{name: _with_groups(_of_comparison(table)) for name, table in COMPARISONS.items()},
    "blame": _with_groups(_costs_of_recognisers),
}


def _criteria(stability: Stability) -> FrameTable:
    """A row for each criterion, with the slot error rate of each system."""
    return _of_rows(
        [
            {
                **dict(zip(AXES, criterion_names(row.criterion), strict=True)),
                **{name: one.ser(stability.costs) for name, one in row.counts.items()},
            }
            for row in stability.table
        ]
    )


def _swings(stability: Stability) -> FrameTable:
    """A row for each pair of systems."""
    return _of_rows(
        [
            {
                "first": one.first,
                "second": one.second,
                "ser": real(one.rates.get(one.base)),
                "swing": real(one.size),
                "flips": one.flips(),
            }
            for one in stability.swings
        ]
    )


STABILITIES: dict[str, Callable[[Any], FrameTable]] = {"criterion": _criteria, "pair": _swings}


def collated_table(collation: Collation) -> FrameTable:
    """A row for each element, with a column for each system, as in the CSV."""
    from .collate import COLUMNS, row_of

    return FrameTable(
        (*COLUMNS, *collation.systems),
        [row_of(item, collation, collation.systems) for item in collation.items],
    )


COLLATIONS: dict[str, Callable[[Any], FrameTable]] = {"element": collated_table}


# Sweeps and blames


def sweep_table(sweep: Sweep) -> FrameTable:
    """A row for each system and point, tolerances in seconds, with counts or measures."""
    costs = sweep.settings.costs
    rows: list[list[Any]] = []
    for name, points in sweep.systems.items():
        for at, point in enumerate(_points(sweep)):
            counted = _values(points[at], costs) if points else ()
            measured = (real(curve.systems[name][at]) for curve in sweep.curves.values())
            rows.append([name, point, *(counted or measured)])
    return FrameTable(
        ["system", sweep.axis.name, *([*sweep.curves] if sweep.measures else _NAMES)], rows
    )


def sweep_wide(sweep: Sweep) -> FrameTable:
    """A row for each point, tolerances in seconds, with the value of each system.

    With several measures a column has the names of its system and of its measure.
    """
    several = len(sweep.measures) > 1
    columns = {
        f"{system} {name}" if several else system: map(real, values)
        for name, curve in sweep.curves.items()
        for system, values in curve.systems.items()
    }
    rows = [list(row) for row in zip(_points(sweep), *columns.values(), strict=True)]
    return FrameTable([sweep.axis.name, *columns], rows)


def _points(sweep: Sweep) -> list[float]:
    """The points of a sweep: seconds, or words."""
    if sweep.axis.unit == "s":
        return [float(seconds(point)) for point in sweep.tolerances]
    return [int(point) for point in sweep.tolerances]


SWEEPS: dict[str, Callable[[Any], FrameTable]] = {"point": sweep_table, "tolerance": sweep_wide}


def _corners(named: Mapping[str, Any], what: str) -> FrameTable:
    return _of_rows(
        [
            {what: name, "Ref": one.reference, **{key: number(c) for key, c in one.costs.items()}}
            for name, one in named.items()
        ]
    )


def _cases(blame: Blame) -> FrameTable:
    fields = ("document", "side", "index", "label", "words", "span", "time", "manual")
    return _of_rows(
        [
            {
                **{name: getattr(case, name) for name in fields},
                "recognised": case.recognised,
                "heard": case.heard,
                "cause": case.cause,
                "cost_manual": case.costs[0] / blame.settings.costs.scale,
                "cost_recognised": case.costs[1] / blame.settings.costs.scale,
            }
            for case in blame.cases
        ]
    )


BLAMES: dict[str, Callable[[Any], FrameTable]] = {
    "label": lambda blame: _corners(
        {label: one.corners for label, one in blame.labels.items()}, "label"
    ),
    "document": lambda blame: _corners(
        {one.id: one.corners for one in blame.documents}, "document"
    ),
    "slot": _cases,
}


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


def _signatures(comparison: Comparison) -> str:
    return "; ".join(str(comparison.signature(one)) for one in comparison.conditions)


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
    "Comparison": Report(
        COMPARISONS,
        lambda value: _late("campaign", "render_json")(Campaign(value)),
        _late("compare_chart", "figure"),
        _signatures,
        lambda value: _late("campaign", "render")(Campaign(value)),
    ),
    "Campaign": Report(
        CAMPAIGNS,
        _late("campaign", "render_json"),
        lambda value: value.comparison.plot(),
        lambda value: _signatures(value.comparison),
        _late("campaign", "render"),
    ),
    "Stability": Report(
        STABILITIES,
        lambda value: _late("stability", "render_json")([value]),
        _late("result_charts", "stability_figure"),
        as_text=lambda value: _late("stability", "render")([value]),
    ),
    "Collation": Report(COLLATIONS),
    "Sweep": Report(
        SWEEPS,
        _late("sweep", "as_json"),
        _late("sweep_chart", "figure"),
        as_text=_late("sweep", "text"),
    ),
    "Blame": Report(
        BLAMES,
        lambda value: str(value.to_json()),
        _late("result_charts", "blame_figure"),
        as_text=_late("blame", "render", Resampling()),
    ),
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
