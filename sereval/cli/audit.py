"""``sereval audit``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from ..analysis.audit import UNPLACEABLE, Audit, AuditRow
from ..analysis.audit import audit as rows_of
from ..analysis.audit_report import report_of
from ..analysis.rates import AnyScore
from ..errors import SerevalError
from ..measures.slots import Slot
from ..render.report import Look
from ..runs import api
from ..runs.sides import check_ids
from ..schemes.table import OUTCOMES
from .help import command, option
from .inputs import document_option, label_option, side_options, warn_of_unknown
from .measures import alternatives_option, measure_option
from .options import options, parsed
from .outputs import output_options, terminal_look, write_files
from .pages import HTML, PageOptions, page_options
from .provenance import write_report
from .scoring import asked_of, scoring_options, workers_options
from .streams import fitted, visible, warn

CLASSES = (*(slot.value for slot in Slot), UNPLACEABLE)
FORMATS = ("text", "jsonl", "csv", "textgrid", HTML)


def class_names(text: str) -> tuple[str, ...]:
    """Names of classes, with commas between them.

    Raises:
        SerevalError: a name is no class.

    >>> class_names("S_T,D")
    ('S_T', 'D')
    """
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if name not in CLASSES:
            raise SerevalError(f"found {name!r}, expected some of {','.join(CLASSES)}")
    return names


@dataclass(frozen=True, slots=True)
class ElementFilter:
    """Selects the elements that are shown: both elements of a pair, or neither.

    Args:
        classes: names of classes; none: the classes that the format shows by default.
        labels: labels, one of which the element or its partner has or accepts; none: any label.
        correct: whether correct elements are shown if no class is named.
    """

    classes: tuple[str, ...]
    labels: tuple[str, ...]
    correct: bool

    def __call__(self, row: AuditRow, partner: AuditRow | None) -> bool:
        names = {UNPLACEABLE} if row.why is not None else set()
        if row.slot is not None:
            names.add(row.slot.value)
        labels = {*row.labels, *(partner.labels if partner else ())}
        return (
            not names.isdisjoint(self.classes) if self.classes else self.correct or row.is_error
        ) and (not self.labels or not labels.isdisjoint(self.labels))


filter_options = options(
    option(
        "--all",
        "correct",
        group="Selection",
        is_flag=True,
        help="Show correct elements too, in the format text.",
    ),
    option(
        "--class",
        "classes",
        group="Selection",
        metavar="CLASSES",
        callback=parsed(class_names),
        help=f"Show elements of these classes only, any of {','.join(CLASSES)}.",
    ),
    label_option("Show only elements with this label or whose partner has it. May be repeated."),
    document_option,
)


@command(
    examples=(
        "audit data/ref data/hyp/gazetteer/manual",
        "audit data/ref data/hyp/gazetteer/asr -a data/align -w data/asr -t 0.3",
        "audit data/ref data/hyp/gazetteer/manual -o audit.html",
    )
)
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("audit", *OUTCOMES)
@measure_option
@alternatives_option
@workers_options
@filter_options
@output_options(
    FORMATS,
    "Format of the result. text shows errors, the others show all elements.",
    "PATH",
    "Write to this file, in the format of its suffix; for textgrid, and with --split, to this "
    "folder.",
)
@page_options
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
    size: int | None,
    **values: Any,
) -> None:
    """Explain a score: show each element with its outcome.

    The outcome is its class, its partner, its cost and the places where it may stand. --all,
    --class, --label and --document select the elements to show. They change no score.
    """
    wanted = ElementFilter(classes or (), labels, correct or format != "text")
    page = PageOptions(output, audio, size)
    _check_usage(format, page, is_filtered=bool(classes or labels or documents))
    score = api.audit(asked_of(values), ref, hyp)
    inputs = [ref, hyp, *filter(None, (values["align"], values["words"])), *values["alternatives"]]
    if format == HTML:
        page.write(score, f"{hyp} against {ref}", inputs)
        return
    shown = _ShownAudits(score, wanted, labels, documents)
    if format == "textgrid":
        from ..report.audit_textgrid import render  # slow to import

        write_files(render(shown, score, wanted), output, inputs)
    else:
        look = Look(width=100)
        if format == "text" and output == "-":
            look = look._replace(**terminal_look())
        # text holds no control characters but its colours
        shows = partial(fitted, width=look.width) if format == "text" else visible
        write_report(report_of(shown, score, wanted, wanted), format, output, None, shows, look)
    shown.warn_if_none()


class _ShownAudits:
    """The audits of the documents to show, one by one; what the filters match is noted.

    Args:
        score: the score.
        wanted: selects the elements to show.
        labels: the labels that the user names.
        documents: the ids of the documents to show; none: all.

    Raises:
        SerevalError: no document has one of the ids.
    """

    def __init__(
        self,
        score: AnyScore,
        wanted: ElementFilter,
        labels: Sequence[str],
        documents: Sequence[str],
    ) -> None:
        check_ids(score.ids, documents)
        self.score, self.wanted, self.labels, self.documents = score, wanted, labels, documents
        filters = [f"--class {','.join(wanted.classes)}"] if wanted.classes else []
        filters += [f"--label {label}" for label in wanted.labels]
        self.filters = [*filters, *(f"--document {id}" for id in documents)]
        self.known: set[str] = set()
        self.has_any = False

    def __iter__(self) -> Iterator[Audit]:
        for one in rows_of(self.score):
            if self.labels:
                self.known.update(name for row in one.rows for name in row.labels)
            if not self.documents or one.id in self.documents:
                if self.filters and not self.has_any:
                    self.has_any = any(self.wanted(*pair) for pair in one.with_partners())
                yield one

    def warn_if_none(self) -> None:
        """Warn if the filters matched no element, which may be a typing error."""
        is_known = not warn_of_unknown(self.labels, self.known)
        if is_known and self.filters and not self.has_any:
            warn(f"no element matches {' '.join(self.filters)}")


def _check_usage(format: str, page: PageOptions, *, is_filtered: bool) -> None:
    if format == "textgrid" and page.output == "-":
        raise click.UsageError(f"--format {format} makes files, expected -o and a folder")
    page.check(format)
    if format == HTML and is_filtered:
        raise click.UsageError(
            "--format html shows all elements and has its own filters, expected it without "
            "--class, --label and --document"
        )
