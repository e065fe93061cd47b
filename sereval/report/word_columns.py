"""The words of two sides in columns, one under the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ..alignment.blocks import Block
from ..analysis.audit import Audit
from ..documents.model import Document, Time


class WordColumn(NamedTuple):
    """Words of the two sides that were said at one time; ``None``: the side has none."""

    reference: int | None
    hypothesis: int | None


def same(words: Document) -> list[WordColumn]:
    """The words of two sides that are on the same words."""
    return [WordColumn(k, k) for k in range(len(words.words))]


def of(audit: Audit) -> list[WordColumn]:
    """The words of an audited document: by time, or by what an alignment paired."""
    own, scored, words = audit.reference_words, audit.hypothesis_words, audit.words
    if not words.is_projected:
        return same(own)
    if words.through is None or own.times is not None and scored.times is not None:
        return by_time(own, scored)
    return aligned(words.through.align(own.words, scored.words).blocks)


def aligned(blocks: Iterable[Block]) -> list[WordColumn]:
    """The words of two sides as they were aligned, those of a block from its first on.

    >>> aligned([Block((0, 2), (0, 1), "substitution")])
    [WordColumn(reference=0, hypothesis=0), WordColumn(reference=1, hypothesis=None)]
    """
    return [
        WordColumn(r, h)
        for block in blocks
        for r, h in zip_longest(range(*block.ref), range(*block.hyp))
    ]


def by_time(own: Document, scored: Document) -> list[WordColumn]:
    """The words of two sides side by side, by time.

    Two words stand in one column if each is the one that the other shares most time with. The
    words between such columns follow in the order of their starts.

    >>> own = Document("d", ("du", "Budget"), times=((0, 300), (300, 800)))
    >>> by_time(own, Document("d", ("dubidget",), times=((0, 800),)))
    [WordColumn(reference=0, hypothesis=None), WordColumn(reference=1, hypothesis=0)]
    """
    ours, theirs = own.times or (), scored.times or ()
    pairs = [*_partners(ours, theirs), (len(ours), len(theirs))]
    found = []
    i = j = 0
    for r, h in pairs:
        alone = [(ours[k][0], 0, WordColumn(k, None)) for k in range(i, r)]
        alone += [(theirs[k][0], 1, WordColumn(None, k)) for k in range(j, h)]
        found += [column for *_, column in sorted(alone)]
        if r < len(ours):
            found.append(WordColumn(r, h))
        i, j = r + 1, h + 1
    return found


def _partners(ours: Sequence[Time], theirs: Sequence[Time]) -> Iterator[tuple[int, int]]:
    """Words that share most time with each other, increasing on both sides.

    Of words by start, where the first is taken of those that share the same time, no two such
    pairs cross: for the later of two words to share more with one word, the earlier must end
    inside that, and so cannot share more with a later one.
    """
    best: dict[int, tuple[int, int]] = {}  # of each of ours: time shared, and with whom
    back: dict[int, tuple[int, int]] = {}
    j = 0
    for i, (start, end) in enumerate(ours):
        while j < len(theirs) and theirs[j][1] <= start:
            j += 1
        for k in range(j, len(theirs)):
            if theirs[k][0] >= end:
                break
            shared = min(end, theirs[k][1]) - max(start, theirs[k][0])
            if shared > best.get(i, (0, 0))[0]:
                best[i] = shared, k
            if shared > back.get(k, (0, 0))[0]:
                back[k] = shared, i
    for i, (_, k) in best.items():
        if back[k][1] == i:
            yield i, k
