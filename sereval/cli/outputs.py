"""The results of a command: options that name them, a progress bar, and the writing of files."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from errno import EISDIR
from functools import wraps
from typing import IO, Any, BinaryIO, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from ..documents.files import is_read_once
from ..errors import InputError
from ..render.numbers import counted
from ..render.report import PLAIN, Look, Report
from .help import option
from .options import choice_option, options
from .streams import ClosedStream, defer_signals, visible, warn

_P = TypeVar("_P")

Text: TypeAlias = str | Iterable[str]
"""A text, or its pieces."""

Result: TypeAlias = Text | bytes
"""What is written to a file."""

Results: TypeAlias = Mapping[str, Result] | Iterable[tuple[str, Result]]
"""Results by path, or each path with its result."""

IN_MEMORY = 1 << 20
"""A result for standard output with more bytes is held on disk until it is whole."""

DAY = 24 * 60 * 60
"""A temporary file that nobody has written to for so many seconds is left over."""

PIECE = 1 << 16
"""The most bytes of a result that are copied at a time."""


def output_option(metavar: str, help: str) -> Callable[[Any], Any]:
    """The option ``--output``, which is checked before any work is done."""
    return option(
        "-o",
        "--output",
        default="-",
        show_default=False,
        metavar=metavar,
        callback=writable_as(),
        help=help,
    )


def writable_as(suffixes: Iterable[str] = ()) -> Callable[[Any, Any, str | None], str | None]:
    """The callback of an option that names a file to be written; it runs before any work.

    The callback checks that the file has a name and that its folder exists.

    Args:
        suffixes: the suffixes that select a format; none: any suffix is allowed.

    Returns:
        The callback. It raises ``click.BadParameter`` for a wrong suffix or an empty name, and
        ``InputError`` for a folder that does not exist.
    """

    def callback(_context: click.Context, _option: click.Parameter, path: str | None) -> str | None:
        if path is None:
            return None
        if suffixes and suffix_of(path) not in suffixes:
            raise click.BadParameter(
                f"found {path!r}, expected a suffix among {', '.join(suffixes)}"
            )
        if not path:
            raise click.BadParameter("found an empty name, expected a file")
        if path != "-" and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise InputError("no such folder, expected one to write to", path=os.path.dirname(path))
        return path

    return callback


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


def output_options(
    formats: Iterable[str],
    help: str = "Format of the result.",
    metavar: str = "FILE",
    output_help: str = "Write the result to this file, in the format of its suffix; by default, to "
    "standard output.",
    suffixes: Mapping[str, str] = SUFFIXES,
) -> Callable[[Any], Any]:
    """The options ``--format`` and ``--output``, whose suffix names the format.

    Args:
        formats: the formats that the command writes; the first is the default.
        help, metavar, output_help: as ``click.option``.
        suffixes: the format that each suffix names.
    """
    names = list(formats)
    table = option(
        "--table",
        group="Output",
        metavar="NAME",
        help="The table that csv has, by its name in the JSON; by default the first.",
    )

    def in_the_format_of_the_suffix(command: Any) -> Any:
        @wraps(command)
        def work(
            *args: Any, format: str, output: str, table: str | None = None, **values: Any
        ) -> Any:
            format = named_format(format, output, names, suffixes)
            if table is not None and format != "csv":
                raise click.UsageError("--table goes with --format csv")
            return command(*args, format=format, output=output, **values)

        return work

    return options(
        choice_option("--format", names, help, letter="-f"),
        *([table] if "csv" in names else []),
        output_option(metavar, output_help),
        in_the_format_of_the_suffix,
    )


def named_format(
    format: str,
    output: str,
    formats: Sequence[str],
    suffixes: Mapping[str, str] = SUFFIXES,
) -> str:
    """The format that the suffix of an output names; without a suffix, that of ``--format``.

    Raises:
        click.UsageError: the suffix contradicts ``--format``, or the command cannot write it.
    """
    suffix = "" if output == "-" else suffix_of(output)
    named = suffixes.get(suffix, "")
    context = click.get_current_context()
    is_asked = context.get_parameter_source("format") not in (None, ParameterSource.DEFAULT)
    if not suffix or named == format or (is_asked and not named):
        return format
    if named in formats and not is_asked:
        return named
    if is_asked:
        own = next((f".{one}" for one, name in suffixes.items() if name == format), "no suffix")
        instead = f", or --format {named}" if named in formats else ""
        raise click.UsageError(
            f"{output}: .{suffix} contradicts --format {format}, "
            f"expected a name with {own}{instead}"
        )
    known = [f".{one}" for one, name in suffixes.items() if name in formats]
    page = "; sereval audit writes a page" if named == "html" else ""
    raise click.UsageError(
        f"{output}: sereval {context.info_name} does not write .{suffix}, expected a name with "
        f"{', '.join(known)} or no suffix{page}"
    )


def in_format(
    report: Report,
    format: str,
    look: Look = PLAIN,
    provenance: Mapping[str, Any] | None = None,
) -> Text:
    """A report in one of the formats text, json and csv."""
    if format == "csv":
        return report.csv(click.get_current_context().params.get("table"))
    if format == "jsonl":
        return report.jsonl()
    return report.json(provenance) if format == "json" else report.lines(look)


def check_terminal(format: str, output: str) -> None:
    """Refuse to print a page or a picture on a terminal.

    Args:
        format, output: the values of these options.

    Raises:
        click.UsageError: the result would go to standard output, which is a terminal.
    """
    if output == "-" and sys.stdout.isatty():
        raise click.UsageError(
            f"--format {format} is not for a terminal, expected -o FILE, or a pipe"
        )


def with_progress(pairs: Sequence[_P]) -> Iterator[_P]:
    """Pass items on, with a progress bar on standard error.

    The bar appears after a second of work, and only if standard error is a terminal.
    """
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


@contextmanager
def warning_of_formulas() -> Iterator[Callable[[Text], Iterator[str]]]:
    """A context for writing tables; at its end it warns of cells that look like formulas.

    A spreadsheet may take such cells for formulas. They stay as they are.

    Yields:
        A function that passes on a table in CSV and counts these cells. Each piece of the table
        has whole rows.
    """
    count = 0

    def passed(table: Text) -> Iterator[str]:
        nonlocal count
        for piece in pieces_of(table):
            count += formulas_in(piece)
            yield piece

    yield passed
    if count:
        many = "1 cell begins" if count == 1 else f"{count} cells begin"
        warn(f"{many} like a spreadsheet formula: import the table as text")


def formulas_in(table: str) -> int:
    """The number of cells that a spreadsheet may take for formulas.

    Args:
        table: rows in CSV.

    >>> formulas_in("label,count\\n=A1,2\\n-1,3\\n")
    1
    """
    import csv  # only reports in CSV wait for it

    cells = (cell for row in csv.reader(io.StringIO(table, newline="")) for cell in row)
    return sum(map(_is_formula, cells))


def _is_formula(cell: str) -> bool:
    if len(cell) < 2 or cell[0] not in "=+-@\t\r":
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


def pieces_of(text: Text) -> Iterable[str]:
    """The pieces of a text; a text that is a string is one piece."""
    return (text,) if isinstance(text, str) else text


def write(result: Result, path: str, on_terminal: Callable[[str], str] = visible) -> None:
    """Write one result, whole or not at all; arguments and errors as for ``write_all``."""
    write_all({path: result}, on_terminal)


def write_all(
    results: Results, on_terminal: Callable[[str], str] = visible, folder: str = ""
) -> None:
    """Write all results, or none; each of them whole. Standard error says which files were made.

    Files are written to temporary files first. Standard output, pipes and devices come next,
    because output to them cannot be undone. Finally each temporary file replaces its target in one
    step; symbolic links are followed.

    Args:
        results: the text or bytes of each result, by path, or each path with its result; ``-`` is
            standard output. A text may be an iterator over its pieces: they are written as they
            come.
        on_terminal: makes from a text what a terminal is to show, if standard output is one.
        folder: the folder of all results, which standard error names instead of each file.

    Raises:
        InputError: a result cannot be written.
        BrokenPipeError: the reader of standard output stopped reading; the files are written.
    """
    places: dict[str, str] = {}
    streams: dict[str, IO[bytes]] = {}
    staged: dict[str, str] = {}
    broken_pipe: BrokenPipeError | None = None
    held = ExitStack()
    try:
        for path, result in results.items() if isinstance(results, Mapping) else results:
            _check_distinct(path, places)
            data = _bytes(path, result, on_terminal)
            with _naming(path):
                if is_read_once(path):
                    streams[path] = _held(data, held)
                else:
                    _stage(path, data, staged)
        for path, one in streams.items():
            with _naming(path):
                try:
                    _write_stream(path, one)
                except BrokenPipeError as error:  # the other results are still written
                    broken_pipe = error
        sizes = {path: os.path.getsize(temporary) for path, temporary in staged.items()}
        with defer_signals():
            for path, temporary in staged.items():
                with _naming(path):
                    os.replace(temporary, os.path.realpath(path))
    finally:
        held.close()
        for temporary in filter(os.path.lexists, staged.values()):
            os.unlink(temporary)
    _tell(sizes, folder)
    for place in {*map(os.path.dirname, staged.values())}:
        _remove_left(place)
    if broken_pipe is not None:
        raise broken_pipe


def _tell(sizes: dict[str, int], folder: str) -> None:
    """Say on standard error which files were written; ``folder``, if not empty, holds them all."""
    if folder:
        sizes = {f"{counted(len(sizes), 'file')} in {folder}": sum(sizes.values())}
    if sizes:
        files = ", ".join(f"{path} ({_in_words(size)})" for path, size in sizes.items())
        warn(f"wrote {files}")


def _remove_left(folder: str) -> None:
    """Remove the temporary files of runs that were killed, a day ago or longer."""
    with suppress(OSError):
        for one in os.scandir(folder or "."):
            is_ours = re.fullmatch(r"\.sereval-[0-9a-f]{16}", one.name)
            if is_ours and time.time() - one.stat(follow_symlinks=False).st_mtime > DAY:
                os.unlink(one.path)


def _in_words(size: int) -> str:
    """A number of bytes.

    >>> _in_words(812), _in_words(12345), _in_words(3_400_000)
    ('812 bytes', '12.3 kB', '3.4 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def _check_distinct(path: str, places: dict[str, str]) -> None:
    """Refuse two results for one file, also on file systems that ignore case.

    Args:
        path: the path of a result.
        places: the paths so far, by the files that they name; this one is added.
    """
    place = path if path == "-" else os.path.normcase(os.path.realpath(path))
    other = places.setdefault(place, path)
    if other != path:
        raise InputError(f"it is the same file as {other}, expected two files", path=path)


def _bytes(path: str, result: Result, on_terminal: Callable[[str], str]) -> Iterable[bytes]:
    if isinstance(result, bytes):
        return (result,)
    is_seen = path == "-" and sys.stdout.isatty()
    pieces = pieces_of(result)
    return (piece.encode() for piece in (map(on_terminal, pieces) if is_seen else pieces))


def _held(data: Iterable[bytes], until: ExitStack) -> IO[bytes]:
    """Keep a result until all files are written; a large one is kept on disk.

    Args:
        data: the pieces of the result.
        until: closes its temporary file.
    """
    held: IO[bytes] = io.BytesIO()
    for piece in data:
        if held.tell() > IN_MEMORY and isinstance(held, io.BytesIO):
            from tempfile import TemporaryFile  # slow to import; most results are small

            beginning = held.getbuffer()
            held = TemporaryFile()  # noqa: SIM115 - closed with the others
            until.callback(_forget, held)
            held.write(beginning)
        held.write(piece)
    held.seek(0)
    return held


def _forget(file: IO[bytes]) -> None:
    """Close a temporary file; an error of a full disk no longer matters."""
    with suppress(OSError):
        file.close()


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


def _stage(path: str, data: Iterable[bytes], staged: dict[str, str]) -> None:
    """Write a temporary file beside the target, with the permissions of the target."""
    if os.path.isdir(path) or not os.path.basename(path):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    import secrets  # only commands that write files wait for it

    place = os.path.realpath(path)
    with suppress(FileNotFoundError):
        os.lstat(place)  # a name that is too long fails before anything is written
    temporary = os.path.join(os.path.dirname(place), f".sereval-{secrets.token_hex(8)}")
    staged[path] = temporary  # before the file exists, so that it is always removed
    with open(temporary, "xb") as file:
        file.writelines(data)
    if os.path.exists(place):
        os.chmod(temporary, os.stat(place).st_mode & 0o777)


def _write_stream(path: str, data: IO[bytes]) -> None:
    if path != "-":
        with open(path, "wb") as file:
            _copy(data, file)
        return
    if isinstance(sys.stdout, ClosedStream):
        raise InputError("it is closed, expected a place for the result", path="standard output")
    sys.stdout.flush()
    _copy(data, sys.stdout.buffer)
    sys.stdout.flush()


def _copy(data: IO[bytes], file: BinaryIO) -> None:
    while piece := data.read(PIECE):
        file.write(piece)


def write_files(files: Results, folder: str, inputs: Sequence[str] = ()) -> None:
    """Write all files into a folder, or none of them; the folder is made if there is none.

    Args:
        files: the text or bytes of each file by its name, as for ``write_all``.
        folder: the path of the folder.
        inputs: files and folders that were read. No file in them is replaced.

    Raises:
        InputError: the folder or a file cannot be written.
    """
    named = files.items() if isinstance(files, Mapping) else files
    is_new = not os.path.exists(folder)
    try:
        with _naming(folder):
            os.makedirs(folder, exist_ok=True)
        write_all(_in_folder(named, folder, inputs), folder=folder)
    finally:
        if is_new and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _in_folder(
    files: Iterable[tuple[str, Result]], folder: str, inputs: Sequence[str]
) -> Iterator[tuple[str, Result]]:
    """The files with their paths; a path is free before its file is written."""
    for name, text in files:
        path = os.path.join(folder, name)
        check_free([path], inputs)
        yield path, text


def check_free(outputs: Iterable[str], inputs: Sequence[str]) -> None:
    """Check that no output replaces an input.

    Args:
        outputs: paths of files to be written.
        inputs: files and folders that are read. Every file in such a folder counts as read.

    Raises:
        InputError: an output is an input, or a folder.
    """
    for path in outputs:
        if os.path.isdir(path):
            raise InputError("it is a folder, expected a file or nothing", path=path)
        for read in filter(os.path.exists, inputs if os.path.exists(path) else ()):
            place = (os.path.dirname(path) or ".") if os.path.isdir(read) else path
            if os.path.samefile(read, place):
                raise InputError("it is among the files to be read, expected another", path=path)


def terminal_look() -> dict[str, Any]:
    """The width and the colours of standard output; empty if it is no terminal."""
    from rich.console import Console  # slow to import

    console = Console()
    if not console.is_terminal:
        return {}
    colour = None if console.no_color else console.color_system
    return {"width": console.width, "colour": colour}
