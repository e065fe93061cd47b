"""Word alignments: blocks that tile both texts in order.

A block holds words of the reference and the words of the hypothesis that are aligned with them, any
number on either side. The blocks determine the candidates of each frontier of the reference::

    reference   AT   THE   NEW   YORK    DESK
    hypothesis  AT   THE         NEWARK  BASK      one to one, and one deleted
                AT   THE  [NEW YORK ~ NEWARK]      or two to one

The modules ``text`` and ``phones`` find pairs of words; here the words between them get blocks of
their own. An alignment of the forms of rewritten texts (``normalise``) becomes one of their words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise, repeat
from typing import NamedTuple

from ..documents.model import Span
from ..errors import SerevalError
from .normalise import Forms


class Weights(NamedTuple):
    """The costs of word errors, as integers; correct words cost nothing.

    Args:
        name: the name, as in ``WEIGHTS``.
        insertion, deletion, substitution: the cost of one word error of this kind.

    >>> SCLITE.substitution, UNIT.substitution
    (4, 1)
    """

    name: str
    insertion: int
    deletion: int
    substitution: int

    def of_run(self, ref: int, hyp: int) -> int:
        """The cost of a run of errors.

        Every word of the shorter side is paired, because a substitution costs less than a deletion
        and an insertion.

        Args:
            ref, hyp: the number of words on either side.

        >>> SCLITE.of_run(3, 2), UNIT.of_run(3, 2)
        (11, 3)
        """
        if ref < hyp:
            return self.substitution * ref + self.insertion * (hyp - ref)
        return self.substitution * hyp + self.deletion * (ref - hyp)


SCLITE = Weights("sclite", 3, 3, 4)
UNIT = Weights("unit", 1, 1, 1)
WEIGHTS = {weights.name: weights for weights in (SCLITE, UNIT)}
"""The weights to choose from, by name."""

TIES = ("early", "spelling", "anchored")
"""The ways to choose among the cheapest alignments by ``text``, by name."""

CORRECT, SUBSTITUTION, INSERTION, DELETION, PUNCTUATION = OPERATIONS = (
    "correct",
    "substitution",
    "insertion",
    "deletion",
    "punctuation",
)
"""The operations of blocks. Punctuation costs nothing and is not counted as words."""

Point = tuple[int, int]
"""A place in both texts: how many words of each are before it."""

Places = tuple[int, int, int, int]
"""The lowest and the highest candidate for a frontier, its strict start and its strict end."""


class Block(NamedTuple):
    """Words of the reference and the words of the hypothesis that are aligned with them.

    Words on one side only, or as many on both without ``inside``, are a run, aligned one by one.

    Args:
        ref: frontiers ``(i, j)`` of the reference words, ``i == j`` for none.
        hyp: frontiers ``(k, l)`` of the hypothesis words, ``k == l`` for none.
        op: one of ``OPERATIONS``. In a ``correct`` block the words of both sides are equal as the
            alignment compares them: one word on each side, or several whose normalised texts are
            equal.
        inside: in a block of several reference words, the strict frontier on the hypothesis for
            each reference frontier strictly inside the block.

    >>> Block((2, 4), (2, 3), SUBSTITUTION, inside=(2,)).is_pair  # NEW YORK, NEWARK
    True
    """

    ref: Span
    hyp: Span
    op: str
    inside: tuple[int, ...] = ()

    @property
    def is_pair(self) -> bool:
        """Whether it has words on both sides."""
        return self.ref[0] < self.ref[1] and self.hyp[0] < self.hyp[1]

    @property
    def ends(self) -> Point:
        """The frontiers where it ends, on the reference and on the hypothesis."""
        return self.ref[1], self.hyp[1]

    @property
    def singly(self) -> Iterable[Block]:
        """The blocks of its words, one by one if it is a run.

        >>> len([*Block((0, 2), (3, 5), CORRECT).singly])
        2
        """
        (i, j), (k, m), op, inside = self
        if inside or (self.is_pair and j - i != m - k):
            return (self,)
        refs = pairwise(range(i, j + 1)) if i < j else repeat((i, i), m - k)
        hyps = pairwise(range(k, m + 1)) if k < m else repeat((k, k), j - i)
        return map(Block, refs, hyps, repeat(op))


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
    >>> WordAlignment(blocks, cost=7).lengths
    (2, 1)
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
    def lengths(self) -> Point:
        """The number of words of the reference and of the hypothesis."""
        return self.blocks[-1].ends if self.blocks else (0, 0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of words by operation: reference words, but hypothesis words for insertions.

        In a block of several words, the number of substitutions is the number of words of the
        shorter side. The other words are deletions or insertions.
        """
        return counts_of(self.blocks)

    def places(self, f: int) -> Places:
        """The lowest and the highest candidate for a frontier, its strict start and strict end.

        The candidates are all frontiers from the end of the last pair before ``f`` to the start of
        the first pair after it. Inside a block of several words they are all frontiers of the
        block. If there is a second alignment (``otherwise``), they reach from the lowest frontier
        of both alignments to the highest.

        The strict start is before the image of the first paired word after ``f``, the strict end
        after the image of the last paired word before it. Inserted words are left outside. Inside a
        block of several words both are ``Block.inside``. If there is a second alignment, they are
        those of that one.

        Args:
            f: a frontier of the reference.

        >>> maire = Block((1, 2), (2, 3), CORRECT)  # le maire, le euh maire
        >>> blocks = (Block((0, 1), (0, 1), CORRECT), Block((1, 1), (1, 2), INSERTION), maire)
        >>> WordAlignment(blocks, cost=3).places(1)
        (1, 2, 2, 1)
        """
        return self._places[f]

    @cached_property
    def _places(self) -> list[Places]:
        """The places of each frontier of the reference."""
        return places_between((0, 0), (self.blocks, self.otherwise or self.blocks), self.lengths)


