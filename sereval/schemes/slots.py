"""Schemes ``quaero`` and ``quaero-lne``: the slot error rate of the definition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..corpus.corpus import Scorer
from ..corpus.pairs import Pair
from ..evaluation.evaluate import score_documents
from ..evaluation.settings import Settings
from ..evaluation.totals import DocumentScore, Evaluation


def slots(settings: Settings) -> Scorer:
    """Score documents by slot errors (definition, section 3); ``figure`` keeps the mappings."""
    return Scorer(partial(_documents, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[DocumentScore], settings: Settings) -> Evaluation:
    return Evaluation(tuple(found), settings)


def _documents(pairs: Sequence[Pair], settings: Settings) -> list[DocumentScore]:
    scored = score_documents(pairs, settings)
    return scored if settings.figure else [one._replace(mapped=None) for one in scored]
