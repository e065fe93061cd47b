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

Sources: Levenshtein 1966; NIST, sclite; Le et al., Interspeech 2021.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..documents.checks import Alternative
from ..errors import SerevalError
from .blocks import (
    CORRECT,
    DELETION,
    INSERTION,
    SCLITE,
    SUBSTITUTION,
    UNIT,
    WEIGHTS,
    Block,
    Weights,
)
from .cheapest import CodedTexts, Run, pairs_first, texts_of
from .lattice import ReadingChoice, cheapest_reading
from .normalise import LETTERS, Forms, Normalisation


@dataclass(frozen=True)
class WordOperations:
    """The operations of all words of a document, in order.

    Positions never decrease on either side. Words that are not compared, such as punctuation, are
    in no operation.

    Args:
        runs: blocks of forms, which are aligned one by one, from the first to the last.
        slack: the most that the alignment may cost beyond the cheapest, in its weights.
        sides: the forms of the reference and of the hypothesis that are compared.
        chosen: the stretches of the reference that are counted in another reading.

    >>> gone = WordOperations((Block((0, 1), (0, 0), DELETION),), sides=(
    ...     Forms(["york"], [(1, 2)]), Forms([], [])))
    >>> gone.counts["deletion"], gone.operations
    (1, [('deletion', 1, None)])
    """

    runs: tuple[Block, ...]
    slack: int = 0
    sides: tuple[Forms, Forms] = (Forms([], []), Forms([], []))
    chosen: tuple[ReadingChoice, ...] = ()

    @cached_property
    def places(self) -> tuple[Sequence[int], Sequence[int]]:
        """One word for each form of either side, by its position in its document."""
        return self.sides[0].places, self.sides[1].places

    @property
    def operations(self) -> list[tuple[str, int | None, int | None]]:
        """Each operation, with the positions of its words in their documents."""
        ours, theirs = self.places
        return [
            (op, ours[i] if i < j else None, theirs[k] if k < m else None)
            for run in self.runs
            for (i, j), (k, m), op, _ in run.singly
        ]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of operations of each kind; kinds that do not occur have 0."""
        found = dict.fromkeys((CORRECT, SUBSTITUTION, DELETION, INSERTION), 0)
        for (i, j), (k, m), op, _ in self.runs:
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
    return WordOperations(tuple(_blocks(runs)), slack, (ours, theirs), chosen)


def _fewest(texts: CodedTexts) -> list[Run]:
    """The runs of an alignment with the fewest errors."""
    runs: list[Run] = []
    i = k = 0
    for j, m, correct in texts.matches:
        runs.append(Run((i, j), (k, m), [], correct))  # the last block is empty, at the ends
        i, k = j + correct, m + correct
    return runs


def _blocks(runs: Iterable[Run]) -> Iterator[Block]:
    """The operations of runs of errors, and of the correct words after each.

    In a run, insertions come before deletions and deletions before pairs.
    """
    for (i, j), (k, m), _, correct in runs:
        errors = min(j - i, m - k)
        if m - k > errors:
            yield Block((i, i), (k, m - errors), INSERTION)
        if j - i > errors:
            yield Block((i, j - errors), (m - errors, m - errors), DELETION)
        if errors:
            yield Block((j - errors, j), (m - errors, m), SUBSTITUTION)
        if correct:
            yield Block((j, j + correct), (m, m + correct), CORRECT)
