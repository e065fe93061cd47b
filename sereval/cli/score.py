"""``sereval score``."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from ..documents.tags import KEPT
from ..errors import one_line
from ..report import RENDERERS
from ..report.text import lost, read
from ..schemes.table import SCHEMES, schemes_that_count
from .inputs import options, side_options
from .outputs import output_options, writable
from .provenance import write_report
from .schemes import check_parts, mapping_options
from .scoring import (
    COLUMN_SCHEMES,
    neutral_option,
    scoring_with,
    words_options,
    workers_options,
)


def _writable_if_given(
    context: click.Context, option: click.Parameter, path: str | None
) -> str | None:
    return None if path is None else writable(context, option, path)


def _is_default(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.DEFAULT


scheme_options = [
    *mapping_options,
    click.option(
        "--elements",
        type=click.Choice(list(KEPT)),
        help="Which elements of trees are scored; without it trees are refused (conll, "
        "evalita2011).",
    ),
    click.option(
        "--repair",
        "is_repaired",
        is_flag=True,
        help="Do not let an inserted word make two entities of one (evalita2011).",
    ),
    click.option(
        "--aligned",
        metavar="FILE",
        callback=_writable_if_given,
        help="Write the aligned columns there (evalita2011).",
    ),
    click.option(
        "--upper-bound",
        "is_bound",
        is_flag=True,
        help="Score what a perfect tagger would find on HYP's words, in the place of its elements; "
        "unplaceable ones are missed, unless --unplaceable says otherwise.",
    ),
]


@click.command()
@click.argument("ref")
@click.argument("hyp")
@side_options
@words_options
@scoring_with(SCHEMES)
@neutral_option
@options(*scheme_options)
@workers_options
@output_options(RENDERERS)
def score(*, ref: str, hyp: str, scheme: str, format: str, output: str, **given: Any) -> None:
    """Score HYP against REF: slot error rate, precision, recall and F1."""
    check_parts(click.get_current_context(), scheme)
    mode = "repair" if given.pop("is_repaired") else "official"
    chosen = {"mode": mode, **{name: given.pop(name) for name in ("extent", "mapping", "elements")}}
    aligned, is_bound = given.pop("aligned"), given.pop("is_bound")
    if is_bound and _is_default("unplaceable"):
        given["unplaceable"] = "miss"  # dropped elements would leave nothing to reach
    beside: dict[str, str] = {}
    if scheme in COLUMN_SCHEMES:
        from ..schemes.result import Options
        from .columns import score_columns

        sides = {"options": Options(**chosen), "is_bound": is_bound, "aligned": aligned, **given}
        report, beside = score_columns((scheme, format), ref, hyp, **sides)
    elif scheme in schemes_that_count("elements"):
        from ..report.scheme import FORMATS
        from ..schemes.result import Options
        from .unread import scheme_sides

        for name in ("costs", "neutral", "pairing"):
            del given[name]
        found = scheme_sides(scheme, ref, hyp, chosen=Options(**chosen), **given)
        report = FORMATS[format](found)
        if format == "csv" and found.notes:
            click.echo("\n".join(map(one_line, found.notes)), err=True)
    else:
        from .unread import count_sides

        evaluation = count_sides(ref, hyp, scheme=scheme, is_bound=is_bound, **given)
        report = RENDERERS[format](evaluation)
        if format == "csv" and evaluation.counts.unplaceable:  # the other formats have a place
            click.echo(lost(evaluation), err=True)
        if format == "csv" and evaluation.settings.labels.is_asked:
            click.echo("\n".join(read(evaluation)), err=True)
    write_report(report, format, output, beside)
