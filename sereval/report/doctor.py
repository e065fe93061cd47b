"""The diagnosis of a campaign's files as text and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..analysis.clocks import Clock
from ..analysis.doctor import CHECKS, Diagnosis, Finding
from ..documents.model import seconds
from ..errors import one_line
from .json import attributes, dumps
from .numbers import counted, percent


def text(found: Mapping[str, Diagnosis]) -> str:
    """A paragraph for each system: its files, faults that scoring refuses, other findings, checks.

    Each finding is followed by advice.
    """
    return "\n".join(_paragraph(system, each) for system, each in found.items())


def _paragraph(system: str, found: Diagnosis) -> str:
    documents = f": {counted(found.documents, 'document')}" if found.documents else ""
    lines = [one_line(system) + documents]
    lines += [f"  {'file':<8}{one_line(path)}: {program}" for path, program in found.files]
    for finding in found.findings:
        mark = "refused" if finding.is_refusal else "look"
        lines.append(f"  {mark:<8}{finding.check:<14}{one_line(finding.message)}")
        lines.append(f"  {'':<22}→ {one_line(finding.advice)}")
    amiss = {finding.check for finding in found.findings}
    fine = [check for check in CHECKS if check not in amiss and check not in found.unseen]
    lines += [f"  {'fine':<8}{', '.join(fine)}"] if fine and "files" not in amiss else []
    lines += [f"  {'unseen':<8}{', '.join(found.unseen)}"] if found.unseen else []
    if found.apart:
        apart = ", ".join(
            f"{percent(float(share), 0)} % within {seconds(ms)} s"
            for share, ms in found.apart.items()
        )
        same, words = (sum(getattr(one, of) for one in found.clocks) for of in ("same", "words"))
        lines.append(f"  {same} of {words} words are the same on both sides; their times: {apart}")
    return "\n".join([*lines, ""])


def as_json(found: Mapping[str, Diagnosis]) -> str:
    """The diagnosis as JSON, with the clock of each document; times are in ms."""
    report = {
        "format": 1,
        "refused": any(each.is_refused for each in found.values()),
        "systems": {
            system: {
                **attributes(each, "documents", "unseen"),
                "refused": each.is_refused,
                "files": [{"path": path, "program": program} for path, program in each.files],
                "findings": [_finding(finding) for finding in each.findings],
                "clocks": {clock.id: _clock(clock) for clock in each.clocks},
                "apart": {str(float(share)): ms for share, ms in each.apart.items()},
            }
            for system, each in found.items()
        },
    }
    return dumps(report)


def _finding(finding: Finding) -> dict[str, Any]:
    named = attributes(finding, "check", "message", "advice", "documents")
    return {"refused": finding.is_refusal, **named}


def _clock(clock: Clock) -> dict[str, Any]:
    named = attributes(clock, "words", "same", "offset", "begin", "change")
    return {"drift": float(clock.drift), **named}


FORMATS = {"text": text, "json": as_json}
