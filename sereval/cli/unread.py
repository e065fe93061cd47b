"""Sides that are read document by document, for commands that keep no more than counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..readers import files
from ..score import Costs
from ..settings import Settings
from ..stream import Entry, Unread, entries, score_unread
from ..totals import Score
from .inputs import FOUND, TIMES, check_paths, hinting, how_read, named, say_notes, times_of
from .outputs import with_progress
from .scoring import (
    understood,
)

FORMATS = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""What the files of each side may be."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What is to be read; ``spare`` are times that no document needs."""

    references: list[Unread]
    hypotheses: list[Unread]
    spare: list[Entry]


def _entries(side: str, path: str, given: Mapping[str, Any]) -> list[Entry]:
    with hinting(side):
        return list(entries(files(path, **how_read(side, FORMATS[side], given)), side))


def unread_sides(paths: Mapping[str, str | None], *, empty: bool, **given: Any) -> Sides:
    """Both sides as ``read_sides`` has them, to be read one by one.

    Args:
        paths: by side, as in ``FORMATS``.
        empty, given: as for ``read_sides``.
    """
    check_paths([path for path in paths.values() if path])
    references, hypotheses, aligned, heard = named(
        given["name"],
        *(_entries(side, path, given) if path else [] for side, path in paths.items()),
    )
    ours = _unread(references, aligned if paths["align"] else None)
    theirs = _unread(hypotheses, heard if paths["words"] else None)
    if empty:
        unheard = {one.id for one in references} - {one.id for one in hypotheses}
        theirs += [Unread(words, is_heard=True) for words in heard if words.id in unheard]
    spare = [*_others(aligned, ours), *_others(heard, theirs)]
    return Sides(ours, theirs, spare)


def _unread(documents: Sequence[Entry], times: Sequence[Entry] | None) -> list[Unread]:
    if times is None:
        return [Unread(entry) for entry in documents]
    of_id = {entry.id: entry for entry in times}
    return [Unread(entry, times_of(entry.id, of_id)) for entry in documents]


def _others(times: Sequence[Entry], documents: Iterable[Unread]) -> list[Entry]:
    used = {document.id for document in documents}
    return [entry for entry in times if entry.id not in used]


def count_sides(
    ref: str,
    hyp: str,
    *,
    unplaceable: str,
    missing: str,
    pairing: str,
    scheme: str,
    costs: Costs | None,
    max_states: int,
    grammar: str | None,
    is_bound: bool = False,
    neutral: Iterable[str] = (),
    **sides: Any,
) -> Score:
    """Score what the options ask for, and keep counts alone; else the same as ``score_sides``."""
    workers, tolerance, through, rules, labels, sides = understood(grammar, sides)
    settings = Settings(
        tolerance,
        unplaceable,
        costs or Costs(),
        missing,
        pairing,
        scheme,
        through,
        is_bound,
        frozenset(neutral),
        labels,
        max_states,
    )
    paths = {"ref": ref, "hyp": hyp, "align": sides.pop("align"), "words": sides.pop("words")}
    unread = unread_sides(paths, empty=missing == "empty", **sides)
    score, said = score_unread(
        unread.references,
        unread.hypotheses,
        settings,
        spare=unread.spare,
        grammar=rules,
        workers=workers,
        watch=with_progress,
    )
    for side, path in paths.items():
        say_notes(str(path), said.get(side, ()))
    return score
