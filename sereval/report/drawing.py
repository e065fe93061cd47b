"""The drawing of a document: its trees as brackets over its words, for terminal and SVG.

A fuzzy reference is drawn at its strict frontiers if all tags can have them, else at the candidates
whose distances to the strict frontiers have the least sum. A range under the words shows the other
candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..documents.model import Document, Reference, ReferenceElement, Unplaceable
from ..errors import one_line
from ..mapping.upper_bound import upper_bound
from ..projection.project import place
from .brackets import Bracket, Range, bracketed, pieces, shortened, widened
from .cells import clip, size
from .numbers import counted

AROUND = 4
"""Words shown on either side of an element where only some elements are wanted."""

LEGEND = (
    "under the words: [ ] where it is drawn, < where else it may start, > where else it may end, "
    "| both"
)


class Piece(NamedTuple):
    """Words that fit a line, with the brackets over them and the ranges that have marks there."""

    words: list[int]
    brackets: list[Bracket]
    ranges: list[Range]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One document.

    Args:
        id: its name. about: how much there is of it.
        words: as they are shown, by index; a negative one stands for words that are left out.
        brackets: of the wanted elements, the outermost of a tree with the greatest height.
        ranges: of those that have a choice. lost: those without a place, a phrase each.
        lines: the indices in ``words``, line by line as the document has them.
    """

    id: str
    about: str
    words: Mapping[int, str]
    brackets: tuple[Bracket, ...]
    ranges: tuple[Range, ...]
    lost: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]

    @property
    def is_empty(self) -> bool:
        """Whether it has none of the elements that are wanted."""
        return not self.brackets and not self.lost

    def laid_out(
        self, room: int, needed: Callable[[str], int] = bracketed
    ) -> tuple[dict[int, int], list[Piece]]:
        """Cells of each word, and the pieces that fit a line of so many cells."""
        sizes = {at: size(word) for at, word in self.words.items()}
        sizes = widened(self.brackets, sizes, needed)
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
    """A style for each label, in alphabetical order; from the first again where they are few.

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
    """Documents to be drawn; where only some elements are wanted, those that have any.

    Args:
        palette: of the styles. labels: the elements that are wanted; none: all.
    """
    colours = styles(documents, palette)
    every = (draw(document, colours, labels) for document in documents)
    return [one for one in every if not (labels and one.is_empty)]


def draw(
    document: Document | Reference, colours: Mapping[str, str], labels: Collection[str] = ()
) -> Drawing:
    """A document to be drawn.

    Args:
        document: exact or fuzzy.
        colours: a style for each label.
        labels: the elements that are wanted, any that accept one of these; none: all.

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
    wanted = [k for k, one in enumerate(every.elements) if _has(one, labels)]
    heights = _heights([element.parent for element in elements], wanted)
    brackets: list[Bracket] = []
    ranges: list[Range] = []
    for k in wanted:
        one, start, end = every.elements[k], elements[k].start, elements[k].end
        name, style = clip("|".join(one.labels)), colours[one.label]
        brackets.append(Bracket(start, end, name, style, heights[k]))
        if len(one.starts) > 1 or len(one.ends) > 1:
            ranges.append(Range(name, style, one.starts, one.ends, start, end))
    inside = _inside(brackets, ranges) if labels else None
    lines = tuple(line for line in _lines(len(every.words), drawn.breaks, inside) if line)
    return Drawing(
        every.id,
        _about(every),
        {at: clip(every.words[at]) if at >= 0 else "…" for line in lines for at in line},
        tuple(brackets),
        tuple(ranges),
        tuple(_told(lost) for lost in every.unplaceable if _has(lost.element, labels)),
        lines,
    )


def _has(element: ReferenceElement, labels: Collection[str]) -> bool:
    return not labels or not set(labels).isdisjoint(element.labels)


def _heights(parents: Sequence[int | None], wanted: Sequence[int]) -> dict[int, int]:
    """For each wanted element, how many wanted ones stand in one another below it."""
    heights = dict.fromkeys(wanted, 0)
    for k in reversed(wanted):  # children after parents
        above = parents[k]
        while above is not None and above not in heights:
            above = parents[above]
        if above is not None:
            heights[above] = max(heights[above], heights[k] + 1)
    return heights


def _inside(brackets: Iterable[Bracket], ranges: Iterable[Range]) -> set[int]:
    """The words under what is drawn."""
    spans = [(bracket.first, bracket.after) for bracket in brackets]
    spans += [(min(each.starts), max(each.ends)) for each in ranges]
    return {at for span in spans for at in range(*span)}


def _lines(
    words: int, breaks: Sequence[int], inside: Collection[int] | None
) -> Iterator[tuple[int, ...]]:
    """Words by utterance; of those that hold anything, those near it, the others as one index."""
    near = {at + by for at in inside or () for by in range(-AROUND, AROUND + 1)}
    for start, end in pairwise((0, *breaks, words)):
        if inside is None:
            yield tuple(range(start, end))
        elif any(at in inside for at in range(start, end)):
            yield tuple(shortened(range(start, end), lambda at: at not in near))


def _about(reference: Reference) -> str:
    parts = [counted(len(reference.words), "word"), counted(len(reference.elements), "element")]
    open_tags = sum(len(e.starts) > 1 or len(e.ends) > 1 for e in reference.elements)
    if open_tags:
        parts.append(f"{open_tags} with a choice of places")
    if reference.unplaceable:
        parts.append(f"{len(reference.unplaceable)} without a place")
    return ", ".join(parts)


def _told(lost: Unplaceable) -> str:
    """An element without a place, and what became of it."""
    return one_line(f"{'|'.join(lost.element.labels)} ({lost.fate})")
