"""An evaluation as tidy CSV (pandas, R, spreadsheets): a row per document, label and class."""

from __future__ import annotations

import csv
import io

from ..evaluate import Evaluation
from ..score import Counts, Slot, decimal

COLUMNS = ("document", "label", "class", "count", "cost")


def render(evaluation: Evaluation) -> str:
    """Counts of the six classes of each label in each document, zeros too.

    ``cost`` is what the slots of the row cost, an exact decimal. Summed over all rows and divided
    by the count of all classes but ``I``, it is the slot error rate.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for document in evaluation.documents:
        for label, counts in document.labels.items():
            for slot in Slot:
                cost = Counts(**{slot.value: counts[slot]}).cost(evaluation.settings.costs)
                writer.writerow((document.id, label, slot.value, counts[slot], decimal(cost)))
    return out.getvalue()
