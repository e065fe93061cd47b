"""The values of several measures as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.measured import Measured
from ..analysis.rates import by_document, comparable
from ..errors import one_line
from ..render.numbers import percent
from ..render.table import group_rows, lines
from .columns import errors_line
from .csv import tidy
from .json import dumps
from .views import ALL, TextView


def text(measured: Measured, view: TextView = ALL) -> str:
    """A table with a column for each measure: all documents, then each; notes and signatures last.

    Values are in percent; ``n/a`` stands for an undefined one.

    Args:
        measured: the values.
        view: the documents to show; errors of the first measure are what they cost.
    """
    errors = by_document(comparable(*next(iter(measured.scores.items()))))
    documents = {id: (errors[id].total, values) for id, values in measured.documents.items()}
    groups = view.groups({}, documents, lambda row: row[0])
    shown = {
        heading: {id: values for id, (_, values) in rows.items()}
        for heading, rows in groups.items()
        if rows
    }
    rows = group_rows(
        ("", *map(str, measured.scores)),
        {"": {"all": measured.values}, **shown},
        lambda values: map(percent, values.values()),
    )
    signatures = (f"{measure}: {signature}" for measure, signature in measured.signatures.items())
    words = [f"{one}: {errors_line(errors)}" for one, errors in measured.word_errors.items()]
    notes = [*words, *map(one_line, measured.notes)]
    below = [*notes, ""] if notes else []
    return "\n".join([*lines(rows, width=view.width), "", *below, *signatures, ""])


def as_json(measured: Measured) -> str:
    """JSON: values and signatures by measure, values by document; ``null`` for an undefined one."""
    signatures = measured.signatures
    report = {
        "format": 1,
        "measures": {
            str(measure): {"value": value, "signature": str(signatures[measure])}
            for measure, value in measured.values.items()
        },
        "documents": [
            {"id": id, "measures": {str(measure): value for measure, value in values.items()}}
            for id, values in measured.documents.items()
        ],
        "notes": measured.notes,
    }
    return dumps(report)


def as_csv(measured: Measured) -> str:
    """Tidy CSV: a row for each document and measure; ``document`` is empty for all documents."""
    rows = {**measured.documents, "": measured.values}
    return tidy(
        ("document", "measure", "value"),
        ((id, measure, value) for id, row in rows.items() for measure, value in row.items()),
    )


FORMATS: dict[str, Callable[..., str]] = {"text": text, "json": as_json, "csv": as_csv}
