"""``sereval baseline``."""

from __future__ import annotations

from typing import Any

import click

from ..alignment.normalise import EXACT, normalisation
from ..analysis.baseline import EntityList
from ..corpus.pairs import exact
from ..documents.notes import Note
from ..formats import ANNOTATIONS, WORDS, read_all
from ..runs.scoring import LABEL_OPTIONS, grammar_of, labels_of, split
from ..runs.sides import reading_of
from .convert import format_of, target_options, write_documents
from .help import command, option
from .inputs import check_paths, file_options, print_document_notes, print_path_notes, tier_option
from .scoring import scoring_options


@command(
    examples=(
        "baseline ref/lindbergh.ne ref/titanic.ne titanic.ne --only outermost",
        "baseline ref asr found/ --to native --normalise letters",
    )
)
@click.argument("train")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@scoring_options("baseline", normalise=EXACT.name)
@option(
    "--train-format",
    group="Files and formats",
    type=click.Choice(ANNOTATIONS),
    metavar="FORMAT",
    help="Format of TRAIN; by default the suffix says it. As --from.",
)
@file_options("IN", WORDS, tier_option)
@target_options
def baseline(
    *,
    train: str,
    source: str,
    target: str,
    train_format: str | None,
    source_format: str | None,
    target_format: str | None,
    tags: str | None,
    grammar: str | None,
    normalise: str,
    **values: Any,
) -> None:
    """Find the entities of TRAIN in the words of IN, the baseline of a task.

    Each entity that has the same label everywhere in TRAIN is looked up in IN, from left to right,
    the longest entities first. Annotations of IN are ignored. OUT can be scored like the output of
    any system.
    """
    format = target_format or format_of(target)
    check_paths([train, source])
    of_labels, values = split(values, LABEL_OPTIONS)
    labels = labels_of(**of_labels, grammar=grammar_of(grammar))
    form = normalisation(normalise)
    training = [*map(exact, read_all(train, reading_of(values, train_format, ANNOTATIONS)))]
    training, _ = labels.applied(training, [])
    print_document_notes(train, training)
    known = EntityList.of(training, form)
    documents = [*map(exact, read_all(source, reading_of(values, source_format, WORDS)))]
    print_document_notes(source, documents)
    counts = {
        "entities with one label, looked up": len(known.labels),
        "entities with several labels, left out": known.ambiguous,
    }
    print_path_notes(train, [Note(what, count) for what, count in counts.items() if count])
    found = [known.found_in(document) for document in documents]
    sources = [train, source, *(one.source for one in training if one.source)]
    write_documents(found, target, format, tags, sources)
