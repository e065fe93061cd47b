"""The trees of documents in the terminal, as brackets over the words, with all candidates.

A fuzzy reference is drawn at its strict frontiers if all its tags fit there. Otherwise it is drawn
at the candidates with the least sum of distances to the strict frontiers. A range under the words
shows the other candidates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ..documents.model import Document, Reference, ReferenceElement
from ..evaluation.evaluate import placed
from ..labels import labels_of
from ..render.picture import (
    LEGEND,
    NARROWEST,
    Bracket,
    Column,
    Range,
    heights,
    pieces,
    range_of,
    shorten,
)
from ..render.report import Line, Look, Report, clip, counted, paragraph, styled, wrapped

PALETTE = (
    "dodger_blue1",
    "green3",
    "dark_orange",
    "magenta",
    "cyan",
    "red",
    "gold3",
    "medium_purple1",
    "spring_green3",
    "hot_pink",
)

AROUND = 4
"""The words shown on either side of an element if only some elements are requested."""


def report_of(
    documents: Sequence[Document | Reference], labels: Collection[str] = (), command: str = "show"
) -> Report:
    """The words of each document under the brackets of its elements."""
    return Report(command, {}, lambda look: _text(documents, labels, look))


def _lost(every: Reference) -> list[tuple[ReferenceElement, str]]:
    """The elements without a place, and their fates."""
    return [
        (
            one.element,
            one.fate if one.into is None else f"merged into {every.elements[one.into].label}",
        )
        for one in every.unplaceable
    ]


def _text(
    documents: Sequence[Document | Reference], labels: Collection[str], look: Look
) -> Iterator[str]:
    width = max(look.width, NARROWEST)
    known = sorted(labels_of(documents))
    styles = {label: PALETTE[k % len(PALETTE)] for k, label in enumerate(known)}
    found: list[Line] = []
    has_ranges = False
    for document in documents:
        if isinstance(document, Reference):
            every, drawn = placed(replace(document, unplaceable=()))
            lost = [*_lost(document), *_lost(every)]
        else:
            every, drawn, lost = Reference.exact(document), document, []
        chosen = [k for k, one in enumerate(every.elements) if _is_wanted(one, labels)]
        wanted = [(one, fate) for one, fate in lost if _is_wanted(one, labels)]
        if labels and not chosen and not wanted:
            continue
        columns, brackets, ranges = _picture(every, drawn, chosen, styles, has_all=not labels)
        has_ranges = has_ranges or bool(ranges)
        found += [_title(every, len(lost), width), *_drawn(columns, brackets, ranges, width)]
        for one, fate in wanted:
            text = f"no place for {'|'.join(one.labels)} ({fate})"
            found += paragraph(text, width, "dim")
        found.append(Line())
    if has_ranges:
        found += [*(styled(text, "dim") for text in wrapped(LEGEND, width)), Line()]
    yield from (line.render(look.colour) for line in found[:-1])


def _is_wanted(element: ReferenceElement, labels: Collection[str]) -> bool:
    return not labels or not set(labels).isdisjoint(element.labels)


def _is_open(element: ReferenceElement) -> bool:
    return len(element.starts) > 1 or len(element.ends) > 1


def _title(every: Reference, lost: int, width: int) -> Line:
    """The name of a document, and the numbers of its words and elements."""
    title = styled(clip(every.id, width // 2), "bold")
    parts = [counted(len(every.words), "word"), counted(len(every.elements), "element")]
    open_tags = sum(map(_is_open, every.elements))
    parts += [f"{open_tags} with a choice of places"] if open_tags else []
    parts += [f"{lost} without a place"] if lost else []
    title.put(len(title) + 2, ", ".join(parts), "dim")
    return title


def _drawn(
    columns: Sequence[Column], brackets: Sequence[Bracket], ranges: Sequence[Range], width: int
) -> Iterator[Line]:
    """The lines of a picture, with the number of the first word of each piece."""
    gutter = len(str(max((column.at for column in columns), default=0))) + 1
    is_over = False  # whether the piece above has brackets or ranges
    least = 2 if ranges else 1
    for piece in pieces(columns, gutter, width, brackets, ranges=ranges, narrowest=least):
        lines = [*piece.above, *piece.words, *piece.ranges]
        if len(lines) > 1 or is_over:
            yield Line()
        number = next((str(column.at) for column in piece.columns if column.at >= 0), "")
        piece.words[0].put(gutter - 1 - len(number), number, "dim")
        yield from lines
        is_over = len(lines) > 1


def _picture(
    every: Reference,
    drawn: Document,
    chosen: Sequence[int],
    styles: Mapping[str, str],
    *,
    has_all: bool,
) -> tuple[list[Column], list[Bracket], list[Range]]:
    """The words, or those near the chosen elements, with the brackets of these elements."""
    parents: dict[int, int | None] = {}
    for k in chosen:
        parent = drawn.elements[k].parent
        while parent is not None and parent not in parents:
            parent = drawn.elements[parent].parent
        parents[k] = parent
    height = heights(parents)
    brackets, ranges = [], []
    inside: set[int] = set()
    for k in chosen:
        one, put = every.elements[k], drawn.elements[k]
        name, style = clip("|".join(one.labels)), styles[one.label]
        brackets.append(Bracket(put.start, put.end, name, style, height[k]))
        inside.update(range(min(one.starts), max(one.ends)))
        if _is_open(one):
            places, frontiers = (one.starts, one.ends), (put.start, put.end)
            ranges.append(range_of(name, style, places, frontiers, range(len(every.words))))
    near = {at + by for at in inside for by in range(-AROUND, AROUND + 1)}
    columns: list[Column] = []
    for start, end in pairwise((0, *drawn.breaks, len(every.words))):
        if has_all or not inside.isdisjoint(range(start, end)):
            own = shorten(range(start, end), lambda at: not has_all and at not in near)
            columns += (
                Column(at, ["…" if at < 0 else clip(every.words[at])], begins=k == 0)
                for k, at in enumerate(own)
            )
    return columns, brackets, ranges
