"""``sereval audit``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ..analysis.audit import Audit, Row
from ..analysis.audit import audit as rows_of
from ..analysis.rates import AnyScore, by_document
from ..errors import InputError, SerevalError, one_line
from ..measures.slots import Slot
from ..report.audits import AUDIT_FILES, AUDITS
from ..report.cases import UNPLACEABLE
from .inputs import check_ids, options, say_unknown, side_options
from .measures import measure_option, with_measure
from .outputs import check_terminal, output_option, say_formulas, write, write_files
from .provenance import origin, with_origin
from .scoring import parsed, scoring_of, scoring_options, workers_options
from .streams import visible
from .unread import score_sides

CLASSES = (*(slot.value for slot in Slot), UNPLACEABLE)
HTML = "html"
FORMATS = (*AUDITS, *AUDIT_FILES, HTML)


def class_names(text: str) -> tuple[str, ...]:
    """Classes from their names with commas between.

    Raises:
        SerevalError: not a class.

    >>> class_names("S_T,D")
    ('S_T', 'D')
    """
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if name not in CLASSES:
            raise SerevalError(f"found {name!r}, expected some of {','.join(CLASSES)}")
    return names


@dataclass(frozen=True, slots=True)
class Filter:
    """Which elements are shown; both elements of a pair, or neither.

    Args:
        classes: names of classes; none: those that the format shows by itself.
        labels: that the element or its partner has, accepted ones too; none: any.
        correct: whether correct elements are shown where no class is named.
    """

    classes: tuple[str, ...]
    labels: tuple[str, ...]
    correct: bool

    def __call__(self, row: Row, partner: Row | None) -> bool:
        names = {UNPLACEABLE} if row.why is not None else set()
        if row.slot is not None:
            names.add(row.slot.value)
        labels = {*row.labels, *(partner.labels if partner else ())}
        return (
            not names.isdisjoint(self.classes) if self.classes else self.correct or row.is_error
        ) and (not self.labels or not labels.isdisjoint(self.labels))


filter_options = options(
    click.option("--all", "correct", is_flag=True, help="Show correct elements too, as text."),
    click.option(
        "--class",
        "classes",
        metavar="CLASSES",
        callback=parsed(class_names),
        help=f"Show elements of these classes only: some of {','.join(CLASSES)}.",
    ),
    click.option(
        "--label",
        "labels",
        metavar="LABEL",
        multiple=True,
        help="Show elements only that have this label, or whose partner has it; may be repeated.",
    ),
    click.option(
        "--document",
        "documents",
        metavar="ID",
        multiple=True,
        help="Show this document only; may be repeated.",
    ),
)


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("audit", "slots", "elements")
@measure_option
@workers_options
@filter_options
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="Format of the result: text shows errors, the others show all elements.",
)
@output_option(
    "PATH", "Write there, not to standard output: a file; for textgrid a folder; for html either."
)
@click.option(
    "--audio", metavar="DIR", help="Recordings for html: ID.wav, .flac, .mp3, .ogg or .m4a."
)
def audit(
    *,
    ref: str,
    hyp: str,
    correct: bool,
    classes: tuple[str, ...] | None,
    labels: tuple[str, ...],
    documents: tuple[str, ...],
    format: str,
    output: str,
    audio: str | None,
    **given: Any,
) -> None:
    """Show why HYP got its score: every element, its class, its partner, where it may sit.

    The options that say what is shown change nothing of what is computed.
    """
    wanted = Filter(classes or (), labels, correct or format != "text")
    _check_usage(format, output, audio, is_filtered=bool(classes or labels or documents))
    given = with_measure(given, "slots", "elements")
    how, sides = scoring_of(given, besides=("align", "words"))  # shown, if not looked at
    score = score_sides(ref, hyp, how, how.score, **sides)
    inputs = [ref, hyp, *filter(None, (given["align"], given["words"]))]
    if format == HTML:
        write_pages(score, f"{hyp} against {ref}", output, audio, inputs)
        return
    every = list(rows_of(score))
    check_ids(documents, [one.id for one in every])
    audits = [one for one in every if not documents or one.id in documents]
    if not say_unknown(labels, (name for one in every for row in one.rows for name in row.labels)):
        _say_if_none(audits, wanted, documents)
    if format in AUDIT_FILES:
        write_files(AUDIT_FILES[format](audits, score, wanted), output, inputs)
    else:
        look = terminal() if format == "text" and output == "-" else {}
        # colours are commands to a terminal, and a text has no others
        on_terminal = str if format == "text" else visible
        text = AUDITS[format](audits, score, wanted, **look)
        if format == "text":
            text = with_origin(text, origin(click.get_current_context()))
        write(text, output, on_terminal)
        if format == "csv":
            say_formulas(text)


def _check_usage(format: str, output: str, audio: str | None, *, is_filtered: bool) -> None:
    if format in AUDIT_FILES and output == "-":
        raise click.UsageError(f"--format {format} makes files, expected -o and a folder")
    if format == HTML:
        check_terminal(format, output)
    if format == HTML and is_filtered:
        raise click.UsageError("the page has all elements, and filters of its own")
    if format != HTML and audio is not None:
        raise click.UsageError(f"--audio is for --format {HTML}")


def _say_if_none(audits: Sequence[Audit], wanted: Filter, documents: Sequence[str]) -> None:
    """A warning on stderr if the filters match no element, which may be a typing error."""
    asked = [f"--class {','.join(wanted.classes)}"] if wanted.classes else []
    asked += [f"--label {label}" for label in wanted.labels]
    asked += [f"--document {id}" for id in documents]
    rows = (pair for one in audits for pair in one.with_partners())
    if asked and not any(wanted(*pair) for pair in rows):
        click.echo(f"sereval: no element matches {one_line(' '.join(asked))}", err=True)


def terminal() -> dict[str, Any]:
    """Width and colours of standard output; nothing if it is no terminal."""
    from rich.console import Console  # slow to import

    console = Console()
    if not console.is_terminal:
        return {}
    colour = None if console.no_color else console.color_system
    return {"width": console.width, "colour": colour}


def write_pages(
    score: AnyScore, title: str, output: str, audio: str | None, inputs: Sequence[str]
) -> None:
    """Write the page: into one file if the output ends in .html or .htm, else into a folder."""
    from ..report.page import recordings, render  # slow to import

    is_file = output == "-" or output.lower().endswith((".html", ".htm"))
    beside = os.path.dirname(output) if is_file else output
    links = None
    if audio is not None:
        ids = list(by_document(score))
        try:
            links = recordings(audio, ids, beside)
        except OSError as error:
            raise InputError(error.strerror or str(error), path=audio) from None
        _say_if_silent(audio, ids, links)
    files = render(score, title=one_line(title), audio=links, one_file=is_file)
    if is_file:
        write(files["index.html"], output)
    else:
        write_files(files, output, inputs)


def _say_if_silent(folder: str, ids: Sequence[str], links: Mapping[str, str]) -> None:
    """A warning on stderr if documents have no recording of their name."""
    silent = [id for id in ids if id not in links]
    if silent:
        found = f"recordings for {len(links)} of {len(ids)} documents in {folder}"
        names = f"ID.wav, .flac, .mp3, .ogg or .m4a, such as {silent[0]}.wav"
        click.echo(f"sereval: {one_line(f'{found}; expected {names}')}", err=True)
