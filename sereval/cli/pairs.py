"""From the paths of a command to pairs of documents, which are read while they are scored.

``systems_of`` finds the documents of both sides and pairs them without reading them. After the
scoring, ``check_read`` checks the labels and prints the notes of the readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..corpus.entries import Entry, Side
from ..corpus.pairing import Pair
from ..corpus.unread import PairStream
from ..labels.relabel import Labels
from ..runs import pairs as runs
from ..runs import sides
from ..runs.pairs import check_labels
from ..runs.scoring import ScoringOptions
from ..runs.sides import FORMATS
from ..runs.systems import words_of_each
from .inputs import check_paths, print_path_notes
from .outputs import with_progress
from .sizes import keep_selection, keep_sizes

_R = TypeVar("_R")

HOOKS: dict[str, Any] = {"watch": with_progress, "tell": keep_selection}
"""What the command line does while pairs are found and scored."""


def sides_of(paths: Mapping[str, str | None], **values: Any) -> list[list[Entry] | None]:
    """The documents of each side of a command, unread, as ``runs.sides.sides_of`` returns them."""
    check_paths([path for path in paths.values() if path])
    return sides.sides_of(paths, **values)


def systems_of(
    ref: str,
    hyps: Sequence[str | None],
    how: ScoringOptions,
    *,
    words: Sequence[str],
    align: str | None,
    **values: Any,
) -> list[PairStream[Pair]]:
    """The pairs of each system, with a progress bar; as ``runs.pairs.systems_of``."""
    for hyp, path in zip(hyps, words_of_each(words, hyps), strict=True):
        check_paths([each for each in (ref, hyp, align, path) if each])
    return runs.systems_of(ref, hyps, how, words=words, align=align, **HOOKS, **values)


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
