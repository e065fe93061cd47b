"""An evaluation as tidy CSV (pandas, R, spreadsheets): a row per document, label and class."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from ..evaluate import Evaluation
from ..score import Slot, decimal

COLUMNS = ("document", "label", "class", "count", "cost")


def render(evaluation: Evaluation) -> str:
    """Counts of the six classes of each label in each document, zeros too.

    ``cost`` is what the slots of the row cost, an exact decimal. Summed over all rows and divided
    by the counts of all classes but ``I``, it is the slot error rate. Unplaceable elements are no
    slots (but where they were missed): their number is not here.
    """
    costs = evaluation.settings.costs
    rows = [line(COLUMNS)]
    for document in evaluation.documents:
        for label, counts in document.labels.items():
            for slot in Slot:
                cost = decimal(counts.cost_of(slot, costs))
                rows.append(line((document.id, label, slot.value, counts[slot], cost)))
    return "".join(rows)


def line(fields: Iterable[object]) -> str:
    """One row, with whatever a reader could take for the end of one in quotes.

    >>> line(["a", "b,c", 1])
    'a,"b,c",1\\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(fields)  # which makes it quote both of them
    return out.getvalue().removesuffix("\r\n") + "\n"
