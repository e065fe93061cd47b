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

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from heapq import merge
from typing import NamedTuple

from ..alignment.blocks import CORRECT, PUNCTUATION, Block, WordAlignment
from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.model import Document, Element, Reference
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs, components
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from .result import Account, DocumentFigures, FigureRow, SchemeScore, Verdict, verdicts
from .table import EXTENTS


class BoundaryPlace(NamedTuple):
    """The place of a boundary in an alignment.

    Args:
        block: index of the block. A boundary between two blocks is in the later one.
        ref, hyp: how many reference words, or hypothesis words, of the block are before it.
    """

    block: int
    ref: int
    hyp: int


class AlignedPair:
    """Two documents and the alignment of their words.

    Args:
        reference: entities on the reference words.
        hypothesis: entities on the hypothesis words.
        words: alignment of the reference words with the hypothesis words.
    """

    def __init__(self, reference: Document, hypothesis: Document, words: WordAlignment) -> None:
        self.id = reference.id
        self.reference, self.hypothesis = reference.elements, hypothesis.elements
        self.mentions = hypothesis.mentions or ()
        self.blocks = words.blocks
        self.of_ref = [b for b, block in enumerate(words.blocks) for _ in range(*block.ref)]
        self.of_hyp = [b for b, block in enumerate(words.blocks) for _ in range(*block.hyp)]

    def region(
        self, element: Element, *, of_hypothesis: bool
    ) -> tuple[BoundaryPlace, BoundaryPlace]:
        """The places of the two boundaries of an entity."""
        of_word = self.of_hyp if of_hypothesis else self.of_ref
        first, last = of_word[element.start], of_word[element.end - 1]
        return (
            self._place(first, element.start, of_hypothesis=of_hypothesis),
            self._place(last, element.end, of_hypothesis=of_hypothesis),
        )

    def _place(self, b: int, frontier: int, *, of_hypothesis: bool) -> BoundaryPlace:
        """The place of a frontier of block ``b``; its end is the start of the next block."""
        begin, end = self.blocks[b].hyp if of_hypothesis else self.blocks[b].ref
        if frontier == end:
            return BoundaryPlace(b + 1, 0, 0)
        within = frontier - begin
        return BoundaryPlace(b, 0, within) if of_hypothesis else BoundaryPlace(b, within, 0)

    def overlap(self, r: Element, h: Element) -> bool:
        """Whether some words of two entities are aligned with each other."""
        return any(
            block.is_pair
            and max(block.ref[0], r.start) < min(block.ref[1], r.end)
            and max(block.hyp[0], h.start) < min(block.hyp[1], h.end)
            for block in self._blocks_of(r, h)
        )

    def _blocks_of(self, r: Element, h: Element) -> Sequence[Block]:
        """The blocks that have words of both entities."""
        first = max(self.of_ref[r.start], self.of_hyp[h.start])
        last = min(self.of_ref[r.end - 1], self.of_hyp[h.end - 1])
        return self.blocks[first : last + 1]

    def is_near(self, one: BoundaryPlace, other: BoundaryPlace, tolerance: int) -> bool:
        """Whether at most ``tolerance`` words, all of them errors, are between two boundaries."""
        first, last = sorted((one, other))
        words = 0
        for b in range(first.block, last.block + 1):
            between = self._between(b, first, last)
            if between and self.blocks[b].op == CORRECT:
                return False
            words += between
            if words > tolerance:
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

    def is_right(self, r: Element, h: Element) -> bool:
        """Whether there is no word error where two entities overlap."""
        starts = (side[0] for side in self._regions(r, h))
        ends = (side[1] for side in self._regions(r, h))
        first, last = max(starts), min(ends)
        inside = range(first.block, last.block + (last.ref > 0 or last.hyp > 0))
        return all(self.blocks[b].op in (CORRECT, PUNCTUATION) for b in inside)

    def _regions(
        self, r: Element, h: Element
    ) -> tuple[tuple[BoundaryPlace, BoundaryPlace], tuple[BoundaryPlace, BoundaryPlace]]:
        return self.region(r, of_hypothesis=False), self.region(h, of_hypothesis=True)


