"""From the paths of a command to pairs of documents, which are read while they are scored.

``systems_of`` finds the documents of both sides and pairs them without reading them. After the
scoring, ``check_read`` checks the labels and prints the notes of the readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any, TypeVar

from ..corpus.entries import Entry, Side, entries
from ..corpus.pairing import Pair
from ..corpus.unread import PairResult, PairStream, UnreadPair, read_pair, read_tags, unread_pairs
from ..documents.model import Reference
from ..errors import InputError, SerevalError
from ..formats import FOUND, TIMES, UNKNOWN_FORMAT, files
from ..formats.norm import NormFiles, norm_files
from ..labels.relabel import Labels
from .filters import with_ids
from .inputs import check_paths, print_path_notes, reading_of, words_of_each
from .outputs import with_progress
from .scoring import ScoringOptions
from .sizes import keep_selection, keep_sizes

_R = TypeVar("_R")

FORMATS = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""The formats that make sense for each side."""


def sides_of(
    paths: Mapping[str, str | None], *, name: str | None, **values: Any
) -> list[list[Entry] | None]:
    """The documents of each side, unread; ``None`` for a side without a path.

    Args:
        paths: the path of each side; the sides are those of ``FORMATS``.
        name: the name of the one document of every side; ``None``: documents keep their names.
        values: the other values of ``side_options``. ``known`` keeps the documents of each path,
            by side and path, so that a folder is listed once. ``formats`` replaces ``FORMATS`` for
            some sides.

    Raises:
        SerevalError: as ``entries``; one name for several documents.
    """
    check_paths([path for path in paths.values() if path])
    known: dict[Side, list[Entry]] = values.get("known", {})
    formats = FORMATS | values.get("formats", {})
    for side, path in paths.items():
        if path and (side, path) not in known:
            reading = reading_of(values, values[f"{side}_format"], formats[side])
            try:
                known[side, path] = entries(files(path, reading), (side, path))
            except InputError as error:
                if not error.message.endswith(UNKNOWN_FORMAT):
                    raise
                raise InputError(f"{error.message}, --{side}-format", path=error.path) from None
    return with_common_name(
        name, [known[side, path] if path else None for side, path in paths.items()]
    )


def with_common_name(
    name: str | None, sides: Sequence[list[Entry] | None]
) -> list[list[Entry] | None]:
    """The documents of each side, under one id where the user says that they are the same.

    Args:
        name: the id of the one document of every side. ``None``: a document from standard input,
            which has no name, takes the id of the first side with a single document.
        sides: the documents of each side; ``None``: the command has no such side.

    Raises:
        SerevalError: a name, and a side with several documents.
    """
    if name is not None:
        if any(side and len(side) > 1 for side in sides):
            raise SerevalError(
                f"found --name {name!r} and a side with several documents, expected one"
            )
        return [side and [replace(entry, id=name) for entry in side] for side in sides]
    only = (side[0] for side in sides if side and len(side) == 1)
    only_id = next((entry.id for entry in only if not _is_nameless(entry)), "-")
    return [
        side and [replace(entry, id=only_id) if _is_nameless(entry) else entry for entry in side]
        for side in sides
    ]


def _is_nameless(entry: Entry) -> bool:
    """Whether a document comes from standard input; inside a file ``-`` is an ordinary id."""
    return entry.id == "-" == entry.file.path


def systems_of(
    ref: str,
    hyps: Sequence[str | None],
    how: ScoringOptions,
    *,
    words: Sequence[str],
    align: str | None,
    alternatives: Sequence[str] = (),
    has_stand_ins: bool = False,
    **values: Any,
) -> list[PairStream[Pair]]:
    """The pairs of each system, which are read one by one as they are scored.

    Args:
        ref: path of the reference, the same for all systems.
        hyps: path of the hypotheses of each system; ``None``: it has none.
        how: changes of labels, the policy for missing hypotheses, and the workers that read.
        words: no path, one for all systems, or one for each.
        align: path of the times of the reference's words.
        alternatives: paths of the files of the references' alternatives.
        has_stand_ins: whether ``words`` replace a missing hypothesis under every policy.
        values: as for ``sides_of``.

    Raises:
        SerevalError: as ``sides_of``, and as ``unread_pairs``.
    """
    values.setdefault("known", {})
    every = [
        sides_of({"ref": ref, "hyp": hyp, "align": align, "words": path}, **values)
        for hyp, path in zip(hyps, words_of_each(words, hyps), strict=True)
    ]
    settings = how.settings
    if settings.documents:
        every = [_selected(sides, settings.documents, ref) for sides in every]
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
    if alternatives:
        reading = partial(_with_alternatives, read=reading, files=norm_files(alternatives))
    return [
        PairStream(of_system, reading, spare=own, workers=how.workers, watch=with_progress)
        for of_system, own in zip(pairs, chain([[*spare.values()]], repeat(())), strict=False)
    ]


