"""The stability of systems whose documents are in memory."""

from dataclasses import replace

from sereval.analysis import stability as package
from sereval.analysis.systems import systems_in_memory


def stability(name, systems, settings, **loading):
    """Score systems, each a pair of references and hypotheses, under every criterion."""
    documents = systems_in_memory(systems, replace(settings, through=None), **loading)
    return package.stability(name, documents, settings)
