"""Pages: how commands write them, to one file or into a folder, with links to recordings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from ..analysis.blame import Blame
from ..analysis.campaign import SystemBlame
from ..analysis.rates import AnyScore, ids_of
from ..analysis.resampling import Resampling
from ..errors import InputError, one_line
from ..render.numbers import counted
from .help import option
from .outputs import check_terminal, write, write_files
from .streams import warn

if TYPE_CHECKING:
    from ..report.page.systems import Runs

HTML = "html"
"""The name of the format."""

audio_option = option(
    "--audio",
    group="Output",
    metavar="DIR",
    help="Folder of recordings for html: ID.wav, .flac, .mp3, .ogg, .m4a.",
)


def check_page_options(format: str, output: str, audio: str | None) -> None:
    """Refuse a page on a terminal, and recordings without a page.

    Args:
        format, output, audio: the values of these options.

    Raises:
        click.UsageError: the options contradict each other.
    """
    if format == HTML:
        check_terminal(format, output)
    elif audio is not None:
        raise click.UsageError(f"--audio is for --format {HTML}")


def write_pages(
    score: AnyScore,
    title: str,
    output: str,
    audio: str | None,
    inputs: Sequence[str],
    blame: Blame | None = None,
    resampling: Resampling | None = None,
) -> None:
    """Write the page to a file, if the output ends in .html or .htm, or else into a folder.

    Args:
        title: the title of the page.
        output: the path; ``-``: standard output.
        audio: folder of recordings; ``None``: no recordings.
        inputs: files and folders that were read, which no file may replace.
        blame: the blame of the cases of the score; ``None``: no blame.
        resampling: the settings of the intervals of the blame; ``None``: the defaults.

    Raises:
        InputError: recordings cannot be looked for, or a file cannot be written.
    """
    from ..report.page import pages  # slow to import

    is_file = output == "-" or output.lower().endswith((".html", ".htm"))
    beside = os.path.dirname(output) if is_file else output
    ids = ids_of(score)
    links = _links(audio, ids, beside)
    files = pages(
        score,
        title=one_line(title),
        audio=links,
        one_file=is_file,
        blame=blame,
        resampling=resampling,
        peaks=_peaks(audio, ids),
    )
    if is_file:
        [(_, page)] = files
        write(page, output)
    else:
        write_files(files, output, inputs)


def systems_page(
    runs: Runs,
    title: str,
    output: str,
    audio: str | None,
    blames: Sequence[SystemBlame],
    report: str,
) -> str:
    """The page of several systems.

    Args:
        runs: for each condition and each system, its score at each tolerance.
        title: the title of the page.
        output: the path of the page; ``-``: standard output.
        audio: folder of recordings; ``None``: no recordings.
        blames: what the recognisers cost the systems.
        report: a report on the systems, as text.

    Raises:
        InputError: recordings cannot be looked for.
        SerevalError: two systems of a condition have different words.
    """
    from ..report.page import render_systems  # slow to import

    [first, *_] = next(iter(next(iter(runs.values())).values()))
    ids = ids_of(first)
    return render_systems(
        runs,
        title=one_line(title),
        report=report,
        audio=_links(audio, ids, os.path.dirname(output)),
        peaks=_peaks(audio, ids),
        blames={(one.condition, one.system): one.blame for one in blames},
    )


def relative_to(path: str, other: str) -> str:
    """The link from a file to another."""
    return quote(os.path.relpath(path, os.path.dirname(other) or ".").replace(os.sep, "/"))


def _links(audio: str | None, ids: Sequence[str], beside: str) -> dict[str, str] | None:
    """Links to the recordings of documents; ``None`` without ``--audio``."""
    from ..report.page import recordings  # slow to import

    if audio is None:
        return None
    try:
        links = recordings(audio, ids, beside)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=audio) from None
    _warn_of_silent(audio, ids, links)
    return links


def _peaks(audio: str | None, ids: Sequence[str]) -> dict[str, str]:
    """The wave forms of the recordings; empty without ``--audio``."""
    from ..report.page import peaks_of, undecoded  # slow to import

    if audio is None:
        return {}
    if mute := undecoded(audio, ids):
        warn(
            f"no wave form of {counted(len(mute), 'recording')} in {audio}, such as {mute[0]}: it "
            "needs the package miniaudio, which is not installed: pip install 'sereval[sound]'"
        )
    return peaks_of(audio, ids)


def _warn_of_silent(folder: str, ids: Sequence[str], links: Mapping[str, str]) -> None:
    """Warn if documents have no recording with their id as name."""
    silent = [id for id in ids if id not in links]
    if silent:
        found = f"recordings for {len(links)} of {len(ids)} documents in {folder}"
        names = f"ID.wav, .flac, .mp3, .ogg or .m4a, such as {silent[0]}.wav"
        warn(f"{found}; expected {names}")
