"""Schemes ``quaero`` and ``quaero-lne``: the slot error rate of the definition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..corpus.pairs import Pair, Pairs, once_each
from ..corpus.unread import PairGroups
from ..evaluation.evaluate import Evaluation, score_pair, score_together
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentCounts, Score


def slots(pairs: Pairs[Pair], settings: Settings) -> Score:
    """Score documents by slot errors (definition, section 3).

    Args:
        pairs: references and hypotheses, on the same words or projected.
        settings: the settings of the score; ``settings.scheme`` chooses the preference of the
            mapping.

    Returns:
        The counts; an ``Evaluation`` if ``settings.figure`` names a figure.

    Raises:
        SerevalError: as ``evaluate``.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval import Document, tree
    >>> gold = Document("d", ("a", "b"), tree([("PER", 0, 1)]))
    >>> slots(PairList([(gold, gold)]), Settings()).ser
    0.0
    """
    if settings.figure is None:
        counts = pairs.each(partial(_count, settings=settings))
        return Score(tuple(counts), settings, settings.grammar)
    scored = pairs.each(partial(score_pair, settings=settings))
    return Evaluation(tuple(scored), settings, settings.grammar)


def slots_together(systems: PairGroups[Pair], settings: Settings) -> list[Score]:
    """The scores of several systems, whose documents are scored together.

    Args:
        systems: the pairs of each system.
        settings: as for :func:`slots`.

    Returns:
        For each system the result of :func:`slots`.
    """
    if settings.figure is None:
        counts = systems.each(partial(_count_together, settings=settings))
        return [Score(tuple(own), settings, settings.grammar) for own in counts]
    scored = systems.each(partial(score_together, settings=settings))
    return [Evaluation(tuple(own), settings, settings.grammar) for own in scored]


def _count(pair: Pair, settings: Settings) -> DocumentCounts:
    [counts] = _count_together([pair], settings)
    return counts


def _count_together(pairs: Sequence[Pair], settings: Settings) -> list[DocumentCounts]:
    """The counts of the hypotheses of a document, with their word errors if the words differ."""
    counts = [DocumentCounts.of(score) for score in score_together(pairs, settings)]
    if not settings.is_projected:
        return counts
    from ..evaluation.words import compared_words, errors_beside  # same words do not need it

    words = once_each(pairs, compared_words, partial(errors_beside, settings=settings))
    return [own._replace(words=errors) for own, errors in zip(counts, words, strict=True)]
