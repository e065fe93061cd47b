"""The interval of one score, as a line of text and as a member of its JSON."""

from __future__ import annotations

from typing import Any

from ..evaluation.interval import ScoreInterval
from .numbers import counted, percent


def interval_line(interval: ScoreInterval | None) -> list[str]:
    """The interval of a score as a line, in percent, with how it was made; no line without one.

    >>> found = ScoreInterval("SER", 0.1, 0.25, 0, "document", 9, 0.95, 10000, 2011)
    >>> print(*interval_line(found))
    95 % interval of SER: 10.0 to 25.0 (bootstrap over 9 documents, 10000 resamples, seed 2011)
    """
    if interval is None:
        return []
    ends = f"{percent(interval.low)} to {percent(interval.high)}"
    units = counted(interval.units, interval.unit)
    undefined = f", {interval.undefined} undefined" if interval.undefined else ""
    return [
        f"{interval.confidence * 100:g} % interval of {interval.measure}: {ends} "
        f"(bootstrap over {units}, {interval.resamples} resamples{undefined}, "
        f"seed {interval.seed})"
    ]


def interval_member(interval: ScoreInterval | None) -> dict[str, Any]:
    """The interval of a score as a member of its JSON; its ends are fractions."""
    return {} if interval is None else {"interval": interval._asdict()}
