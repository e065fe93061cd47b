"""MITRE 1998 and MUC: type, extent and content of entities on aligned words.

The words of the two sides differ, so boundaries are compared through a word alignment. An entity
of the reference and one of the hypothesis may be paired if some of their words are aligned with
each other. Each pair is compared in three ways, each of which counts on its own:

* **type**: the labels are the same;
* **extent**: the first words are aligned with each other, and so are the last. With an extent
  tolerance ``N`` a boundary may be off by at most ``N`` words, if all the words between are
  recognition errors;
* **content**: where the two overlap there is no word error.

A reference entity in no pair misses all three, a hypothesis entity in no pair has three spurious
ones. The MUC scorer counts type and *text*: extent with tolerance 0 and content together.

Words aligned by text have the ties ``anchored``: with these every row of the paper's table 1 comes
out (``align``).

The paper pairs greedily from left to right and names an optimal pairing as what ought to be; both
are here. It has no nesting; here nested entities are compared like any others.

Source: Burger, Palmer, Hirschman, COLING-ACL 1998, sections 2.3 to 2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ..alignment.blocks import CORRECT, PUNCTUATION, Block, WordAlignment
from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..documents.model import Document, Element, Reference
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs, components
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from .result import Account, DocumentFigures, Options, Row, SchemeScore, Verdict


class Place(NamedTuple):
    """Where a boundary is in an alignment: in a block, and after how many of its words.

    A boundary between two blocks is at the start of the later one. Of the words of a block those
    of the reference and of the hypothesis are counted apart.
    """

    block: int
    ref: int
    hyp: int


class Aligned:
    """Two documents and the alignment of their words.

    Args:
        reference: entities on the reference words.
        hypothesis: entities on the hypothesis words.
        words: alignment of the former with the latter.
    """

    def __init__(self, reference: Document, hypothesis: Document, words: WordAlignment) -> None:
        self.id = reference.id
        self.reference, self.hypothesis = reference.elements, hypothesis.elements
        self.mentions = hypothesis.mentions or ()
        self.blocks = words.blocks
        self.of_ref = [b for b, block in enumerate(words.blocks) for _ in range(*block.ref)]
        self.of_hyp = [b for b, block in enumerate(words.blocks) for _ in range(*block.hyp)]

    def region(self, element: Element, *, of_hypothesis: bool) -> tuple[Place, Place]:
        """The boundaries of an entity of either side."""
        of_word = self.of_hyp if of_hypothesis else self.of_ref
        first, last = of_word[element.start], of_word[element.end - 1]
        return (
            self._place(first, element.start, of_hypothesis=of_hypothesis),
            self._place(last, element.end, of_hypothesis=of_hypothesis),
        )

    def _place(self, b: int, frontier: int, *, of_hypothesis: bool) -> Place:
        """A frontier at or in block ``b``; at its end it is the start of the next block."""
        begin, end = self.blocks[b].hyp if of_hypothesis else self.blocks[b].ref
        if frontier == end:
            return Place(b + 1, 0, 0)
        within = frontier - begin
        return Place(b, 0, within) if of_hypothesis else Place(b, within, 0)

    def overlap(self, r: Element, h: Element) -> bool:
        """Whether some of their words are aligned with each other."""
        return any(
            block.is_pair
            and max(block.ref[0], r.start) < min(block.ref[1], r.end)
            and max(block.hyp[0], h.start) < min(block.hyp[1], h.end)
            for block in self._blocks_of(r, h)
        )

    def _blocks_of(self, r: Element, h: Element) -> Sequence[Block]:
        """The blocks that have words of both: no more than the shorter one has."""
        first = max(self.of_ref[r.start], self.of_hyp[h.start])
        last = min(self.of_ref[r.end - 1], self.of_hyp[h.end - 1])
        return self.blocks[first : last + 1]

    def is_near(self, one: Place, other: Place, tolerance: int) -> bool:
        """Whether two boundaries are the same, or few words apart that are all errors."""
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

    def _between(self, b: int, first: Place, last: Place) -> int:
        """How many words of block ``b`` lie between two places, on the side that has more."""
        if b == len(self.blocks) or self.blocks[b].op == PUNCTUATION:
            return 0
        (i, j), (k, m) = self.blocks[b].ref, self.blocks[b].hyp
        if first.block == last.block:
            return max(abs(last.ref - first.ref), abs(last.hyp - first.hyp))
        if b == last.block:
            return max(last.ref, last.hyp)
        if b == first.block and (first.ref or first.hyp):  # to the block's end, on its own side
            return j - i - first.ref if first.ref else m - k - first.hyp
        return max(j - i, m - k)

    def is_right(self, r: Element, h: Element) -> bool:
        """Whether there is no word error where the two overlap."""
        starts = (side[0] for side in self._regions(r, h))
        ends = (side[1] for side in self._regions(r, h))
        first, last = max(starts), min(ends)
        inside = range(first.block, last.block + (last.ref > 0 or last.hyp > 0))
        return all(self.blocks[b].op in (CORRECT, PUNCTUATION) for b in inside)

    def _regions(self, r: Element, h: Element) -> tuple[tuple[Place, Place], tuple[Place, Place]]:
        return self.region(r, of_hypothesis=False), self.region(h, of_hypothesis=True)


class Comparison(NamedTuple):
    """What is right about a pair."""

    type: bool
    extent: bool
    content: bool


def compare(aligned: Aligned, r: Element, h: Element, tolerance: int) -> Comparison:
    """Compare a pair of entities.

    Args:
        tolerance: of the extent, in words.
    """
    ours = aligned.region(r, of_hypothesis=False)
    theirs = aligned.region(h, of_hypothesis=True)
    extent = all(aligned.is_near(*ends, tolerance) for ends in zip(ours, theirs, strict=True))
    return Comparison(r.label == h.label, extent, aligned.is_right(r, h))


Pairing = Callable[[Aligned, int], dict[int, int]]


def greedy(aligned: Aligned, _tolerance: int) -> dict[int, int]:
    """Pairs from left to right: each reference entity takes the first free one that it overlaps."""
    taken: set[int] = set()
    pairs: dict[int, int] = {}
    for r, candidates in _candidates(aligned):
        free = next((h for h in candidates if h not in taken), None)
        if free is not None:
            pairs[r] = free
            taken.add(free)
    return pairs


MOST_WORK = 100_000_000
"""Elements that hang together, times the pairs of them that overlap, over all of a document: what
an optimal mapping may take."""


def optimal(aligned: Aligned, tolerance: int, most_work: int = MOST_WORK) -> dict[int, int]:
    """Pairs that get the most components right; among those, the most pairs.

    Of mappings that are alike in both, the one with the most types right is taken, and of these the
    one with the most extents, so that no figure of ``mitre`` depends on a tie. Then the elements
    that come first are paired, the outer one of two that are nested.

    Args:
        tolerance: of the extent, in words.
        most_work: how many steps it may take, as ``MOST_WORK`` counts them.

    Raises:
        SerevalError: more elements overlap than that.
    """
    pairs = [(r, h) for r, candidates in _candidates(aligned) for h in candidates]
    _check_work(aligned, pairs, most_work)
    radix = len(aligned.reference) + len(aligned.hypothesis) + 1  # more than any of their sums
    worth = {}
    for r, h in pairs:
        right = compare(aligned, aligned.reference[r], aligned.hypothesis[h], tolerance)
        packed = ((sum(right) * radix + 1) * radix + right.type) * radix + right.extent
        worth[r, h] = packed * radix**2 - (r + h)
    return best_pairs(worth)


def _check_work(aligned: Aligned, pairs: Iterable[tuple[int, int]], most_work: int) -> None:
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
"""How entities are paired; the first is the paper's."""


