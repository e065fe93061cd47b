"""``sereval score``."""

from __future__ import annotations

from typing import Any

import click

from ..evaluate import SEARCHES
from ..report import RENDERERS
from ..report.scheme import FORMATS
from ..report.text import lost
from ..schemes import SCHEMES
from .inputs import side_options
from .outputs import output_options, write
from .scoring import scheme_sides, score_sides, scoring_with, tolerance_option


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@tolerance_option
@scoring_with([*SEARCHES, *SCHEMES])
@output_options(RENDERERS)
def score(*, ref: str, hyp: str, scheme: str, format: str, output: str, **given: Any) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    if scheme in SCHEMES:
        write(FORMATS[format](scheme_sides(SCHEMES[scheme], ref, hyp, **given)), output)
        return
    evaluation = score_sides(ref, hyp, scheme=scheme, **given)
    write(RENDERERS[format](evaluation), output)
    if format == "csv" and evaluation.counts.unplaceable:  # the other formats have a place for it
        click.echo(lost(evaluation), err=True)
