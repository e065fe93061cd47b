"""An evaluation as tidy CSV (pandas, R, spreadsheets): a row per document, label and class."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from ..evaluation.totals import Score
from ..measures.slots import Slot, decimal

if TYPE_CHECKING:
    from ..integrations.pandas import Frame

COLUMNS = ("document", "label", "class", "count", "cost")


def render(evaluation: Score) -> str:
    """Counts of the six classes of each label in each document, zeros too.

    ``cost`` is what the slots of the row cost, an exact decimal, or the
    first 15 places of what is none, such as a third. Summed over all rows and divided
    by the counts of all classes but ``I``, it is the slot error rate. Unplaceable elements are no
    slots (but where they were missed): their number is not here.
    """
    rows = ((*row, decimal(cost, places=15)) for *row, cost in _rows(evaluation))
    return tidy(COLUMNS, rows)


def to_frame(evaluation: Score) -> Frame:
    """The same rows as a frame of pandas, the cost as a float.

    Raises:
        SerevalError: pandas is not installed; it is the extra ``pandas``.
    """
    from ..integrations.pandas import frame  # not for those who write CSV

    return frame(COLUMNS, ((*row, float(cost)) for *row, cost in _rows(evaluation)))


def _rows(evaluation: Score) -> Iterator[tuple[str, str, str, int, Fraction]]:
    costs = evaluation.settings.costs
    for document in evaluation.documents:
        for label, counts in document.labels.items():
            for slot in Slot:
                cost = counts.cost_of(slot, costs)
                yield document.id, label, slot.value, counts[slot], cost


def tidy(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Rows under the names of their columns; ``None`` is an empty field."""
    return "".join(map(line, [columns, *rows]))


def line(fields: Iterable[object]) -> str:
    """One row. A field that holds a character which may end a line is quoted.

    >>> line(["a", "b,c", 1])
    'a,"b,c",1\\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(fields)  # so that both characters are quoted
    return out.getvalue().removesuffix("\r\n") + "\n"
