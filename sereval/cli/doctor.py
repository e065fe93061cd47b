"""``sereval doctor``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from ..analysis.doctor import Campaign, Diagnosis, Finding, diagnosis
from ..corpus.entries import Entry, annotated
from ..corpus.pairing import exact
from ..documents.mentions import find_mentions, is_to_be_found
from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..report.doctor import FORMATS
from .inputs import check_paths, say, systems_options, words_of_each
from .outputs import output_options, write
from .scoring import scoring_of, scoring_options
from .systems import system_names, system_option
from .unread import sides_of


@click.command()
@click.argument("ref")
@click.argument("hyps", metavar="HYP...", nargs=-1, required=True)
@system_option
@systems_options
@scoring_options("doctor")
@output_options(FORMATS)
def doctor(
    *,
    ref: str,
    hyps: Sequence[str],
    names: Sequence[str],
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Say what does not fit between REF and HYPs, and what to do about it.

    Takes the options that the scoring would. The status is 1 if scoring would be refused.
    """
    how, given = scoring_of(given)
    given["known"] = {}  # the documents of paths that systems share
    words = words_of_each(given.pop("words"), hyps)
    for hyp, path in zip(hyps, words, strict=True):  # what is wrong with the result is no finding
        check_paths([one for one in (ref, hyp, given["align"], path) if one])
    found = {
        system: _looked_at(how.settings, ref, hyp, words=path, **given)
        for system, hyp, path in zip(system_names(hyps, names), hyps, words, strict=True)
    }
    write(FORMATS[format](found), output)
    if any(each.is_refused for each in found.values()):
        raise click.exceptions.Exit(1)


def _looked_at(settings: Settings, ref: str, hyp: str, **given: Any) -> Diagnosis:
    """The diagnosis of one system; a file that cannot be read is a finding too."""
    paths = {"ref": ref, "hyp": hyp, "align": given.pop("align"), "words": given.pop("words")}
    try:
        references, *others = map(_read, paths.values(), sides_of(paths, **given))
        hypotheses, aligned, heard = (
            None if side is None else list(map(exact, side)) for side in others
        )
        words = {one.id: one for one in heard or references or ()}
        campaign = Campaign(
            references or [],
            [
                _placed(
                    one,
                    words.get(one.id),
                    given["reading"].policy("mentions"),
                    is_heard=bool(heard),
                )
                for one in hypotheses or ()
            ],
            aligned,
            heard,
        )
    except SerevalError as error:
        advice = "mend the file, or say what it is with --ref-format, --hyp-format and their like"
        return Diagnosis(0, (Finding("files", str(error), advice, is_refusal=True),))
    return diagnosis(campaign, settings)


def _read(path: str | None, side: list[Entry] | None) -> list[Document | Reference] | None:
    """Read all documents of a side, and write their notes on stderr."""
    if side is None or path is None:
        return None
    documents = [annotated(entry) for entry in side]
    say(path, documents)
    return documents


def _placed(
    document: Document,
    words: Document | Reference | None,
    by: str,
    *,
    is_heard: bool,
) -> Document:
    """A hypothesis with its mentions found in words.

    Args:
        words: of the recogniser, or else of the reference; ``None``: none have its id, which is a
            finding.
        is_heard: whether they are the recogniser's, whose times ``diagnosis`` adds.
    """
    if words is None or not is_to_be_found(document):
        return document
    whose = "hypothesis" if is_heard else "reference"
    placed = find_mentions(document, words, by=by, whose=whose)
    return replace(placed, times=None) if is_heard else placed
