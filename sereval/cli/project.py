"""``sereval project``."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from ..corpus.pairing import Pair, exact
from ..documents.model import Document, Reference
from ..errors import one_line
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..formats import FORMATS, WORDS, WRITERS
from ..report.projection import PROJECTIONS
from .inputs import side_options
from .outputs import output_options, write
from .scoring import HOW_WORDS_MEET, how_words_meet, scoring_of, scoring_options, split
from .unread import check_labels, pairs_of, say_read


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
    pairs = pairs_of(ref, hyp, how, has_stand_ins=True, formats={"hyp": WORDS}, **sides)
    projected = list(pairs.each(partial(_projected, settings=settings)))
    check_labels([pairs], settings.labels)
    say_read([pairs])
    write(PROJECTIONS[format](projected), output)
    if format in WRITERS:  # which convert says of it too
        for _, reference in projected:
            for note in FORMATS[format].write(reference).lost:
                click.echo(one_line(f"sereval: lost in {format}: {note}"), err=True)


def _projected(pair: Pair, settings: Settings) -> tuple[Document, Reference]:
    """A reference as it was, and on the words of its hypothesis."""
    reference, hypothesis = exact(pair[0]), pair[1]
    return reference, projection(reference, hypothesis, settings)[0]
