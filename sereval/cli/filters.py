"""The documents and labels that a command shows: their options, and what is wrong with a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from ..errors import SerevalError, nearest
from .streams import warn

document_option = click.option(
    "--document",
    "documents",
    metavar="ID",
    multiple=True,
    help="Show this document only. May be repeated.",
)


def label_option(help: str) -> Callable[[Any], Any]:
    """The option ``--label``, which may be repeated."""
    return click.option("--label", "labels", metavar="LABEL", multiple=True, help=help)


def check_ids(requested: Iterable[str], ids: Sequence[str]) -> None:
    """Check that the requested documents exist.

    Args:
        requested: ids of documents.
        ids: of all documents.

    Raises:
        SerevalError: a document does not exist.
    """
    for one in requested:
        if one not in ids:
            more = ", …" if len(ids) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(ids[:3])}{more}"
                f"{nearest(one, ids)}"
            )


def warn_of_unknown(requested: Iterable[str], labels: Iterable[str]) -> bool:
    """Warn of labels that no element has, and return whether there are any.

    Args:
        requested: labels.
        labels: those of all elements.
    """
    known = set(labels)
    unknown = [label for label in requested if label not in known]
    for label in unknown:
        warn(f"no element has the label {label!r}{nearest(label, known)}")
    return bool(unknown)
