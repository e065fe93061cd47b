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
from ..formats.writers import WRITERS
from ..labels.grammar import load
from ..report.projection import PROJECTIONS
from .inputs import WORDS, side_options
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
from .unread import check_labels, say_read, streamed


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
    labels = asked_labels(**asked, grammar=load(grammar) if grammar else None)
    settings = Settings(tolerance, unplaceable, through=through, labels=labels)
    formats = {"hyp": WORDS}
    pairs = streamed(ref, hyp, settings, is_heard_enough=True, formats=formats, **sides)
    projected = list(pairs.each(partial(_projected, settings=settings)))
    check_labels([pairs], labels)
    say_read([pairs])
    write(PROJECTIONS[format](projected), output)
    if format in WRITERS:  # which convert says of it too
        for _, reference in projected:
            for note in WRITERS[format].write(reference).lost:
                click.echo(one_line(f"sereval: lost in {format}: {note}"), err=True)


def _projected(pair: Pair, settings: Settings) -> tuple[Document, Reference]:
    """A reference as it was, and on the words of its hypothesis."""
    reference, hypothesis = exact(pair[0]), pair[1]
    return reference, projection(reference, hypothesis, settings)[0]
