"""``sereval audit``."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ..audit import Audit, Row
from ..audit import audit as rows_of
from ..errors import InputError, SerevalError
from ..report import AUDIT_FILES, AUDITS
from ..report.audit_text import LOST
from ..score import Slot
from .inputs import options, side_options
from .outputs import output_option, write
from .scoring import parsed, score_sides, scoring_options, tolerance_option

CLASSES = (*(slot.value for slot in Slot), LOST)
FORMATS = (*AUDITS, *AUDIT_FILES)


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
        names = {LOST} if row.why is not None else set()
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
@tolerance_option
@scoring_options
@filter_options
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="Format of the result: text shows errors, the others show all elements.",
)
@output_option("PATH", "Write there instead of to standard output; for textgrid, a folder.")
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
    **given: Any,
) -> None:
    """Show why HYP got its score: every element, its class, its partner, where it may sit.

    The options that say what is shown change nothing of what is computed.
    """
    if format in AUDIT_FILES and output == "-":
        raise click.UsageError(f"--format {format} makes files, expected -o and a folder")
    evaluation = score_sides(ref, hyp, **given)
    audits = [a for a in rows_of(evaluation) if not documents or a.id in documents]
    wanted = Filter(classes or (), labels, correct or format != "text")
    if (classes or labels or documents) and not _count(audits, wanted):
        click.echo("sereval: no element is of what is to be shown", err=True)
    if format in AUDIT_FILES:
        inputs = [ref, hyp, *filter(None, (given["align"], given["words"]))]
        write_files(AUDIT_FILES[format](audits, evaluation, wanted), output, inputs)
    else:
        look = terminal() if format == "text" and output == "-" else {}
        write(AUDITS[format](audits, evaluation, wanted, **look), output)


def _count(audits: Sequence[Audit], wanted: Filter) -> int:
    return sum(wanted(row, partner) for one in audits for row, partner in one.with_partners())


def terminal() -> dict[str, Any]:
    """Width and colours of standard output; nothing where nobody looks at it."""
    from rich.console import Console  # slow to import

    console = Console()
    if not console.is_terminal:
        return {}
    colour = None if console.no_color else console.color_system
    return {"width": console.width, "colour": colour}


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
