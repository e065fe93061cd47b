"""The options of resampling, and the settings that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..analysis.compare import UNITS, Resampling
from .help import option
from .options import AtLeast, Share, choice_option, options
from .scoring import split

DEFAULT = Resampling()


def resampling_options(resamples: str) -> Callable[[Any], Any]:
    """The options of resampling, as one decorator.

    Args:
        resamples: the help of ``--resamples``.
    """
    return options(
        option(
            "--resamples",
            group="Intervals",
            metavar="N",
            type=AtLeast(1),
            default=DEFAULT.resamples,
            help=resamples,
        ),
        option(
            "--seed",
            group="Intervals",
            metavar="N",
            type=AtLeast(0),
            default=DEFAULT.seed,
            help="Seed of the random numbers: equal seeds give equal reports.",
        ),
        option(
            "--confidence",
            group="Intervals",
            metavar="RATE",
            type=Share(),
            default=DEFAULT.confidence,
            help="Confidence level of the intervals.",
        ),
        choice_option(
            "--unit",
            UNITS,
            "What is resampled; auto: documents, or utterances if there are fewer than 10 "
            "documents.",
            group="Intervals",
        ),
    )


def take_resampling(values: Mapping[str, Any]) -> tuple[Resampling, dict[str, Any]]:
    """The settings of resampling, and the values of the other options."""
    own, others = split(values, Resampling.__dataclass_fields__)
    return Resampling(**own), others
