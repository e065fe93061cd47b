"""The options that say what is read, and the reading itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from ..errors import SerevalError
from ..model import Document, Reference
from ..readers import read
from ..words import time_words

ANNOTATIONS = ("inline", "native")
TIMES = ("textgrid", "ctm", "native")
HYPOTHESES = (*ANNOTATIONS, "textgrid", "ctm")


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order of ``--help``."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def _format_option(side: str, formats: Iterable[str]) -> Callable[[Any], Any]:
    return click.option(
        f"--{side}-format",
        type=click.Choice(list(formats)),
        help=f"Format of {side.upper()}; by default its suffix says it.",
    )


side_options = options(
    click.option("--align", metavar="TIMES", help="Times of REF's words: TextGrid, CTM or native."),
    click.option("--words", metavar="TIMES", help="Times of HYP's words: CTM, TextGrid or native."),
    _format_option("ref", ANNOTATIONS),
    _format_option("hyp", HYPOTHESES),
    _format_option("align", TIMES),
    _format_option("words", TIMES),
    click.option("--tier", help="Exact name of the TextGrid tier that holds the words."),
    click.option("--encoding", default="utf-8", show_default=True, help="Of the input files."),
)


def read_sides(
    ref: str, hyp: str | None, *, empty: bool = False, **given: Any
) -> tuple[list[Document | Reference], list[Document]]:
    """Read both sides, and give their words the times that stand in other files.

    Args:
        empty: whether words without a hypothesis are a hypothesis without elements.
        given: the values of ``side_options``.
    """
    references = _reading(ref, "ref", ANNOTATIONS, given)
    hypotheses = [] if hyp is None else exact(_reading(hyp, "hyp", HYPOTHESES, given))
    references, hypotheses = _named(references, hypotheses)
    if given["align"]:
        times = exact(_reading(given["align"], "align", TIMES, given))
        references = [_timed(document, times) for document in references]
    if given["words"]:
        times = exact(_reading(given["words"], "words", TIMES, given))
        known = {document.id for document in hypotheses}
        hypotheses = [_timed(document, times) for document in hypotheses]
        if empty:
            wanted = {document.id for document in references} - known
            hypotheses += [words for words in times if words.id in wanted]
    return references, hypotheses


def _reading(
    path: str, side: str, wanted: Sequence[str], given: Mapping[str, Any]
) -> list[Document | Reference]:
    return read(
        path,
        format=given[f"{side}_format"],
        wanted=wanted,
        encoding=given["encoding"],
        tier=given["tier"],
    )


def exact(documents: Iterable[Document | Reference]) -> list[Document]:
    """Documents that are not fuzzy references."""
    found = []
    for document in documents:
        if isinstance(document, Reference):
            raise SerevalError(
                f"{document.id}: found a fuzzy reference (starts and ends), "
                "expected a document with one start and end for each element"
            )
        found.append(document)
    return found


def _named(
    references: list[Document | Reference], hypotheses: list[Document]
) -> tuple[list[Document | Reference], list[Document]]:
    """Give a document from standard input, which has no name, the name of the other side's."""
    if len(references) == 1 == len(hypotheses):
        [reference], [hypothesis] = references, hypotheses
        if hypothesis.id == "-":
            return references, [replace(hypothesis, id=reference.id)]
        if reference.id == "-":
            return [replace(reference, id=hypothesis.id)], hypotheses
    return references, hypotheses


def _timed(document: Document | Reference, times: Sequence[Document]) -> Document:
    """A document with the times of the time file of its name."""
    [annotated] = exact([document])
    of_id = {timed.id: timed for timed in times}
    if document.id not in of_id:
        raise SerevalError(
            f"document {document.id} has no times, expected some of that name among: "
            f"{', '.join(sorted(of_id)[:3])}{', …' if len(of_id) > 3 else ''}"
        )
    return time_words(annotated, of_id[document.id])
