"""Scheme ``slurp``: SLU-F1, with word-F1 and char-F1, on lists of labels and texts.

Entities are paired within a document (a recording in SLURP) and a label. Each hypothesis entity, in
the order of the list, takes the nearest reference entity that is still free; of equally near ones,
the first. A pair is a true positive; the distance of its texts is added to the false positives and
to the false negatives. A hypothesis entity without a partner is a false positive, a reference
entity without a partner a false negative.

======= ==========================================================================
figure  distance of a pair
======= ==========================================================================
slu     none of its own: its counts are the sums of those of ``word`` and ``char``
word    word errors over the words of the reference text; it can exceed 1
char    edits over the characters of the longer text
======= ==========================================================================

``word`` and ``char`` pair by their own distances. The figures depend on the order of the
hypothesis's lists; ``mapping="optimal"`` pairs as many entities at the least sum of distances
instead, whatever the order.

Source: Bastianelli, Vanzo, Swietojanski and Rieser, "SLURP: A Spoken Language Understanding
Resource Package", EMNLP 2020.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..evaluation.settings import ByWords, Settings
from ..measures.figures import Figure, total
from ..measures.lists import ListFigure
from ..measures.slots import Slot
from .lists import (
    BY_WORDS,
    Distance,
    Distances,
    LabelTexts,
    account_of,
    distances,
    texts_by_label,
)
from .result import DocumentFigures, FigureRow, SchemeScore, Verdict

FIGURES = ("slu", "word", "char")


def slurp(settings: Settings) -> Scorer:
    """Score documents by SLU-F1."""
    return scorer(partial(_document, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[DocumentFigures], settings: Settings) -> SchemeScore:
    return SchemeScore.of(
        "slurp",
        found,
        (("mapping", settings.mapping), *settings.reading_signature),
        (),
        words=replace(settings, through=ByWords()),
        figure=settings.figure,
    )


def _document(pair: Pair, settings: Settings) -> DocumentFigures:
    """The figures of a document."""
    rows: dict[str, FigureRow] = {}
    verdicts: list[Verdict] = []
    for label, texts in texts_by_label(pair, "slurp").items():
        ours, theirs, _ = texts
        costs = [distances(ours, theirs, one) for one in (BY_WORDS, CHARACTERS)]
        sum_of = greedy_sum if settings.mapping == "greedy" else least_sum
        rows[label] = _row(len(ours), len(theirs), [sum_of(one) for one in costs])
        if settings.figure is not None:
            pairing = greedy_pairs if settings.mapping == "greedy" else least_pairs
            verdicts += _verdicts(label, texts, costs, [pairing(one) for one in costs])
    account = None if settings.figure is None else account_of(pair, "slurp", verdicts)
    return DocumentFigures(pair[0].id, rows, account)


def _verdicts(
    label: str, texts: LabelTexts, costs: Sequence[Distances], pairings: Sequence[dict[int, int]]
) -> Iterator[Verdict]:
    """The verdicts of one label: in the pairs by words, in those by characters, and for ``slu``.

    Under ``slu`` the two entities of a pair by words have all their errors of both pairings.

    Args:
        label: the label.
        texts: the texts of the entities.
        costs: the distances by words and by characters.
        pairings: the reference entity of each hypothesis entity, by words and by characters.
    """
    both = [dict.fromkeys(range(len(texts.ours))), dict.fromkeys(range(len(texts.theirs)))]
    parts = [
        [_part(own, pairing, side, both[side]) for side in (0, 1)]
        for own, pairing in zip(costs, pairings, strict=True)
    ]
    for name, pairing, (ours, theirs) in zip(FIGURES[1:], pairings, parts, strict=True):
        yield from _slots(label, texts, pairing, {name: (ours, theirs)})
    sums = [
        {k: total([parts[0][side][k], parts[1][side][k]]) for k in both[side]} for side in (0, 1)
    ]
    yield from _slots(label, texts, pairings[0], {FIGURES[0]: (sums[0], sums[1])})


_Parts = dict[int, Figure]
"""The part of each entity of one side in a figure; a pair counts on the side of the reference."""


def _part(costs: Distances, pairing: dict[int, int], side: int, entities: Iterable[int]) -> _Parts:
    if side:
        return {h: ListFigure() if h in pairing else ListFigure(spu=1) for h in entities}
    partner = {r: h for h, r in pairing.items()}
    return {
        r: ListFigure(cor=1, distance=costs.at(partner[r], r))
        if r in partner
        else ListFigure(mis=1)
        for r in entities
    }


def _slots(
    label: str,
    texts: LabelTexts,
    pairing: dict[int, int],
    figures: dict[str, tuple[_Parts, _Parts]],
) -> Iterator[Verdict]:
    """The verdict on each slot of one label in one pairing."""
    partner = {r: h for h, r in pairing.items()}
    ours, theirs = texts.places
    for r, place in enumerate(ours):
        h = partner.get(r)
        if h is None:
            row = {name: parts[0][r] for name, parts in figures.items()}
            yield Verdict(Slot.DELETION, label, place, None, row)
            continue
        slot = Slot.CORRECT if texts.ours[r] == texts.theirs[h] else Slot.SPAN
        row = {name: total([parts[0][r], parts[1][h]]) for name, parts in figures.items()}
        yield Verdict(slot, label, place, theirs[h], row)
    for h, place in enumerate(theirs):
        if h not in pairing:
            row = {name: parts[1][h] for name, parts in figures.items()}
            yield Verdict(Slot.INSERTION, label, None, place, row)


CHARACTERS = Distance(str, max)
"""The edits of characters over the length of the longer text.

