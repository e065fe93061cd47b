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

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

from ..corpus.corpus import Scorer
from ..evaluation.settings import Settings
from ..measures.figures import NONE, ListFigure
from .lists import BY_WORDS, Distance, Distances, Lists, list_scorer
from .result import FigureRow, Verdict, verdicts

CHARACTERS = Distance(str, max)
"""The edits of characters over the length of the longer text.

>>> CHARACTERS("dol", "dole")
Fraction(1, 4)
"""


def slurp(settings: Settings) -> Scorer:
    """Score documents by SLU-F1."""
    return list_scorer("slurp", settings, _verdicts, [("mapping", settings.mapping)])


def _verdicts(lists: Lists, settings: Settings) -> Iterator[Verdict]:
    """The verdicts in the pairs by words, in those by characters, and for ``slu``.

    Under ``slu`` the two entities of a pair by words have all their errors of both pairings.
    """
    choose = greedy_pairs if settings.mapping == "greedy" else least_pairs
    words, characters = (lists.near(one, choose) for one in (BY_WORDS, CHARACTERS))
    yield from _of_figure(lists, "slu", [words, characters])
    yield from _of_figure(lists, "word", [words])
    yield from _of_figure(lists, "char", [characters])


def _of_figure(
    lists: Lists, figure: str, pairings: Sequence[dict[int, tuple[int, Fraction]]]
) -> Iterator[Verdict]:
    """The verdicts in the first pairing, with the counts of each entity in all pairings.

    A pair counts on the side of the reference.
    """
    taken = [{h for h, _ in pairing.values()} for pairing in pairings]

    def counted(r: int | None, h: int | None) -> FigureRow:
        cor = mis = spu = 0
        distance = NONE
        for pairing, others in zip(pairings, taken, strict=True):
            if r in pairing:
                cor += 1
                distance += pairing[r][1]
            elif r is not None:
                mis += 1
            if h is not None and h not in others:
                spu += 1
        if distance:
            return {figure: ListFigure(cor, 0, 0, mis, spu, distance)}
        return _row(figure, cor, mis, spu)

    pairs = {r: h for r, (h, _) in pairings[0].items()}
    return verdicts(lists.labels, pairs, lambda r, h: (lists.slot(r, h), counted(r, h)), counted)


@cache
def _row(figure: str, cor: int, mis: int, spu: int) -> FigureRow:
    """The counts of a slot without a distance; there are few."""
    return {figure: ListFigure(cor, 0, 0, mis, spu)}


def greedy_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row if each row, in order, takes the nearest column that is left.

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


def least_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row in as many pairs as possible at the least sum of distances.

    >>> table = Distances.of([[Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(0)]])
    >>> least_pairs(table)
    {0: 0, 1: 1}
    """
    if not costs.values:
        return {}
    above = 1 + costs.values[-1]  # no pair is worth 0, so as many as possible are made
    return costs.best(lambda distance: above - distance)
