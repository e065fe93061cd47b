"""Sides that are read document by document, for commands that keep no more than counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..analysis.rates import Rated
from ..corpus.pairing import Pair
from ..corpus.unread import (
    Entry,
    Side,
    Streamed,
    Unread,
    UnreadPair,
    entries,
    read_as_given,
    read_pair,
    unread_pairs,
)
from ..evaluation.settings import Settings
from ..formats import files
from ..labels.relabel import Labels
from .inputs import (
    FOUND,
    TIMES,
    check_paths,
    hinting,
    how_read,
    named,
    say_notes,
    times_of,
    words_of_each,
)
from .outputs import with_progress
from .scoring import ScoringOptions
from .sides import keep_sizes

FORMATS = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""What the files of each side may be."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What is to be read; ``times`` are all there are, whether a document needs them or not."""

    references: list[Unread]
    hypotheses: list[Unread]
    times: list[Entry]


def _entries(side: str, path: str, given: Mapping[str, Any]) -> list[Entry]:
    known: dict[tuple[str, str], list[Entry]] = given["known"]
    if (side, path) not in known:
        with hinting(side):
            found = files(path, **how_read(side, FORMATS[side], given))
            known[side, path] = entries(found, (side, path))
    return known[side, path]


def unread_sides(paths: Mapping[str, str | None], *, empty: bool, **given: Any) -> Sides:
    """Both sides as ``read_sides`` has them, to be read one by one.

    Args:
        paths: by side, as in ``FORMATS``.
        empty, given: as for ``read_sides``; ``known`` has what files hold, by side and path.
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
    return Sides(ours, theirs, [*aligned, *heard])


def _unread(documents: Sequence[Entry], times: Sequence[Entry] | None) -> list[Unread]:
    if times is None:
        return [Unread(entry) for entry in documents]
    of_id = {entry.id: entry for entry in times}
    ids = [entry.id for entry in documents]
    return [Unread(entry, times_of(entry.id, of_id, ids)) for entry in documents]


def _spare(every: Sequence[Sides]) -> list[Entry]:
    """Times that no document needs."""
    documents = [one for sides in every for one in (*sides.references, *sides.hypotheses)]
    used = {(part.side, part.id) for one in documents for part in (one.entry, one.times) if part}
    times = {(entry.side, entry.id): entry for sides in every for entry in sides.times}
    return [entry for place, entry in times.items() if place not in used]


Pairings = list[list[UnreadPair]]
"""The unread pairs of each system."""


def unread_systems(
    ref: str,
    hyps: Sequence[str],
    settings: Settings,
    *,
    words: Sequence[str],
    align: str | None,
    **given: Any,
) -> tuple[Pairings, list[Entry]]:
    """One reference and the hypotheses of several systems, and times that no document needs.

    Args:
        settings: say what stands for a missing hypothesis.
        words: no path, one for all HYPs, or one for each.
        align, given: as for ``read_sides``; each path is looked through once.
    """
    given.setdefault("known", {})
    empty = settings.missing == "empty"
    every = [
        unread_sides({"ref": ref, "hyp": hyp, "align": align, "words": path}, empty=empty, **given)
        for hyp, path in zip(hyps, words_of_each(words, hyps), strict=True)
    ]
    pairs = [
        unread_pairs(
            sides.references,
            sides.hypotheses,
            missing=settings.missing,
            is_projected=settings.is_projected,
        )
        for sides in every
    ]
    return pairs, _spare(every)


def streamed(ref: str, hyp: str, how: ScoringOptions, **given: Any) -> Streamed[Pair]:
    """Both sides, to be read pair by pair; ``given``: as for ``read_sides``."""
    words = given.pop("words")
    [pairs], spare = unread_systems(
        ref, [hyp], how.settings, words=[words] if words else [], **given
    )
    return stream_of(pairs, spare, how)


def stream_of(
    pairs: Sequence[UnreadPair], spare: Sequence[Entry], how: ScoringOptions
) -> Streamed[Pair]:
    """Pairs, to be read one by one, while somebody may look on.

    Args:
        how: what becomes of labels, who reads, and the scheme: of some nothing is to be found in
            words.
    """
    read = read_pair if how.scheme.has_places else read_as_given
    reading = partial(read, labels=how.settings.labels)
    return Streamed(pairs, reading, spare=spare, workers=how.workers, watch=with_progress)


def check_heard(pairs: Sequence[Streamed[Any]], labels: Labels) -> None:
    """After all was read: labels that are asked for exist, and what the files had to say is said.

    How much they hold is kept for the report (``sides``).

    On standard error, in the order of the sides; what several systems share, once.
    """
    if labels.is_asked:
        labels.check(frozenset().union(*(each.labels for each in pairs)))
    said = {side: notes for each in reversed(pairs) for side, notes in each.said.items()}
    keep_sizes(
        {side: size for each in pairs for side, size in each.sizes.items()},
        lambda side: _formats(side, pairs),
    )
    paths = dict.fromkeys(side for each in pairs for side in each.said)
    for side, path in sorted(paths, key=lambda side: list(FORMATS).index(side[0])):
        say_notes(path, said[side, path])


def _formats(side: Side, pairs: Sequence[Streamed[Any]]) -> set[str]:
    """The formats of the files of one side."""
    unread = (one for each in pairs for pair in each.pairs for one in pair)
    return {one.entry.file.format for one in unread if one.entry.side == side}


def count_sides(ref: str, hyp: str, how: ScoringOptions, **sides: Any) -> Rated:
    """Read and score, and keep counts alone; else the same as ``score_sides``.

    Args:
        sides: as for ``read_sides``.
    """
    pairs = streamed(ref, hyp, how, **sides)
    score = how.count(pairs)
    check_heard([pairs], how.settings.labels)
    return score
