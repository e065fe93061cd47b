"""Both sides of a command, read pair by pair: the one way from paths to pairs of documents.

``systems_of`` finds the documents of both sides and pairs them, unread. The pairs are read while
they are scored; then ``check_read`` checks labels and writes the notes of the readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any, TypeVar

from ..corpus.entries import Entry, Side, entries
from ..corpus.pairing import Pair
from ..corpus.unread import PairStream, read_pair, read_tags, unread_pairs
from ..errors import SerevalError
from ..formats import FOUND, TIMES, files
from ..labels.relabel import Labels
from .inputs import check_paths, hinting, how_read, say_notes, words_of_each
from .outputs import with_progress
from .scoring import ScoringOptions
from .sides import keep_sizes

_R = TypeVar("_R")

FORMATS = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""What the files of each side may be."""


def sides_of(
    paths: Mapping[str, str | None], *, name: str | None, **given: Any
) -> list[list[Entry] | None]:
    """The documents of each side, unread; ``None`` for a side without a path.

    Args:
        paths: by side, as in ``FORMATS``.
        name: of the one document of every side.
        given: the other values of ``side_options``; ``known`` keeps the documents of a path that
            is looked through, by side and path; ``formats``: those of a side, if not all.

    Raises:
        SerevalError: as ``entries``; one name for several documents.
    """
    check_paths([path for path in paths.values() if path])
    known: dict[Side, list[Entry]] = given.get("known", {})
    formats = FORMATS | given.get("formats", {})
    for side, path in paths.items():
        if path and (side, path) not in known:
            with hinting(side):
                found = files(path, how_read(side, formats[side], given))
                known[side, path] = entries(found, (side, path))
    return named(name, [known[side, path] if path else None for side, path in paths.items()])


def named(name: str | None, sides: Sequence[list[Entry] | None]) -> list[list[Entry] | None]:
    """Documents under one id, where somebody says that they are the same.

    Args:
        name: given by the user for the one document of every side; else a document from standard
            input, which has no name, takes that of the first side that has one.
    """
    if name is not None:
        if any(side and len(side) > 1 for side in sides):
            raise SerevalError(f"one name, {name!r}, for several documents")
        return [side and [replace(entry, id=name) for entry in side] for side in sides]
    only = (side[0] for side in sides if side and len(side) == 1)
    given = next((entry.id for entry in only if not _is_nameless(entry)), "-")
    return [
        side and [replace(entry, id=given) if _is_nameless(entry) else entry for entry in side]
        for side in sides
    ]


def _is_nameless(entry: Entry) -> bool:
    """Whether it has the name of standard input; in a file ``-`` is a name like any other."""
    return entry.id == "-" == entry.file.path


def systems_of(
    ref: str,
    hyps: Sequence[str | None],
    how: ScoringOptions,
    *,
    words: Sequence[str],
    align: str | None,
    has_stand_ins: bool = False,
    **given: Any,
) -> list[PairStream[Pair]]:
    """The pairs of each system, to be read one by one.

    Args:
        ref: path of the reference, which all systems have.
        hyps: path of the hypotheses of each system; ``None``: it has none.
        how: which labels are changed, what stands for a missing hypothesis, and who reads.
        words: no path, one for all systems, or one for each.
        align: path of the times of the reference's words.
        has_stand_ins: whether ``words`` stand for a missing hypothesis also where it is an error.
        given: as for ``sides_of``.

    Raises:
        SerevalError: as ``sides_of``, and as ``unread_pairs``.
    """
    given.setdefault("known", {})
    every = [
        sides_of({"ref": ref, "hyp": hyp, "align": align, "words": path}, **given)
        for hyp, path in zip(hyps, words_of_each(words, hyps), strict=True)
    ]
    settings = how.settings
    pairs = [
        unread_pairs(
            references or [],
            hypotheses or [],
            ref_times,
            hyp_times,
            missing=settings.missing,
            is_projected=settings.is_projected,
            has_stand_ins=has_stand_ins or settings.missing == "empty",
        )
        for references, hypotheses, ref_times, hyp_times in every
    ]
    used = {(entry.side, entry.id) for pair in chain(*pairs) for entry in pair[2:] if entry}
    times = [entry for sides in every for side in sides[2:] for entry in side or ()]
    spare = {place: entry for entry in times if (place := (entry.side, entry.id)) not in used}
    reading = partial(read_pair, labels=settings.labels, is_found=how.scheme.has_places)
    if how.scheme.counts == "tags":
        reading = partial(read_tags, labels=settings.labels)
    return [
        PairStream(of_system, reading, spare=own, workers=how.workers, watch=with_progress)
        for of_system, own in zip(pairs, chain([[*spare.values()]], repeat(())), strict=False)
    ]


def pairs_of(
    ref: str, hyp: str | None, how: ScoringOptions, *, words: str | None, **given: Any
) -> PairStream[Pair]:
    """The pairs of one system; arguments as for ``systems_of``."""
    [pairs] = systems_of(ref, [hyp], how, words=[words] if words else [], **given)
    return pairs


def score_sides(
    ref: str, hyp: str, how: ScoringOptions, score: Callable[[PairStream[Pair]], _R], **given: Any
) -> _R:
    """What ``score`` makes of the pairs of one system; ``given``: as for ``pairs_of``."""
    pairs = pairs_of(ref, hyp, how, **given)
    found = score(pairs)
    check_read([pairs], how.settings.labels)
    return found


def names_of_pairs(systems: Mapping[str, PairStream[Pair]]) -> list[str]:
    """The system of each pair, of systems that are ``joined``."""
    return [name for name, of_system in systems.items() for _ in of_system.pairs]


def check_read(systems: Sequence[PairStream[Any]], labels: Labels) -> None:
    """When all pairs were read: check the labels, say if there is nothing to score, say the notes.

    The sizes of the sides are kept for the report.

    Raises:
        SerevalError: a label was asked for that no document has.
    """
    check_labels(systems, labels)
    sizes = {side: size for pairs in systems for side, size in pairs.sizes.items()}
    keep_sizes(sizes, lambda side: _formats(side, systems))
    say_read(systems)


def check_labels(systems: Sequence[PairStream[Any]], labels: Labels) -> None:
    """Check that some document has each of the labels that were asked for.

    Raises:
        SerevalError: none has.
    """
    if labels.has_changes:
        labels.check(frozenset().union(*(pairs.labels for pairs in systems)))


def say_read(systems: Sequence[PairStream[Any]]) -> None:
    """Write the notes of the readers on stderr, by side; those of files that systems share once."""
    notes = {side: of_side for pairs in reversed(systems) for side, of_side in pairs.notes.items()}
    sides = dict.fromkeys(side for pairs in systems for side in pairs.notes)
    for side in sorted(sides, key=lambda side: list(FORMATS).index(side[0])):
        say_notes(side[1], notes[side])


def _formats(side: Side, systems: Iterable[PairStream[Any]]) -> set[str]:
    """The formats of the files of one side."""
    entries = (entry for pairs in systems for pair in pairs.pairs for entry in pair if entry)
    return {entry.file.format for entry in entries if entry.side == side}
