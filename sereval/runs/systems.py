"""The names of the systems of several hypotheses, and the words of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..corpus.pairing import Pair
from ..corpus.unread import PairStream
from ..errors import UsageFault
from ..evaluation.settings import ByWords
from ..evaluation.totals import Score
from ..evaluation.words import WordScore
from ..formats import FORMATS
from .asked import FLAGS, Wording
from .scoring import ScoringOptions

if TYPE_CHECKING:
    from ..analysis.rates import ComparableScore
    from ..analysis.resampling import Resampling
    from ..schemes.measure import Measure

Alignment: TypeAlias = tuple[tuple[int, int] | None, ByWords | None]
"""A tolerance in time, in ms, or an alignment of words; neither: both sides have the same words."""

_W = TypeVar("_W")


def system_names(
    paths: Sequence[str], names: Sequence[str], wording: Wording = FLAGS
) -> Sequence[str]:
    """The names of systems, one for each path.

    Args:
        paths: the paths of the hypotheses.
        names: the names that the user gave; none: names are made from the paths.
        wording: how messages name options.

    Raises:
        UsageFault: another number of names; an empty name, or one name for two systems.
    """
    if not names:
        return distinct_names(paths, wording)
    if len(names) != len(paths):
        raise UsageFault(
            f"found {len(names)} {wording.option('system')} for {len(paths)} HYPs, expected one "
            "for each HYP"
        )
    for name in names:
        if not name or names.count(name) > 1:
            raise UsageFault(f"found the system name {name!r}, expected different names")
    return names


def distinct_names(paths: Sequence[str], wording: Wording = FLAGS) -> list[str]:
    """A name for each path: its last component that differs from path to path.

    If there is no such component, the name joins all components that are not the same in all paths.
    The suffix of a format is left out. The name of a single path is its last component.

    Raises:
        UsageFault: two paths are the same.

    >>> distinct_names(["hyp/crf/asr", "hyp/gaz/asr/"]), distinct_names(["a/crf.ne"])
    (['crf', 'gaz'], ['crf'])
    >>> distinct_names(["crf/asr", "crf/manual", "gaz/asr"])
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
        raise UsageFault(
            f"the paths do not tell the systems apart, expected {wording.option('system')} for each"
        )
    return names


def words_of_each(
    words: Sequence[_W], hyps: Sequence[object], wording: Wording = FLAGS
) -> Sequence[_W | None]:
    """The words of each system; ``None``: it has none.

    Args:
        words: none, one for all systems, or one for each.
        hyps: the hypotheses of the systems; only their number counts.
        wording: how messages name options.

    Raises:
        UsageFault: another number of values.
    """
    if len(words) not in {0, 1, len(hyps)}:
        raise UsageFault(
            f"found {len(words)} {wording.option('words')} for {len(hyps)} HYPs, expected one, or "
            "one for each HYP"
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
    name = name if through is None else f"by {through.by}"
    is_of_words = rate is not None and rate.family.counts == "words"
    return (WORDS if is_of_words else name), (tolerance, through)


def of_documents(resampling: Resampling, rate: Measure, wording: Wording = FLAGS) -> Resampling:
    """The resampling of documents, for a measure that is counted by document only.

    Args:
        resampling: what the user asks for.
        rate: the measure.
        wording: how messages name options.

    Raises:
        UsageFault: the user asks for utterances.
    """
    if resampling.unit == "utterance":
        raise UsageFault(
            f"{wording.value('measure', rate)} is counted by document, expected "
            f"{wording.value('unit', 'document')}"
        )
    return replace(resampling, unit="document")


def score_for(
    resampling: Resampling | None,
    how: ScoringOptions,
    pairs: PairStream[Pair],
    rate: Measure | None = None,
) -> ComparableScore:
    """The score of a system, with all that a comparison needs.

    Args:
        resampling: samples of documents need counts only; samples of utterances need the outcome
            of each element. ``None``: the outcomes are kept.
        how: how the system is scored.
        pairs: its pairs.
        rate: a measure that is counted by document; ``None``: that of the scheme.
    """
    if rate is not None:
        return _rate_score(how, pairs, rate)
    if resampling and resampling.unit_of(len(pairs.pairs)) == "document":
        return how.count(pairs)
    return how.score(pairs)


def _rate_score(how: ScoringOptions, pairs: PairStream[Pair], rate: Measure) -> ComparableScore:
    """The score of a system by a measure that is counted by document."""
    from ..analysis.measured import measured  # most comparisons are of another rate
    from ..analysis.rates import RateScore

    of_words = rate.family.counts == "words"
    score = measured(pairs, [rate], how.settings).scores[rate] if of_words else how.count(pairs)
    assert isinstance(score, Score | WordScore)
    return RateScore(score, rate)
