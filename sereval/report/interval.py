"""The interval of one score, as a line of text and as a member of its JSON."""

from __future__ import annotations

from typing import Any

from ..analysis.compare import Comparison
from .json import attributes
from .numbers import counted, percent


def line(comparison: Comparison) -> str:
    """The interval of the only system of a comparison, in percent, with how it was made.

    >>> from sereval import Document, compare, evaluate, tree
    >>> pairs = [[Document(id, ("Dol",), tree([("loc", 0, 1)]))] for id in "ab"]
    >>> both = [one for side in pairs for one in side]
    >>> print(line(compare({"": {"": evaluate(both, both)}})))
    95 % interval of SER: 0.0 to 0.0 (bootstrap over 2 utterances, 10000 resamples, seed 2011)
    """
    [condition], resampling = comparison.conditions, comparison.resampling
    interval = condition.systems[0].interval
    ends = f"{percent(interval.low)} to {percent(interval.high)}"
    units = counted(condition.units, condition.unit)
    undefined = f", {interval.undefined} undefined" if interval.undefined else ""
    return (
        f"{resampling.confidence * 100:g} % interval of {comparison.measure.short}: {ends} "
        f"(bootstrap over {units}, {resampling.resamples} resamples{undefined}, "
        f"seed {resampling.seed})"
    )


def member(comparison: Comparison) -> dict[str, Any]:
    """The interval of the only system of a comparison as a JSON object; its ends are fractions."""
    [condition], resampling = comparison.conditions, comparison.resampling
    return {
        "measure": comparison.measure.short,
        **attributes(condition.systems[0].interval, "low", "high", "undefined"),
        **attributes(condition, "unit", "units"),
        **attributes(resampling, "confidence", "resamples", "seed"),
    }
