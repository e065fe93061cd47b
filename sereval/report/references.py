"""The score of a hypothesis against several references, as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..analysis.rates import Errors, in_all, rate_of
from ..analysis.references import References
from ..errors import one_line
from .csv import tidy
from .json import dumps
from .numbers import number, percent, real
from .table import lines


def text(found: References) -> str:
    """A row for each reference, the mean and the best; then the documents; signature last.

    Args:
        found: the scores.
    """
    measure, names, chosen = found.rate, [*found.scores], found.chosen
    rows: list[tuple[str, ...]] = [("", measure.short, measure.errors_are, measure.size_is)]
    for name, score in found.scores.items():
        rows.append((one_line(name), *_cells(found.rates[name], in_all(score))))
    rows += [("mean", percent(found.mean), "", ""), ("best", *_cells(found.best_rate, found.best))]
    rows += [("", "", "", ""), ("by document", *("" for _ in range(3)))]
    table: list[tuple[str, ...]] = [("", *map(one_line, names), "best")]
    for id, errors in found.documents.items():
        rates = (percent(rate_of(measure, errors[name])) for name in names)
        table.append((one_line(id), *rates, one_line(chosen[id])))
    return "\n".join([*lines(rows[:-2]), "", *lines(table), "", str(found.signature), ""])


def _cells(rate: Fraction | None, errors: Errors) -> tuple[str, str, str]:
    return percent(rate), f"{float(errors.total):g}", str(errors.size)


def as_json(found: References) -> str:
    """The rates and sums against each reference, the mean and the best; rates are fractions.

    Args:
        found: the scores.
    """
    measure, chosen = found.rate, found.chosen
    documents = [
        {
            "id": id,
            "best": chosen[id],
            "references": {name: _sums(found, own) for name, own in errors.items()},
        }
        for id, errors in found.documents.items()
    ]
    report = {
        "format": 1,
        "measure": measure.title,
        "signature": str(found.signature),
        "references": {name: _sums(found, in_all(score)) for name, score in found.scores.items()},
        "mean": real(found.mean),
        "best": _sums(found, found.best),
        "documents": documents,
    }
    return dumps(report)


def _sums(found: References, errors: Errors) -> dict[str, Any]:
    value = real(rate_of(found.rate, errors))
    return {"value": value, "errors": number(errors.total), "size": errors.size}


def as_csv(found: References) -> str:
    """Tidy CSV: a row for each document and reference; ``document`` is empty for all documents.

    Args:
        found: the scores.
    """
    chosen = found.chosen
    every = {**found.documents, "": {name: in_all(score) for name, score in found.scores.items()}}
    rows = (
        (id, name, *_sums(found, own).values(), id and chosen[id] == name)
        for id, errors in every.items()
        for name, own in errors.items()
    )
    total = [("", "mean", real(found.mean), None, None, ""), _best(found)]
    columns = ("document", "reference", "value", "errors", "size", "best")
    return tidy(columns, [*rows, *total])


def _best(found: References) -> tuple[object, ...]:
    return ("", "best", *_sums(found, found.best).values(), "")


FORMATS: dict[str, Callable[[References], str]] = {"text": text, "json": as_json, "csv": as_csv}
