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

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from ..alignment.blocks import CORRECT, PUNCTUATION, WordAlignment
from ..corpus.corpus import Pair, Scorer, exact
from ..documents.model import Document, Element
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs
from ..measures import PAIR, Slot
from ..render.report import counted
from .result import (
    DocumentFigures,
    Figure,
    FigureRow,
    SchemeScore,
    figures_of,
    scheme_scorer,
    verdicts,
)
from .table import EXTENTS


class BoundaryPlace(NamedTuple):
    """The place of a boundary among the rows; inside a block, counted from both of its ends."""

    after_first: int  # from the first row of the block, by the words ahead of the boundary
    before_last: int  # back from the end of the block, by the words behind the boundary
    first: int  # the first row of the block


class AlignedPair:
    """The entities of two documents, and the rows in which their words are aligned."""

    def __init__(self, reference: Document, hypothesis: Document, words: WordAlignment) -> None:
        self.reference, self.hypothesis = reference.elements, hypothesis.elements
        self.blocks = words.blocks
        self.of_word = [  # the block of each word, by side
            [b for b, block in enumerate(words.blocks) for _ in range(*(block.ref, block.hyp)[k])]
            for k in (0, 1)
        ]
        self.rows: list[bool] = []  # whether its words are equal; a group has those of a side
        self.first = [0]  # the first row of each block, and the number of rows
        for (i, j), (k, m), op, _ in words.blocks:
            if op != PUNCTUATION:
                self.rows += [op == CORRECT] * max(j - i, m - k)
            self.first.append(len(self.rows))

    def region(self, element: Element, side: int) -> Iterator[BoundaryPlace]:
        """The places of the two boundaries of an entity of the reference, 0, or hypothesis, 1."""
        for word, frontier in ((element.start, element.start), (element.end - 1, element.end)):
            b = self.of_word[side][word]
            begin, end = (self.blocks[b].ref, self.blocks[b].hyp)[side]
            first, last = self.first[b : b + 2]
            if begin < frontier < end:
                yield BoundaryPlace(first + frontier - begin, last - end + frontier, first)
            else:
                yield BoundaryPlace(*[first if frontier == begin else last] * 3)

    def between(self, one: BoundaryPlace, other: BoundaryPlace) -> list[bool]:
        """The rows between two boundaries."""
        first, last = sorted((one, other))
        return self.rows[min(first.before_last, last.first) : last.after_first]

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


Components = tuple[bool, bool, bool]
"""Whether type, extent and content of a pair are correct."""


def compare(aligned: AlignedPair, r: Element, h: Element, tolerance: int) -> Components:
    """Compare a reference entity and a hypothesis entity; the tolerance is in words."""
    starts, ends = zip(aligned.region(r, 0), aligned.region(h, 1), strict=True)
    off = [aligned.between(*both) for both in (starts, ends)]
    extent = not any(len(rows) > tolerance or any(rows) for rows in off)
    overlap = aligned.between(max(starts), min(ends))
    return r.label == h.label, extent, all(overlap)


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
            packed = ((sum(right) * radix + 1) * radix + right[0]) * radix + right[1]
            worth[r, h] = packed * radix**2 - (r + h)
    return best_pairs(worth)


@cache
def _row(names: tuple[str, ...], outcomes: tuple[str, ...]) -> FigureRow:
    """The counts of a slot, by its outcome in each figure."""
    figures = [Figure(**{one: 1}) for one in outcomes]
    return {**dict(zip(names, figures, strict=True)), "all": sum(figures, Figure())}


def _work(pair: Pair, settings: Settings) -> DocumentFigures:
    """The figures of a pair."""
    is_muc = settings.scheme == "muc"
    reference, hypothesis = exact(pair[0]), pair[1]
    words = (settings.through or ByWords()).align_documents(reference, hypothesis)
    aligned, tolerance = AlignedPair(reference, hypothesis, words), settings.extent or 0
    pairs = optimal(aligned, tolerance) if settings.mapping == "optimal" else greedy(aligned)
    names = ("type", "text") if is_muc else ("type", "extent", "content")

    matches = {
        r: compare(aligned, aligned.reference[r], aligned.hypothesis[h], tolerance)
        for r, h in pairs.items()
    }

    def slot(r: int, _: int) -> Slot:
        is_type, *text = matches[r]
        return PAIR[is_type, all(text)]

    def row(r: int | None, h: int | None) -> FigureRow:
        if r in matches:
            is_type, *text = matches[r]
            right = (is_type, all(text)) if is_muc else matches[r]
            return _row(names, tuple("cor" if ok else "inc" for ok in right))
        return _row(names, ("mis" if h is None else "spu",) * len(names))

    theirs = [one.label for one in hypothesis.elements]
    theirs += (one.label for one in hypothesis.mentions or ())
    found = verdicts(([one.label for one in reference.elements], theirs), pairs, slot, row)
    elements = (*reference.elements, *hypothesis.elements)
    nested = {"nested": sum(one.parent is not None for one in elements)}
    return figures_of(pair, settings, found, numbers=nested)


def _told(numbers: Counter[str], settings: Settings) -> SchemeScore:
    nested = numbers["nested"]
    through = settings.through or ByWords()
    note = (
        f"{counted(nested, 'nested element')}; "
        "mitre's paper (Burger et al. 1998) has flat ones only; outer ones are paired first."
    )
    own = ("extent", str(settings.extent)), ("mapping", settings.mapping)
    return SchemeScore(
        (),
        settings=(*through.alignment, *own, *settings.reading_signature),
        notes=(note,) if nested else (),
        words=settings,
    )


def scorer(settings: Settings) -> Scorer:
    """The scorer of either scheme; the ties of an alignment by text are always ``anchored``."""
    through = replace(settings.through or ByWords(), ties="anchored")
    extent = EXTENTS[settings.scheme] if settings.extent is None else settings.extent
    return scheme_scorer(replace(settings, through=through, extent=extent), _work, _told)
