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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..evaluation.settings import ByWords, Settings
from ..measures.figures import Figure, total
from ..measures.lists import ErrorFigure
from ..measures.slots import PAIR, Slot
from .lists import (
    BY_CHARACTERS,
    BY_WORDS,
    Distance,
    LabelTexts,
    account_of,
    distances,
    texts_by_label,
)
from .result import DocumentFigures, SchemeScore, Verdict

FIGURES = {"ecer": BY_CHARACTERS, "ewer": BY_WORDS}


def oi(settings: Settings) -> Scorer:
    """Score documents by OI-ECER and OI-EWER."""
    return scorer(partial(_document, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[DocumentFigures], settings: Settings) -> SchemeScore:
    return SchemeScore.of(
        "oi",
        found,
        tuple(settings.reading_signature),
        (),
        words=replace(settings, through=ByWords()),
        figure=settings.figure,
    )


def _document(pair: Pair, settings: Settings) -> DocumentFigures:
    texts = texts_by_label(pair, "oi")
    verdicts = [one for figure in FIGURES.items() for one in _verdicts(texts, *figure)]
    rows: dict[str, dict[str, Figure]] = {label: dict.fromkeys(FIGURES, NOTHING) for label in texts}
    for name in FIGURES:
        own: dict[str, list[Figure]] = {}
        for verdict in verdicts:
            if name in verdict.figures:
                own.setdefault(verdict.label, []).append(verdict.figures[name])
        for label, figures in own.items():
            rows[label][name] = total(figures)
    account = None if settings.figure is None else account_of(pair, "oi", verdicts)
    return DocumentFigures(pair[0].id, rows, account)


NOTHING = ErrorFigure()
"""The counts before anything is counted."""


def _verdicts(texts: Mapping[str, LabelTexts], name: str, distance: Distance) -> Iterator[Verdict]:
    """The verdicts of one figure.

    An entity that is left on one side and one that is left on the other are one slot.
    """
    alone: tuple[list[_Alone], list[_Alone]] = [], []
    for label, (ours, theirs, places) in texts.items():
        costs = distances(ours, theirs, distance)
        pairs = costs.best(lambda distance: 1 - distance)
        for h, r in pairs.items():
            slot = Slot.CORRECT if ours[r] == theirs[h] else Slot.SPAN
            figure = ErrorFigure(cor=1, distance=costs.at(h, r))
            yield Verdict(slot, label, places[0][r], places[1][h], {name: figure})
        for side, paired in enumerate(({*pairs.values()}, {*pairs})):
            words = enumerate(zip((ours, theirs)[side], places[side], strict=True))
            alone[side].extend(_Alone(label, *word) for k, word in words if k not in paired)
    for our, their in zip_longest(*alone):
        if our and their:
            slot = PAIR[our.label == their.label, our.text == their.text]
            both = {name: ErrorFigure(inc=1)}
            yield Verdict(slot, our.label, our.place, their.place, both)
        elif our:
            missing = {name: ErrorFigure(mis=1)}
            yield Verdict(Slot.DELETION, our.label, our.place, None, missing)
        else:
            spurious = {name: ErrorFigure(spu=1)}
            yield Verdict(Slot.INSERTION, their.label, None, their.place, spurious)


class _Alone(NamedTuple):
    """An entity without a partner of its label, and its index among the mentions of its side."""

    label: str
    text: str
    place: int
