"""Word alignment: which words of the hypothesis answer to which words of the reference.

Where the words have no times, a reference reaches the hypothesis's words through an alignment of
the two texts: *blocks* that tile both sides in order (``blocks``). :func:`align_text` makes them
from the words as they are written, ``phones.align_phones`` from how they sound.

**Least cost.** Insertions, deletions and substitutions have the weights of sclite (3, 3, 4) or of
the plain edit distance (1, 1, 1); correct words cost nothing. Case and punctuation are ignored: a
word counts by its letters, marks and numbers, and one that has none is passed over.

**Ties.** Among the cheapest alignments the one taken is the first when read from the front, where
an insertion comes before a deletion and a deletion before a pair: gaps stand as early as they can.
So it is by the policy ``early``. Between two correct words it pairs the shorter side whole, and
nothing has said with which words of the longer one: by the policy ``spelling`` their letters do,
and several words that are next to each other may answer to one (``spelling``). What that costs is
the same: a word that is joined to another is one without a partner to the weights::

    reference   NEW  YORK    DESK
    hypothesis       NEWARK  BASK    early: one word was deleted, which costs 3, two are wrong
             [NEW YORK ~ NEWARK]     spelling: a block of two words to one, which costs 3 + 4

By the policy ``anchored`` the letters decide as well, but not behind the last correct word of the
two texts. There the pairs follow that word in order, and words without a partner come last::

    reference   NEWT  GINGRICH
    hypothesis  NEWT  GOOD RICH      spelling: RICH; anchored: GOOD

Where the letters speak against the weights themselves, a second reading says so, and the frontiers
between are open (``WordAlignment.otherwise``). The first one stays what the weights make it.

**Long documents** are cut at runs of at least three equal words (Burger, Palmer and Hirschman,
1998, section 2.1) and aligned piece by piece. What that costs is not estimated but computed: the
cheapest cost of the whole is found without its alignment, and the difference is the result's
``slack``. Cutting a run in two is free whenever some cheapest alignment touches the run at all,
since an equal beginning or end of two texts can always be paired off; only runs that every
cheapest alignment passes by can do harm.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, pairwise
from typing import NamedTuple
from unicodedata import category, normalize

from ..documents.checks import canonical
from ..errors import SerevalError
from .blocks import (
    CORRECT,
    DELETION,
    INSERTION,
    PUNCTUATION,
    SUBSTITUTION,
    Block,
    WordAlignment,
    inside,
)
from .spelling import Group, Words, in_order, most_alike, nearly_same


class Pieces(NamedTuple):
    """Which documents are cut, and how long their pieces are.

    Args:
        whole: the largest product of the lengths of the two sides at which nothing is cut.
        least, most: words of both sides together from a cut to the next, 2 or more.
    """

    whole: int
    least: int
    most: int


PIECES = Pieces(4_000_000, 500, 2_000)
"""By text nothing is cut up to about 2 000 words a side."""
RUN = 3
"""Equal words in a run that may be cut."""


class Weights(NamedTuple):
    """What each kind of word error costs, as whole numbers; correct words cost nothing.

    Args:
        name: as in ``WEIGHTS``.
        insertion, deletion, substitution: of one word.

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


LONGEST_RUN, LONGEST_READ_TWICE = 10_000, 100
"""Pairs of words that may be compared in one run of errors, the first and the second time it is
read; longer ones stay as they are."""


