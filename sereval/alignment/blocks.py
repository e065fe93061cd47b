"""What an alignment of words is, whoever made it: blocks that tile both sides in order.

A block has words of the reference and the words of the hypothesis that answer to them, any number
on either side. From the blocks follows where a frontier of the reference may go::

    reference   AT   THE   NEW   YORK    DESK
    hypothesis  AT   THE         NEWARK  BASK      one to one, and one deleted
                AT   THE  [NEW YORK ~ NEWARK]      or two to one

All who make one say what it costs; see ``align`` and ``phones``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from ..errors import SerevalError

CORRECT, SUBSTITUTION, INSERTION, DELETION, PUNCTUATION = OPERATIONS = (
    "correct",
    "substitution",
    "insertion",
    "deletion",
    "punctuation",
)
"""What a block is; punctuation is passed over: no cost, no word of any count."""


class Block(NamedTuple):
    """Words of the reference and the words of the hypothesis that answer to them.

    Args:
        ref: frontiers ``(i, j)`` of the reference words, ``i == j`` for none.
        hyp: frontiers ``(k, l)`` of the hypothesis words, ``k == l`` for none.
        op: one of ``OPERATIONS``; ``correct``: one word against one that counts as the same.
        inside: of a block of several reference words, the strict frontier on the hypothesis of
            each reference frontier strictly inside it.

    >>> Block((2, 4), (2, 3), SUBSTITUTION, inside=(2,)).is_pair  # NEW YORK, NEWARK
    True
    """

    ref: tuple[int, int]
    hyp: tuple[int, int]
    op: str
    inside: tuple[int, ...] = ()

    @property
    def is_pair(self) -> bool:
        """Whether it has words on both sides."""
        return self.ref[0] < self.ref[1] and self.hyp[0] < self.hyp[1]

    @property
    def ends(self) -> tuple[int, int]:
        """Where it ends on either side."""
        return self.ref[1], self.hyp[1]


@dataclass(frozen=True)
class WordAlignment:
    """Blocks that tile both sides in order, and what they cost.

    Args:
        blocks: from the first words to the last; each begins on both sides where the one before
            it ends.
        cost: of the alignment, in the whole units of what made it.
        slack: how much dearer it is, at most, than the cheapest alignment; 0: it is cheapest.
        how: what made it, in the words of a signature.
        otherwise: another reading of the same words, as blocks; empty: there is none. What the two
            do not agree on is open.

    Raises:
        SerevalError: the blocks do not tile the sides.

    >>> blocks = (Block((0, 1), (0, 0), DELETION), Block((1, 2), (0, 1), SUBSTITUTION))
    >>> WordAlignment(blocks, cost=7).words_of(1)
    (0, 1)
    """

    blocks: tuple[Block, ...]
    cost: int
    slack: int = 0
    how: str = ""
    otherwise: tuple[Block, ...] = ()

    def __post_init__(self) -> None:
        _check(self.blocks)
        _check(self.otherwise)
        if self.otherwise and self.otherwise[-1].ends != self.lengths:
            raise SerevalError(
                f"the other reading is of {self.otherwise[-1].ends} words, expected {self.lengths}"
            )

    @property
    def lengths(self) -> tuple[int, int]:
        """Number of words of the reference and of the hypothesis."""
        return self.blocks[-1].ends if self.blocks else (0, 0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Words by operation: those of the reference, for insertions those of the hypothesis.

        Where several words answer to several, as many are substituted as the shorter side has; the
        others are deleted or inserted.
        """
        counts = dict.fromkeys(OPERATIONS, 0)
        for (i, j), (k, m), op, _ in self.blocks:
            ref, hyp = j - i, m - k
            if ref == hyp or op != SUBSTITUTION:
                counts[op] += ref or hyp
            else:
                counts[DELETION if ref > hyp else INSERTION] += abs(ref - hyp)
                counts[op] += min(ref, hyp)
        return counts

    @property
    def wer(self) -> float | None:
        """Word error rate, ``None`` where the reference has no words."""
        counts = self.counts
        words = counts[CORRECT] + counts[SUBSTITUTION] + counts[DELETION]
        errors = counts[SUBSTITUTION] + counts[DELETION] + counts[INSERTION]
        return errors / words if words else None

    def words_of(self, i: int) -> tuple[int, int]:
        """The image of reference word ``i``: frontiers of its block's words on the hypothesis."""
        return self._images[i]

    def candidates(self, f: int) -> range:
        """The hypothesis frontiers that frontier ``f`` of the reference may answer to.

        All from the end of the last pair before ``f`` to the start of the first pair after it:
        words inserted there leave the place open, deleted ones say nothing. Inside a pair of
        several words, all frontiers of its block. Where there are two readings, all from the lowest
        of both to the highest.

        >>> maire = Block((1, 2), (2, 3), CORRECT)  # le maire, le euh maire
        >>> blocks = (Block((0, 1), (0, 1), CORRECT), Block((1, 1), (1, 2), INSERTION), maire)
        >>> WordAlignment(blocks, cost=3).candidates(1)
        range(1, 3)
        """
        low, high, _, _ = self._frontiers[f]
        return range(low, high + 1)

    def strict_start(self, f: int) -> int:
        """Where an element that starts at ``f`` starts: before the image of its first paired word.

        Inserted words are left outside. Inside a block of several words: as the block says. Where
        there are two readings: as the other one has it.
        """
        return self._frontiers[f][2]

    def strict_end(self, f: int) -> int:
        """Where an element that ends at ``f`` ends: after the image of its last paired word."""
        return self._frontiers[f][3]

    @cached_property
    def _images(self) -> list[tuple[int, int]]:
        return [block.hyp for block in self.blocks for _ in range(*block.ref)]

    @cached_property
    def _frontiers(self) -> list[tuple[int, int, int, int]]:
        """For each frontier of the reference: lowest, highest, strict start, strict end."""
        found = _frontiers(self.blocks, self.lengths)
        if not self.otherwise:
            return found
        return [
            (min(low, lower), max(high, higher), start, end)
            for (low, high, _, _), (lower, higher, start, end) in zip(
                found, _frontiers(self.otherwise, self.lengths), strict=True
            )
        ]


