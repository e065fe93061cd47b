"""``sereval agreement``."""

from __future__ import annotations

from typing import Any

import click

from ..evaluation.evaluate import Evaluation
from ..report.agreement import FORMATS
from .inputs import AtLeast, side_options
from .outputs import output_options
from .provenance import write_report
from .scoring import scoring_of, scoring_options, workers_options
from .unread import score_sides


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--places",
    metavar="N",
    type=AtLeast(0),
    default=0,
    show_default=True,
    help="Number of places where an element could have been; 0 counts none without one.",
)
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Count a substitution as something that either side lacks, not as a disagreement.",
)
@side_options
@scoring_options("agreement", "slots")
@workers_options
@output_options(FORMATS)
def agreement(
    *, a: str, b: str, places: int, is_open: bool, format: str, output: str, **given: Any
) -> None:
    """Agreement between the annotators of A and B: S, pi, kappa and F."""
    how, sides = scoring_of(given)
    evaluation = score_sides(a, b, how, how.score, **sides)
    assert isinstance(evaluation, Evaluation)
    report = FORMATS[format](evaluation, places=places, is_open=is_open)
    write_report(report, format, output)
