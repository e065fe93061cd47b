"""The cheapest alignment of two sequences of words.

An alignment asks only which words are equal. So each text becomes a string with one character for
each word (:func:`texts_of`), and rapidfuzz aligns the strings.

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
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import count, pairwise
from typing import TYPE_CHECKING, NamedTuple

from ..documents.model import Span
from ..errors import SerevalError
from .blocks import SCLITE, UNIT, WEIGHTS, Point, Weights

if TYPE_CHECKING:
    from rapidfuzz.distance import Opcodes


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