def _candidates(aligned: Aligned) -> Iterator[tuple[int, list[int]]]:
    """The hypothesis entities that each reference entity overlaps, both in document order."""
    by_block: dict[int, list[int]] = {}
    for h, element in enumerate(aligned.hypothesis):
        for b in sorted({*aligned.of_hyp[element.start : element.end]}):
            by_block.setdefault(b, []).append(h)
    for r, element in enumerate(aligned.reference):
        blocks = sorted({*aligned.of_ref[element.start : element.end]})
        near = sorted({h for b in blocks for h in by_block.get(b, ())})
        yield r, [h for h in near if aligned.overlap(element, aligned.hypothesis[h])]


def verdicts(aligned: Aligned, *, tolerance: int, pairing: str, is_muc: bool) -> Iterator[Verdict]:
    """What each slot of a document counts as; a pair counts under the reference's label.

    Args:
        tolerance: of the extent, in words.
        pairing: one of ``MAPPINGS``.
        is_muc: whether extent and content are joined into *text*.
    """
    names = ("type", "text") if is_muc else ("type", "extent", "content")
    pairs = MAPPINGS[pairing](aligned, tolerance)

    def row(figures: Sequence[Figure]) -> Row:
        return {**dict(zip(names, figures, strict=True)), "all": sum(figures, Figure())}

    for r, element in enumerate(aligned.reference):
        h = pairs.get(r)
        if h is None:
            missing = row([Figure(mis=1)] * len(names))
            yield Verdict(Slot.DELETION, element.label, r, None, missing)
            continue
        type_, extent, content = compare(aligned, element, aligned.hypothesis[h], tolerance)
        right = (type_, extent and content) if is_muc else (type_, extent, content)
        found = row([Figure(cor=1) if ok else Figure(inc=1) for ok in right])
        yield Verdict(PAIR[type_, extent and content], element.label, r, h, found)
    for h in sorted({*range(len(aligned.hypothesis))} - {*pairs.values()}):
        spurious = row([Figure(spu=1)] * len(names))
        yield Verdict(Slot.INSERTION, aligned.hypothesis[h].label, None, h, spurious)
    for h, mention in enumerate(aligned.mentions, len(aligned.hypothesis)):
        spurious = row([Figure(spu=1)] * len(names))
        yield Verdict(Slot.INSERTION, mention.label, None, h, spurious)


