"""Word alignments as blocks that tile both texts in order, and the cheapest of them.

A block holds words of the reference and the words of the hypothesis that are aligned with them, any
number on either side. The blocks determine the candidates of each frontier of the reference::

    reference   AT   THE   NEW   YORK    DESK
    hypothesis  AT   THE         NEWARK  BASK      one to one, and one deleted
                AT   THE  [NEW YORK ~ NEWARK]      or two to one

The modules ``text`` and ``phones`` find pairs of words; here the words between them get blocks of
their own. An alignment of the forms of rewritten texts (``normalise``) becomes one of their words.

**The cheapest alignment** asks only which words are equal. So each text becomes a string with one
character for each word (:func:`texts_of`), and rapidfuzz aligns the strings.

**Long documents** are cut at runs of at least three equal words (Burger, Palmer and Hirschman,
1998, section 2.1) and aligned piece by piece. The cost of the cuts is computed exactly: the least
cost of the whole is found without an alignment, and the difference is the ``slack`` of the result.
A cut inside a run of equal words costs nothing if some cheapest alignment pairs any two words of
the run, because two texts that begin or end with equal words have a cheapest alignment that pairs
these words. If both sides have times, texts of any length can be cut where equal words were said at
the same time (``time``).
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import accumulate, count, pairwise, repeat
from typing import TYPE_CHECKING, NamedTuple

from ..documents.model import Span
from ..errors import SerevalError
from .normalise import Forms

if TYPE_CHECKING:
    from rapidfuzz.distance import Opcodes


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


class Pieces(NamedTuple):
    """The rule for cutting long documents into pieces."""

    whole: int
    least: int
    most: int


PIECES = Pieces(4_000_000, 500, 2_000)
"""By text, documents of up to about 2 000 words a side are not cut."""
RUN = 3
"""The least number of equal words in a run that may be cut."""


# -------------------------------------------------------------------------------------- the texts


EXPECTED = 8
"""The number of words among which one wrong word is expected."""

_END = "\1"
"""A character that is no word; another is ``\\0``, the ``$`` of a text that is written out."""


Texts = tuple[str, str]
"""Two texts as strings, with one character for each word and the same for equal words."""


def texts_of(left: Iterable[str], right: Iterable[str]) -> Texts:
    """Two texts as strings."""
    words = [*left], [*right]
    numbers = Counter(words[0])
    numbers.update(words[1])
    # frequent words have the first characters, which rapidfuzz finds faster
    different = sorted(numbers, key=numbers.__getitem__, reverse=True)
    try:
        known = dict(zip(different, map(chr, count(2)), strict=False))  # 0, 1: no words
        ours, theirs = ("".join(map(known.__getitem__, side)) for side in words)
    except ValueError:
        raise SerevalError(
            f"a pair of documents has more than {sys.maxunicode - 1} different words"
        ) from None
    return ours, theirs


@lru_cache(maxsize=1)
def _edits(left: str, right: str) -> Opcodes:
    """The insertions, deletions and substitutions of an alignment with the fewest of them."""
    # rapidfuzz first tries whether an expected number of them is enough, and then twice as many
    # until it is. The number changes the time only.
    from rapidfuzz.distance import Levenshtein

    expected = max(len(left), len(right)) // EXPECTED
    return Levenshtein.opcodes(left, right, score_hint=expected)


def matches_of(texts: Texts) -> list[Match]:
    """The matches of an alignment with the fewest insertions, deletions and substitutions."""
    return [(run.a, run.b, run.size) for run in _edits(*texts).as_matching_blocks()]


# ---------------------------------------------------------------------------------- the alignment


Match = tuple[int, int, int]
"""A run of correct words: where it begins in either text, and its length.