class ComponentMatch(NamedTuple):
    """Which components of a pair are correct."""

    type: bool
    extent: bool
    content: bool


def compare(aligned: AlignedPair, r: Element, h: Element, tolerance: int) -> ComponentMatch:
    """Compare a pair of entities."""
    ours = aligned.region(r, of_hypothesis=False)
    theirs = aligned.region(h, of_hypothesis=True)
    extent = all(aligned.is_near(*ends, tolerance) for ends in zip(ours, theirs, strict=True))
    return ComponentMatch(r.label == h.label, extent, aligned.is_right(r, h))


Pairing = Callable[[AlignedPair, int], dict[int, int]]


def greedy(aligned: AlignedPair, _tolerance: int) -> dict[int, int]:
    """Pair each reference entity, from left to right, with the first free one that it overlaps."""
    taken: set[int] = set()
    pairs: dict[int, int] = {}
    by_block = {b: deque(those) for b, those in _by_block(aligned).items()}
    for r, element in enumerate(aligned.reference):
        near = [by_block[b] for b in _blocks(aligned, element) if b in by_block]
        for those in near:
            while those and those[0] in taken:
                those.popleft()
        for h in merge(*near):
            if h not in taken and aligned.overlap(element, aligned.hypothesis[h]):
                pairs[r] = h
                taken.add(h)
                break
    return pairs


MOST_WORK = 100_000_000
"""The most work that an optimal mapping of a document may take. The work is summed over the groups
of elements that overlap directly or through others: elements of the group times its overlapping
pairs."""


def optimal(aligned: AlignedPair, tolerance: int, most_work: int = MOST_WORK) -> dict[int, int]:
    """The mapping with the most correct components; among equals, the one with the most pairs."""
    pairs = [(r, h) for r, candidates in _candidates(aligned) for h in candidates]
    _check_work(aligned, pairs, most_work)
    radix = len(aligned.reference) + len(aligned.hypothesis) + 1  # more than any of their sums
    worth = {}
    for r, h in pairs:
        right = compare(aligned, aligned.reference[r], aligned.hypothesis[h], tolerance)
        packed = ((sum(right) * radix + 1) * radix + right.type) * radix + right.extent
        worth[r, h] = packed * radix**2 - (r + h)
    return best_pairs(worth)


def _check_work(aligned: AlignedPair, pairs: Iterable[tuple[int, int]], most_work: int) -> None:
    work = 0
    for part in components(pairs):
        elements = sum(len({pair[side] for pair in part}) for side in (0, 1))
        work += elements * len(part)
        if work > most_work:
            first = part[0][0]
            raise SerevalError(
                f"{aligned.id}: reference element {first} ({aligned.reference[first].label}) and "
                f"{elements - 1} more, of which {len(part)} pairs overlap, need more than "
                f"{most_work} steps of an optimal mapping, expected fewer: less nesting, or "
                "--mapping greedy"
            )


MAPPINGS: dict[str, Pairing] = {"greedy": greedy, "optimal": optimal}
"""The functions that pair entities, by name; the paper uses ``greedy``."""


def _candidates(aligned: AlignedPair) -> Iterator[tuple[int, list[int]]]:
    """Each reference entity with the hypothesis entities that it overlaps, in document order."""
    by_block = _by_block(aligned)
    for r, element in enumerate(aligned.reference):
        near = sorted({h for b in _blocks(aligned, element) for h in by_block.get(b, ())})
        yield r, [h for h in near if aligned.overlap(element, aligned.hypothesis[h])]


