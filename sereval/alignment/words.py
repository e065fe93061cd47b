"""The operations of words: what became of each word, as the word error rate counts it.

Each word of the reference is correct, substituted or deleted; each word of the hypothesis is
correct, a substitute or inserted. The word error rate counts these operations, so a rate and the
operations shown beside it never disagree.

**Least cost.** With the weights ``unit`` the number of errors is the least possible, in documents
of any length. With the weights ``sclite`` the alignment is the cheapest (``text.cheapest``), and
long documents are cut.

**Ties.** Several alignments may cost the same. With ``unit``, rapidfuzz decides which words are
correct, so the counts are those of every program that counts its edits. With ``sclite``, the policy
``early`` decides (``text``). Between two correct words both weights have one rule: words without a
partner come first, then the words of both sides pair in order.

Source: Levenshtein 1966; NIST, sclite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count, repeat
from typing import NamedTuple

from ..documents.alternatives import Alternative
from .blocks import CORRECT, DELETION, INSERTION, SUBSTITUTION
from .lattice import Chosen, cheapest_reading
from .normalise import LETTERS, Forms, Normalisation
from .text import Run, cheapest
from .weights import UNIT, Weights


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


@dataclass(frozen=True)
class WordOperations:
    """The operations of all words of a document, in order.

    Positions never decrease on either side. Words that are not compared, such as punctuation, are
    in no operation.

    Args:
        operations: from the first words to the last.
        slack: the most that the alignment may cost beyond the cheapest, in its weights.
        sides: the forms of the reference and of the hypothesis that are compared.
        chosen: the stretches of the reference that are counted in another reading.

    >>> WordOperations((WordOperation("deletion", 0, None),)).counts["deletion"]
    1
    """

    operations: tuple[WordOperation, ...]
    slack: int = 0
    sides: tuple[Forms, Forms] = (Forms([], []), Forms([], []))
    chosen: tuple[Chosen, ...] = ()

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
        found = [op for op, _, _ in self.operations]
        return {op: found.count(op) for op in (CORRECT, SUBSTITUTION, DELETION, INSERTION)}


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
    chosen: tuple[Chosen, ...] = ()
    if alternatives:
        ours, chosen, _ = cheapest_reading(reference, alternatives, hypothesis, weights, normalise)
    known: dict[str, int] = defaultdict(count(1).__next__)
    left, right = ([*map(known.__getitem__, side.texts)] for side in (ours, theirs))
    if weights == UNIT:
        runs, slack = _fewest(left, right), 0
    else:
        runs, _, slack = cheapest(left, right, weights)
    operations = _placed(runs, ours.places, theirs.places)
    return WordOperations(operations, slack, (ours, theirs), chosen)


def _fewest(left: Sequence[int], right: Sequence[int]) -> list[Run]:
    """The runs of an alignment with the fewest errors."""
    from rapidfuzz.distance import Levenshtein

    runs: list[Run] = []
    i = k = 0
    for step in Levenshtein.opcodes(left, right):
        if step.tag == "equal":
            j, m = step.src_start, step.dest_start
            runs.append(Run((i, j), (k, m), [], step.src_end - j))
            i, k = step.src_end, step.dest_end
    runs.append(Run((i, len(left)), (k, len(right)), [], 0))
    return runs


def _placed(
    runs: Iterable[Run], ours: Sequence[int], theirs: Sequence[int]
) -> tuple[WordOperation, ...]:
    """The operations of runs of errors, and of the correct words after each.

    Args:
        runs: on the words that are compared.
        ours, theirs: the positions of these words in their documents.
    """
    found: list[WordOperation] = []
    for (i, j), (k, m), _, correct in runs:
        if i < j or k < m:
            errors = min(j - i, m - k)
            r, h = j - errors, m - errors
            found += [WordOperation(INSERTION, None, place) for place in theirs[k:h]]
            found += [WordOperation(DELETION, place, None) for place in ours[i:r]]
            pairs = zip(repeat(SUBSTITUTION, errors), ours[r:j], theirs[h:m], strict=True)
            found += map(_operation, pairs)
        if correct:
            words = ours[j : j + correct], theirs[m : m + correct]
            found += map(_operation, zip(repeat(CORRECT, correct), *words, strict=True))
    return tuple(found)


_operation: Callable[[tuple[str, int, int]], WordOperation]
_operation = partial(tuple.__new__, WordOperation)
"""The operation of a triple, as ``WordOperation._make`` makes it, in half of the time."""