An alignment is the list of its matches. The last match of each piece is at the end of the piece and
may be empty. The words between two matches are a run of errors: every word of the shorter side is
paired, in order, with the last words of the other side.
"""


def cheapest(
    texts: Texts,
    weights: Weights,
    at: Sequence[Point] = (),
    *,
    has_pairs_first: bool = False,
) -> tuple[list[Match], int, int]:
    """The cheapest alignment of two sequences of words, with the ties of the policy ``early``."""
    # It is cut at the points ``at``, too. Beside its matches are its cost, and the most that it may
    # cost beyond the cheapest one: 0 if it was not cut. With pairs first (by sclite's weights), the
    # ties are those of the program of Le et al.
    if weights not in WEIGHTS.values():
        raise SerevalError(f"weights {weights.name!r}, expected {' or '.join(WEIGHTS)}")
    points = cut_points(texts, PIECES, at)
    search = _pairs_first if has_pairs_first else partial(_early, weights=weights)
    pieces = pairwise(points)
    matches = [match for piece in pieces for match in search(*texts, piece)]
    cost = sum(weights.of_run(j - i, m - k) for (i, j), (k, m) in errors(matches))
    return matches, cost, cost - least_cost(texts, weights, cost) if len(points) > 2 else 0


def errors(matches: Iterable[Match]) -> Iterator[tuple[Span, Span]]:
    """The words of either side before each match that are not in the match before it."""
    i = k = 0
    for j, m, size in matches:
        yield (i, j), (k, m)
        i, k = j + size, m + size


def _early(left: str, right: str, piece: tuple[Span, Span], weights: Weights) -> Iterator[Match]:
    """The cheapest alignment of a piece, with the ties of the policy ``early``."""
    # Of all longest common subsequences, rapidfuzz finds the first one when the texts are read from
    # their ends, where an item of its first text without a partner comes before one of its second
    # text, and that before a match. So the reversed hypothesis comes first, and then the reversed
    # reference, both as they are written by :func:`_write_out`. Two words whose ``$`` match are a
    # pair, and are correct if their ``x`` match too. The pairs are those of ``early``. If a path
    # skips the ``$`` of a word, neither ``x`` of the word has a match on it: otherwise the ``$``
    # before the matched ``x`` of the other text, which has no partner either, would match that
    # ``$`` at no cost. So a path that skips a ``$`` skips its word, and skips as many words before
    # the next pair as the path of ``early``.
    from rapidfuzz.distance import LCSseq

    (i, k), (n, m) = piece
    ours, theirs = (_write_out(text, weights)[::-1] for text in (left[i:n], right[k:m]))
    size = 3 if weights == SCLITE else 2
    # an end that no other item equals, because rapidfuzz would match equal ends first
    matches = LCSseq.editops(theirs + _END, ours).as_matching_blocks()
    for b, a, length in reversed(matches):
        if length >= size:  # else it is empty, or a $ alone
            yield n - (a + length) // size, m - (b + length) // size, length // size
    yield n, m, 0


def _pairs_first(left: str, right: str, piece: tuple[Span, Span]) -> Iterable[Match]:
    """The cheapest alignment of a piece by sclite's weights, where pairs come first."""
    # Read from the end, a pair comes before an insertion, and an insertion before a deletion.
    # The table is that of the longest common subsequences of the texts as :func:`_write_out` writes
    # them. The row of a word is a number with three bits for each word of the hypothesis; a bit is
    # 0 where the length grows by 1 (Hyyrö, Bit-parallel LCS-length computation revisited, 2004). A
    # pair of different words adds 1 to the length before both, an insertion or a deletion nothing.
    (start, begin), (i, k) = piece
    matches = [(i, k, 0)]
    rows: list[int] = []
    ones = 0  # in the row of i words, before column k; as many after equal words are passed
    while i > start and k > begin:
        end = i
        while i > start and k > begin and left[i - 1] == right[k - 1]:
            i, k = i - 1, k - 1
        matches.append((i, k, end - i))
        if not rows:  # equal words at the end need no table
            rows = _rows(left[start:i], right[begin:k])
            ones = rows[-1].bit_count()
        while i > start and k > begin and left[i - 1] != right[k - 1]:
            column = 3 * (k - begin - 1)
            if (rows[i - start - 1] & (1 << column) - 1).bit_count() == ones - 2:
                i, k, ones = i - 1, k - 1, ones - 2
            elif rows[i - start] >> column & 7 == 7:
                k, ones = k - 1, ones - 3
            else:
                i -= 1
    return reversed(matches)


def _rows(left: str, right: str) -> list[int]:
    """The rows of the table, from that of no word to that of all words of the left."""
    full = (1 << 3 * len(right)) - 1
    marks = full // 7
    places: dict[str, int] = {}
    copies = 6
    for word in right:
        places[word] = places.get(word, 0) | copies
        copies <<= 3
    row = full
    rows = [row]
    for word in left:
        met = row & marks
        row = row + met | row ^ met
        if word in places:
            here = places[word]
            met = row & here
            row = row + met | row ^ met
            met = row & here
            row = row + met | row ^ met
        row &= full
        rows.append(row)
    return rows


