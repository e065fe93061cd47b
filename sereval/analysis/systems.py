"""The notes of several systems, for sweep and stability."""

from __future__ import annotations

from collections.abc import Iterable

from ..evaluation.totals import Notes, sentences


def notes_by_system(notes: Iterable[tuple[str, Notes]]) -> tuple[str, ...]:
    """The notes of the readers, a sentence each; a note on a hypothesis begins with its system."""
    of_system: dict[str, list[Notes]] = {}
    for system, both in notes:
        of_system.setdefault(system, []).append(both)
    found: list[str] = []
    for system, own in of_system.items():
        found += sentences((ours, ()) for ours, _ in own)
        found += (f"{system}: {note}" for note in sentences(((), theirs) for _, theirs in own))
    return tuple(dict.fromkeys(found))  # systems share the reference