def align_text(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    weights: Weights = SCLITE,
    ties: str = "spelling",
    *,
    pieces: Pieces = PIECES,
) -> WordAlignment:
    """The cheapest alignment of two texts by their words.

    Args:
        reference: the annotated words.
        hypothesis: the recogniser's words.
        weights: ``SCLITE`` or ``UNIT``.
        ties: one of ``TIES``: which of the cheapest.
        pieces: which documents are cut, in words.

    Returns:
        Blocks of one word against one, one against none, none against one; and by ``spelling`` of
        one against several, in which those too many cost as much as inserted or deleted ones: the
        blocks add up to ``cost`` by ``weights.of_run``. Words that are all punctuation are blocks
        of their own at no cost; between two pairs, the very same token on both sides makes a pair
        (the first that fits), others stand behind the word before them. ``slack`` is 0 up to
        ``pieces.whole``, and above it what the cuts really cost.

    Same cost as the textbook table over all prefixes; see ``tests/alignment/test_text.py``.

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
    known: dict[str, int] = defaultdict(count(1).__next__)
    ours, theirs = _side(reference, known), _side(hypothesis, known)
    cost = 0
    pairs: list[Block] = []
    others: list[tuple[int, int, list[Block]]] = []  # what stands for which pairs otherwise
    for run in _runs(ours.numbers, theirs.numbers, weights, pieces):
        (i, j), (k, m) = run.ref, run.hyp
        cost += weights.of_run(j - i, m - k)
        first, second = TIES[ties](run, ours, theirs, weights)
        if second:
            reading = [_block(ours, theirs, group) for group in second]
            others.append((len(pairs), len(pairs) + len(first), reading))
        pairs += [_block(ours, theirs, group) for group in first]
        places = zip(
            ours.places[j : j + run.correct], theirs.places[m : m + run.correct], strict=True
        )
        pairs += [Block((r, r + 1), (h, h + 1), CORRECT) for r, h in places]
    slack = 0
    if len(ours.numbers) * len(theirs.numbers) > pieces.whole:
        slack = cost - _optimum(ours.numbers, theirs.numbers, weights, cost)
    blocks = tuple(tiled(pairs, reference, hypothesis))
    for start, end, reading in reversed(others):
        pairs[start:end] = reading
    otherwise = tuple(tiled(pairs, reference, hypothesis)) if others else ()
    return WordAlignment(blocks, cost, slack, f"by:text weights:{weights.name}", otherwise)


def word_errors(
    reference: Sequence[str], hypothesis: Sequence[str], weights: Weights
) -> tuple[dict[str, int], int]:
    """Words by operation in a cheapest alignment, and how much dearer it may be than the cheapest.

    By unit weights there are never fewer errors, in documents of any length.

    >>> counts, _ = word_errors("it's a dog".split(), "its dock".split(), UNIT)
    >>> counts["correct"], counts["substitution"], counts["deletion"], counts["insertion"]
    (1, 1, 1, 0)
    """
    if weights != UNIT:
        found = align_text(reference, hypothesis, weights, "early")
        return found.counts, found.slack
    from rapidfuzz.distance import Levenshtein

    ours, theirs = ([*filter(None, map(significant, side))] for side in (reference, hypothesis))
    edits = Counter(edit.tag for edit in Levenshtein.editops(ours, theirs))
    counts = {SUBSTITUTION: edits["replace"], DELETION: edits["delete"]}
    correct = len(ours) - sum(counts.values())
    return {**counts, INSERTION: edits["insert"], CORRECT: correct}, 0


class _Side(NamedTuple):
    """The words of one side that are compared.

    Args:
        words: all words of the document.
        places: where those stand that are compared.
        texts, numbers: what counts of each; a number for each text.
    """

    words: Sequence[str]
    places: list[int]
    texts: list[str]
    numbers: list[int]

    def part(self, start: int, end: int) -> Words:
        """Some of them, with the punctuation beside each."""
        marks = [(self._mark(place - 1), self._mark(place + 1)) for place in self.places[start:end]]
        return Words(self.texts[start:end], marks)

    def _mark(self, place: int) -> str:
        """The punctuation at a place of the document; empty where there is none."""
        word = self.words[place] if 0 <= place < len(self.words) else ""
        return "" if significant(word) else word


def _side(words: Sequence[str], known: dict[str, int]) -> _Side:
    """``known`` gives each text of either side a number."""
    texts = [*map(significant, words)]
    places = [*range(len(words))]
    if "" in texts:
        places = [k for k in places if texts[k]]
        texts = [text for text in texts if text]
    return _Side(words, places, texts, [*map(known.__getitem__, texts)])


def _block(ours: _Side, theirs: _Side, group: Group) -> Block:
    """Words of a run of errors that answer to each other, in the document."""
    i, j, k, m = group
    r, h = ours.places[i], theirs.places[k]
    if j - i == 1 == m - k:
        is_same = ours.numbers[i] == theirs.numbers[k]  # only nearly the same words may pass it by
        return Block((r, r + 1), (h, h + 1), CORRECT if is_same else SUBSTITUTION)
    ref, hyp = ours.places[i:j], theirs.places[k:m]
    sizes = [len(text) for text in ours.texts[i:j]], [len(text) for text in theirs.texts[k:m]]
    strict = inside(ref, sizes[0], hyp, sizes[1])
    return Block((r, ref[-1] + 1), (h, hyp[-1] + 1), SUBSTITUTION, strict)


@lru_cache(maxsize=1 << 16)  # words come again
def significant(word: str) -> str:
    """The letters, marks and numbers of a word, case folded; empty: it is all punctuation.

    >>> significant("L'État,"), significant("—")
    ('létat', '')
    """
    if word.isascii() and word.isalnum():
        return word.casefold()  # the same, and most words
    folded = normalize("NFD", canonical(word).casefold())
    return canonical("".join(c for c in folded if category(c)[0] in "LMN"))


# ------------------------------------------------------------------------------------- the pieces


class Run(NamedTuple):
    """A run of errors, in words that are compared, and the correct words behind it.

    Args:
        ref, hyp: frontiers of its words on either side, ``i == j`` for none.
        groups: which of them answer to each other if gaps stand as early as they can.
        correct: how many correct words follow on either side, right behind it.
    """

    ref: tuple[int, int]
    hyp: tuple[int, int]
    groups: list[Group]
    correct: int


def _runs(
    left: Sequence[int], right: Sequence[int], weights: Weights, pieces: Pieces
) -> Iterator[Run]:
    """The cheapest alignment of two sequences of numbers, in pieces if they are long."""
    points = [(0, 0), (len(left), len(right))]
    if len(left) * len(right) > pieces.whole:
        points = cuts(left, right, pieces)
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
    groups: list[Group] = []
    correct = 0
    for ours, theirs in reversed(backwards):
        if ours == theirs:
            correct += 1
            continue
        if correct:
            yield Run((i, j), (k, m), groups, correct)
            i, k = j, m = j + correct, m + correct
            groups, correct = [], 0
        if ours == gap:
            m += 1
        elif theirs == gap:
            j += 1
        else:
            groups.append((j, j + 1, m, m + 1))
            j, m = j + 1, m + 1
    yield Run((i, j), (k, m), groups, correct)


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


def cuts(left: Sequence[int], right: Sequence[int], pieces: Pieces) -> list[tuple[int, int]]:
    """Where a long document is cut: points ``(i, k)`` from ``(0, 0)`` to the ends, increasing.

    A point is in the middle of the longest run of equal words that a cheapest alignment by unit
    weights has within reach, if it has ``RUN`` words; else the last point of that alignment.

    Args:
        left, right: words as numbers.
        pieces: how far cuts are apart.
    """
    from rapidfuzz.distance import Levenshtein

    steps = [
        (step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in Levenshtein.opcodes(left, right)
    ]
    runs = [
        run for i, j, k, _ in _equal(left, right, steps) for run in _split(i, j, k, pieces.least)
    ]
    middles = [i + k + length for i, k, length in runs]
    end = (len(left), len(right))
    points = [(0, 0)]
    while sum(end) - sum(points[-1]) > pieces.most:
        at = sum(points[-1])
        low, high = bisect_left(middles, at + pieces.least), bisect_right(middles, at + pieces.most)
        if low < high:
            i, k, length = max(runs[low:high], key=lambda run: run[2])
            points.append((i + length // 2, k + length // 2))
        else:
            points.append(_along(steps, at + pieces.most))
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


Readings = tuple[list[Group], list[Group]]
"""A cheapest alignment of a run of errors, and another reading of it; empty: there is none."""

Ties = Callable[[Run, _Side, _Side, Weights], Readings]


def _early(run: Run, left: _Side, right: _Side, weights: Weights) -> Readings:
    """The pairs as they come: gaps as early as they can."""
    return run.groups, []


def _spelling(run: Run, left: _Side, right: _Side, weights: Weights) -> Readings:
    """The pairs that are most alike; and if nearly the same words say otherwise, theirs."""
    (i, j), (k, m) = run.ref, run.hyp
    if j - i < 2 and m - k < 2:
        return run.groups, []
    short, longer = sorted((j - i, m - k))
    if not short or short * (longer - short + 1) > LONGEST_RUN:
        return run.groups, []
    ours, theirs = left.part(i, j), right.part(k, m)
    first = most_alike(ours, theirs)
    second: list[Group] = []
    if 1 < short and short * longer <= LONGEST_READ_TWICE:
        second = nearly_same(ours, theirs, weights.of_run, first)
    return _moved(first, i, k), _moved(second, i, k)


def _moved(groups: Sequence[Group], i: int, k: int) -> list[Group]:
    return [(i + a, i + b, k + c, k + d) for a, b, c, d in groups]


def _anchored(run: Run, left: _Side, right: _Side, weights: Weights) -> Readings:
    """As by spelling, but behind the last correct word of all the pairs stand beside it."""
    (i, j), (k, m) = run.ref, run.hyp
    if run.correct or j < len(left.texts) or m < len(right.texts):
        return _spelling(run, left, right, weights)
    return _moved(in_order(left.part(i, j), right.part(k, m)), i, k), []


TIES: dict[str, Ties] = {"early": _early, "spelling": _spelling, "anchored": _anchored}
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
    same = _same_punctuation(reference, hypothesis, ref, hyp) if i < end and k < last else ()
    for j, m in (*same, (end, last)):
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
