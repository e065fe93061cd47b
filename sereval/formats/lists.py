"""Lists of documents: ids in a file, one a line, or ids with commas between them."""

from __future__ import annotations

import os

from ..errors import SerevalError
from .file import File as Source
from .file import decode, file_bytes


def document_ids(text: str) -> tuple[str, ...]:
    """The ids of a list of documents.

    Args:
        text: the path of a file in UTF-8 with an id on each line; if there is no such file, ids
            with commas between them.

    Returns:
        The ids, each once, in alphabetical order.

    Raises:
        InputError: the file cannot be read.
        SerevalError: there is no id, or an empty one.

    >>> document_ids("b2, a1,b2")
    ('a1', 'b2')
    """
    if os.path.isfile(text):
        source = Source(text, text=decode(file_bytes(text, "ids of documents"), text, "utf-8"))
        found = [id for _, line in source.lines() if (id := line.strip())]
    else:
        found = [id.strip() for id in text.split(",")]
    if not all(found) or not found:
        raise SerevalError(f"found {text!r}, expected ids of documents, or a file with some")
    return tuple(sorted({*found}))
