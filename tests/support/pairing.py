"""Pairs of documents in memory, as they are scored."""

from sereval.evaluation.evaluate import corpus_of
from sereval.evaluation.settings import Settings

SAME_WORDS = Settings()


def paired(references, hypotheses, settings=SAME_WORDS):
    """The pairs of two sides whose labels are changed."""
    return [pair for _, pair in corpus_of(references, hypotheses, settings).each(tuple)]
