"""Charts of scores, audits, blames and stabilities, for ``plot()`` of these results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.audit import Audits
from ..analysis.blame import Blame
from ..analysis.stability import Stability
from ..analysis.stability_report import criterion_names
from ..errors import one_line
from ..evaluation.totals import Evaluation
from ..measures.slots import Slot
from .sweep_chart import COLOURS, MARKERS, SHARES, check_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class BarPart(NamedTuple):
    """A part of each bar of a chart.

    Args:
        name: its name in the legend.
        values: its length in each bar.
        colour: its colour.
    """

    name: str
    values: Sequence[Fraction | int]
    colour: str


def score_figure(score: Evaluation) -> Figure:
    """The cost of each label by class of error, the most costly label first.

    Args:
        score: the score.

    Raises:
        SerevalError: as ``check_matplotlib``.
    """
    costs = score.settings.costs
    labels = _most_costly({label: one.cost(costs) for label, one in score.labels.items()})
    counts = [score.labels[label] for label in labels]
    parts = [
        BarPart(name, [sum(one.cost_of(slot, costs) for slot in slots) for one in counts], colour)
        for name, slots, colour in SHARES
    ]
    return _bars(labels, parts, "Cost of the errors")


def audit_figure(audits: Audits) -> Figure:
    """The errors of each label by class of error, the label with most errors first.

    The rows of the audit add up to the cost of a slot error rate, and to the errors of a figure of
    another scheme.

    Args:
        audits: the audits of all documents.

    Raises:
        SerevalError: as ``check_matplotlib``.
    """
    costs: dict[str, defaultdict[Slot | None, Fraction]] = {}
    for row in audits.rows:
        costs.setdefault(row.label, defaultdict(Fraction))[row.slot] += row.cost
    labels = _most_costly({label: sum(one.values(), Fraction(0)) for label, one in costs.items()})
    parts = [
        BarPart(name, [sum(costs[label][slot] for slot in slots) for label in labels], colour)
        for name, slots, colour in SHARES
    ]
    return _bars(labels, parts, "Cost of the errors")


def blame_figure(blame: Blame) -> Figure:
    """The shares of the recogniser and of the system in each label, the most costly label first.

    Args:
        blame: the blame.

    Raises:
        SerevalError: as ``check_matplotlib``.
    """
    found = {label: one.corners for label, one in blame.labels.items()}
    labels = _most_costly({label: one.costs["recognised"] for label, one in found.items()})
    parts = [
        BarPart(name, [found[label].shares[name] for label in labels], colour)
        for name, colour in zip(("recogniser", "system"), COLOURS, strict=False)
    ]
    return _bars(labels, parts, "Cost of the errors on the words of the recogniser")


def stability_figure(stability: Stability) -> Figure:
    """The slot error rate of each system under each criterion, in the order of the table.

    Args:
        stability: the systems under a table of criteria.

    Raises:
        SerevalError: as ``check_matplotlib``.
    """
    check_matplotlib()
    from matplotlib.figure import Figure

    names = [" ".join(criterion_names(row.criterion)) for row in stability.table]
    found = Figure(figsize=(2 + 0.25 * len(names), 4.4), layout="constrained")
    axes = found.add_subplot()
    for at, system in enumerate(stability.systems):
        rates = [row.counts[system].ser(stability.costs) for row in stability.table]
        points = [(k, 100 * rate) for k, rate in enumerate(rates) if rate is not None]
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
        axes.plot(*zip(*points, strict=True), marker, color=colour, label=one_line(system))
    base = [row.criterion for row in stability.table].index(stability.base)
    axes.axvline(base, color="#999999", linewidth=0.8, zorder=0)
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("Slot error rate (%)")
    axes.legend()
    return found


def _most_costly(costs: Mapping[str, Fraction]) -> list[str]:
    """The labels that cost something, the most costly first."""
    paid = [(-cost, label) for label, cost in costs.items() if cost]
    return [label for _, label in sorted(paid)]


def _bars(names: Sequence[str], parts: Sequence[BarPart], axis: str) -> Figure:
    """A chart with a bar for each name, made of parts one after the other."""
    check_matplotlib()
    from matplotlib.figure import Figure

    found = Figure(figsize=(6.8, 1.2 + 0.24 * len(names)), layout="constrained")
    axes = found.add_subplot()
    left = [0.0] * len(names)
    for name, values, colour in parts:
        widths = [float(value) for value in values]
        axes.barh(range(len(names)), widths, left=left, color=colour, label=name)
        left = [one + width for one, width in zip(left, widths, strict=True)]
    axes.set_yticks(range(len(names)), [one_line(name) for name in names])
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xlabel(axis)
    axes.legend()
    return found
