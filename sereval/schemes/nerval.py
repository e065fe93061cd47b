"""Scheme ``nerval``: F1 of lists of entities whose texts may differ a little.

A hypothesis entity is correct if the reference has an entity with the same label whose text is
near: the edit distance over the length of the reference's text is at most a threshold. Each entity
is in at most one pair, and as many pairs as possible are made.

Source: Nerval, a program of Teklia; ie-eval, in any order of entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs, components
from ..measures.figures import Figure
from ..measures.slots import Slot
from .lists import BY_CHARACTERS, LabelTexts, account_of, distances, texts_by_label
from .result import DocumentFigures, SchemeScore, Verdict

FIGURES = ("entity",)


def nerval(settings: Settings) -> Scorer:
    """Score documents by their labels and by texts that are near."""
    return scorer(partial(_document, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[DocumentFigures], settings: Settings) -> SchemeScore:
    return SchemeScore.of(
        "nerval",
        found,
        (("threshold", settings.threshold), *settings.reading_signature),
        (),
        words=replace(settings, through=ByWords()),
        figure=settings.figure,
    )


def _document(pair: Pair, settings: Settings) -> DocumentFigures:
    verdicts = _verdicts(texts_by_label(pair, "nerval"), Fraction(settings.threshold))
    return DocumentFigures.of(account_of(pair, "nerval", verdicts), settings)


def _verdicts(texts: Mapping[str, LabelTexts], threshold: Fraction) -> Iterator[Verdict]:
    """The verdict on each entity; with as many pairs as possible, most of them equal."""
    sides: list[dict[int, tuple[str, str]]] = [{}, {}]  # the label and text of each entity
    for label, (ours, theirs, places) in texts.items():
        for side, those, at in zip(sides, (ours, theirs), places, strict=True):
            side.update(zip(at, ((label, text) for text in those), strict=True))
    pairs = _pairs(texts, threshold)
    for r, (label, text) in sorted(sides[0].items()):
        found = pairs.get(r)
        slot, figure = Slot.DELETION, Figure(mis=1)
        if found is not None:
            slot = Slot.CORRECT if text == sides[1][found][1] else Slot.SPAN
            figure = Figure(cor=1)
        yield Verdict(slot, label, r, found, {"entity": figure})
    for h in sorted({*sides[1]} - {*pairs.values()}):
        yield Verdict(Slot.INSERTION, sides[1][h][0], None, h, {"entity": Figure(spu=1)})


def _pairs(texts: Mapping[str, LabelTexts], threshold: Fraction) -> dict[int, int]:
    """As many pairs of near texts as possible, most of them equal; it does not matter which of
    equal entities are paired."""
    pairs: dict[int, int] = {}
    worth: dict[tuple[int, int], int] = {}
    most = sum(len(own.ours) for own in texts.values())
    for ours, theirs, places in texts.values():
        if not ours or not theirs:
            continue
        refs, hyps = _by_text(ours, places[0]), _by_text(theirs, places[1])
        costs = distances([*refs], [*hyps], BY_CHARACTERS)
        near = {k for k, one in enumerate(costs.values) if one <= threshold}
        by_r, by_h = [*refs.items()], [*hyps.items()]
        for part in components(
            (r, h)
            for h, row in enumerate(costs.ranks)
            for r, rank in enumerate(row)
            if rank in near
        ):
            for r, h in part:
                (our, of_our), (their, of_their) = by_r[r], by_h[h]
                if len(part) == 1:
                    pairs.update(zip(of_our, of_their, strict=False))
                else:
                    value = most + 1 + (our == their)
                    worth.update(dict.fromkeys(product(of_our, of_their), value))
    return pairs | best_pairs(worth)


def _by_text(texts: Sequence[str], places: Sequence[int]) -> dict[str, list[int]]:
    """The places of the entities of one side, by text."""
    found: dict[str, list[int]] = {}
    for text, place in zip(texts, places, strict=True):
        found.setdefault(text, []).append(place)
    return found
