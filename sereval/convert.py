"""Documents of one format as files of another, and what is lost on the way.

Source: none; what each format holds is in ``docs/formats.md``.
"""

from __future__ import annotations

from .errors import SerevalError
from .model import Document, Note, Reference
from .project import place
from .readers.writers import LABELS, PLACES, UNPLACEABLE, WRITERS, Written
from .upper_bound import upper_bound


def converted(document: Document | Reference, format: str) -> Written:
    """A document as the files of a format.

    A fuzzy reference, in a format that has none, is written as the document that has its own
    labels at the strict frontiers, or else at the candidates nearest to those in all.

    Args:
        format: a name of ``WRITERS``.

    Returns:
        The texts by suffix; and what is not in them, counted.

    Raises:
        SerevalError: what the format cannot hold, and nothing can be left out of.

    >>> dol = Document("d", ("Dol",), times=((0, 480),))
    >>> converted(dol, "inline").files, [str(note) for note in converted(dol, "inline").lost]
    ({'.ne': 'Dol\\n'}, ['times of words: 1'])
    """
    if format not in WRITERS:
        raise SerevalError(f"format {format!r}, expected one of {', '.join(WRITERS)}")
    writer = WRITERS[format]
    if isinstance(document, Document) or writer.is_fuzzy:
        return writer.write(document)
    placed = place(document, unplaceable="drop")
    lost = {
        PLACES: sum(len(e.starts) > 1 or len(e.ends) > 1 for e in placed.elements),
        LABELS: sum(len(e.labels) - 1 for e in placed.elements),
        UNPLACEABLE: len(placed.unplaceable),
    }
    written = writer.write(upper_bound(placed))
    counted = tuple(Note(what, count) for what, count in lost.items() if count)
    return Written(written.files, counted + written.lost)
