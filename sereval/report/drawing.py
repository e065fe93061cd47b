"""The drawing of a document for the terminal: its trees as brackets over its words.

A fuzzy reference is drawn at its strict frontiers if all its tags fit there. Otherwise it is drawn
at the candidates with the least sum of distances to the strict frontiers. A range under the words
shows the other candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..documents.model import Document, Reference, ReferenceElement, Unplaceable
from ..errors import one_line
from ..mapping.best import upper_bound
from ..projection.project import place
from ..render.cells import clip, size
from ..render.numbers import counted
from .brackets import Bracket, CandidateRange, bracket_size, heights, pieces, shorten, widen

AROUND = 4
"""The words shown on either side of an element if only some elements are requested."""

LEGEND = (
    "under the words: [ ] where it is drawn, < where else it may start, > where else it may end, "
    "| both"
)


class Piece(NamedTuple):
    """Words that fit a line, the brackets over them, and the ranges with a mark next to them."""

    words: list[int]
    brackets: list[Bracket]
    ranges: list[CandidateRange]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The drawing of one document.

    Args:
        id: the document's name.
        about: the numbers of its words and elements, as text.
        words: the text of each word, by index; a negative index stands for words left out.
        brackets: the requested elements; the outermost element of a tree has the greatest height.
        ranges: the requested elements that have several candidates.
        unplaceable: the requested elements that have no place, and their fates.
        lines: the indices of ``words``, a tuple for each utterance.
    """

    id: str
    about: str
    words: Mapping[int, str]
    brackets: tuple[Bracket, ...]
    ranges: tuple[CandidateRange, ...]
    unplaceable: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]

    def laid_out(
        self, room: int, needed: Callable[[str], int] = bracket_size
    ) -> tuple[dict[int, int], list[Piece]]:
        """The cells of each word, and the pieces of the drawing.

        Args:
            room: the cells of a line.
            needed: computes the cells that a bracket with some name needs.
        """
        sizes = {at: size(word) for at, word in self.words.items()}
        sizes = widen(self.brackets, sizes, needed)
        found = [Piece(piece, [], []) for line in self.lines for piece in pieces(line, sizes, room)]
        home = {at: k for k, piece in enumerate(found) for at in piece.words}
        for one in self.brackets:
            for k in sorted({home[at] for at in range(one.first, one.after) if at in home}):
                found[k].brackets.append(one)
        for each in self.ranges:
            for k in sorted({home[at] for at, _, _ in each.marks() if at in home}):
                found[k].ranges.append(each)
        return sizes, found


def styles(documents: Iterable[Document | Reference], palette: Sequence[str]) -> dict[str, str]:
    """A style for each label, in alphabetical order. If there are too few styles, they repeat.

    >>> from sereval.documents.model import Element
    >>> styles([Document("d", ("Dol",), (Element("loc", 0, 1),))], ["red", "blue"])
    {'loc': 'red'}
    """
    labels: set[str] = set()
    for document in documents:
        labels.update(element.label for element in document.elements)
        if isinstance(document, Reference):
            labels.update(lost.element.label for lost in document.unplaceable)
    return {label: palette[k % len(palette)] for k, label in enumerate(sorted(labels))}


def drawings(
    documents: Sequence[Document | Reference], palette: Sequence[str], labels: Collection[str]
) -> list[Drawing]:
    """The drawings of documents; documents without any requested element are left out.

    Args:
        documents: exact or fuzzy documents.
        palette: the styles to choose from.
        labels: the labels of the requested elements; empty: all elements and all documents.
    """
    colours = styles(documents, palette)
    every = (draw(document, colours, labels) for document in documents)
    return [one for one in every if not labels or one.brackets or one.unplaceable]


def draw(
    document: Document | Reference, colours: Mapping[str, str], labels: Collection[str] = ()
) -> Drawing:
    """The drawing of a document.

    Args:
        document: an exact or fuzzy document.
        colours: the style of each label.
        labels: the labels of the requested elements; an element matches if it accepts one of them.
            Empty: all elements.

    >>> from sereval.documents.model import Element
    >>> dol = Document("d", ("à", "Dol"), (Element("loc", 1, 2),))
    >>> draw(dol, {"loc": "red"}).brackets
    (Bracket(first=1, after=2, name='loc', style='red', height=0),)
    """
    if isinstance(document, Reference):
        every = place(document)
        drawn = upper_bound(every)
    else:
        every, drawn = Reference.exact(document), document
    elements = drawn.elements
    requested = [k for k, one in enumerate(every.elements) if _has(one, labels)]
    above = heights(_parents([element.parent for element in elements], requested))
    brackets: list[Bracket] = []
    ranges: list[CandidateRange] = []
    for k in requested:
        one, start, end = every.elements[k], elements[k].start, elements[k].end
        name, style = clip("|".join(one.labels)), colours[one.label]
        brackets.append(Bracket(start, end, name, style, above[k]))
        if len(one.starts) > 1 or len(one.ends) > 1:
            ranges.append(CandidateRange(name, style, one.starts, one.ends, start, end))
    inside = _inside(brackets, ranges) if labels else None
    lines = tuple(line for line in _lines(len(every.words), drawn.breaks, inside) if line)
    return Drawing(
        every.id,
        _about(every),
        {at: clip(every.words[at]) if at >= 0 else "…" for line in lines for at in line},
        tuple(brackets),
        tuple(ranges),
        tuple(_fate(one) for one in every.unplaceable if _has(one.element, labels)),
        lines,
    )


def _has(element: ReferenceElement, labels: Collection[str]) -> bool:
    return not labels or not set(labels).isdisjoint(element.labels)


def _parents(parents: Sequence[int | None], requested: Sequence[int]) -> dict[int, int | None]:
    """The nearest requested ancestor of each requested element."""
    found: dict[int, int | None] = {}
    for k in requested:
        above = parents[k]
        while above is not None and above not in found:
            above = parents[above]
        found[k] = above
    return found


def _inside(brackets: Iterable[Bracket], ranges: Iterable[CandidateRange]) -> set[int]:
    """The indices of the words over which a bracket or a range is drawn."""
    spans = [(bracket.first, bracket.after) for bracket in brackets]
    spans += [(min(each.starts), max(each.ends)) for each in ranges]
    return {at for span in spans for at in range(*span)}


def _lines(
    words: int, breaks: Sequence[int], inside: Collection[int] | None
) -> Iterator[tuple[int, ...]]:
    """The words of each utterance; with ``inside`` only those words and the words near them."""
    near = {at + by for at in inside or () for by in range(-AROUND, AROUND + 1)}
    for start, end in pairwise((0, *breaks, words)):
        if inside is None:
            yield tuple(range(start, end))
        elif any(at in inside for at in range(start, end)):
            yield tuple(shorten(range(start, end), lambda at: at not in near))


def _about(reference: Reference) -> str:
    parts = [counted(len(reference.words), "word"), counted(len(reference.elements), "element")]
    open_tags = sum(len(e.starts) > 1 or len(e.ends) > 1 for e in reference.elements)
    if open_tags:
        parts.append(f"{open_tags} with a choice of places")
    if reference.unplaceable:
        parts.append(f"{len(reference.unplaceable)} without a place")
    return ", ".join(parts)


def _fate(one: Unplaceable) -> str:
    """An unplaceable element and its fate."""
    return one_line(f"{'|'.join(one.element.labels)} ({one.fate})")
