"""``sereval score``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..evaluation.totals import Score
from ..formats import ANNOTATIONS
from ..formats.registry import SUFFIXES
from ..report import FORMATS, render
from ..report.text import reading_notes, unplaceable_note
from .inputs import side_options
from .measures import (
    alternatives_of,
    alternatives_option,
    biasing_of,
    biasing_option,
    measure_sides,
    measures_option,
)
from .outputs import output_options
from .pairs import score_sides
from .provenance import write_report
from .scoring import scoring_of, scoring_options, workers_options
from .streams import print_notes

if TYPE_CHECKING:
    from ..schemes.measure import Measure


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("score", "slots", "elements", "lists", "tags")
@measures_option
@biasing_option
@alternatives_option
@workers_options
@output_options(FORMATS)
def score(
    *,
    ref: str,
    hyp: str,
    measures: tuple[Measure, ...] | None,
    biasing: str | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Score HYP against REF.

    The report has the slot error rate, precision, recall and F1, by label and by document.
    """
    if measures is not None:
        from ..report.measures import FORMATS as MEASURED

        measured = measure_sides(ref, hyp, measures, biasing, values)
        report = MEASURED[format](measured)
        if format == "csv":
            print_notes(measured.notes)
        write_report(report, format, output, {})
        return
    biasing_of(biasing, ())
    values["alternatives"] = alternatives_of(values["alternatives"], ())
    how, sides = scoring_of(values)
    aligned = sides.pop("aligned")
    how = replace(how, options=how.options._replace(aligned=aligned))
    beside: dict[str, str] = {}
    notes: list[str] = []  # CSV has no place for them
    if how.scheme.counts == "tags":
        sides["formats"] = {"ref": ANNOTATIONS, "hyp": ANNOTATIONS}  # mentions have no tags
        for side, path in (("ref_format", ref), ("hyp_format", hyp)):
            sides[side] = sides[side] or ("columns" if _has_columns(path) else None)
    found = score_sides(ref, hyp, how, how.count, **sides)
    if isinstance(found, Score):
        report = render(found, format)
        notes += [unplaceable_note(found)] if found.counts.unplaceable else []
        notes += reading_notes(found) if found.settings.labels.has_changes else []
    else:
        from ..report.conlleval import aligned_file
        from ..report.scheme import FORMATS as OF_SCHEMES

        report = OF_SCHEMES[format](found)
        notes += [] if how.scheme.counts == "tags" else found.notes
        if aligned is not None:
            beside[aligned] = aligned_file(found.aligned)
    if format == "csv":
        print_notes(notes)
    write_report(report, format, output, beside)


def _has_columns(path: str) -> bool:
    """Whether a path is a folder with files of columns; then its other files are not read."""
    names = os.listdir(path) if os.path.isdir(path) else []
    return any(SUFFIXES.get(os.path.splitext(name)[1].lower()) == "columns" for name in names)
