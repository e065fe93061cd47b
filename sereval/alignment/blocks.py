"""Word alignments: blocks that tile both texts in order.

A block holds words of the reference and the words of the hypothesis that are aligned with them, any
number on either side. The blocks determine the candidates of each frontier of the reference::

    reference   AT   THE   NEW   YORK    DESK
    hypothesis  AT   THE         NEWARK  BASK      one to one, and one deleted
                AT   THE  [NEW YORK ~ NEWARK]      or two to one

The modules ``text`` and ``phones`` define the costs of an alignment.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, Self

from ..errors import SerevalError

CORRECT, SUBSTITUTION, INSERTION, DELETION, PUNCTUATION = OPERATIONS = (
    "correct",
    "substitution",
    "insertion",
    "deletion",
    "punctuation",
)
"""The operations of blocks. Punctuation costs nothing and is not counted as words."""


Places = tuple[int, int, int, int]
"""The lowest and the highest candidate for a frontier, its strict start and its strict end."""


class Block(NamedTuple):
    """Words of the reference and the words of the hypothesis that are aligned with them.

    Args:
        ref: frontiers ``(i, j)`` of the reference words, ``i == j`` for none.
        hyp: frontiers ``(k, l)`` of the hypothesis words, ``k == l`` for none.
        op: one of ``OPERATIONS``. In a ``correct`` block the words of both sides are equal as the
            alignment compares them: one word on each side, or several whose normalised texts are
            equal (``tiles``).
        inside: in a block of several reference words, the strict frontier on the hypothesis for
            each reference frontier strictly inside the block.

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
        """The frontiers where it ends, on the reference and on the hypothesis."""
        return self.ref[1], self.hyp[1]


