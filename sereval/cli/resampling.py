"""The options of resampling, and the settings that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from ..analysis.compare import UNITS, Resampling
from ..runs.scoring import split
from .options import AtLeast, Share, choice_option, options

DEFAULT = Resampling()


def resampling_options(resamples: str, *, has_unit: bool = True) -> Callable[[Any], Any]:
    """The options of resampling, as one decorator.

    Args:
        resamples: the help of ``--resamples``.
        has_unit: whether the user chooses the unit.
    """
    unit = choice_option(
        "--unit",
        UNITS,
        "What is resampled; auto: documents, or utterances if there are fewer than 10 documents.",
    )
    return options(
        click.option(
            "--resamples",
            metavar="N",
            type=AtLeast(1),
            default=DEFAULT.resamples,
            help=resamples,
        ),
        click.option(
            "--seed",
            metavar="N",
            type=AtLeast(0),
            default=DEFAULT.seed,
            help="Seed of the random numbers: equal seeds give equal reports.",
        ),
        click.option(
            "--confidence",
            metavar="RATE",
            type=Share(),
            default=DEFAULT.confidence,
            help="Confidence level of the intervals.",
        ),
        *([unit] if has_unit else []),
    )


def take_resampling(values: Mapping[str, Any]) -> tuple[Resampling, dict[str, Any]]:
    """The settings of resampling, and the values of the other options."""
    own, others = split(values, Resampling.__dataclass_fields__)
    return Resampling(**own), others
