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

**On demand.** The weights say which words are correct and how many errors are between them. Their
letters are compared only in those runs of errors that are read: a projection reads those beside the
frontiers of elements, and ``blocks`` reads all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cached_property, partial
from itertools import accumulate, chain, pairwise, repeat
from typing import NamedTuple

from ..documents.crossing import Span
from ..errors import SerevalError
from .blocks import (
    CORRECT,
    DELETION,
    INSERTION,
    OPERATIONS,
    PUNCTUATION,
    SUBSTITUTION,
    Block,
    Places,
    WordAlignment,
    inside,
    places_between,
)
from .cheapest import PIECES, Cheapest, Pieces, Run, cheapest, points_at, texts_of
from .normalise import EXACT, LETTERS, Normalisation, single_words
from .spelling import Group, Words, in_order, most_alike, nearly_same
from .tiles import of_words, tile
from .weights import SCLITE, TIES, Weights

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
    ours, theirs = (_side(tuple(words), normalise.form) for words in (reference, hypothesis))
    of_cuts = points_at(at, ours.places, theirs.places)
    found = cheapest(texts_of(ours.texts, theirs.texts), weights, pieces, of_cuts)
    return TextAlignment.of((ours, theirs), found, _TIES[ties], weights, _how(weights, normalise))


def _how(weights: Weights, normalise: Normalisation) -> str:
    """How words are aligned, as parts of a signature."""
    named = f" normalise:{normalise.name}" if normalise != LETTERS else ""
    return f"by:text weights:{weights.name}{named}"


class SideWords(NamedTuple):
    """The words of one side that are compared.

    Args:
        words: all words of the document.
        forms: the form of each of them; that of punctuation is empty.
        places: the positions of the words that are compared.
        texts: their forms.
    """

    words: Sequence[str]
    forms: Sequence[str]
    places: Sequence[int]
    texts: Sequence[str]

    @property
    def marks(self) -> list[int]:
        """The positions of punctuation."""
        has_marks = len(self.texts) < len(self.words)
        return [k for k, form in enumerate(self.forms) if not form] if has_marks else []

    def part(self, start: int, end: int) -> Words:
        """Some of the compared words, with the punctuation beside each."""
        marks = [("", "")] * (end - start)
        if len(self.texts) < len(self.words):
            marks = [(self._mark(k - 1), self._mark(k + 1)) for k in self.places[start:end]]
        return Words(self.texts[start:end], marks)

    def _mark(self, place: int) -> str:
        """The punctuation at a position of the document; empty if there is none."""
        is_mark = 0 <= place < len(self.words) and not self.forms[place]
        return self.words[place] if is_mark else ""


def _side(words: Sequence[str], form: Callable[[str], str]) -> SideWords:
    """The words of one side."""
    forms = [*map(form, words)]
    if all(forms):
        return SideWords(words, forms, range(len(words)), forms)
    places = [k for k, text in enumerate(forms) if text]
    return SideWords(words, forms, places, [*filter(None, forms)])


# ---------------------------------------------------------------------------------- the alignment


