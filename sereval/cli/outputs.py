"""Where results go, and what is shown while they are made."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click

from ..errors import InputError
from ..evaluate import Pair
from .inputs import options


def output_options(formats: Iterable[str]) -> Callable[[Any], Any]:
    """Where the result goes and what it looks like; the first format is the default."""
    names = list(formats)
    return options(
        click.option(
            "--format",
            type=click.Choice(names),
            default=names[0],
            show_default=True,
            help="Of the result.",
        ),
        click.option(
            "-o", "--output", default="-", metavar="FILE", help="Instead of standard output."
        ),
    )


def _umask() -> int:
    """The permissions that new files are not given; can only be asked by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def with_progress(pairs: Sequence[Pair]) -> Iterator[Pair]:
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


def write(text: str, path: str) -> None:
    """Write a result, whole or not at all."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        if path == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
            return
        folder = os.path.dirname(path) or "."
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".sereval-", delete=False) as file:
            try:
                file.write(data)
                file.close()
                os.chmod(file.name, 0o666 & ~_umask())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
