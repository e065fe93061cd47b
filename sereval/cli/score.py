"""``sereval score``."""

from __future__ import annotations

from typing import Any

import click

from ..errors import one_line
from ..evaluation.totals import Score
from ..report import RENDERERS
from ..report.text import lost, read
from .inputs import side_options
from .outputs import output_options
from .provenance import write_report
from .scoring import scoring_of, scoring_options, workers_options
from .unread import score_sides


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("score", "slots", "elements", "tags")
@workers_options
@output_options(RENDERERS)
def score(*, ref: str, hyp: str, format: str, output: str, **given: Any) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    how, sides = scoring_of(given)
    aligned = sides.pop("aligned")
    beside: dict[str, str] = {}
    said: list[str] = []  # what the format has no place for
    if how.scheme.counts == "tags":
        from .columns import score_columns  # for this scheme

        report, beside = score_columns(ref, hyp, how, format=format, aligned=aligned, **sides)
    else:
        found = score_sides(ref, hyp, how, how.count, **sides)
        if isinstance(found, Score):
            report = RENDERERS[format](found)
            said += [lost(found)] if found.counts.unplaceable else []
            said += read(found) if found.settings.labels.is_asked else []
        else:
            from ..report.scheme import FORMATS

            report = FORMATS[format](found)
            said += map(one_line, found.notes)
    if format == "csv" and said:
        click.echo("\n".join(said), err=True)
    write_report(report, format, output, beside)
