"""``sereval project``."""

from __future__ import annotations

from typing import Any

import click

from ..errors import one_line
from ..evaluation.evaluate import paired, projection
from ..formats.writers import WRITERS
from ..report.projection import PROJECTIONS
from .inputs import WORDS, exact, read_sides, side_options
from .outputs import output_options, write
from .scoring import HOW_WORDS_MEET, how_words_meet, scoring_of, scoring_options, split


@click.command()
@click.argument("ref")
@click.argument("hyp", required=False)
@side_options
@scoring_options("project")
@output_options(PROJECTIONS)
def project(
    *,
    ref: str,
    hyp: str | None,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Carry REF onto the words of HYP, or of --words: the fuzzy reference."""
    words, _ = split(given, HOW_WORDS_MEET)
    if how_words_meet(**words) == (None, None):
        raise click.UsageError("a projection needs a --tolerance in time, or --by text or phones")
    if hyp is None and not given["words"]:
        raise click.UsageError("expected HYP or --words: the words to carry REF onto")
    how, sides = scoring_of(given)
    settings = how.settings
    references, hypotheses = read_sides(ref, hyp, empty=True, hypotheses_are=WORDS, **sides)
    projected = [
        (reference, projection(reference, hypothesis, settings)[0])
        for reference, hypothesis in paired(exact(references), hypotheses, settings)
    ]
    write(PROJECTIONS[format](projected), output)
    if format in WRITERS:  # which convert says of it too
        for _, reference in projected:
            for note in WRITERS[format].write(reference).lost:
                click.echo(one_line(f"sereval: lost in {format}: {note}"), err=True)