def _by_block(aligned: AlignedPair) -> dict[int, list[int]]:
    """The hypothesis entities that have words of a block, in document order."""
    by_block: dict[int, list[int]] = {}
    for h, element in enumerate(aligned.hypothesis):
        for b in sorted({*aligned.of_hyp[element.start : element.end]}):
            by_block.setdefault(b, []).append(h)
    return by_block


def _blocks(aligned: AlignedPair, element: Element) -> list[int]:
    """The blocks of a reference entity."""
    return sorted({*aligned.of_ref[element.start : element.end]})


def _verdicts(aligned: AlignedPair, settings: Settings, parts: int) -> Iterator[Verdict]:
    """The verdict on each slot of a document, which has as many components."""
    names = ("type", "text") if parts == 2 else ("type", "extent", "content")

    def row(figures: Sequence[Figure]) -> FigureRow:
        return {**dict(zip(names, figures, strict=True)), "all": sum(figures, Figure())}

    rows = row([Figure(mis=1)] * parts), row([Figure(spu=1)] * parts)

    def paired(r: int, h: int) -> tuple[Slot, FigureRow]:
        ends = aligned.reference[r], aligned.hypothesis[h]
        type_, extent, content = compare(aligned, *ends, settings.extent or 0)
        right = (type_, extent and content) if parts == 2 else (type_, extent, content)
        figures = [Figure(cor=1) if ok else Figure(inc=1) for ok in right]
        return PAIR[type_, extent and content], row(figures)

    labels = (
        [one.label for one in aligned.reference],
        [*(one.label for one in aligned.hypothesis), *(one.label for one in aligned.mentions)],
    )
    pairs = MAPPINGS[settings.mapping](aligned, settings.extent or 0)
    return verdicts(labels, pairs, paired, lambda r, _: rows[r is None])


def mitre(settings: Settings) -> Scorer:
    """Score documents by type, extent and content (Burger et al. 1998, section 2.3)."""
    return _scorer("mitre", settings)


def muc(settings: Settings) -> Scorer:
    """Score documents by type and text, as the MUC scorer does: its extent tolerance is 0."""
    return _scorer("muc", settings)


def _scorer(name: str, settings: Settings) -> Scorer:
    """The scorer of either scheme; the ties of an alignment by text are always ``anchored``."""
    if settings.tolerance is not None:
        raise SerevalError(f"{name} aligns words by text or phones, it takes no tolerance in time")
    through = replace(settings.through or ByWords(), ties="anchored")
    extent = EXTENTS[name] if settings.extent is None else settings.extent
    how = replace(settings, through=through, extent=extent)
    return scorer(
        partial(_document, scheme=name, settings=how), partial(_score, scheme=name, settings=how)
    )


def _score(found: Sequence[DocumentFigures], scheme: str, settings: Settings) -> SchemeScore:
    nested = sum(one.facts for one in found)
    through = settings.through or ByWords()
    note = (
        f"{nested} nested element{'' if nested == 1 else 's'}; "
        "mitre's paper (Burger et al. 1998) has flat ones only; outer ones are paired first."
    )
    own = ("extent", str(settings.extent)), ("mapping", settings.mapping)
    return SchemeScore.of(
        scheme,
        found,
        (*through.alignment, *own, *settings.reading_signature),
        (note,) if nested else (),
        words=settings,
        figure=settings.figure,
    )


def _document(pair: Pair, scheme: str, settings: Settings) -> DocumentFigures:
    """The figures of a document; its facts are how many of its elements are inside others."""
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference, {scheme} takes none")
    words = (settings.through or ByWords()).align_documents(reference, hypothesis)
    aligned = AlignedPair(reference, hypothesis, words)
    inside = sum(one.parent is not None for one in (*reference.elements, *hypothesis.elements))
    return DocumentFigures.of(
        reference.id,
        _verdicts(aligned, settings, 2 if scheme == "muc" else 3),
        settings,
        lambda found: Account(reference, Reference.exact(reference), hypothesis, found),
        inside,
    )