def _selected(
    sides: Sequence[list[Entry] | None], ids: tuple[str, ...], ref: str
) -> list[list[Entry] | None]:
    """The documents of each side that are to be scored.

    Args:
        sides: the documents of each side, those of the reference first.
        ids: the ids of the documents to be scored.
        ref: path of the reference.

    Raises:
        InputError: the reference has no document with one of the ids.
    """
    references = sides[0] or []
    try:
        wanted = with_ids(references, ids)
    except SerevalError as error:
        raise InputError(str(error), path=ref) from None
    keep_selection(ref, len(wanted), len(references))
    return [side and [entry for entry in side if entry.id in ids] for side in sides]


def _with_alternatives(
    pair: UnreadPair, read: Callable[[UnreadPair], PairResult[Pair]], files: NormFiles
) -> PairResult[Pair]:
    """Read a pair, and give its reference the alternatives of its files."""
    found = read(pair)
    reference, hypothesis = found.value
    if isinstance(reference, Reference):
        return found  # the stage that needs the words that were said refuses it
    own = replace(reference, alternatives=files.of(reference))
    return found._replace(value=(own, hypothesis))


def pairs_of(
    ref: str, hyp: str | None, how: ScoringOptions, *, words: str | None, **values: Any
) -> PairStream[Pair]:
    """The pairs of one system; arguments as for ``systems_of``."""
    [pairs] = systems_of(ref, [hyp], how, words=[words] if words else [], **values)
    return pairs


def score_sides(
    ref: str, hyp: str, how: ScoringOptions, score: Callable[[PairStream[Pair]], _R], **values: Any
) -> _R:
    """The score of the pairs of one system, whose labels are then checked.

    Args:
        score: the function that scores the pairs.
        ref, hyp, how, values: as for ``pairs_of``.
    """
    pairs = pairs_of(ref, hyp, how, **values)
    result = score(pairs)
    check_read([pairs], how.settings.labels)
    return result


def names_of_pairs(systems: Mapping[str, PairStream[Pair]]) -> list[str]:
    """The name of the system of each pair, in the order of ``joined``."""
    return [name for name, of_system in systems.items() for _ in of_system.pairs]


def check_read(systems: Sequence[PairStream[Any]], labels: Labels) -> None:
    """After all pairs were read, check the labels and print warnings and the readers' notes.

    The sizes of the sides are kept for the report.

    Raises:
        SerevalError: no document has a label that an option names.
    """
    check_labels(systems, labels)
    sizes = {side: size for pairs in systems for side, size in pairs.sizes.items()}
    keep_sizes(sizes, lambda side: _formats(side, systems))
    print_reading_notes(systems)


def check_labels(systems: Sequence[PairStream[Any]], labels: Labels) -> None:
    """Check that each label that an option names is in some document.

    Raises:
        SerevalError: no document has such a label.
    """
    if labels.has_changes:
        labels.check(frozenset().union(*(pairs.labels for pairs in systems)))


def print_reading_notes(systems: Sequence[PairStream[Any]]) -> None:
    """Print the notes of the readers on standard error, by side; of shared files only once."""
    notes = {side: of_side for pairs in reversed(systems) for side, of_side in pairs.notes.items()}
    sides = dict.fromkeys(side for pairs in systems for side in pairs.notes)
    for side in sorted(sides, key=lambda side: list(FORMATS).index(side[0])):
        print_path_notes(side[1], notes[side])


def _formats(side: Side, systems: Iterable[PairStream[Any]]) -> set[str]:
    """The formats of the files of one side."""
    entries = (entry for pairs in systems for pair in pairs.pairs for entry in pair if entry)
    return {entry.file.format for entry in entries if entry.side == side}
