"""What a command writes: its results to files, its warnings to the terminal; and what ends it."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EISDIR
from io import StringIO
from typing import Any, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from ..documents.files import is_read_once
from ..errors import InputError, UsageFault, one_line
from ..render.report import counted

_P = TypeVar("_P")

Text: TypeAlias = str | Iterable[str]
"""A text, or its pieces."""

Result: TypeAlias = Text | bytes
"""What is written to a file."""


def visible(text: str) -> str:
    """A text with its control characters escaped, which a terminal would take for commands."""
    return "".join(c if c in "\n\t" else one_line(c) for c in text)


COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")
"""The marks of colours in a text for a terminal."""


def on_screen(text: str) -> str:
    """What a terminal shows of a report: no control characters but colours."""
    parts = COLOURS.split(text)
    return "".join(one if k % 2 else visible(one) for k, one in enumerate(parts))


def warn(message: str) -> None:
    """Print one line about a run on standard error, after the name of the program."""
    click.echo(f"sereval: {one_line(message)}", err=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print the notes of a report on standard error, for formats that have no place for them."""
    for note in notes:
        click.echo(one_line(note), err=True)


def handle_termination() -> None:
    """SIGTERM and SIGHUP end the command as Ctrl-C does, so that temporary files are removed."""
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    for number in known:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, signal.default_int_handler)


# Formats and files


class PathText(click.Path):
    """The type of an argument or option that is a path; the code that opens it checks the path."""

    def __init__(self, role: str = "input") -> None:
        super().__init__(readable=False)
        self.role = role  # "input"; "output"; or "link", of what a page links to and nothing reads

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text of a path; an empty one is refused, such as a shell variable without a value."""
        if value == "":
            self.fail("found an empty name, expected a file", param, ctx)
        return super().convert(value, param, ctx)


class OutputPath(PathText):
    """The type of an option that names a file to be written, which is checked before any work."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, whose folder exists."""
        path = super().convert(value, param, ctx)
        if path != "-" and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise InputError("no such folder, expected one to write to", path=os.path.dirname(path))
        return path


def suffix_of(path: str) -> str:
    """The suffix of a path, in lower case and without its dot."""
    return os.path.splitext(path)[1].removeprefix(".").lower()


SUFFIXES = {
    "txt": "text",
    "htm": "html",
    **{name: name for name in ("html", "json", "jsonl", "csv", "svg", "ctm", "aref")},
    **{name: name for name in ("png", "pdf", "tsv", "xlsx")},
}
"""The format that each suffix names; ``--output`` takes none of the last four."""


def named_format(context: click.Context, format: str, output: str, formats: Sequence[str]) -> str:
    """The format that the suffix of an output names; without a suffix, that of ``--format``."""
    suffix = "" if output == "-" else suffix_of(output)
    suffixes = SUFFIXES | ({"jsonl": "json"} if "aref" in formats else {})  # of documents
    named = suffixes.get(suffix, "")
    is_asked = context.get_parameter_source("format") not in (None, ParameterSource.DEFAULT)
    what, right = f"sereval {context.info_name}", formats
    if is_asked:
        what, right = f"--format {format}", [format]
    if not suffix or (is_asked and not named):
        return format
    if named in right:
        return named
    known = ", ".join(f".{one}" for one, name in suffixes.items() if name in right)
    raise UsageFault(
        f"{output}: {what} does not write .{suffix}, expected a name with "
        f"{known}{' or ' * bool(known)}no suffix"
    )


def with_progress(pairs: Sequence[_P]) -> Iterator[_P]:
    """Pass items on, with a progress bar on standard error."""
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


def write_all(
    results: Iterable[tuple[str, Result]],
    on_terminal: Callable[[str], str] = visible,
    folder: str = "",
) -> None:
    """Write results one after another, each whole or not at all; standard error says which."""
    made: list[str] = []
    try:
        for path, result in results:
            data = _bytes(path, result, on_terminal)
            with _naming(path):
                if is_read_once(path):
                    _write_stream(path, b"".join(data))
                else:
                    _write_file(path, data)
                    made.append(path)
    finally:
        if made:
            files = f"{counted(len(made), 'file')} in {folder}" if folder else ", ".join(made)
            warn(f"wrote {files}")


def _bytes(path: str, result: Result, on_terminal: Callable[[str], str]) -> Iterable[bytes]:
    if isinstance(result, bytes):
        return (result,)
    is_seen = path == "-" and sys.stdout.isatty()
    pieces = (result,) if isinstance(result, str) else result
    return (piece.encode() for piece in (map(on_terminal, pieces) if is_seen else pieces))


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Turn an error of the system into an ``InputError`` with the path of the output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if path == "-" else path
        raise InputError(error.strerror or str(error), path=name) from None


def _write_file(path: str, data: Iterable[bytes]) -> None:
    """Write a file beside its target, then put it in its place; symbolic links are followed."""
    if os.path.isdir(path) or not os.path.basename(path):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    import secrets  # only commands that write files wait for it

    place = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(place), f".sereval-{secrets.token_hex(8)}")
    try:
        with open(temporary, "xb") as file:
            file.writelines(data)
        if os.path.exists(place):
            os.chmod(temporary, os.stat(place).st_mode & 0o777)
        os.replace(temporary, place)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _write_stream(path: str, data: bytes) -> None:
    """Write to a pipe, a device or standard output."""
    if path != "-":
        with open(path, "wb") as file:
            file.write(data)
        return
    if isinstance(sys.stdout, StringIO):  # in the place of a stream that was closed
        raise InputError("it is closed, expected a place for the result", path="standard output")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def write_files(
    files: Iterable[tuple[str, Result]], folder: str, inputs: Sequence[str] = ()
) -> None:
    """Write files into a folder, which is made if there is none."""
    is_new = not os.path.exists(folder)
    try:
        with _naming(folder):
            os.makedirs(folder, exist_ok=True)
        write_all([*_in_folder(files, folder, inputs)], folder=folder)
    finally:
        if is_new and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _in_folder(
    files: Iterable[tuple[str, Result]], folder: str, inputs: Sequence[str]
) -> Iterator[tuple[str, Result]]:
    """The files with their paths; a path is free, and of one file, before its file is written."""
    places: dict[str, str] = {}
    for name, text in files:
        path = os.path.join(folder, name)
        check_free([path], inputs)
        other = places.setdefault(os.path.normcase(os.path.realpath(path)), path)
        if other != path:
            raise InputError(f"it is the same file as {other}, expected two files", path=path)
        yield path, text


def check_free(outputs: Iterable[str], inputs: Sequence[str]) -> None:
    """Check that no output replaces an input."""
    for path in outputs:
        if os.path.isdir(path):
            raise InputError("it is a folder, expected a file or nothing", path=path)
        for read in filter(os.path.exists, inputs if os.path.exists(path) else ()):
            place = (os.path.dirname(path) or ".") if os.path.isdir(read) else path
            if os.path.samefile(read, place):
                raise InputError("it is among the files to be read, expected another", path=path)
