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
the words are paired in order, and words without a partner come last::

    reference   NEWT  GINGRICH
    hypothesis  NEWT  GOOD RICH      spelling: RICH; anchored: GOOD

If the letters contradict the weights, a second reading is kept (``WordAlignment.otherwise``), and a
frontier has the candidates of both. The first reading is always a cheapest alignment.

**Long documents** are cut at runs of at least three equal words (Burger, Palmer and Hirschman,
1998, section 2.1) and aligned piece by piece. The cost of the cuts is computed, not estimated: the
least cost of the whole is found without an alignment, and the difference is the ``slack`` of the
result. A cut inside a run of equal words costs nothing if some cheapest alignment pairs any two
words of the run, because an equal beginning or end of two texts can always be paired. If both sides
have times, texts of any length can be cut where equal words were said together (``time``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise, repeat
from typing import NamedTuple

from ..errors import SerevalError
from .blocks import (
    CORRECT,
    SUBSTITUTION,
    Block,
    WordAlignment,
    inside,
)
from .normalise import EXACT, LETTERS, Normalisation, Span
from .spelling import Group, Words, in_order, most_alike, nearly_same
from .tiles import of_words, tile
from .weights import SCLITE, TIES, UNIT, WEIGHTS, Weights


class Pieces(NamedTuple):
    """The rule for cutting long documents into pieces.

    Args:
        whole: the largest product of the lengths of the two sides at which a document is not cut.
        least, most: the least and the most words of both sides from a cut to the next, 2 or more.

    >>> words = "New York is far from Dol de Bretagne".split()
    >>> align_text(words, words, pieces=Pieces(whole=0, least=2, most=6)).cost
    0
    """

    whole: int
    least: int
    most: int


PIECES = Pieces(4_000_000, 500, 2_000)
"""By text, documents of up to about 2 000 words a side are not cut."""
RUN = 3
"""The least number of equal words in a run that may be cut."""


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
    pieces: Pieces = PIECES,
    at: Sequence[tuple[int, int]] = (),
) -> WordAlignment:
    """The cheapest alignment of two texts by their words.

    Args:
        reference: the annotated words.
        hypothesis: the recogniser's words.
        weights: ``SCLITE`` or ``UNIT``.
        ties: the policy that chooses among the cheapest alignments: a name of ``TIES``.
        normalise: in which form words are compared.
        pieces: how long documents are cut, in words.
        at: frontiers of the words of both sides where the texts are cut in any case, such as those
            of ``time.cuts_by_time``; they decrease on neither side.

    Returns:
        Blocks of at most one word on each side; with ``spelling`` and ``anchored`` also blocks of
        one word against several. The costs of all blocks by ``weights.of_run`` add up to ``cost``.
        Words that are all punctuation are blocks of their own at no cost. Between two pairs, a
        punctuation mark that both sides have makes a pair (the first that fits). ``slack`` is the
        exact cost of the cuts; without ``at`` it is 0 up to ``pieces.whole``. If the normalisation
        rewrites the texts, ``cost`` is that of the forms, and words that share a form are in one
        block (``tiles.of_words``).

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
    if normalise.rewrite is not None:
        forms = normalise.forms(reference), normalise.forms(hypothesis)
        left, right = (one.texts for one in forms)
        of_cuts = points_at(at, *([start for start, _ in one.spans] for one in forms))
        of_forms = align_text(
            left, right, weights, ties, normalise=EXACT, pieces=pieces, at=of_cuts
        )
        return of_words(of_forms, forms, (reference, hypothesis), _how(weights, normalise))
    known: dict[str, int] = defaultdict(count(1).__next__)
    ours, theirs = (_side(words, known, normalise.form) for words in (reference, hypothesis))
    of_cuts = points_at(at, ours.places, theirs.places)
    found = cheapest(ours.numbers, theirs.numbers, weights, pieces, of_cuts)
    pairs: list[Block] = []
    others: list[tuple[int, int, list[Block]]] = []  # blocks of the other reading, for which pairs
    for run in found.runs:
        (_, j), (_, m) = run.ref, run.hyp
        first, second = _TIES[ties](run, ours, theirs, weights)
        if second:
            reading = [_block(ours, theirs, group) for group in second]
            others.append((len(pairs), len(pairs) + len(first), reading))
        pairs += [_block(ours, theirs, group) for group in first]
        pairs += map(
            _correct,
            zip(
                ours.spans[j : j + run.correct],
                theirs.spans[m : m + run.correct],
                repeat(CORRECT),
                repeat(()),
                strict=False,
            ),
        )
    sides = (reference, hypothesis), (ours.forms, theirs.forms)
    blocks = tuple(tile(pairs, *sides))
    for start, end, reading in reversed(others):
        pairs[start:end] = reading
    otherwise = tuple(tile(pairs, *sides)) if others else ()
    return WordAlignment(blocks, found.cost, found.slack, _how(weights, normalise), otherwise)


def _how(weights: Weights, normalise: Normalisation) -> str:
    """How words are aligned, as parts of a signature."""
    named = f" normalise:{normalise.name}" if normalise != LETTERS else ""
    return f"by:text weights:{weights.name}{named}"


class _Side(NamedTuple):
    """The words of one side that are compared.

    Args:
        words: all words of the document.
        places: the positions of the words that are compared.
        spans: the frontiers around each of them.
        texts: their forms, in which they are compared.
        numbers: a number for each text, equal for equal texts.
        forms: the form of each word of the document; that of punctuation is empty.
    """

    words: Sequence[str]
    places: list[int]
    spans: list[Span]
    texts: list[str]
    numbers: list[int]
    forms: list[str]

    def part(self, start: int, end: int) -> Words:
        """Some of the compared words, with the punctuation beside each."""
        marks = [(self._mark(place - 1), self._mark(place + 1)) for place in self.places[start:end]]
        return Words(self.texts[start:end], marks)

    def _mark(self, place: int) -> str:
        """The punctuation at a position of the document; empty if there is none."""
        is_mark = 0 <= place < len(self.words) and not self.forms[place]
        return self.words[place] if is_mark else ""


def _side(words: Sequence[str], known: dict[str, int], form: Callable[[str], str]) -> _Side:
    """One side; ``known`` gives each text of both sides a number."""
    forms = texts = [*map(form, words)]
    places, spans = [*range(len(words))], [*pairwise(range(len(words) + 1))]
    if "" in forms:
        places = [k for k in places if forms[k]]
        spans = [spans[k] for k in places]
        texts = [text for text in forms if text]
    return _Side(words, places, spans, texts, [*map(known.__getitem__, texts)], forms)


_correct = partial(tuple.__new__, Block)
"""The block of its values, as ``Block._make`` makes it, in half of the time."""


def _block(ours: _Side, theirs: _Side, group: Group) -> Block:
    """A block for a group of words of a run of errors."""
    i, j, k, m = group
    if j - i == 1 == m - k:
        is_same = ours.numbers[i] == theirs.numbers[k]  # possible in the second reading only
        return Block(ours.spans[i], theirs.spans[k], CORRECT if is_same else SUBSTITUTION)
    ref, hyp = ours.places[i:j], theirs.places[k:m]
    sizes = [len(text) for text in ours.texts[i:j]], [len(text) for text in theirs.texts[k:m]]
    strict = inside(ref, sizes[0], hyp, sizes[1])
    return Block((ref[0], ref[-1] + 1), (hyp[0], hyp[-1] + 1), SUBSTITUTION, strict)


# ------------------------------------------------------------------------------------- the pieces


class Run(NamedTuple):
    """A run of errors among the words that are compared, and the correct words after it.

    Args:
        ref, hyp: frontiers of its words on either side, ``i == j`` for none.
        groups: its pairs by the policy ``early``.
        correct: how many correct words follow it.
    """

    ref: tuple[int, int]
    hyp: tuple[int, int]
    groups: list[Group]
    correct: int


class Cheapest(NamedTuple):
    """A cheapest alignment of two sequences of words.

    Args:
        runs: its runs of errors, in order.
        cost: of the alignment, by its weights.
        slack: the most that it may cost beyond the cheapest one; 0 if it was not cut.
    """

    runs: list[Run]
    cost: int
    slack: int


def points_at(
    at: Iterable[tuple[int, int]], left: Sequence[int], right: Sequence[int]
) -> list[tuple[int, int]]:
    """Frontiers of words as points among the items of both sides.

    Args:
        at: frontiers of the words of both sides.
        left, right: the first word of each item of either side, in order.

    >>> points_at([(2, 1)], [0, 2], [0, 1])
    [(1, 1)]
    """
    return [(bisect_left(left, i), bisect_left(right, k)) for i, k in at]


def cheapest(
    left: Sequence[int],
    right: Sequence[int],
    weights: Weights,
    pieces: Pieces = PIECES,
    at: Sequence[tuple[int, int]] = (),
) -> Cheapest:
    """The cheapest alignment of two sequences of words, with the ties of the policy ``early``.

    Args:
        left, right: words as numbers from 1, equal numbers for equal words.
        weights: ``SCLITE`` or ``UNIT``.
        pieces: how long sequences are cut.
        at: points where the sequences are cut in any case; they decrease on neither side.

    Raises:
        SerevalError: unknown weights.

    >>> [(run.ref, run.hyp, run.correct) for run in cheapest([7, 8, 9], [7, 9], SCLITE).runs]
    [((0, 0), (0, 0), 1), ((1, 2), (1, 1), 1)]
    """
    points = cut_points(left, right, pieces, at)
    runs = [*_runs(left, right, weights, points)]
    cost = sum(weights.of_run(j - i, m - k) for (i, j), (k, m), *_ in runs)
    slack = 0
    if len(points) > 2:
        slack = cost - least_cost(left, right, weights, cost)
    return Cheapest(runs, cost, slack)


def cut_points(
    left: Sequence[int],
    right: Sequence[int],
    pieces: Pieces,
    at: Sequence[tuple[int, int]],
    size: Callable[[Span, Span], int] | None = None,
) -> list[tuple[int, int]]:
    """The points where two sequences are cut, from ``(0, 0)`` to their ends.

    Args:
        left, right: words as numbers.
        pieces: a piece larger than ``pieces.whole`` is cut further, by :func:`cuts`.
        at: points where the sequences are cut in any case.
        size: gives the product of the lengths of a piece from its frontiers on either side;
            ``None``: its lengths in words.

    >>> cut_points([7, 8], [7], PIECES, [(1, 1)])
    [(0, 0), (1, 1), (2, 1)]
    """
    points = [(0, 0)]
    for (i, k), (j, m) in pairwise([(0, 0), *at, (len(left), len(right))]):
        whole = (j - i) * (m - k) if size is None else size((i, j), (k, m))
        if whole > pieces.whole:
            points += [(i + a, k + b) for a, b in cuts(left[i:j], right[k:m], pieces)[1:]]
        else:
            points.append((j, m))
    return points


def _runs(
    left: Sequence[int],
    right: Sequence[int],
    weights: Weights,
    points: Sequence[tuple[int, int]],
) -> Iterator[Run]:
    """The cheapest alignment of two sequences of numbers, in pieces between points."""
    for (i, k), (j, m) in pairwise(points):
        yield from _cheapest(left[i:j], right[k:m], (i, k), weights)


def _cheapest(
    left: Sequence[int], right: Sequence[int], start: tuple[int, int], weights: Weights
) -> Iterator[Run]:
    """The cheapest alignment of a piece, with the ties of the policy ``early``.

    Of all longest common subsequences, rapidfuzz finds the first one when the texts are read from
    their ends, where an item of its first text without a partner comes before one of its second
    text, and that before a match. So the reversed hypothesis comes first, and then the reversed
    reference, both as they are written by :func:`_write_out`. Two words whose ``$`` match are a
    pair, and are correct if their ``x`` match too.

    The pairs are those of ``early``. If a path skips the ``$`` of a word, neither ``x`` of the word
    has a match on it: otherwise the ``$`` before the matched ``x`` of the other text, which has no
    partner either, would match that ``$`` at no cost. So a path that skips a ``$`` skips its word,
    and skips as many words before the next pair as the path of ``early``.
    """
    from rapidfuzz.distance import LCSseq

    size = 2 + (weights == SCLITE)
    theirs, ours = (_write_out(side[::-1], weights) for side in (right, left))
    n, m = len(left) + start[0], len(right) + start[1]
    (i, k), groups = start, list[Group]()
    # an end that no other item equals, because rapidfuzz would match equal ends first
    for step in reversed(LCSseq.opcodes([*theirs, _END], ours)):
        if step.tag != "equal":
            continue
        correct, of_pair = divmod(step.src_end - step.src_start, size)
        j, h = n - step.dest_end // size, m - step.src_end // size
        if correct:
            yield Run((i, j), (k, h), groups, correct)
            i, k, groups = j + correct, h + correct, []
        if of_pair:  # a $ alone
            j, h = j + correct, h + correct
            groups.append((j, j + 1, h, h + 1))
    if i < n or k < m:
        yield Run((i, n), (k, m), groups, 0)


_MARK, _END = 0, -3
"""Items that are no words; words are numbers from 1."""


def _write_out(side: Sequence[int], weights: Weights) -> list[int]:
    """Each word ``x`` as ``x x $`` by sclite's weights, as ``x $`` by unit weights.

    The least number of insertions and deletions between two such texts is the cost of the words, by
    unit weights twice the cost. Deleting and inserting a word costs 3 + 3. A correct word saves all
    6; any other pair saves the 2 of its ``$``, which leaves 4. By unit weights the cost is 2 + 2,
    of which a correct word saves 4 and any other pair 2.

    Source: Tiskin, Semi-local string comparison, 2008, section 6.1 (the blow-up of a grid).
    """
    if weights not in WEIGHTS.values():
        raise SerevalError(f"weights {weights.name!r}, expected {' or '.join(WEIGHTS)}")
    copies = 1 + (weights == SCLITE)
    found = [_MARK] * (len(side) * (copies + 1))
    for copy in range(copies):
        found[copy :: copies + 1] = side
    return found


def least_cost(
    left: Sequence[int], right: Sequence[int], weights: Weights, most: int | None = None
) -> int:
    """The least cost of an alignment, in little memory and without the alignment.

    Args:
        left, right: words as numbers from 1, equal numbers for equal words.
        weights: ``SCLITE`` or ``UNIT``.
        most: a cost that the least one does not exceed; ``None``: not known.

    >>> from sereval.alignment.weights import SCLITE, UNIT
    >>> least_cost([7, 8, 9], [7, 9], SCLITE), least_cost([7, 8], [9, 8], UNIT)
    (3, 1)

    rapidfuzz computes unit distances 64 words at a time, and so the distances of the longer texts
    that stand for sclite's weights.
    """
    from rapidfuzz.distance import Indel, Levenshtein

    if weights == UNIT:
        return Levenshtein.distance(left, right, score_cutoff=most)
    return Indel.distance(_write_out(left, weights), _write_out(right, weights), score_cutoff=most)


def cuts(left: Sequence[int], right: Sequence[int], pieces: Pieces) -> list[tuple[int, int]]:
    """The points ``(i, k)`` where a long document is cut, increasing from ``(0, 0)`` to the ends.

    A point is in the middle of the longest run of equal words within reach, in a cheapest alignment
    by unit weights. If no run of ``RUN`` words is within reach, the point is the last point of that
    alignment within reach.

    Args:
        left, right: words as numbers.
        pieces: how far apart the cuts are.
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
    """A run as ``(i, k, length)``; a very long run as several adjacent ones."""
    most = max(RUN, longest // 2)
    for start in range(i, j, most):
        length = min(most, j - start)
        if length >= RUN:
            yield start, k + start - i, length


def _along(steps: Sequence[Step], at: int) -> tuple[int, int]:
    """The last point of a path with at most ``at`` words of both sides before it."""
    i, j, k, m = steps[bisect_right(steps, at, key=lambda step: step[0] + step[2]) - 1]
    rest = at - i - k
    if i == j:
        return i, k + rest
    return (i + rest, k) if k == m else (i + rest // 2, k + rest // 2)


# --------------------------------------------------------------------------------------- the ties


Readings = tuple[list[Group], list[Group]]
"""The groups of a run of errors, and the groups of its other reading; empty: there is none."""

Ties = Callable[[Run, _Side, _Side, Weights], Readings]


def _early(run: Run, left: _Side, right: _Side, weights: Weights) -> Readings:
    """The pairs of the run, with gaps as early as possible."""
    return run.groups, []


def _spelling(run: Run, left: _Side, right: _Side, weights: Weights) -> Readings:
    """The pairs with the greatest likeness, and the reading by nearly the same words."""
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
    return _move(first, i, k), _move(second, i, k)


def _move(groups: Sequence[Group], i: int, k: int) -> list[Group]:
    return [(i + a, i + b, k + c, k + d) for a, b, c, d in groups]


def _anchor(run: Run, left: _Side, right: _Side, weights: Weights) -> Readings:
    """The pairs as by ``spelling``; after the last correct word of the texts, pairs in order."""
    (i, j), (k, m) = run.ref, run.hyp
    if run.correct or j < len(left.texts) or m < len(right.texts):
        return _spelling(run, left, right, weights)
    return _move(in_order(left.part(i, j), right.part(k, m)), i, k), []


_TIES: dict[str, Ties] = {"early": _early, "spelling": _spelling, "anchored": _anchor}
"""The policies that choose among the cheapest alignments, by name."""
