"""Pairs of words in a run of errors, chosen by their letters.

The weights of an alignment determine which words are correct and what each run of errors between
them costs. They do not determine which words of a run are paired. Their letters decide that::

    reference   march.     f.  plaqué        Honoré , 8 . 502
                  |          \\  |       or     |       |
    hypothesis  ma ch.     f.plaqué      DD  Honore , U .

**Pairs.** Every word of the shorter side is paired, as in any cheapest alignment. A word is paired
with one word of the longer side, or with several words that were *joined* or *split*. The several
words are neighbours without punctuation between them, they share at least half of the letters, and
without the first or the last of them the likeness would be smaller. Of all ways to pair, those with
the greatest likeness are taken; of these, those with equal punctuation beside most pairs; of these,
the first one when read from the front, where a word without a partner comes before a pair, and a
pair before a group of more words.

**Nearly the same words.** The weights know only equal and different words. If one word of a run was
deleted and another one inserted, both sides of the run have the same number of words. The weights
then pair all of them in order, because a deletion and an insertion together cost more than a
substitution. So a run is aligned a second time. In this alignment a pair or a group with four
fifths of the letters in common costs only its share of the letters that differ. The pairs and
groups of this kind in the cheapest alignment are kept, and the words between them are paired as
above. The result is a second reading of the run, and shows where the first reading is uncertain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

HALF, NEARLY_ALL = 500, 800
"""The least likeness, in thousandths, of words that were joined and of words nearly the same."""

Group = tuple[int, int, int, int]
"""Words ``i`` to ``j`` of one side, paired with ``k`` to ``m`` of the other: ``i, j, k, m``."""


class Words(NamedTuple):
    """Words of one side, in order.

    Args:
        texts: the letters of each word, in the form that is compared.
        marks: the punctuation right before and right after each word; empty if there is none.
    """

    texts: Sequence[str]
    marks: Sequence[tuple[str, str]]

    def part(self, start: int, end: int) -> Words:
        """The words from ``start`` to ``end``."""
        return Words(self.texts[start:end], self.marks[start:end])


def most_alike(left: Words, right: Words) -> list[Group]:
    """The pairs of a run of errors with the greatest likeness, in order.

    >>> plain = ("", "")
    >>> most_alike(Words(["march"], [plain]), Words(["p", "ma", "ch"], [plain] * 3))
    [(0, 1, 1, 3)]
    """
    if len(left.texts) > len(right.texts):
        return [(i, j, k, m) for k, m, i, j in most_alike(right, left)]
    if len(left.texts) == len(right.texts):
        return [(i, i + 1, i, i + 1) for i in range(len(left.texts))]
    spare = len(right.texts) - len(left.texts)
    # by the number of words of the other side that have been skipped
    ahead, widths = [0] * (spare + 1), []
    for i in range(len(left.texts) - 1, -1, -1):
        ahead, width = _row(left, right, i, ahead)
        widths.append(width)
    found, k = [], 0
    for i, width in enumerate(reversed(widths)):
        while not width[k - i]:
            k += 1
        found.append((i, i + 1, k, k + width[k - i]))
        k += width[k - i]
    return found


def in_order(left: Words, right: Words) -> list[Group]:
    """The pairs of a run of errors, in order from its front.

    Each word of the shorter side takes the next word of the other side, or several joined words.

    >>> words = [Words(side, [("", "")] * 2) for side in (["gingrich"], ["good", "rich"])]
    >>> in_order(*words), most_alike(*words)
    ([(0, 1, 0, 1)], [(0, 1, 1, 2)])
    """
    if len(left.texts) > len(right.texts):
        return [(i, j, k, m) for k, m, i, j in in_order(right, left)]
    spare, k = len(right.texts) - len(left.texts), 0
    found = []
    for i, text in enumerate(left.texts):
        takes = _takes(text, right, k, spare - (k - i) + 1)
        n, _ = max(takes, key=lambda take: take[1])
        found.append((i, i + 1, k, k + n))
        k += n
    return found


def _row(left: Words, right: Words, i: int, ahead: Sequence[int]) -> tuple[list[int], list[int]]:
    """The greatest value of the pairs from word ``i`` on, and how many words word ``i`` takes.

    Both lists are indexed by the number of words of the other side that have been skipped, that is,
    left without a partner. If word ``i`` takes 0 words, one more word is skipped. Likeness
    outweighs all punctuation; a pair has a place for punctuation before it and one after it.
    """
    most = 2 * len(left.texts) + 1
    spare = len(ahead) - 1
    row, width = [-1] * (spare + 2), [0] * (spare + 1)
    for o in range(spare, -1, -1):
        row[o] = row[o + 1]
        for n, alike in _takes(left.texts[i], right, i + o, spare - o + 1):
            same = _same_marks(left.marks[i], right.marks[i + o][0], right.marks[i + o + n - 1][1])
            value = alike * most + same + ahead[o + n - 1]
            if value > row[o]:
                row[o], width[o] = value, n
    return row[:-1], width


def _takes(text: str, words: Words, at: int, most: int) -> Iterator[tuple[int, int]]:
    """How many words from ``at`` on a word may be paired with, each with the likeness."""
    yield 1, likeness(text, words.texts[at])
    yield from _joins(text, words, at, most, HALF)


def _joins(text: str, words: Words, at: int, most: int, least: int) -> Iterator[tuple[int, int]]:
    """How many words from ``at`` on, at most ``most``, may be joined in one, with the likeness."""
    first = joined = words.texts[at]
    for n in range(2, most + 1):
        if words.marks[at + n - 2][1]:
            return  # punctuation between the words
        without_last, joined = joined, joined + words.texts[at + n - 1]
        if least * len(joined) > (2000 - least) * len(text):
            return
        if least * len(text) > (2000 - least) * len(joined):
            continue
        alike = likeness(text, joined)
        outer = without_last, joined[len(first) :]
        if alike >= least and all(alike > likeness(text, rest) for rest in outer):
            yield n, alike


def _same_marks(marks: tuple[str, str], before: str, behind: str) -> int:
    return (marks[0] == before != "") + (marks[1] == behind != "")


def likeness(one: str, other: str) -> int:
    """The letters that both words have in the same order, in thousandths of all their letters.

    >>> likeness("trading", "training")
    800
    """
    return 2000 * _similarity()(one, other) // (len(one) + len(other))


@cache
def _similarity() -> Callable[[str, str], int]:
    """The number of letters that two words have in the same order."""
    from rapidfuzz.distance import LCSseq  # only where words are wrong

    return LCSseq.similarity


# ------------------------------------------------------------------------------- nearly the same


RunCost = Callable[[int, int], int]
"""The cost of a run of errors, by its number of words on either side."""


def nearly_same(left: Words, right: Words, cost: RunCost, first: Sequence[Group]) -> list[Group]:
    """The pairs of a run of errors if words that are nearly the same cost less."""
    near = {
        (i, j, k, m): cost(j - i, m - k) * (1000 - alike)
        for i, j, k, m, alike in _near(left, right)
    }
    if near.keys() <= {*first}:
        return []
    n, m = ends = len(left.texts), len(right.texts)
    least, path = _cheapest(ends, cost, near)
    known = [group for group in first if group in near]
    saved = sum(1000 * cost(j - i, m - k) - near[i, j, k, m] for i, j, k, m in known)
    if least == 1000 * cost(n, m) - saved:
        return []
    found: list[Group] = []
    i = k = 0
    for group in (*path, (n, n, m, m)):
        between = most_alike(left.part(i, group[0]), right.part(k, group[2]))
        found += [(i + a, i + b, k + c, k + d) for a, b, c, d in between]
        found += [group] if group in near else []
        _, i, _, k = group
    return found


def _near(left: Words, right: Words) -> Iterator[tuple[int, int, int, int, int]]:
    """The groups of words that are nearly the same, each with its likeness."""
    for i, ours in enumerate(left.texts):
        for k, theirs in enumerate(right.texts):
            # a longer word cannot reach the likeness, nor can its joins
            if 2 * len(theirs) <= 3 * len(ours):
                for n, alike in _joins(ours, right, k, len(right.texts) - k, NEARLY_ALL):
                    yield i, i + 1, k, k + n, alike
                if 2 * len(ours) <= 3 * len(theirs):
                    alike = likeness(ours, theirs)
                    if alike >= NEARLY_ALL:
                        yield i, i + 1, k, k + 1, alike
            if 2 * len(ours) <= 3 * len(theirs):
                for n, alike in _joins(theirs, left, i, len(left.texts) - i, NEARLY_ALL):
                    yield i, i + n, k, k + 1, alike


def _cheapest(
    ends: tuple[int, int], cost: RunCost, near: dict[Group, int]
) -> tuple[int, list[Group]]:
    """The cost of the cheapest alignment of a run, and its groups of nearly the same words."""
    plain = [(ref, hyp, 1000 * cost(ref, hyp)) for ref, hyp in ((0, 1), (1, 0), (1, 1))]
    from_here: dict[tuple[int, int], list[tuple[Group, int]]] = {}
    for group, price in near.items():
        from_here.setdefault((group[0], group[2]), []).append((group, price))
    costs = {ends: 0}  # by frontiers: the least cost from there to the end
    steps: dict[tuple[int, int], Group] = {}
    for i, k in product(*(range(end, -1, -1) for end in ends)):
        ways = [((i, i + ref, k, k + hyp), price) for ref, hyp, price in plain]
        ways += from_here.get((i, k), [])
        left = [
            (price + costs[way[1], way[3]], way) for way, price in ways if (way[1], way[3]) in costs
        ]
        if left:
            costs[i, k], steps[i, k] = min(left)
    path, here = [], (0, 0)
    while here != ends:
        group = steps[here]
        path += [group] if group in near else []
        here = group[1], group[3]
    return costs[0, 0], path
