"""File names: the pages of documents, and the recordings of documents.

An id may contain any character; a file name and an anchor may not. The names made here are plain
ASCII and depend on the ids only. They never lead out of the folder of the pages.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

SUFFIXES = (".wav", ".flac", ".mp3", ".ogg", ".m4a")
"""The suffixes of recordings, in order of preference."""

LONGEST = 60
_TAKEN = {"index", "con", "prn", "aux", "nul"} | {
    f"{d}{n}" for d in ("com", "lpt") for n in "123456789"
}


def slugs(ids: Iterable[str]) -> dict[str, str]:
    """A name for each id, safe as a file name without suffix and as the start of an anchor.

    Plain ids stay as they are. A digest of the id is added to an id with other characters, to ids
    that differ only in case, and to names that an operating system or this package reserves.

    >>> slugs(["show1", "../etc/passwd", "index"])
    {'show1': 'show1', '../etc/passwd': 'etc_passwd-7fef78f5', 'index': 'index-1bc04b52'}
    """
    ids = list(ids)
    plain = {id: re.sub(r"[^A-Za-z0-9._-]+", "_", id).strip("._-")[:LONGEST] for id in ids}
    folded = Counter(name.casefold() for name in plain.values())
    clean = {
        id for id, name in plain.items() if name == id and folded[name.casefold()] == 1
        and name.partition(".")[0].casefold() not in _TAKEN
        and not name.casefold().startswith("cases-")
    }  # fmt: skip
    names = {id: id for id in ids if id in clean}
    used = {id.casefold() for id in clean}
    for id in sorted(set(ids) - clean):
        names[id] = _with_digest(plain[id], id, used)
        used.add(names[id].casefold())
    return {id: names[id] for id in ids}


def _with_digest(name: str, id: str, used: set[str]) -> str:
    """The name with the digits of the id's digest that make it unique, at least eight."""
    digest = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()
    stem = name.partition(".")[0] if name.partition(".")[0].casefold() in _TAKEN else name
    for length in range(8, len(digest) + 1):
        found = f"{stem or 'document'}-{digest[:length]}"
        if found.casefold() not in used:
            return found
    raise AssertionError(f"two ids of one digest: {id!r}")


def recorded(folder: str, ids: Sequence[str]) -> dict[str, str]:
    """The files of the recordings of documents, in a folder.

    Args:
        folder: the folder of the recordings, named ``ID.wav`` or with another of ``SUFFIXES``.
        ids: the ids of the documents. They are compared with whole file names, so an id with ``..``
            or ``/`` finds nothing.

    Returns:
        A file name for each document that has a recording.

    Raises:
        OSError: ``folder`` cannot be listed.
    """
    there = set(os.listdir(folder))
    names = {id: [f"{id}{suffix}" for suffix in SUFFIXES if f"{id}{suffix}" in there] for id in ids}
    return {id: found[0] for id, found in names.items() if found}


def recordings(folder: str, ids: Sequence[str], beside: str) -> dict[str, str]:
    """Links from the pages to the recordings of documents.

    Args:
        folder: the folder of the recordings. See :func:`recorded`.
        ids: the ids of the documents.
        beside: the folder of the pages.

    Returns:
        A relative link, percent-encoded, for each document that has a recording.

    Raises:
        OSError: ``folder`` cannot be listed.
    """
    way = _way(folder, beside or ".")
    return {
        id: f"{way}/{quote(name, errors='surrogateescape')}"
        for id, name in recorded(folder, ids).items()
    }


def _way(folder: str, beside: str) -> str:
    """The relative address of a folder from another; absolute if it is on another drive."""
    try:
        way = os.path.relpath(folder, beside)
    except ValueError:
        return Path(os.path.abspath(folder)).as_uri()
    return quote(way.replace(os.sep, "/"), errors="surrogateescape")
