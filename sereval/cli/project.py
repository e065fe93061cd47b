"""``sereval project``."""

from __future__ import annotations

from typing import Any

import click

from ..evaluate import Settings, paired, projection
from ..report import PROJECTIONS
from .inputs import WORDS, exact, read_sides, side_options
from .outputs import output_options, write
from .scoring import TOLERANCE_HELP, parsed, tolerance_pair, unplaceable_option


@click.command()
@click.argument("ref")
@click.argument("hyp", required=False)
@side_options
@click.option(
    "--tolerance",
    metavar="SECONDS",
    callback=parsed(tolerance_pair),
    required=True,
    help=TOLERANCE_HELP,
)
@unplaceable_option
@output_options(PROJECTIONS)
def project(
    *,
    ref: str,
    hyp: str | None,
    tolerance: tuple[int, int],
    unplaceable: str,
    format: str,
    output: str,
    **sides: Any,
) -> None:
    """Carry REF onto the words of HYP, or of --words, through time: the fuzzy reference."""
    references, hypotheses = read_sides(ref, hyp, empty=True, hypotheses_are=WORDS, **sides)
    settings = Settings(tolerance, unplaceable)
    projected = [
        (reference, projection(reference, hypothesis, settings)[0])
        for reference, hypothesis in paired(exact(references), hypotheses, settings)
    ]
    write(PROJECTIONS[format](projected), output)
