"""The options that select the documents and labels to show, and the checks of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..errors import nearest
from .help import option
from .streams import warn

document_option = option(
    "--document",
    "documents",
    group="Selection",
    metavar="ID",
    multiple=True,
    help="Show this document only. May be repeated.",
)


def label_option(help: str) -> Callable[[Any], Any]:
    """The option ``--label``, which may be repeated."""
    return option("--label", "labels", group="Selection", metavar="LABEL", multiple=True, help=help)


def warn_of_unknown(requested: Iterable[str], labels: Iterable[str]) -> bool:
    """Warn of labels that no element has, and return whether there are any.

    Args:
        requested: labels.
        labels: the labels of all elements.
    """
    known = set(labels)
    unknown = [label for label in requested if label not in known]
    for label in unknown:
        warn(f"no element has the label {label!r}{nearest(label, known)}")
    return bool(unknown)
