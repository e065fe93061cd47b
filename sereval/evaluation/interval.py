"""The interval of the rate of a score."""

from __future__ import annotations

from typing import NamedTuple


class ScoreInterval(NamedTuple):
    """A bootstrap interval of the rate of a score, and how it was made.

    Args:
        measure: the name of the rate.
        low, high: the ends as rates, not in percent; ``None`` if there is a single unit, or if the
            rate is undefined on every resample.
        undefined: the number of resamples left out because their denominator is 0.
        unit: what was resampled, ``document`` or ``utterance``.
        units: the number of units.
        confidence: the confidence level, from 0 to 1.
        resamples: the number of resamples.
        seed: the seed of the random numbers.
    """

    measure: str
    low: float | None
    high: float | None
    undefined: int
    unit: str
    units: int
    confidence: float
    resamples: int
    seed: int
