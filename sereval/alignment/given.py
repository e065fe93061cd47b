"""The alignment of two texts that another program made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .blocks import (
    CORRECT,
    DELETION,
    INSERTION,
    PUNCTUATION,
    SUBSTITUTION,
    Block,
    WordAlignment,
)
from .normalise import Normalisation
from .weights import Weights


def align_rows(
    rows: Iterable[tuple[bool, bool]],
    reference: Sequence[str],
    hypothesis: Sequence[str],
    weights: Weights,
    normalise: Normalisation,
    *,
    digest: str,
) -> WordAlignment:
    """The alignment of two texts, row by row as it is given.

    Args:
        rows: whether each row has a word of the reference, and one of the hypothesis. All words of
            both sides are in the rows, in their order.
        reference, hypothesis: their words.
        weights: the weights that give its cost.
        normalise: says which words are correct, and which are punctuation.
        digest: the name of the given alignments in signatures.

    >>> from .normalise import LETTERS
    >>> from .weights import UNIT
    >>> rows = [(True, True), (True, False)]
    >>> found = align_rows(rows, ["FIAT", "SpA"], ["Fiat"], UNIT, LETTERS, digest="x")
    >>> [block.op for block in found.blocks], found.cost
    (['correct', 'deletion'], 1)
    """
    forms = [[normalise.form(word) for word in side] for side in (reference, hypothesis)]
    blocks: list[Block] = []
    i = k = 0
    for has_ours, has_theirs in rows:
        own = [*forms[0][i : i + has_ours], *forms[1][k : k + has_theirs]]
        op = PUNCTUATION
        if any(own):
            op = DELETION if has_ours else INSERTION
            if len(own) == 2:
                op = CORRECT if own[0] == own[1] else SUBSTITUTION
        blocks.append(Block((i, i + has_ours), (k, k + has_theirs), op))
        i, k = blocks[-1].ends
    cost = sum(weights.of(block.op) for block in blocks)
    return WordAlignment(tuple(blocks), cost, how=f"given-{digest}")
