"""``sereval score``."""

from __future__ import annotations

from typing import Any

import click

from ..evaluate import SEARCHES
from ..mitre import PAIRINGS
from ..report import RENDERERS
from ..report.scheme import FORMATS
from ..report.text import lost
from ..scheme import Options
from ..schemes import SCHEMES
from .inputs import side_options
from .outputs import output_options, write
from .scoring import scheme_sides, score_sides, scoring_with, words_options


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@words_options
@scoring_with([*SEARCHES, *SCHEMES])
@click.option(
    "--extent-tolerance",
    "extent",
    metavar="N",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Words that a boundary may be off by if they are all errors, with --scheme mitre.",
)
@click.option(
    "--mapping",
    type=click.Choice(list(PAIRINGS)),
    default="greedy",
    show_default=True,
    help="How entities are paired, with --scheme mitre or muc.",
)
@click.option(
    "--upper-bound",
    "is_bound",
    is_flag=True,
    help="Score what a perfect tagger would find on HYP's words, in the place of its elements.",
)
@output_options(RENDERERS)
def score(
    *,
    ref: str,
    hyp: str,
    scheme: str,
    extent: int,
    mapping: str,
    is_bound: bool,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    if scheme in SCHEMES:
        if is_bound:
            raise click.UsageError("--upper-bound has no part in this scheme")
        found = scheme_sides(
            SCHEMES[scheme], ref, hyp, scheme_options=Options(extent, mapping), **given
        )
        write(FORMATS[format](found), output)
        return
    evaluation = score_sides(ref, hyp, scheme=scheme, is_bound=is_bound, **given)
    write(RENDERERS[format](evaluation), output)
    if format == "csv" and evaluation.counts.unplaceable:  # the other formats have a place for it
        click.echo(lost(evaluation), err=True)