>>> CHARACTERS("dol", "dole")
Fraction(1, 4)
"""


def _row(ours: int, theirs: int, sums: Sequence[Fraction]) -> FigureRow:
    """The figures of one label at these sums of distances."""
    count = min(ours, theirs)
    word, char = (ListFigure(count, 0, 0, ours - count, theirs - count, one) for one in sums)
    return {"slu": total([word, char]), "word": word, "char": char}


def greedy_sum(costs: Distances) -> Fraction:
    """The sum of the distances if each row, in order, takes the nearest column that is left.

    Args:
        costs: the distances.

    >>> table = Distances.of([[Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(0)]])
    >>> greedy_sum(table)
    Fraction(1, 1)
    """
    return sum((costs.at(*pair) for pair in greedy_pairs(costs).items()), Fraction(0))


def greedy_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row if each row, in order, takes the nearest column that is left.

    Args:
        costs: the distances.

    >>> table = Distances.of([[Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(0)]])
    >>> greedy_pairs(table)
    {0: 1, 1: 0}
    """
    ranks = costs.ranks
    left = list(range(len(ranks[0]))) if ranks else []
    found = {}
    for h, row in enumerate(ranks[: len(left)]):
        found[h] = min(left, key=row.__getitem__)
        left.remove(found[h])
    return found


def least_sum(costs: Distances) -> Fraction:
    """The least sum of the distances of as many pairs as possible.

    Args:
        costs: the distances.

    >>> table = Distances.of([[Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(0)]])
    >>> least_sum(table)
    Fraction(1, 2)
    """
    if not costs.values:
        return Fraction(0)
    count = min(len(costs.ranks), len(costs.ranks[0]))
    above = 1 + costs.values[-1]  # no pair is worth 0, so all pairs are made
    return count * above - costs.most(lambda distance: above - distance)


def least_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row in as many pairs as possible at the least sum of distances.

    Args:
        costs: the distances.

    >>> table = Distances.of([[Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(0)]])
    >>> least_pairs(table)
    {0: 0, 1: 1}
    """
    if not costs.values:
        return {}
    count = min(len(costs.ranks), len(costs.ranks[0]))
    above = 1 + count * costs.values[-1]  # more than all distances, so that all pairs are made
    return costs.best(lambda distance: above - distance)