def _write_out(text: str, weights: Weights) -> str:
    """Each word ``x`` as ``$ x x`` by sclite's weights, as ``$ x`` by unit weights."""
    # The least number of insertions and deletions between two such texts is the cost of the words,
    # by unit weights twice the cost. Deleting and inserting a word costs 3 + 3. A correct word
    # saves all 6; any other pair saves the 2 of its ``$``, which leaves 4. By unit weights the cost
    # is 2 + 2, of which a correct word saves 4 and any other pair 2.
    size = 3 if weights == SCLITE else 2
    words = array("I", text.encode(_ENCODING, "surrogatepass"))  # of four bytes, as in the encoding
    found = array("I", bytes(words.itemsize * size * len(words)))  # all are ``$``
    for copy in range(1, size):
        found[copy::size] = words
    return found.tobytes().decode(_ENCODING, "surrogatepass")


_ENCODING = f"utf-32-{sys.byteorder[0]}e"


# --------------------------------------------------------------------------------- the least cost


def least_cost(texts: Texts, weights: Weights, most: int | None = None) -> int:
    """The least cost of an alignment, in little memory and without the alignment."""
    from rapidfuzz.distance import Indel, Levenshtein

    left, right = texts
    if weights == UNIT:
        return Levenshtein.distance(left, right, score_cutoff=most)
    return Indel.distance(_write_out(left, weights), _write_out(right, weights), score_cutoff=most)


# --------------------------------------------------------------------------------------- the cuts


def points_at(at: Iterable[Point], left: Sequence[int], right: Sequence[int]) -> list[Point]:
    """Frontiers of words as points among the items of both sides."""
    return [(bisect_left(left, i), bisect_left(right, k)) for i, k in at]


def cut_points(
    texts: Texts,
    pieces: Pieces,
    at: Sequence[Point] = (),
    begins: tuple[Sequence[int], Sequence[int]] | None = None,
) -> list[Point]:
    """The points where two sequences are cut, from ``(0, 0)`` to their ends."""
    points = [(0, 0)]
    end = len(texts[0]), len(texts[1])
    left, right = begins or [range(size + 1) for size in end]  # where each word begins in its parts
    for (i, k), (j, m) in pairwise([(0, 0), *at, end]):
        whole = (left[j] - left[i]) * (right[m] - right[k])
        if whole > pieces.whole:
            part = cuts((texts[0][i:j], texts[1][k:m]), pieces)
            points += [(i + a, k + b) for a, b in part[1:]]
        else:
            points.append((j, m))
    return points


def cuts(texts: Texts, pieces: Pieces) -> list[Point]:
    """The points ``(i, k)`` where a long document is cut, from ``(0, 0)`` to the ends."""
    # A point is in the middle of the longest run of equal words within reach, in a cheapest
    # alignment by unit weights. If no run of ``RUN`` words is within reach, the point is the last
    # point of that alignment within reach.
    longest = max(RUN, pieces.least // 2)  # a very long run is several adjacent ones
    runs = [
        (i + start, k + start, min(longest, length - start))
        for i, k, length in matches_of(texts)
        for start in range(0, length, longest)
        if length - start >= RUN
    ]
    middles = [i + k + length for i, k, length in runs]
    end = (len(texts[0]), len(texts[1]))
    points = [(0, 0)]
    while sum(end) - sum(points[-1]) > pieces.most:
        at = sum(points[-1])
        low, high = bisect_left(middles, at + pieces.least), bisect_right(middles, at + pieces.most)
        if low < high:
            i, k, length = max(runs[low:high], key=lambda run: run[2])
            points.append((i + length // 2, k + length // 2))
        else:
            points.append(_along(_edits(*texts), at + pieces.most))
    return [*points, end]


def _along(steps: Opcodes, at: int) -> Point:
    """The last point of an alignment with at most ``at`` words of both sides before it."""
    step = steps[bisect_right(steps, at, key=lambda step: step.src_start + step.dest_start) - 1]
    (i, j), (k, m) = (step.src_start, step.src_end), (step.dest_start, step.dest_end)
    rest = at - i - k
    if i == j:
        return i, k + rest
    return (i + rest, k) if k == m else (i + rest // 2, k + rest // 2)