def mitre(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score documents by type, extent and content.

    Args:
        pairs: references and hypotheses; their words may differ.
        settings: ``through`` says how words are aligned, by default as text.
            Which of the cheapest alignments by text is the scheme's own, ``anchored``.
        options: ``extent``, the tolerance of the extent, and ``mapping``.

    Raises:
        SerevalError: a tolerance in time, a fuzzy reference.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval import tree
    >>> newt = Document("d", ("NEWT", "GINGRICH"), tree([("P", 0, 2)]))
    >>> heard = Document("d", ("NEWT", "GOODRICH"), tree([("O", 0, 2)]))
    >>> score = mitre(PairList([(newt, heard)]), Settings(), Options())
    >>> {name: figure.cor for name, figure in score.total.items()}
    {'type': 0, 'extent': 1, 'content': 0, 'all': 1}
    """
    return _scheme("mitre", pairs, settings, options)


def muc(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score documents by type and text, as the MUC scorer; see :func:`mitre`.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval import tree
    >>> newt = Document("d", ("NEWT", "GINGRICH"), tree([("P", 0, 2)]))
    >>> muc(PairList([(newt, newt)]), Settings(), Options()).total["text"].f()
    1.0
    """
    return _scheme("muc", pairs, settings, options._replace(extent=0))


def _scheme(name: str, pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    if settings.tolerance is not None:
        raise SerevalError(f"{name} aligns words by text or phones, it takes no tolerance in time")
    through = replace(settings.through or ByWords(), ties="anchored")
    work = partial(_document, scheme=name, through=through, options=options)
    found = list(pairs.each(work))
    nested = sum(inside for _, inside in found)
    own = [("extent", str(options.extent)), ("mapping", options.mapping)]
    note = (
        f"{nested} elements are inside others, which the paper has none of; outer ones come first."
    )
    return SchemeScore.of(
        name,
        (figures for figures, _ in found),
        (*through.alignment, *own, *settings.reading_signature),
        (note,) if nested else (),
        words=replace(settings, through=through),
        figure=options.figure,
    )


def _document(
    pair: Pair, scheme: str, through: ByWords, options: Options
) -> tuple[DocumentFigures, int]:
    """One document: its figures, and how many of its elements are inside others."""
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference, {scheme} takes none")
    found = verdicts(
        Aligned(reference, hypothesis, through.align(reference.words, hypothesis.words)),
        tolerance=options.extent,
        pairing=options.mapping,
        is_muc=scheme == "muc",
    )
    account = Account(reference, Reference.exact(reference), hypothesis, tuple(found))
    elements = *reference.elements, *hypothesis.elements
    inside = sum(element.parent is not None for element in elements)
    return DocumentFigures.of(account, options), inside
