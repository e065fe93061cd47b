"""Where results go, and what is shown while they are made."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click

from ..errors import InputError
from .inputs import options

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
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise InputError("no such folder, expected one to write to", path=os.path.dirname(path))
    return path


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


def _umask() -> int:
    """The permissions that new files are not given; can only be asked by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


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


def write(text: str | bytes, path: str) -> None:
    """Write a result, whole or not at all.

    What stands at the path is replaced in one step if it is a file; a link is followed, and a
    pipe or a device is written to.

    Raises:
        InputError: it cannot be written.
        BrokenPipeError: whoever read standard output has stopped.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    try:
        if path == "-":
            _write_standard_output(data)
        elif os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if path == "-" else path
        raise InputError(error.strerror or str(error), path=name) from None


def _write_standard_output(data: bytes) -> None:
    if sys.stdout is None:
        raise InputError("it is closed, expected a place for the result", path="standard output")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def _replace(path: str, data: bytes) -> None:
    """Put a new file in the place of an old one, which it takes the permissions of."""
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~_umask()
    file = tempfile.NamedTemporaryFile(  # noqa: SIM115 - it outlives its closing
        dir=os.path.dirname(path), prefix=".sereval-", delete=False
    )
    try:
        with file:
            file.write(data)
        os.chmod(file.name, mode)
        os.replace(file.name, path)
    except BaseException:
        os.unlink(file.name)
        raise


def write_files(files: Mapping[str, str], folder: str, inputs: Sequence[str] = ()) -> None:
    """Write all files into a folder, which is made if it is not there, or none of them.

    Args:
        files: text by name.
        inputs: files and folders that were read: nothing in them is replaced.

    Raises:
        InputError: the folder or a file cannot be written.
    """
    for name in files:
        _check_free(os.path.join(folder, name), inputs)
    is_new = not os.path.exists(folder)
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".sereval-") as written:
            for name, text in files.items():
                write(text, os.path.join(written, name))
            for name in files:
                os.replace(os.path.join(written, name), os.path.join(folder, name))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=folder) from None
    finally:
        if is_new and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _check_free(path: str, inputs: Sequence[str]) -> None:
    if os.path.isdir(path):
        raise InputError("it is a folder, expected a file or nothing", path=path)
    for read in inputs if os.path.exists(path) else ():
        where = os.path.dirname(path) if os.path.isdir(read) else path
        if os.path.exists(read) and os.path.samefile(read, where):
            raise InputError("it is among the files to be read, expected another", path=path)
