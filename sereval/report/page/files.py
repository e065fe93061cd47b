"""Names on disk: a page for each document, and the recordings that belong to them.

An id may hold anything; a file name and an anchor may not. Names made here are plain ASCII, the
same for the same ids, and never lead out of the folder they are written to.
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
"""Of recordings, the first found wins."""

LONGEST = 60
_TAKEN = {"index", "con", "prn", "aux", "nul"} | {
    f"{d}{n}" for d in ("com", "lpt") for n in "123456789"
}


def slugs(ids: Iterable[str]) -> dict[str, str]:
    """A name for each id, safe as a file name without suffix and as the start of an anchor.

    Plain ids stay as they are. Others, ids that differ in case only (one file on some systems)
    and names that a system or this package keeps for itself get a digest of the id.

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
        names[id] = _digested(plain[id], id, used)
        used.add(names[id].casefold())
    return {id: names[id] for id in ids}


def _digested(name: str, id: str, used: set[str]) -> str:
    """The name with as many digits of the id's digest as make it unique."""
    digest = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()
    stem = name.partition(".")[0] if name.partition(".")[0].casefold() in _TAKEN else name
    for length in range(8, len(digest) + 1):
        found = f"{stem or 'document'}-{digest[:length]}"
        if found.casefold() not in used:
            return found
    raise AssertionError(f"two ids of one digest: {id!r}")


def recordings(folder: str, ids: Sequence[str], beside: str) -> dict[str, str]:
    """Links to the recordings of documents, as seen from the page.

    Args:
        folder: holds ``ID.wav`` (or another of ``SUFFIXES``) for some of the documents.
        ids: of the documents; only whole file names are compared, so that an id with ``..`` or
            ``/`` leads nowhere.
        beside: the folder that the pages are written to.

    Returns:
        A relative link, percent-encoded, for each document that has a recording.

    Raises:
        OSError: ``folder`` cannot be listed.
    """
    there = set(os.listdir(folder))
    way = _way(folder, beside or ".")
    links = {}
    for id in ids:
        for suffix in SUFFIXES:
            if f"{id}{suffix}" in there:
                links[id] = f"{way}/{quote(f'{id}{suffix}', errors='surrogateescape')}"
                break
    return links


def _way(folder: str, beside: str) -> str:
    """The address of a folder as seen from another; a whole one if that is on another drive."""
    try:
        way = os.path.relpath(folder, beside)
    except ValueError:
        return Path(os.path.abspath(folder)).as_uri()
    return quote(way.replace(os.sep, "/"), errors="surrogateescape")
