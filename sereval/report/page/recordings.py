"""The recordings of documents: links to them, and the wave forms that the page draws.

The package miniaudio (extra ``sound``) reads WAV, FLAC, MP3 and Ogg. Any other recording has sound
and no wave form.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
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


class Recording(NamedTuple):
    """The recording of a document."""

    name: str = ""  # of its file
    sound: str = ""  # a link to it, which may hold it
    peaks: str = ""  # its wave form; empty: it cannot be read, or is silent


def recordings(folder: str, ids: Iterable[str], beside: str | None) -> dict[str, Recording]:
    """The recording of each document that has one in a folder, with a link from a folder of pages;
    ``None``: the links hold the sound."""
    there = set(os.listdir(folder))
    found: dict[str, Recording] = {}
    for id in ids:
        for name in (f"{id}{suffix}" for suffix in TYPES):
            if name in there and id not in found:
                sound = _link(folder, name, beside)
                found[id] = Recording(name, sound, _peaks(os.path.join(folder, name)))
    return found


def _link(folder: str, name: str, beside: str | None) -> str:
    if beside is None:
        data = b64encode(Path(folder, name).read_bytes()).decode("ascii")
        return f"data:{TYPES[os.path.splitext(name)[1]]};base64,{data}"
    try:
        way = os.path.relpath(folder, beside or ".").replace(os.sep, "/")
    except ValueError:  # another drive
        return Path(os.path.abspath(folder), name).as_uri()
    return quote(f"{way}/{name}", errors="surrogateescape")


def _peaks(path: str) -> str:
    """The wave form of a file."""
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
