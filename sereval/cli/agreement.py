"""``sereval agreement``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ..runs import api
from ..runs.annotators import agreement_of
from .help import command, option
from .inputs import check_paths, print_path_notes, side_options
from .options import AtLeast
from .outputs import output_options
from .provenance import write_report
from .scoring import asked_of, scoring_options, workers_options


@command(
    examples=(
        "agreement data/ref data/hyp/gazetteer/manual",
        "agreement data/ref data/hyp/gazetteer/asr --by text",
        "agreement data/ref data/hyp/gazetteer/manual --only outermost",
    )
)
@click.argument("a")
@click.argument("b", metavar="[B]", required=False)
@click.argument("others", metavar="[C]...", nargs=-1)
@option(
    "--places",
    group="Scoring",
    metavar="N",
    type=AtLeast(0),
    default=0,
    help="Number of places where an annotator could have put an element; by default only places "
    "with an element on either side count.",
)
@option(
    "--open",
    "is_open",
    group="Scoring",
    is_flag=True,
    help="Count a substitution as two missing elements, one on each side, not as a disagreement.",
)
@side_options
@scoring_options("agreement", "slots")
@workers_options
@output_options(("text", "json", "csv"))
def agreement(
    *,
    a: str,
    b: str | None,
    others: tuple[str, ...],
    places: int,
    is_open: bool,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Measure the agreement of two annotators, or of more.

    A and B are their annotations of the same documents. The figures are S, pi, kappa and F. In the
    options, REF is A and HYP is B. For three or more annotators, or one export of Label Studio with
    several, the figures are Fleiss' kappa, Krippendorff's alpha and F.
    """
    if b is None or others:
        if is_open:
            raise click.UsageError("--open has no effect with several annotators, expected two")
        paths = [a, *([b] if b else []), *others]
        check_paths(paths)
        of_several = agreement_of(paths, asked_of(values), places, print_path_notes)
        write_report(of_several.report(), format, output)
        return
    found = replace(api.agreement(asked_of(values), a, b), places=places, is_open=is_open)
    write_report(found.report(), format, output)
