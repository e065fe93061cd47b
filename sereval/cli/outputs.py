"""Where results go, and what is shown while they are made."""

from __future__ import annotations

import csv
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EISDIR
from typing import Any, TypeVar

import click

from ..errors import InputError
from ..formats.source import is_read_once
from .inputs import options
from .signals import undisturbed
from .streams import Closed, visible

_P = TypeVar("_P")


def output_option(metavar: str, help: str) -> Callable[[Any], Any]:
    """``--output``, looked at before any work is done."""
    return click.option(
        "-o", "--output", default="-", metavar=metavar, callback=writable, help=help
    )


def writable(_context: click.Context, _option: click.Parameter, path: str) -> str:
    """An option's callback: the folder is there, whatever the name."""
    if not path:
        raise click.BadParameter("found an empty name, expected a file")
    if path != "-" and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise InputError("no such folder, expected one to write to", path=os.path.dirname(path))
    return path


def writable_as(suffixes: Iterable[str] = ()) -> Callable[[Any, Any, str | None], str | None]:
    """The callback of an option that names a file: checks before any work that it can be written.

    Args:
        suffixes: that select the format; none: any suffix is allowed.
    """

    def callback(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
        if path is None:
            return None
        if suffixes and suffix_of(path) not in suffixes:
            raise click.BadParameter(
                f"found {path!r}, expected a suffix among {', '.join(suffixes)}"
            )
        return writable(context, option, path)

    return callback


def suffix_of(path: str) -> str:
    """The suffix of a path, in lower case and without its point."""
    return os.path.splitext(path)[1].removeprefix(".").lower()


def output_options(formats: Iterable[str]) -> Callable[[Any], Any]:
    """Where the result goes and what it looks like; the first format is the default."""
    names = list(formats)
    return options(
        click.option(
            "--format",
            type=click.Choice(names),
            default=names[0],
            show_default=True,
            help="Format of the result.",
        ),
        output_option("FILE", "Write the result there instead of to standard output."),
    )


def check_terminal(format: str, output: str) -> None:
    """Pages and pictures are not poured onto a terminal, where nobody can look at them.

    Args:
        format, output: of the result, as they were asked for.

    Raises:
        click.UsageError: standard output is a terminal, and the result would go there.
    """
    if output == "-" and sys.stdout.isatty():
        raise click.UsageError(
            f"--format {format} is not for a terminal, expected -o FILE, or a pipe"
        )


def with_progress(pairs: Sequence[_P]) -> Iterator[_P]:
    """A progress bar on stderr, if somebody looks at it and the work takes more than a second."""
    if not sys.stderr.isatty():
        yield from pairs
        return
    from rich.console import Console
    from rich.progress import Progress

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=False) as progress:
        task = progress.add_task("scoring", total=len(pairs), visible=False)
        for pair in pairs:
            yield pair
            progress.update(task, advance=1, visible=time.monotonic() - began > 1)


def say_formulas(table: str) -> None:
    """A word about cells that a spreadsheet may run; they are data, so they stay as they are."""
    cells = (cell for row in csv.reader(io.StringIO(table, newline="")) for cell in row)
    count = sum(map(_is_formula, cells))
    if count:
        many = "1 cell begins" if count == 1 else f"{count} cells begin"
        click.echo(
            f"sereval: {many} like a formula of a spreadsheet, which should import it as text",
            err=True,
        )


def _is_formula(cell: str) -> bool:
    if len(cell) < 2 or cell[0] not in "=+-@\t\r":
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


def write(result: str | bytes, path: str, on_terminal: Callable[[str], str] = visible) -> None:
    """Write one result, whole or not at all; as ``write_all``."""
    write_all({path: result}, on_terminal)


