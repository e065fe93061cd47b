"""The words of both sides in columns, reference above hypothesis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TypeAlias

from ..alignment.blocks import Block
from ..analysis.audit import Audit
from ..documents.model import Document, Time

WordColumn: TypeAlias = tuple[int | None, int | None]
"""The index of a word of each side, spoken at the same time; ``None``: no word of that side."""


def columns_of(audit: Audit) -> list[WordColumn]:
    """The words of an audited document in columns, by time or by the word alignment."""
    own, scored, words = audit.reference_words, audit.hypothesis_words, audit.words
    if not words.is_projected:
        return [(k, k) for k in range(len(own.words))]
    if words.through is None or own.times is not None and scored.times is not None:
        return by_time(own, scored)
    return align_columns(words.through.align_documents(own, scored).blocks)


def align_columns(blocks: Iterable[Block]) -> list[WordColumn]:
    """The words of aligned blocks in columns: word by word from the start of each block."""
    return [pair for block in blocks for pair in zip_longest(range(*block.ref), range(*block.hyp))]


def by_time(own: Document, scored: Document) -> list[WordColumn]:
    """The words of two timed documents in columns."""
    ours, theirs = own.times or (), scored.times or ()
    found: list[WordColumn] = []
    i = j = 0
    for r, h in [*_partners(ours, theirs), (len(ours), len(theirs))]:
        if i < r and j < h:
            alone = [(ours[k][0], False, k) for k in range(i, r)]
            alone += [(theirs[k][0], True, k) for k in range(j, h)]
            found += [(None, k) if is_theirs else (k, None) for _, is_theirs, k in sorted(alone)]
        elif i < r:
            found += [(k, None) for k in range(i, r)]
        elif j < h:
            found += [(None, k) for k in range(j, h)]
        found.append((r, h))
        i, j = r + 1, h + 1
    return found[:-1]


def _partners(ours: Sequence[Time], theirs: Sequence[Time]) -> list[tuple[int, int]]:
    """Pairs of words that share most time with each other, in increasing order on both sides."""
    best = [-1] * len(ours)  # for each word: the word of theirs with which it shares most time
    back = [-1] * len(theirs)  # the same for each word of theirs
    longest = [0] * len(theirs)  # the time that a word of theirs shares with that word
    first = 0
    for i, (start, end) in enumerate(ours):
        while first < len(theirs) and theirs[first][1] <= start:
            first += 1
        most = 0
        for k in range(first, len(theirs)):
            begin, until = theirs[k]
            if begin >= end:
                break
            shared = (end if end < until else until) - (start if start > begin else begin)
            if shared > most:
                most, best[i] = shared, k
            if shared > longest[k]:
                longest[k], back[k] = shared, i
    return [(i, k) for i, k in enumerate(best) if k >= 0 and back[k] == i]
