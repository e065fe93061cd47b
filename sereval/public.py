"""The public names of the package, which ``sereval`` loads when one of them is wanted."""

from .documents.mention import Mention
from .documents.mentions import find_mentions
from .documents.model import Document, Element, Reference, ReferenceElement, tree
from .documents.recut import time_words
from .errors import SerevalError
from .evaluation.evaluate import Evaluation, evaluate
from .formats import read
from .integrations.assertions import assert_ser_at_most, assert_ser_not_grown
from .integrations.documents import from_offsets, from_spacy, from_spans, from_tags
from .integrations.metric import Metric
from .integrations.pandas import from_frame
from .labels.relabel import Labels
from .mapping.best import Mapping, best_mapping
from .measures.slots import Costs, Counts
from .projection.project import project
from .report.csv import to_frame


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