class TextAlignment(WordAlignment):
    """The alignment of two texts whose runs of errors are read on demand.

    A *gap* is what lies between two neighbouring correct words, before the first one or after the
    last one: a run of errors, punctuation, or nothing. The blocks of a gap do not depend on other
    gaps.
    """

    _sides: tuple[SideWords, SideWords]
    _policy: TieBreak
    _weights: Weights
    _runs: list[Run]
    _read: dict[int, tuple[list[Block], list[Block]]]  # both readings of gaps
    _tables: dict[int, list[Places]]  # of the frontiers in gaps

    @classmethod
    def of(
        cls,
        sides: tuple[SideWords, SideWords],
        found: Cheapest,
        policy: TieBreak,
        weights: Weights,
        how: str,
    ) -> TextAlignment:
        """The alignment of two texts.

        Args:
            sides: the words of the reference and of the hypothesis.
            found: the runs of errors.
            policy: chooses the pairs of a run.
            weights: the weights of word errors.
            how: as in ``WordAlignment``.
        """
        made = object.__new__(cls)
        vars(made).update(cost=found.cost, slack=found.slack, how=how, _read={}, _tables={})
        vars(made).update(_sides=sides, _policy=policy, _weights=weights)
        vars(made).update(_runs=found.runs)
        return made

    def __post_init__(self) -> None:
        """One that ``dataclasses.replace`` makes of blocks is like any other alignment."""
        object.__setattr__(self, "__class__", WordAlignment)  # it has no gaps to read
        WordAlignment.__post_init__(self)

    def __eq__(self, other: object) -> bool:
        """Whether another alignment has the same blocks, the same cost and the same origin."""
        if not isinstance(other, WordAlignment):
            return NotImplemented
        return all(getattr(self, one.name) == getattr(other, one.name) for one in fields(self))

    __hash__ = WordAlignment.__hash__

    @property
    def lengths(self) -> tuple[int, int]:
        """The number of words of the reference and of the hypothesis."""
        ours, theirs = self._sides
        return len(ours.words), len(theirs.words)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks from the first words to the last."""
        return self._blocks([first for _, (first, _) in self._gaps])

    @cached_property
    def otherwise(self) -> tuple[Block, ...]:
        """The blocks of the other reading; empty: there is none."""
        if not any(second for _, (_, second) in self._gaps):
            return ()
        return self._blocks([second or first for _, (first, second) in self._gaps])

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of words by operation."""
        counts = dict.fromkeys(OPERATIONS, 0)
        counts[PUNCTUATION] = self._punctuation()
        for (i, j), (k, m), _, correct in self._runs:
            pairs = min(j - i, m - k)
            counts[CORRECT] += correct
            counts[SUBSTITUTION] += pairs
            counts[DELETION] += j - i - pairs
            counts[INSERTION] += m - k - pairs
        return counts

    def _punctuation(self) -> int:
        """The number of punctuation marks, where a pair of marks counts once."""
        marks = [side.marks for side in self._sides]
        found = sum(map(len, marks))
        if not all(marks):
            return found
        gaps = [
            {bisect_left(correct, place) - 1 for place in places}
            for correct, places in zip(self._correct, marks, strict=True)
        ]
        blocks = chain.from_iterable(self._readings(gap)[0] for gap in gaps[0] & gaps[1])
        return found - sum(block.op == PUNCTUATION and block.is_pair for block in blocks)

    def places(self, f: int) -> Places:
        """The candidates of a frontier, from the lowest to the highest, and its strict frontiers.

        Args:
            f: the frontier.
        """
        gap = bisect_left(self._correct[0], f) - 1
        (i, k), (j, m) = self._ends(gap)
        if i == j or k == m:  # no pair in between
            return k, m, m, k
        if gap not in self._tables:
            self._tables[gap] = places_between((i, k), *self._readings(gap), (j, m))
        return self._tables[gap][f - i]

    @cached_property
    def _correct(self) -> tuple[list[int], list[int]]:
        """The positions of the correct words, and one on either end."""
        ours, theirs = self._sides
        refs, hyps = [-1], [-1]
        for (_, j), (_, m), _, correct in self._runs:
            refs += ours.places[j : j + correct]
            hyps += theirs.places[m : m + correct]
        return [*refs, len(ours.words)], [*hyps, len(theirs.words)]

    @cached_property
    def _gap_of(self) -> list[int]:
        """The gap of each run; where a text is cut, a gap may have several."""
        return [*accumulate((run.correct for run in self._runs[:-1]), initial=0)]

    def _ends(self, gap: int) -> tuple[Span, Span]:
        """The frontiers of both sides where a gap begins, and those where it ends."""
        refs, hyps = self._correct
        return (refs[gap] + 1, hyps[gap] + 1), (refs[gap + 1], hyps[gap + 1])

    def _readings(self, gap: int) -> tuple[list[Block], list[Block]]:
        """The blocks of a gap by the first and by the other reading; empty: there is none."""
        if gap not in self._read:
            ours, theirs = self._sides
            words, forms = (ours.words, theirs.words), (ours.forms, theirs.forms)
            runs = self._runs[bisect_left(self._gap_of, gap) : bisect_right(self._gap_of, gap)]
            found = [self._policy(run, ours, theirs, self._weights) for run in runs]
            readings = [first for first, _ in found], [second or first for first, second in found]
            pairs = (
                [_block(ours, theirs, group) for group in chain.from_iterable(reading)]
                for reading in readings[: 1 + any(second for _, second in found)]
            )
            first, *second = (tile(one, words, forms, *self._ends(gap)) for one in pairs)
            self._read[gap] = first, [*chain.from_iterable(second)]
        return self._read[gap]

    @cached_property
    def _gaps(self) -> list[tuple[int, tuple[list[Block], list[Block]]]]:
        """The gaps that are not empty, with their readings."""
        gaps = enumerate(zip(*map(pairwise, self._correct), strict=True))
        return [(g, self._readings(g)) for g, ((i, j), (k, m)) in gaps if j - i > 1 or m - k > 1]

    def _blocks(self, readings: Sequence[list[Block]]) -> tuple[Block, ...]:
        """The blocks of the whole.

        Args:
            readings: the blocks of each gap that is not empty.
        """
        refs, hyps = map(single_words, self.lengths)
        blocks: list[Block] = []
        i = k = 0
        for (gap, _), reading in zip(self._gaps, readings, strict=True):
            start, end = self._ends(gap)
            blocks += _correct(refs[i : start[0]], hyps[k : start[1]])
            blocks += reading
            i, k = end
        return (*blocks, *_correct(refs[i : self.lengths[0]], hyps[k : self.lengths[1]]))


