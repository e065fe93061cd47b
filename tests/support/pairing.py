"""Pairs of documents in memory, as they are scored."""

from sereval.corpus.corpus import corpus_of
from sereval.evaluation.settings import Settings

SAME_WORDS = Settings()


def paired(references, hypotheses, settings=SAME_WORDS):
    """The pairs of two sides whose labels are changed."""
    corpus = corpus_of(
        references,
        {"": hypotheses},
        labels=settings.labels,
        missing=settings.missing,
        is_projected=settings.is_projected,
    )
    return [pair for _, pair in corpus.each(tuple)]
