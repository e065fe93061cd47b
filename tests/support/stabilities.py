"""The stability of systems whose documents are in memory."""

from dataclasses import replace

from sereval.analysis import stability as package
from sereval.corpus.corpus import Corpus
from sereval.evaluation.evaluate import corpus_of


def stability(name, systems, settings, **loading):
    """Score systems, each a pair of references and hypotheses, under every criterion."""
    how = replace(settings, through=None)
    pairs, reading = {}, None
    for system, (references, hypotheses) in systems.items():
        one = corpus_of(references, hypotheses, how)
        pairs[system] = one.systems[""]
        reading = one.reading
    return package.stability(name, Corpus(pairs, reading, **loading), settings)
