"""``sereval show``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from ..documents.model import Document, Reference
from ..formats import ANNOTATIONS, ReadingOptions, read_all
from ..report import show, show_svg
from .audit import terminal
from .inputs import (
    AtLeast,
    check_ids,
    check_paths,
    columns_option,
    encoding_option,
    read_option,
    say,
    say_mentions,
    say_unknown,
)
from .outputs import check_terminal, output_option, write

SVG = "svg"


@click.command("show")
@click.argument("file")
@click.option(
    "--document",
    "documents",
    metavar="ID",
    multiple=True,
    help="Show this document only; may be repeated.",
)
@click.option(
    "--label",
    "labels",
    metavar="LABEL",
    multiple=True,
    help="Show elements with this label only, and the words around them; may be repeated.",
)
@click.option(
    "--format",
    type=click.Choice(["text", SVG]),
    help="Format of the result; by default text, or svg where FILE.svg is written.",
)
@click.option(
    "--width",
    metavar="N",
    type=AtLeast(show.NARROWEST),
    help="Of a line, in characters; by default the terminal's, else 100, in a picture 120.",
)
@output_option("FILE", "Write the result there instead of to standard output.")
@click.option(
    "--from",
    "source_format",
    type=click.Choice(ANNOTATIONS),
    help="Format of FILE; by default the suffix says it.",
)
@encoding_option
@read_option
@columns_option
def show_command(
    *,
    file: str,
    documents: Sequence[str],
    labels: Sequence[str],
    format: str | None,
    width: int | None,
    output: str,
    source_format: str | None,
    encoding: str,
    reading: ReadingOptions,
    columns: tuple[str, ...],
) -> None:
    """Draw the trees of FILE: elements as brackets over its words.

    Of a fuzzy reference each element is drawn in one of its places; where else it may start and
    end stands under the words.
    """
    check_paths([file])
    if format == SVG:
        check_terminal(format, output)
    how = replace(
        reading, format=source_format, wanted=ANNOTATIONS, encoding=encoding, columns=columns
    )
    found = read_all(file, how)
    say(file, found)
    chosen = _chosen(found, documents)
    say_mentions(file, chosen)
    _say_if_none(chosen, labels)
    if (format or output[-len(SVG) - 1 :].lower()) in (SVG, f".{SVG}"):
        write(show_svg.render(chosen, labels, width=width or 120), output)
        return
    look = terminal() if output == "-" else {}
    text = show.render(chosen, labels, **(look | ({"width": width} if width else {})))
    write(text, output, on_terminal=str)  # its colours are commands, and there are no others


def _chosen(
    found: Sequence[Document | Reference], documents: Sequence[str]
) -> list[Document | Reference]:
    """The documents that were asked for."""
    check_ids(documents, [document.id for document in found])
    return [document for document in found if not documents or document.id in documents]


def _say_if_none(found: Sequence[Document | Reference], labels: Sequence[str]) -> None:
    """A word on stderr for each label that nothing has, which may be a slip of the pen."""
    known: set[str] = set()
    for document in found:
        if isinstance(document, Document):
            known.update(element.label for element in document.elements)
        else:
            lost = (unplaceable.element for unplaceable in document.unplaceable)
            for element in (*document.elements, *lost):
                known.update(element.labels)
    say_unknown(labels, known)
