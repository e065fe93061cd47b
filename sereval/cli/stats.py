"""``sereval stats``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import click

from ..analysis.stats import Sizes, Statistics
from ..corpus.entries import Entry
from ..corpus.executor import each
from ..corpus.pairs import Pair, apart, exact
from ..documents.model import Note, sum_notes
from ..evaluation.words import WordSettings, errors_of
from ..formats import ANNOTATIONS, WORDS
from ..labels.relabel import Labels, labels_of
from ..measures.words import WordErrors
from ..runs.groups import check_groups, read_groups
from ..runs.pairs import system_names, systems_of
from ..runs.scoring import Run, run_of
from ..runs.sides import Sides
from .help import command, option
from .inputs import (
    check_effect,
    check_paths,
    file_options,
    print_path_notes,
    print_reading_notes,
    warn_of_grammar,
)
from .outputs import output_options, with_progress
from .provenance import write_report
from .scoring import asked_of, scoring_options, workers_options


@command(
    examples=(
        "stats data/ref -g quaero",
        "stats data/ref -g quaero -w data/asr",
        "stats data/ref -f json",
    )
)
@click.argument("ref")
@option(
    "-w",
    "--words",
    metavar="HYP",
    multiple=True,
    help="The words of a recogniser, for its word error rate. May be repeated.",
)
@option(
    "--system",
    "names",
    group="Files and formats",
    metavar="NAME",
    multiple=True,
    help="Name of a recogniser, once for each --words; by default the part of each path that "
    "differs.",
)
@option(
    "--groups",
    group="Output",
    metavar="FILE",
    help="Report each group of documents too: a line for each document, its id, a tab and its "
    "group; or a TOML file.",
)
@scoring_options("stats")
@file_options("REF", ANNOTATIONS)
@workers_options
@output_options(("text", "json", "csv"))
def stats(
    *,
    ref: str,
    words: Sequence[str],
    names: Sequence[str],
    groups: str | None,
    source_format: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Count documents, words, elements and labels of REF.

    The report has distinct words and labels, types and components with --grammar, elements per word
    and depth. With --words it has the word error rate of each recogniser.
    """
    asked = asked_of({**values, "ref_format": source_format, "words": (), "align": None})
    how = run_of(asked)
    documents = _documents(ref, how, asked.sides)
    recognisers = {}
    if words:
        sides = asked.sides.wanting(ref=ANNOTATIONS, hyp=WORDS)
        heard = dict(zip(system_names(words, names), words, strict=True))
        corpus = systems_of(asked, ref, heard, how, sides=sides)
        every = corpus.by_system(partial(apart, work=_errors))
        recognisers = {name: dict(own) for name, own in every.items()}
        print_reading_notes([corpus])
    check_effect(entry.file for side in asked.known.values() for entry in side)
    grouped = {} if groups is None else read_groups(groups)
    check_groups(groups, grouped, asked.known)
    labels, grammar = how.settings.labels.signature, how.settings.grammar
    found = Statistics(documents, recognisers, grouped, grammar, labels)
    write_report(found.report(), format, output)


def _documents(ref: str, how: Run, sides: Sides) -> dict[str, Sizes]:
    """The sizes of each document, by id.

    Raises:
        SerevalError: a file cannot be read; a fuzzy reference; an option names an unknown label.
    """
    labels = how.settings.labels
    check_paths([ref])
    [entries] = sides.wanting(ref=ANNOTATIONS).entries({"ref": ref}, "--from")
    found = list(
        each(
            partial(_count, labels=labels),
            entries or [],
            name=attrgetter("id"),
            workers=how.workers,
            watch=with_progress,
            size=attrgetter("size"),
        )
    )
    own = frozenset[str]().union(*(one.labels for one in found))
    labels.check(own)
    warn_of_grammar(own)
    print_path_notes(ref, sum_notes(one.notes for one in found))
    return {one.id: one.sizes for one in found}


class _DocumentSizes(NamedTuple):
    """A document that is counted: its id, its sizes, its labels as read, its notes."""

    id: str
    sizes: Sizes
    labels: frozenset[str]
    notes: tuple[Note, ...]


def _count(entry: Entry, labels: Labels) -> _DocumentSizes:
    """Read a document, change its labels and count it."""
    document = exact(entry.read())
    changed = labels.relabel(document)
    return _DocumentSizes(document.id, Sizes.of(changed), labels_of([document]), changed.notes)


def _errors(pair: Pair) -> tuple[str, WordErrors]:
    """The id of a pair and its word errors."""
    found = errors_of(pair, WordSettings())
    return found.id, found.errors
