"""From the sides of a run to pairs of documents, which are read while they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any

from ..corpus.entries import Entry
from ..corpus.pairing import Pair
from ..corpus.unread import PairResult, PairStream, UnreadPair, read_pair, read_tags, unread_pairs
from ..documents.model import Reference
from ..errors import InputError, SerevalError
from ..formats.norm import NormFiles, norm_files
from ..labels.relabel import Labels
from .asked import FLAGS, Wording
from .scoring import ScoringOptions
from .sides import Source, sides_of, with_ids
from .systems import words_of_each


def systems_of(
    ref: Source,
    hyps: Sequence[Source | None],
    how: ScoringOptions,
    *,
    words: Sequence[Source],
    align: Source | None,
    alternatives: Sequence[str] = (),
    has_stand_ins: bool = False,
    watch: Callable[[Sequence[UnreadPair]], Iterable[UnreadPair]] = iter,
    tell: Callable[[str, int, int], object] = lambda *_: None,
    wording: Wording = FLAGS,
    **values: Any,
) -> list[PairStream[Pair]]:
    """The pairs of each system, which are read one by one as they are scored.

    Args:
        ref: the references, the same for all systems.
        hyps: the hypotheses of each system; ``None``: it has none.
        how: changes of labels, the policy for missing hypotheses, and the workers that read.
        words: none, one for all systems, or one for each.
        align: the times of the reference's words.
        alternatives: paths of the files of the references' alternatives.
        has_stand_ins: whether ``words`` replace a missing hypothesis under every policy.
        watch: wraps the pairs in an iterator that shows progress.
        tell: is called if the settings select documents, with the path of the references (empty if
            they are in memory), the number of the selected documents and the number of all.
        wording: how messages name options.
        values: as for ``sides_of``.

    Raises:
        SerevalError: as ``sides_of``, and as ``unread_pairs``.
    """
    values.setdefault("known", {})
    every = [
        sides_of({"ref": ref, "hyp": hyp, "align": align, "words": own}, wording=wording, **values)
        for hyp, own in zip(hyps, words_of_each(words, hyps, wording), strict=True)
    ]
    settings = how.settings
    if settings.documents:
        every = [_selected(sides, settings.documents, ref, tell) for sides in every]
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
        PairStream(of_system, reading, spare=own, workers=how.workers, watch=watch)
        for of_system, own in zip(pairs, chain([[*spare.values()]], repeat(())), strict=False)
    ]


def _selected(
    sides: Sequence[list[Entry] | None],
    ids: Sequence[str],
    ref: Source,
    tell: Callable[[str, int, int], object],
) -> list[list[Entry] | None]:
    """The documents of each side that are to be scored.

    Args:
        sides: the documents of each side, those of the reference first.
        ids: the ids of the documents to be scored.
        ref: the references.
        tell: as for ``systems_of``.

    Raises:
        InputError: the reference has no document with one of the ids.
    """
    references, path = sides[0] or [], ref if isinstance(ref, str) else None
    try:
        wanted = with_ids(references, ids)
    except SerevalError as error:
        raise InputError(str(error), path=path) from None
    tell(path or "", len(wanted), len(references))
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
    ref: Source, hyp: Source | None, how: ScoringOptions, *, words: Source | None, **values: Any
) -> PairStream[Pair]:
    """The pairs of one system; arguments as for ``systems_of``."""
    [pairs] = systems_of(ref, [hyp], how, words=[words] if words else [], **values)
    return pairs


def pairs_of_both(
    ref: Source, hyps: tuple[Source, Source], how: ScoringOptions, **values: Any
) -> tuple[PairStream[Pair], PairStream[Pair]]:
    """The pairs of a system on manual and on recognised words, unread.

    Args:
        ref: the references.
        hyps: the output of the system on either words.
        how: the scoring on the recogniser's words.
        values: as for ``pairs_of``; ``words`` are those of the recogniser.
    """
    manual, recognised = hyps
    same_words = replace(how, settings=replace(how.settings, tolerance=None, through=None))
    plain = {**values, "words": None, "alternatives": ()}  # manual words have no word errors
    return (
        _one_side(ref, manual, same_words, plain),
        _one_side(ref, recognised, how, values),
    )


def _one_side(
    ref: Source, hyp: Source, how: ScoringOptions, values: Mapping[str, Any]
) -> PairStream[Pair]:
    """The pairs of one side, unread; an error says which hypotheses it is about."""
    try:
        return pairs_of(ref, hyp, how, **values)
    except InputError:
        raise
    except SerevalError as error:
        path = hyp if isinstance(hyp, str) else None
        raise InputError(str(error), path=path) from None


def names_of_pairs(systems: Mapping[str, PairStream[Pair]]) -> list[str]:
    """The name of the system of each pair, in the order of ``joined``."""
    return [name for name, of_system in systems.items() for _ in of_system.pairs]


def check_labels(systems: Sequence[PairStream[Any]], labels: Labels) -> None:
    """Check that each label that an option names is in some document.

    Raises:
        SerevalError: no document has such a label.
    """
    if labels.has_changes:
        labels.check(frozenset().union(*(pairs.labels for pairs in systems)))
