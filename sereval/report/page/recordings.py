"""The recordings of documents: links to them, and the wave forms that the page draws.

The package miniaudio (extra ``sound``) reads WAV, FLAC, MP3 and Ogg. Any other recording has sound
and no wave form.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

TYPES = {
    ".wav": "audio/wav",
    ".flac": "audio/flac",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".m4a": "audio/mp4",
}
"""The types of recordings by their suffixes, in order of preference."""

RUNS = 50
"""The peaks of a second."""


def recorded(folder: str, ids: Sequence[str]) -> dict[str, str]:
    """The file name of each document that has a recording in a folder."""
    there = set(os.listdir(folder))
    names = {id: [f"{id}{suffix}" for suffix in TYPES if f"{id}{suffix}" in there] for id in ids}
    return {id: found[0] for id, found in names.items() if found}


def links(folder: str, ids: Sequence[str], beside: str) -> dict[str, str]:
    """A relative link from a folder of pages to the recording of each document."""
    try:
        way = quote(os.path.relpath(folder, beside or ".").replace(os.sep, "/"), errors=ESCAPED)
    except ValueError:  # another drive
        way = Path(os.path.abspath(folder)).as_uri()
    return {
        id: f"{way}/{quote(name, errors=ESCAPED)}" for id, name in recorded(folder, ids).items()
    }


def embedded(folder: str, ids: Sequence[str]) -> dict[str, str]:
    """The recording of each document itself, as it stands, for a page that holds its sound."""
    return {
        id: f"data:{TYPES[os.path.splitext(name)[1]]};base64,"
        + b64encode(Path(folder, name).read_bytes()).decode("ascii")
        for id, name in recorded(folder, ids).items()
    }


ESCAPED = "surrogateescape"


def peaks(folder: str, ids: Sequence[str]) -> dict[str, str]:
    """The wave form of each document whose recording can be read."""
    drawn = {id: _peaks(os.path.join(folder, name)) for id, name in recorded(folder, ids).items()}
    return {id: text for id, text in drawn.items() if text}


def undecoded(folder: str, ids: Sequence[str]) -> list[str]:
    """The files of recordings that have no wave form because miniaudio is not installed."""
    if find_spec("miniaudio") is not None:
        return []
    return [name for name in recorded(folder, ids).values() if not name.endswith(".m4a")]


def _peaks(path: str) -> str:
    """The wave form of a file; empty if it cannot be read or is silent."""
    try:
        import miniaudio  # slow to import, and an extra
    except ImportError:
        return ""
    try:
        its = miniaudio.get_file_info(path)
        channels, rate = its.nchannels, its.sample_rate
        samples = miniaudio.stream_file(
            path, nchannels=channels, sample_rate=rate, frames_to_read=rate
        )
        heights = _amplitudes(samples, rate, channels)
    except (miniaudio.MiniaudioError, UnicodeEncodeError):
        return ""
    most = max(heights, default=0)
    return "".join(str(9 * height // most) for height in heights) if most else ""


def _amplitudes(seconds: Iterable[Any], rate: int, channels: int) -> list[int]:
    """The greatest amplitude of each run of 20 ms of the samples of a recording, which come by
    seconds; runs beyond its end are left out."""
    import numpy as np  # slow to import

    starts = [run * rate // RUNS * channels for run in range(RUNS)]
    found: list[int] = []
    for second in seconds:
        heights = abs(np.asarray(second[: rate * channels], "int64"))
        own = sorted({start for start in starts if start < len(heights)})
        found += np.maximum.reduceat(heights, own).tolist() if own else []
    return found
