"""Pages: how commands write them, to one file or split into a folder, with links to recordings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError, one_line
from ..render.text import counted
from ..report.page import Extras, pages
from ..report.page.recordings import embedded, links, peaks, undecoded
from .line import Line, Page
from .outputs import write_all, write_files
from .provenance import typed
from .streams import warn


def write_page(page: Page, line: Line) -> None:
    """Write the page of a command, and its other outputs."""
    runs = page.runs if isinstance(page.runs, Mapping) else {"": {"": [page.runs]}}
    first = next(iter(next(iter(runs.values())).values()))[0]
    sound = {} if line.audio is None else _sound(line, first.ids)
    extras = Extras(one_line(page.title), command=typed(line), **page.extras, **sound)
    files = pages(runs, extras, line.size)
    if line.size is not None:
        write_files(files, line.output, line.inputs)
        write_all(line.beside.items())
    else:
        [(_, text)] = files
        write_all([*line.beside.items(), (line.output, text)])


def _sound(line: Line, ids: Sequence[str]) -> dict[str, Any]:
    """Links to the recordings, and their wave forms; warns of documents without them."""
    folder = line.audio
    from_folder = line.output if line.size is not None else os.path.dirname(line.output)
    try:
        audio = embedded(folder, ids) if line.embed else links(folder, ids, from_folder)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=folder) from None
    if silent := [id for id in ids if id not in audio]:
        found = f"recordings for {len(audio)} of {len(ids)} documents in {folder}"
        names = f"ID.wav, .flac, .mp3, .ogg or .m4a, such as {silent[0]}.wav"
        warn(f"{found}; expected {names}")
    if mute := undecoded(folder, ids):
        warn(
            f"no wave form of {counted(len(mute), 'recording')} in {folder}, such as {mute[0]}:"
            " it needs the package miniaudio, which is not installed: pip install "
            "'sereval[sound]'"
        )
    if line.embed:
        size = sum(len(one) for one in audio.values()) / 1e6
        warn(f"{counted(len(audio), 'recording')} in the page: {size:.1f} MB")
    return {"audio": audio, "peaks": peaks(folder, ids)}
