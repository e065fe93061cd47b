"""Schemes ``quaero`` and ``quaero-lne``: the slot error rate of the definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from ..corpus.pairs import Pair, Pairs
from ..corpus.unread import PairGroups
from ..evaluation.evaluate import score_documents
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentScore, Evaluation

_R = TypeVar("_R")


def slots(pairs: Pairs[Pair], settings: Settings) -> Evaluation:
    """Score documents by slot errors (definition, section 3).

    Args:
        pairs: references and hypotheses, on the same words or projected.
        settings: the settings of the score; ``settings.scheme`` chooses the preference of the
            mapping.

    Returns:
        The score of each document; with its mapping if ``settings.figure`` names a figure.

    Raises:
        SerevalError: as ``evaluate``.

    >>> from sereval.corpus.pairs import PairList
    >>> from sereval import Document, tree
    >>> gold = Document("d", ("a", "b"), tree([("PER", 0, 1)]))
    >>> slots(PairList([(gold, gold)]), Settings()).ser
    0.0
    """
    work = partial(_score, settings=settings)
    scored = (one for [one] in pairs.each(partial(_alone, work=work)))
    return Evaluation.of(scored, settings, settings.grammar)


def slots_together(systems: PairGroups[Pair], settings: Settings) -> list[Evaluation]:
    """The scores of several systems, whose documents are scored together.

    Args:
        systems: the pairs of each system.
        settings: as for :func:`slots`.

    Returns:
        For each system the result of :func:`slots`.
    """
    work = partial(_score, settings=settings)
    return [Evaluation.of(own, settings, settings.grammar) for own in systems.each(work)]


def _alone(pair: Pair, work: Callable[[Sequence[Pair]], Sequence[_R]]) -> Sequence[_R]:
    return work([pair])


def _score(pairs: Sequence[Pair], settings: Settings) -> list[DocumentScore]:
    """The scores of the hypotheses of a document; with their mappings if a figure is named."""
    scored = score_documents(pairs, settings)
    return scored if settings.figure else [one._replace(mapped=None) for one in scored]
