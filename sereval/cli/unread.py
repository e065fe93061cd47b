"""Sides that are read document by document, for commands that keep no more than counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..parallel import Workers
from ..readers import files
from ..score import Costs
from ..settings import Settings
from ..stream import (
    Entry,
    Opened,
    Streamed,
    Unread,
    count,
    entries,
    read_as_given,
    read_pair,
    unread_pairs,
)
from ..totals import Pair, Score
from .inputs import (
    FOUND,
    TIMES,
    WITHOUT_PLACES,
    check_paths,
    hinting,
    how_read,
    named,
    say_notes,
    times_of,
)
from .outputs import with_progress
from .scoring import scheme_score, understood

if TYPE_CHECKING:
    from ..scheme import Options, SchemeScore

Reading = Callable[..., Opened[Pair]]
"""How a pair is read, given ``labels``, what becomes of labels."""

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
    return [Unread(entry, times_of(entry.id, of_id)) for entry in documents]


def _spare(every: Sequence[Sides]) -> list[Entry]:
    """Times that no document needs."""
    documents = [one for sides in every for one in (*sides.references, *sides.hypotheses)]
    used = {(part.side, part.id) for one in documents for part in (one.entry, one.times) if part}
    times = {(entry.side, entry.id): entry for sides in every for entry in sides.times}
    return [entry for place, entry in times.items() if place not in used]


def streamed(
    ref: str,
    hyps: Sequence[str],
    settings: Settings,
    workers: Workers,
    open_pair: Reading,
    *,
    words: Sequence[str | None],
    align: str | None,
    **given: Any,
) -> tuple[Streamed[Pair], list[int]]:
    """Both sides of one or more systems, to be read pair by pair, and how many pairs each has.

    Args:
        open_pair: how a pair is read.
        words: of each system.
        align, given: as for ``read_sides``.
    """
    given["known"] = {}
    every = [
        unread_sides(
            {"ref": ref, "hyp": hyp, "align": align, "words": of_hyp},
            empty=settings.missing == "empty",
            **given,
        )
        for hyp, of_hyp in zip(hyps, words, strict=True)
    ]
    pairs = [unread_pairs(sides.references, sides.hypotheses, settings) for sides in every]
    stream = Streamed(
        list(chain(*pairs)),
        partial(open_pair, labels=settings.labels),
        labels=settings.labels,
        spare=_spare(every),
        workers=workers,
        watch=with_progress,
    )
    return stream, list(map(len, pairs))


def say_heard(pairs: Streamed[Any]) -> None:
    """What the files had to say, on standard error, in the order of the sides."""
    for side, path in sorted(pairs.said, key=lambda side: list(FORMATS).index(side[0])):
        say_notes(path, pairs.said[side, path])


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
    sides["words"] = [sides["words"]]
    pairs, _ = streamed(ref, [hyp], settings, workers, read_pair, **sides)
    score = count(pairs, settings, rules)
    say_heard(pairs)
    return score


def scheme_sides(
    scheme: str,
    ref: str,
    hyp: str,
    *,
    chosen: Options,
    unplaceable: str,
    missing: str,
    max_states: int,
    grammar: str | None,
    **sides: Any,
) -> SchemeScore:
    """Score what the options ask for as another scheme does."""
    workers, tolerance, through, _, labels, sides = understood(grammar, sides)
    settings = Settings(
        tolerance,
        unplaceable,
        missing=missing,
        through=through,
        labels=labels,
        max_states=max_states,
    )
    open_pair = read_as_given if scheme in WITHOUT_PLACES else read_pair
    sides["words"] = [sides["words"]]
    pairs, _ = streamed(ref, [hyp], settings, workers, open_pair, **sides)
    score = scheme_score(scheme, pairs, settings, chosen)
    say_heard(pairs)
    return score
