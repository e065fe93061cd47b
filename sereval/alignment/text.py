"""Word alignment by text: the words of the hypothesis aligned with the words of the reference.

If words have no times, a reference is projected through an alignment of the two texts: *blocks*
that tile both sides in order (``blocks``). :func:`align_text` compares words as they are written,
``phones.align_phones`` as they sound.

**Least cost.** Insertions, deletions and substitutions have the weights of sclite (3, 3, 4) or of
the plain edit distance (1, 1, 1); correct words cost nothing. Words are compared by their letters,
marks and numbers, without case; a word that has none of these is punctuation and is ignored.

**Ties.** Several alignments may cost the same. The policy ``early`` takes the first one when read
from the front, where an insertion comes before a deletion and a deletion before a pair, so gaps are
as early as possible. In a run of errors between two correct words, every word of the shorter side
is paired, and the weights do not determine with which words of the longer side. By the policy
``spelling`` their letters decide (``spelling``), and several neighbouring words may form a block
with one word. The cost is the same: to the weights, all but one of them are insertions or
deletions::

    reference   NEW  YORK    DESK
    hypothesis       NEWARK  BASK    early: one word was deleted, which costs 3, two are wrong
             [NEW YORK ~ NEWARK]     spelling: a block of two words to one, which costs 3 + 4

The policy ``anchored`` is like ``spelling`` up to the last correct word of the two texts. After it
the words are paired in order, and words without a partner come last. If the texts are cut after
that word, this holds for the words after the cut only::

    reference   NEWT  GINGRICH
    hypothesis  NEWT  GOOD RICH      spelling: RICH; anchored: GOOD

If the letters contradict the weights, a second reading is kept (``WordAlignment.otherwise``), and a
frontier has the candidates of both. The first reading is always a cheapest alignment.

**Long documents** are cut and aligned piece by piece. What the cuts cost is the ``slack`` of the
result (``cheapest``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import compress, count, pairwise, product
from operator import add, itemgetter
from typing import Any, NamedTuple

from rapidfuzz.distance.LCSseq import similarity

from ..documents.model import Span
from ..errors import SerevalError
from .blocks import (
    CORRECT,
    SCLITE,
    SUBSTITUTION,
    TIES,
    Block,
    Match,
    Places,
    Point,
    Weights,
    WordAlignment,
    cheapest,
    errors,
    of_words,
    pair_of,
    places_between,
    points_at,
    texts_of,
    tile,
)
from .normalise import EXACT, LETTERS, Normalisation

# -------------------------------------------------------------------------- pairs by their letters

# Pairs of words in a run of errors, chosen by their letters.
#
# The weights of an alignment determine which words are correct and what each run of errors between
# them costs. They do not determine which words of a run are paired. Their letters decide that::
#
#     reference   march.     f.  plaqué        Honoré , 8 . 502
#                   |          \  |       or     |       |
#     hypothesis  ma ch.     f.plaqué      DD  Honore , U .
#
# **Pairs.** Every word of the shorter side is paired, as in any cheapest alignment. A word is
# paired with one word of the longer side, or with several words that were *joined* or *split*. The
# several words are neighbours without punctuation between them, they share at least half of the
# letters, and without the first or the last of them the likeness would be smaller. Of all ways to
# pair, those with the greatest likeness are taken; of these, those with equal punctuation beside
# most pairs; of these, the first one when read from the front, where a word without a partner comes
# before a pair, and a pair before a group of more words.
#
# **Nearly the same words.** The weights know only equal and different words. If one word of a run
# was deleted and another one inserted, both sides of the run have the same number of words. The
# weights then pair all of them in order, because a deletion and an insertion together cost more
# than a substitution. So a run is aligned a second time. In this alignment a pair or a group with
# four fifths of the letters in common costs only its share of the letters that differ. The pairs
# and groups of this kind in the cheapest alignment are kept, and the words between them are paired
# as above. The result is a second reading of the run, and shows where the first reading is
# uncertain.


HALF, NEARLY_ALL = 500, 800
"""The least likeness, in thousandths, of words that were joined and of words nearly the same."""


Group = tuple[int, int, int, int]
"""Words ``i`` to ``j`` of one side, paired with ``k`` to ``m`` of the other: ``i, j, k, m``."""

Run = tuple[Span, Span]
"""The words of either side in a run of errors."""


class SideWords(NamedTuple):
    """The words of one side that are compared."""

    words: Sequence[str]  # all words of the document
    forms: Sequence[str]  # of each word; that of punctuation is empty
    places: Sequence[int]  # positions of the words that are compared
    texts: Sequence[str]  # their forms

    def mark(self, at: int) -> str:
        """The word at a position if it is punctuation; else empty."""
        return self.words[at] if 0 <= at < len(self.words) and not self.forms[at] else ""


Way = tuple[int, Group]
"""A step through a run of errors: its value and its words, one of one side or a group."""


def _best_way(ways: dict[Point, list[Way]], ends: Iterable[Point]) -> tuple[int, list[Group]]:
    """The greatest value of the steps from the first point to an end, and the steps."""
    # Points are in order; of ways with the same value, the first one from each point is taken.
    best: dict[Point, tuple[int, Group | None]] = dict.fromkeys(ends, (0, None))
    for here in reversed(ways):
        found = [
            (value + best[step[1], step[3]][0], step)
            for value, step in ways[here]
            if (step[1], step[3]) in best
        ]
        best[here] = max(found, key=itemgetter(0))
    value, step = best[next(iter(ways))]
    steps = []
    while step is not None:
        steps.append(step)
        _, step = best[step[1], step[3]]
    return value, steps


def most_alike(left: SideWords, right: SideWords, run: Run) -> list[Group]:
    """The pairs of a run of errors with the greatest likeness, in order; the left is shorter."""
    (i, j), (k, m) = run
    spare = m - k - (j - i)
    ways = {
        (r, h): [(0, (r, r, h, h + 1)), *_pairs(left, right, r, h, m - h - (j - r) + 1)]
        for r in range(i, j)
        for h in range(k + r - i, k + r - i + spare + 1)
    }
    _, steps = _best_way(ways, ((j, h) for h in range(m - spare, m + 1)))
    return [step for step in steps if step[0] < step[1]]


def in_order(left: SideWords, right: SideWords, run: Run) -> list[Group]:
    """The pairs of a run of errors, in order from its front; the left is shorter."""
    # Each word of the left takes the next word of the right, or several joined words.
    (i, j), (k, m) = run
    found = []
    for r in range(i, j):
        takes = _takes(left.texts[r], right, k, m - k - (j - r) + 1)
        n, _ = max(takes, key=itemgetter(1))
        found.append((r, r + 1, k, k + n))
        k += n
    return found


def _pairs(left: SideWords, right: SideWords, r: int, h: int, most: int) -> Iterator[Way]:
    """The groups of one word of the left with at most so many of the right, from one on."""
    ours, theirs = left.places, right.places
    before, after = left.mark(ours[r] - 1), left.mark(ours[r] + 1)
    for n, alike in _takes(left.texts[r], right, h, most):
        same = (before != "" and before == right.mark(theirs[h] - 1)) + (
            after != "" and after == right.mark(theirs[h + n - 1] + 1)
        )
        # likeness outweighs all punctuation of a run
        yield alike * 3 * LONGEST_RUN + same, (r, r + 1, h, h + n)


def _takes(
    text: str, words: SideWords, at: int, most: int, least: int = HALF
) -> Iterator[tuple[int, int]]:
    """How many words from ``at`` on, at most ``most``, a word may take, each with the likeness."""
    first = joined = words.texts[at]
    yield 1, likeness(text, first)
    for n in range(2, most + 1):
        if words.mark(words.places[at + n - 2] + 1):
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


def likeness(one: str, other: str) -> int:
    """The letters that both words have in the same order, in thousandths of all their letters."""
    return 2000 * similarity(one, other) // (len(one) + len(other))


# ------------------------------------------------------------------------------- nearly the same


RunCost = Callable[[int, int], int]
"""The cost of a run of errors, by its number of words on either side."""


def nearly_same(
    left: SideWords, right: SideWords, run: Run, cost: RunCost, first: Sequence[Group]
) -> list[Group]:
    """The pairs of a run of errors if words that are nearly the same cost less."""
    near = {
        (i, j, k, m): cost(j - i, m - k) * (1000 - alike)
        for (i, j, k, m), alike in _near(left, right, run)
        if alike >= NEARLY_ALL
    }
    if near.keys() <= {*first}:
        return []
    (i, n), (k, m) = run
    ways: dict[Point, list[Way]] = {
        (r, h): [
            (-1000 * cost(ref, hyp), (r, r + ref, h, h + hyp))
            for ref, hyp in ((0, 1), (1, 0), (1, 1))
        ]
        for r, h in product(range(i, n + 1), range(k, m + 1))
    }
    for group, price in sorted(near.items()):
        ways[group[0], group[2]].append((-price, group))
    del ways[n, m]
    value, path = _best_way(ways, [(n, m)])
    known = [group for group in first if group in near]
    saved = sum(1000 * cost(b - a, d - c) - near[a, b, c, d] for a, b, c, d in known)
    if -value == 1000 * cost(n - i, m - k) - saved:
        return []
    found: list[Group] = []
    for group in (*filter(near.__contains__, path), (n, n, m, m)):
        found += _paired(((i, group[0]), (k, group[2])), left, right, "spelling")
        found += [group] if group in near else []
        _, i, _, k = group
    return found


def _near(left: SideWords, right: SideWords, run: Run) -> Iterator[tuple[Group, int]]:
    """The groups of one word with others of a run, each with its likeness."""
    (i, j), (k, m) = run
    for r, h in product(range(i, j), range(k, m)):
        ours, theirs = left.texts[r], right.texts[h]
        # a longer word cannot reach the likeness, nor can its joins
        if 2 * len(theirs) <= 3 * len(ours):
            for n, alike in _takes(ours, right, h, m - h, NEARLY_ALL):
                yield (r, r + 1, h, h + n), alike
        if 2 * len(ours) <= 3 * len(theirs):
            for n, alike in _takes(theirs, left, r, j - r, NEARLY_ALL):
                yield (r, r + n, h, h + 1), alike


# ----------------------------------------------------------------------------------- the alignment


LONGEST_RUN, LONGEST_READ_TWICE = 10_000, 100
"""How many pairs of words may be compared in a run of errors for the first and for the second
reading; longer runs are paired as by ``early``, and have no second reading."""


def align_text(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    weights: Weights = SCLITE,
    ties: str = "spelling",
    *,
    normalise: Normalisation = LETTERS,
    at: Sequence[Point] | None = None,
) -> WordAlignment:
    """The cheapest alignment of two texts by their words.

    Args:
        reference: the annotated words.
        hypothesis: the recogniser's words.
        weights: ``SCLITE`` or ``UNIT``.
        ties: the policy that chooses among the cheapest alignments: a name of ``TIES``.
        normalise: in which form words are compared.
        at: frontiers of the words of both sides where the texts are cut by time, those of
            ``time.cuts_by_time``; they decrease on neither side.

    Returns:
        Blocks of at most one word on each side; with ``spelling`` and ``anchored`` also blocks of
        one word against several. The costs of all blocks by ``weights.of_run`` add up to ``cost``.
        Words that are all punctuation are blocks of their own at no cost. Between two pairs, a
        punctuation mark that both sides have makes a pair (the first that fits). ``slack`` is the
        exact cost of the cuts; without ``at`` it is 0 for documents that
        are not long. If the normalisation
        rewrites the texts, ``cost`` is that of the forms, and words that share a form are in one
        block (``blocks.of_words``).

    Raises:
        SerevalError: unknown ties or weights.

    The cost equals that of the textbook table over all prefixes (``tests/alignment/test_text.py``).

    >>> words = "AT THE NEW YORK DESK".split(), "at the Newark bask".split()
    >>> newark = align_text(*words)
    >>> newark.cost, newark.counts["substitution"], newark.counts["deletion"]  # 3 + 4 + 4
    (11, 2, 1)
    >>> [(block.ref, block.hyp) for block in newark.blocks[2:]]
    [((2, 4), (2, 3)), ((4, 5), (3, 4))]
    >>> [block.op for block in align_text(*words, ties="early").blocks]
    ['correct', 'correct', 'deletion', 'substitution', 'substitution']
    """
    if ties not in TIES:
        raise SerevalError(f"ties {ties!r}, expected one of {', '.join(TIES)}")
    how = f"by:text weights:{weights.name}"
    how += f" normalise:{normalise.name}" if normalise != LETTERS else ""
    how += " cut:times" if at is not None else ""
    words = tuple(reference), tuple(hypothesis)
    if normalise.rewrite is not None:
        forms = normalise.forms(reference), normalise.forms(hypothesis)
        cuts = points_at(at or (), *([start for start, _ in one.spans] for one in forms))
        found = align_text(forms[0].texts, forms[1].texts, weights, ties, normalise=EXACT, at=cuts)
        blocks = of_words(found.blocks, forms, words)
        otherwise = found.otherwise and of_words(found.otherwise, forms, words)
        return WordAlignment(blocks, found.cost, found.slack, how, otherwise)
    written = [[*map(normalise.form, side)] for side in words]
    ours, theirs = (
        SideWords(side, own, [*compress(count(), own)], [*filter(None, own)])
        for side, own in zip(words, written, strict=True)
    )
    cuts = points_at(at or (), ours.places, theirs.places)
    matches, cost, slack = cheapest(texts_of(ours.texts, theirs.texts), weights, cuts)
    policy = partial(_read, left=ours, right=theirs, weights=weights, ties=ties)
    return TextAlignment(ours, theirs, matches, policy, cost=cost, slack=slack, how=how)


class TextAlignment(WordAlignment):
    """The alignment of two texts whose gaps between correct words are read on demand."""

    _refs: list[int]  # the places of correct words, and one on either end
    _hyps: list[int]
    _gap: Callable[[int], tuple[Sequence[list[Block]], list[Places]]]  # first reading, last one

    def __init__(
        self,
        ours: SideWords,
        theirs: SideWords,
        matches: Sequence[Match],
        policy: Callable[[Run], Readings],
        **made: Any,
    ) -> None:
        refs, hyps = [-1], [-1]
        runs: dict[int, list[Run]] = {}
        for run, (j, m, size) in zip(errors(matches), matches, strict=True):
            runs.setdefault(len(refs) - 1, []).append(run)
            refs += ours.places[j : j + size]
            hyps += theirs.places[m : m + size]
        refs.append(len(ours.words))
        hyps.append(len(theirs.words))
        words, forms = (ours.words, theirs.words), (ours.forms, theirs.forms)

        def read(gap: int) -> tuple[Sequence[list[Block]], list[Places]]:
            start, end = (refs[gap] + 1, hyps[gap] + 1), (refs[gap + 1], hyps[gap + 1])
            found = [policy(run) for run in runs.get(gap, ())]
            first, second = ([group for both in found for group in both[k]] for k in (0, 1))
            readings = [
                tile([_block(ours, theirs, group) for group in groups], words, forms, start, end)
                for groups in ([first, second] if first != second else [first])
            ]
            return readings, places_between(start, readings, end)

        vars(self).update(made, _refs=refs, _hyps=hyps, _gap=cache(read))

    @property
    def lengths(self) -> Point:
        """The number of words of the reference and of the hypothesis."""
        return self._refs[-1], self._hyps[-1]

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks from the first words to the last."""
        return self._whole(0)

    @cached_property
    def otherwise(self) -> tuple[Block, ...]:
        """The blocks of the other reading; empty: there is none."""
        found = self._whole(-1)
        return found if found != self.blocks else ()

    def _whole(self, reading: int) -> tuple[Block, ...]:
        """The blocks of the whole by one of the readings of each gap."""
        blocks: list[Block] = []
        both = enumerate(pairwise(map(add, self._refs, self._hyps)))
        gaps = [gap for gap, (here, after) in both if not gap or after - here > 2]
        for gap, last in pairwise((*gaps, len(self._refs) - 2)):
            blocks += self._gap(gap)[0][reading]
            r, h, size = self._refs[gap + 1], self._hyps[gap + 1], last - gap
            blocks += Block((r, r + size), (h, h + size), CORRECT).singly
        return tuple(blocks)

    def places(self, f: int) -> Places:
        """The candidates of a frontier, in increasing order, and its strict frontiers."""
        gap = bisect_left(self._refs, f) - 1
        i, k, m = self._refs[gap] + 1, self._hyps[gap] + 1, self._hyps[gap + 1]
        if i == self._refs[gap + 1] or k == m:  # no pair in between
            return k, m, m, k
        return self._gap(gap)[1][f - i]