def counts_of(blocks: Iterable[Block]) -> dict[str, int]:
    """The number of words of blocks by operation, as ``WordAlignment.counts``."""
    counts = dict.fromkeys(OPERATIONS, 0)
    for (i, j), (k, m), op, _ in blocks:
        ref, hyp = j - i, m - k
        if ref == hyp or op != SUBSTITUTION:
            counts[op] += ref or hyp
        else:
            counts[DELETION if ref > hyp else INSERTION] += abs(ref - hyp)
            counts[op] += min(ref, hyp)
    return counts


def _check(blocks: Sequence[Block]) -> None:
    """Raise an error if blocks do not tile both sides."""
    end = 0, 0
    for block in blocks:
        (i, j), (k, m), op, inside = block
        is_next = (i, k) == end and i <= j and k <= m and (j, m) != end
        if not is_next or op not in OPERATIONS or len(inside) not in (0, j - i - 1):
            raise SerevalError(
                f"found {block}, expected one from {end} on that is not empty, with one of "
                f"{', '.join(OPERATIONS)} and every frontier inside or none"
            )
        end = j, m


def places_between(start: Point, readings: Sequence[Sequence[Block]], end: Point) -> list[Places]:
    """The places of each frontier of the reference, from a start to an end beside pairs."""
    # If there is another alignment of these words, it has the strict frontiers.
    tables = [_places(start, blocks, end) for blocks in readings]
    if len(tables) == 1:
        return tables[0]
    return [
        (min(low, lower), max(high, higher), strict_start, strict_end)
        for (low, high, _, _), (lower, higher, strict_start, strict_end) in zip(
            tables[0], tables[1], strict=True
        )
    ]


def _places(start: Point, blocks: Sequence[Block], end: Point) -> list[Places]:
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


def pair_of(ref: Mapping[int, int], hyp: Mapping[int, int], op: str) -> Block:
    """A block of the words of both sides with these sizes, the first and the last among them."""
    # A strict frontier inside is the hypothesis frontier that divides the letters or phones of the
    # block in the ratio nearest to that of the reference frontier; of two equally near, the first.
    words = [*ref]
    frontiers = [*hyp, max(hyp) + 1]  # right before each word, but for the last, behind it
    span = words[0], words[-1] + 1
    begins = [*accumulate(ref.values(), initial=0)]
    ends = [*accumulate(hyp.values(), initial=0)]
    strict = []
    for f in range(span[0] + 1, span[1]):
        ahead = ends[-1] * begins[bisect_left(words, f)]
        shares = [abs(begins[-1] * share - ahead) for share in ends]
        strict.append(frontiers[shares.index(min(shares))])
    return Block(span, (frontiers[0], frontiers[-1]), op, tuple(strict))


