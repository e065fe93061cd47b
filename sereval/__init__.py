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

from .errors import InputError, SerevalError
from .evaluate import Evaluation, evaluate
from .mapping import EXACT_PAIRS, MOST_CORRECT, PAIRINGS, Mapping, best_mapping, cheapest
from .model import Document, Element, Reference, ReferenceElement, tree
from .project import place, project
from .readers import read
from .score import Costs, Counts, Slot
from .words import time_words

__all__ = [
    "EXACT_PAIRS",
    "MOST_CORRECT",
    "PAIRINGS",
    "Costs",
    "Counts",
    "Document",
    "Element",
    "Evaluation",
    "InputError",
    "Mapping",
    "Reference",
    "ReferenceElement",
    "SerevalError",
    "Slot",
    "best_mapping",
    "cheapest",
    "evaluate",
    "place",
    "project",
    "read",
    "time_words",
    "tree",
]
