"""``sereval sweep``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from ..analysis.sweep import grid, sweep_pairs
from ..corpus.unread import joined
from ..errors import SerevalError
from ..report.sweep import CHARTS, SWEEPS, chart, check_matplotlib
from ..schemes.options import LONGEST
from .inputs import systems_options
from .outputs import output_options, suffix_of, writable_as
from .provenance import write_report
from .scoring import Wanted, parsed, scoring_of, scoring_options, workers_options
from .systems import system_names, system_option
from .unread import check_read, systems_of


def tolerances(text: str) -> tuple[int, ...]:
    """Tolerances in ms, none longer than ``score`` takes.

    >>> tolerances("0:0.1:0.05")
    (0, 50, 100)
    """
    given = grid(text)
    if given[-1] > LONGEST:
        raise SerevalError(f"found {text!r}, expected at most {LONGEST // 1000} s")
    return given


def drawable(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """The callback of ``--plot``: checks before any work that a chart can be drawn and written."""
    path = writable_as(CHARTS)(context, option, path)
    if path is not None:
        check_matplotlib()
    return path


@click.command()
@click.argument("ref")
@click.argument("hyps", metavar="HYP...", nargs=-1, required=True)
@click.option(
    "--tolerance",
    "grid_text",
    metavar="START:STOP:STEP",
    callback=parsed(tolerances),
    required=True,
    type=Wanted("tolerances in seconds, such as 0:1:0.05 or 0,0.1,0.3"),
    help="The tolerances, in seconds or with a unit: 0:1:0.05, or a list such as 0,0.1,0.3.",
)
@system_option
@systems_options
@scoring_options("sweep", "slots")
@workers_options
@click.option(
    "--plot",
    metavar="FILE",
    callback=drawable,
    help="Draw SER against tolerance there: .svg, .png or .pdf; needs sereval[plot].",
)
@output_options(SWEEPS)
def sweep(
    *,
    ref: str,
    hyps: Sequence[str],
    grid_text: tuple[int, ...],
    names: Sequence[str],
    plot: str | None,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Score each HYP against REF at many tolerances, through time: tables and a chart."""
    how, sides = scoring_of(given)
    systems = system_names(hyps, names)
    if plot is not None and len(grid_text) == 1:
        raise click.UsageError("found one tolerance, expected two or more for a curve")
    how = replace(how, settings=replace(how.settings, tolerance=(grid_text[0], grid_text[0])))
    of_each = systems_of(ref, hyps, how, **sides)
    owners = [name for name, own in zip(systems, of_each, strict=True) for _ in own.pairs]
    pairs = joined(of_each)
    result = sweep_pairs(pairs, owners, grid_text, how.settings, how.options.grammar)
    check_read([pairs], how.settings.labels)
    beside = {} if plot is None else {plot: chart(result, suffix_of(plot))}
    write_report(SWEEPS[format](result), format, output, beside)
