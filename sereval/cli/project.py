"""``sereval project``."""

from __future__ import annotations

from typing import Any

import click

from ..errors import one_line
from ..evaluation.evaluate import paired, projection
from ..evaluation.settings import Settings
from ..formats import FORMATS, WORDS, WRITERS
from ..labels.grammar import load
from ..report.projection import PROJECTIONS
from .inputs import exact, read_sides, side_options
from .outputs import output_options, write
from .scoring import (
    HOW_WORDS_MEET,
    LABEL_OPTIONS,
    asked_labels,
    grammar_option,
    how_words_meet,
    label_options,
    split,
    unplaceable_option,
    words_options,
)


@click.command()
@click.argument("ref")
@click.argument("hyp", required=False)
@side_options
@words_options
@unplaceable_option
@label_options
@grammar_option
@output_options(PROJECTIONS)
def project(
    *,
    ref: str,
    hyp: str | None,
    unplaceable: str,
    grammar: str | None,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Carry REF onto the words of HYP, or of --words: the fuzzy reference."""
    words, sides = split(given, *HOW_WORDS_MEET)
    asked, sides = split(sides, *LABEL_OPTIONS)
    tolerance, through = how_words_meet(**words)
    if tolerance is None and through is None:
        raise click.UsageError("a projection needs a --tolerance in time, or --by text or phones")
    if hyp is None and not sides["words"]:
        raise click.UsageError("expected HYP or --words: the words to carry REF onto")
    references, hypotheses = read_sides(ref, hyp, empty=True, hypotheses_are=WORDS, **sides)
    labels = asked_labels(**asked, grammar=load(grammar) if grammar else None)
    settings = Settings(tolerance, unplaceable, through=through, labels=labels)
    projected = [
        (reference, projection(reference, hypothesis, settings)[0])
        for reference, hypothesis in paired(exact(references), hypotheses, settings)
    ]
    write(PROJECTIONS[format](projected), output)
    if format in WRITERS:  # which convert says of it too
        for _, reference in projected:
            for note in FORMATS[format].write(reference).lost:
                click.echo(one_line(f"sereval: lost in {format}: {note}"), err=True)