TextSides = tuple[Sequence[str], Sequence[str]]
"""Texts of the reference and of the hypothesis."""

Formed = tuple[Sequence[object], Sequence[object]]
"""For each word of both sides what is true if it has a form: the form itself, or a bool."""


def tile(
    pairs: Iterable[Block],
    words: TextSides,
    forms: Formed,
    start: Point = (0, 0),
    end: Point | None = None,
) -> list[Block]:
    """Fill the words between pairs with blocks of one word; without a form it is punctuation."""
    # Between two pairs, a punctuation mark that both sides have makes a pair, the first that fits;
    # of the other words, insertions come first.
    blocks: list[Block] = []
    i, k = start
    for pair in pairs:
        (j, after), (m, beyond) = pair.ref, pair.hyp
        if i < j or k < m:
            blocks += _between(words, forms, (i, j), (k, m))
        blocks.append(pair)
        i, k = after, beyond
    n, m = end or (len(words[0]), len(words[1]))
    blocks += _between(words, forms, (i, n), (k, m))
    return blocks


def _between(words: TextSides, forms: Formed, ref: Span, hyp: Span) -> Iterator[Block]:
    """Blocks of one word for all words between two pairs."""
    (i, end), (k, last) = ref, hyp
    same = _same_punctuation(words, forms, ref, hyp) if i < end and k < last else ()
    for j, m in (*same, (end, last)):
        for h in range(k, m):
            op = INSERTION if forms[1][h] else PUNCTUATION
            yield Block((i, i), (h, h + 1), op)
        for r in range(i, j):
            op = DELETION if forms[0][r] else PUNCTUATION
            yield Block((r, r + 1), (m, m), op)
        i, k = j + 1, m + 1
        if (j, m) != (end, last):
            yield Block((j, i), (m, k), PUNCTUATION)


def _same_punctuation(words: TextSides, forms: Formed, ref: Span, hyp: Span) -> Iterator[Span]:
    """The punctuation marks that both sides have between two pairs, as pairs of positions."""
    k = hyp[0]
    for r in range(*ref):
        if forms[0][r]:
            continue
        same = (h for h in range(k, hyp[1]) if words[1][h] == words[0][r] and not forms[1][h])
        found = next(same, None)
        if found is not None:
            yield r, found
            k = found + 1


def of_words(
    blocks: Iterable[Block], forms: tuple[Forms, Forms], words: TextSides
) -> tuple[Block, ...]:
    """The blocks of the words of two texts whose forms are aligned, each form by itself."""
    # Words with paired forms are one block, with all words on either side that share a form with
    # them. The block is ``correct`` if all forms of its words are.
    formed = [{k for span in one.spans for k in range(*span)} for one in forms]
    ours, theirs = (
        [k in own for k in range(len(side))] for own, side in zip(formed, words, strict=True)
    )
    return tuple(tile(_pairs(blocks, forms, words), words, (ours, theirs)))


def _pairs(
    blocks: Iterable[Block], forms: tuple[Forms, Forms], words: TextSides
) -> Iterator[Block]:
    """The pairs of words of an alignment of forms."""
    pairs: list[Block] = []
    alone: tuple[set[int], set[int]] = (set(), set())  # first words of forms without a partner
    ours, theirs = (one.spans for one in forms)
    for (i, j), (k, m), op, _ in blocks:
        if i == j or k == m:
            alone[0].update(first for first, _ in ours[i:j])
            alone[1].update(first for first, _ in theirs[k:m])
            continue
        ref, hyp = (ours[i][0], ours[j - 1][1]), (theirs[k][0], theirs[m - 1][1])
        if pairs and (ref[0] < pairs[-1].ref[1] or hyp[0] < pairs[-1].hyp[1]):
            last = pairs.pop()
            ref, hyp = (last.ref[0], ref[1]), (last.hyp[0], hyp[1])
            op = op if op == last.op else SUBSTITUTION
        pairs.append(Block(ref, hyp, op))
    for pair in pairs:
        places = range(*pair.ref), range(*pair.hyp)
        if not all(map(set.isdisjoint, alone, places)):
            pair = pair._replace(op=SUBSTITUTION)
        if len(places[0]) > 1:  # few pairs have several words
            sizes = [{k: len(side[k]) for k in at} for side, at in zip(words, places, strict=True)]
            pair = pair_of(sizes[0], sizes[1], pair.op)
        yield pair
