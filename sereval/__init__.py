"""Scores structured named entities found in speech and other noisy text.

The flow is ``read → project → best_mapping → evaluate``, and a user can stop after any step::

    import sereval

    references = sereval.read("ref/")                    # annotated, on a clean transcript
    hypotheses = sereval.read("hyp/")                    # a system's output
    evaluation = sereval.evaluate(references, hypotheses)
    evaluation.ser, evaluation.counts, evaluation.labels

Times are integer milliseconds, positions are frontiers between words, spans are half open.
"""

__version__ = "0.1.0"

from .errors import SerevalError
from .evaluate import Evaluation, evaluate
from .mapping import Mapping, best_mapping
from .model import Document, Element, Reference, ReferenceElement, tree
from .project import project
from .readers import read
from .report.page import summary
from .score import Costs, Counts
from .words import time_words

Evaluation._repr_html_ = summary  # type: ignore[attr-defined]  # what a notebook shows

__all__ = [
    "Costs",
    "Counts",
    "Document",
    "Element",
    "Evaluation",
    "Mapping",
    "Reference",
    "ReferenceElement",
    "SerevalError",
    "best_mapping",
    "evaluate",
    "project",
    "read",
    "time_words",
    "tree",
]
