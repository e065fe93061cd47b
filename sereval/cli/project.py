"""``sereval project``."""

from __future__ import annotations

from typing import Any

import click

from ..evaluate import Settings, paired, projection
from ..report import PROJECTIONS
from .inputs import WORDS, exact, read_sides, side_options
from .outputs import output_options, write
from .scoring import how_words_meet, split, unplaceable_option, words_options


@click.command()
@click.argument("ref")
@click.argument("hyp", required=False)
@side_options
@words_options
@unplaceable_option
@output_options(PROJECTIONS)
def project(
    *,
    ref: str,
    hyp: str | None,
    unplaceable: str,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Carry REF onto the words of HYP, or of --words: the fuzzy reference."""
    words, sides = split(given)
    tolerance, through = how_words_meet(**words)
    if tolerance is None and through is None:
        raise click.UsageError("a projection needs a --tolerance in time, or --by text or phones")
    if hyp is None and not sides["words"]:
        raise click.UsageError("expected HYP or --words: the words to carry REF onto")
    references, hypotheses = read_sides(ref, hyp, empty=True, hypotheses_are=WORDS, **sides)
    settings = Settings(tolerance, unplaceable, through=through)
    projected = [
        (reference, projection(reference, hypothesis, settings)[0])
        for reference, hypothesis in paired(exact(references), hypotheses, settings)
    ]
    write(PROJECTIONS[format](projected), output)
