"""The options of resampling, and the settings that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from ..analysis.resampling import UNITS, Resampling
from .help import option
from .options import AtLeast, Share, choice_option, options
from .scoring import on_command_line, split

DEFAULT = Resampling()


def resampling_options(
    resamples: str, confidence: float | None = DEFAULT.confidence
) -> Callable[[Any], Any]:
    """The options of resampling, as one decorator.

    Args:
        resamples: the help of ``--resamples``.
        confidence: the default of ``--confidence``; ``None``: without it there are no intervals.
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
            default=confidence,
            help="Confidence level of the intervals"
            + ("." if confidence else ", such as 0.95; without it there are none."),
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


def asked_resampling(values: Mapping[str, Any]) -> tuple[Resampling | None, dict[str, Any]]:
    """The settings of resampling if ``--confidence`` asks for an interval, and the other options.

    Raises:
        click.UsageError: an option of resampling without ``--confidence``.
    """
    if values["confidence"] is not None:
        return take_resampling(values)
    own, others = split(values, Resampling.__dataclass_fields__)
    flags = on_command_line(click.get_current_context())
    for name in own:
        if name in flags:
            raise click.UsageError(f"{flags[name]} goes with --confidence")
    return None, others
