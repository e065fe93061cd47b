"""Both sides of a command, read pair by pair: the one way from paths to pairs of documents.

``unread_systems`` finds the documents of both sides and pairs them, ``stream_of`` makes pairs of
them that are read when their turn comes, and ``check_read`` says what their files had to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from ..corpus.entries import Entry, Side, entries
from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairing import Pair
from ..corpus.unread import Streamed, UnreadPair, read_pair, unread_pairs
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..formats import files
from ..labels.relabel import Labels
from ..schemes.table import SCHEMES
from .inputs import FOUND, TIMES, check_paths, hinting, how_read, say_notes, words_of_each
from .outputs import with_progress
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
                found = files(path, **how_read(side, formats[side], given))
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


def unread_systems(
    ref: str,
    hyps: Sequence[str | None],
    settings: Settings,
    *,
    words: Sequence[str],
    align: str | None,
    is_heard_enough: bool = False,
    **given: Any,
) -> tuple[list[list[UnreadPair]], list[Entry]]:
    """The unread pairs of each system, and the times that none of them needs.

    Args:
        ref: path of the reference, which all systems have.
        hyps: path of the hypotheses of each system; ``None``: it has none.
        settings: say what stands for a missing hypothesis.
        words: no path, one for all systems, or one for each.
        align: path of the times of the reference's words.
        is_heard_enough: whether ``words`` stand for a missing hypothesis also where it is an error.
        given: as for ``sides_of``.

    Raises:
        SerevalError: as ``sides_of``, and as ``corpus.unread.unread_pairs``.
    """
    given.setdefault("known", {})
    every = [
        sides_of({"ref": ref, "hyp": hyp, "align": align, "words": path}, **given)
        for hyp, path in zip(hyps, words_of_each(words, hyps), strict=True)
    ]
    pairs = [
        unread_pairs(
            references or [],
            hypotheses or [],
            aligned,
            heard,
            missing=settings.missing,
            is_projected=settings.is_projected,
            is_heard_enough=is_heard_enough or settings.missing == "empty",
        )
        for references, hypotheses, aligned, heard in every
    ]
    times = {
        (entry.side, entry.id): entry
        for _, _, *both in every
        for side in both
        for entry in side or ()
    }
    used = {
        (entry.side, entry.id)
        for of_system in pairs
        for pair in of_system
        for entry in (pair.aligned, pair.heard)
        if entry
    }
    return pairs, [entry for place, entry in times.items() if place not in used]


def stream_of(
    pairs: Sequence[UnreadPair],
    spare: Sequence[Entry],
    labels: Labels,
    workers: Workers,
    scheme: str,
) -> Streamed[Pair]:
    """Pairs that are read one by one, with a progress bar.

    Args:
        pairs, spare: as ``unread_systems`` returns them.
        labels: what is to become of labels.
        scheme: some look at no places, so mentions need not be found in words.
    """
    reading = partial(read_pair, labels=labels, is_found=SCHEMES[scheme].has_places)
    return Streamed(pairs, reading, spare=spare, workers=workers, watch=with_progress)


def streamed(
    ref: str,
    hyp: str | None,
    settings: Settings,
    *,
    workers: Workers = THIS_PROCESS,
    scheme: str = "quaero",
    words: str | None,
    **given: Any,
) -> Streamed[Pair]:
    """The pairs of one system; arguments as for ``unread_systems`` and ``stream_of``."""
    own = [words] if words else []
    [pairs], spare = unread_systems(ref, [hyp], settings, words=own, **given)
    return stream_of(pairs, spare, settings.labels, workers, scheme)


def score_pairs(
    ref: str, hyp: str, settings: Settings, score: Callable[[Streamed[Pair]], _R], **given: Any
) -> _R:
    """What ``score`` makes of the pairs of one system; ``given``: as for ``streamed``."""
    pairs = streamed(ref, hyp, settings, **given)
    found = score(pairs)
    check_read([pairs], settings.labels)
    return found


def check_read(systems: Sequence[Streamed[Any]], labels: Labels) -> None:
    """When all pairs were read: check the labels, say if there is nothing to score, say the notes.

    The sizes of the sides are kept for the report.

    Raises:
        SerevalError: a label was asked for that no document has.
    """
    check_labels(systems, labels)
    sizes = {side: size for pairs in systems for side, size in pairs.sizes.items()}
    keep_sizes(sizes, lambda side: _formats(side, systems))
    say_read(systems)


def check_labels(systems: Sequence[Streamed[Any]], labels: Labels) -> None:
    """Check that some document has each of the labels that were asked for.

    Raises:
        SerevalError: none has.
    """
    if labels.is_asked:
        labels.check(frozenset().union(*(pairs.labels for pairs in systems)))


def say_read(systems: Sequence[Streamed[Any]]) -> None:
    """Write the notes of the readers on stderr, by side; those of files that systems share once."""
    notes = {side: of_side for pairs in reversed(systems) for side, of_side in pairs.notes.items()}
    sides = dict.fromkeys(side for pairs in systems for side in pairs.notes)
    for side in sorted(sides, key=lambda side: list(FORMATS).index(side[0])):
        say_notes(side[1], notes[side])


def _formats(side: Side, systems: Iterable[Streamed[Any]]) -> set[str]:
    """The formats of the files of one side."""
    entries = (entry for pairs in systems for pair in pairs.pairs for entry in pair if entry)
    return {entry.file.format for entry in entries if entry.side == side}
