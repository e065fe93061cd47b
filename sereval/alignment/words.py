"""Word errors: what became of each word, as the word error rate counts it.

Each word of the reference is correct, substituted or deleted; each word of the hypothesis is
correct, a substitute or inserted. The word error rate counts these operations, so a rate and the
operations shown beside it never disagree.

**Least cost.** With the weights ``unit`` the number of errors is the least possible, in documents
of any length. With the weights ``sclite`` the alignment is the cheapest (``cheapest``), and
long documents are cut.

**Ties.** Several alignments may cost the same. With ``unit``, rapidfuzz decides which words are
correct, so the counts are those of every program that counts its edits. With ``sclite``, the rule
is that of the program of Le et al.: read from the end, a pair comes before an insertion, and an
insertion before a deletion. Between two correct words both weights have one rule: words without a
partner come first, then the words of both sides pair in order.

Sources: Levenshtein 1966; NIST, sclite; Le et al., Interspeech 2021.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from operator import add, attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..documents.model import Alternative, Span, Time
from ..documents.words import sharing
from ..errors import SerevalError
from .blocks import (
    CORRECT,
    DELETION,
    INSERTION,
    RUN,
    SUBSTITUTION,
    UNIT,
    Block,
    Match,
    Point,
    Weights,
    cheapest,
    counts_of,
    errors,
    least_cost,
    matches_of,
    texts_of,
)
from .normalise import LETTERS, Forms, Normalisation

if TYPE_CHECKING:
    import numpy

    Column: TypeAlias = numpy.ndarray[Any, Any]
# ------------------------------------------------------------------------------------ alternatives

# Alternatives: the reading of a reference that costs least against a hypothesis.
#
# A stretch of words may be said in other words (``documents.model``). The words and their
# alternatives form a lattice, in which each way from the first frontier to the last is a text::
#
#     in --- 2020 -------------------- we
#       \--- twenty twenty ----------/
#       \--- two thousand twenty ---/
#
# The alignment takes the text with the least cost. No text is written out: for each frontier of the
# lattice and each number of hypothesis words, the least cost of any text up to there is computed
# from the frontiers before it. The work is the number of words in the lattice, those of all
# readings together, times the number of hypothesis words.
#
# **Bounds.** The text as written is one of the lattice, so the least cost is at most its cost,
# which is fast to compute. For each frontier of the lattice the least and the most words of a text
# before it are known. Where the number of hypothesis words differs so much from these that the
# words without a partner alone cost more than the text as written, no cheapest alignment passes,
# and nothing is computed (Ukkonen, 1985).
#
# **Ties.** Of texts that cost the same, one with the fewest stretches in another reading is taken.
# If several are left, the last frontier where they differ decides: the words as written are taken
# first, then the alternatives that end there, in their order, and the readings of each, in their
# order.
#
# **Normalisation.** Each reading is a text of its own, and so is each piece of the reference
# between two frontiers of alternatives. This matters only to normalisations that rewrite texts.
#
# Sources: Myers and Miller, Approximate matching of regular expressions, 1989 (lattices in place of
# texts); Ukkonen, Algorithms for approximate string matching, 1985.


ReadingChoice = tuple[int, int, tuple[str, ...]]
"""A stretch of the reference, in frontiers, and the other reading in which it is counted."""


def cheapest_reading(
    reference: Sequence[str],
    alternatives: Sequence[Alternative],
    hypothesis: Sequence[str],
    weights: Weights,
    normalise: Normalisation = LETTERS,
) -> tuple[Forms, tuple[ReadingChoice, ...], int]:
    """The forms of the cheapest reading, the stretches in another reading, and its cost."""
    # The forms of another reading come from all words of the stretch.
    lattice = _lattice(reference, alternatives, normalise)
    edges, cost = _Table(lattice, normalise.forms(hypothesis).texts, weights).path()
    forms = Forms([], [])
    for edge in edges:
        forms.texts.extend(edge.forms.texts)
        forms.spans.extend(edge.forms.spans)
    chosen = tuple(edge.chosen for edge in edges if edge.chosen is not None)
    return forms, chosen, cost


class _Edge(NamedTuple):
    """Words between two places of a lattice."""

    start: int  # the place where it begins
    forms: Forms
    chosen: ReadingChoice | None  # None: the words as written


_Lattice: TypeAlias = Sequence[Sequence[_Edge]]
"""The edges that end at each place, in the order of preference; none at the first."""

LONGEST = 50
"""The most words of an edge as written: at its ends the bounds are computed anew."""


def _lattice(
    reference: Sequence[str], alternatives: Sequence[Alternative], normalise: Normalisation
) -> _Lattice:
    """The lattice of a reference: its frontiers are those of alternatives, and some between."""
    ends = {frontier for one in alternatives for frontier in (one.start, one.end)}
    frontiers = sorted({0, len(reference), *ends})
    edges: list[list[_Edge]] = [[]]
    place = {0: 0}
    for start, end in pairwise(frontiers):
        texts, spans = normalise.forms(reference[start:end])
        for k in range(0, max(len(texts), 1), LONGEST):
            part = [(start + a, start + b) for a, b in spans[k : k + LONGEST]]
            edges.append([_Edge(len(edges) - 1, Forms(texts[k : k + LONGEST], part), None)])
        place[end] = len(edges) - 1
    for start, end, readings in alternatives:
        for reading in readings:
            texts = normalise.forms(reading).texts
            span: Span = (start, end)
            forms = Forms(texts, [span] * len(texts))
            edges[place[end]].append(_Edge(place[start], forms, (start, end, reading)))
    return edges


class _Table:
    """The least costs up to each place of a lattice, by the number of hypothesis words before."""

    def __init__(self, lattice: _Lattice, heard: Sequence[str], weights: Weights) -> None:
        import numpy  # only where there are alternatives

        self.lattice, self.bounds = lattice, _bounds(lattice, heard, weights)
        self.scale = len(lattice)  # beside a cost, the edges in another reading are counted
        self.insertion, self.deletion, self.substitution = (
            self.scale * weight for weight in weights[1:]
        )
        self.number = {form: k for k, form in enumerate(dict.fromkeys(heard))}
        self.heard = numpy.array([self.number[form] for form in heard], dtype=numpy.int32)
        # From each cost the insertions of these words are taken off: an insertion costs nothing.
        self.columns: dict[int, Column] = {}

    def path(self) -> tuple[list[_Edge], int]:
        """The edges of the cheapest text, and its cost."""
        import numpy

        first = numpy.zeros(self.bounds[0][1] + 1, dtype=numpy.int64)
        parts = [(0, first)]  # where parts of the table begin, with the column there
        place = len(self.lattice) - 1
        for cut in (*_cuts(self.lattice, self.bounds), place):
            self._fill(*parts[-1], cut)
            parts.append((cut, self.columns[cut]))
        # On the way back, ``behind`` has the least costs from a place to the end by what was found.
        # An edge is one of a cheapest text if, with it, some costs up to its start add up to the
        # least.
        rest = len(self.heard) * self.insertion
        least = int(self.columns[place][-1]) + rest
        behind = numpy.full_like(self.columns[place], rest)
        found = []
        for start, column in reversed(parts[:-1]):
            if start not in self.columns:
                self._fill(start, column, place)
            while place > start:
                for edge in self.lattice[place]:
                    before = self._before(edge, place, behind)
                    if (self.columns[edge.start] + before).min() == least:
                        break
                found.append(edge)
                place, behind = edge.start, before
        return found[::-1], least // self.scale

    def _fill(self, start: int, column: Column, end: int) -> None:
        """Compute the columns from one place to another, without those of other parts."""
        import numpy

        self.columns = {start: column}
        for place in range(start + 1, end + 1):
            ends = [self._after(edge, place) for edge in self.lattice[place]]
            self.columns[place] = numpy.minimum.reduce(ends)

    def _after(self, edge: _Edge, place: int) -> Column:
        """The least costs up to a place by an edge that ends there."""
        low, high = self.bounds[edge.start][0], self.bounds[place][1]
        column = self._along(edge, self.columns[edge.start], self.heard[low:high])
        return column[self.bounds[place][0] - low :]

    def _before(self, edge: _Edge, place: int, behind: Column) -> Column:
        """The least costs from the start of an edge that ends at a place to the end."""
        (low, least), (_, high) = self.bounds[edge.start], self.bounds[place]
        column = self._along(edge, behind[::-1], self.heard[low:high][::-1], -1)
        return column[high - least :][::-1]

    def _along(self, edge: _Edge, column: Column, heard: Column, step: int = 1) -> Column:
        """The least costs behind an edge, for all hypothesis words up to its far bound."""
        import numpy

        spare = len(heard) + 1 - len(column)  # at the end, insertions follow
        column = numpy.pad(column, (0, spare), "edge") + (edge.chosen is not None)
        for form in edge.forms.texts[::step]:
            paired = column[:-1] + (self.substitution - self.insertion)
            if form in self.number:
                paired[heard == self.number[form]] -= self.substitution
            column = column + self.deletion
            numpy.minimum(column[1:], paired, out=column[1:])
            numpy.minimum.accumulate(column, out=column)
        return column


MOST_CELLS = 10_000_000
"""The most numbers of the table that are kept; parts of a larger one are computed once more."""


def _cuts(lattice: _Lattice, bounds: Sequence[Span]) -> Iterator[int]:
    """Places that no edge passes by, so far apart that the columns between fill the table."""
    ends = enumerate(lattice)
    passed = {k for end, edges in ends for edge in edges for k in range(edge.start + 1, end)}
    cells = 0
    for place, (low, high) in enumerate(bounds[:-1]):
        cells += high + 1 - low
        if cells > MOST_CELLS and place not in passed:
            yield place
            cells = 0


def _bounds(lattice: _Lattice, heard: Sequence[str], weights: Weights) -> list[Span]:
    """The least and the most hypothesis words before each place in a cheapest alignment."""
    # Neither decreases from one place to the next, so the words along an edge reach from the bounds
    # of its start to those of its end, also where a text passes by one of the two places.
    written = [form for edges in lattice[1:] for form in edges[0].forms.texts]
    # an insertion and a deletion cost the same: so many words may be without a partner
    alone = least_cost(texts_of(written, heard), weights) // weights.insertion
    words = [(0, 0)]  # the fewest and the most words of a text before each place
    for edges in lattice[1:]:
        fewest, most = zip(*(words[edge.start] for edge in edges), strict=True)
        sizes = [len(edge.forms.texts) for edge in edges]
        words.append((min(map(add, fewest, sizes)), max(map(add, most, sizes))))
    lows, highs = [], []
    for low, high in words:
        # so many words are missing before the place, and as many more are added after it
        added, missing = (
            high - low - words[-1][1] + len(heard),
            high - low + words[-1][0] - len(heard),
        )
        lows.append(max(0, low - min(alone, (alone - added) // 2)))
        highs.append(min(len(heard), high + min(alone, (alone - missing) // 2)))
    return [*zip([*accumulate(reversed(lows), min)][::-1], accumulate(highs, max), strict=True)]


# ------------------------------------------------------------------------- the operations of words


class WordOperations(NamedTuple):
    """The operations of all words of a document, in order."""

    runs: tuple[Block, ...]  # blocks of forms, one by one, from the first to the last
    sides: tuple[Forms, Forms]  # the forms that are compared
    slack: int = 0  # the most that the alignment may cost beyond the cheapest, in its weights
    # the stretches of the reference counted in another reading
    chosen: tuple[ReadingChoice, ...] = ()

    @property
    def operations(self) -> list[tuple[str, int | None, int | None]]:
        """Each operation, with the positions of its words in their documents."""
        ours, theirs = (side.places for side in self.sides)
        return [
            (op, ours[i] if i < j else None, theirs[k] if k < m else None)
            for run in self.runs
            for (i, j), (k, m), op, _ in run.singly
        ]

    @property
    def counts(self) -> dict[str, int]:
        """The number of operations of each kind, as ``counts_of`` gives it."""
        return counts_of(self.runs)


def word_operations(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    weights: Weights = UNIT,
    normalise: Normalisation = LETTERS,
    alternatives: Sequence[Alternative] = (),
) -> WordOperations:
    """The operations of the words in the alignment that gives the word error rate."""
    ours, theirs = normalise.forms(reference), normalise.forms(hypothesis)
    chosen: tuple[ReadingChoice, ...] = ()
    if alternatives:
        ours, chosen, _ = cheapest_reading(reference, alternatives, hypothesis, weights, normalise)
    texts = texts_of(ours.texts, theirs.texts)
    if weights == UNIT:
        matches, slack = matches_of(texts), 0
    else:
        matches, _, slack = cheapest(texts, weights, has_pairs_first=True)
    return WordOperations(tuple(_blocks(matches)), (ours, theirs), slack, chosen)


def _blocks(matches: Sequence[Match]) -> Iterator[Block]:
    """The operations of runs of errors, and of the correct words after each."""
    # In a run, insertions come before deletions and deletions before pairs.
    for ((i, j), (k, m)), (*_, size) in zip(errors(matches), matches, strict=True):
        pairs = min(j - i, m - k)
        if m - k > pairs:
            yield Block((i, i), (k, m - pairs), INSERTION)
        if j - i > pairs:
            yield Block((i, j - pairs), (m - pairs, m - pairs), DELETION)
        if pairs:
            yield Block((j - pairs, j), (m - pairs, m), SUBSTITUTION)
        if size:
            yield Block((j, j + size), (m, m + size), CORRECT)


# The operations of words by time: words that were said at the same time are paired.
#
# Two words can be paired if they share time. Pairs are in order on both sides, and a word is in at
# most one pair. Of all such pairings, one with the greatest sum of shared time is taken. Paired
# words are correct if their normalised forms are equal, and a substitution otherwise; other words
# are deletions and insertions. So the errors are not always the fewest possible: a word that the
# recogniser has at another time is an error.
#
# Where at least three correct words follow each other, both texts can be cut around them and
# aligned piece by piece (:func:`cuts_by_time`).
#
# The sum is found as the heaviest chain among the pairs of words that share time, in ``m log n``
# steps for ``m`` such pairs (Jacobson and Vo, 1992, the heaviest increasing subsequence). Times are
# integer milliseconds, so nothing is rounded.
#
# Source of the cuts: Burger, Palmer and Hirschman, 1998, section 2.1.

MOST_SHARED = 3_000_000
"""The most pairs of words that may share time in a document; so many take less than a minute."""


def operations_by_time(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    times: tuple[Sequence[Time], Sequence[Time]],
    normalise: Normalisation = LETTERS,
    most_shared: int = MOST_SHARED,
) -> WordOperations:
    """The operations of the words of two texts, paired by time."""
    said, heard = normalise.forms(reference), normalise.forms(hypothesis)
    left, right = (  # a word lasts 1 ms or more
        [(start, max(end, start + 1)) for start, end in map(own.__getitem__, side.places)]
        for own, side in zip(times, (said, heard), strict=True)
    )
    found: list[Block] = []
    i = k = 0
    for j, m in (*_heaviest(left, right, most_shared), (len(left), len(right))):
        alone = [(right[h][0], INSERTION) for h in range(k, m)]
        alone += [(left[r][0], DELETION) for r in range(i, j)]
        # no two of both sides start together: they would be a pair
        ops = [op for _, op in sorted(alone)]
        if j < len(left):
            ops.append(CORRECT if said.texts[j] == heard.texts[m] else SUBSTITUTION)
        for op in ops:
            r, h = i + (op != INSERTION), k + (op != DELETION)
            found.append(Block((i, r), (k, h), op))
            i, k = r, h
    return WordOperations(tuple(found), (said, heard))


def cuts_by_time(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    times: tuple[Sequence[Time], Sequence[Time]],
    normalise: Normalisation = LETTERS,
) -> list[Point]:
    """The frontiers around runs of equal words that were said together."""
    # A *run* is at least ``cheapest.RUN`` pairs of :func:`operations_by_time` that are correct and
    # follow each other on both sides. The two texts are cut before its first pair and after its
    # last, so that an alignment of the pieces has these pairs.
    found = operations_by_time(reference, hypothesis, times, normalise)
    ours, theirs = (side.spans for side in found.sides)
    points = []
    for op, group in groupby(found.runs, key=attrgetter("op")):
        run = [*group]
        if op == CORRECT and len(run) >= RUN:
            for r, h in ((run[0].ref[0], run[0].hyp[0]), run[-1].ends):
                one, other = _frontier(ours, r), _frontier(theirs, h)
                if one is not None and other is not None:
                    points.append((one, other))
    return points


def _frontier(spans: Sequence[Span], r: int) -> int | None:
    """The frontier of the words before form ``r``; ``None``: it is inside a word."""
    before = spans[r - 1][1] if r else 0
    after = spans[r][0] if r < len(spans) else before
    return after if before <= after else None


_Pairs: TypeAlias = "tuple[int, int, _Pairs] | None"
"""The last pair of a chain, and the chain before it."""


def _heaviest(left: Sequence[Time], right: Sequence[Time], most: int) -> list[Point]:
    """The pairs, increasing on both sides, with the greatest sum of shared time."""
    # Chains by their last word of the right, none heavier than one after it; of equals, the last
    # was found first.
    ends, best = [-1], list[tuple[int, _Pairs]]([(0, None)])  # their weights and last pairs
    met = 0
    for i, row in enumerate(map(sharing(right), left)):
        met += len(row)
        if met > most:
            raise SerevalError(
                f"more than {most} pairs of words share time, expected times of their own "
                "for most words, or an alignment by text"
            )
        before = [best[bisect_left(ends, k) - 1] for k, _ in row]
        for (k, shared), (weight, chain) in zip(row, before, strict=True):
            at = end = bisect_right(ends, k)
            weight += shared
            if best[at - 1][0] < weight:
                while end < len(best) and best[end][0] < weight:
                    end += 1
                ends[at:end], best[at:end] = [k], [(weight, (i, k, chain))]
    last = best[-1][1]
    pairs = []
    while last is not None:
        i, k, last = last
        pairs.append((i, k))
    return pairs[::-1]
