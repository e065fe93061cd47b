"""Blocks for all words: those between pairs, and those of texts that were rewritten.

An alignment by text or by sound finds pairs. Here the words between them get blocks of their own,
so that the blocks tile both sides. An alignment of the forms of rewritten texts (``normalise``)
becomes one of their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..documents.crossing import Span
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
from .normalise import Forms

TextSides = tuple[Sequence[str], Sequence[str]]
"""Texts of the reference and of the hypothesis."""


def tile(
    pairs: Iterable[Block],
    words: TextSides,
    forms: TextSides,
    start: Span = (0, 0),
    end: Span | None = None,
) -> list[Block]:
    """Fill the words between pairs with blocks of one word.

    Args:
        pairs: blocks with words on both sides, in order.
        words: all words of both sides, with punctuation.
        forms: the form of each word; empty: punctuation.
        start, end: frontiers of both sides, between which the words are; ``None``: the ends.

    Returns:
        Blocks that tile both sides. Between two pairs, a punctuation mark that both sides have
        makes a pair, the first that fits; of the other words, insertions come first.
    """
    blocks: list[Block] = []
    i, k = start
    for pair in pairs:
        (j, after), (m, beyond) = pair.ref, pair.hyp
        if i < j or k < m:
            blocks += _between(words, forms, (i, j), (k, m))
        blocks.append(pair)
        i, k = after, beyond
    n, m = end or (len(words[0]), len(words[1]))
    blocks += _between(words, forms, (i, n), (k, m))
    return blocks


def _between(
    words: TextSides, forms: TextSides, ref: tuple[int, int], hyp: tuple[int, int]
) -> Iterator[Block]:
    """Blocks of one word for all words between two pairs."""
    (i, end), (k, last) = ref, hyp
    same = _same_punctuation(words, forms, ref, hyp) if i < end and k < last else ()
    for j, m in (*same, (end, last)):
        for h in range(k, m):
            op = INSERTION if forms[1][h] else PUNCTUATION
            yield Block((i, i), (h, h + 1), op)
        for r in range(i, j):
            op = DELETION if forms[0][r] else PUNCTUATION
            yield Block((r, r + 1), (m, m), op)
        i, k = j + 1, m + 1
        if (j, m) != (end, last):
            yield Block((j, i), (m, k), PUNCTUATION)


def _same_punctuation(
    words: TextSides, forms: TextSides, ref: tuple[int, int], hyp: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """The punctuation marks that both sides have between two pairs, as pairs of positions."""
    k = hyp[0]
    for r in range(*ref):
        if forms[0][r]:
            continue
        same = (h for h in range(k, hyp[1]) if words[1][h] == words[0][r] and not forms[1][h])
        found = next(same, None)
        if found is not None:
            yield r, found
            k = found + 1


def of_words(
    found: WordAlignment, forms: tuple[Forms, Forms], words: TextSides, how: str
) -> WordAlignment:
    """The alignment of the words of two texts whose forms are aligned.

    Words with paired forms are one block, with all words on either side that share a form with
    them. The block is ``correct`` if all forms of its words are.

    Args:
        found: the alignment of the forms.
        forms: the forms of both sides.
        words: the words of both sides.
        how: as in ``WordAlignment``.

    >>> from sereval.alignment.text import EXACT, align_text
    >>> from sereval.alignment.weights import UNIT
    >>> forms = Forms(["i", "will", "not"], [(0, 1), (1, 2), (1, 2)]), Forms(["i"], [(0, 1)])
    >>> of_forms = align_text(forms[0].texts, forms[1].texts, UNIT, normalise=EXACT)
    >>> [block.op for block in of_words(of_forms, forms, (["I", "won't"], ["I"]), "").blocks]
    ['correct', 'deletion']
    """
    blocks, otherwise = (
        blocks_of_words(reading, forms, words) for reading in (found.blocks, found.otherwise)
    )
    return WordAlignment(blocks, found.cost, found.slack, how, otherwise if found.otherwise else ())


def blocks_of_words(
    blocks: Iterable[Block], forms: tuple[Forms, Forms], words: TextSides
) -> tuple[Block, ...]:
    """The blocks of the words of two texts, as :func:`of_words` makes them.

    Args:
        blocks: the blocks of the forms; they tile both sides.
        forms: the forms of both sides.
        words: the words of both sides.

    >>> forms = Forms(["2020"], [(0, 2)]), Forms(["2020"], [(0, 1)])
    >>> words = ["20", "20"], ["2020"]
    >>> [found] = blocks_of_words([Block((0, 1), (0, 1), CORRECT)], forms, words)
    >>> found.ref, found.op
    ((0, 2), 'correct')
    """
    ours, theirs = (_form_of_each(one, len(side)) for one, side in zip(forms, words, strict=True))
    return tuple(tile(_pairs(blocks, forms, words), words, (ours, theirs)))


def _form_of_each(forms: Forms, size: int) -> list[str]:
    """For each word a form that comes from it; empty: no form comes from it."""
    found = [""] * size
    for text, (start, end) in zip(*forms, strict=True):
        found[start:end] = [text] * (end - start)
    return found


class _Pair(NamedTuple):
    """Words of both sides that are in one block.

    Args:
        ref, hyp: the words.
        ops: the operations of their forms.
    """

    ref: Span
    hyp: Span
    ops: frozenset[str]


def _pairs(
    blocks: Iterable[Block], forms: tuple[Forms, Forms], words: TextSides
) -> Iterator[Block]:
    """The pairs of words of an alignment of forms."""
    pairs: list[_Pair] = []
    alone: list[tuple[int, int]] = []  # the side and the first word of a form without a partner
    for block in blocks:
        if not block.is_pair:
            side, place = (0, block.ref[0]) if block.ref[0] < block.ref[1] else (1, block.hyp[0])
            alone.append((side, forms[side].spans[place][0]))
            continue
        ref, hyp = _span(forms[0], block.ref), _span(forms[1], block.hyp)
        ops = frozenset({block.op})
        if pairs and (ref[0] < pairs[-1].ref[1] or hyp[0] < pairs[-1].hyp[1]):
            last = pairs.pop()
            ref, hyp, ops = _union(last.ref, ref), _union(last.hyp, hyp), last.ops | ops
        pairs.append(_Pair(ref, hyp, ops))
    owner = [{k: p for p, pair in enumerate(pairs) for k in range(*pair[side])} for side in (0, 1)]
    wrong = {owner[side][place] for side, place in alone if place in owner[side]}
    for p, pair in enumerate(pairs):
        yield _block(
            pair, words, CORRECT if pair.ops == {CORRECT} and p not in wrong else SUBSTITUTION
        )


def _span(forms: Forms, block: Span) -> Span:
    """The words of the forms of a block."""
    return forms.spans[block[0]][0], forms.spans[block[1] - 1][1]


def _union(one: Span, other: Span) -> Span:
    return min(one[0], other[0]), max(one[1], other[1])


def _block(pair: _Pair, words: TextSides, op: str) -> Block:
    """The block of a pair."""
    places = [*range(*pair.ref)], [*range(*pair.hyp)]
    sizes = [[len(side[k]) for k in part] for side, part in zip(words, places, strict=True)]
    return Block(pair.ref, pair.hyp, op, inside(places[0], sizes[0], places[1], sizes[1]))
