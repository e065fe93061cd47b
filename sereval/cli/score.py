"""``sereval score``."""

from __future__ import annotations

from typing import Any

import click

from ..report import RENDERERS
from ..report.text import lost
from .inputs import side_options
from .outputs import output_options, write
from .scoring import score_sides, scoring_options, tolerance_option


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@tolerance_option
@scoring_options
@output_options(RENDERERS)
def score(*, ref: str, hyp: str, format: str, output: str, **given: Any) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    evaluation = score_sides(ref, hyp, **given)
    write(RENDERERS[format](evaluation), output)
    if format == "csv" and evaluation.counts.unplaceable:  # the other formats have a place for it
        click.echo(lost(evaluation), err=True)
