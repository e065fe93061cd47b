"""``sereval doctor``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from ..analysis.doctor import Campaign, Diagnosis, Finding, diagnosis
from ..corpus.entries import Entry
from ..corpus.pairs import exact
from ..documents.mentions import find_mentions
from ..documents.model import Document, Reference
from ..documents.places import is_to_be_found
from ..errors import InputError, SerevalError
from ..evaluation.settings import Settings
from ..formats import FORMATS as FILES
from ..formats import File, files
from ..formats.programs import origin_of
from ..report.doctor import FORMATS
from ..runs.pairs import system_names, words_of_each
from ..runs.sides import reading_of
from .help import command
from .inputs import check_paths, print_document_notes, sides_of, system_option, systems_options
from .outputs import output_options, write
from .scoring import scoring_of, scoring_options


@command(
    examples=(
        "doctor ref hyp/gazetteer/manual",
        "doctor ref hyp/gazetteer/asr -a align -w asr -t 0.3",
    )
)
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
    **values: Any,
) -> None:
    """Find problems in REF and HYPs before they are scored.

    Each finding says how to correct it. The options mean the same as in sereval score. The status
    is 1 if score would refuse the input.
    """
    how, sides = scoring_of(values)
    sides["known"] = {}  # systems may share paths
    words = words_of_each(sides.pop("words"), hyps)
    for hyp, path in zip(hyps, words, strict=True):  # an error in the paths is no finding
        check_paths([one for one in (ref, hyp, sides["align"], path) if one])
    diagnoses = {
        system: _diagnosis(how.settings, ref, hyp, words=path, **sides)
        for system, hyp, path in zip(system_names(hyps, names), hyps, words, strict=True)
    }
    write(FORMATS[format](diagnoses), output)
    if any(each.is_refused for each in diagnoses.values()):
        raise click.exceptions.Exit(1)


def _diagnosis(settings: Settings, ref: str, hyp: str, **values: Any) -> Diagnosis:
    """The diagnosis of one system; a file that cannot be read is a finding."""
    paths = {"ref": ref, "hyp": hyp, "align": values.pop("align"), "words": values.pop("words")}
    programs: tuple[tuple[str, str], ...] = ()
    try:
        sides = sides_of(paths, **values)
        programs = _programs(side for side in sides if side is not None)
        references, *others = map(_read, paths.values(), sides)
        hypotheses, aligned, heard = (
            None if side is None else list(map(exact, side)) for side in others
        )
        words = {one.id: one for one in heard or references or ()}
        campaign = Campaign(
            references or [],
            [
                _place_mentions(
                    one,
                    words.get(one.id),
                    values["reading"].policy("mentions"),
                    is_heard=bool(heard),
                )
                for one in hypotheses or ()
            ],
            aligned,
            heard,
        )
    except SerevalError as error:
        advice = (
            "correct the file, or name its format with --ref-format, --hyp-format, --align-format "
            "or --words-format"
        )
        programs = programs or _programs_at((path for path in paths.values() if path), values)
        fault = Finding("files", str(error), advice, is_refusal=True)
        return Diagnosis(0, (fault,), files=programs)
    return replace(diagnosis(campaign, settings), files=programs)


def _programs(sides: Iterable[Sequence[Entry]]) -> tuple[tuple[str, str], ...]:
    """The files of formats of other programs, each once, with the program that wrote it."""
    return _with_origins({entry.file.path: entry.file for side in sides for entry in side})


def _programs_at(paths: Iterable[str], values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Such files at some paths, whatever side their format belongs to.

    Args:
        paths: files and folders.
        values: the values of the options that name sides.
    """
    reading = reading_of(values, None, FILES)
    found: dict[str, File] = {}
    for path in paths:
        folder = sorted(os.listdir(path)) if os.path.isdir(path) else []
        for place in [os.path.join(path, name) for name in folder] or [path]:
            with suppress(InputError):  # no format is known for it
                found |= {file.path: file for file in files(place, reading)}
    return _with_origins(found)


def _with_origins(files: Mapping[str, File]) -> tuple[tuple[str, str], ...]:
    found = ((path, origin_of(file)) for path, file in files.items())
    return tuple((path, program) for path, program in found if program)


def _read(path: str | None, side: list[Entry] | None) -> list[Document | Reference] | None:
    """Read all documents of a side, and print their notes on standard error."""
    if side is None or path is None:
        return None
    documents = [entry.read() for entry in side]
    print_document_notes(path, documents)
    return documents


def _place_mentions(
    document: Document,
    words: Document | Reference | None,
    by: str,
    *,
    is_heard: bool,
) -> Document:
    """A hypothesis with its mentions placed in words.

    Args:
        words: the words of the recogniser or, without these, of the reference; ``None``: no
            document has this id, which ``diagnosis`` reports.
        by: the policy ``mentions``.
        is_heard: whether the words are the recogniser's. Then ``diagnosis`` adds their times.
    """
    if words is None or not is_to_be_found(document):
        return document
    whose = "hypothesis" if is_heard else "reference"
    placed = find_mentions(document, words, by=by, whose=whose)
    return replace(placed, times=None) if is_heard else placed
