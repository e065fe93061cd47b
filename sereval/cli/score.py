"""``sereval score``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..evaluation.report import VIEWS, WIDEST
from ..evaluation.totals import Evaluation
from ..render.report import Look, Report
from ..runs.measures import alternatives_beside, without_words
from ..runs.pairs import distinct_names, for_interval
from ..runs.scoring import ScoringOptions
from ..schemes.table import OUTCOMES
from .help import command, option
from .inputs import HOOKS, check_paths, check_read, score_sides, side_options
from .measures import alternatives_option, biasing_option, measure_sides, measures_option
from .options import choice_option
from .outputs import output_options, terminal_look
from .provenance import write_report
from .scoring import (
    asked_of,
    asked_resampling,
    resampling_options,
    scoring_of,
    scoring_options,
    workers_options,
)
from .streams import on_screen

if TYPE_CHECKING:
    from ..analysis.resampling import Resampling
    from ..corpus.corpus import Corpus
    from ..schemes.measure import Measure
    from ..schemes.result import SchemeScore


@command(
    examples=(
        "score data/ref data/hyp/gazetteer/manual",
        "score data/ref data/hyp/gazetteer/asr -a data/align -w data/asr -t 0.3",
        "score data/ref data/hyp/gazetteer/asr --by text -o score.json",
    )
)
@click.argument("ref")
@click.argument("hyp")
@side_options
@scoring_options("score", *OUTCOMES)
@option(
    "--reference",
    "references",
    group="Files and formats",
    metavar="PATH",
    multiple=True,
    help="A further reference of the same documents; may be repeated. The report then has the rate "
    "against each reference, the mean, and the best reference of each document.",
)
@measures_option
@biasing_option
@alternatives_option
@workers_options
@resampling_options("Number of samples of the bootstrap.", confidence=None)
@choice_option(
    "--show",
    VIEWS,
    "What the text has: the ten labels and three documents that cost most (summary), every label, "
    "every document, or all. JSON and CSV always have all.",
    group="Output",
    common=True,
)
@output_options(("text", "json", "csv"))
def score(
    *,
    ref: str,
    hyp: str,
    references: tuple[str, ...],
    measures: tuple[Measure, ...] | None,
    show: str,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Score HYP against REF.

    The report has the slot error rate, precision, recall and F1, by label and by document.
    """
    resampling, values = asked_resampling(values)
    if references:
        if resampling is not None or measures is not None:
            other = "--measure" if resampling is None else "--confidence"
            raise click.UsageError(f"{other} has no effect with --reference, expected one of them")
        write_report(_of_references((ref, *references), hyp, values), format, output)
        return
    is_seen = format == "text" and output == "-" and sys.stdout.isatty()
    look = Look(**terminal_look()) if is_seen else Look()  # slow
    look = look._replace(width=min(look.width, WIDEST), has_bars=is_seen, show=show)
    if measures is not None:
        if resampling is not None:
            raise click.UsageError(
                "--confidence has no effect with --measure, expected one of them"
            )
        measured = measure_sides(ref, hyp, measures, values)
        write_report(measured.report(), format, output, look=look)
        return
    how, sides = scoring_of(without_words(asked_of(values)).values)
    sides["alternatives"] = alternatives_beside(asked_of(values), how)
    aligned = sides.pop("aligned")
    how = replace(how, settings=replace(how.settings, aligned=aligned))
    if resampling is not None:
        how = for_interval(how)
    found = score_sides(ref, hyp, how, partial(_score, how, resampling), **sides)
    beside: dict[str, str] = {}
    if not isinstance(found, Evaluation) and aligned is not None:
        from ..schemes.conlleval import aligned_file

        beside[aligned] = aligned_file(found.aligned)
    shown = (lambda text: _coloured(on_screen(text), look.colour)) if is_seen else None
    write_report(found.report(), format, output, beside, shown, look)


def _of_references(refs: Sequence[str], hyp: str, values: Mapping[str, Any]) -> Report:
    """The report on a hypothesis against several references."""
    from ..runs.references import score_references

    check_paths([path for path in (*refs, hyp, values["align"], values["words"]) if path])
    named = dict(zip(distinct_names(refs, "references"), refs, strict=True))
    asked = without_words(asked_of(values))
    found, read = score_references(named, hyp, asked, **HOOKS)
    check_read(read)  # the labels are checked already
    return found.report()


def _score(
    how: ScoringOptions, resampling: Resampling | None, corpus: Corpus
) -> Evaluation | SchemeScore:
    """The score of pairs, with its interval if there are settings of resampling.

    Only samples of utterances need the outcome of each element.
    """
    if resampling is None:
        return how.count(corpus)[""]
    from ..analysis.compare import with_interval

    is_of_utterances = resampling.unit_of(len(corpus.documents)) == "utterance"
    found = how.score(corpus)[""] if is_of_utterances else how.count(corpus)[""]
    return with_interval(found, resampling)


def _coloured(text: str, colour: str | None) -> str:
    """The text of a report with its first line in bold and its bars in colour."""
    if colour is None:
        return text
    from ..render.cells import styled  # only terminals wait for it

    first, *others = text.split("\n")
    found = [styled(first, "bold").render(colour)]
    for line in others:
        rest = line.rstrip("█")
        bar = line[len(rest) :]
        found.append(f"{rest}{styled(bar, 'red').render(colour)}" if bar else line)
    return "\n".join(found)
