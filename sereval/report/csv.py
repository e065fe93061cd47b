"""An evaluation as tidy CSV for pandas, R and spreadsheets: a row per document, label, class."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from ..evaluation.totals import Evaluation
from ..measures.slots import Slot, decimal
from .columns import words_counts

COLUMNS = ("document", "label", "class", "count", "cost")


def render(evaluation: Evaluation) -> Iterator[str]:
    """Row by row: a row for each document, label and class, with its count, even 0, and its cost.

    ``cost`` is the cost of the row's slots. It is an exact decimal, or has 15 decimal places if the
    cost has no finite decimal form, such as a third. The sum of all costs, divided by the sum of
    the counts of all classes but ``I``, is the slot error rate. These rows have slots only: an
    unplaceable element is in them only if it counts as a deletion.

    If words were compared, rows with word errors follow, which have no cost: ``WER:C``, ``WER:S``,
    ``WER:D`` and ``WER:I`` are the words of a document, the classes ``entity-wer:…`` those of its
    elements, of all together under an empty label.
    """
    slots = ((*row, decimal(cost, places=15)) for *row, cost in rows_of(evaluation))
    words = (
        (id, label, f"{measure}:{name}", count, "")
        for id, label, measure, name, count in words_counts(evaluation.word_score)
    )
    return lines(COLUMNS, chain(slots, words))


def rows_of(evaluation: Evaluation) -> Iterator[tuple[str, str, str, int, Fraction]]:
    """The rows under ``COLUMNS``, with exact costs."""
    costs = evaluation.settings.costs
    for document in evaluation.documents:
        for label, counts in document.labels.items():
            for slot in Slot:
                cost = counts.cost_of(slot, costs)
                yield document.id, label, slot.value, counts[slot], cost


def tidy(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """The CSV of some rows under a row of column names; ``None`` is an empty field.

    >>> tidy(["label", "count"], [["loc", 2], ["pers", None]])
    'label,count\\nloc,2\\npers,\\n'
    """
    return "".join(lines(columns, rows))


def lines(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The rows of ``tidy``, one by one.

    >>> list(lines(["label"], [["loc"]]))
    ['label\\n', 'loc\\n']
    """
    return map(line, chain([columns], rows))


def line(fields: Iterable[object]) -> str:
    """The CSV of one row. A field that holds a line feed or a carriage return is quoted.

    >>> line(["a", "b,c", 1])
    'a,"b,c",1\\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(fields)  # so that both characters are quoted
    return out.getvalue().removesuffix("\r\n") + "\n"
