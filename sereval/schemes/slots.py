"""Schemes ``quaero`` and ``quaero-lne``: the slot error rate of the definition."""

from __future__ import annotations

from functools import partial

from ..corpus.pairs import Pair, Pairs
from ..evaluation.evaluate import Evaluation, score_pair
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentCounts, Score
from .table import Options


def slots(pairs: Pairs[Pair], settings: Settings, options: Options) -> Score:
    """Score documents by slot errors (definition, section 3).

    Args:
        pairs: references and hypotheses, on the same words or projected.
        settings: the settings of the score; ``settings.scheme`` chooses the preference of the
            mapping.
        options: ``figure``, to keep the mapping of each document, and ``grammar``.

    Returns:
        The counts; an ``Evaluation`` if ``options.figure`` names a figure.

    Raises:
        SerevalError: as ``evaluate``.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval import Document, tree
    >>> gold = Document("d", ("a", "b"), tree([("PER", 0, 1)]))
    >>> slots(PairList([(gold, gold)]), Settings(), Options()).ser
    0.0
    """
    if options.figure is None:
        counts = pairs.each(partial(_count, settings=settings))
        return Score(tuple(counts), settings, options.grammar)
    scored = pairs.each(partial(score_pair, settings=settings))
    return Evaluation(tuple(scored), settings, options.grammar)


def _count(pair: Pair, settings: Settings) -> DocumentCounts:
    """The counts of a pair, without its mapping, and its word errors if the words differ."""
    counts = DocumentCounts.of(score_pair(pair, settings))
    if not settings.is_projected:
        return counts
    from ..evaluation.words import errors_beside  # scores on the same words do not need it

    return counts._replace(words=errors_beside(pair, settings))
