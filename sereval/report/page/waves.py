"""The wave form of a recording, as the page draws it over the time line.

Only PCM in WAV files is read, because the standard library decodes no other format. A recording in
another format has sound and no wave form.
"""

from __future__ import annotations

import os
import sys
import wave
from array import array
from collections.abc import Iterator, Sequence

STEP = 20
"""The milliseconds of a peak."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

WIDTHS = {2: "h", 4: "i"}
"""The type codes of samples by their bytes; samples of a byte have no sign."""


def peaks(folder: str, ids: Sequence[str]) -> dict[str, str]:
    """The wave forms of documents that have a WAV file of PCM in the folder.

    Args:
        folder: the folder of the recordings, named ``ID.wav``.
        ids: the ids of the documents, compared with whole file names.

    Returns:
        For each such document a text with a digit of base 36 for each 20 ms: the greatest
        amplitude, relative to the greatest of the recording.

    Raises:
        OSError: ``folder`` cannot be listed.
    """
    there = set(os.listdir(folder))
    found = {}
    for id in ids:
        if f"{id}.wav" in there:
            drawn = _peaks(os.path.join(folder, f"{id}.wav"))
            if drawn:
                found[id] = drawn
    return found


def _peaks(path: str) -> str:
    """The wave form of a file; empty if it cannot be read as PCM."""
    try:
        with wave.open(path, "rb") as sound:
            size, channels = sound.getsampwidth(), sound.getnchannels()
            if size not in (1, *WIDTHS):
                return ""
            count = max(sound.getframerate() * STEP // 1000, 1)
            heights = list(_heights(sound, size, channels, count))
    except (OSError, EOFError, wave.Error):
        return ""
    most = max(heights, default=0)
    return "".join(DIGITS[35 * height // most] for height in heights) if most else ""


def _heights(sound: wave.Wave_read, size: int, channels: int, count: int) -> Iterator[int]:
    """The greatest amplitude of each run of frames."""
    while frames := sound.readframes(count * 50):
        samples = _samples(frames, size)
        for at in range(0, len(samples), count * channels):
            part = samples[at : at + count * channels]
            yield max(max(part), -min(part))


def _samples(frames: bytes, size: int) -> Sequence[int]:
    if size == 1:
        return [byte - 128 for byte in frames]
    samples = array(WIDTHS[size])
    samples.frombytes(frames[: len(frames) // size * size])
    if sys.byteorder == "big":
        samples.byteswap()
    return samples
