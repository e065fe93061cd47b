"""From the sides of a run to the systems and their pairs, which are read while they are scored."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..corpus.entries import Entry
from ..corpus.pairs import Pair
from ..corpus.unread import (
    PairGroups,
    PairResult,
    PairStream,
    UnreadPair,
    read_pair,
    read_tags,
    unread_pairs,
)
from ..documents.model import Reference
from ..errors import InputError, SerevalError, UsageFault
from ..evaluation.settings import ByWords, Settings
from ..formats import FORMATS
from ..formats.nlp import alternatives_of, norm_files
from .scoring import ScoringOptions
from .sides import SideSource, sides_of, with_ids, with_tags

if TYPE_CHECKING:
    from ..analysis.rates import ComparableScore
    from ..analysis.resampling import Resampling
    from ..schemes.measure import Measure

Alignment: TypeAlias = tuple[tuple[int, int] | None, ByWords | None]
"""A tolerance in time, in ms, or an alignment of words; neither: both sides have the same words."""

_W = TypeVar("_W")


def system_names(paths: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """The names of systems, one for each path.

    Args:
        paths: the paths of the hypotheses.
        names: the names that the user gave; none: names are made from the paths.

    Raises:
        UsageFault: another number of names; an empty name, or one name for two systems.
    """
    if not names:
        return distinct_names(paths, "systems", "--system for each")
    if len(names) != len(paths):
        raise UsageFault(
            f"found {len(names)} --system for {len(paths)} HYPs, expected one for each HYP"
        )
    for name in names:
        if not name or names.count(name) > 1:
            raise UsageFault(f"found the system name {name!r}, expected different names")
    return names


def distinct_names(paths: Sequence[str], what: str, expected: str = "different paths") -> list[str]:
    """A name for each path: its last component that differs from path to path.

    If there is no such component, the name joins all components that are not the same in all paths.
    The suffix of a format is left out. The name of a single path is its last component.

    Args:
        paths: the paths.
        what: what they are of, for a message.
        expected: what a message asks for.

    Raises:
        UsageFault: two paths are the same.

    >>> of = "systems"
    >>> distinct_names(["hyp/crf/asr", "hyp/gaz/asr/"], of), distinct_names(["a/crf.ne"], of)
    (['crf', 'gaz'], ['crf'])
    >>> distinct_names(["crf/asr", "crf/manual", "gaz/asr"], of)
    ['crf/asr', 'crf/manual', 'gaz/asr']
    """
    split = [os.path.normpath(path).split(os.sep)[::-1] for path in paths]
    for backwards in split:
        stem, suffix = os.path.splitext(backwards[0])
        if any(suffix.lower() in reader.suffixes for reader in FORMATS.values()):
            backwards[0] = stem
    longest = max(map(len, split))
    columns = list(zip(*([*b, *[""] * (longest - len(b))] for b in split), strict=True))
    for column in columns:  # from the last component on
        if all(column) and len(set(column)) == len(paths):
            return list(column)
    different = [column for column in reversed(columns) if len(set(column)) > 1]
    names = [
        "/".join(filter(None, parts)) or backwards[0]  # a path that is the end of another
        for *parts, backwards in zip(*different, split, strict=True)
    ]
    if len(set(names)) < len(paths):
        raise UsageFault(f"the paths do not tell the {what} apart, expected {expected}")
    return names


def words_of_each(words: Sequence[_W], hyps: Sequence[object]) -> Sequence[_W | None]:
    """The words of each system; ``None``: it has none.

    Args:
        words: none, one for all systems, or one for each.
        hyps: the hypotheses of the systems; only their number counts.

    Raises:
        UsageFault: another number of values.
    """
    if len(words) not in {0, 1, len(hyps)}:
        raise UsageFault(
            f"found {len(words)} --words for {len(hyps)} HYPs, expected one, or one for each HYP"
        )
    return (*words, *[words[0] if words else None] * (len(hyps) - len(words)))


SAME_WORDS, THROUGH_TIME, WORDS = "same words", "through time", "words"
"""The names of the only condition of a comparison without a campaign."""


def condition_of(how: ScoringOptions, rate: Measure | None = None) -> tuple[str, Alignment]:
    """The name and the alignment of the only condition of a comparison.

    Args:
        how: how its systems are scored.
        rate: a measure that is counted by document; ``None``: that of the scheme.
    """
    tolerance, through = how.settings.tolerance, how.settings.through
    if how.scheme.aligns_words:
        through = through or ByWords()
    name = SAME_WORDS if tolerance is None else THROUGH_TIME
    if through is not None or how.scheme.has_own_alignment:
        name = f"by {ByWords().by if through is None else through.by}"
    is_of_words = rate is not None and rate.family.counts == "words"
    return (WORDS if is_of_words else name), (tolerance, through)


def of_documents(resampling: Resampling, rate: Measure) -> Resampling:
    """The resampling of documents, for a measure that is counted by document only.

    Args:
        resampling: what the user asks for.
        rate: the measure.

    Raises:
        UsageFault: the user asks for utterances.
    """
    if resampling.unit == "utterance":
        raise UsageFault(f"--measure {rate} is counted by document, expected --unit document")
    return replace(resampling, unit="document")


def for_interval(how: ScoringOptions) -> ScoringOptions:
    """The scoring of a score with an interval; another scheme has that of its first figure.

    Args:
        how: how the system is scored.
    """
    if how.scheme.counts == "slots":
        return how
    figure = how.settings.figure or how.scheme.figures[0]
    return replace(how, settings=replace(how.settings, figure=figure))


def scores_for(
    resampling: Resampling | None,
    how: ScoringOptions,
    systems: Mapping[str, PairStream[Pair]],
    rate: Measure | None = None,
) -> dict[str, ComparableScore]:
    """The scores of systems on the same words, with all that a comparison needs.

    Slot errors are counted document by document, so that systems share what depends on the words
    alone; other figures are counted system by system.

    Args:
        resampling: samples of documents need counts only; samples of utterances need the outcome
            of each element. ``None``: the outcomes are kept.
        how: how the systems are scored.
        systems: the pairs of each system, by name.
        rate: a measure that is counted by document; ``None``: that of the scheme.
    """
    of_words = rate is not None and rate.family.counts == "words"
    if how.scheme.counts != "slots" or of_words:
        return {name: _score_for(resampling, how, one, rate) for name, one in systems.items()}
    from ..analysis.rates import RateScore
    from ..schemes.slots import slots_together

    streams = [*systems.values()]
    is_counted = _is_counted(resampling, streams)
    settings = replace(how.settings, figure=None if is_counted else how.scheme.figures[0])
    scores = slots_together(PairGroups(streams), settings)
    found = scores if rate is None else [RateScore(one, rate) for one in scores]
    return dict(zip(systems, found, strict=True))


def _is_counted(resampling: Resampling | None, systems: Iterable[PairStream[Pair]]) -> bool:
    """Whether counts of documents are enough for samples."""
    return resampling is not None and all(
        resampling.unit_of(len(pairs.pairs)) == "document" for pairs in systems
    )


def _score_for(
    resampling: Resampling | None,
    how: ScoringOptions,
    pairs: PairStream[Pair],
    rate: Measure | None = None,
) -> ComparableScore:
    """The score of one system by a scheme, or by a measure of words."""
    if rate is not None:
        from ..analysis.measured import measured  # most comparisons are of another rate
        from ..analysis.rates import RateScore
        from ..evaluation.words import WordScore

        score = measured(pairs, [rate], how.settings).scores[rate]
        assert isinstance(score, WordScore)
        return RateScore(score, rate)
    return how.count(pairs) if _is_counted(resampling, [pairs]) else how.score(pairs)


def systems_of(
    ref: SideSource,
    hyps: Sequence[SideSource | None],
    how: ScoringOptions,
    *,
    words: Sequence[SideSource],
    align: SideSource | None,
    alternatives: Sequence[str] = (),
    has_stand_ins: bool = False,
    watch: Callable[[Sequence[UnreadPair]], Iterable[UnreadPair]] = iter,
    tell: Callable[[str, int, int], object] = lambda *_: None,
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
        values: as for ``sides_of``.

    Raises:
        SerevalError: as ``sides_of``, and as ``unread_pairs``.
    """
    values.setdefault("known", {})
    every = []
    for hyp, own in zip(hyps, words_of_each(words, hyps), strict=True):
        sources = {"ref": ref, "hyp": hyp, "align": align, "words": own}
        reading = with_tags(values, ref, hyp) if how.scheme.counts == "tags" else values
        every.append(sides_of(sources, **reading))
    settings = how.settings
    policy = "--missing {}".format if how.offers_missing else None
    if settings.documents:
        every = [_selected(sides, settings.documents, ref, tell) for sides in every]
    pairs = [
        unread_pairs(
            references or [],
            hypotheses or [],
            ref_times,
            hyp_times,
            missing=settings.missing,
            policy=policy,
            is_projected=settings.is_projected,
            has_stand_ins=has_stand_ins or settings.missing == "empty",
        )
        for references, hypotheses, ref_times, hyp_times in every
    ]
    used = {(entry.side, entry.id) for pair in chain(*pairs) for entry in pair[2:] if entry}
    times = [entry for sides in every for side in sides[2:] for entry in side or ()]
    spare = {place: entry for entry in times if (place := (entry.side, entry.id)) not in used}
    read_one = partial(
        read_pair,
        labels=settings.labels,
        is_found=how.scheme.has_places,
        max_states=settings.max_states,
    )
    if how.scheme.counts == "tags":
        read_one = partial(read_tags, labels=settings.labels)
    if alternatives:
        read_one = partial(_with_alternatives, read=read_one, files=norm_files(alternatives))
    return [
        PairStream(of_system, read_one, spare=own, workers=how.workers, watch=watch)
        for of_system, own in zip(pairs, chain([[*spare.values()]], repeat(())), strict=False)
    ]


