"""The operations of words: what became of each word, as the word error rate counts it.

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

Source: Levenshtein 1966; NIST, sclite; Le et al., Interspeech 2021.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from ..documents.checks import Alternative
from ..errors import SerevalError
from .blocks import CORRECT, DELETION, INSERTION, SUBSTITUTION
from .cheapest import CodedTexts, Run, pairs_first, texts_of
from .lattice import ReadingChoice, cheapest_reading
from .normalise import LETTERS, Forms, Normalisation
from .weights import SCLITE, UNIT, WEIGHTS, Weights


class WordOperation(NamedTuple):
    """What became of a word, or of a pair of words.

    Args:
        op: ``correct``, ``substitution``, ``deletion`` or ``insertion``.
        ref: the position of the reference word in its document; ``None`` for an insertion.
        hyp: the position of the hypothesis word in its document; ``None`` for a deletion.

    >>> WordOperation("deletion", 3, None).ref
    3
    """

    op: str
    ref: int | None
    hyp: int | None


class Streak(NamedTuple):
    """Adjacent operations of one kind, on the forms of both sides.

    Args:
        op: the kind.
        ref, hyp: frontiers of the forms on either side. A deletion has no form of the hypothesis,
            an insertion none of the reference.

    >>> Streak("deletion", (3, 5), (4, 4)).size
    2
    """

    op: str
    ref: tuple[int, int]
    hyp: tuple[int, int]

    @property
    def size(self) -> int:
        """The number of operations."""
        return max(self.ref[1] - self.ref[0], self.hyp[1] - self.hyp[0])


@dataclass(frozen=True)
class WordOperations:
    """The operations of all words of a document, in order.

    Positions never decrease on either side. Words that are not compared, such as punctuation, are
    in no operation.

    Args:
        streaks: from the first forms to the last.
        slack: the most that the alignment may cost beyond the cheapest, in its weights.
        sides: the forms of the reference and of the hypothesis that are compared.
        chosen: the stretches of the reference that are counted in another reading.

    >>> gone = WordOperations((Streak("deletion", (0, 1), (0, 0)),), sides=(
    ...     Forms(["york"], [(1, 2)]), Forms([], [])))
    >>> gone.counts["deletion"], gone.operations
    (1, (WordOperation(op='deletion', ref=1, hyp=None),))
    """

    streaks: tuple[Streak, ...]
    slack: int = 0
    sides: tuple[Forms, Forms] = (Forms([], []), Forms([], []))
    chosen: tuple[ReadingChoice, ...] = ()

    @cached_property
    def places(self) -> tuple[Sequence[int], Sequence[int]]:
        """One word for each form of either side, by its position in its document."""
        return self.sides[0].places, self.sides[1].places

    @cached_property
    def operations(self) -> tuple[WordOperation, ...]:
        """The operations, with the positions of the words in their documents."""
        ours, theirs = self.places
        found: list[WordOperation] = []
        for streak in self.streaks:
            op, ref, hyp = streak
            nothing = repeat(None, streak.size)
            pairs = zip(
                repeat(op, streak.size),
                nothing if op == INSERTION else ours[slice(*ref)],
                nothing if op == DELETION else theirs[slice(*hyp)],
                strict=False,
            )
            found.extend(map(WordOperation._make, pairs))
        return tuple(found)

    @property
    def forms(self) -> Iterator[tuple[WordOperation, str]]:
        """Each operation with the form of its reference word, or of the inserted word.

        >>> found = word_operations(["It's", "a"], ["its", "—", "an", "A"])
        >>> [(operation.op, form) for operation, form in found.forms]
        [('correct', 'its'), ('insertion', 'an'), ('correct', 'a')]
        """
        ours, theirs = (iter(side.texts) for side in self.sides)
        for operation in self.operations:
            said = None if operation.ref is None else next(ours)
            heard = None if operation.hyp is None else next(theirs)
            yield operation, said or heard or ""

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of operations of each kind; kinds that do not occur have 0."""
        found = dict.fromkeys((CORRECT, SUBSTITUTION, DELETION, INSERTION), 0)
        for op, (i, j), (k, m) in self.streaks:
            found[op] += j - i or m - k
        return found


def word_operations(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    weights: Weights = UNIT,
    normalise: Normalisation = LETTERS,
    alternatives: Sequence[Alternative] = (),
) -> WordOperations:
    """The operations of the words in the alignment that gives the word error rate.

    Args:
        reference, hypothesis: the words of the two documents.
        weights: ``UNIT`` or ``SCLITE``.
        normalise: in which form words are compared; a word without a form is ignored.
        alternatives: stretches of the reference that may be said in other words. The reading that
            costs least is compared (``lattice``).

    Returns:
        Each form of either side is in one operation, which has the position of one of its words
        (``normalise.Forms.places``). Unless the normalisation rewrites the texts, each word as
        written has one form at most.

    Raises:
        SerevalError: unknown weights.

    The number of errors by ``UNIT``, and the cost by ``SCLITE``, equal those of the textbook table
    over all prefixes (``tests/alignment/test_word_operations.py``).

    >>> found = word_operations("At the New York desk .".split(), "at Newark desk".split())
    >>> for operation in found.operations:
    ...     print(*operation)
    correct 0 0
    deletion 1 None
    deletion 2 None
    substitution 3 1
    correct 4 2
    """
    ours, theirs = normalise.forms(reference), normalise.forms(hypothesis)
    chosen: tuple[ReadingChoice, ...] = ()
    if alternatives:
        ours, chosen, _ = cheapest_reading(reference, alternatives, hypothesis, weights, normalise)
    texts = texts_of(ours.texts, theirs.texts)
    if weights == UNIT:
        runs, slack = _fewest(texts), 0
    elif weights == SCLITE:
        runs, _, slack = pairs_first(texts)
    else:
        raise SerevalError(f"weights {weights.name!r}, expected {' or '.join(WEIGHTS)}")
    return WordOperations(tuple(_streaks(runs)), slack, (ours, theirs), chosen)


def _fewest(texts: CodedTexts) -> list[Run]:
    """The runs of an alignment with the fewest errors."""
    runs: list[Run] = []
    i = k = 0
    for j, m, correct in texts.matches:
        runs.append(Run((i, j), (k, m), [], correct))  # the last block is empty, at the ends
        i, k = j + correct, m + correct
    return runs


def _streaks(runs: Iterable[Run]) -> Iterator[Streak]:
    """The operations of runs of errors, and of the correct words after each.

    In a run, insertions come before deletions and deletions before pairs.
    """
    for (i, j), (k, m), _, correct in runs:
        errors = min(j - i, m - k)
        if m - k > errors:
            yield Streak(INSERTION, (i, i), (k, m - errors))
        if j - i > errors:
            yield Streak(DELETION, (i, j - errors), (m - errors, m - errors))
        if errors:
            yield Streak(SUBSTITUTION, (j - errors, j), (m - errors, m))
        if correct:
            yield Streak(CORRECT, (j, j + correct), (m, m + correct))
