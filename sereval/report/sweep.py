"""A sweep as text, JSON and CSV.

All formats read the same counts or values, so they show the same digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..analysis.sweep import Sweep
from ..documents.model import seconds
from ..errors import one_line
from ..measures.slots import Slot
from ..render.cells import size
from ..render.numbers import percent, real
from ..render.table import TextRow, group_rows, lines, side_by_side
from .columns import COUNTS, heads, texts, words_json, words_lines, words_rates
from .csv import tidy
from .json import dumps, score

FORMAT = 1

BY_NAME = {column.name: column for column in COUNTS}
SHOWN = tuple(
    BY_NAME[name] for name in ("SER", "Ref", "Hyp", *(s.value for s in Slot), "F1", "unplaceable")
)
"""The columns of the text report."""


def text(sweep: Sweep) -> str:
    """The values of all systems side by side, then a table for each; notes and signatures last.

    Tolerances are in seconds. Rates are percentages; ``n/a`` stands for a rate whose denominator is
    0.
    """
    points = [sweep.axis.text(point) for point in sweep.tolerances]
    first = [sweep.axis.name, *points]
    parts = []
    if len(sweep.systems) > 1:
        for name, curve in sweep.curves.items():
            rates = [
                [one_line(system), *map(percent, values)]
                for system, values in curve.systems.items()
            ]
            parts += [_table(f"{name} (%)", rows) for rows in side_by_side([first], rates)]
    if not sweep.measures:
        parts += _counts(sweep, points)
    elif len(sweep.systems) == 1 or len(sweep.measures) > 1:
        for system in sweep.systems:
            rows = [[name, *map(percent, sweep.rates(system, name))] for name in sweep.curves]
            parts += [_table(one_line(system), found) for found in side_by_side([first], rows)]
    parts += ["".join(f"{one_line(note)}\n" for note in sweep.notes)] if sweep.notes else []
    return "\n".join([*parts, "".join(_signatures(sweep))])


def _signatures(sweep: Sweep) -> Iterator[str]:
    """The lines of the signatures; each begins with its measure if the sweep has measures."""
    for name, signature in sweep.signatures.items():
        yield f"{name}: {signature}\n" if sweep.measures else f"{signature}\n"


def _counts(sweep: Sweep, points: list[str]) -> Iterator[str]:
    """A table of counts for each system."""
    costs = sweep.settings.costs
    for name, counted in sweep.systems.items():
        counts = dict(zip(points, counted, strict=True))
        rows = group_rows(
            (sweep.axis.name, *heads(SHOWN)), {"": counts}, lambda row: texts(SHOWN, row, costs)
        )
        words = words_lines(sweep.word_errors.get(name))
        yield _table(one_line(name), rows) + "".join(f"{line}\n" for line in words)


def _table(title: str, rows: Iterable[TextRow]) -> str:
    return "\n".join([title, *lines(rows, left=(), size=size), ""])


def as_json(sweep: Sweep) -> str:
    """JSON: all points of all systems, each with the signature of ``score`` at that point.

    ``tolerance`` is in seconds, or a text such as ``1w``. Without measures the other members of a
    point are as in the report of ``score``, and ``words`` has the word errors of each system with
    wrong words. With measures a point has their values. Format history: 1, the first.
    """
    report: dict[str, Any] = {"format": FORMAT}
    if sweep.measures:
        signatures = sweep.signatures.items()
        report["measures"] = {name: {"signature": str(one)} for name, one in signatures}
    else:
        report["signature"] = str(sweep.signature)
    report["systems"] = {
        name: [
            {sweep.axis.name: _number(sweep, point), **_point(sweep, name, at)}
            for at, point in enumerate(sweep.tolerances)
        ]
        for name in sweep.systems
    }
    report["notes"] = list(sweep.notes)
    if sweep.word_errors:
        report["words"] = {name: words_json(one) for name, one in sweep.word_errors.items()}
    return dumps(report)


def _number(sweep: Sweep, point: int) -> float | str:
    """A point in JSON: a number of seconds, a number, or words with their unit."""
    shown = sweep.axis.text(point)
    return shown if sweep.axis.unit == "w" else float(shown) if sweep.axis.unit else int(point)


def _point(sweep: Sweep, system: str, at: int) -> dict[str, Any]:
    """A point of one system, without its place."""
    if not sweep.measures:
        signature = str(sweep.signature_at(sweep.tolerances[at]))
        counts = sweep.systems[system][at]
        return {"signature": signature, **score(counts, sweep.settings.costs)}
    measures = {
        name: {"value": real(curve.systems[system][at]), "signature": str(curve.signatures[at])}
        for name, curve in sweep.curves.items()
    }
    return {"measures": measures}


def as_csv(sweep: Sweep) -> str:
    """Tidy CSV: a row for each system, point and column of ``COUNTS``, or measure.

    Rates are fractions with all their digits; an undefined rate is an empty field. Each row has the
    signature of ``score`` at that point. Of a sweep of counts, word error rates follow in rows
    without a tolerance, which have the signature of the sweep.
    """
    rows = _values(sweep) if sweep.measures else _counted(sweep)
    return tidy(("system", sweep.axis.name, "measure", "value", "signature"), rows)


def _values(sweep: Sweep) -> Iterator[tuple[object, ...]]:
    """The rows point by point, measure by measure."""
    for system in sweep.systems:
        for at, point in enumerate(sweep.tolerances):
            for name, curve in sweep.curves.items():
                value, signature = real(curve.systems[system][at]), str(curve.signatures[at])
                yield system, sweep.axis.text(point), name, value, signature


def _counted(sweep: Sweep) -> Iterator[tuple[object, ...]]:
    """The rows point by point, the rate of each point first."""
    columns = sorted(COUNTS, key=lambda column: column.name != "SER")
    for name, points in sweep.systems.items():
        for tolerance, counts in zip(sweep.tolerances, points, strict=True):
            signature = str(sweep.signature_at(tolerance))
            for column in columns:
                value = column.number(counts, sweep.settings.costs)
                yield name, seconds(tolerance), column.csv or column.name, value, signature
    for name, words in sweep.word_scores.items():
        for label, measure, rate in words_rates(words):
            measure = f"{measure}.{label}" if label else measure
            yield name, "", measure, rate, str(sweep.signature)


SWEEPS: dict[str, Callable[[Sweep], str]] = {"text": text, "json": as_json, "csv": as_csv}
