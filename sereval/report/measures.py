"""The values of several measures: as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.measured import Measured
from ..errors import one_line
from .compare import table
from .csv import line
from .json import dumps
from .text import percent


def text(measured: Measured) -> str:
    """A column for each measure, in percent: over all documents, then by document; signatures last.

    ``n/a`` where there is nothing to divide by.
    """
    rows = {"all": measured.values, **measured.documents}
    cells = [("", *map(str, measured.scores))]
    cells += [(one_line(name), *map(percent, values.values())) for name, values in rows.items()]
    heading, total, *documents = table(cells)
    signatures = (f"{measure}: {signature}" for measure, signature in measured.signatures.items())
    lines = [heading, total, "", "by document", *documents, ""]
    notes = [*map(one_line, measured.notes), ""] if measured.notes else []
    return "\n".join([*lines, *notes, *signatures, ""])


def as_json(measured: Measured) -> str:
    """Values and signatures by measure, and values by document; an undefined value is ``null``."""
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
    """Tidy: a row for each document and measure; those of an empty document are over all."""
    rows = [line(("document", "measure", "value"))]
    for id, values in {**measured.documents, "": measured.values}.items():
        for measure, value in values.items():
            rows.append(line((id, measure, "" if value is None else value)))
    return "".join(rows)


FORMATS: dict[str, Callable[[Measured], str]] = {"text": text, "json": as_json, "csv": as_csv}
"""What ``--format`` offers."""