@dataclass(frozen=True)
class WordAlignment:
    """Blocks that tile both sides in order, and their cost.

    Args:
        blocks: the blocks from the first words to the last; each begins on both sides where the
            block before it ends.
        cost: the cost of the alignment, as an integer in the units of its weights.
        slack: the most that it may cost beyond the cheapest alignment; 0: it is a cheapest one.
        how: how it was made, as parts of a signature.
        otherwise: a second alignment of the same words, as blocks; empty: there is none. A
            frontier that the two alignments place differently has the candidates of both.

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

    def with_how(self, how: str) -> Self:
        """The same alignment with other words for how it was made.

        Args:
            how: as in the class.

        >>> WordAlignment((), cost=0).with_how("by:text").how
        'by:text'
        """
        found = copy(self)
        object.__setattr__(found, "how", how)
        return found

    @property
    def lengths(self) -> tuple[int, int]:
        """The number of words of the reference and of the hypothesis."""
        return self.blocks[-1].ends if self.blocks else (0, 0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of words by operation: reference words, but hypothesis words for insertions.

        In a block of several words, the number of substitutions is the number of words of the
        shorter side. The other words are deletions or insertions.
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
        """Word error rate; ``None`` if the reference has no words."""
        counts = self.counts
        words = counts[CORRECT] + counts[SUBSTITUTION] + counts[DELETION]
        errors = counts[SUBSTITUTION] + counts[DELETION] + counts[INSERTION]
        return errors / words if words else None

    def words_of(self, i: int) -> tuple[int, int]:
        """The image of a reference word: the frontiers of its block on the hypothesis.

        Args:
            i: the index of the word.
        """
        return self._images[i]

    def candidates(self, f: int) -> range:
        """The candidates on the hypothesis for a frontier of the reference.

        They are all frontiers from the end of the last pair before ``f`` to the start of the first
        pair after it. Inside a block of several words they are all frontiers of the block. If there
        is a second alignment (``otherwise``), they reach from the lowest frontier of both
        alignments to the highest.

        Args:
            f: the frontier.

        >>> maire = Block((1, 2), (2, 3), CORRECT)  # le maire, le euh maire
        >>> blocks = (Block((0, 1), (0, 1), CORRECT), Block((1, 1), (1, 2), INSERTION), maire)
        >>> WordAlignment(blocks, cost=3).candidates(1)
        range(1, 3)
        """
        low, high, _, _ = self.places(f)
        return range(low, high + 1)

    def strict_start(self, f: int) -> int:
        """The strict start for frontier ``f``: before the image of the first paired word after it.

        Inserted words are left outside. Inside a block of several words it is ``Block.inside``. If
        there is a second alignment (``otherwise``), it is the strict start in that one.

        Args:
            f: a frontier of the reference.

        >>> blocks = (Block((0, 0), (0, 1), INSERTION), Block((0, 1), (1, 2), CORRECT))
        >>> alignment = WordAlignment(blocks, cost=3)
        >>> alignment.strict_start(0), alignment.candidates(0)
        (1, range(0, 2))
        """
        return self.places(f)[2]

    def strict_end(self, f: int) -> int:
        """The strict end for frontier ``f``: after the image of the last paired word before it.

        Args:
            f: a frontier of the reference; other cases are as for :meth:`strict_start`.

        >>> blocks = (Block((0, 1), (0, 1), CORRECT), Block((1, 1), (1, 2), INSERTION))
        >>> alignment = WordAlignment(blocks, cost=3)
        >>> alignment.strict_end(1), alignment.candidates(1)
        (1, range(1, 3))
        """
        return self.places(f)[3]

    def places(self, f: int) -> Places:
        """The lowest and the highest candidate for a frontier, its strict start and strict end.

        Args:
            f: the frontier.

        >>> WordAlignment((Block((0, 1), (0, 2), SUBSTITUTION),), cost=7).places(1)
        (2, 2, 2, 2)
        """
        return self._places[f]

    @cached_property
    def _images(self) -> list[tuple[int, int]]:
        return [block.hyp for block in self.blocks for _ in range(*block.ref)]

    @cached_property
    def _places(self) -> list[Places]:
        """The places of each frontier of the reference."""
        return places_between((0, 0), self.blocks, self.otherwise, self.lengths)


def _check(blocks: Sequence[Block]) -> None:
    """Raise an error if blocks do not tile both sides."""
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


def places_between(
    start: tuple[int, int],
    blocks: Sequence[Block],
    otherwise: Sequence[Block],
    end: tuple[int, int],
) -> list[Places]:
    """The places of each frontier of the reference from a start to an end.

    Args:
        start, end: frontiers of both sides, each at an end of the texts or beside a pair.
        blocks: the blocks of the words in between.
        otherwise: another alignment of these words; empty: there is none.
    """
    found = _places(start, blocks, end)
    if not otherwise:
        return found
    return [
        (min(low, lower), max(high, higher), strict_start, strict_end)
        for (low, high, _, _), (lower, higher, strict_start, strict_end) in zip(
            found, _places(start, otherwise, end), strict=True
        )
    ]


def _places(start: tuple[int, int], blocks: Sequence[Block], end: tuple[int, int]) -> list[Places]:
    found: list[Places] = []
    done, low = start  # where the last pair ends on either side
    for block in blocks:
        if block.is_pair:
            (i, j), (k, high) = block.ref, block.hyp
            found += [(low, k, k, low)] * (i + 1 - done)
            found += [(k, high, strict, strict) for strict in block.inside or [k] * (j - i - 1)]
            done, low = j, high
    n, m = end
    return found + [(low, m, m, low)] * (n + 1 - done)


def inside(
    ref: Sequence[int], ref_sizes: Sequence[int], hyp: Sequence[int], hyp_sizes: Sequence[int]
) -> tuple[int, ...]:
    """The strict frontier for each reference frontier strictly inside a block.

    It is the hypothesis frontier that divides the letters or phones of the block in the ratio
    nearest to that of the reference frontier; of two equally near ones, the first.

    Args:
        ref, hyp: the positions of the words of the block on either side.
        ref_sizes, hyp_sizes: the size of each word, in letters or phones.

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
