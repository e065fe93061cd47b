"""Scheme ``nerval``: F1 of lists of entities whose texts may differ a little.

A hypothesis entity is correct if the reference has an entity with the same label whose text is
near: the edit distance over the length of the reference's text is at most a threshold. Each entity
is in at most one pair, and as many pairs as possible are made.

Source: Nerval, a program of Teklia; ie-eval, in any order of entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ..corpus.pairs import Pair, Pairs
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs
from ..measures.figures import Figure
from ..measures.slots import Slot
from .lists import BY_CHARACTERS, LabelTexts, account_of, distances, texts_by_label
from .result import DocumentFigures, SchemeScore, Verdict
from .table import SchemeOptions

FIGURES = ("entity",)


def nerval(pairs: Pairs[Pair], settings: Settings, options: SchemeOptions) -> SchemeScore:
    """Score documents by their labels and by texts that are near.

    Args:
        pairs: references and hypotheses, with elements or mentions, on any words.
        settings: the scheme uses only its labels.
        options: ``threshold``, the largest distance of a correct text; ``figure``.

    Returns:
        The figure ``entity``.

    Raises:
        SerevalError: a fuzzy reference.

    >>> from sereval import Document, Mention
    >>> from sereval.corpus.pairs import PairList
    >>> gold = Document("d", (), mentions=(Mention("PER", "Hugone Montiniaci domino"),))
    >>> found = Document("d", (), mentions=(Mention("PER", "Hugone Montiniaci"),))
    >>> for threshold in ("0.3", "0.29"):
    ...     options = SchemeOptions(threshold=threshold)
    ...     score = nerval(PairList([(gold, found)]), Settings(), options)
    ...     score.total["entity"].f()
    1.0
    0.0
    """
    return SchemeScore.of(
        "nerval",
        pairs.each(partial(_document, options=options)),
        (("threshold", options.threshold), *settings.reading_signature),
        (),
        words=replace(settings, through=ByWords()),
        figure=options.figure,
    )


def _document(pair: Pair, options: SchemeOptions) -> DocumentFigures:
    verdicts = _verdicts(texts_by_label(pair, "nerval"), Fraction(options.threshold))
    return DocumentFigures.of(account_of(pair, "nerval", verdicts), options)


def _verdicts(texts: Mapping[str, LabelTexts], threshold: Fraction) -> Iterator[Verdict]:
    """The verdict on each entity; with as many pairs as possible, most of them equal."""
    sides = [
        {place: label for label, own in texts.items() for place in own.places[side]}
        for side in (0, 1)
    ]
    worth = {}
    for ours, theirs, places in texts.values():
        if not ours or not theirs:
            continue
        costs = distances(ours, theirs, BY_CHARACTERS)
        near = {k for k, one in enumerate(costs.values) if one <= threshold}
        for h, row in enumerate(costs.ranks):
            for r, rank in enumerate(row):
                if rank in near:
                    is_equal = ours[r] == theirs[h]
                    worth[places[0][r], places[1][h]] = len(sides[0]) + 1 + is_equal
    pairs = best_pairs(worth)
    for r, label in sorted(sides[0].items()):
        found = pairs.get(r)
        slot, figure = Slot.DELETION, Figure(mis=1)
        if found is not None:
            is_equal = worth[r, found] > len(sides[0]) + 1
            slot, figure = Slot.CORRECT if is_equal else Slot.SPAN, Figure(cor=1)
        yield Verdict(slot, label, r, found, {"entity": figure})
    for h in sorted({*sides[1]} - {*pairs.values()}):
        yield Verdict(Slot.INSERTION, sides[1][h], None, h, {"entity": Figure(spu=1)})
