"""The values of measures for two annotators, each in turn the reference, as text and JSON.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.measured import MutualValues
from ..errors import one_line
from .json import dumps
from .numbers import percent
from .table import group_rows, lines

HEADS = ("A as REF", "B as REF", "mean")


def text(found: MutualValues) -> str:
    """A row for each measure, in percent; then notes and the signatures of both."""
    values, mean = found.values, found.mean
    rows = group_rows(
        ("", *HEADS),
        {"": {str(one): (*both, mean[one]) for one, both in values.items()}},
        lambda row: map(percent, row),
    )
    signed = (f"{one}: {signature}" for one, signature in found.of_a.signatures.items())
    notes = [*map(one_line, found.notes), ""] if found.notes else []
    return "\n".join([*lines(rows), "", *notes, *signed, ""])


def as_json(found: MutualValues) -> str:
    """JSON: for each measure its values with A and with B as the reference; ``null``: undefined."""
    signatures, mean = found.of_a.signatures, found.mean
    measures = {
        str(one): {"A": a, "B": b, "mean": mean[one], "signature": str(signatures[one])}
        for one, (a, b) in found.values.items()
    }
    return dumps({"format": 1, "measures": measures, "notes": found.notes})


FORMATS: dict[str, Callable[[MutualValues], str]] = {"text": text, "json": as_json}
