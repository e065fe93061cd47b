"""The options that select the documents and labels to show, and the checks of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SerevalError, nearest
from .help import option
from .streams import warn

if TYPE_CHECKING:
    from ..documents.model import Named

_D = TypeVar("_D", bound="Named")

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


def with_ids(documents: Sequence[_D], ids: Sequence[str]) -> list[_D]:
    """The documents with these ids; without ids, all documents.

    Raises:
        SerevalError: no document has one of the ids.
    """
    known = [document.id for document in documents]
    for one in ids:
        if one not in known:
            more = ", …" if len(known) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(known[:3])}{more}"
                f"{nearest(one, known)}"
            )
    return [document for document in documents if not ids or document.id in ids]


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
