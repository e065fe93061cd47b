"""Documents of one format as files of another, and what is lost on the way.

Source: none; what each format holds is in ``docs/formats.md``.
"""

from __future__ import annotations

from functools import partial

from ..documents.model import Document, Reference
from ..documents.notes import Note
from ..errors import SerevalError
from ..formats import FORMATS, WRITERS
from ..formats.writers import LABELS, PLACES, UNPLACEABLE, WrittenFiles
from ..mapping.upper_bound import upper_bound
from ..projection.project import place


def converted(
    document: Document | Reference, format: str, *, tags: str | None = None
) -> WrittenFiles:
    """A document as the files of a format.

    A fuzzy reference, in a format that has none, is written as the document that has its own
    labels at the strict frontiers, or else at the candidates nearest to those in all.

    Args:
        format: a name of ``WRITERS``.
        tags: their scheme, in a format that has several; ``None``: its first.

    Returns:
        The texts by suffix; and what is not in them, counted.

    Raises:
        SerevalError: what the format cannot hold, and nothing can be left out of; a scheme that
            it does not have.

    >>> dol = Document("d", ("Dol",), times=((0, 480),))
    >>> converted(dol, "inline").files, [str(note) for note in converted(dol, "inline").lost]
    ({'.ne': 'Dol\\n'}, ['times of words: 1'])
    """
    if format not in WRITERS:
        raise SerevalError(f"format {format!r}, expected one of {', '.join(WRITERS)}")
    writer = WRITERS[format]
    if tags is not None and tags not in writer.schemes:
        if not writer.schemes:
            raise SerevalError(f"{format} has no scheme of tags, found {tags!r}")
        raise SerevalError(f"tags {tags!r}, expected one of {', '.join(writer.schemes)}")
    write = partial(FORMATS[format].write, tags=tags)
    if isinstance(document, Document) or writer.is_fuzzy:
        return write(document)
    placed = place(document, unplaceable="drop")
    lost = {
        PLACES: sum(len(e.starts) > 1 or len(e.ends) > 1 for e in placed.elements),
        LABELS: sum(len(e.labels) - 1 for e in placed.elements),
        UNPLACEABLE: len(placed.unplaceable),
    }
    written = write(upper_bound(placed))
    counted = tuple(Note(what, count) for what, count in lost.items() if count)
    return WrittenFiles(written.files, counted + written.lost)