def write_all(
    results: Mapping[str, str | bytes], on_terminal: Callable[[str], str] = visible
) -> None:
    """Write all results, each of them whole, or none.

    Files are written beside their places first; then comes what cannot be taken back, standard
    output, pipes and devices; then the files are put in their places. What stands there is
    replaced in one step; a link is followed.

    Args:
        results: by path; ``-`` is standard output.
        on_terminal: what a terminal gets in the place of a text.

    Raises:
        InputError: one of them cannot be written.
        BrokenPipeError: whoever read standard output has stopped; the files are there.
    """
    data = {path: _bytes(path, result, on_terminal) for path, result in results.items()}
    _check_distinct(data)
    streams = {path: one for path, one in data.items() if is_read_once(path)}
    staged: dict[str, str] = {}
    left: BrokenPipeError | None = None
    try:
        for path in filter(lambda path: path not in streams, data):
            with _told(path):
                _stage(path, data[path], staged)
        for path, one in streams.items():
            with _told(path):
                try:
                    _write_stream(path, one)
                except BrokenPipeError as error:  # who has seen enough of one may want the others
                    left = error
        with undisturbed():
            for path, temporary in staged.items():
                with _told(path):
                    os.replace(temporary, os.path.realpath(path))
    finally:
        for temporary in filter(os.path.lexists, staged.values()):
            os.unlink(temporary)
    if left is not None:
        raise left


def _check_distinct(paths: Iterable[str]) -> None:
    """No result goes where another goes, also where big and small letters are the same."""
    places: dict[str, str] = {}
    for path in paths:
        place = path if path == "-" else os.path.normcase(os.path.realpath(path))
        other = places.setdefault(place, path)
        if other != path:
            raise InputError(f"it is the same file as {other}, expected two files", path=path)


def _bytes(path: str, result: str | bytes, on_terminal: Callable[[str], str]) -> bytes:
    if isinstance(result, bytes):
        return result
    is_seen = path == "-" and sys.stdout.isatty()
    return (on_terminal(result) if is_seen else result).encode("utf-8")


@contextmanager
def _told(path: str) -> Iterator[None]:
    """What the system says is said with the name of the output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if path == "-" else path
        raise InputError(error.strerror or str(error), path=name) from None


def _stage(path: str, data: bytes, staged: dict[str, str]) -> None:
    """Write a file beside its place, with the permissions of what stands there."""
    if os.path.isdir(path) or not os.path.basename(path):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    import secrets  # for those who write files

    place = os.path.realpath(path)
    with suppress(FileNotFoundError):
        os.lstat(place)  # no other file is in its place yet when a name is too long
    temporary = os.path.join(os.path.dirname(place), f".sereval-{secrets.token_hex(8)}")
    staged[path] = temporary  # before it is there, so that it is never left
    with open(temporary, "xb") as file:
        file.write(data)
    if os.path.exists(place):
        os.chmod(temporary, os.stat(place).st_mode & 0o777)


def _write_stream(path: str, data: bytes) -> None:
    if path != "-":
        with open(path, "wb") as file:
            file.write(data)
        return
    if isinstance(sys.stdout, Closed):
        raise InputError("it is closed, expected a place for the result", path="standard output")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def write_files(files: Mapping[str, str], folder: str, inputs: Sequence[str] = ()) -> None:
    """Write all files into a folder, which is made if it is not there, or none of them.

    Args:
        files: text by name.
        inputs: files and folders that were read: nothing in them is replaced.

    Raises:
        InputError: the folder or a file cannot be written.
    """
    texts = {os.path.join(folder, name): text for name, text in files.items()}
    check_free(texts, inputs)
    is_new = not os.path.exists(folder)
    try:
        with _told(folder):
            os.makedirs(folder, exist_ok=True)
        write_all(texts)
    finally:
        if is_new and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def check_free(paths: Iterable[str], inputs: Sequence[str]) -> None:
    """Nothing is written over that was read.

    Args:
        paths: of files to be written.
        inputs: files and folders that were read.

    Raises:
        InputError: something is.
    """
    for path in paths:
        _check_free(path, inputs)


def _check_free(path: str, inputs: Sequence[str]) -> None:
    if os.path.isdir(path):
        raise InputError("it is a folder, expected a file or nothing", path=path)
    for read in inputs if os.path.exists(path) else ():
        where = (os.path.dirname(path) or ".") if os.path.isdir(read) else path
        if os.path.exists(read) and os.path.samefile(read, where):
            raise InputError("it is among the files to be read, expected another", path=path)
