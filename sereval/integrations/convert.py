"""Conversion of documents to the files of a format, and notes on parts that it cannot hold.

``docs/reference/formats.md`` describes what each format can hold.
"""

from __future__ import annotations

from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..formats import WRITERS
from ..formats.build import LABELS, PLACES, UNPLACEABLE, Notes, WrittenFiles, written
from ..mapping.best import upper_bound
from ..projection.project import place


def files_of(
    document: Document | Reference, format: str, *, tags: str | None = None
) -> WrittenFiles:
    """Convert a document to the files of a format."""
    if format not in WRITERS:
        raise SerevalError(f"format {format!r}, expected one of {', '.join(WRITERS)}")
    writer = WRITERS[format]
    if tags is not None and tags not in writer.schemes:
        if not writer.schemes:
            raise SerevalError(f"{format} has no scheme of tags, found {tags!r}")
        raise SerevalError(f"tags {tags!r}, expected one of {', '.join(writer.schemes)}")
    if isinstance(document, Document) or writer.is_fuzzy:
        return written(document, format, tags)
    placed, lost = place(document, unplaceable="drop"), Notes()
    lost.add(PLACES, sum(len(e.starts) > 1 or len(e.ends) > 1 for e in placed.elements))
    lost.add(LABELS, sum(len(e.labels) - 1 for e in placed.elements))
    lost.add(UNPLACEABLE, len(placed.unplaceable))
    found = written(upper_bound(placed), format, tags)
    return WrittenFiles(found.files, (*lost.all(), *found.lost))
