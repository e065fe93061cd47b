"""Scheme ``nerval``: F1 of lists of entities whose texts may differ a little.

A hypothesis entity is correct if the reference has an entity with the same label whose text is
near: the edit distance over the length of the reference's text is at most a threshold. Each entity
is in at most one pair, and as many pairs as possible are made.

Source: Nerval, a program of Teklia; ie-eval, in any order of entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ..corpus.pairs import Pair, Pairs
from ..documents.checks import canonical
from ..documents.model import Mention
from ..evaluation.settings import ByWords, Settings
from ..mapping.assignment import best_pairs
from ..measures.figures import Figure
from ..measures.slots import Slot
from .lists import account_of, mentions_of, over_reference, reference_of
from .result import DocumentFigures, SchemeScore, Verdict
from .table import Options

FIGURES = ("entity",)


def nerval(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score documents by their labels and by texts that are near.

    Args:
        pairs: references and hypotheses, with elements or mentions, on any words.
        settings: the scheme uses only its labels.
        options: ``threshold``, the largest distance of a correct text; ``figure``.

    Returns:
        The figure ``entity``.

    Raises:
        SerevalError: a fuzzy reference.

    >>> from sereval import Document
    >>> from sereval.corpus.pairs import PairList
    >>> gold = Document("d", (), mentions=(Mention("PER", "Hugone Montiniaci domino"),))
    >>> found = Document("d", (), mentions=(Mention("PER", "Hugone Montiniaci"),))
    >>> for threshold in ("0.3", "0.29"):
    ...     score = nerval(PairList([(gold, found)]), Settings(), Options(threshold=threshold))
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


def _document(pair: Pair, options: Options) -> DocumentFigures:
    ours, theirs = mentions_of(reference_of(pair, "nerval")), mentions_of(pair[1])
    verdicts = _verdicts(ours, theirs, Fraction(options.threshold))
    return DocumentFigures.of(account_of(pair, "nerval", verdicts), options)


def _verdicts(
    ours: Sequence[Mention], theirs: Sequence[Mention], threshold: Fraction
) -> Iterator[Verdict]:
    """The verdict on each entity; with as many pairs as possible, most of them equal."""
    texts = [[canonical(one.text) for one in side] for side in (ours, theirs)]
    worth = {}
    for r, mention in enumerate(ours):
        for h, other in enumerate(theirs):
            is_equal = texts[0][r] == texts[1][h]
            if mention.label == other.label and (
                is_equal or over_reference(texts[0][r], texts[1][h]) <= threshold
            ):
                worth[r, h] = len(ours) + 1 + is_equal
    pairs = best_pairs(worth)
    for r, mention in enumerate(ours):
        found = pairs.get(r)
        slot, figure = Slot.DELETION, Figure(mis=1)
        if found is not None:
            is_equal = texts[0][r] == texts[1][found]
            slot, figure = Slot.CORRECT if is_equal else Slot.SPAN, Figure(cor=1)
        yield Verdict(slot, mention.label, r, found, {"entity": figure})
    for h in sorted({*range(len(theirs))} - {*pairs.values()}):
        yield Verdict(Slot.INSERTION, theirs[h].label, None, h, {"entity": Figure(spu=1)})
