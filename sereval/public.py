"""The public names of the package, which ``sereval`` loads when one of them is wanted."""

from .errors import SerevalError
from .evaluate import Evaluation, evaluate
from .frames import from_frame
from .guard import assert_ser_at_most, assert_ser_not_grown
from .interop import from_offsets, from_spacy, from_spans, from_tags
from .labels import Labels
from .mapping import Mapping, best_mapping
from .mention import Mention
from .mentions import find_mentions
from .metric import Metric
from .model import Document, Element, Reference, ReferenceElement, tree
from .project import project
from .readers import read
from .report.csv import to_frame
from .score import Costs, Counts
from .words import time_words


def _page(evaluation: Evaluation) -> str:
    from .report.page import summary  # which only a notebook waits for

    return summary(evaluation)


# reports of an evaluation that are asked of it, and know more than it may
Evaluation._repr_html_ = _page  # type: ignore[attr-defined]  # what a notebook shows
Evaluation.to_frame = to_frame  # type: ignore[attr-defined]

__all__ = [
    "Costs",
    "Counts",
    "Document",
    "Element",
    "Evaluation",
    "Labels",
    "Mapping",
    "Mention",
    "Metric",
    "Reference",
    "ReferenceElement",
    "SerevalError",
    "assert_ser_at_most",
    "assert_ser_not_grown",
    "best_mapping",
    "evaluate",
    "find_mentions",
    "from_frame",
    "from_offsets",
    "from_spacy",
    "from_spans",
    "from_tags",
    "project",
    "read",
    "time_words",
    "tree",
]
