"""An evaluation for people at a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable

from ..evaluate import Evaluation
from ..score import Costs, Counts, Slot, decimal

Row = tuple[str, Counts]


def render(evaluation: Evaluation) -> str:
    """Totals, then the same columns by kind, by label and by document; the signature last.

    SER and P, R, F1 are percentages; ``n/a`` where the denominator is 0.
    """
    costs = evaluation.settings.costs
    total = evaluation.counts
    groups: list[tuple[str, Iterable[Row]]] = [
        ("", [("all", total), *evaluation.kinds.items()]),
        ("label", evaluation.labels.items()),
        ("document", [(document.id, document.counts) for document in evaluation.documents]),
    ]
    return "\n".join(
        [
            f"SER {percent(total.ser(costs))} %   "
            f"(cost {decimal(total.cost(costs))} for {total.ref} reference elements)",
            "",
            _table(groups, costs),
            "",
            *_notes(evaluation),
            evaluation.signature,
            "",
        ]
    )


def percent(rate: float | None, digits: int = 1) -> str:
    """A rate in percent, never 0.0 or 100.0 unless it is exactly that.

    >>> percent(0.12345), percent(0.0001), percent(0.99999), percent(1.00001), percent(None)
    ('12.3', '0.1', '99.9', '100.1', 'n/a')
    """
    if rate is None:
        return "n/a"
    shown = round(100 * rate, digits)
    least = 10.0**-digits
    for exact in (0.0, 1.0):
        if shown == 100 * exact and rate != exact:
            shown += least if rate > exact else -least
    return f"{shown:.{digits}f}"


def _notes(evaluation: Evaluation) -> list[str]:
    """What the figures alone would hide."""
    total = evaluation.counts
    notes = []
    if total.unplaceable:
        fates = {"drop": "dropped", "miss": "counted as deletions", "merge": "merged or dropped"}
        what = fates[evaluation.settings.unplaceable]
        notes.append(f"{total.unplaceable} unplaceable reference elements, {what}")
    if total.exact != total.C:
        notes.append(
            f"P, R and F1 are from {total.exact} exact pairs; "
            f"the mapping of least cost has {total.C} correct ones"
        )
    return [*notes, ""] if notes else []


def _table(groups: Iterable[tuple[str, Iterable[Row]]], costs: Costs) -> str:
    """Rows under one set of columns, each group under its heading."""
    from rich.console import Console  # slow to import
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    table.add_column("")
    for heading in ("Ref", "Hyp", *(slot.value for slot in Slot), "SER", "P", "R", "F1"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading, rows in groups:
        if heading:
            table.add_row()
            table.add_row(Text(f"by {heading}"))
        for name, counts in rows:
            rates = (counts.ser(costs), counts.precision, counts.recall, counts.f1)
            numbers = (counts.ref, counts.hyp, *(counts[slot] for slot in Slot))
            table.add_row(Text(name), *map(str, numbers), *map(percent, rates))
    console = Console(file=io.StringIO(), width=1000, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())
