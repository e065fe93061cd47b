"""The operations of words by time: words that were said at the same time are paired.

Two words can be paired if they share time. Pairs are in order on both sides, and a word is in at
most one pair. Of all such pairings, one with the greatest sum of shared time is taken. Paired words
are correct if their normalised forms are equal, and a substitution otherwise; other words are
deletions and insertions. So the errors are not always the fewest possible: a word that the
recogniser has at another time is an error.

Where at least three correct words follow each other, both texts can be cut around them and aligned
piece by piece (:func:`cuts_by_time`).

The sum is found as the heaviest chain among the pairs of words that share time, in ``m log n``
steps for ``m`` such pairs (Jacobson and Vo, 1992, the heaviest increasing subsequence). Times are
integer milliseconds, so nothing is rounded.

Source of the cuts: Burger, Palmer and Hirschman, 1998, section 2.1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, count
from typing import NamedTuple

from ..documents.crossing import Span
from ..documents.model import Time
from ..errors import SerevalError
from .blocks import CORRECT, DELETION, INSERTION, SUBSTITUTION, Block
from .cheapest import RUN
from .normalise import LETTERS, Normalisation
from .words import WordOperations

MOST_SHARED = 3_000_000
"""The most pairs of words that may share time in a document; so many take less than a minute."""


def operations_by_time(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    times: tuple[Sequence[Time], Sequence[Time]],
    normalise: Normalisation = LETTERS,
    most_shared: int = MOST_SHARED,
) -> WordOperations:
    """The operations of the words of two texts, paired by time.

    Args:
        reference, hypothesis: the words of the two documents.
        times: the start and the end of each word on either side, in ms, ordered by start. A word
            without duration counts as one millisecond long.
        normalise: in which form words are compared; a word without a form is ignored.
        most_shared: how many pairs of words may share time.

    Returns:
        Each form of either side is in one operation. Words without a partner are
        in the order of their starts. Pairs are looked at by the word of the reference and then by
        that of the hypothesis, from the front; of pairings with the same sum, the one whose last
        pair is looked at first is taken, and so on for the pairs before it.

    The sum equals that of the table over all prefixes (``tests/alignment/test_time.py``).

    >>> said, heard = ((0, 300), (300, 800)), ((10, 290), (310, 500), (500, 790))
    >>> found = operations_by_time(["in", "Newark"], ["in", "new", "ark"], (said, heard))
    >>> for operation in found.operations:
    ...     print(*operation)
    correct 0 0
    insertion None 1
    substitution 1 2
    """
    said, heard = normalise.forms(reference), normalise.forms(hypothesis)
    left, right = ([times[0][k] for k in said.places], [times[1][k] for k in heard.places])
    found: list[Block] = []
    _check_shared(left, right, most_shared)
    i = k = 0
    for j, m in (*_heaviest(left, right), (len(left), len(right))):
        alone = [(right[h][0], INSERTION) for h in range(k, m)]
        alone += [(left[r][0], DELETION) for r in range(i, j)]
        for _, op in sorted(alone):  # no two of both sides start together: they would be a pair
            r, h = (i, k + 1) if op == INSERTION else (i + 1, k)
            found.append(Block((i, r), (k, h), op))
            i, k = r, h
        if j < len(left):
            is_same = said.texts[j] == heard.texts[m]
            op = CORRECT if is_same else SUBSTITUTION
            found.append(Block((j, j + 1), (m, m + 1), op))
        i, k = j + 1, m + 1
    return WordOperations(tuple(found), sides=(said, heard))


def cuts_by_time(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    times: tuple[Sequence[Time], Sequence[Time]],
    normalise: Normalisation = LETTERS,
) -> list[tuple[int, int]]:
    """The frontiers around runs of equal words that were said together.

    A *run* is at least ``cheapest.RUN`` pairs of :func:`operations_by_time` that are correct and
    follow each other on both sides. The two texts are cut before its first pair and after its last,
    so that an alignment of the pieces has these pairs.

    Args:
        reference, hypothesis, times, normalise: as for :func:`operations_by_time`.

    Returns:
        Frontiers of the words of both sides, which decrease on neither. A frontier inside a word is
        left out.

    >>> words, seconds = "in New York today".split(), [(0, 1), (1, 2), (2, 3), (3, 4)]
    >>> cuts_by_time(words, ["in", "New", "York", "two"], (seconds, seconds))
    [(0, 0), (3, 3)]
    """
    found = operations_by_time(reference, hypothesis, times, normalise)
    ours, theirs = (side.spans for side in found.sides)
    points = []
    for ref, hyp in _correct_runs(found.runs):
        if ref[1] - ref[0] >= RUN:
            for r, h in zip(ref, hyp, strict=True):
                one, other = _frontier(ours, r), _frontier(theirs, h)
                if one is not None and other is not None:
                    points.append((one, other))
    return points


def _frontier(spans: Sequence[Span], r: int) -> int | None:
    """The frontier of the words before form ``r``; ``None``: it is inside a word."""
    before = spans[r - 1][1] if r else 0
    after = spans[r][0] if r < len(spans) else before
    return after if before <= after else None


def _correct_runs(blocks: Iterable[Block]) -> Iterator[tuple[Span, Span]]:
    """The frontiers of the forms of adjacent correct pairs."""
    run: tuple[Span, Span] | None = None
    for ref, hyp, op, _ in blocks:
        if op != CORRECT:
            if run is not None:
                yield run
            run = None
        else:
            run = ((run[0][0], ref[1]), (run[1][0], hyp[1])) if run else (ref, hyp)
    if run is not None:
        yield run


class _Pair(NamedTuple):
    """The last pair of a chain, and the chain before it."""

    ref: int
    hyp: int
    before: _Pair | None


_Best = tuple[int, int, "_Pair | None"]
"""The weight of a chain, how many were found before it, negated, and its last pair."""


def _heaviest(left: Sequence[Time], right: Sequence[Time]) -> list[tuple[int, int]]:
    """The pairs, increasing on both sides, with the greatest sum of shared time."""
    best: list[_Best] = [(0, 0, None)] * (len(right) + 1)  # a Fenwick tree of prefix maxima
    order = count(-1, -1)
    for i, row in enumerate(_shared(left, right)):
        found = [(k, *_greatest(best, k), shared) for k, shared in row]
        for k, weight, _, before, shared in found:
            _raise(best, k, (weight + shared, next(order), _Pair(i, k, before)))
    *_, last = _greatest(best, len(right))
    pairs = []
    while last is not None:
        pairs.append((last.ref, last.hyp))
        last = last.before
    return pairs[::-1]


def _shared(left: Sequence[Time], right: Sequence[Time]) -> Iterator[list[tuple[int, int]]]:
    """For each word of the left, the words that share time with it, and how much."""
    starts = [start for start, _ in right]
    for one, near in _near(left, right):
        row = []
        for k in near:
            shared = min(_end(one), _end(right[k])) - max(one[0], starts[k])
            if shared > 0:
                row.append((k, shared))
        yield row


def _near(left: Sequence[Time], right: Sequence[Time]) -> Iterator[tuple[Time, range]]:
    """The time of each word of the left, and the words from the first to the last that share it."""
    starts = [start for start, _ in right]
    latest = [*accumulate((_end(time) for time in right), max)]
    for one in left:
        yield one, range(bisect_right(latest, one[0]), bisect_right(starts, _end(one) - 1))


def _check_shared(left: Sequence[Time], right: Sequence[Time], most: int) -> None:
    """Refuse more pairs of words that share time, before the search for the best of them."""
    if sum(len(near) for _, near in _near(left, right)) <= most:
        return
    for found in accumulate(len(row) for row in _shared(left, right)):
        if found > most:
            raise SerevalError(
                f"more than {most} pairs of words share time, expected times of their own "
                "for most words, or an alignment by text"
            )


def _end(time: Time) -> int:
    return max(time[1], time[0] + 1)


def _greatest(best: Sequence[_Best], k: int) -> _Best:
    """The heaviest chain that ends before word ``k`` of the right; of equals, the first found."""
    found = best[0]  # the empty chain
    while k > 0:
        found = max(found, best[k])
        k &= k - 1
    return found


def _raise(best: list[_Best], k: int, chain: _Best) -> None:
    """Enter a chain that ends with word ``k`` of the right."""
    k += 1
    while k < len(best):
        best[k] = max(best[k], chain)
        k += k & -k
