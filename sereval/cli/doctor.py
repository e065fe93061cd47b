"""``sereval doctor``."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from ..analysis.doctor import CHECKS, Diagnosis, Finding, diagnosis, report_of
from ..analysis.survey import CampaignDocuments
from ..corpus.entries import Entry, have_same_output
from ..documents.mentions import find_mentions
from ..documents.model import Document, Note, Reference, is_to_be_found, sum_notes
from ..errors import InputError, SerevalError
from ..evaluation.settings import Settings
from ..formats import FORMATS as FILES
from ..formats import File, files
from ..render.report import Report
from ..runs.pairs import system_names, words_of_each
from ..runs.scoring import run_of
from ..runs.sides import Sides
from .line import Line, check_effect, command, print_document_notes, print_path_notes
from .options import output_options, scoring_options, system_option, systems_options


@command(
    "ref hyps...",
    system_option,
    systems_options,
    scoring_options("doctor"),
    output_options(("text", "json", "csv")),
    examples=(
        "doctor data/ref data/hyp/gazetteer/manual",
        "doctor data/ref data/hyp/*/manual",
        "doctor data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.3",
    ),
)
def doctor(line: Line) -> Report:
    """Find problems in REF and HYPs before they are scored.

    Each finding says how to correct it. The options mean the same as in sereval score. The status
    is 1 if score would refuse the input.
    """
    asked = line.asked()
    how, sides = run_of(asked), asked.sides
    words = words_of_each(sides.words, line.hyps)
    read: dict[str, list[Entry]] = defaultdict(list)
    diagnoses = {
        system: _diagnosis(
            how.settings,
            {"ref": line.ref, "hyp": hyp, "align": sides.align, "words": path},
            read[system],
            sides,
        )
        for system, hyp, path in zip(
            system_names(line.hyps, line.names), line.hyps, words, strict=True
        )
    }
    line.status = int(any(each.is_refused for each in diagnoses.values()))
    if not line.status:
        check_effect(line, (entry.file for side in asked.known.values() for entry in side))
    diagnoses |= _with_copies(diagnoses, read)
    return report_of(diagnoses)


def _with_copies(
    diagnoses: Mapping[str, Diagnosis], read: Mapping[str, Sequence[Entry]]
) -> Iterator[tuple[str, Diagnosis]]:
    """The diagnoses of systems whose output an earlier system has too, with this finding."""
    different: list[str] = []
    for system, found in diagnoses.items():
        if any(one.check == "files" for one in found.findings):
            continue  # a file cannot be read
        copied = [one for one in different if have_same_output(read[one], read[system])]
        if copied:
            message = f"{copied[0]} and {system} are identical: the same output in every document"
            advice = "make sure that this is the output of the system, and no copy"
            findings = (*found.findings, Finding("elements", message, advice))
            ordered = sorted(findings, key=lambda finding: CHECKS.index(finding.check))
            yield system, replace(found, findings=tuple(ordered))
        else:
            different.append(system)


def _diagnosis(
    settings: Settings, paths: Mapping[str, Any], read: list[Entry], how: Sides
) -> Diagnosis:
    """The diagnosis of one system; a file that cannot be read is a finding."""
    programs: tuple[tuple[str, str], ...] = ()
    sides: list[list[Entry] | None] = []
    try:
        sides = how.entries(paths)
        read += sorted(sides[1] or (), key=attrgetter("id"))
        programs = _programs(side for side in sides if side is not None)
        notes = [dict[int, tuple[Note, ...]]() for _ in sides]
        references, hypotheses, aligned, heard = (
            None if side is None else _unread(side, own)
            for side, own in zip(sides, notes, strict=True)
        )
        by = how.reading.policy("mentions")
        place = partial(
            _place_mentions, by=by, is_heard=bool(heard), max_states=settings.max_states
        )
        campaign = CampaignDocuments(references or [], hypotheses or [], aligned, heard, place)
        found = diagnosis(campaign, settings)
        for path, own in zip(paths.values(), notes, strict=True):
            print_path_notes(str(path), sum_notes(own[number] for number in sorted(own)))
    except SerevalError as any_error:
        error = _first_error(paths.values(), sides) or any_error
        advice = (
            "correct the file, or name its format with --ref-format, --hyp-format, --align-format "
            "or --words-format"
        )
        programs = programs or _programs_at((path for path in paths.values() if path), how)
        fault = Finding("files", str(error), advice, is_refusal=True)
        return Diagnosis(0, (fault,), files=programs)
    return replace(found, files=programs)


def _programs(sides: Iterable[Sequence[Entry]]) -> tuple[tuple[str, str], ...]:
    """The files of formats of other programs, each once, with the format."""
    return _of_others({entry.file.path: entry.file for side in sides for entry in side})


def _programs_at(paths: Iterable[str], how: Sides) -> tuple[tuple[str, str], ...]:
    """Such files at some paths, whatever side their format belongs to."""
    reading = replace(how.reading, wanted=tuple(FILES))
    found: dict[str, File] = {}
    for path in paths:
        folder = sorted(os.listdir(path)) if os.path.isdir(path) else []
        for place in [os.path.join(path, name) for name in folder] or [path]:
            with suppress(InputError):  # no format is known for it
                found |= {file.path: file for file in files(place, reading)}
    return _of_others(found)


def _of_others(files: Mapping[str, File]) -> tuple[tuple[str, str], ...]:
    own = ("inline", "native", "mentions")
    return tuple((path, file.format) for path, file in files.items() if file.format not in own)


class _UnreadEntry(NamedTuple):
    """A document that is read when it is its turn; the notes of its reader are kept.

    Args:
        entry: the document.
        notes: the notes of the documents of its side, by their number.
        number: its own number.
    """

    entry: Entry
    notes: dict[int, tuple[Note, ...]]
    number: int

    @property
    def id(self) -> str:
        """The document's name."""
        return self.entry.id

    def read(self) -> Document | Reference:
        """Read the document."""
        document = self.entry.read()
        if document.notes:
            self.notes[self.number] = document.notes
        return document


def _unread(side: Iterable[Entry], notes: dict[int, tuple[Note, ...]]) -> list[_UnreadEntry]:
    """The documents of a side, which keep their notes when they are read."""
    return [_UnreadEntry(entry, notes, number) for number, entry in enumerate(side)]


def _first_error(
    paths: Iterable[str | None], sides: Sequence[Sequence[Entry] | None]
) -> SerevalError | None:
    """The error of the first file that cannot be read; the notes of earlier sides are printed."""
    try:
        for path, side in zip(paths, sides, strict=bool(sides)):
            print_document_notes(str(path), (entry.read() for entry in side or ()))
    except SerevalError as error:
        return error
    return None


def _place_mentions(
    document: Document,
    words: Document | Reference | None,
    by: str,
    *,
    is_heard: bool,
    max_states: int,
) -> Document:
    """A hypothesis with its mentions placed in words."""
    if words is None or not is_to_be_found(document):
        return document
    whose = "hypothesis" if is_heard else "reference"
    placed = find_mentions(document, words, by=by, whose=whose, max_states=max_states)
    return replace(placed, times=None) if is_heard else placed
