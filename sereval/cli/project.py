"""``sereval project``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from ..corpus.corpus import Corpus
from ..corpus.pairs import Pair, apart, exact
from ..documents.model import Document, Reference
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..formats import WORDS, WRITERS
from ..formats.build import written
from ..report.projection import PROJECTIONS
from ..runs.pairs import systems_of
from ..runs.scoring import run_of
from .help import command
from .inputs import check_effect, files_of, print_reading_notes, side_options
from .outputs import SUFFIXES, output_options, write
from .scoring import asked_of, scoring_options
from .streams import warn


@command(
    examples=(
        "project data/ref -w data/asr -a data/align -t 0.3",
        "project data/ref data/hyp/gazetteer/asr --by text",
        "project data/ref -w data/asr -a data/align -t 0.3 -o fuzzy.jsonl",
    )
)
@click.argument("ref")
@click.argument("hyp", required=False)
@side_options
@scoring_options("project")
@output_options(PROJECTIONS, suffixes={**SUFFIXES, "jsonl": "json"})
def project(
    *,
    ref: str,
    hyp: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Project REF onto the words of another transcript.

    The words are those of HYP or of --words. The result is a fuzzy reference, which lists where
    each element may start and end.
    """
    asked = asked_of(values)
    how = run_of(asked)
    if not how.settings.is_projected:
        raise click.UsageError("a projection needs a --tolerance in time, or --by text or phones")
    if hyp is None and not values["words"]:
        raise click.UsageError("expected HYP or --words: the words to carry REF onto")
    settings = how.settings
    pairs = systems_of(
        asked, ref, {"": hyp}, how, sides=asked.sides.wanting(hyp=WORDS), has_stand_ins=True
    )
    last: list[Reference] = []
    write(PROJECTIONS[format](_projected(pairs, settings, last)), output)
    if format in WRITERS:
        [reference] = last  # the format holds one document
        for note in written(reference, format).lost:
            warn(f"lost in {format}: {note}")


def _projected(
    pairs: Corpus, settings: Settings, last: list[Reference]
) -> Iterator[tuple[Document, Reference]]:
    """Each reference with its projection, which stays in ``last`` until the next one."""
    work = partial(apart, work=partial(_project, settings=settings))
    for _, (document, reference) in pairs.each(work):
        last[:] = [reference]
        yield document, reference
    settings.labels.check(pairs.labels, settings.neutral)
    check_effect(files_of([pairs]))
    print_reading_notes([pairs])


def _project(pair: Pair, settings: Settings) -> tuple[Document, Reference]:
    """A reference as it was read, and its projection onto the words of its hypothesis."""
    reference, hypothesis = exact(pair[0]), pair[1]
    return reference, projection(reference, hypothesis, settings)[0]
