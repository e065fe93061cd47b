"""Word alignment: which words of the hypothesis answer to which words of the reference.

Where the words have no times, a reference reaches the hypothesis's words through an alignment of
the two texts. What comes out is a tuple of *blocks* that tile both sides in order, whoever made
it: :func:`align_text` here, with blocks of one word against one, or ``phones.align_phones``, where
several words may answer to several::

    reference   AT   THE   NEW   YORK    DESK
    hypothesis  AT   THE         NEWARK  BASK      text: one to one
                AT   THE  [NEW YORK ~ NEWARK]      phones: two to one

**Least cost.** Insertions, deletions and substitutions have the weights of sclite (3, 3, 4) or of
the plain edit distance (1, 1, 1); correct words cost nothing. Case and punctuation are ignored: a
word counts by its letters, marks and numbers, and one that has none is passed over.

**Ties.** Among the cheapest alignments the one taken is the first when read from the front, where
an insertion comes before a deletion and a deletion before a pair: gaps stand as early as they can.
Between two correct words of it the shorter side is paired whole, and nothing has said with which
words of the longer one: by the policy ``spelling`` with those that are spelled most like it.

**Long documents** are cut at runs of at least three equal words (Burger, Palmer and Hirschman,
1998, section 2.1) and aligned piece by piece. What that costs is not estimated but computed: the
cheapest cost of the whole is found without its alignment, and the difference is the result's
``slack``. Cutting a run in two is free whenever some cheapest alignment touches the run at all,
since an equal beginning or end of two texts can always be paired off; only runs that every
cheapest alignment passes by can do harm.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category, normalize

from .errors import SerevalError

CORRECT, SUBSTITUTION, INSERTION, DELETION, PUNCTUATION = OPERATIONS = (
    "correct",
    "substitution",
    "insertion",
    "deletion",
    "punctuation",
)
"""What a block is; punctuation is passed over: no cost, no word of any count."""

WHOLE = 4_000_000
"""Products of the numbers of words up to which nothing is cut: about 2 000 words a side."""
LEAST, MOST = 500, 2_000
"""Where a long document is cut, in words of both sides together since the last cut."""
RUN = 3
"""Equal words in a run that may be cut."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of word error costs, as whole numbers; correct words cost nothing.

    >>> SCLITE.of(SUBSTITUTION), UNIT.of(SUBSTITUTION)
    (4, 1)
    """

    name: str
    insertion: int
    deletion: int
    substitution: int

    def of(self, operation: str) -> int:
        """The weight of an operation; 0 for what is no error."""
        return {
            INSERTION: self.insertion,
            DELETION: self.deletion,
            SUBSTITUTION: self.substitution,
        }.get(operation, 0)

    def of_run(self, ref: int, hyp: int) -> int:
        """What so many words of the two sides cost that have no correct one among them.

        The shorter side is paired whole: a substitution is cheaper than to delete and insert.

        >>> SCLITE.of_run(3, 2), UNIT.of_run(3, 2)
        (11, 3)
        """
        if ref < hyp:
            return self.substitution * ref + self.insertion * (hyp - ref)
        return self.substitution * hyp + self.deletion * (ref - hyp)


SCLITE = Weights("sclite", 3, 3, 4)
UNIT = Weights("unit", 1, 1, 1)
WEIGHTS = {weights.name: weights for weights in (SCLITE, UNIT)}
"""The choices of the option, by name."""


LONGEST_RUN = 10_000
"""Pairs of words that may be compared in one run of errors; longer ones stay as they are."""


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


@dataclass(frozen=True)
class WordAlignment:
    """Blocks that tile both sides in order, and what they cost.

    Args:
        blocks: from the first words to the last; each begins on both sides where the one before
            it ends.
        cost: of the alignment, in the whole units of what made it.
        slack: how much dearer it is, at most, than the cheapest alignment; 0: it is cheapest.
        how: what made it, in the words of a signature.

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

    def __post_init__(self) -> None:
        i = k = 0
        for ref, hyp, op, inside in self.blocks:
            begins, ends = (ref[0], hyp[0]) == (i, k), ref[0] <= ref[1] and hyp[0] <= hyp[1]
            if not begins or not ends or ref[0] == ref[1] and hyp[0] == hyp[1]:
                raise SerevalError(
                    f"a block aligns words {ref} with words {hyp}, "
                    f"expected one from ({i}, {k}) on that is not empty"
                )
            if op not in OPERATIONS:
                raise SerevalError(f"found {op!r}, expected one of {', '.join(OPERATIONS)}")
            if inside and len(inside) != ref[1] - ref[0] - 1:
                raise SerevalError(f"words {ref} have {len(inside)} frontiers inside")
            i, k = ref[1], hyp[1]

    @property
    def lengths(self) -> tuple[int, int]:
        """Number of words of the reference and of the hypothesis."""
        return (self.blocks[-1].ref[1], self.blocks[-1].hyp[1]) if self.blocks else (0, 0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Words by operation: those of the reference, for insertions those of the hypothesis."""
        counts = dict.fromkeys(OPERATIONS, 0)
        for ref, hyp, op, _ in self.blocks:
            counts[op] += ref[1] - ref[0] or hyp[1] - hyp[0]
        return counts

    @property
    def wer(self) -> float | None:
        """Word error rate, ``None`` where the reference has no words.

        In a block of several words each word of the reference is one substitution.
        """
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
        several words, all frontiers of its block.

        >>> align_text(["le", "maire"], ["le", "euh", "maire"]).candidates(1)
        range(1, 3)
        """
        low, high, _, _ = self._frontiers[f]
        return range(low, high + 1)

    def strict_start(self, f: int) -> int:
        """Where an element that starts at ``f`` starts: before the image of its first paired word.

        Inserted words are left outside. Inside a block of several words: as the block says.
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
        n, m = self.lengths
        pairs = [block for block in self.blocks if block.is_pair]
        edges = [Block((0, 0), (0, 0), CORRECT), *pairs, Block((n, n), (m, m), CORRECT)]
        found: list[tuple[int, int, int, int]] = []
        for before, after in pairwise(edges):
            (i, j), (k, m) = before.ref, before.hyp
            for place in range(i + 1, j):
                strict = before.inside[place - i - 1] if before.inside else k
                found.append((k, m, strict, strict))
            open_between = (m, after.hyp[0], after.hyp[0], m)
            found.extend(open_between for _ in range(j, after.ref[0] + 1))
        return found


def align_text(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    weights: Weights = SCLITE,
    ties: str = "spelling",
) -> WordAlignment:
    """The cheapest alignment of two texts, word against word.

    Args:
        reference: the annotated words.
        hypothesis: the recogniser's words.
        weights: ``SCLITE`` or ``UNIT``.
        ties: one of ``TIES``: which of the cheapest.

    Returns:
        Blocks of one word against one, one against none, none against one. Words that are all
        punctuation are blocks of their own at no cost; between two pairs, the very same token on
        both sides makes a pair (the first that fits), others stand behind the word before them.
        ``slack`` is 0 up to ``WHOLE``, and above it what the cuts really cost.

    Same cost as the textbook table over all prefixes; see ``tests/test_align.py``.

    >>> newark = align_text("AT THE NEW YORK DESK".split(), "at the Newark bask".split())
    >>> [block.op for block in newark.blocks]
    ['correct', 'correct', 'substitution', 'deletion', 'substitution']
    >>> newark.cost, newark.counts["substitution"]  # 3 + 4 + 4
    (11, 2)
    """
    if ties not in TIES:
        raise SerevalError(f"ties {ties!r}, expected one of {', '.join(TIES)}")
    known: dict[str, int] = {}
    ours, theirs = _side(reference, known), _side(hypothesis, known)
    cost, pairs = 0, []
    for run in _runs(ours.numbers, theirs.numbers, weights):
        (i, j), (k, m) = run.ref, run.hyp
        cost += weights.of_run(j - i, m - k)
        found = run.pairs if j - i == m - k else TIES[ties](run, ours.texts, theirs.texts)
        pairs += [_one(ours.places[r], theirs.places[h], SUBSTITUTION) for r, h in found]
        places = zip(
            ours.places[j : j + run.correct], theirs.places[m : m + run.correct], strict=True
        )
        pairs += [_one(r, h, CORRECT) for r, h in places]
    slack = 0
    if len(ours.numbers) * len(theirs.numbers) > WHOLE:
        slack = cost - _optimum(ours.numbers, theirs.numbers, weights, cost)
    blocks = tiled(pairs, reference, hypothesis)
    return WordAlignment(tuple(blocks), cost, slack, f"by:text weights:{weights.name}")


class _Side(NamedTuple):
    """The words of one side that are compared: where they stand, what counts of them, numbers."""

    places: list[int]
    texts: list[str]
    numbers: list[int]


def _side(words: Sequence[str], known: dict[str, int]) -> _Side:
    """``known`` has the number of each text of either side, and grows."""
    texts = [*map(significant, words)]
    places = [*range(len(words))]
    if "" in texts:
        places = [k for k in places if texts[k]]
        texts = [text for text in texts if text]
    return _Side(places, texts, [known.setdefault(text, len(known) + 1) for text in texts])


def _one(r: int, h: int, op: str) -> Block:
    """One word against one."""
    return Block((r, r + 1), (h, h + 1), op)


@lru_cache(maxsize=1 << 16)  # words come again
def significant(word: str) -> str:
    """The letters, marks and numbers of a word, case folded; empty: it is all punctuation.

    >>> significant("L'État,"), significant("—")
    ('létat', '')
    """
    folded = normalize("NFD", normalize("NFC", word).casefold())
    return normalize("NFC", "".join(c for c in folded if category(c)[0] in "LMN"))


# ------------------------------------------------------------------------------------- the pieces


class Run(NamedTuple):
    """A run of errors, in words that are compared, and the correct words behind it.

    Args:
        ref, hyp: frontiers of its words on either side, ``i == j`` for none.
        pairs: which of them answer to each other if gaps stand as early as they can.
        correct: how many correct words follow on either side, right behind it.
    """

    ref: tuple[int, int]
    hyp: tuple[int, int]
    pairs: list[tuple[int, int]]
    correct: int


def _runs(left: Sequence[int], right: Sequence[int], weights: Weights) -> Iterator[Run]:
    """The cheapest alignment of two sequences of numbers, in pieces if they are long."""
    points = [(0, 0), (len(left), len(right))]
    if len(left) * len(right) > WHOLE:
        points = cuts(left, right, LEAST, MOST)
    for (i, k), (j, m) in pairwise(points):
        yield from _cheapest(left[i:j], right[k:m], (i, k), weights)


def _cheapest(
    left: Sequence[int], right: Sequence[int], start: tuple[int, int], weights: Weights
) -> Iterator[Run]:
    """The cheapest alignment of a piece, ties as the head of the module says."""
    import kaldialign  # only where no times are at hand

    # kaldialign reads its table from the back, with insertion before deletion before pair: given
    # both sides backwards it begins at the front.
    gap = -1
    backwards = kaldialign.align(left[::-1], right[::-1], gap, sclite_mode=_is_sclite(weights))
    (i, k), (j, m) = start, start
    pairs: list[tuple[int, int]] = []
    correct = 0
    for ours, theirs in reversed(backwards):
        if ours == theirs:
            correct += 1
            continue
        if correct:
            yield Run((i, j), (k, m), pairs, correct)
            i, k = j, m = j + correct, m + correct
            pairs, correct = [], 0
        if ours == gap:
            m += 1
        elif theirs == gap:
            j += 1
        else:
            pairs.append((j, m))
            j, m = j + 1, m + 1
    yield Run((i, j), (k, m), pairs, correct)


def _is_sclite(weights: Weights) -> bool:
    if weights not in WEIGHTS.values():
        raise SerevalError(f"weights {weights.name!r}, expected {' or '.join(WEIGHTS)}")
    return weights == SCLITE


def _optimum(left: Sequence[int], right: Sequence[int], weights: Weights, most: int) -> int:
    """The cheapest cost of the whole, at most ``most``, in little memory and no alignment.

    rapidfuzz computes unit distances 64 words at a time. With sclite's weights the distance is
    that of insertions and deletions alone between two longer texts, in which each word ``x`` is
    written as the three words ``$ x x``: a correct word saves 6 of the 3 + 3 that it costs to
    delete and insert it, any other pair saves the 2 of its ``$``, which leaves 4.

    Source: Tiskin, Semi-local string comparison, 2008, section 6.1 (the blow-up of a grid).
    """
    from rapidfuzz.distance import Indel, Levenshtein

    if not _is_sclite(weights):
        return Levenshtein.distance(left, right, score_cutoff=most)
    blown = ([part for x in side for part in (0, x, x)] for side in (left, right))
    return Indel.distance(*blown, score_cutoff=most)


def cuts(left: Sequence[int], right: Sequence[int], least: int, most: int) -> list[tuple[int, int]]:
    """Where a long document is cut: points ``(i, k)`` from ``(0, 0)`` to the ends, increasing.

    A point is in the middle of the longest run of equal words that a cheapest alignment by unit
    weights has within reach, if it has ``RUN`` words; else the last point of that alignment.

    Args:
        left, right: words as numbers.
        least, most: words of both sides together from a cut to the next, 2 or more.
    """
    from rapidfuzz.distance import Levenshtein

    steps = [
        (step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in Levenshtein.opcodes(left, right)
    ]
    runs = [run for i, j, k, _ in _equal(left, right, steps) for run in _split(i, j, k, least)]
    middles = [i + k + length for i, k, length in runs]
    end = (len(left), len(right))
    points = [(0, 0)]
    while sum(end) - sum(points[-1]) > most:
        at = sum(points[-1])
        low, high = bisect_left(middles, at + least), bisect_right(middles, at + most)
        if low < high:
            i, k, length = max(runs[low:high], key=lambda run: run[2])
            points.append((i + length // 2, k + length // 2))
        else:
            points.append(_along(steps, at + most))
    return [*points, end]


Step = tuple[int, int, int, int]
"""A step of a path through both sides: from ``(i, k)`` to ``(j, m)``, written ``i, j, k, m``."""


def _equal(left: Sequence[int], right: Sequence[int], steps: Sequence[Step]) -> Iterator[Step]:
    for i, j, k, m in steps:
        if j - i == m - k >= RUN and left[i] == right[k]:  # else it is a run of substitutions
            yield i, j, k, m


def _split(i: int, j: int, k: int, longest: int) -> Iterator[tuple[int, int, int]]:
    """A run as ``(i, k, length)``, a very long one as several that touch."""
    most = max(RUN, longest // 2)
    for start in range(i, j, most):
        length = min(most, j - start)
        if length >= RUN:
            yield start, k + start - i, length


def _along(steps: Sequence[Step], at: int) -> tuple[int, int]:
    """The last point of a path that has no more than ``at`` words of both sides behind it."""
    i, j, k, m = steps[bisect_right(steps, at, key=lambda step: step[0] + step[2]) - 1]
    rest = at - i - k
    if i == j:
        return i, k + rest
    return (i + rest, k) if k == m else (i + rest // 2, k + rest // 2)


# --------------------------------------------------------------------------------------- the ties


Ties = Callable[[Run, Sequence[str], Sequence[str]], list[tuple[int, int]]]


def _early(run: Run, left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs as they come: gaps as early as they can."""
    return run.pairs


def _spelling(run: Run, left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """The shorter side whole, with those words of the longer one that are spelled most like it."""
    (i, j), (k, m) = run.ref, run.hyp
    short, spare = min(j - i, m - k), abs((j - i) - (m - k))
    if not short or not spare or short * (spare + 1) > LONGEST_RUN:
        return run.pairs
    if j - i < m - k:
        found = _alike(left[i:j], right[k:m])
        return [(i + at, k + other) for at, other in enumerate(found)]
    found = _alike(right[k:m], left[i:j])
    return [(i + other, k + at) for at, other in enumerate(found)]


def _alike(short: Sequence[str], long: Sequence[str]) -> list[int]:
    """For each word of the shorter side a word of the longer, in order, the most alike in all.

    >>> _alike(["bruler"], ["brûler", "r"]), _alike(["x"], ["a", "b"])  # ties: as late as can be
    ([0], [1])
    """
    spare = len(long) - len(short)
    best = [[0] * (spare + 1)]  # [j from the back][o]: of short[j:], with o long words left out
    for j in range(len(short) - 1, -1, -1):
        row = [_likeness(short[j], long[j + o]) + best[-1][o] for o in range(spare + 1)]
        for o in range(spare - 1, -1, -1):
            row[o] = max(row[o], row[o + 1])
        best.append(row)
    found, o = [], 0
    for j, row in enumerate(reversed(best[1:])):
        while o < spare and row[o] == row[o + 1]:
            o += 1
        found.append(j + o)
    return found


def _likeness(one: str, other: str) -> int:
    """Letters that both words have in the same order, in thousandths of all of theirs."""
    from rapidfuzz.distance import LCSseq

    return 2000 * LCSseq.similarity(one, other) // (len(one) + len(other))


TIES: dict[str, Ties] = {"early": _early, "spelling": _spelling}
"""Which of the cheapest alignments is taken, by name."""


# ------------------------------------------------------------------------------------- the blocks


def tiled(
    pairs: Sequence[Block], reference: Sequence[str], hypothesis: Sequence[str]
) -> list[Block]:
    """Pairs, and blocks of one word for all that lies between them.

    Args:
        pairs: blocks with words on both sides, in order, apart.
        reference, hypothesis: the words, punctuation too.

    Returns:
        Blocks that tile both sides. Between two pairs, punctuation that is the very same token on
        both sides makes a pair, the first that fits; of the rest, insertions come first.
    """
    blocks: list[Block] = []
    i = k = 0
    for pair in pairs:
        (j, after), (m, beyond) = pair.ref, pair.hyp
        if i < j or k < m:
            blocks += _between(reference, hypothesis, (i, j), (k, m))
        blocks.append(pair)
        i, k = after, beyond
    blocks += _between(reference, hypothesis, (i, len(reference)), (k, len(hypothesis)))
    return blocks


def _between(
    reference: Sequence[str], hypothesis: Sequence[str], ref: tuple[int, int], hyp: tuple[int, int]
) -> Iterator[Block]:
    """Blocks of one word for all that stands between two pairs."""
    (i, end), (k, last) = ref, hyp
    for j, m in (*_same_punctuation(reference, hypothesis, ref, hyp), (end, last)):
        for h in range(k, m):
            op = INSERTION if significant(hypothesis[h]) else PUNCTUATION
            yield Block((i, i), (h, h + 1), op)
        for r in range(i, j):
            op = DELETION if significant(reference[r]) else PUNCTUATION
            yield Block((r, r + 1), (m, m), op)
        i, k = j + 1, m + 1
        if (j, m) != (end, last):
            yield Block((j, i), (m, k), PUNCTUATION)


def _same_punctuation(
    reference: Sequence[str], hypothesis: Sequence[str], ref: tuple[int, int], hyp: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """The punctuation that both sides have between two pairs, as pairs of words in order."""
    k = hyp[0]
    for r in range(*ref):
        if significant(reference[r]):
            continue
        found = next((h for h in range(k, hyp[1]) if hypothesis[h] == reference[r]), None)
        if found is not None:
            yield r, found
            k = found + 1
