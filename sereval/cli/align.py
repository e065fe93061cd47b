"""``sereval align``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from ..analysis.alignment import Alignments, alignment_signature, document_alignment
from ..corpus.pairs import apart
from ..evaluation.settings import CUTS, ByWords
from ..formats import WORDS
from ..render.picture import NARROWEST
from ..render.report import Look
from ..runs.pairs import pairs_of
from ..runs.scoring import run_of
from ..runs.sides import with_ids
from .help import command, option
from .inputs import document_option, print_reading_notes, side_options_of_words
from .measures import alternatives_option
from .options import AtLeast
from .outputs import output_options, terminal_look, write
from .provenance import write_report
from .scoring import asked_of, on_command_line, scoring_options, workers_options
from .streams import print_notes, visible


@command(
    examples=(
        "align data/ref data/hyp/gazetteer/asr",
        "align data/ref data/hyp/gazetteer/asr --context 2",
        "align data/ref data/asr --by time -a data/align --document titanic",
    )
)
@click.argument("ref")
@click.argument("hyp")
@side_options_of_words
@scoring_options("align", by="text", weights="unit")
@alternatives_option
@document_option
@option(
    "--context",
    group="Selection",
    metavar="N",
    type=AtLeast(0),
    help="Show only the errors, with N words on either side; by default all words.",
)
@option(
    "--width",
    group="Output",
    metavar="N",
    type=AtLeast(NARROWEST),
    help="Width of a line of text, in characters; by default that of the terminal, or 80.",
)
@workers_options
@output_options(("text", "json", "csv", "ctm"))
def align(
    *,
    ref: str,
    hyp: str,
    documents: Sequence[str],
    context: int | None,
    width: int | None,
    format: str,
    output: str,
    **values: Any,
) -> None:
    """Show the alignment of the words of HYP with the words of REF.

    By text, its errors are those of the word error rate.
    """
    asked = asked_of(values)
    how = run_of(asked)
    _check_alternatives(how.settings.through)
    pairs = pairs_of(asked, ref, hyp, how, sides=asked.sides.wanting(ref=WORDS, hyp=WORDS))
    work = partial(
        document_alignment, through=how.settings.through, max_states=how.settings.max_states
    )
    found = [one for _, one in pairs.each(partial(apart, work=work))]
    aligned = with_ids(found, documents)
    print_reading_notes([pairs])
    alternatives = (each for one in aligned for each in one.reference.alternatives)
    signature = alignment_signature(how.settings.through, alternatives=alternatives)
    shown = Alignments(aligned, signature, context)
    if format == "ctm":
        print_notes(shown.notes)
        write(shown.ctm(), output)
        return
    look = Look(**terminal_look()) if format == "text" and output == "-" else Look()
    look = look._replace(width=width or look.width)
    # text holds no control characters but its colours
    shows = str if format == "text" else visible
    write_report(shown.report(), format, output, on_terminal=shows, look=look)


def _check_alternatives(through: ByWords | None) -> None:
    """Refuse alternatives on the command line unless words are aligned by text.

    A file of settings may name them for other commands, so there they are no error.

    Raises:
        click.UsageError: the command line names some for another alignment.
    """
    if through is not None and through.by == "text" and through.cut == CUTS[0]:
        return
    if "alternatives" in on_command_line(click.get_current_context()):
        raise click.UsageError("--alternatives goes with --by text, without --cut times")