_block_of = partial(tuple.__new__, Block)
"""The block of its values, as ``Block._make`` makes it, in half of the time."""


def _correct(refs: Sequence[Span], hyps: Sequence[Span]) -> Iterator[Block]:
    """The blocks of correct words."""
    return map(_block_of, zip(refs, hyps, repeat(CORRECT), repeat(()), strict=False))


def _block(ours: SideWords, theirs: SideWords, group: Group) -> Block:
    """A block for a group of words of a run of errors."""
    i, j, k, m = group
    ref, hyp = ours.places[i:j], theirs.places[k:m]
    spans = (ref[0], ref[-1] + 1), (hyp[0], hyp[-1] + 1)
    if j - i == 1 == m - k:
        is_same = ours.texts[i] == theirs.texts[k]  # possible in the second reading only
        return Block(*spans, CORRECT if is_same else SUBSTITUTION)
    sizes = [len(text) for text in ours.texts[i:j]], [len(text) for text in theirs.texts[k:m]]
    return Block(*spans, SUBSTITUTION, inside(ref, sizes[0], hyp, sizes[1]))


# --------------------------------------------------------------------------------------- the ties


RunReadings = tuple[list[Group], list[Group]]
"""The groups of a run of errors, and the groups of its other reading; empty: there is none."""

TieBreak = Callable[[Run, SideWords, SideWords, Weights], RunReadings]


def _early(run: Run, left: SideWords, right: SideWords, weights: Weights) -> RunReadings:
    """The pairs of the run, with gaps as early as possible."""
    return run.groups, []


def _spelling(run: Run, left: SideWords, right: SideWords, weights: Weights) -> RunReadings:
    """The pairs with the greatest likeness, and the reading by nearly the same words."""
    (i, j), (k, m) = run.ref, run.hyp
    short, longer = sorted((j - i, m - k))
    if not short or longer < 2 or short * (longer - short + 1) > LONGEST_RUN:
        return run.groups, []
    ours, theirs = left.part(i, j), right.part(k, m)
    first = most_alike(ours, theirs)
    second: list[Group] = []
    if 1 < short and short * longer <= LONGEST_READ_TWICE:
        second = nearly_same(ours, theirs, weights.of_run, first)
    return _move(first, i, k), _move(second, i, k)


def _move(groups: Sequence[Group], i: int, k: int) -> list[Group]:
    return [(i + a, i + b, k + c, k + d) for a, b, c, d in groups]


def _anchor(run: Run, left: SideWords, right: SideWords, weights: Weights) -> RunReadings:
    """The pairs as by ``spelling``; after the last correct word of the texts, pairs in order."""
    (i, j), (k, m) = run.ref, run.hyp
    if (j, m) != (len(left.texts), len(right.texts)):
        return _spelling(run, left, right, weights)
    return _move(in_order(left.part(i, j), right.part(k, m)), i, k), []


_TIES: dict[str, TieBreak] = {"early": _early, "spelling": _spelling, "anchored": _anchor}
"""The policies that choose among the cheapest alignments, by name."""