def _check(blocks: Sequence[Block]) -> None:
    """That blocks tile both sides."""
    end, last = 0, 0
    for (i, j), (k, m), op, inside in blocks:
        if i != end or k != last or j < i or m < k or (j == i and m == k):
            raise SerevalError(
                f"a block aligns words {(i, j)} with words {(k, m)}, "
                f"expected one from {(end, last)} on that is not empty"
            )
        if op not in OPERATIONS:
            raise SerevalError(f"found {op!r}, expected one of {', '.join(OPERATIONS)}")
        if inside and len(inside) != j - i - 1:
            raise SerevalError(f"words {(i, j)} have {len(inside)} frontiers inside")
        end, last = j, m


def _frontiers(blocks: Sequence[Block], ends: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """For each frontier of the reference: lowest, highest, strict start, strict end."""
    found: list[tuple[int, int, int, int]] = []
    done = low = 0  # where the last pair ends on either side
    for block in blocks:
        if block.is_pair:
            (i, j), (k, high) = block.ref, block.hyp
            found += [(low, k, k, low)] * (i + 1 - done)
            found += [(k, high, strict, strict) for strict in block.inside or [k] * (j - i - 1)]
            done, low = j, high
    n, m = ends
    return found + [(low, m, m, low)] * (n + 1 - done)


def inside(
    ref: Sequence[int], ref_sizes: Sequence[int], hyp: Sequence[int], hyp_sizes: Sequence[int]
) -> tuple[int, ...]:
    """The strict frontier of each reference frontier strictly inside a block.

    It is where the hypothesis has come nearest to the same share of the block; of two as near, the
    first.

    Args:
        ref, hyp: the words of the block on either side.
        ref_sizes, hyp_sizes: the size of each, in letters or phones.

    >>> inside([0, 1], [1, 6], [3], [7])  # f. plaqué, f.plaqué
    (3,)
    """
    frontiers = [*hyp, hyp[-1] + 1]  # right before each word, but for the last, behind it
    begins = [*accumulate(ref_sizes, initial=0)]
    shares = [begins[-1] * share for share in accumulate(hyp_sizes, initial=0)]
    strict = []
    for f in range(ref[0] + 1, ref[-1] + 1):
        ahead = sum(hyp_sizes) * begins[bisect_left(ref, f)]
        nearest = min(range(len(shares)), key=lambda place: abs(shares[place] - ahead))
        strict.append(frontiers[nearest])
    return tuple(strict)
