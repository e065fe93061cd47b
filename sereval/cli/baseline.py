"""``sereval baseline``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import click

from ..alignment.normalise import EXACT, normalisation
from ..analysis.baseline import EntityList
from ..corpus.pairs import exact
from ..documents.model import Document, Note
from ..errors import SerevalError
from ..formats import ANNOTATIONS, WORDS, ReadingOptions, files, read_each
from ..labels.relabel import Labels
from ..labels.relabel import labels_of as labels_in
from ..runs.scoring import LABEL_OPTIONS, grammar_of, labels_of
from ..runs.sides import reading_of
from .convert import format_of, target_options, write_documents
from .help import command, option
from .inputs import (
    check_effect,
    check_paths,
    file_options,
    print_path_notes,
    tier_option,
    with_notes_told,
)
from .scoring import scoring_options


@command(
    examples=(
        "baseline data/ref data/asr/titanic.ctm titanic.jsonl --to native",
        "baseline data/ref data/ref/titanic.ne titanic.ne --only outermost",
        "baseline data/ref data/asr found/ --to native --normalise letters",
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
    """Find the entities of TRAIN in the words of IN.

    This is the baseline of a task. Each entity that has the same label everywhere in TRAIN is
    looked up in IN, from left to right, the longest entities first. Annotations of IN are ignored.
    OUT can be scored like the output of any system.
    """
    format = target_format or format_of(target)
    check_paths([train, source])
    label_map, only, level = (values[name] for name in LABEL_OPTIONS)
    labels = labels_of(label_map, only, level, grammar_of(grammar))
    form = normalisation(normalise)
    sources = {train: None, source: None}
    reading = reading_of(values, train_format, ANNOTATIONS)
    words = reading_of(values, source_format, WORDS)
    check_effect([*files(train, reading), *files(source, words)])
    training = _labelled(train, reading, labels, sources)
    known = EntityList.of(with_notes_told(train, training), form)
    documents = _exact(source, words)
    found = _found(with_notes_told(source, documents), known, train)
    write_documents(found, target, format, tags, [*sources])


def _exact(path: str, reading: ReadingOptions) -> Iterator[Document]:
    """The documents of a path, one at a time."""
    documents = read_each(path, reading)
    for document in documents:
        try:
            found = exact(document)
        except SerevalError:
            deque(documents, maxlen=0)  # an unreadable file is named first
            raise
        yield found


def _labelled(
    path: str, reading: ReadingOptions, labels: Labels, sources: dict[str, None]
) -> Iterator[Document]:
    """The training data with changed labels, one document at a time; their sources are added."""
    seen: frozenset[str] = frozenset()
    for document in _exact(path, reading):
        seen |= labels_in([document])
        found = labels.relabel(document)
        if found.source:
            sources[found.source] = None
        yield found
    if labels.has_changes:
        labels.check(seen)


def _found(documents: Iterable[Document], known: EntityList, train: str) -> Iterator[Document]:
    """Each document with its entities; after the last, the size of the list is printed."""
    yield from map(known.found_in, documents)
    counts = {
        "entities with one label, looked up": len(known.labels),
        "entities with several labels, left out": known.ambiguous,
    }
    print_path_notes(train, [Note(what, count) for what, count in counts.items() if count])
