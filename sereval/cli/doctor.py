"""``sereval doctor``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ..analysis.doctor import Diagnosis, Finding, diagnosis, in_order, report_of
from ..corpus.entries import Entry, have_same_output
from ..errors import InputError, SerevalError
from ..evaluation.settings import Settings
from ..formats import FORMATS, files
from ..render.report import Report
from ..render.text import counted
from ..runs.scoring import run_of
from ..runs.sides import Sides, sides_of, ways_to_read, words_of_each
from .line import Line, check_effect, command, print_path_notes
from .options import output_options, scoring_options, system_option, systems_options
from .provenance import typed_options

NOT_OF_SCORE = ("names", "words", "table")
"""Options of the command that ``score`` has not, or that hold for one system."""

OWN = ("inline", "native", "mentions")
"""The formats that are of no other program."""


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
    settings, sides = run_of(asked).settings, sides_of(asked)
    systems, words = line.systems, words_of_each(sides.words, line.hyps)
    diagnoses: dict[str, Diagnosis] = {}
    read: dict[str, list[Entry]] = {}
    for (system, hyp), own in zip(systems.items(), words, strict=True):
        paths: dict[str, Any] = {"ref": line.ref, "hyp": hyp, "align": sides.align, "words": own}
        found, entries = _diagnosis(settings, paths, sides)
        one = line.asked(words=(own,) if own else ())
        way = ways_to_read(one, line.ref, hyp) if found.is_refused else ([], [])
        if way is not None:
            typed = _command(line, hyp, own, way[0])
            found = replace(found, command=typed, changes=tuple(way[1]))
        copied = [one for one in read if have_same_output(read[one], entries)]
        if copied:
            message = f"{copied[0]} and {system} are identical: the same output in every document"
            advice = "make sure that this is the output of the system, and no copy"
            findings = (*found.findings, Finding("elements", message, advice))
            found = replace(found, findings=in_order(findings))
        elif entries:
            read[system] = entries
        diagnoses[system] = found
    line.status = int(any(each.is_refused for each in diagnoses.values()))
    if not line.status:
        check_effect(line, (entry.file for side in asked.known.values() for entry in side))
    return report_of(diagnoses)


def _command(line: Line, hyp: str, words: Any, policies: Iterable[str]) -> str:
    """The command that scores a system, with the options of this one and some policies."""
    parts = ["sereval", "score", line.ref, hyp, *typed_options(line, NOT_OF_SCORE)]
    parts += ["--words", words] if words else []
    return " ".join([shlex.join(parts), *policies])


def _diagnosis(
    settings: Settings, paths: Mapping[str, Any], how: Sides
) -> tuple[Diagnosis, list[Entry]]:
    """The diagnosis of one system, and its documents; a file that cannot be read is a finding."""
    sides: list[list[Entry] | None] = []
    try:
        sides = how.entries(paths)
        found = diagnosis(sides, settings, how.reading.policy("mentions"))
    except SerevalError as error:
        advice = (
            "correct the file, or name its format with --ref-format, --hyp-format, --align-format "
            "or --words-format"
        )
        first, *others = str(error).split("\n")
        more = f" (and {counted(len(others), 'line')} more from score)" if others else ""
        fault = Finding("files", first + more, advice, is_refusal=True)
        return Diagnosis(0, (fault,), files=_programs(paths.values(), how)), []
    for path, notes in zip(paths.values(), found.notes, strict=True):
        print_path_notes(str(path), notes)
    entries = sorted(sides[1] or (), key=attrgetter("id"))
    return replace(found, files=_programs(paths.values(), how)), entries


def _programs(paths: Iterable[Any], how: Sides) -> tuple[tuple[str, str], ...]:
    """The files of formats of other programs at some paths, with their formats."""
    reading = replace(how.reading, wanted=tuple(FORMATS))
    found: dict[str, str] = {}
    for path in filter(None, paths):
        folder = sorted(os.listdir(path)) if os.path.isdir(path) else []
        for place in [os.path.join(path, name) for name in folder] or [path]:
            with suppress(InputError):  # no format is known for it
                found |= {file.path: file.format for file in files(place, reading)}
    return tuple((path, of) for path, of in found.items() if of not in OWN)
