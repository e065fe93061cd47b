"""``sereval blame``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from ..analysis.blame import CONTEXT_WORDS, Blame
from ..analysis.compare_report import report_of_blames
from ..analysis.rates import AnyScore
from ..corpus.corpus import Corpus
from ..runs.campaign import RecogniserPairs, blame_each, campaign_systems
from ..runs.conditions import read_campaign
from ..runs.pairs import pairs_of_both
from ..runs.scoring import ALIGNMENT_OPTIONS, ScoringOptions, split
from .conditions import check_campaign
from .help import command, option
from .inputs import HOOKS, check_paths, check_read, side_options
from .measures import alternatives_option
from .options import AtLeast
from .outputs import output_options
from .pages import HTML, PageOptions, page_options
from .provenance import write_report
from .scoring import (
    resampling_options,
    scoring_of,
    scoring_options,
    take_resampling,
    workers_options,
)


@command(
    examples=(
        "blame data/ref data/hyp/gaz*/manual data/hyp/gaz*/asr --by text",
        "blame data/ref data/hyp/comp*/manual data/hyp/comp*/asr --by text",
        "blame data/ref data/hyp/g*/manual data/hyp/g*/asr --by text -f csv",
    )
)
@click.argument("ref", required=False)
@click.argument("manual", metavar="[HYP_MANUAL]", required=False)
@click.argument("recognised", metavar="[HYP_ASR]", required=False)
@option(
    "--campaign",
    common=True,
    group="Files and formats",
    metavar="FILE",
    help="A TOML file that names the reference, the conditions and the systems, instead of REF, "
    "HYP_MANUAL and HYP_ASR. One of its conditions has the reference's words and no tolerance.",
)
@side_options
@scoring_options("blame")
@alternatives_option
@workers_options
@option(
    "--context",
    group="Scoring",
    metavar="N",
    type=AtLeast(0),
    default=CONTEXT_WORDS,
    help="Number of words on either side of an element whose recognition errors may be the cause "
    "of a change.",
)
@resampling_options("Number of samples of the bootstrap.")
@output_options(
    ("text", "json", "csv", HTML),
    "Format of the result; html is the page of an audit.",
    "PATH",
    "Write to this file, in the format of its suffix; with --split, to this folder.",
)
@page_options
def blame(
    *,
    ref: str | None,
    manual: str | None,
    recognised: str | None,
    campaign: str | None,
    context: int,
    format: str,
    output: str,
    audio: str | None,
    size: int | None,
    **values: Any,
) -> None:
    """Divide errors between the recogniser and the system.

    HYP_MANUAL is the output of the system on the words of REF, HYP_ASR its output on the words of a
    recogniser. The words of HYP_MANUAL take the times of REF's words. Elements without a place on
    the recogniser's words count as deletions.
    """
    resampling, values = take_resampling(values)
    page = PageOptions(output, audio, size)
    page.check(format)
    if format == HTML and campaign is not None:
        raise click.UsageError("--format html shows one system, expected it without --campaign")
    if campaign is not None:
        check_campaign(click.get_current_context(), ref)
        _, values = split(values, ALIGNMENT_OPTIONS)  # each condition has its own
    how, sides = scoring_of(values)
    sides["known"] = {}  # both outputs have the same reference
    if campaign is not None:
        systems = campaign_systems(read_campaign(campaign), campaign, how, sides, _pairs)
    else:
        systems = [_only_system(ref, manual, recognised, how, sides)]
    if format == HTML:
        [system] = systems
        own, score = _shown(system, context)
        check_read(system[2:], how.settings)
        paths = (ref, manual, recognised, sides["align"], sides["words"])
        title = f"{recognised} against {ref}"
        inputs = [path for path in (*paths, *values["alternatives"]) if path]
        page.write(score, title, inputs, blames={("", ""): own}, resampling=resampling)
        return
    found = blame_each(systems, context)
    check_read([each for one in systems for each in one[2:]], how.settings)
    if campaign is not None:
        report = report_of_blames(found, resampling)
    else:
        report = found[0].blame.report(resampling)
    write_report(report, format, output)


def _shown(system: RecogniserPairs, context: int) -> tuple[Blame, AnyScore]:
    """The blame of a system, and its score on the recogniser's words with each outcome."""
    [(_, _, found)] = blame_each([system], context)
    how = replace(system.how, settings=found.settings)
    return found, how.score(system.recognised)[""]


def _only_system(
    ref: str | None,
    manual: str | None,
    recognised: str | None,
    how: ScoringOptions,
    sides: Mapping[str, Any],
) -> RecogniserPairs:
    """The system of a command line without a campaign.

    Raises:
        click.UsageError: an argument is missing; there is neither a tolerance nor an alignment.
    """
    if ref is None or manual is None or recognised is None:
        raise click.UsageError("expected REF, HYP_MANUAL and HYP_ASR, or --campaign")
    if not how.settings.is_projected:
        raise click.UsageError(
            "expected --tolerance, or --by text or phones: the words of HYP_ASR are others than "
            "those of REF"
        )
    words = [sides["words"]] if sides["words"] else []
    both = _pairs(ref, ({"": manual}, {"": recognised}), how, **{**sides, "words": words})
    return RecogniserPairs("", how, *both)


def _pairs(
    ref: str,
    hyps: tuple[Mapping[str, str], Mapping[str, str]],
    how: ScoringOptions,
    *,
    words: Sequence[str],
    **sides: Any,
) -> tuple[Corpus, Corpus]:
    """The documents of systems on manual and on recognised words, with a progress bar."""
    paths = (ref, *hyps[0].values(), *hyps[1].values(), sides["align"], *words)
    check_paths([path for path in paths if path])
    return pairs_of_both(ref, hyps, how, words=words, **{**HOOKS, **sides})
