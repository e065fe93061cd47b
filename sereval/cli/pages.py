"""Pages: how commands write them, to one file or split into a folder, with links to recordings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import click

from ..analysis.rates import AnyScore
from ..errors import InputError, one_line
from ..render.numbers import counted
from .help import option
from .options import AtLeast, options
from .outputs import Result, check_terminal, write_all, write_files
from .streams import warn

if TYPE_CHECKING:
    from ..report.page.tables import Runs

HTML = "html"
"""The name of the format."""

page_options = options(
    option(
        "--audio",
        group="Output",
        metavar="DIR",
        help="Folder of recordings for html: ID.wav, .flac, .mp3, .ogg, .m4a.",
    ),
    option(
        "--split",
        "size",
        group="Output",
        metavar="N",
        type=AtLeast(1),
        help="For html of a large corpus: pages of N documents each and an index, in the folder of "
        "-o.",
    ),
)


class PageOptions(NamedTuple):
    """The options of a page: where it goes, its recordings, the number of documents of a file."""

    output: str
    audio: str | None
    size: int | None

    @property
    def has_link(self) -> bool:
        """Whether other files can link to its documents."""
        return self.output != "-" and self.size is None

    def check(self, format: str) -> None:
        """Refuse a page on a terminal, and options of pages without one.

        Raises:
            click.UsageError: the options contradict each other.
        """
        if format != HTML:
            for name, value in (("--audio", self.audio), ("--split", self.size)):
                if value is not None:
                    raise click.UsageError(f"{name} is for --format {HTML}")
        elif self.size is None:
            check_terminal(format, self.output)
        elif self.output == "-":
            raise click.UsageError("--split makes files, expected -o and a folder")

    def write(
        self,
        runs: Runs | AnyScore,
        title: str,
        inputs: Sequence[str],
        beside: Mapping[str, Result] | None = None,
        **extras: Any,
    ) -> None:
        """Write the page.

        Args:
            runs: a score; or for each condition and each system, its score at each tolerance.
            title: the title of the page.
            inputs: files and folders that were read, which no file may replace.
            beside: other outputs of the command, by path.
            extras: what else the page shows (``report.page.Extras``).

        Raises:
            InputError: recordings cannot be looked for, or a file cannot be written.
            SerevalError: two systems of a condition have different words.
        """
        from ..report.page import Extras, pages  # slow to import

        runs = runs if isinstance(runs, Mapping) else {"": {"": [runs]}}
        first = next(iter(next(iter(runs.values())).values()))[0]
        if self.audio is not None:
            extras |= self._sound(self.audio, first.ids)
        files = pages(runs, Extras(one_line(title), **extras), self.size)
        if self.size is not None:
            write_files(files, self.output, inputs)
            write_all(beside or {})
        else:
            [(_, text)] = files
            write_all({**(beside or {}), self.output: text})

    def _sound(self, folder: str, ids: Sequence[str]) -> dict[str, Mapping[str, str]]:
        """Links to the recordings, and their wave forms; warns of documents without them."""
        from ..report.page.recordings import links, peaks, undecoded  # slow to import

        from_folder = self.output if self.size is not None else os.path.dirname(self.output)
        try:
            audio = links(folder, ids, from_folder)
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
        return {"audio": audio, "peaks": peaks(folder, ids)}


def relative_to(path: str, other: str) -> str:
    """The link from a file to another."""
    return quote(os.path.relpath(path, os.path.dirname(other) or ".").replace(os.sep, "/"))
