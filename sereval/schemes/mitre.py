"""Schemes ``mitre`` and ``muc``: type, extent and content of entities on aligned words.

The words of the two sides differ, so boundaries are compared through a word alignment. A reference
entity and a hypothesis entity may be paired if some of their words are aligned with each other. A
pair has three components, which count separately:

* **type** is correct if the labels are the same.
* **extent** is correct if the first words are aligned with each other, and the last words too. With
  an extent tolerance ``N`` a boundary may be off by at most ``N`` words, if all words between are
  recognition errors.
* **content** is correct if there is no word error where the two entities overlap.

A reference entity in no pair has three missing components, a hypothesis entity in no pair three
spurious ones. The MUC scorer counts type and *text*: extent and content together. Its extent has
the tolerance 0, unless another is asked for.

Words aligned by text have the ties ``anchored`` (see ``alignment.text``). With these ties every row
of the paper's table 1 is reproduced.

The paper pairs entities greedily from left to right and recommends an optimal pairing; both are
implemented. The paper has no nested entities; here they are compared like any others.

Source: Burger, Palmer, Hirschman, COLING-ACL 1998, sections 2.3 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

from ..alignment.blocks import CORRECT, PUNCTUATION, WordAlignment
from ..corpus.corpus import Pair, Scorer, exact
from ..documents.model import Document, Element
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from ..render.text import counted
from .result import DocumentFigures, FigureRow, Judged, scheme_scorer, verdicts
from .table import EXTENTS


class BoundaryPlace(NamedTuple):
    """The place of a boundary in an alignment."""

    block: int  # the later one, if the boundary is between two
    ref: int  # how many words of the block are before it, like ``hyp``
    hyp: int


class AlignedPair:
    """The entities of two documents and the blocks in which their words are aligned."""

    def __init__(self, reference: Document, hypothesis: Document, words: WordAlignment) -> None:
        self.reference, self.hypothesis = reference.elements, hypothesis.elements
        self.blocks = words.blocks
        self.of_word = [  # the block of each word, by side
            [b for b, block in enumerate(words.blocks) for _ in range(*(block.ref, block.hyp)[k])]
            for k in (0, 1)
        ]

    def region(self, element: Element, side: int) -> tuple[BoundaryPlace, BoundaryPlace]:
        """The places of the two boundaries of an entity of the reference, 0, or hypothesis, 1."""
        places = []
        for word, frontier in ((element.start, element.start), (element.end - 1, element.end)):
            b = self.of_word[side][word]
            begin, end = (self.blocks[b].ref, self.blocks[b].hyp)[side]
            within = [0, 0]
            if frontier < end:
                within[side] = frontier - begin
            places.append(BoundaryPlace(b + (frontier == end), *within))
        return places[0], places[1]

    def is_near(self, one: BoundaryPlace, other: BoundaryPlace, tolerance: int) -> bool:
        """Whether at most ``tolerance`` words, all of them errors, are between two boundaries."""
        first, last = sorted((one, other))
        words = 0
        for b in range(first.block, last.block + 1):
            between = self._between(b, first, last)
            words += between
            if words > tolerance or between and self.blocks[b].op == CORRECT:
                return False
        return True

    def _between(self, b: int, first: BoundaryPlace, last: BoundaryPlace) -> int:
        """How many words of block ``b`` are between two places, on the side that has more."""
        if b == len(self.blocks) or self.blocks[b].op == PUNCTUATION:
            return 0
        (i, j), (k, m) = self.blocks[b].ref, self.blocks[b].hyp
        if first.block == last.block:
            return max(abs(last.ref - first.ref), abs(last.hyp - first.hyp))
        if b == last.block:
            return max(last.ref, last.hyp)
        if b == first.block and (first.ref or first.hyp):  # to the end of the block, on its side
            return j - i - first.ref if first.ref else m - k - first.hyp
        return max(j - i, m - k)

    def candidates(self) -> Iterator[tuple[int, list[int]]]:
        """Each reference entity with those that have a word aligned with its own, in order."""
        ours, theirs = (
            [{b for b in of_word[e.start : e.end] if self.blocks[b].is_pair} for e in elements]
            for of_word, elements in zip(
                self.of_word, (self.reference, self.hypothesis), strict=True
            )
        )
        by_block: dict[int, list[int]] = {}
        for h, blocks in enumerate(theirs):
            for b in blocks:
                by_block.setdefault(b, []).append(h)
        for r, blocks in enumerate(ours):
            yield r, sorted({h for b in blocks for h in by_block.get(b, ())})


class ComponentMatch(NamedTuple):
    """Which components of a pair are correct."""

    type: bool
    extent: bool
    content: bool

    @property
    def text(self) -> bool:
        """Whether extent and content are correct."""
        return self.extent and self.content


def compare(aligned: AlignedPair, r: Element, h: Element, tolerance: int) -> ComponentMatch:
    """Compare a reference entity and a hypothesis entity; the tolerance is in words."""
    starts, ends = zip(aligned.region(r, 0), aligned.region(h, 1), strict=True)
    extent = aligned.is_near(*starts, tolerance) and aligned.is_near(*ends, tolerance)
    first, last = max(starts), min(ends)  # where the entities overlap
    inside = range(first.block, last.block + (last.ref > 0 or last.hyp > 0))
    content = all(aligned.blocks[b].op in (CORRECT, PUNCTUATION) for b in inside)
    return ComponentMatch(r.label == h.label, extent, content)


def greedy(aligned: AlignedPair) -> dict[int, int]:
    """Pair each reference entity, from left to right, with the first free one that it overlaps."""
    partner: dict[int, int] = {}  # of each hypothesis entity
    for r, candidates in aligned.candidates():
        for h in [h for h in candidates if h not in partner][:1]:
            partner[h] = r
    return {r: h for h, r in partner.items()}


def optimal(aligned: AlignedPair, tolerance: int) -> dict[int, int]:
    """The mapping with the most correct components; among equals, the one with the most pairs."""
    radix = len(aligned.reference) + len(aligned.hypothesis) + 1  # more than any of their sums
    # Most correct types, then most correct extents break ties, so that no figure depends on one.
    # After that, the first elements are preferred, and outer ones before inner ones.
    worth = {}
    for r, candidates in aligned.candidates():
        for h in candidates:
            right = compare(aligned, aligned.reference[r], aligned.hypothesis[h], tolerance)
            packed = ((sum(right) * radix + 1) * radix + right.type) * radix + right.extent
            worth[r, h] = packed * radix**2 - (r + h)
    return best_pairs(worth)


@cache
def _row(names: tuple[str, ...], outcomes: tuple[str, ...]) -> FigureRow:
    """The counts of a slot, by its outcome in each figure."""
    figures = [Figure(**{one: 1}) for one in outcomes]
    return {**dict(zip(names, figures, strict=True)), "all": sum(figures, Figure())}


def _judged(pair: Pair, settings: Settings, scheme: str) -> Judged:
    """The verdicts on a pair; its facts are how many of its elements are inside others."""
    reference, hypothesis = exact(pair[0]), pair[1]
    words = (settings.through or ByWords()).align_documents(reference, hypothesis)
    aligned, tolerance = AlignedPair(reference, hypothesis, words), settings.extent or 0
    pairs = optimal(aligned, tolerance) if settings.mapping == "optimal" else greedy(aligned)
    names = ("type", "text") if scheme == "muc" else ("type", "extent", "content")

    matches = {
        r: compare(aligned, aligned.reference[r], aligned.hypothesis[h], tolerance)
        for r, h in pairs.items()
    }

    def slot(r: int, _: int) -> Slot:
        return PAIR[matches[r].type, matches[r].text]

    def row(r: int | None, h: int | None) -> FigureRow:
        if r in matches:
            found = matches[r]
            right = (found.type, found.text) if scheme == "muc" else found
            return _row(names, tuple("cor" if ok else "inc" for ok in right))
        return _row(names, ("mis" if h is None else "spu",) * len(names))

    theirs = [one.label for one in hypothesis.elements]
    theirs += (one.label for one in hypothesis.mentions or ())
    found = verdicts(([one.label for one in reference.elements], theirs), pairs, slot, row)
    elements = (*reference.elements, *hypothesis.elements)
    return Judged(found, facts=sum(one.parent is not None for one in elements))


def _told(found: Sequence[DocumentFigures], settings: Settings) -> dict[str, Any]:
    nested = sum(one.facts for one in found)
    through = settings.through or ByWords()
    note = (
        f"{counted(nested, 'nested element')}; "
        "mitre's paper (Burger et al. 1998) has flat ones only; outer ones are paired first."
    )
    own = ("extent", str(settings.extent)), ("mapping", settings.mapping)
    return {
        "settings": (*through.alignment, *own, *settings.reading_signature),
        "notes": (note,) if nested else (),
        "words": settings,
    }


def _scorer(name: str, settings: Settings) -> Scorer:
    """The scorer of either scheme; the ties of an alignment by text are always ``anchored``."""
    through = replace(settings.through or ByWords(), ties="anchored")
    extent = EXTENTS[name] if settings.extent is None else settings.extent
    how = replace(settings, through=through, extent=extent)
    return scheme_scorer(name, how, partial(_judged, scheme=name), _told)


mitre = partial(_scorer, "mitre")
"""Type, extent and content (Burger et al. 1998, section 2.3)."""

muc = partial(_scorer, "muc")
"""Type and text, as the MUC scorer counts them: its extent tolerance is 0."""
