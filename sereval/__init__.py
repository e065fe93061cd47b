"""Scores structured named entities found in speech and other noisy text.

``evaluate`` pairs the documents of both sides, projects each reference onto the words of its
hypothesis, finds the best mapping and counts the slots. ``project`` and ``best_mapping`` are two of
these steps::

    import sereval

    references = sereval.read("ref/")                    # annotated, on a clean transcript
    hypotheses = sereval.read("hyp/")                    # a system's output
    evaluation = sereval.evaluate(references, hypotheses)
    evaluation.ser, evaluation.counts, evaluation.labels

A duration is in seconds (``0.3``) or has its unit (``"300ms"``); documents hold times in integer
milliseconds. Positions are frontiers between words, spans are half open.
"""

from importlib import import_module
from typing import Any

from . import render

with open(f"{__file__}i", encoding="utf-8") as _stub:
    _HOMES = {line.split()[3]: line.split()[1] for line in _stub if line.startswith("from")}
"""The module of each public name."""

__all__ = sorted(_HOMES.keys() - {"__version__"})


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used. The command line uses none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name], __name__), name)
    return globals().setdefault(name, value)


def __dir__() -> list[str]:
    return ["__version__", *__all__]


def _page(of: object) -> str:
    from .report.page import page  # slow to import

    return page(of)


render.page = _page
