"""Scheme ``oi``: OI-ECER and OI-EWER, order-independent error rates of lists of entities.

Entities are paired one to one at the least total cost. A pair with one label costs the edit
distance of its texts divided by the length of the reference's text, but at most 1. A pair with two
labels costs 1, and so does an entity in no pair. So only the longer list has entities in no pair.
The rate is the total cost divided by the number of reference entities.

======= ==============
figure  texts are in
======= ==============
ecer    characters
ewer    words
======= ==============

Source: the program ie-eval; Villanova-Aparisi, Martínez-Hinarejos, Romero and Pastor-Gadea,
"Evaluation of named entity recognition in handwritten documents", DAS 2022.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..corpus.corpus import Scorer
from ..evaluation.settings import Settings
from ..measures.figures import ErrorFigure
from ..measures.slots import Slot
from .lists import BY_CHARACTERS, BY_WORDS, Distance, Lists, list_scorer
from .result import FigureRow, Verdict, one_alone, verdicts

FIGURES = {"ecer": BY_CHARACTERS, "ewer": BY_WORDS}


def oi(settings: Settings) -> Scorer:
    """Score documents by OI-ECER and OI-EWER."""
    return list_scorer("oi", settings, _verdicts)


def _verdicts(lists: Lists, _: Settings) -> Iterator[Verdict]:
    for name, distance in FIGURES.items():
        yield from _of_figure(lists, name, distance)


def _of_figure(lists: Lists, name: str, distance: Distance) -> Iterator[Verdict]:
    """The verdicts of one figure.

    An entity that is left on one side and one that is left on the other are one slot.
    """
    near = lists.near(distance, lambda costs: costs.best(lambda one: 1 - one))
    taken = {h for h, _ in near.values()}
    by_label = lists.by_label.values()
    left = [r for ours, _ in by_label for r in ours if r not in near]
    others = [h for _, theirs in by_label for h in theirs if h not in taken]

    equal, wrong = {name: ErrorFigure(cor=1)}, {name: ErrorFigure(inc=1)}

    def paired(r: int, h: int) -> tuple[Slot, FigureRow]:
        distance = near[r][1] if r in near else None
        row = wrong if distance is None else equal
        if distance:
            row = {name: ErrorFigure(cor=1, distance=distance)}
        return lists.slot(r, h), row

    pairs = {r: h for r, (h, _) in near.items()} | dict(zip(left, others, strict=False))
    return verdicts(lists.labels, pairs, paired, one_alone(name, ErrorFigure))
