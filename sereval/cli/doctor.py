"""``sereval doctor``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from ..analysis.doctor import Campaign, Diagnosis, Finding, diagnosis
from ..documents.mentions import is_to_be_found
from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..report.doctor import FORMATS
from .inputs import FOUND, check_paths, in_words, read_files, systems_options, words_of_each
from .outputs import output_options, write
from .scoring import scoring_of, scoring_options
from .systems import system_names, system_option


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
    given["known"] = {}  # what has been read
    heard = words_of_each(given.pop("words"), hyps)
    for hyp, path in zip(hyps, heard, strict=True):  # what is wrong with the result is no finding
        check_paths([one for one in (ref, hyp, given["align"], path) if one])
    found = {
        system: _looked_at(how.settings, ref, hyp, words=path, **given)
        for system, hyp, path in zip(system_names(hyps, names), hyps, heard, strict=True)
    }
    write(FORMATS[format](found), output)
    if any(each.is_refused for each in found.values()):
        raise click.exceptions.Exit(1)


def _looked_at(settings: Settings, ref: str, hyp: str, **given: Any) -> Diagnosis:
    """The diagnosis of one system; a file that cannot be read is one too."""
    try:
        references, hypotheses, aligned, heard = read_files(ref, hyp, hypotheses_are=FOUND, **given)
        hypotheses = list(_in_words(hypotheses, heard, references, given["reading"]["policies"]))
    except SerevalError as error:
        advice = "mend the file, or say what it is with --ref-format, --hyp-format and their like"
        return Diagnosis(0, (Finding("files", str(error), advice, is_refusal=True),))
    return diagnosis(
        Campaign(
            references,
            hypotheses,
            aligned if given["align"] else None,
            heard if given["words"] else None,
        ),
        settings,
    )


def _in_words(
    hypotheses: Sequence[Document],
    heard: Sequence[Document],
    references: Sequence[Document | Reference],
    policies: Mapping[str, str],
) -> Iterator[Document]:
    """Hypotheses on words, without the times that are looked at with those of the others."""
    for document in hypotheses:
        if is_to_be_found(document):
            [document] = in_words([document], heard, references, policies)
            yield replace(document, times=None) if heard else document
        else:
            yield document