def _selected(
    sides: Sequence[list[Entry] | None],
    ids: Sequence[str],
    ref: SideSource,
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
    pair: UnreadPair,
    read: Callable[[UnreadPair], PairResult[Pair]],
    files: dict[tuple[str, str], str],
) -> PairResult[Pair]:
    """Read a pair, and give its reference the alternatives of its files."""
    found = read(pair)
    reference, hypothesis = found.value
    if isinstance(reference, Reference):
        return found  # the stage that needs the words that were said refuses it
    own = replace(reference, alternatives=alternatives_of(reference, files))
    return found._replace(value=(own, hypothesis))


def pairs_of(
    ref: SideSource,
    hyp: SideSource | None,
    how: ScoringOptions,
    *,
    words: SideSource | None,
    **values: Any,
) -> PairStream[Pair]:
    """The pairs of one system; arguments as for ``systems_of``."""
    [pairs] = systems_of(ref, [hyp], how, words=[words] if words else [], **values)
    return pairs


def pairs_of_both(
    ref: SideSource, hyps: tuple[SideSource, SideSource], how: ScoringOptions, **values: Any
) -> tuple[PairStream[Pair], PairStream[Pair]]:
    """The pairs of a system on manual and on recognised words, unread.

    Args:
        ref: the references.
        hyps: the output of the system on manual and on recognised words.
        how: the scoring on the recogniser's words.
        values: as for ``pairs_of``; ``words`` are those of the recogniser.
    """
    manual, recognised = hyps
    same_words = replace(how, settings=replace(how.settings, tolerance=None, through=None))
    plain = {**values, "words": None, "alternatives": ()}  # reference words have no word errors
    return (
        _one_side(ref, manual, same_words, plain),
        _one_side(ref, recognised, how, values),
    )


def _one_side(
    ref: SideSource, hyp: SideSource, how: ScoringOptions, values: Mapping[str, Any]
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


def check_labels(systems: Sequence[PairStream[Any]], *ways: Settings) -> None:
    """Check that each label that an option names is in some document.

    Args:
        systems: the pairs, which were read.
        ways: the settings of the scores.

    Raises:
        SerevalError: no document has such a label.
    """
    found = frozenset[str]().union(*(pairs.labels for pairs in systems))
    for settings in ways:
        settings.labels.check(found, settings.neutral)
