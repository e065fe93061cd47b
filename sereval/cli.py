"""The command line: arguments to calls to files.

The only place that prints, opens outputs and sets an exit status: 0 done, 1 bad input (one line on
stderr, nothing on stdout, no output file), 2 usage. Standard output carries nothing but results.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from . import __version__
from .errors import InputError, SerevalError
from .evaluate import MISSING, Pair, Settings, evaluate, paired, projection
from .grammar import load
from .model import Document, Reference
from .project import POLICIES
from .readers import parse_duration, read
from .report import PROJECTIONS, RENDERERS
from .score import Costs
from .words import time_words

ANNOTATIONS = ("inline", "native")
TIMES = ("textgrid", "ctm", "native")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        arguments: without the program's name; ``None``: those of this process.
    """
    try:
        cli.main(arguments, prog_name="sereval", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SerevalError as error:
        click.echo(f"sereval: {error}", err=True)
        return 1
    except click.Abort:
        click.echo("sereval: interrupted", err=True)
        return 130
    except SystemExit as stop:  # from --help and --version
        return int(stop.code or 0)
    return 0


def parsed(parse: Callable[[str], Any]) -> Callable[[Any, Any, str | None], Any]:
    """An option's callback that parses its text; what is wrong with it is a usage error."""

    def callback(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
        try:
            return None if text is None else parse(text)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def tolerance_pair(text: str) -> tuple[int, int]:
    """A tolerance in ms for starts and one for ends, from one duration or two.

    >>> tolerance_pair("0.3"), tolerance_pair("0.3,500ms")
    ((300, 300), (300, 500))
    """
    given = [parse_duration(part) for part in text.split(",")]
    if len(given) > 2:
        raise SerevalError(f"found {text!r}, expected one duration, or two: START,END")
    return given[0], given[-1]


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order of ``--help``."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def _format_option(side: str, formats: Iterable[str]) -> Callable[[Any], Any]:
    return click.option(
        f"--{side}-format",
        type=click.Choice(list(formats)),
        help=f"Format of {side.upper()}; by default its suffix says it.",
    )


side_options = options(
    click.option("--align", metavar="TIMES", help="Times of REF's words: TextGrid, CTM or native."),
    click.option("--words", metavar="TIMES", help="Times of HYP's words: CTM, TextGrid or native."),
    _format_option("ref", ANNOTATIONS),
    _format_option("hyp", (*ANNOTATIONS, "textgrid", "ctm")),
    _format_option("align", TIMES),
    _format_option("words", TIMES),
    click.option("--tier", help="Exact name of the TextGrid tier that holds the words."),
    click.option("--encoding", default="utf-8", show_default=True, help="Of the input files."),
)

unplaceable_option = click.option(
    "--unplaceable",
    type=click.Choice(list(POLICIES)),
    default="drop",
    show_default=True,
    help="What becomes of the reference elements that the words have no place for.",
)

TOLERANCE_HELP = (
    "Carry REF onto HYP's words through time, with this tolerance on either side of a frontier: "
    "seconds, or with a unit (300ms); START,END for two."
)


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


@click.group(context_settings={"max_content_width": 100})
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Score structured named entities found in speech and other noisy text.

    REF, HYP and TIMES are files, folders, or - for standard input; documents pair by name.
    """


@cli.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@click.option(
    "--tolerance",
    metavar="SECONDS",
    callback=parsed(tolerance_pair),
    help=f"{TOLERANCE_HELP} Without it both sides must have the same words.",
)
@unplaceable_option
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    default="error",
    show_default=True,
    help="What a reference without a hypothesis is.",
)
@click.option(
    "--costs",
    metavar="COSTS",
    callback=parsed(Costs.parse),
    help="Of errors: S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1.",
)
@click.option("--grammar", help="Tells types from components: a bundled grammar or a TOML file.")
@output_options(RENDERERS)
def score(
    *,
    ref: str,
    hyp: str,
    tolerance: tuple[int, int] | None,
    unplaceable: str,
    missing: str,
    costs: Costs | None,
    grammar: str | None,
    format: str,
    output: str,
    **sides: Any,
) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    references, hypotheses = _sides(ref, hyp, empty=missing == "empty", **sides)
    evaluation = evaluate(
        references,
        hypotheses,
        tolerance=tolerance,
        unplaceable=unplaceable,
        costs=costs,
        missing=missing,
        grammar=load(grammar) if grammar else None,
        watch=_with_progress,
    )
    _write(RENDERERS[format](evaluation), output)


@cli.command()
@click.argument("ref")
@click.argument("hyp", required=False)
@side_options
@click.option(
    "--tolerance",
    metavar="SECONDS",
    callback=parsed(tolerance_pair),
    required=True,
    help=TOLERANCE_HELP,
)
@unplaceable_option
@output_options(PROJECTIONS)
def project(
    *,
    ref: str,
    hyp: str | None,
    tolerance: tuple[int, int],
    unplaceable: str,
    format: str,
    output: str,
    **sides: Any,
) -> None:
    """Carry REF onto the words of HYP, or of --words, through time: the fuzzy reference."""
    references, hypotheses = _sides(ref, hyp, empty=True, **sides)
    settings = Settings(tolerance, unplaceable)
    projected = [
        (reference, projection(reference, hypothesis, settings)[0])
        for reference, hypothesis in paired(_exact(references), hypotheses, settings)
    ]
    _write(PROJECTIONS[format](projected), output)


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--grammar", required=True, help="A bundled grammar, or a TOML file.")
@click.option("--strict", is_flag=True, help="Fail if there is any violation.")
@click.option(
    "--from",
    "format",
    type=click.Choice(ANNOTATIONS),
    help="Format of the files; by default the suffix says it.",
)
@click.option("--encoding", default="utf-8", show_default=True, help="Of the files.")
def check(
    *, files: Sequence[str], grammar: str, strict: bool, format: str | None, encoding: str
) -> None:
    """List where annotated FILES break a grammar."""
    rules = load(grammar)
    found = [
        f"{document.source}:{violation.line}: {violation.message}"
        for path in files
        for document in _exact(read(path, format=format, encoding=encoding, wanted=ANNOTATIONS))
        for violation in rules.violations(document)
    ]
    if found and strict:
        raise SerevalError("\n".join(found))
    _write("".join(f"{line}\n" for line in found), "-")


def _sides(
    ref: str, hyp: str | None, *, empty: bool, **given: Any
) -> tuple[list[Document | Reference], list[Document]]:
    """Read both sides, and give their words the times that stand in other files.

    Args:
        empty: whether words without a hypothesis are a hypothesis without elements.
    """
    common = {"encoding": given["encoding"], "tier": given["tier"]}

    def reading(path: str, side: str, wanted: Sequence[str]) -> list[Document | Reference]:
        return read(path, format=given[f"{side}_format"], wanted=wanted, **common)

    references = reading(ref, "ref", ANNOTATIONS)
    hypotheses = (
        [] if hyp is None else _exact(reading(hyp, "hyp", (*ANNOTATIONS, "textgrid", "ctm")))
    )
    references, hypotheses = _named(references, hypotheses)
    if given["align"]:
        times = _exact(reading(given["align"], "align", TIMES))
        references = [_timed(document, times) for document in references]
    if given["words"]:
        times = _exact(reading(given["words"], "words", TIMES))
        known = {document.id for document in hypotheses}
        hypotheses = [_timed(document, times) for document in hypotheses]
        if empty:
            wanted = {document.id for document in references} - known
            hypotheses += [words for words in times if words.id in wanted]
    return references, hypotheses


def _exact(documents: Iterable[Document | Reference]) -> list[Document]:
    """Documents that are not fuzzy references."""
    exact = []
    for document in documents:
        if isinstance(document, Reference):
            raise SerevalError(
                f"{document.id}: found a fuzzy reference (starts and ends), "
                "expected a document with one start and end for each element"
            )
        exact.append(document)
    return exact


def _named(
    references: list[Document | Reference], hypotheses: list[Document]
) -> tuple[list[Document | Reference], list[Document]]:
    """Give a document from standard input, which has no name, the name of the other side's."""
    if len(references) == 1 == len(hypotheses):
        [reference], [hypothesis] = references, hypotheses
        if hypothesis.id == "-":
            return references, [replace(hypothesis, id=reference.id)]
        if reference.id == "-":
            return [replace(reference, id=hypothesis.id)], hypotheses
    return references, hypotheses


def _timed(document: Document | Reference, times: Sequence[Document]) -> Document:
    """A document with the times of the time file of its name."""
    [exact] = _exact([document])
    of_id = {timed.id: timed for timed in times}
    if document.id not in of_id:
        raise SerevalError(
            f"document {document.id} has no times, expected some of that name among: "
            f"{', '.join(sorted(of_id)[:3])}{', …' if len(of_id) > 3 else ''}"
        )
    return time_words(exact, of_id[document.id])


def _umask() -> int:
    """The permissions that new files are not given; can only be asked by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _with_progress(pairs: Sequence[Pair]) -> Iterator[Pair]:
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


def _write(text: str, path: str) -> None:
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
