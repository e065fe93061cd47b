"""The chart of a comparison: the rate of each system with its interval, by condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.compare import Comparison, System
from ..analysis.rates import exact_rate
from ..errors import one_line
from .sweep_chart import COLOURS, MARKERS, check_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure(comparison: Comparison) -> Figure:
    """The chart of a comparison as a figure of matplotlib.

    Systems without a rate have no mark; a rate without an interval has no line.

    Args:
        comparison: the comparison to draw.

    Raises:
        SerevalError: as ``check_matplotlib``.
    """
    check_matplotlib()
    from matplotlib.figure import Figure

    systems = comparison.systems
    found = Figure(figsize=(6.8, 1.6 + 0.4 * len(systems)), layout="constrained")
    axes = found.add_subplot()
    for at, condition in enumerate(comparison.conditions):
        shift = (at + 1) / (len(comparison.conditions) + 1) - 0.5
        label: str | None = one_line(condition.name)
        for system in condition.systems:
            rate = exact_rate(system.evaluation)
            if rate is None:
                continue
            colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
            place = systems.index(system.name) + 0.6 * shift
            axes.plot([100 * float(rate)], [place], marker, color=colour, label=label)
            ends = _ends(system)
            if ends:
                axes.hlines(place, *ends, color=colour)
            label = None  # one entry of the legend for each condition
    axes.set_yticks(range(len(systems)), [one_line(name) for name in systems])
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    confidence = f"{comparison.resampling.confidence:.0%}"
    title = comparison.measure.title if comparison.has_one_measure else "measures"
    axes.set_xlabel(f"{title} (%), with {confidence} intervals")
    axes.legend()
    return found


def _ends(system: System) -> tuple[float, float] | None:
    """The ends of the interval of a system, in percent."""
    low, high = system.interval.low, system.interval.high
    return None if low is None or high is None else (100 * low, 100 * high)
