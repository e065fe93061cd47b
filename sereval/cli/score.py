"""``sereval score``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..errors import one_line
from ..evaluation.totals import Score
from ..formats import ANNOTATIONS
from ..formats.registry import SUFFIXES
from ..report import RENDERERS
from ..report.text import reading_notes, unplaceable_note
from .inputs import side_options
from .measures import measure_sides, measures_option
from .outputs import output_options
from .provenance import write_report
from .scoring import scoring_of, scoring_options, workers_options
from .unread import score_sides

if TYPE_CHECKING:
    from ..schemes.measure import Measure


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("score", "slots", "elements", "tags")
@measures_option
@workers_options
@output_options(RENDERERS)
def score(
    *,
    ref: str,
    hyp: str,
    measures: tuple[Measure, ...] | None,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    if measures is not None:
        from ..report.measures import FORMATS as MEASURED

        values = measure_sides(ref, hyp, measures, given)
        report = MEASURED[format](values)
        if format == "csv" and values.notes:
            click.echo("\n".join(map(one_line, values.notes)), err=True)
        write_report(report, format, output, {})
        return
    how, sides = scoring_of(given)
    aligned = sides.pop("aligned")
    how = replace(how, options=how.options._replace(aligned=aligned))
    beside: dict[str, str] = {}
    said: list[str] = []  # what the format has no place for
    if how.scheme.counts == "tags":
        sides["formats"] = {"ref": ANNOTATIONS, "hyp": ANNOTATIONS}  # tags have places
        for side, path in (("ref_format", ref), ("hyp_format", hyp)):
            sides[side] = sides[side] or ("columns" if _holds_columns(path) else None)
    found = score_sides(ref, hyp, how, how.count, **sides)
    if isinstance(found, Score):
        report = RENDERERS[format](found)
        said += [unplaceable_note(found)] if found.counts.unplaceable else []
        said += reading_notes(found) if found.settings.labels.has_changes else []
    else:
        from ..report.conlleval import aligned_file
        from ..report.scheme import FORMATS

        report = FORMATS[format](found)
        said += [] if how.scheme.counts == "tags" else map(one_line, found.notes)
        if aligned is not None:
            beside[aligned] = aligned_file(found.aligned)
    if format == "csv" and said:
        click.echo("\n".join(said), err=True)
    write_report(report, format, output, beside)


def _holds_columns(path: str) -> bool:
    """Whether a path is a folder with files of columns, of which no other files are read."""
    names = os.listdir(path) if os.path.isdir(path) else []
    return any(SUFFIXES.get(os.path.splitext(name)[1].lower()) == "columns" for name in names)
