"""Schemes ``conll`` and ``evalita2011`` on pairs of documents, like all other schemes."""

from __future__ import annotations

from ..corpus.executor import as_it_is
from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..evaluation.settings import Settings
from .conll import conll as score_columns
from .evalita import evalita as score_transcripts
from .result import Options, SchemeScore


def conll(pairs: Pairs[Pair], _settings: Settings, options: Options) -> SchemeScore:
    """Score documents as conlleval; ``options``: ``elements``."""
    return score_columns(pairs.each(as_it_is), elements=options.elements).score


def evalita(pairs: Pairs[Pair], _settings: Settings, options: Options) -> SchemeScore:
    """Score documents as EVALITA 2011; ``options``: ``elements`` and ``mode``."""
    found = score_transcripts(pairs.each(as_it_is), mode=options.mode, elements=options.elements)
    return found.score
