"""The recordings of documents: links to them, and the wave forms that the page draws.

The standard library reads PCM in WAV files. The package miniaudio (extra ``sound``) reads FLAC, MP3
and Ogg, and the other forms of WAV. A recording that nothing reads has sound and no wave form.
"""

from __future__ import annotations

import os
import wave
from base64 import b64encode
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

ENCODED = (".flac", ".mp3", ".ogg")
"""The suffixes of recordings that only miniaudio reads."""

SUFFIXES = (".wav", *ENCODED, ".m4a")
"""The suffixes of recordings, in order of preference."""

RUNS = 50
"""The peaks of a second."""

SAMPLES = {1: "u1", 2: "<i2", 4: "<i4"}
"""The types of samples in WAV files by their bytes; silence is 128 in those of a byte, else 0."""


def recorded(folder: str, ids: Sequence[str]) -> dict[str, str]:
    """The file name of each document that has a recording in a folder."""
    there = set(os.listdir(folder))
    names = {id: [f"{id}{suffix}" for suffix in SUFFIXES if f"{id}{suffix}" in there] for id in ids}
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


TYPES = {
    ".wav": "audio/wav",
    ".flac": "audio/flac",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".m4a": "audio/mp4",
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
    return [name for name in recorded(folder, ids).values() if name.endswith(ENCODED)]


def _peaks(path: str) -> str:
    """The wave form of a file; empty if it cannot be read or is silent."""
    heights = _of_pcm(path) or _of_any(path)
    most = max(heights, default=0)
    return "".join(str(9 * height // most) for height in heights) if most else ""


def _of_pcm(path: str) -> list[int]:
    """The greatest amplitude of each run of a WAV file of PCM; empty if it is none."""
    import numpy as np  # slow to import

    try:
        with wave.open(path, "rb") as sound:
            size, channels, rate = sound.getsampwidth(), sound.getnchannels(), sound.getframerate()
            if size not in SAMPLES:
                return []
            seconds = iter(lambda: sound.readframes(rate), b"")
            whole = (second[: len(second) // size * size] for second in seconds)
            samples = (np.frombuffer(second, SAMPLES[size]) for second in whole)
            return _amplitudes(samples, rate, channels, 128 if size == 1 else 0)
    except (OSError, EOFError, wave.Error):
        return []


def _of_any(path: str) -> list[int]:
    """The same of any file that miniaudio reads; empty if it cannot, or is not installed."""
    try:
        import miniaudio  # slow to import, and an extra
    except ImportError:
        return []
    try:
        its = miniaudio.get_file_info(path)
        channels, rate = its.nchannels, its.sample_rate
        samples = miniaudio.stream_file(
            path, nchannels=channels, sample_rate=rate, frames_to_read=rate
        )
        return _amplitudes(samples, rate, channels)
    except (miniaudio.MiniaudioError, UnicodeEncodeError):
        return []


def _amplitudes(seconds: Iterable[Any], rate: int, channels: int, silence: int = 0) -> list[int]:
    """The greatest amplitude of each run of 20 ms of the samples of a recording, which come by
    seconds; runs beyond its end are left out."""
    import numpy as np  # slow to import

    starts = [run * rate // RUNS * channels for run in range(RUNS)]
    found: list[int] = []
    for second in seconds:
        heights = abs(np.asarray(second[: rate * channels], "int64") - silence)
        own = sorted({start for start in starts if start < len(heights)})
        found += np.maximum.reduceat(heights, own).tolist() if own else []
    return found
