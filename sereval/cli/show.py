"""``sereval show``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..documents.model import Document, Reference
from ..formats import ANNOTATIONS, files, read_each
from ..render.picture import NARROWEST
from ..report import show
from ..runs.sides import reading_of, with_ids
from .help import command, option
from .inputs import (
    check_effect,
    check_paths,
    document_option,
    file_options,
    label_option,
    print_document_notes,
    print_lost_mentions,
    warn_of_unknown,
)
from .options import AtLeast
from .outputs import output_options, terminal_look, write


@command(
    "show",
    examples=(
        "show data/ref/lindbergh.ne",
        "show data/ref --document titanic --label pers.ind",
    ),
)
@click.argument("file")
@document_option
@label_option("Show elements with this label only, and the words around them. May be repeated.")
@option(
    "--width",
    group="Output",
    metavar="N",
    type=AtLeast(NARROWEST),
    help="Width of a line, in characters; by default that of the terminal, or 100 without one.",
)
@output_options(("text",))
@file_options("FILE", ANNOTATIONS)
def show_command(
    *,
    file: str,
    documents: Sequence[str],
    labels: Sequence[str],
    format: str,
    width: int | None,
    output: str,
    source_format: str | None,
    **values: Any,
) -> None:
    """Draw the elements of FILE as brackets over its words.

    An element of a fuzzy reference is drawn in one of its places. The other frontiers where it may
    start or end are marked under the words.
    """
    check_paths([file])
    reading = reading_of(values, source_format, ANNOTATIONS)
    check_effect(files(file, reading))
    found = list(read_each(file, reading))
    print_document_notes(file, found)
    chosen = with_ids(found, documents)
    exact = [one for one in chosen if isinstance(one, Document)]
    print_lost_mentions(file, sum(len(one.mentions or ()) for one in exact))
    warn_of_unknown(labels, _labels(chosen))
    look = terminal_look() if output == "-" else {}
    text = show.render(chosen, labels, **(look | ({"width": width} if width else {})))
    write(text, output, on_terminal=str)  # the text holds no control characters but its colours


def _labels(documents: Sequence[Document | Reference]) -> set[str]:
    """The labels of all elements, unplaceable ones too."""
    labels: set[str] = set()
    for document in documents:
        if isinstance(document, Document):
            labels.update(element.label for element in document.elements)
        else:
            unplaceable = (lost.element for lost in document.unplaceable)
            for element in (*document.elements, *unplaceable):
                labels.update(element.labels)
    return labels
