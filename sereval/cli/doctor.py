"""``sereval doctor``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ..analysis.doctor import Diagnosis, Finding, diagnosis, in_order, report_of
from ..corpus.corpus import Entry, have_same_output
from ..errors import InputError, SerevalError
from ..evaluation.settings import Settings
from ..formats import FORMATS, files
from ..render.report import Report, counted
from ..runs import api
from ..runs.sides import Listed, Sides
from .line import Line, check_effect, command, print_path_notes, typed
from .parameters import output_options

NOT_OF_SCORE = ("ref", "hyps", "names", "words")
"""Arguments and options that ``score`` has not, or that hold for one system."""

OWN = ("inline", "native", "mentions")
"""The formats that are of no other program."""


@command(
    "ref hyps...",
    *output_options(("text", "json", "csv")),
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
    settings, sides = asked.run.settings, asked.sides
    diagnoses: dict[str, Diagnosis] = {}
    read: dict[str, list[Entry]] = {}
    for own in sides.of_each():
        [(system, hyp)] = own.systems.items()
        found, entries = _diagnosis(settings, own)
        one = replace(asked, conditions=[own])
        way = api.ways_to_read(one) if found.is_refused else ([], [])
        if way is not None:
            parts = ["sereval", "score", line.ref, str(hyp), *typed(line, NOT_OF_SCORE)]
            parts += [part for one in own.words for part in ("--words", str(one))]
            command_line = " ".join([shlex.join(parts), *way[0]])
            found = replace(found, command=command_line, changes=tuple(way[1]))
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
        check_effect(line, (entry.file for side in sides.known.values() for entry in side))
    return report_of(diagnoses)


def _diagnosis(settings: Settings, how: Sides) -> tuple[Diagnosis, list[Entry]]:
    """The diagnosis of one system, and its documents; a file that cannot be read is a finding."""
    sides: list[Listed] = []
    paths = [how.ref, *how.systems.values(), how.align, *how.words]
    try:
        sides = how.entries()
        found = diagnosis(sides, settings, how.reading.policy("mentions"))
    except SerevalError as error:
        advice = (
            "correct the file, or name its format with --ref-format, --hyp-format, --align-format "
            "or --words-format"
        )
        first, *others = str(error).split("\n")
        more = f" (and {counted(len(others), 'line')} more from score)" if others else ""
        fault = Finding("files", first + more, advice, is_refusal=True)
        return Diagnosis(0, (fault,), files=_programs(paths, how)), []
    for path, notes in zip(paths, found.notes, strict=False):
        print_path_notes(str(path), notes)
    entries = sorted(sides[1] or (), key=attrgetter("id"))
    return replace(found, files=_programs(paths, how)), entries


def _programs(paths: Iterable[Any], how: Sides) -> tuple[tuple[str, str], ...]:
    """The files of formats of other programs at some paths, with their formats."""
    reading = replace(how.reading, wanted=tuple(FORMATS))
    found: dict[str, str] = {}
    for path in filter(None, paths):
        with suppress(InputError):  # it is a finding
            for file in files(path, reading):
                found[file.path] = file.format
    return tuple((path, of) for path, of in found.items() if of not in OWN)