def _block(ours: SideWords, theirs: SideWords, group: Group) -> Block:
    """A block for a group of words of a run of errors."""
    i, j, k, m = group
    # two equal words are possible in the second reading only
    op = CORRECT if ours.texts[i:j] == theirs.texts[k:m] else SUBSTITUTION
    ref, hyp = (
        {side.places[at]: len(side.texts[at]) for at in range(*span)}
        for side, span in ((ours, (i, j)), (theirs, (k, m)))
    )
    return pair_of(ref, hyp, op)


Readings = tuple[list[Group], list[Group]]
"""The groups of a run of errors, and those of its second reading, which may be the same."""


def _read(run: Run, left: SideWords, right: SideWords, weights: Weights, ties: str) -> Readings:
    """The groups of a run by a policy, and those of its second reading."""
    (i, j), (k, m) = run
    if ties == "anchored" and (j, m) != (len(left.texts), len(right.texts)):
        ties = "spelling"
    first = _paired(run, left, right, ties)
    if ties != "spelling" or min(j - i, m - k) < 2 or (j - i) * (m - k) > LONGEST_READ_TWICE:
        return first, first
    return first, nearly_same(left, right, run, weights.of_run, first) or first


def _paired(run: Run, left: SideWords, right: SideWords, ties: str) -> list[Group]:
    """The groups of a run by a policy that chooses among the cheapest alignments."""
    (i, j), (k, m) = run
    short, spare = j - i, m - k - (j - i)
    if spare < 0:
        turned = _paired((run[1], run[0]), right, left, ties)
        return [(i, j, k, m) for k, m, i, j in turned]
    if ties == "anchored":
        return in_order(left, right, run)
    if ties == "early" or not short * spare or short * (spare + 1) > LONGEST_RUN:
        # gaps are as early as possible
        return [(j - x, j - x + 1, m - x, m - x + 1) for x in range(short, 0, -1)]
    return most_alike(left, right, run)
